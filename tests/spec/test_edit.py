"""The smallest edits between two configs of one grader, and what counts as the same value."""

import math

from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.spec.edit import RemoveKey, RenameKey, SetKey, edits_between, same
from vally_tui.spec.model import GraderAddress

ADDRESS = GraderAddress("s", 0, 0, None, "diff-contains", UNSET, 0)
OLD = GraderConfig("diff-contains", None, {"pattern": "a", "negate": False})


def test_equal_configs_need_no_edit() -> None:
    assert edits_between(ADDRESS, OLD, GraderConfig("diff-contains", None, {"pattern": "a", "negate": False})) == ()


def test_each_changed_key_is_one_edit() -> None:
    new = GraderConfig("diff-not-contains", "n", {"pattern": "b"}, 1)
    assert edits_between(ADDRESS, OLD, new) == (
        SetKey(ADDRESS, ("type",), "diff-not-contains", "diff-contains"),
        SetKey(ADDRESS, ("name",), "n", UNSET),
        SetKey(ADDRESS, ("config", "pattern"), "b", "a"),
        RemoveKey(ADDRESS, ("config", "negate"), False),
        SetKey(ADDRESS, ("turn",), 1, UNSET),
    )


def test_a_pattern_that_becomes_a_value_is_renamed() -> None:
    new = GraderConfig("diff-contains", None, {"value": "b", "negate": False})
    assert edits_between(ADDRESS, OLD, new) == (
        RenameKey(ADDRESS, ("config", "pattern"), "value", "a"),
        SetKey(ADDRESS, ("config", "value"), "b", "a"),
    )


def test_a_config_that_comes_or_goes_is_one_edit() -> None:
    bare = GraderConfig("diff-contains")
    assert edits_between(ADDRESS, bare, OLD) == (SetKey(ADDRESS, ("config",), OLD.config, UNSET),)
    assert edits_between(ADDRESS, OLD, bare) == (RemoveKey(ADDRESS, ("config",), OLD.config),)


def test_deep_configs_are_replaced_as_a_whole_below_some_levels() -> None:
    one: object = 1
    other: object = 2
    for _ in range(500):
        one, other = {"k": one}, {"k": other}
    (edit,) = edits_between(ADDRESS, GraderConfig("x", None, one), GraderConfig("x", None, other))
    assert isinstance(edit, SetKey)
    assert len(edit.key) == 9


def test_values_are_the_same_as_javascript_sees_them() -> None:
    assert same({"a": [1, math.nan, "x"]}, {"a": [1.0, math.nan, "x"]})
    assert not same(True, 1)
    assert not same("1", 1)
    assert same("\ud83d\ude00", "\U0001f600")
    assert not same("\ud83d", "\ude00")
    assert not same(None, False)
    assert not same([1], [1, 2])
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1}, ordered=False)
    assert not same({"a": 1}, {"b": 1}, ordered=False)


def test_values_that_share_much_are_compared_quickly() -> None:
    one: object = ["x"]
    other: object = ["x"]
    for _ in range(60):
        one, other = [one, one], [other, other]
    assert same(one, other)


def test_a_pattern_that_becomes_a_substring_of_another_type_is_renamed_in_its_place() -> None:
    old = GraderConfig("output-matches", config={"pattern": "a"})
    new = GraderConfig("output-contains", config={"substring": "a", "case_sensitive": True})
    assert edits_between(ADDRESS, old, new) == (
        SetKey(ADDRESS, ("type",), "output-contains", "output-matches"),
        RenameKey(ADDRESS, ("config", "pattern"), "substring", "a"),
        SetKey(ADDRESS, ("config", "case_sensitive"), True, UNSET),
    )
