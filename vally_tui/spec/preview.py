"""The change of a spec as a unified diff, for a person to look at before anything is written."""

from __future__ import annotations

import difflib


def unified_diff(old_text: str, new_text: str, path: str, context: int = 3) -> str:
    """The diff between two texts; empty where they are equal. Lines end at LF only, so a CR stays in its line.

    ``context``: lines that are shown around each change.
    """
    if old_text == new_text:
        return ""
    old, new = _lines(old_text), _lines(new_text)
    rows = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=context, lineterm="\n")
    return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)


def _lines(text: str) -> list[str]:
    """The lines with their LF; str.splitlines() would also cut at CR, NEL, LS and others."""
    rows = text.split("\n")
    return [row + "\n" for row in rows[:-1]] + ([rows[-1]] if rows[-1] else [])
