"""Long stretches of text in pieces of bounded length. Owns that length, no meaning of any row.

A piece is counted in one call, which holds up other threads; and each leaves an anchor, from which a window is found.
"""

from __future__ import annotations

from collections.abc import Sequence

from vally_tui.diffs.model import Anchor

PIECE = 32 * 1024
"""Characters that are counted in one step, and the distance of anchors."""


def next_line(text: str, position: int) -> int:
    """Offset of the line after the one that ``position`` lies in; the text's end where there is none."""
    return text.find("\n", position) + 1 or len(text)


def piece_end(text: str, start: int, end: int) -> int:
    """``end``, or a line start before it that lies about ``PIECE`` behind ``start``."""
    return end if end - start <= PIECE else min(next_line(text, start + PIECE), end)


def needs_anchor(start: int, anchors: Sequence[Anchor], offset: int) -> bool:
    """Whether ``offset`` is far behind the last anchor of a stretch that begins at ``start``."""
    return offset - (anchors[-1].offset if anchors else start) > PIECE // 2
