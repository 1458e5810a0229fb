"""Edits change exactly the bytes of what is edited; the text is read again, and what would change more is refused."""

import pytest
from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import UNSET
from vally_tui.spec.apply import apply, others_changed
from vally_tui.spec.document import SpecDocument, parse_spec
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RemoveKey,
    RenameKey,
    ReplaceGrader,
    SetKey,
    Sharing,
    SpecEdit,
    as_mapping,
)
from vally_tui.spec.model import GraderAddress

PATTERN = ("config", "pattern")


def document(graders: str) -> SpecDocument:
    return parse_spec(f"name: n\nstimuli:\n- name: s\n{graders}", None)


def address(document: SpecDocument, index: int = 0, stimulus: int = 0) -> GraderAddress:
    return document.spec.stimuli[stimulus].graders[index].address


def edited(graders: str, *edits: SpecEdit) -> str:
    """The graders' text after edits; what stands before it is unchanged."""
    before = document(graders)
    text = apply(before, edits).text
    start = before.text[: len(before.text) - len(graders)]
    assert text.startswith(start)
    return text[len(start) :]


def with_pattern(graders: str, value: object, old: object) -> str:
    return edited(graders, SetKey(address(document(graders)), PATTERN, value, old))


def one_flow(pattern: str) -> str:
    return f"  graders: [{{type: diff-contains, config: {{pattern: {pattern}}}}}]  # tail\n"


def one(pattern: str) -> str:
    return f"  graders:\n  - type: diff-contains  # kept\n    config:\n      pattern: {pattern}\n      negate: true\n"


@pytest.mark.parametrize(
    ("written", "old", "new", "expected"),
    [
        ("'a\\b'", "a\\b", "don't", "'don''t'"),
        ("'a'  # why", "a", "b", "'b'  # why"),
        ('"a\\\\b"', "a\\b", 'c\\"d', '"c\\\\\\"d"'),
        ("plain", "plain", "other word", "other word"),
        ("plain", "plain", "a: b", "'a: b'"),
        ("plain", "plain", "a #b", "'a #b'"),
        ("plain", "plain", "*x", "'*x'"),
        ("plain", "plain", "12", "'12'"),
        ("plain", "plain", "true", "'true'"),
        ("plain", "plain", "no", "no"),
        ("plain", "plain", "", "''"),
        ("plain", "plain", " x", "' x'"),
        ("'a'", "a", "b\nc", '"b\\nc"'),
        ("'a'", "a", "\x85\u2028\u2029\ufeff\x00\x7f", '"\\x85\\u2028\\u2029\\ufeff\\0\\x7f"'),
        ("'a'", "a", "\ud800x", '"\\ud800x"'),
        ("'a'", "a", "é😀", "'é😀'"),
        ("a\n        b", "a b", "c", "c"),
        ('"a\n        b"', "a b", "c d", '"c d"'),
        ("42", 42, "42", "'42'"),
        ("!!str 42", "42", "43", "!!str '43'"),
        ("", None, "x", "x"),
        ("~", None, "x", "x"),
    ],
)
def test_a_scalar_keeps_its_quotes_where_they_can_carry_the_value(
    written: str, old: object, new: object, expected: str
) -> None:
    assert with_pattern(one(written).replace(": \n", ":\n"), new, old) == one(expected)


@pytest.mark.parametrize(
    ("written", "new", "expected"),
    [
        ("a", "b", "b"),
        ("a", "b, c", "'b, c'"),
        ("a", "b]", "'b]'"),
        ("a", "-", "'-'"),
        ("a", "colou?r", "colou?r"),
        ("'a'", "it's", "'it''s'"),
    ],
)
def test_a_plain_scalar_inside_brackets_is_quoted_where_it_would_end_early(
    written: str, new: str, expected: str
) -> None:
    assert with_pattern(one_flow(written), new, "a") == one_flow(expected)


@pytest.mark.parametrize(
    ("written", "old", "new", "expected"),
    [
        ("|\n        a\n        b", "a\nb\n", "a\nc\n", "|\n        a\n        c"),
        ("|-  # why\n        a", "a", "b\n\nc", "|-  # why\n        b\n\n        c"),
        ("|\n        a", "a\n", "a", "|-\n        a"),
        ("|+\n        a\n\n", "a\n\n\n", "b\n\n", "|+\n        b\n"),
        (">-\n        a\n        b", "a b", "one long line", ">-\n        one long line"),
        (">\n        a", "a\n", "a\nb\n", ">\n        a\n\n        b"),
        ("|-\n        a", "a", " b", "' b'"),
        ("|-\n        a", "a", "\x00", '"\\0"'),
        ("|2\n         a", " a\n", "  b\n", "|2\n          b"),
    ],
)
def test_a_block_scalar_stays_one_where_it_can_carry_the_value(written: str, old: str, new: str, expected: str) -> None:
    assert with_pattern(one(written), new, old) == one(expected)


def test_crlf_and_a_bom_and_a_missing_last_newline_stay() -> None:
    text = "\ufeffname: n\r\nstimuli:\r\n- name: s\r\n  graders:\r\n  - type: diff-contains\r\n    config: {pattern: a}"
    before = parse_spec(text, None)
    changed = apply(before, [SetKey(address(before), PATTERN, "b", "a"), SetKey(address(before), ("turn",), 1)])
    assert changed.text == text.replace("{pattern: a}", "{pattern: b}\r\n    turn: 1")
    assert changed.document.spec.stimuli[0].configs[0].turn == 1


def test_a_key_is_added_behind_the_last_one() -> None:
    graders = "  graders:\n  - type: diff-empty  # c\n  # end\n"
    grader = address(document(graders))
    assert edited(graders, SetKey(grader, ("turn",), 1)) == (
        "  graders:\n  - type: diff-empty  # c\n    turn: 1\n  # end\n"
    )
    assert edited(graders, SetKey(grader, PATTERN, "a\\b")) == (
        "  graders:\n  - type: diff-empty  # c\n    config:\n      pattern: 'a\\b'\n  # end\n"
    )


def test_a_key_is_added_inside_braces_and_to_an_empty_config() -> None:
    flow = "  graders:\n  - {type: diff-contains, config: {pattern: a}}\n  - {type: diff-contains, config: {}}\n"
    before = document(flow)
    negate = SetKey(address(before, 0), ("config", "negate"), True)
    pattern = SetKey(address(before, 1), PATTERN, "x")
    assert edited(flow, negate, pattern) == (
        "  graders:\n  - {type: diff-contains, config: {pattern: a, negate: true}}\n"
        "  - {type: diff-contains, config: {pattern: 'x'}}\n"
    )
    empty = "  graders:\n  - type: diff-contains\n    config:\n    turn: 0\n"
    assert edited(empty, SetKey(address(document(empty)), PATTERN, "x")) == (
        "  graders:\n  - type: diff-contains\n    config:\n      pattern: 'x'\n    turn: 0\n"
    )


def test_a_key_is_renamed_in_its_place() -> None:
    graders = "  graders:\n  - type: diff-contains\n    config:\n      'pattern': a.b  # c\n      negate: false\n"
    rename = RenameKey(address(document(graders)), PATTERN, "value", "a.b")
    assert edited(graders, rename) == graders.replace("'pattern'", "'value'")
    with pytest.raises(SpecEditRefused, match="already"):
        edited(graders, replace(rename, to="negate"))


def test_a_key_is_removed_with_its_line() -> None:
    graders = "  graders:\n  - turn: 1\n    type: diff-contains\n    config: {a: 1, b: 2}\n    # end\n"
    grader = address(document(graders))
    assert edited(graders, RemoveKey(grader, ("turn",), 1)) == graders.replace("turn: 1\n    ", "")
    assert edited(graders, RemoveKey(grader, ("config",), {"a": 1, "b": 2})) == graders.replace(
        "    config: {a: 1, b: 2}\n", ""
    )
    assert edited(graders, RemoveKey(grader, ("config", "a"), 1)) == graders.replace("a: 1, ", "")
    assert edited(graders, RemoveKey(grader, ("config", "b"), 2)) == graders.replace(", b: 2", "")
    only = "  graders:\n  - type: diff-contains\n    config:\n      pattern: a\n"
    assert edited(only, RemoveKey(address(document(only)), PATTERN, "a")) == only.replace("\n      pattern: a", " {}")


def test_a_comment_below_the_removed_first_key_stays() -> None:
    graders = "  graders:\n  - turn: 1\n    # why\n    type: diff-empty\n"
    assert edited(graders, RemoveKey(address(document(graders)), ("turn",), 1)) == (
        "  graders:\n  -\n    # why\n    type: diff-empty\n"
    )


NEW = {"type": "diff-not-contains", "name": "no-secrets", "config": {"value": "a'b"}, "turn": 1}
NEW_LINES = "- type: diff-not-contains\n    name: no-secrets\n    config:\n      value: 'a''b'\n    turn: 1\n"


def test_a_grader_is_added_at_its_place() -> None:
    graders = "  graders:\n  # first\n  - type: a\n\n  # second\n  - type: b\n"
    assert edited(graders, AddGrader("s", 0, 0, NEW)) == graders.replace("- type: a", NEW_LINES + "  - type: a")
    assert edited(graders, AddGrader("s", 0, 1, NEW)) == graders.replace("- type: a\n", f"- type: a\n  {NEW_LINES}")
    assert edited(graders, AddGrader("s", 0, 9, NEW)) == f"{graders}  {NEW_LINES}"


@pytest.mark.parametrize("none", ["  graders: []\n", "  graders:\n", "  graders: null\n", ""])
def test_the_first_grader_of_a_stimulus_is_added(none: str) -> None:
    lines = "".join(f"    {line}\n" for line in ("- type: diff-empty",))
    assert edited(none, AddGrader("s", 0, 0, {"type": "diff-empty"})) == f"  graders:\n{lines}"


def test_graders_are_removed_and_the_last_one_leaves_an_empty_list() -> None:
    graders = "  graders:\n  - type: a\n  # second\n  - type: b  # with it\n    turn: 1\n  - {type: c}\n"
    before = document(graders)
    gone = [RemoveGrader(grader.address, as_mapping(grader.config)) for grader in before.spec.stimuli[0].graders]
    assert edited(graders, gone[1]) == "  graders:\n  - type: a\n  # second\n  - {type: c}\n"
    assert edited(graders, gone[0], gone[2]) == "  graders:\n  # second\n  - type: b  # with it\n    turn: 1\n"
    assert edited(graders, *gone[:2]) == "  graders:\n  # second\n  - {type: c}\n"
    assert document(edited(graders, *gone)).spec.stimuli[0].graders == ()


def test_addresses_are_those_of_the_document_although_graders_come_and_go() -> None:
    graders = "  graders:\n  - {type: a}\n  - {type: b}\n  - {type: c, config: {pattern: x}}\n"
    before = document(graders)
    edits = [
        RemoveGrader(address(before, 0), {"type": "a"}),
        AddGrader("s", 0, 2, {"type": "d"}),
        SetKey(address(before, 2), PATTERN, "y", "x"),
        AddGrader("s", 0, 3, {"type": "e"}),
    ]
    assert edited(graders, *edits) == (
        "  graders:\n  - {type: b}\n  - type: d\n  - {type: c, config: {pattern: y}}\n  - type: e\n"
    )


def test_a_whole_grader_is_replaced_by_text_with_its_comments() -> None:
    graders = "  graders:\n    - type: a\n      config: {x: 1}  # old\n    # between\n    - type: b\n"
    text = "type: diff-contains  # new\nconfig:\n  pattern: |-\n    two\n\n    lines\n"
    assert edited(graders, ReplaceGrader(address(document(graders)), text, {"type": "a", "config": {"x": 1}})) == (
        "  graders:\n    - type: diff-contains  # new\n      config:\n        pattern: |-\n          two\n\n"
        "          lines\n    # between\n    - type: b\n"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- a\n", "must be a mapping"),
        ("type: [\n", "line 2"),
        ('type: "\\S"\n', "line 1, column 8"),
        ("type: x\n- type: y\n", "line 2"),
        ("type: *nothing\n", "no anchor"),
    ],
)
def test_text_that_is_no_grader_is_refused_with_its_place(text: str, reason: str) -> None:
    graders = "  graders:\n  - type: a\n"
    with pytest.raises(SpecEditRefused, match=reason):
        edited(graders, ReplaceGrader(address(document(graders)), text, {"type": "a"}))


def test_an_edit_of_what_has_changed_or_gone_is_refused() -> None:
    graders = "  graders:\n  - type: a\n    config: {pattern: x}\n"
    grader = address(document(graders))
    for edit in [
        SetKey(grader, PATTERN, "z", "y"),
        SetKey(grader, ("config", "value"), "z", "y"),
        SetKey(grader, ("type", "deeper"), "z"),
        RemoveKey(grader, ("turn",), 1),
        RenameKey(grader, ("turn",), "tour", 1),
        RemoveGrader(grader, {"type": "b"}),
        ReplaceGrader(replace(grader, index=1), "type: a", {"type": "a"}),
        AddGrader("s", 5, 0, {"type": "a"}),
    ]:
        with pytest.raises(SpecEditRefused):
            edited(graders, edit)


def test_a_value_that_yaml_would_not_give_back_is_refused() -> None:
    graders = "  graders:\n  - type: a\n    config: {pattern: x}\n"
    with pytest.raises(SpecEditRefused, match="nothing was changed"):
        with_pattern(graders, {1: "a key that is no text"}, "x")


def test_a_refused_edit_undoes_none_of_the_document_it_was_given() -> None:
    before = document("  graders:\n  - type: a\n")
    text = before.text
    with pytest.raises(SpecEditRefused):
        apply(before, [SetKey(address(before), ("turn",), 1), SetKey(address(before), ("turn",), 2, 5)])
    assert before.text == text
    assert before.spec.stimuli[0].configs[0].turn is UNSET


def test_a_grader_is_known_as_its_config_whatever_else_the_spec_says_of_it() -> None:
    graders = "  graders:\n  - name: n\n    weight: 2\n    config: {b: 1, a: 2}\n    type: x\n  - type: y\n"
    before = document(graders)
    config = before.spec.stimuli[0].graders[0].config
    old = {**as_mapping(config), "config": {"a": 2, "b": 1}}
    assert edited(graders, RemoveGrader(address(before), old)) == "  graders:\n  - type: y\n"
    assert edited(graders, SetKey(address(before), ("config",), 1, {"a": 2, "b": 1})) == graders.replace(
        "{b: 1, a: 2}", "1"
    )


def test_a_grader_that_shares_with_itself_is_never_changed_twice_silently() -> None:
    graders = "  graders:\n  - type: x\n    config: {value: &v a, other: *v}\n"
    before = document(graders)
    edit = SetKey(address(before), ("config", "value"), "b", "a")
    assert [sharer.label for sharer in others_changed(before, edit)] == ["another part of grader 1 of s"]
    with pytest.raises(SpecEditRefused, match="another part"):
        edited(graders, edit)
    assert edited(graders, replace(edit, sharing=Sharing.THIS_ONLY)) == graders.replace(
        "&v a, other: *v", "b, other: &v a"
    )


def test_a_value_shared_by_very_many_is_not_changed_silently() -> None:
    lines = "".join("  - {type: x, config: *c}\n" for _ in range(3000))
    graders = f"  graders:\n  - {{type: x, config: &c {{pattern: a}}}}\n{lines}"
    with pytest.raises(SpecEditRefused, match=r"grader 2 of s.*, … would change, too"):
        with_pattern(graders, "b", "a")


SHARED = """\
name: n
pool:
- &secret {pattern: 'se.ret', negate: true}
stimuli:
- name: a
  graders: &all
  - type: diff-contains
    config: *secret
  - &one
    type: diff-contains  # c
    config:
      pattern: x
- name: b
  graders: *all
- name: c
  graders:
  - *one
  - {type: diff-contains, config: *secret}
"""


def test_a_shared_value_is_never_changed_without_a_choice() -> None:
    before = parse_spec(SHARED, None)
    edit = SetKey(address(before, 0, stimulus=2), PATTERN, "y", "x")
    assert [sharer.label for sharer in others_changed(before, edit)] == ["grader 2 of a", "grader 2 of b"]
    with pytest.raises(SpecEditRefused, match="grader 2 of a, grader 2 of b would change, too"):
        apply(before, [edit])


def test_all_that_share_a_value_change_with_it_when_chosen() -> None:
    before = parse_spec(SHARED, None)
    edit = SetKey(address(before, 0, stimulus=2), PATTERN, "y", "x", Sharing.ALL)
    assert apply(before, [edit]).text == SHARED.replace("pattern: x", "pattern: y")


def test_an_alias_becomes_a_copy_when_only_one_grader_is_chosen() -> None:
    before = parse_spec(SHARED, None)
    edit = SetKey(address(before, 0, stimulus=2), PATTERN, "y", "x", Sharing.THIS_ONLY)
    assert apply(before, [edit]).text == SHARED.replace(
        "  - *one\n", "  - type: diff-contains\n    config:\n      pattern: y\n"
    )
    other = SetKey(address(before, 1, stimulus=2), PATTERN, "y", "se.ret", Sharing.THIS_ONLY)
    assert apply(before, [other]).text == SHARED.replace(
        "{type: diff-contains, config: *secret}", "{type: diff-contains, config: {pattern: 'y', negate: true}}"
    )


def test_an_anchor_moves_to_the_first_alias_when_the_grader_that_has_it_changes_alone() -> None:
    text = """\
name: n
stimuli:
- name: a
  graders:
  - type: diff-contains
    config: &c  # first
      pattern: x
- name: b
  graders:
  - type: diff-contains
    config: *c
  - {type: diff-contains, config: *c}
"""
    before = parse_spec(text, None)
    after = apply(before, [SetKey(address(before), PATTERN, "y", "x", Sharing.THIS_ONLY)])
    assert after.text == text.replace(
        "config: &c  # first\n      pattern: x", "config:  # first\n      pattern: y"
    ).replace("config: *c\n  -", "config: &c\n      pattern: x\n  -")


def test_a_grader_that_goes_leaves_its_anchor_to_those_that_use_it() -> None:
    text = "stimuli:\n- name: a\n  graders:\n  - &g {type: x, turn: 1}\n  - type: y\n- name: b\n  graders: [*g, *g]\n"
    before = parse_spec(text, None)
    after = apply(before, [RemoveGrader(address(before), {"type": "x", "turn": 1})])
    assert after.text == (
        "stimuli:\n- name: a\n  graders:\n  - type: y\n- name: b\n  graders: [&g {type: x, turn: 1}, *g]\n"
    )


def test_a_list_shared_by_stimuli_grows_for_all_or_for_one() -> None:
    before = parse_spec(SHARED, None)
    add = AddGrader("b", 1, 2, {"type": "diff-empty"})
    assert [sharer.label for sharer in others_changed(before, add)] == ["stimuli.0.graders"]
    for_all = apply(before, [replace(add, sharing=Sharing.ALL)]).document.spec
    assert [len(stimulus.graders) for stimulus in for_all.stimuli] == [3, 3, 2]
    for_one = apply(before, [replace(add, sharing=Sharing.THIS_ONLY)]).document.spec
    assert [len(stimulus.graders) for stimulus in for_one.stimuli] == [2, 3, 2]
    assert for_one.stimuli[0].configs == before.spec.stimuli[0].configs
