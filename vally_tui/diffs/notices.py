"""What is said where a text and its diff headers disagree: one plain sentence each. Owns no decision."""

from __future__ import annotations

from collections.abc import Sequence

from vally_tui.diffs.model import Hunk

UNPARSED = "Some lines fit no unified diff; they are shown as they are, without numbers."
COMBINED_COUNTS = "The hunk header asks for other rows than the text has."
OVERLAP = "This hunk starts before the end of the hunk above it; its counts may be wrong."
NO_DIFF = "No unified diff was recognised in this text; it is shown as it is."
UTF_16 = "This text looks like UTF-16 that was read as UTF-8; it is shown as it is."
COLOURED = "No unified diff was recognised: the lines begin with colour codes. The text is shown as it is."
NOT_UNIFIED = "This is a context diff, not a unified one; it is shown as it is."
APPLY_PATCH = "This is an apply_patch block, not a unified diff; it is shown as it is."
QUOTED = "No unified diff was recognised: each line begins with another sign. The text is shown as it is."
UNIDIFF_DISAGREES = "The diff parser reads these rows differently; they are shown as the text has them."


def counts_differ(said: tuple[int, int], present: tuple[int, int], *, cut: bool) -> str:
    """A hunk with other rows than its header asks for. Counts are (old, new); ``cut``: the text ends inside the hunk."""
    where = "The text ends inside this hunk: its header says" if cut else "The hunk header says"
    return f"{where} −{said[0]} +{said[1]} lines, the text has −{present[0]} +{present[1]}."


def of_file(unparsed: bool, hunks: Sequence[Hunk]) -> str | None:
    """One sentence for a file: the first thing that is odd about it, and how many hunks are."""
    odd = [(number, hunk.notice) for number, hunk in enumerate(hunks, 1) if hunk.notice]
    if not odd:
        return UNPARSED if unparsed else None
    number, notice = odd[0]
    more = f" {len(odd) - 1} more of its hunks are odd." if len(odd) > 1 else ""
    return f"Hunk {number}: {notice}{more}"


def of_text_without_files(text: str) -> str | None:
    """Why a text shows no file; None for a blank one. Looks at the first 4096 characters only."""
    head = text[:4096]
    if not head.strip():
        return None
    if head.strip("\0") and head.count("\0") * 3 > len(head):
        return UTF_16
    for word, notice in _SIGNS:
        if head.startswith(word) or f"\n{word}" in head:
            return notice
    return NO_DIFF


_SIGNS = (
    ("\x1b[", COLOURED),
    ("*** Begin Patch", APPLY_PATCH),
    ("***************", NOT_UNIFIED),
    ("> diff --git ", QUOTED),
    ("| diff --git ", QUOTED),
)
