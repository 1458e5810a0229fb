"""A spec as it stands on disk: its exact text, its digest, its tree, and what it says. Reads, never writes.

The text is the file's bytes as UTF-8 with nothing translated, so that encoding it again gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import stat
from array import array
from bisect import bisect_right
from pathlib import Path

from msgspec import Struct

from vally_tui.errors import SpecUnreadable
from vally_tui.spec.compose import SyntaxProblem, compose
from vally_tui.spec.interpret import NotASpec, interpret
from vally_tui.spec.model import EvalSpec, GraderAddress
from vally_tui.spec.nodes import Node
from vally_tui.spec.nodes import Path as NodePath

LARGEST = 4_000_000
"""Bytes of a spec that are read at most; pure Python needs seconds for as much."""


class Lines:
    """Where the lines of a text begin; a line ends at LF and nowhere else."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        starts = array("I", [0])
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        self._starts = starts

    def line(self, offset: int) -> int:
        """The 1-based line of an offset in code points."""
        return bisect_right(self._starts, offset)

    def column(self, offset: int) -> int:
        """The 1-based column of an offset, in code points."""
        return offset - self._starts[self.line(offset) - 1] + 1


class SpecDocument(Struct, frozen=True, eq=False):
    """A spec that was read. Two readings of the same text are two documents; compare their digests."""

    path: Path | None
    """Where it was read from; None for a text that was never on disk."""
    text: str
    """Exactly what is on disk, a BOM and CRs included."""
    digest: str
    """SHA-256 of its bytes, in hexadecimal."""
    root: Node
    spec: EvalSpec
    lines: Lines

    @property
    def newline(self) -> str:
        """How this text ends its lines: as the first line does, LF where there is none."""
        first = self.text.find("\n")
        return "\r\n" if first > 0 and self.text[first - 1] == "\r" else "\n"


def digest_of(data: bytes) -> str:
    """The digest by which a document knows whether its file has changed."""
    return hashlib.sha256(data).hexdigest()


def grader_path(address: GraderAddress) -> NodePath:
    """The steps from the root of the tree to a grader."""
    return ("stimuli", address.stimulus_index, "graders", address.index)


def read_spec(path: Path) -> SpecDocument:
    """Read a spec from disk; raises SpecUnreadable with file, line and column, and what to do."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecUnreadable(
            f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
        ) from error
    return parse_spec(text, path)


def read_bytes(path: Path) -> bytes:
    """The bytes of a spec file; raises SpecUnreadable for what is no readable file of at most 4 MB."""
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise SpecUnreadable(f"{path}: is no regular file: name an eval spec such as eval.yaml")
            data = file.read(LARGEST + 1)
    except IsADirectoryError as error:
        raise SpecUnreadable(
            f"{path}: is a directory: name the eval spec in it, such as {path / 'eval.yaml'}"
        ) from error
    except FileNotFoundError as error:
        raise SpecUnreadable(f"{path}: no such file") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SpecUnreadable(f"{path}: cannot be read: {reason}") from error
    if len(data) > LARGEST:
        raise SpecUnreadable(
            f"{path}: {max(status.st_size, len(data)) / 1_000_000:.1f} MB is too large for a spec; "
            f"{LARGEST // 1_000_000} MB are read at most: split it"
        )
    return data


def parse_spec(text: str, path: Path | None) -> SpecDocument:
    """Read a spec from its text; raises SpecUnreadable with line and column (from 1), and what to do."""
    lines = Lines(text)
    shown = "the spec" if path is None else str(path)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > LARGEST:
        raise SpecUnreadable(f"{shown}: {len(data) / 1_000_000:.1f} MB is too large for a spec")
    try:
        root = compose(text)
        spec = interpret(root, path, lines.line)
    except SyntaxProblem as problem:
        at = problem.offset
        place = f"{shown}:{lines.line(at)}:{lines.column(at)}"
        raise SpecUnreadable(f"{place}: {problem.message}") from problem
    except NotASpec as problem:
        raise SpecUnreadable(f"{shown}: {problem}") from problem
    assert root is not None  # interpret() refuses a text without content
    return SpecDocument(path, text, digest_of(data), root, spec, lines)


def _open_without_waiting(name: str, flags: int) -> int:
    # A FIFO without a writer would block the open forever.
    return os.open(name, flags | os.O_NONBLOCK)
