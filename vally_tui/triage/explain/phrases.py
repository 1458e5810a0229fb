"""A near place as a phrase for the row of its grader. Owns its words and tones, no place."""

from vally_tui.triage.explain.model import Near
from vally_tui.triage.views_model import Phrase, Tone, Word

LONGEST = 30
"""Characters of an excerpt that are shown, so that the words behind it are seen."""
LEAST = 12
"""Characters of an excerpt that are shown beside any place and words."""
WHOLE = 69
"""Characters of the phrase that a terminal of 80 columns shows: a longer one has a shorter excerpt."""


def nearly_phrase(near: Near) -> Phrase:
    """``nearly src/calc.py:6 raise ValueError( then " instead of '``; of a long excerpt the end, where it stops to match."""
    begin, excerpt = "nearly", near.spot.excerpt
    longest = _longest(begin, near)
    shown = excerpt if len(excerpt) <= longest else "…" + excerpt[1 - longest :]
    return (Word(begin, bold=True), *_place(near, shown, Tone.NEAR))


def broken_phrase(near: Near) -> Phrase:
    """``broken by app/config.py:6 API_KEY = in an added line``."""
    begin, excerpt = "broken by", near.spot.excerpt
    longest = _longest(begin, near)
    shown = excerpt if len(excerpt) <= longest else excerpt[: longest - 1] + "…"
    return (Word(begin, Tone.FAIL, bold=True), *_place(near, shown, Tone.BROKEN))


def _longest(begin: str, near: Near) -> int:
    """Characters of the excerpt that leave room for what stands around it."""
    around = len(f"{begin} {near.spot.place}  {near.words}")
    return max(min(LONGEST, WHOLE - around), LEAST)


def _place(near: Near, excerpt: str, tone: Tone) -> Phrase:
    words = (Word(f" {near.words}", Tone.MUTED),) if near.words else ()
    return (Word(f" {near.spot.place} ", Tone.MUTED), Word(excerpt or "·", tone), *words)
