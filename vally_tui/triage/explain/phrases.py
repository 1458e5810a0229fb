"""Words about explanations that more than one place shows: a near place for its grader's row, what wider choices may do."""

from vally_tui.grading.graders import Subject, subject_of
from vally_tui.triage.explain.model import Explanation, Near
from vally_tui.triage.views_model import Phrase, Tone, Word

LONGEST = 30
"""Characters of an excerpt that are shown, so that the words behind it are seen."""
LEAST = 12
"""Characters of an excerpt that are shown beside any place and words."""
WHOLE = 69
"""Characters of the phrase that a terminal of 80 columns shows: a longer one has a shorter excerpt."""

_MEANT = {Subject.DIFF: "code", Subject.OUTPUT: "output", Subject.TRANSCRIPT: "messages"}
"""What a choice may pass that was not meant, by what the grader looks at."""


def wider_sentence(explanation: Explanation) -> str:
    """``2, 3 and 4 are wider: they may also pass code that you do not mean.``; empty where none is."""
    wider = [str(number) for number, choice in enumerate(explanation.choices, 1) if choice.wider]
    if not wider:
        return ""
    what = _MEANT[subject_of(explanation.subject.config.type) or Subject.DIFF]
    *others, last = wider
    who = f"{', '.join(others)} and {last} are wider: they" if others else f"{last} is wider: it"
    return f"{who} may also pass {what} that you do not mean."


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
