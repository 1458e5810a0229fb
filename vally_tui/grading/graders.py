"""Vally's rules for the graders that a record suffices for: what a config asks, and what the answer means. Pure.

Matching is the engine's. ``READERS`` is the registry: a grader type that is not in it keeps its recorded verdict. Rules
and sentences are those of Vally's documentation; where nothing is known the decision is ours and the comment says so.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.model import NO_SPANS, UNSET, Absent, GraderConfig, Spans, State, Verdict
from vally_tui.grading.pattern import Answer, Outcome, Pattern, folded, literal, regex, short_message

DIFF_CONTAINS = "diff-contains"
DIFF_NOT_CONTAINS = "diff-not-contains"
DIFF_EMPTY = "diff-empty"
DIFF_TYPES = (DIFF_CONTAINS, DIFF_NOT_CONTAINS, DIFF_EMPTY)
OUTPUT_TYPES = ("output-contains", "output-not-contains", "output-matches", "output-not-matches")
TRANSCRIPT_TYPES = ("transcript-contains", "transcript-not-contains", "transcript-matches", "transcript-not-matches")
NEGATIVE_TYPES = frozenset({DIFF_NOT_CONTAINS, *OUTPUT_TYPES[1::2], *TRANSCRIPT_TYPES[1::2]})
"""Types that pass when nothing is found, unless ``negate`` says otherwise."""
TEXT_KEYS = ("pattern", "value", "substring")
"""The keys of configs that hold what is searched."""

_Config = Mapping[str, object]
_NO_NUMBER = 2**1024
"""Integers from here on are Infinity in JavaScript."""


class Subject(StrEnum):
    """The recorded text that a grader looks at."""

    DIFF = "diff"
    OUTPUT = "output"
    """The agent's final text."""
    TRANSCRIPT = "transcript"
    """All messages of the agent."""


class Question(Struct, frozen=True):
    """What a well-formed config asks of its evidence."""

    subject: Subject
    turn: int | None
    """0-based turn whose evidence is asked for; None: the whole run."""
    pattern: Pattern | None
    """What is searched; None: whether the text is empty (diff-empty)."""
    wants_match: bool
    """Whether finding it is a pass; False for not-contains and negated graders."""
    notices: tuple[str, ...] = ()


class Faults(Struct, frozen=True):
    """Everything that is wrong with a config, at once."""

    sentences: tuple[str, ...]
    notices: tuple[str, ...] = ()
    subject: Subject = Subject.DIFF
    """The text that it would look at."""
    turn: int | None = None
    """As ``Question.turn``; None also where that is the fault."""


def ask(grader: GraderConfig) -> Question | Faults | None:
    """What a grader asks, or the faults of its config; None for those that are not judged again."""
    reader = READERS.get(grader.type)
    return None if reader is None or kept_because(grader) is not None else reader(grader)


def subject_of(type_: str) -> Subject | None:
    """The text that graders of a type look at; None for types that are not judged again."""
    return Subject(type_.partition("-")[0]) if type_ in READERS else None


def type_taking(type_: str, *, pattern: bool) -> str:
    """The type that asks the same of the same text by a pattern, or by a plain text; a diff grader takes either."""
    family = next((types for types in (OUTPUT_TYPES, TRANSCRIPT_TYPES) if type_ in types), None)
    return type_ if family is None else family[family.index(type_) % 2 + 2 * pattern]


def kept_because(grader: GraderConfig) -> str | None:
    """Why a grader keeps its recorded verdict although its type is judged again; None where that is not so.

    Output and transcript graders may be narrowed by ``turn`` or ``scope``, beside the config or in it. Which part of
    the text is then looked at is not known, so such a grader is neither judged nor called invalid.
    """
    if grader.type not in (*OUTPUT_TYPES, *TRANSCRIPT_TYPES):
        return None
    inside = grader.config if isinstance(grader.config, Mapping) else {}
    written = {"turn": (grader.turn, inside.get("turn")), "scope": (grader.scope, inside.get("scope"))}
    for key, values in written.items():
        for value in values:
            if value is not UNSET and value is not None:
                return f"{key} {_shown(value)}: the record does not say which text that is; the recorded verdict stays"
    return None


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


@lru_cache(maxsize=256)
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
    found = answer.outcome is Outcome.FOUND
    if found or answer.outcome is Outcome.NOT_FOUND:
        count = answer.count if found else 0
        if answer.spans:
            return _concluded(question, pattern, found, count, answer.spans)
        return _shared(question, pattern, found, count)
    return _unconcluded(question, pattern, answer)


def _concluded(
    question: Question, pattern: Pattern, found: bool, count: int | None, spans: Spans = NO_SPANS
) -> Verdict:
    passed = found is question.wants_match
    state = State.PASS if passed else State.FAIL
    return Verdict(state, passed, int(passed), _fact(question, pattern, found), count, spans, question.notices)


# Without places of matches the same few verdicts are given on thousands of trials.
_shared = lru_cache(maxsize=1024)(_concluded)


def _unconcluded(question: Question, pattern: Pattern, answer: Answer) -> Verdict:
    """The verdict of a search that came to no answer."""
    match answer.outcome:
        case Outcome.INVALID:
            return refused(question, pattern, answer.message or "")
        case Outcome.TIMEOUT:
            became = answer.message or "took too long and was stopped"
            return _stopped(question, State.TIMEOUT, f"{pattern.written} {became}")
        case Outcome.ERROR:
            # What Vally makes of V8's RangeError is unknown; ours is a state of its own.
            return _stopped(question, State.ERROR, f"V8 gave up on this text: {answer.message}")
    return Verdict(State.PENDING, None, None, None, None, notices=question.notices)


def _fact(question: Question, pattern: Pattern, found: bool) -> str:
    """What Vally says of a search. Of output it says it in other words than of a diff, and of transcripts we do likewise."""
    where, is_regex = question.subject, pattern.kind == "regex"
    if where is not Subject.DIFF and is_regex:
        return f"{_capital(where)} {'matches' if found else 'does not match'} pattern /{pattern.written}/"
    in_ = "found in" if found else "not found in"
    if where is not Subject.DIFF:
        return f"'{pattern.written}' {in_} {where}"
    named = f"Pattern /{pattern.written}/" if is_regex else f'Value "{pattern.written}"'
    return f"{named} {in_} {_diff(question)}"


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


def _read_diff(grader: GraderConfig) -> Question | Faults:
    keys = ("pattern", "value")
    config, faults = _mapping(grader, keys)
    written = _written(config, keys, faults)
    pattern = None if written is None else regex(written[1]) if written[0] == "pattern" else literal(written[1])
    wants_match = not _is_negative(grader, config, faults)
    turn = turn_of(grader.turn)
    if isinstance(turn, str):
        faults.append(turn)
        turn = None
    return _question(grader, config, faults, Question(Subject.DIFF, turn, pattern, wants_match), {*keys, "negate"})


def _read_empty(grader: GraderConfig) -> Question | Faults:
    config, faults = _mapping(grader, ())
    turn = turn_of(grader.turn)
    if isinstance(turn, str):
        faults.append(turn)
        turn = None
    return _question(grader, config, faults, Question(Subject.DIFF, turn, None, True), set())


def _read_matches(grader: GraderConfig) -> Question | Faults:
    config, faults = _mapping(grader, ("pattern",))
    written = _written(config, ("pattern",), faults)
    pattern = None if written is None else regex(written[1])
    return _about_text(grader, config, faults, pattern, {"pattern"})


def _read_contains(grader: GraderConfig) -> Question | Faults:
    keys = ("substring", "value")
    config, faults = _mapping(grader, keys)
    written = _written(config, keys, faults)
    exact = _flag(config, "case_sensitive", faults)
    pattern = None if written is None else literal(written[1]) if exact else folded(written[1])
    return _about_text(grader, config, faults, pattern, {*keys, "case_sensitive"})


def _about_text(
    grader: GraderConfig, config: _Config, faults: list[str], pattern: Pattern | None, known: set[str]
) -> Question | Faults:
    subject = subject_of(grader.type)
    assert subject is not None
    wants_match = not _is_negative(grader, config, faults)
    # A turn or scope that is there is null: any other keeps the recorded verdict.
    known |= {"negate", "turn", "scope"}
    return _question(grader, config, faults, Question(subject, None, pattern, wants_match), known)


def _question(
    grader: GraderConfig, config: _Config, faults: list[str], question: Question, known: set[str]
) -> Question | Faults:
    """The question with what else is to be told of its config, or the faults that were found."""
    # Ours: an unknown key is told and changes nothing.
    notices = tuple(
        f"config key {_shown(key)} is unknown to {grader.type} and was ignored" for key in config if key not in known
    )
    if faults:
        return Faults(tuple(faults), notices, question.subject, question.turn)
    return replace(question, notices=notices)


def _mapping(grader: GraderConfig, wanted: Sequence[str]) -> tuple[_Config, list[str]]:
    """The config and the first of its faults; ``wanted``: the keys of which it must have one, none where it may be empty."""
    config = grader.config
    if isinstance(config, Mapping):
        return config, []
    if config is UNSET or config is None:
        return {}, [f"config is missing: give {' or '.join(wanted)}"] if wanted else []
    return {}, [f"config must be a mapping, not {_shown(config)}"]


def _written(config: _Config, keys: Sequence[str], faults: list[str]) -> tuple[str, str] | None:
    """The one of these keys that is given, and its text."""
    if faults:
        return None
    # null counts as absent.
    given = {key: config[key] for key in keys if config.get(key) is not None}
    if len(given) > 1:
        faults.append(f"{' and '.join(keys)} exclude each other: give exactly one")
    if not given:
        only = f"{keys[0]} is not given"
        faults.append(only if len(keys) == 1 else f"neither {' nor '.join(keys)} is given: give exactly one")
    for key, value in given.items():
        if not isinstance(value, str):
            faults.append(f"{key} must be a string, not {_shown(value)}")
        elif not value:
            # Ours: an empty text would be found everywhere.
            faults.append(f"{key} must not be empty")
    if faults:
        return None
    key, value = next(iter(given.items()))
    return key, str(value)


def _is_negative(grader: GraderConfig, config: _Config, faults: list[str]) -> bool:
    """Whether the grader passes when nothing is found."""
    negate = _flag(config, "negate", faults)
    # Consumers agree: a given negate wins over the type, but "negate: true" on a not-type stays negative.
    return grader.type in NEGATIVE_TYPES if negate is None else negate


def _flag(config: _Config, key: str, faults: list[str]) -> bool | None:
    flag = config.get(key)
    if flag is None or isinstance(flag, bool):
        return flag
    faults.append(f"{key} must be true or false, not {_shown(flag)}")
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
    DIFF_CONTAINS: _read_diff,
    DIFF_NOT_CONTAINS: _read_diff,
    DIFF_EMPTY: _read_empty,
    **dict.fromkeys((*OUTPUT_TYPES[:2], *TRANSCRIPT_TYPES[:2]), _read_contains),
    **dict.fromkeys((*OUTPUT_TYPES[2:], *TRANSCRIPT_TYPES[2:]), _read_matches),
}
