"""Writing specs to disk so that nothing is lost: only over the text that was read, whole or not at all.

A file is replaced by renaming a finished one over it, in the same directory, with its mode and, where the system lets
us, its owner. A symbolic link stays and its target is replaced; of hard links only the named one changes. Between the
last look at the digest and the renaming lies an instant in which another program could write; there is no lock that
editors would heed.

Two saves of the same text write once: the second one finds the text on disk and leaves it alone.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from vally_tui.errors import SaveRefused, SpecUnreadable
from vally_tui.spec.document import digest_of, read_bytes

_one_at_a_time = threading.Lock()


class Saved(Struct, frozen=True):
    """The text is on disk."""

    digest: str
    written: bool
    """False where the very same text was there already."""


class Conflict(Struct, frozen=True):
    """Something else than what was read is on disk; nothing was written."""

    digest: str
    """Of what is there now; read it with ``read_spec``."""


def save(path: Path, expected_digest: str, new_text: str) -> Saved | Conflict:
    """Replace a spec by a new text, if the digest of what is on disk is the expected one.

    Raises SaveRefused where the system does not let us; the file is then as it was, and no other file is left behind.
    """
    data = _encoded(path, new_text)
    with _one_at_a_time, _sentences(path):
        target = Path(os.path.realpath(path, strict=True))
        status = os.stat(target)
        if not stat.S_ISREG(status.st_mode):
            raise SaveRefused(f"{path} is no regular file; nothing was written: save the spec elsewhere")
        if not os.access(target, os.W_OK):
            raise SaveRefused(
                f"{path} is write-protected; nothing was written: allow writing, or save the spec elsewhere"
            )
        if digest_of(data) == _digest_on_disk(target):
            return Saved(digest_of(data), written=False)
        with _finished_beside(target, data, status) as temporary:
            found = _digest_on_disk(target)
            if found != expected_digest:
                return Conflict(found)
            os.replace(temporary, target)
        _sync_directory(target.parent)
        return Saved(digest_of(data), written=True)


def write_new(path: Path, text: str) -> Saved:
    """Write a spec that is not there yet; raises SaveRefused where anything is, and where the system does not let us."""
    data = _encoded(path, text)
    with _one_at_a_time, _sentences(path):
        with _finished_beside(path, data, None) as temporary:
            try:
                os.link(temporary, path)
            except OSError as error:
                if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
                    raise
                _move_without_links(temporary, path)
        _sync_directory(path.parent)
    return Saved(digest_of(data), written=True)


@contextlib.contextmanager
def _finished_beside(target: Path, data: bytes, like: os.stat_result | None) -> Iterator[Path]:
    """A file with the data, safely on disk, in the directory of the target; gone afterwards unless it was renamed."""
    temporary = target.with_name(f".vally-tui-{secrets.token_hex(8)}.tmp")
    # A new file takes the person's umask; one that replaces another is private until it has the other's mode.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if like is None else 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            if like is not None:
                _take_over(file.fileno(), like)
            os.fsync(file.fileno())
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _take_over(handle: int, like: os.stat_result) -> None:
    own = os.fstat(handle)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        # Only root may give files away; a person's own new file is the next best.
        with contextlib.suppress(PermissionError):
            os.fchown(handle, like.st_uid, like.st_gid)
    os.fchmod(handle, stat.S_IMODE(like.st_mode))


def _move_without_links(temporary: Path, path: Path) -> None:
    """For file systems without hard links: a moment lies between the look and the renaming."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    os.rename(temporary, path)


def _digest_on_disk(target: Path) -> str:
    try:
        return digest_of(read_bytes(target))
    except SpecUnreadable as error:
        raise SaveRefused(f"{error}; nothing was written") from error


def _encoded(path: Path, text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise SaveRefused(
            f"{path}: half a character at offset {error.start} has no UTF-8; nothing was written"
        ) from error


def _sync_directory(directory: Path) -> None:
    """Make the renaming last over a power cut, where the file system can."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_WHAT_TO_DO = {
    errno.ENOENT: "it is not there any more: save the spec elsewhere",
    errno.EEXIST: "it is there already: choose another name",
    errno.ENOSPC: "the disk is full: make room and save again",
    errno.EDQUOT: "the disk quota is used up: make room and save again",
    errno.EFBIG: "the system's limit on file sizes is reached: raise it and save again",
    errno.EACCES: "permission denied: allow writing in its directory, or save the spec elsewhere",
    errno.EPERM: "permission denied: allow writing in its directory, or save the spec elsewhere",
    errno.EROFS: "the file system is read-only: save the spec elsewhere",
    errno.ELOOP: "its symbolic links lead in a circle: mend them, or save the spec elsewhere",
    errno.ENOTDIR: "part of its path is no directory: choose another place",
}


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = _WHAT_TO_DO.get(error.errno or 0, error.strerror or str(error))
        raise SaveRefused(f"{path} was not written: {reason}") from error
    except ValueError as error:
        # A path with a NUL character.
        raise SaveRefused(f"{path!r} was not written: {error}") from error
