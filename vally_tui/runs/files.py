"""Opens files that a run names, and only those: regular files, below the run directory, without ever blocking.

Refuses FIFOs, devices and directories, and every path that leaves the run directory, also through symbolic links. It
knows nothing of what the files hold.
"""

from __future__ import annotations

import codecs
import errno
import ntpath
import os
import stat
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from vally_tui.grading.model import Absence

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
# A folder on the way needs no right to be listed; only Linux can open it without.
_STEP = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20
_READ_AT_ONCE = 64 << 20
_DECODED_AT_ONCE = 4 << 20
_ASCII_AT_ONCE = 64 << 20
"""Bytes that are copied in about 50 ms, where copying is all there is to do."""


class Refusal(Struct, frozen=True):
    """Why a file was not opened."""

    absence: Absence
    why: str
    """What follows the file's name in a sentence: "is a FIFO, not a regular file"."""


def open_regular(path: str | Path) -> BinaryIO | Refusal:
    """The file that a person named, for reading; symbolic links are followed, as the person chose the path."""
    try:
        return _checked(os.open(path, _READ))
    except (OSError, ValueError) as error:
        return refusal(error)


def open_below(folder: Path, recorded: str) -> BinaryIO | Refusal:
    """The file that a record names, for reading; ``\\`` separates, too, whatever the system.

    A path that leaves ``folder`` (absolute, with a drive, through ``..`` or through a symbolic link) is refused.
    The path is resolved first and then walked without following any link, so that a link put there in between is not
    followed either.
    """
    outside = Refusal(Absence.SIDECAR_OUTSIDE, "lies outside the run directory")
    recorded = recorded.replace("\\", "/")
    if recorded.startswith("/") or ntpath.splitdrive(recorded)[0]:
        return outside
    try:
        base = os.path.realpath(folder, strict=True)
        lexical = os.path.normpath(os.path.join(base, recorded))
        if not _is_below(lexical, base):
            return outside
        target = os.path.realpath(lexical, strict=True)
        if not _is_below(target, base):
            return outside
        return _walk(base, Path(target).relative_to(base).parts)
    except (OSError, ValueError) as error:
        return refusal(error)


def refusal(error: OSError | ValueError) -> Refusal:
    """An error of the system in words."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Refusal(Absence.SIDECAR_GONE, "is not there")
    if isinstance(error, OSError):
        if error.errno == errno.ELOOP:
            return Refusal(Absence.UNREADABLE, "cannot be read (symbolic links in a circle)")
        return Refusal(Absence.UNREADABLE, f"cannot be read ({error.strerror or 'unknown error'})")
    return Refusal(Absence.UNREADABLE, "is no path of this system")


def not_regular(mode: int) -> str | None:
    """What follows the name of something that is no regular file; None for a regular file. ``mode``: of its ``stat``."""
    if stat.S_ISREG(mode):
        return None
    kinds = ((stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a FIFO"), (stat.S_ISSOCK, "a socket"))
    kind = next((word for test, word in kinds if test(mode)), "a device")
    return f"is {kind}, not a regular file"


def size_of(file: BinaryIO) -> int:
    """Bytes of an open file now."""
    return os.fstat(file.fileno()).st_size


def decode_all(file: BinaryIO, limit: int) -> str | None:
    """The rest of the file as Node decodes UTF-8: each invalid part is U+FFFD, a byte order mark stays.

    None when there are more than ``limit`` bytes. What takes long is decoded in parts, so that other threads get their turn.
    """
    data = _read(file, limit + 1)
    if len(data) > limit:
        return None
    if len(data) <= _ASCII_AT_ONCE and data.isascii():
        return data.decode("ascii")
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    view = memoryview(data)
    parts = [decoder.decode(view[at : at + _DECODED_AT_ONCE]) for at in range(0, len(data), _DECODED_AT_ONCE)]
    parts.append(decoder.decode(b"", final=True))
    return "".join(parts)


def _read(file: BinaryIO, most: int) -> bytes:
    """At most so many bytes. Python makes room for all that it is asked for, however short the file is."""
    parts: list[bytes] = []
    while most and (part := file.read(min(most, _READ_AT_ONCE))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _is_below(path: str, base: str) -> bool:
    return path == base or path.startswith(base.rstrip(os.sep) + os.sep)


def _walk(base: str, parts: tuple[str, ...]) -> BinaryIO | Refusal:
    folder = os.open(base, _STEP & ~os.O_NOFOLLOW)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _STEP, dir_fd=folder)
            os.close(folder)
            folder = inner
        name = parts[-1] if parts else "."
        # Asked before opening, since opening a device can already do something.
        why = not_regular(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        if why:
            return Refusal(Absence.UNREADABLE, why)
        return _checked(os.open(name, _READ | os.O_NOFOLLOW, dir_fd=folder))
    finally:
        os.close(folder)


def _checked(descriptor: int) -> BinaryIO | Refusal:
    why = not_regular(os.fstat(descriptor).st_mode)
    if why:
        os.close(descriptor)
        return Refusal(Absence.UNREADABLE, why)
    return open(descriptor, "rb", buffering=_CHUNK)
