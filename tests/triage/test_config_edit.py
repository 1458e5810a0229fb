"""The field, its flags and toggles, as configs."""

import pytest

from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.triage import config_edit as edit


def contains(**config: object) -> GraderConfig:
    return GraderConfig("diff-contains", config=config)


def test_field_shows_the_pattern_with_its_prefix() -> None:
    assert edit.field_text(contains(pattern="(?i)todo")) == "(?i)todo"


def test_field_of_a_value_edits_the_value() -> None:
    changed = edit.with_field_text(contains(value="a", negate=True), "b")
    assert changed.config == {"value": "b", "negate": True}


def test_field_of_a_grader_without_config_makes_a_pattern() -> None:
    assert edit.with_field_text(GraderConfig("diff-contains"), "x").config == {"pattern": "x"}


def test_a_diff_empty_has_no_field() -> None:
    grader = GraderConfig("diff-empty")
    assert edit.text_key(grader) is None
    assert edit.with_field_text(grader, "x") == grader


@pytest.mark.parametrize(
    ("text", "flag", "on", "expected"),
    [
        ("a", "i", True, "(?i)a"),
        ("(?i)a", "m", True, "(?im)a"),
        ("(?sm)a", "i", True, "(?ims)a"),
        ("(?im)a", "i", False, "(?m)a"),
        ("(?i)a", "i", False, "a"),
        ("(?i)a", "s", False, "(?i)a"),
        ("(?:a)", "m", True, "(?m)(?:a)"),
    ],
)
def test_a_toggle_writes_the_prefix(text: str, flag: str, on: bool, expected: str) -> None:
    assert edit.with_flag(text, flag, on) == expected


@pytest.mark.parametrize(("text", "flags"), [("(?im)a", {"i", "m"}), ("(?x)a", set()), ("a(?i)", set())])
def test_typing_a_prefix_sets_the_toggles(text: str, flags: set[str]) -> None:
    assert edit.flags_of(text) == flags


def test_pattern_and_value_swap_in_place() -> None:
    swapped = edit.with_other_key(contains(pattern="a", negate=True))
    assert list(swapped.config) == ["value", "negate"]  # type: ignore[call-overload]
    assert edit.with_other_key(swapped) == contains(pattern="a", negate=True)


@pytest.mark.parametrize(
    ("type_", "negated", "expected"),
    [
        ("diff-contains", True, {"pattern": "a", "negate": True}),
        ("diff-contains", False, {"pattern": "a"}),
        ("diff-not-contains", True, {"pattern": "a"}),
        ("diff-not-contains", False, {"pattern": "a", "negate": False}),
    ],
)
def test_negation_is_written_only_where_the_type_does_not_say_it(
    type_: str, negated: bool, expected: dict[str, object]
) -> None:
    grader = GraderConfig(type_, config={"pattern": "a"})
    changed = edit.with_negation(grader, negated)
    assert changed.config == expected
    assert edit.is_negated(changed) is negated


def test_a_turn_is_set_and_taken_away() -> None:
    assert edit.with_turn(contains(pattern="a"), 1).turn == 1
    assert edit.with_turn(edit.with_turn(contains(pattern="a"), 1), None).turn is UNSET


def test_types_go_round() -> None:
    assert [edit.next_type(GraderConfig(name)) for name in ("diff-contains", "diff-not-contains", "diff-empty")] == [
        "diff-not-contains",
        "diff-empty",
        "diff-contains",
    ]
    assert edit.next_type(GraderConfig("prompt")) is None


def says(type_: str, **config: object) -> GraderConfig:
    return GraderConfig(type_, config=config)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (says("output-matches", pattern="a", negate=True), says("output-contains", substring="a", negate=True)),
        (says("output-not-contains", substring="a"), says("output-not-matches", pattern="a")),
        (
            says("transcript-contains", value="a", case_sensitive=True),
            says("transcript-matches", pattern="a"),
        ),
    ],
)
def test_pattern_and_plain_text_of_output_graders_swap_with_the_type(before: GraderConfig, after: GraderConfig) -> None:
    assert edit.with_other_key(before) == after


def test_a_grader_of_another_kind_has_no_other_way_to_be_written() -> None:
    judge = says("prompt", value="good?")
    assert edit.with_other_key(judge) == judge


@pytest.mark.parametrize(
    ("type_", "key"),
    [("output-contains", "substring"), ("transcript-not-contains", "substring"), ("output-not-matches", "pattern")],
)
def test_field_of_an_output_grader_without_config_makes_what_its_type_takes(type_: str, key: str) -> None:
    assert edit.with_field_text(GraderConfig(type_), "x").config == {key: "x"}


def test_any_case_goes_without_saying_for_a_plain_text() -> None:
    config = says("output-contains", substring="a", case_sensitive=True)
    assert not edit.is_any_case(config)
    assert edit.with_any_case(config, True).config == {"substring": "a"}
    assert edit.with_any_case(edit.with_any_case(config, True), False) == config


@pytest.mark.parametrize(
    ("type_", "negated", "expected"),
    [
        ("output-not-matches", True, {}),
        ("output-not-matches", False, {"negate": False}),
        ("output-matches", True, {"negate": True}),
    ],
)
def test_negation_of_an_output_grader_is_written_only_where_the_type_does_not_say_it(
    type_: str, negated: bool, expected: dict[str, object]
) -> None:
    assert edit.with_negation(GraderConfig(type_, config={"negate": True}), negated).config == expected
    assert edit.is_negated(edit.with_negation(GraderConfig(type_, config={}), negated)) is negated


def test_types_go_round_among_those_that_look_at_the_same_text() -> None:
    types, config = [], says("transcript-contains", substring="a")
    for _ in range(4):
        following = edit.next_type(config)
        assert following is not None
        config = edit.with_type(config, following)
        types.append((config.type, config.config))
    assert types == [
        ("transcript-not-contains", {"substring": "a"}),
        ("transcript-matches", {"pattern": "a"}),
        ("transcript-not-matches", {"pattern": "a"}),
        ("transcript-contains", {"substring": "a"}),
    ]
