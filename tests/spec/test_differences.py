"""What a spec's graders have that the recorded ones have not, and the reverse, told for a person."""

from vally_tui.grading.model import GraderConfig
from vally_tui.spec.differences import Change, differences
from vally_tui.spec.document import parse_spec

SPEC = """\
stimuli:
- name: s
  graders:
  - {type: diff-contains, config: {pattern: a, negate: true}}
  - {type: diff-contains, name: key, config: {pattern: b}, turn: 1}
  - {type: diff-empty}
"""
A = GraderConfig("diff-contains", None, {"negate": True, "pattern": "a"})
KEY = GraderConfig("diff-contains", "key", {"pattern": "b"}, 1.0)
EMPTY = GraderConfig("diff-empty")


def told(*recorded: GraderConfig) -> list[tuple[Change, int | None, int | None, str]]:
    found = differences(parse_spec(SPEC, None).spec.stimuli[0], recorded)
    return [(one.change, one.spec_index, one.recorded_index, one.sentence) for one in found]


def test_the_same_graders_do_not_differ_whatever_the_order_of_keys() -> None:
    assert told(A, KEY, EMPTY) == []


def test_changed_added_and_removed_graders_are_told() -> None:
    renamed = GraderConfig("diff-contains", "key", {"pattern": "old"})
    other = GraderConfig("prompt", "judge")
    assert told(A, renamed, other) == [
        (Change.CHANGED, 1, 1, "grader 2 (key, line 5) differs from the recorded one in config, turn"),
        (Change.ADDED, 2, None, "grader 3 (diff-empty, line 6) was not recorded"),
        (Change.REMOVED, None, 2, "recorded grader 3 (judge) is not in the spec"),
    ]


def test_a_grader_in_another_place_is_told() -> None:
    assert told(KEY, A, EMPTY) == [(Change.MOVED, 1, 0, "grader 2 (key, line 5) was recorded as grader 1")]
