"""A recorded run can become a spec that gives back exactly what was recorded."""

import pytest

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.document import parse_spec
from vally_tui.spec.new_spec import grader_text, new_spec_text

GRADERS = (
    GraderConfig("diff-contains", None, {"pattern": "(?i)don't\\b", "negate": True}),
    GraderConfig("prompt", "judge", {"prompt": "Is it\n  good?\n"}, 1),
    GraderConfig("diff-empty"),
)


def test_a_new_spec_reads_as_a_person_would_have_written_it() -> None:
    stimulus = {"name": "fix", "prompt": "Fix it.\nNow.", "tags": {"p": 0}, "graders": ["recorded"], "environment": {}}
    assert new_spec_text("calc: 1", [(stimulus, GRADERS), ({"name": "no"}, ())]) == (
        """\
name: 'calc: 1'
stimuli:
  - name: fix
    prompt: |-
      Fix it.
      Now.
    tags:
      p: 0
    environment: {}
    graders:
      - type: diff-contains
        config:
          pattern: '(?i)don''t\\b'
          negate: true
      - type: prompt
        name: judge
        config:
          prompt: |
            Is it
              good?
        turn: 1
      - type: diff-empty
  - name: 'no'
    graders: []
""".replace("name: 'no'", "name: no")
    )


def test_odd_values_come_back_exactly() -> None:
    odd = [
        "",
        " ",
        "1",
        "~",
        "- x",
        "a: b",
        "\x85",
        "\ud800",
        "x\n\n",
        "\n",
        "'\"",
        "#",
        0.5,
        -1,
        None,
        True,
        [],
        {},
        [[]],
    ]
    stimulus = {"name": "s", "odd": [*odd, {"1": 2, "": 3, "a b": ["x\ny\n"]}]}
    spec = parse_spec(new_spec_text("e", [(stimulus, GRADERS)]), None).spec
    assert spec.stimuli[0].configs == GRADERS
    assert spec.name == "e"


def test_what_no_spec_can_hold_is_refused() -> None:
    deep: object = 1
    for _ in range(2000):
        deep = [deep]
    for stimulus in ({"name": "s", "deep": deep}, {"name": "s", "big": "x" * 5_000_000}):
        with pytest.raises(SpecEditRefused):
            new_spec_text("e", [(stimulus, ())])


def test_one_grader_is_written_for_an_editor() -> None:
    assert grader_text(GRADERS[0]) == ("type: diff-contains\nconfig:\n  pattern: '(?i)don''t\\b'\n  negate: true\n")
