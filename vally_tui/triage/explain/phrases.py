"""A near place as a phrase for the row of its grader. Owns its words and tones, no place."""

from vally_tui.triage.explain.model import Near
from vally_tui.triage.views_model import Phrase, Tone, Word

LONGEST = 30
"""Characters of an excerpt that are shown, so that the words behind it are seen."""


def nearly_phrase(near: Near) -> Phrase:
    """``nearly src/calc.py:6 raise ValueError( then " instead of '``; of a long excerpt the end, where it stops to match."""
    excerpt = near.spot.excerpt
    shown = excerpt if len(excerpt) <= LONGEST else "…" + excerpt[1 - LONGEST :]
    return (Word("nearly", bold=True), *_place(near, shown, Tone.NEAR))


def broken_phrase(near: Near) -> Phrase:
    """``broken by app/config.py:6 API_KEY = in an added line``."""
    excerpt = near.spot.excerpt
    shown = excerpt if len(excerpt) <= LONGEST else excerpt[: LONGEST - 1] + "…"
    return (Word("broken by", Tone.FAIL, bold=True), *_place(near, shown, Tone.BROKEN))


def _place(near: Near, excerpt: str, tone: Tone) -> Phrase:
    words = (Word(f" {near.words}", Tone.MUTED),) if near.words else ()
    return (Word(f" {near.spot.place} ", Tone.MUTED), Word(excerpt or "·", tone), *words)
