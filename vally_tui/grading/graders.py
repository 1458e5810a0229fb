"""Vally's rules for the diff graders: what a config asks, and what the answer means. Pure; matching is the engine's.

``READERS`` is the registry: a grader type that is not in it keeps its recorded verdict. Rules and sentences are those of
Vally's documentation; where nothing is known the decision is ours and the comment says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from vally_tui.grading.model import UNSET, Absent, GraderConfig, State, Verdict
from vally_tui.grading.pattern import Answer, Outcome, Pattern, literal, regex, short_message

DIFF_CONTAINS = "diff-contains"
DIFF_NOT_CONTAINS = "diff-not-contains"
DIFF_EMPTY = "diff-empty"
DIFF_TYPES = (DIFF_CONTAINS, DIFF_NOT_CONTAINS, DIFF_EMPTY)

_NO_NUMBER = 2**1024
"""Integers from here on are Infinity in JavaScript."""


class Subject(StrEnum):
    """The recorded text that a grader looks at."""

    DIFF = "diff"
    OUTPUT = "output"
    TRANSCRIPT = "transcript"


@dataclass(frozen=True, slots=True)
class Question:
    """What a well-formed config asks of its evidence."""

    subject: Subject
    turn: int | None
    """0-based turn whose evidence is asked for; None: the whole run."""
    pattern: Pattern | None
    """What is searched; None: whether the text is empty (diff-empty)."""
    wants_match: bool
    """Whether finding it is a pass; False for not-contains and negated graders."""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Faults:
    """Everything that is wrong with a config, at once."""

    sentences: tuple[str, ...]
    notices: tuple[str, ...] = ()


def ask(grader: GraderConfig) -> Question | Faults | None:
    """What a grader asks, or the faults of its config; None for types that are not judged again."""
    reader = READERS.get(grader.type)
    return None if reader is None else reader(grader)


def turn_of(turn: object) -> int | str | None:
    """The 0-based turn that ``turn:`` selects; None where it is absent or null; a sentence where it is no turn.

    A number with an integer value from 0 is a turn, so 1.0 is turn 1, as in JavaScript; true and "1" are none.
    """
    if turn is UNSET or turn is None:
        return None
    if isinstance(turn, bool) or not isinstance(turn, int | float) or not 0 <= turn < _NO_NUMBER or turn != turn // 1:
        return f"turn must be a whole number from 0, not {_shown(turn)}"
    return int(turn)


def invalid(faults: Faults) -> Verdict:
    """The verdict of a grader whose config Vally would refuse; the wording is ours."""
    return Verdict(
        State.INVALID, False, 0, f"Invalid grader config: {'; '.join(faults.sentences)}", 0, notices=faults.notices
    )


def refused(question: Question, pattern: Pattern, message: str) -> Verdict:
    """The verdict where V8 refuses the pattern; ``message`` is V8's whole message."""
    sentence = f"Invalid regex pattern: {pattern.written}. Error: {short_message(pattern, message)}"
    return Verdict(State.INVALID, False, 0, sentence, 0, notices=question.notices)


def lacking(question: Question, absent: Absent) -> Verdict:
    """The verdict where there is no text to look at."""
    return Verdict(State.NO_EVIDENCE, False, 0, absent.message, 0, notices=question.notices)


def about_emptiness(question: Question, length: int) -> Verdict:
    """The verdict of diff-empty; ``length`` is that of the text, so one of white space is not empty."""
    if length == 0:
        return _verdict(question, True, f"{_capital(_diff(question))} is empty")
    return _verdict(question, False, f"{_capital(_diff(question))} is not empty — the stimulus changed the workspace")


def about_match(question: Question, pattern: Pattern, answer: Answer) -> Verdict:
    """The verdict that an answer of the engine means; the sentence states the fact, whatever ``negate`` says."""
    match answer.outcome:
        case Outcome.INVALID:
            return refused(question, pattern, answer.message or "")
        case Outcome.PENDING:
            return Verdict(State.PENDING, None, None, None, None, notices=question.notices)
        case Outcome.TIMEOUT:
            return _stopped(
                question, State.TIMEOUT, answer.message or f"{pattern.written} took too long and was stopped"
            )
        case Outcome.ERROR:
            # What Vally makes of V8's RangeError is unknown; ours is a state of its own.
            return _stopped(question, State.ERROR, f"V8 gave up on this text: {answer.message}")
    found = answer.outcome is Outcome.FOUND
    passed = found is question.wants_match
    named = f"Pattern /{pattern.written}/" if pattern.kind == "regex" else f'Value "{pattern.written}"'
    return Verdict(
        State.PASS if passed else State.FAIL,
        passed,
        int(passed),
        f"{named} {'found in' if found else 'not found in'} {_diff(question)}",
        answer.count if found else 0,
        answer.spans,
        question.notices,
    )


def _verdict(question: Question, passed: bool, sentence: str) -> Verdict:
    return Verdict(
        State.PASS if passed else State.FAIL, passed, 1 if passed else 0, sentence, 0, notices=question.notices
    )


def _stopped(question: Question, state: State, sentence: str) -> Verdict:
    return Verdict(state, False, 0, sentence, None, notices=question.notices)


def _diff(question: Question) -> str:
    return "workspace diff" if question.turn is None else f"the diff of turn {question.turn}"


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _read_contains(grader: GraderConfig) -> Question | Faults:
    config, faults = _mapping(grader, required=True)
    pattern = _pattern(config, faults) if config is not None else None
    negate = _negate(config, faults) if config is not None else None
    # Consumers agree: a given negate wins over the type, but "negate: true" on not-contains stays negative.
    negative = grader.type == DIFF_NOT_CONTAINS if negate is None else negate
    return _question(grader, config, faults, pattern, not negative, {"pattern", "value", "negate"})


def _read_empty(grader: GraderConfig) -> Question | Faults:
    config, faults = _mapping(grader, required=False)
    return _question(grader, config, faults, None, True, set())


def _question(
    grader: GraderConfig,
    config: Mapping[str, object] | None,
    faults: list[str],
    pattern: Pattern | None,
    wants_match: bool,
    known: set[str],
) -> Question | Faults:
    turn = turn_of(grader.turn)
    if isinstance(turn, str):
        faults.append(turn)
    # Ours: an unknown key is told and changes nothing.
    notices = tuple(
        f"config key {_shown(key)} is unknown to {grader.type} and was ignored"
        for key in config or ()
        if key not in known
    )
    if faults or isinstance(turn, str):
        return Faults(tuple(faults), notices)
    return Question(Subject.DIFF, turn, pattern, wants_match, notices)


def _mapping(grader: GraderConfig, *, required: bool) -> tuple[Mapping[str, object] | None, list[str]]:
    config = grader.config
    if isinstance(config, Mapping):
        return config, []
    if config is UNSET or config is None:
        return ({}, []) if not required else (None, ["config is missing: give pattern or value"])
    return None, [f"config must be a mapping, not {_shown(config)}"]


def _pattern(config: Mapping[str, object], faults: list[str]) -> Pattern | None:
    # null counts as absent.
    given = {key: config[key] for key in ("pattern", "value") if config.get(key) is not None}
    if len(given) == 2:
        faults.append("pattern and value exclude each other: give exactly one")
    if not given:
        faults.append("neither pattern nor value is given: give exactly one")
    for key, value in given.items():
        if not isinstance(value, str):
            faults.append(f"{key} must be a string, not {_shown(value)}")
        elif not value:
            # Ours: an empty text would be found everywhere.
            faults.append(f"{key} must not be empty")
    if faults:
        return None
    key, value = next(iter(given.items()))
    return regex(str(value)) if key == "pattern" else literal(str(value))


def _negate(config: Mapping[str, object], faults: list[str]) -> bool | None:
    negate = config.get("negate")
    if negate is None or isinstance(negate, bool):
        return negate
    faults.append(f"negate must be true or false, not {_shown(negate)}")
    return None


def _shown(value: object) -> str:
    """A wrong value in a few words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return f'"{value[:40]}"' + ("…" if len(value) > 40 else "")
    if isinstance(value, int | float):
        # Python refuses to write out integers of thousands of digits.
        return (
            str(value)[:40] if isinstance(value, float) or -_NO_NUMBER < value < _NO_NUMBER else "a very large number"
        )
    return "a list" if isinstance(value, list | tuple) else "a mapping"


READERS: Mapping[str, Callable[[GraderConfig], Question | Faults]] = {
    DIFF_CONTAINS: _read_contains,
    DIFF_NOT_CONTAINS: _read_contains,
    DIFF_EMPTY: _read_empty,
}
