"""Edits are put on top of a spec that has changed, where their graders are found again; else the conflict is told."""

from vally_tui.spec.apply import apply
from vally_tui.spec.document import SpecDocument, parse_spec
from vally_tui.spec.edit import AddGrader, RemoveGrader, RemoveKey, RenameKey, ReplaceGrader, SetKey, SpecEdit
from vally_tui.spec.model import GraderAddress
from vally_tui.spec.rebase import Fit, rebase

PATTERN = ("config", "pattern")
OLD = """\
name: n
stimuli:
- name: one
  graders:
  - {type: diff-contains, config: {pattern: a}}
  - {type: diff-contains, config: {pattern: b}}
  - {type: diff-empty, name: clean}
- name: two
  graders: []
"""


def at(index: int) -> GraderAddress:
    return parse_spec(OLD, None).spec.stimuli[0].graders[index].address


def on(text: str, *edits: SpecEdit) -> tuple[list[Fit], str]:
    found = rebase(edits, parse_spec(text, None))
    document = apply(parse_spec(text, None), found.clean).document
    assert document.text == found.document.text
    return [one.fit for one in found.edits], found.document.text


def reasons(text: str, *edits: SpecEdit) -> list[str | None]:
    return [one.reason for one in rebase(edits, parse_spec(text, None)).conflicts]


def test_edits_follow_their_graders_to_other_places() -> None:
    moved = OLD.replace("- name: one\n  graders:\n", "- name: new\n- name: one\n  graders:\n  - {type: diff-empty}\n")
    fits, text = on(
        moved,
        SetKey(at(1), PATTERN, "c", "b"),
        SetKey(at(2), ("turn",), 1),
        AddGrader("two", 1, 0, {"type": "diff-empty"}),
    )
    assert fits == [Fit.CLEAN] * 3
    assert text == moved.replace("pattern: b", "pattern: c").replace("name: clean", "name: clean, turn: 1").replace(
        "graders: []", "graders:\n    - type: diff-empty"
    )


def test_a_grader_is_known_by_its_old_value_when_its_ordinal_has_changed() -> None:
    text = OLD.replace("  - {type: diff-contains, config: {pattern: a}}\n", "")
    assert on(text, SetKey(at(1), PATTERN, "c", "b")) == ([Fit.CLEAN], text.replace("pattern: b", "pattern: c"))


def test_a_value_changed_on_disk_is_a_conflict_and_nothing_is_changed() -> None:
    text = OLD.replace("pattern: a", "pattern: other")
    edit = SetKey(at(0), PATTERN, "mine", "a")
    assert on(text, edit) == ([Fit.CONFLICT], text)
    assert reasons(text, edit) == ["`config.pattern` is 'other' there now"]
    assert reasons(OLD.replace("{pattern: a}", "{value: a}"), edit) == ["`config.pattern` is gone there now"]


def test_what_the_disk_says_already_is_done() -> None:
    text = OLD.replace("pattern: a", "pattern: mine").replace(", name: clean", "")
    fits, after = on(
        text,
        SetKey(at(0), PATTERN, "mine", "a"),
        RemoveKey(at(0), ("config", "negate"), True),
        RemoveGrader(at(2), {"type": "diff-empty", "name": "clean"}),
    )
    assert (fits, after) == ([Fit.DONE] * 3, text)


def test_several_edits_of_one_grader_find_it_once() -> None:
    rename = RenameKey(at(1), PATTERN, "value", "b")
    fits, text = on(
        OLD.replace("- {type: diff-contains, config: {pattern: a}}\n", "- {type: diff-empty}\n"),
        rename,
        SetKey(at(1), ("config", "value"), "c", "b"),
    )
    assert fits == [Fit.CLEAN] * 2
    assert "config: {value: c}" in text


def test_a_stimulus_or_grader_that_is_gone_is_a_conflict() -> None:
    text = "name: n\nstimuli:\n- name: one\n  graders: []\n"
    edits = [SetKey(at(2), ("turn",), 1), AddGrader("two", 1, 0, {"type": "x"}), ReplaceGrader(at(0), "type: x", {})]
    assert on(text, *edits)[0] == [Fit.CONFLICT] * 3
    assert reasons(text, *edits) == [
        "'one' has no such grader (clean) any more",
        "the spec has no stimulus 'two' any more",
        "'one' has no such grader (diff-contains) any more",
    ]


def test_a_removed_grader_that_changed_on_disk_is_kept() -> None:
    text = OLD.replace("{type: diff-empty, name: clean}", "{type: diff-empty, name: clean, turn: 1}")
    assert on(text, RemoveGrader(at(2), {"type": "diff-empty", "name": "clean"})) == ([Fit.CONFLICT], text)


def test_nothing_to_do_leaves_the_document() -> None:
    document: SpecDocument = parse_spec(OLD, None)
    assert rebase([], document).document is document
