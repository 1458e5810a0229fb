"""The wire between client and worker: how one message is laid out on a pipe. Owns no meaning of any message.

A frame is two lengths (unsigned 32 bit, network order), a JSON header and a body of bytes. The header is ASCII, so a
lone surrogate travels in it like any other character.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

_LENGTHS = struct.Struct("!II")

MAX_JOBS = 4096
"""How many jobs one run message holds at most; match.js has buffers for so many."""

MAX_SPANS = 131072
"""How many spans one search returns at most; match.js has buffers for so many."""

JOB_FIELDS = 5
"""What a job is on the wire, as int32: pattern's index, text's slot, spans wanted, count (0 or 1), limit in ms."""


class Frame(NamedTuple):
    """One message."""

    header: dict[str, Any]
    body: bytes


def pack(header: dict[str, Any], *body: bytes) -> bytes:
    """The bytes of a frame; the parts of its body lie behind each other."""
    head = json.dumps(header, separators=(",", ":")).encode("ascii")
    return b"".join((_LENGTHS.pack(len(head), sum(map(len, body))), head, *body))


class Splitter:
    """Cuts a stream of bytes into frames; what is incomplete waits for more."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are whole now."""
        self._buffer += data
        while len(self._buffer) >= _LENGTHS.size:
            head, body = _LENGTHS.unpack_from(self._buffer)
            middle = _LENGTHS.size + head
            end = middle + body
            if len(self._buffer) < end:
                return
            header = json.loads(self._buffer[_LENGTHS.size : middle])
            with memoryview(self._buffer) as view:
                content = bytes(view[middle:end])
            del self._buffer[:end]
            yield Frame(header, content)


class Code:
    """How a job ended, as a byte in an answers message; match.js writes the first five, Python the last."""

    PENDING, NOT_FOUND, FOUND, INVALID, ERROR, TIMEOUT = range(6)


class Results(NamedTuple):
    """The jobs that ended since the last answers message; parallel arrays, the spans of all jobs behind each other."""

    codes: bytes
    counts: array[int]
    """``array('i')``: all matches, -1 where they were not counted."""
    span_counts: array[int]
    """``array('I')``: how many spans belong to each job."""
    starts: array[int]
    ends: array[int]
    """``array('I')``, in code points."""

    def to_bytes(self) -> bytes:
        """The body of an answers message."""
        return b"".join((self.counts, self.span_counts, self.starts, self.ends, self.codes))

    @classmethod
    def from_bytes(cls, body: bytes, jobs: int, spans: int) -> Results:
        """Read a body that holds so many jobs and, together, so many spans."""
        parts: list[array[int]] = []
        at = 0
        for typecode, length in (("i", jobs), ("I", jobs), ("I", spans), ("I", spans)):
            part = array(typecode)
            size = part.itemsize * length
            part.frombytes(body[at : at + size])
            parts.append(part)
            at += size
        return cls(body[at : at + jobs], *parts)
