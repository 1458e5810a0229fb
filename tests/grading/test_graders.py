"""Vally's rules for the diff graders, as its documentation and the programs that read its results state them."""

import pytest

from vally_tui.grading.graders import (
    Faults,
    Question,
    Subject,
    about_emptiness,
    about_match,
    ask,
    invalid,
    lacking,
    turn_of,
)
from vally_tui.grading.model import UNSET, Absence, Absent, GraderConfig, Spans, State, Verdict
from vally_tui.grading.pattern import Answer, Outcome, literal, regex


def question(type_: str, config: object, turn: object = UNSET) -> Question:
    asked = ask(GraderConfig(type_, None, config, turn))
    assert isinstance(asked, Question)
    return asked


def faults(type_: str, config: object, turn: object = UNSET) -> tuple[str, ...]:
    asked = ask(GraderConfig(type_, None, config, turn))
    assert isinstance(asked, Faults)
    return asked.sentences


FOUND = Answer(Outcome.FOUND, count=2, spans=Spans.of((1, 2), (4, 5)))
NOT_FOUND = Answer(Outcome.NOT_FOUND, count=0)


# --- which types are judged ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["prompt", "tool-calls", "file-matches", "Diff-Contains", "diff", "", "run-command"])
def test_other_types_are_not_judged_again_whatever_their_config(type_: str) -> None:
    assert ask(GraderConfig(type_, None, {"pattern": 5}, turn="x")) is None


@pytest.mark.parametrize("type_", ["diff-contains", "diff-not-contains", "diff-empty"])
def test_the_diff_graders_look_at_the_diff(type_: str) -> None:
    config = {} if type_ == "diff-empty" else {"pattern": "a"}
    assert question(type_, config).subject is Subject.DIFF


# --- pattern and value --------------------------------------------------------------------------------------------


def test_a_pattern_is_a_regex_and_a_value_a_literal() -> None:
    assert question("diff-contains", {"pattern": "(?i)a.b"}).pattern == regex("(?i)a.b")
    assert question("diff-contains", {"value": "(?i)a.b"}).pattern == literal("(?i)a.b")


@pytest.mark.parametrize(
    "config",
    [{"pattern": "a", "value": None}, {"pattern": "a", "value": None, "negate": None}],
)
def test_null_counts_as_absent(config: dict[str, object]) -> None:
    asked = question("diff-contains", config)
    assert asked.pattern == regex("a")
    assert asked.wants_match
    assert asked.notices == ()


def test_a_flags_prefix_alone_is_the_empty_regex_and_valid() -> None:
    assert question("diff-contains", {"pattern": "(?i)"}).pattern == regex("(?i)")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({}, ("neither pattern nor value is given: give exactly one",)),
        ({"pattern": None}, ("neither pattern nor value is given: give exactly one",)),
        ({"pattern": "a", "value": "b"}, ("pattern and value exclude each other: give exactly one",)),
        ({"pattern": ""}, ("pattern must not be empty",)),
        ({"value": ""}, ("value must not be empty",)),
        ({"pattern": 5}, ("pattern must be a string, not 5",)),
        ({"pattern": True}, ("pattern must be a string, not true",)),
        ({"value": ["a"]}, ("value must be a string, not a list",)),
        ({"value": {"a": 1}}, ("value must be a string, not a mapping",)),
        ({"value": 1.5}, ("value must be a string, not 1.5",)),
        (UNSET, ("config is missing: give pattern or value",)),
        (None, ("config is missing: give pattern or value",)),
        ("a", ('config must be a mapping, not "a"',)),
        ([], ("config must be a mapping, not a list",)),
        (False, ("config must be a mapping, not false",)),
        ({"pattern": "a", "negate": "yes"}, ('negate must be true or false, not "yes"',)),
        ({"pattern": "a", "negate": 1}, ("negate must be true or false, not 1",)),
        ({"value": "x" * 41, "negate": "y" * 41}, ('negate must be true or false, not "' + "y" * 40 + '"…',)),
    ],
)
def test_a_config_that_vally_refuses_is_told(config: object, said: tuple[str, ...]) -> None:
    assert faults("diff-contains", config) == said
    assert faults("diff-not-contains", config) == said


def test_every_fault_is_told_at_once() -> None:
    config = {"pattern": 1, "value": "", "negate": "no", "flags": "i"}
    asked = ask(GraderConfig("diff-contains", None, config, turn=-1))
    assert asked == Faults(
        (
            "pattern and value exclude each other: give exactly one",
            "pattern must be a string, not 1",
            "value must not be empty",
            'negate must be true or false, not "no"',
            "turn must be a whole number from 0, not -1",
        ),
        ('config key "flags" is unknown to diff-contains and was ignored',),
    )


@pytest.mark.parametrize("config", [UNSET, None, {}])
def test_diff_empty_needs_no_config(config: object) -> None:
    asked = question("diff-empty", config)
    assert asked.pattern is None
    assert asked.notices == ()


@pytest.mark.parametrize(
    ("type_", "config", "key"),
    [
        ("diff-empty", {"negate": True}, "negate"),
        ("diff-empty", {"pattern": "a"}, "pattern"),
        ("diff-contains", {"value": "a", "case_sensitive": False}, "case_sensitive"),
    ],
)
def test_an_unknown_key_is_told_and_changes_nothing(type_: str, config: dict[str, object], key: str) -> None:
    asked = question(type_, config)
    assert asked.notices == (f'config key "{key}" is unknown to {type_} and was ignored',)
    assert asked.wants_match


def test_diff_empty_refuses_a_config_that_is_no_mapping() -> None:
    assert faults("diff-empty", [1]) == ("config must be a mapping, not a list",)


def test_a_key_that_is_no_text_or_a_number_of_any_length_is_told_without_failing() -> None:
    huge = 16**5000
    assert question("diff-contains", {"pattern": "a", 7: "x"}).notices == (
        "config key 7 is unknown to diff-contains and was ignored",
    )
    assert question("diff-contains", {"pattern": "a", huge: "x"}).notices == (
        "config key a very large number is unknown to diff-contains and was ignored",
    )
    assert faults("diff-contains", {"pattern": huge}) == ("pattern must be a string, not a very large number",)
    assert faults("diff-contains", {"pattern": -huge}) == ("pattern must be a string, not a very large number",)
    assert faults("diff-empty", {}, huge) == ("turn must be a whole number from 0, not a very large number",)


# --- negation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "negate", "wants_match"),
    [
        ("diff-contains", UNSET, True),
        ("diff-contains", None, True),
        ("diff-contains", False, True),
        ("diff-contains", True, False),
        ("diff-not-contains", UNSET, False),
        ("diff-not-contains", None, False),
        ("diff-not-contains", False, True),
        ("diff-not-contains", True, False),
    ],
)
def test_a_given_negate_wins_over_the_type_and_never_doubles_it(type_: str, negate: object, wants_match: bool) -> None:
    config = {"pattern": "a"} if negate is UNSET else {"pattern": "a", "negate": negate}
    assert question(type_, config).wants_match is wants_match


@pytest.mark.parametrize(
    ("wants_match", "answer", "state"),
    [
        (True, FOUND, State.PASS),
        (True, NOT_FOUND, State.FAIL),
        (False, FOUND, State.FAIL),
        (False, NOT_FOUND, State.PASS),
    ],
)
def test_the_sentence_states_the_fact_whatever_is_wanted(wants_match: bool, answer: Answer, state: State) -> None:
    asked = Question(Subject.DIFF, None, regex("a"), wants_match)
    verdict = about_match(asked, regex("a"), answer)
    found = "found" if answer is FOUND else "not found"
    passed = state is State.PASS
    assert verdict == Verdict(
        state, passed, int(passed), f"Pattern /a/ {found} in workspace diff", answer.count, answer.spans
    )


# --- turns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "expected"),
    [(UNSET, None), (None, None), (0, 0), (2, 2), (1.0, 1), (-0.0, 0), (1e3, 1000)],
)
def test_a_turn_is_a_number_with_an_integer_value_from_0(turn: object, expected: int | None) -> None:
    assert turn_of(turn) == expected
    assert question("diff-contains", {"pattern": "a"}, turn).turn == expected


@pytest.mark.parametrize(
    ("turn", "shown"),
    [
        (-1, "-1"),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        ("1", '"1"'),
        ([0], "a list"),
        ({}, "a mapping"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_anything_else_is_no_turn_and_makes_the_config_invalid(turn: object, shown: str) -> None:
    sentence = f"turn must be a whole number from 0, not {shown}"
    assert turn_of(turn) == sentence
    for type_, config in (
        ("diff-contains", {"pattern": "a"}),
        ("diff-not-contains", {"value": "a"}),
        ("diff-empty", {}),
    ):
        assert faults(type_, config, turn) == (sentence,)


# --- sentences ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "answer", "sentence"),
    [
        (question("diff-contains", {"pattern": "def divide"}), FOUND, "Pattern /def divide/ found in workspace diff"),
        (
            question("diff-contains", {"pattern": "def divide"}),
            NOT_FOUND,
            "Pattern /def divide/ not found in workspace diff",
        ),
        # The prefix stands in the sentence as it is written.
        (question("diff-contains", {"pattern": "(?mi)^x/"}), FOUND, "Pattern /(?mi)^x// found in workspace diff"),
        (question("diff-contains", {"value": 'a "b"'}), FOUND, 'Value "a "b"" found in workspace diff'),
        (question("diff-not-contains", {"value": "b"}), NOT_FOUND, 'Value "b" not found in workspace diff'),
        (question("diff-contains", {"pattern": "a"}, 1), FOUND, "Pattern /a/ found in the diff of turn 1"),
        (question("diff-contains", {"value": "a"}, 0), NOT_FOUND, 'Value "a" not found in the diff of turn 0'),
    ],
)
def test_the_sentence_of_a_search(asked: Question, answer: Answer, sentence: str) -> None:
    assert asked.pattern is not None
    assert about_match(asked, asked.pattern, answer).evidence == sentence


@pytest.mark.parametrize(
    ("turn", "length", "state", "sentence"),
    [
        (None, 0, State.PASS, "Workspace diff is empty"),
        (None, 1, State.FAIL, "Workspace diff is not empty — the stimulus changed the workspace"),
        (2, 0, State.PASS, "The diff of turn 2 is empty"),
        (2, 9, State.FAIL, "The diff of turn 2 is not empty — the stimulus changed the workspace"),
    ],
)
def test_diff_empty_asks_for_length_0(turn: int | None, length: int, state: State, sentence: str) -> None:
    passed = state is State.PASS
    assert about_emptiness(question("diff-empty", {}, turn), length) == Verdict(state, passed, int(passed), sentence, 0)


@pytest.mark.parametrize(
    ("written", "message", "sentence"),
    [
        (
            "[bad",
            "Invalid regular expression: /[bad/: Unterminated character class",
            "Invalid regex pattern: [bad. Error: Unterminated character class",
        ),
        (
            "(?mi)[bad",
            "Invalid regular expression: /[bad/im: Unterminated character class",
            "Invalid regex pattern: (?mi)[bad. Error: Unterminated character class",
        ),
        (
            "(?ii)a",
            "Invalid flags supplied to RegExp constructor 'ii'",
            "Invalid regex pattern: (?ii)a. Error: Invalid flags supplied to RegExp constructor 'ii'",
        ),
    ],
)
def test_a_pattern_that_v8_refuses_fails_with_its_message(written: str, message: str, sentence: str) -> None:
    for type_ in ("diff-contains", "diff-not-contains"):
        asked = question(type_, {"pattern": written})
        verdict = about_match(asked, regex(written), Answer(Outcome.INVALID, message))
        assert verdict == Verdict(State.INVALID, False, 0, sentence, 0)


def test_faults_are_one_verdict_that_names_them_all() -> None:
    verdict = invalid(Faults(("pattern must not be empty", "turn must be a whole number from 0, not -1"), ("n",)))
    assert verdict == Verdict(
        State.INVALID,
        False,
        0,
        "Invalid grader config: pattern must not be empty; turn must be a whole number from 0, not -1",
        0,
        notices=("n",),
    )


def test_without_evidence_a_grader_fails_and_says_why_even_a_negated_one() -> None:
    why = Absent(Absence.SIDECAR_GONE, "The sidecar a.diff is gone")
    for type_ in ("diff-contains", "diff-not-contains"):
        verdict = lacking(question(type_, {"pattern": "a"}), why)
        assert verdict == Verdict(State.NO_EVIDENCE, False, 0, "The sidecar a.diff is gone", 0)


@pytest.mark.parametrize("wants_match", [True, False])
def test_a_search_that_was_stopped_is_never_a_pass(wants_match: bool) -> None:
    asked = Question(Subject.DIFF, None, regex("(a+)+$"), wants_match)
    slow = about_match(asked, regex("(a+)+$"), Answer(Outcome.TIMEOUT, "took longer than 1 s and was stopped"))
    assert slow == Verdict(State.TIMEOUT, False, 0, "(a+)+$ took longer than 1 s and was stopped", None)
    broken = about_match(asked, regex("(a+)+$"), Answer(Outcome.ERROR, "RangeError: Maximum call stack size exceeded"))
    assert broken == Verdict(
        State.ERROR, False, 0, "V8 gave up on this text: RangeError: Maximum call stack size exceeded", None
    )


def test_a_search_that_is_not_finished_is_neither_pass_nor_fail() -> None:
    asked = question("diff-contains", {"pattern": "a"})
    assert about_match(asked, regex("a"), Answer(Outcome.PENDING)) == Verdict(State.PENDING, None, None, None, None)


def test_counting_that_ran_over_leaves_the_count_unknown_and_the_verdict_known() -> None:
    asked = question("diff-contains", {"pattern": "a"})
    verdict = about_match(asked, regex("a"), Answer(Outcome.FOUND, count=None, spans=Spans.of((0, 1))))
    assert (verdict.state, verdict.match_count, list(verdict.spans)) == (State.PASS, None, [(0, 1)])


def test_nothing_found_is_0_matches_also_where_nobody_counted() -> None:
    asked = question("diff-contains", {"pattern": "a"})
    assert about_match(asked, regex("a"), Answer(Outcome.NOT_FOUND)).match_count == 0


def test_notices_of_the_config_stay_with_every_verdict() -> None:
    asked = question("diff-contains", {"pattern": "a", "flags": "i"})
    told = ('config key "flags" is unknown to diff-contains and was ignored',)
    unfinished = (Outcome.INVALID, Outcome.TIMEOUT, Outcome.ERROR, Outcome.PENDING)
    for answer in (FOUND, NOT_FOUND, *(Answer(outcome, "m") for outcome in unfinished)):
        assert about_match(asked, regex("a"), answer).notices == told
    assert lacking(asked, Absent(Absence.UNREADABLE, "x")).notices == told
    assert about_emptiness(question("diff-empty", {"x": 1}), 0).notices == (
        'config key "x" is unknown to diff-empty and was ignored',
    )
