"""Which trials the list shows: a filter as a person types it, read into terms. Owns the syntax; matching is pure.

Terms are separated by blanks and all must hold; ``-term`` must not. A term is a state (``failed``, ``error``,
``no-evidence``, ``passed``, ``skipped``, ``waiting``, ``ungraded``, ``flipped``), ``vacuous`` or ``weak`` (some pass says
nothing, or little), ``key:text`` with one of the keys below, or a word that is looked for in stimulus and model. Text is
compared without regard to case; quotes hold blanks together.
"""

import shlex
from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from vally_tui.triage.board import Board
from vally_tui.triage.doubting import Doubting
from vally_tui.triage.edits import Edits
from vally_tui.triage.explain.model import Doubt
from vally_tui.triage.judged import says_fail
from vally_tui.triage.standing import Standing

KEYS = ("stimulus", "model", "variant", "run", "grader", "fails", "text")
STATES = {
    "failed": Standing.FAILED,
    "error": Standing.ERROR,
    "no-evidence": Standing.NO_EVIDENCE,
    "passed": Standing.PASSED,
    "skipped": Standing.SKIPPED,
    "waiting": Standing.PENDING,
    "ungraded": Standing.UNGRADED,
}
FLIPPED = "flipped"
DOUBTS = {"vacuous": Doubt.VACUOUS, "weak": Doubt.WEAK}
"""Trials with a pass that is doubted so."""
_WORDS = frozenset({*STATES, *DOUBTS, FLIPPED})
SHORT = {"fail": "failed", "pass": "passed", "skip": "skipped", "flip": "flipped", "errors": "error"}
"""Words that are taken for states, too."""
EXAMPLES = ("failed", "flipped", "-passed", "model:gpt", "fails:diff-contains", "text:raise")
"""Filters to learn from."""


class Sort(StrEnum):
    """The order of the trial list."""

    STIMULUS = "stimulus"
    """As in the file, grouped by stimulus."""
    FILE = "file"
    FAILED = "failed first"
    FLIPPED = "flipped first"
    SCORE = "score"
    MODEL = "model"
    DURATION = "duration"


class Term(Struct, frozen=True):
    """One condition."""

    key: str
    """A state's word, one of KEYS, or "word"."""
    text: str
    """In lower case, but for ``text:``, which is looked for as it is."""
    wanted: bool = True


class Filter(Struct, frozen=True):
    """All conditions of a filter."""

    written: str = ""
    terms: tuple[Term, ...] = ()
    fault: str | None = None
    """What is wrong with the written filter; its terms are then empty."""

    @property
    def text(self) -> str | None:
        """What is looked for in the diffs, as the search of that is the engine's."""
        return next((term.text for term in self.terms if term.key == "text"), None)


NO_FILTER = Filter()


def read_filter(written: str) -> Filter:
    """Read a filter; a fault is told in it, never raised."""
    try:
        words = shlex.split(written)
    except ValueError:
        return Filter(written, fault="a quote is not closed")
    terms = []
    for word in words:
        wanted = not (word.startswith("-") and len(word) > 1)
        key, separator, text = word.removeprefix("-" if not wanted else "").partition(":")
        if not separator:
            key = SHORT.get(key.lower(), key.lower())
            terms.append(Term(key, "", wanted) if key in _WORDS else Term("word", key, wanted))
        elif key not in KEYS:
            return Filter(written, fault=f"{key}: is no key; the keys are {', '.join(KEYS)}")
        elif not text:
            return Filter(written, fault=f"{key}: wants a text behind it")
        else:
            terms.append(Term(key, text if key == "text" else text.lower(), wanted))
    if sum(term.key == "text" for term in terms) > 1:
        return Filter(written, fault="text: can be given once")
    return Filter(written, tuple(terms))


def narrower(
    condition: Filter,
    board: Board,
    edits: Edits,
    saved: Edits,
    with_text: frozenset[int] | None = None,
    doubting: Doubting | None = None,
) -> Callable[[Iterable[int]], list[int]]:
    """A function that leaves of trials (by key), in their order, those that are shown.

    ``with_text``: the trials whose diff holds the filter's text, or None while that is not known, when it hides nothing.
    ``doubting`` knows the doubts about passes; None: there are none.
    """
    board.settle_few(edits, saved)
    terms = [
        (_narrowing(term, board, edits, with_text or frozenset(), doubting), term.wanted)
        for term in condition.terms
        if term.key != "text" or with_text is not None
    ]

    def narrowed(keys: Iterable[int]) -> list[int]:
        left = list(keys)
        for narrowing, wanted in terms:
            holding = narrowing(left)
            if wanted:
                left = holding
            else:
                held = set(holding)
                left = [key for key in left if key not in held]
        return left

    return narrowed


def _narrowing(
    term: Term,
    board: Board,
    edits: Edits,
    with_text: frozenset[int],
    doubting: Doubting | None,
) -> Callable[[Iterable[int]], list[int]]:
    """Which of many trials a term holds for. No function is called for each of them where none needs to be."""
    text, entries, models, sources, standings = term.text, board.entries, board.models, board.sources, board.standings
    match term.key:
        case "stimulus":
            holding = _Holding(text)
            return lambda keys: [key for key in keys if holding[entries[key].trial.stimulus]]
        case "model":
            holding = _Holding(text)
            return lambda keys: [key for key in keys if holding[models[key]]]
        case "variant":
            holding = _Holding(text)
            return lambda keys: [key for key in keys if holding[entries[key].trial.variant]]
        case "run":
            holding = _Holding(text)
            return lambda keys: [key for key in keys if holding[sources[entries[key].run].name]]
        case "word":
            holding = _Holding(text)
            return lambda keys: [key for key in keys if holding[models[key]] or holding[entries[key].trial.stimulus]]
        case "text":
            return lambda keys: [key for key in keys if key in with_text]
        case "flipped":
            flips = board.flipped
            return lambda keys: [key for key in keys if key in flips]
        case "grader":
            called = _called(board, edits, text)
            return lambda keys: [key for key in keys if called(key)]
        case "fails":
            called = _called(board, edits, text)
            return lambda keys: [
                key for key in keys if any(says_fail(board.current(key, slot, edits).verdict) for slot in called(key))
            ]
        case "vacuous" | "weak":
            doubt = DOUBTS[term.key]
            return lambda keys: [
                key
                for key in keys
                if any(_doubt(board, key, slot, edits, doubting) is doubt for slot in board.slots_of(key, edits))
            ]
    wanted, known = STATES[term.key], standings.get
    if wanted is Standing.PENDING:
        return lambda keys: [key for key in keys if known(key, wanted) is wanted]
    return lambda keys: [key for key in keys if known(key) is wanted]


class _Holding(dict[str | None, bool]):
    """Whether a value holds a text; few values are different, however many trials there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def __missing__(self, value: str | None) -> bool:
        found = self[value] = self._text in (value or "").lower()
        return found


def _called(board: Board, edits: Edits, text: str) -> Callable[[int], tuple[int, ...]]:
    """The slots of a trial with a text in their type or name; most trials share theirs with others."""
    known: dict[tuple[int, ...], tuple[int, ...]] = {}

    def called(key: int) -> tuple[int, ...]:
        slots = board.slots_of(key, edits)
        found = known.get(slots)
        if found is None:
            found = known[slots] = tuple(slot for slot in slots if _is_called(board, slot, edits, text))
        return found

    return called


def _doubt(board: Board, key: int, slot: int, edits: Edits, doubting: Doubting | None) -> Doubt | None:
    finding = doubting.of(board, key, slot, edits) if doubting is not None else None
    return finding.doubt if finding is not None else None


def _is_called(board: Board, slot: int, edits: Edits, text: str) -> bool:
    config = board.config(slot, edits)
    return text in config.type.lower() or text in (config.name or "").lower()
