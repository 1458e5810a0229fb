"""Text in the cells of a terminal: measured, cut, padded, wrapped. Pure; takes text that is inert already."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache


def cells(text: str) -> int:
    """How many cells a terminal needs for a text."""
    return len(text) if text.isascii() else _counted(text)


@lru_cache(maxsize=1024)
def _counted(text: str) -> int:
    # Names and words come again and again.
    return sum(map(_cells_of, text))


def cut(text: str, width: int) -> str:
    """The text, or as much of its beginning as fits with an ellipsis; never half of a wide character."""
    if cells(text) <= width:
        return text
    kept, used = [], 1
    for character in text:
        used += _cells_of(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"


def padded(text: str, width: int) -> str:
    """The text with blanks behind it, so that it takes ``width`` cells."""
    return text + " " * (width - cells(text))


def wrapped(text: str, width: int) -> Iterator[str]:
    """Lines of at most ``width`` cells, broken at blanks where there are some; only those blanks are lost."""
    while cells(text) > width:
        fits = _fitting(text, width)
        blank = text.rfind(" ", 1, fits + 1)
        # A break far from the end would waste the line; a long word is broken instead.
        at = blank if blank > fits // 2 else fits
        yield text[:at]
        text = text[at + 1 :] if at == blank else text[at:]
    yield text


def _fitting(text: str, width: int) -> int:
    """How many characters fit, at least one."""
    used = 0
    for count, character in enumerate(text):
        used += _cells_of(character)
        if used > width:
            return max(1, count)
    return len(text)


def _cells_of(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
