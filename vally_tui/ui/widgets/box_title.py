"""The upper edge of a box: what is said there of what the box is about, where there is little room. Draws nothing."""

from __future__ import annotations

from collections.abc import Sequence

from vally_tui.triage.views_model import Note
from vally_tui.ui.render.cells import LONGEST_SHOWN, cells, cut, shorten_path
from vally_tui.ui.render.inert import inert

JOINT = " · "
LEAST_PART = 8
"""Cells from which on a part that is too long is shortened; with less room it is left out."""


def fitting_parts(parts: Sequence[Note], room: int) -> list[str]:
    """The parts that fit in ``room`` cells with ``JOINT`` between them, in their order; the lowest ranks are taken first.

    The first one that does not fit whole is shortened, and the others are left out.
    """
    taken: dict[int, str] = {}
    for index in sorted(range(len(parts)), key=lambda index: parts[index].rank):
        room -= len(JOINT) if taken else 0
        text = inert(parts[index].text[:LONGEST_SHOWN])
        if cells(text) > room:
            if room >= LEAST_PART or not taken:
                taken[index] = shorten_path(text, room) if parts[index].path else cut(text, room)
            break
        taken[index] = text
        room -= cells(text)
    return [taken[index] for index in sorted(taken)]
