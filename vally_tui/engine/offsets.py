"""UTF-16 offsets, as JavaScript counts, into code points, as Python counts. Pure arithmetic; knows no pattern.

JavaScript counts a character beyond U+FFFF (astral) as two units, Python as one. So an offset in code points is the
offset in units less the astral characters that end before it. A table of where those characters have their second
unit is enough; a text without any needs no table.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def second_units(text: str, base: int = 0) -> array[int]:
    """Where each astral character of ``text`` has its second unit, in UTF-16 units, plus ``base``.

    Two separate surrogates in a Python text are two characters to Python and one to JavaScript; they are no astral
    character here, since both sides count two offsets for them.
    """
    return array("I", (base + found.start() + seen + 1 for seen, found in enumerate(_ASTRAL.finditer(text))))


def to_code_points(starts: Iterable[int], ends: Iterable[int], table: Sequence[int]) -> tuple[array[int], array[int]]:
    """Starts and ends of matches, from UTF-16 units to code points.

    A match that begins or ends inside an astral character is widened to the whole character. A match of nothing inside
    one stays a match of nothing: it gives that character's index twice.
    """
    begin, finish = array("I"), array("I")
    for start, end in zip(starts, ends, strict=True):
        first = start - bisect_right(table, start)
        begin.append(first)
        finish.append(first if start == end else end - bisect_left(table, end))
    return begin, finish
