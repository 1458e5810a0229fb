"""Whether a file can be a results file at all: it is looked into as far as its first record. Keeps nothing of it."""

from __future__ import annotations

from typing import BinaryIO

from vally_tui.runs.shapes import BOM, Malformed, read_shape

_LOOKED_AT = 1 << 20
"""Bytes of a line that are looked at; a longer line that begins as a record does is taken for one."""


def may_hold_records(file: BinaryIO) -> bool:
    """Whether a file holds a JSON object a line, or the beginning of one at its end, or nothing yet. Raises OSError."""
    empty, begins = True, True
    while part := file.readline(_LOOKED_AT):
        if empty and part.startswith(BOM):
            part = part[len(BOM) :]
        blank = not part or part.isspace()
        if begins and not blank and _may_be_record(part):
            return True
        empty = empty and blank
        begins = part.endswith(b"\n")
    return empty


def _may_be_record(part: bytes) -> bool:
    """Whether a line, or as much of it as there is, is a record or the beginning of one."""
    if not part.lstrip().startswith(b"{"):
        return False
    return not part.endswith(b"\n") or not isinstance(read_shape(part), Malformed)
