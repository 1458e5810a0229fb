"""Vally's rules for the output and transcript graders; sentences as real results have them, ours where none was seen."""

import pytest

from vally_tui.grading.graders import Faults, Question, Subject, about_match, ask, kept_because
from vally_tui.grading.model import UNSET, GraderConfig, Spans, State, Verdict
from vally_tui.grading.pattern import Answer, Outcome, Pattern, folded, literal, regex

CONTAINS = ("output-contains", "output-not-contains", "transcript-contains", "transcript-not-contains")
MATCHES = ("output-matches", "output-not-matches", "transcript-matches", "transcript-not-matches")
FOUND = Answer(Outcome.FOUND, count=1, spans=Spans.of((3, 7)))
NOT_FOUND = Answer(Outcome.NOT_FOUND, count=0)


def question(type_: str, config: object) -> Question:
    asked = ask(GraderConfig(type_, None, config))
    assert isinstance(asked, Question)
    return asked


def faults(type_: str, config: object) -> tuple[str, ...]:
    asked = ask(GraderConfig(type_, None, config))
    assert isinstance(asked, Faults)
    return asked.sentences


@pytest.mark.parametrize("type_", CONTAINS + MATCHES)
def test_each_type_looks_at_the_whole_text_that_its_name_says(type_: str) -> None:
    asked = question(type_, {"pattern": "a"} if type_ in MATCHES else {"substring": "a"})
    assert asked.subject is (Subject.OUTPUT if type_.startswith("output") else Subject.TRANSCRIPT)
    assert asked.turn is None
    assert asked.wants_match is ("-not-" not in type_)
    assert asked.notices == ()


@pytest.mark.parametrize("type_", MATCHES)
def test_a_pattern_is_read_as_that_of_a_diff_grader(type_: str) -> None:
    assert question(type_, {"pattern": "(?im)^ok$"}).pattern == regex("(?im)^ok$")


@pytest.mark.parametrize("type_", CONTAINS)
@pytest.mark.parametrize("key", ["substring", "value"])
@pytest.mark.parametrize(
    ("more", "pattern"),
    [
        ({}, folded("a.B")),
        ({"case_sensitive": None}, folded("a.B")),
        ({"case_sensitive": False}, folded("a.B")),
        ({"case_sensitive": True}, literal("a.B")),
    ],
)
def test_a_text_is_searched_in_any_case_unless_the_config_says_otherwise(
    type_: str, key: str, more: dict[str, object], pattern: Pattern
) -> None:
    assert question(type_, {key: "a.B", **more}).pattern == pattern


@pytest.mark.parametrize("type_", CONTAINS)
@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({}, ("neither substring nor value is given: give exactly one",)),
        ({"substring": None}, ("neither substring nor value is given: give exactly one",)),
        ({"pattern": "a"}, ("neither substring nor value is given: give exactly one",)),
        ({"substring": "a", "value": "b"}, ("substring and value exclude each other: give exactly one",)),
        ({"substring": ""}, ("substring must not be empty",)),
        ({"value": 5}, ("value must be a string, not 5",)),
        (UNSET, ("config is missing: give substring or value",)),
        (None, ("config is missing: give substring or value",)),
        ("a", ('config must be a mapping, not "a"',)),
        ({"value": "a", "case_sensitive": "no"}, ('case_sensitive must be true or false, not "no"',)),
        ({"value": "a", "negate": 0}, ("negate must be true or false, not 0",)),
    ],
)
def test_a_text_that_cannot_be_searched_is_told(type_: str, config: object, said: tuple[str, ...]) -> None:
    assert faults(type_, config) == said


@pytest.mark.parametrize("type_", MATCHES)
@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({}, ("pattern is not given",)),
        ({"substring": "a"}, ("pattern is not given",)),
        ({"pattern": ""}, ("pattern must not be empty",)),
        ({"pattern": ["a"]}, ("pattern must be a string, not a list",)),
        (UNSET, ("config is missing: give pattern",)),
        ([], ("config must be a mapping, not a list",)),
        ({"pattern": 1, "negate": "x"}, ("pattern must be a string, not 1", 'negate must be true or false, not "x"')),
    ],
)
def test_a_pattern_that_cannot_be_searched_is_told(type_: str, config: object, said: tuple[str, ...]) -> None:
    assert faults(type_, config) == said


@pytest.mark.parametrize(
    ("type_", "key"), [("output-contains", "pattern"), ("output-matches", "value"), ("transcript-matches", "flags")]
)
def test_an_unknown_key_is_told_and_changes_nothing(type_: str, key: str) -> None:
    own = {"pattern": "a"} if type_ in MATCHES else {"value": "a"}
    asked = question(type_, {**own, key: "x"})
    assert asked.notices == (f'config key "{key}" is unknown to {type_} and was ignored',)


@pytest.mark.parametrize(
    ("type_", "negate", "wants_match"),
    [
        ("output-matches", False, True),
        ("output-matches", True, False),
        ("output-not-matches", None, False),
        ("output-not-matches", False, True),
        ("transcript-not-contains", True, False),
        ("transcript-not-contains", False, True),
    ],
)
def test_a_given_negate_wins_over_the_type_and_never_doubles_it(type_: str, negate: object, wants_match: bool) -> None:
    own = {"pattern": "a"} if type_ in MATCHES else {"value": "a"}
    assert question(type_, {**own, "negate": negate}).wants_match is wants_match


@pytest.mark.parametrize("type_", CONTAINS + MATCHES)
@pytest.mark.parametrize(
    ("grader", "because"),
    [
        ({"turn": 0, "config": {"pattern": "a"}}, "turn 0"),
        ({"turn": "last", "config": {"pattern": "a"}}, 'turn "last"'),
        ({"scope": "turn", "config": {"pattern": "a"}}, 'scope "turn"'),
        ({"config": {"pattern": "a", "turn": 1}}, "turn 1"),
        ({"config": {"pattern": "a", "scope": {"last": 2}}}, "scope a mapping"),
        # What else is wrong with it does not matter: it is never invalid for its turn.
        ({"turn": -1, "config": None}, "turn -1"),
    ],
)
def test_a_turn_or_scope_keeps_the_recorded_verdict(type_: str, grader: dict[str, object], because: str) -> None:
    config = GraderConfig(type_, **grader)  # type: ignore[arg-type]
    assert ask(config) is None
    assert kept_because(config) == (
        f"{because}: the record does not say which text that is; the recorded verdict stays"
    )


@pytest.mark.parametrize(
    "config",
    [
        GraderConfig("output-matches", None, {"pattern": "a", "turn": None, "scope": None}, None, None),
        GraderConfig("diff-contains", None, {"pattern": "a"}, 1),
        GraderConfig("prompt", None, {"prompt": "good?"}, 1, "turn"),
    ],
)
def test_null_is_no_turn_and_other_types_have_their_own_rules(config: GraderConfig) -> None:
    assert kept_because(config) is None
    asked = ask(config)
    assert asked is None or (isinstance(asked, Question) and asked.notices == ())


@pytest.mark.parametrize(
    ("asked", "answer", "sentence"),
    [
        (question("output-contains", {"substring": "test"}), FOUND, "'test' found in output"),
        (question("output-not-contains", {"value": "it's"}), NOT_FOUND, "'it's' not found in output"),
        (question("output-contains", {"value": "T", "case_sensitive": True}), FOUND, "'T' found in output"),
        (question("output-matches", {"pattern": "(?i)ok/"}), FOUND, "Output matches pattern /(?i)ok//"),
        (question("output-matches", {"pattern": "ok"}), NOT_FOUND, "Output does not match pattern /ok/"),
        (question("output-not-matches", {"pattern": "ok"}), FOUND, "Output matches pattern /ok/"),
        (question("transcript-contains", {"substring": "a"}), NOT_FOUND, "'a' not found in transcript"),
        (question("transcript-not-matches", {"pattern": "a"}), FOUND, "Transcript matches pattern /a/"),
    ],
)
def test_the_sentence_of_a_search_states_the_fact(asked: Question, answer: Answer, sentence: str) -> None:
    assert asked.pattern is not None
    passed = (answer is FOUND) is asked.wants_match
    assert about_match(asked, asked.pattern, answer) == Verdict(
        State.PASS if passed else State.FAIL, passed, int(passed), sentence, answer.count, answer.spans
    )


def test_a_pattern_that_v8_refuses_is_told_as_for_a_diff() -> None:
    asked = question("output-matches", {"pattern": "[bad"})
    message = "Invalid regular expression: /[bad/: Unterminated character class"
    verdict = about_match(asked, regex("[bad"), Answer(Outcome.INVALID, message))
    assert verdict.state is State.INVALID
    assert verdict.evidence == "Invalid regex pattern: [bad. Error: Unterminated character class"
