"""A near place as a phrase for the row of its grader. Owns its words and tones, no place."""

from vally_tui.triage.explain.model import Near
from vally_tui.triage.views_model import Phrase, Tone, Word


def nearly_phrase(near: Near) -> Phrase:
    """``nearly src/calc.py:6 raise ValueError( then " instead of '``."""
    return (Word("nearly", bold=True), *_place(near, Tone.NEAR))


def broken_phrase(near: Near) -> Phrase:
    """``broken by app/config.py:6 API_KEY = in an added line``."""
    return (Word("broken by", Tone.FAIL, bold=True), *_place(near, Tone.BROKEN))


def _place(near: Near, tone: Tone) -> Phrase:
    words = (Word(f" {near.words}", Tone.MUTED),) if near.words else ()
    return (Word(f" {near.spot.place} ", Tone.MUTED), Word(near.spot.excerpt or "·", tone), *words)
