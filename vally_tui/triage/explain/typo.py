"""Finds what a literal is a misspelling of: the places in a text that differ from it by few edits. Pure."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

LONGEST = 200
"""Literals longer than this are not looked for."""
_SHORTEST = 5
_CELLS = 20_000
"""Characters against characters that are compared in all; a literal whose parts are everywhere is no use anyway."""


class Misspelt(Struct, frozen=True):
    """A place that is nearly the literal."""

    start: int
    end: int
    distance: int


def allowed(length: int) -> int:
    """How many edits are near for a literal of this length: our rule, one for every five characters, at most three."""
    return min(length // _SHORTEST, 3)


def nearest(literal: str, text: str) -> Misspelt | None:
    """The place in ``text`` with the fewest edits to ``literal``, within one line; the first of equals."""
    edits = allowed(len(literal))
    if not edits or len(literal) > LONGEST or "\n" in literal:
        return None
    best: Misspelt | None = None
    places = max(_CELLS // (len(literal) * (len(literal) + 2 * edits)), 4)
    for start in islice(_candidates(literal, text, edits), places):
        found = _align(literal, text, start, edits)
        if found is not None and (best is None or found.distance < best.distance):
            best = found
            if best.distance == 1:
                break
    return best


def _candidates(literal: str, text: str, edits: int) -> Iterator[int]:
    """Where the literal could begin, by its rarest part first: with k edits, one of k + 1 parts of it stands unharmed."""
    size = len(literal) // (edits + 1)
    begins = [number * size for number in range(edits + 1)]
    parts = [(begin, literal[begin : begin + size if begin < begins[-1] else len(literal)]) for begin in begins]
    seen: set[int] = set()
    for begin, part in sorted(parts, key=lambda pair: text.count(pair[1])):
        position = text.find(part)
        while position >= 0:
            start = max(position - begin, 0)
            if start not in seen:
                seen.add(start)
                yield start
            position = text.find(part, position + 1)


def _align(literal: str, text: str, start: int, edits: int) -> Misspelt | None:
    """The best piece of ``text`` that begins within ``edits`` of ``start``, by edit distance with free beginning and end."""
    window_start = max(start - edits, text.rfind("\n", 0, start) + 1)
    line_end = text.find("\n", window_start)
    window = text[window_start : min(start + len(literal) + edits, len(text) if line_end < 0 else line_end)]
    # Row by row of the literal: (distance, where the piece begins) for each end of the piece.
    row = [(0, column) for column in range(len(window) + 1)]
    for number, char in enumerate(literal, 1):
        above, row = row, [(number, 0)]
        for column, other in enumerate(window, 1):
            diagonal = (above[column - 1][0] + (char != other), above[column - 1][1])
            down = (above[column][0] + 1, above[column][1])
            right = (row[column - 1][0] + 1, row[column - 1][1])
            row.append(min(diagonal, down, right))
    distance, end = min((cost, column) for column, (cost, _) in enumerate(row))
    if not 0 < distance <= edits:
        return None
    begin = row[end][1]
    return Misspelt(window_start + begin, window_start + end, distance) if end > begin else None
