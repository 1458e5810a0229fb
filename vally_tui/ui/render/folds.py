"""Which rows of a diff are folded away, which sentences stand between its rows, and how high its lines are when wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from vally_tui.diffs.model import FileDiff, FileKind, Hunk, LineKind
from vally_tui.ui.render.cells import TAB, wrap_points
from vally_tui.ui.render.document import Document
from vally_tui.ui.render.row_map import Fold, Notice

PAYLOAD_SHOWN = 2
"""Rows of a binary payload that stay: what it is and how long."""
_CONTEXT = ("", " ")
"""How a line of context begins; some tools strip the blank of an empty one."""
_CONTROLS = re.compile(r"[^\x20-\x7e\n]")
LEAST = 3
"""A stretch of fewer rows is not folded: nothing would be won."""


def notices(document: Document) -> list[Notice]:
    """What is odd about the text, its files and its hunks, below the row where it belongs; parts have headings."""
    made = [Notice(0, document.notice)] if document.notice and document.row_count else []
    for file in document.files:
        if file.kind is FileKind.PART:
            made.append(Notice(file.row - 1, f"{file.path} of {len(document.files):,}", heading=True))
        of_hunks = {hunk.notice for hunk in file.hunks if hunk.notice}
        if file.notice and file.notice not in of_hunks and not of_hunks:
            made.append(Notice(file.row, file.notice))
        made += [Notice(hunk.row, hunk.notice) for hunk in file.hunks if hunk.notice]
    return made


def payload_folds(document: Document) -> list[Fold]:
    """Long binary payloads."""
    return [fold for file in document.files if file.binary for fold in _payload(document, file)]


def _payload(document: Document, file: FileDiff) -> Iterator[Fold]:
    first = count = 0
    for line in document.rows(file.row, file.rows):
        if line.kind is LineKind.BINARY:
            first, count = (first if count else line.row), count + 1
            continue
        if count:
            yield from _fold(first + PAYLOAD_SHOWN, count - PAYLOAD_SHOWN, "binary payload")
        count = 0
    if count:
        yield from _fold(first + PAYLOAD_SHOWN, count - PAYLOAD_SHOWN, "binary payload")


def _fold(row: int, count: int, what: str) -> Iterator[Fold]:
    if count >= LEAST:
        yield Fold(row, count, what)


def context_folds(document: Document) -> list[Fold]:
    """Stretches of context lines in hunks; combined diffs, whose signs are wider, are left as they are."""
    made: list[Fold] = []
    for file in document.files:
        if file.kind is not FileKind.COMBINED:
            for hunk in file.hunks:
                made += _context(document.text, hunk)
    return made


def _context(text: str, hunk: Hunk) -> Iterator[Fold]:
    row = hunk.row + 1
    lines = text[hunk.body : hunk.end].split("\n", hunk.rows)[: hunk.rows]
    for is_context, run in groupby(lines, lambda line: line[:1] in _CONTEXT):
        count = sum(1 for _ in run)
        if is_context:
            yield from _fold(row, count, "context")
        row += count


def fold_words(fold: Fold) -> str:
    """What the row of a fold says."""
    return f"… {fold.count:,} rows of {fold.what}"


def heights(document: Document, width: int, first: int = 0) -> Iterable[int]:
    """Screen rows of each row from ``first`` (from 0) on when its line is wrapped at ``width`` cells."""
    width, count = max(width, 1), document.row_count - first
    if count <= 0:
        return ()
    end = document.text.find("\n", document.offset_of(document.row_count - 1))
    text = document.text[document.offset_of(first) : end if end >= 0 else None]
    lines = text.split("\n")[:count]
    if text.isascii() and not _CONTROLS.search(text):
        return [-(-length // width) or 1 for length in map(len, lines)]
    return (_height(line, width) for line in lines)


def _height(line: str, width: int) -> int:
    if line.isascii() and line.isprintable():
        return -(-len(line) // width) or 1
    return 1 if len(line) * TAB <= width else len(wrap_points(line, 0, len(line), width))
