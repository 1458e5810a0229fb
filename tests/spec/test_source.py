"""A grader's own text is given from column 0 and can be put back without a difference."""

import pytest

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import UNSET
from vally_tui.spec.apply import apply
from vally_tui.spec.document import grader_path, parse_spec
from vally_tui.spec.edit import ReplaceGrader
from vally_tui.spec.model import GraderAddress
from vally_tui.spec.nodes import chain, plain
from vally_tui.spec.source import grader_source

TEXT = """\
stimuli:
- name: s
  graders:
    - type: diff-contains  # one

      # two
 # far left
      config:
        pattern: >-
          a

          b  c
        value: 'x
          y'  # three
    # four
    - {type: diff-empty, turn: 1}  # five
    - &g
      type: z
    - *g
    - type: a
      config: [1,
      2]
"""


@pytest.mark.parametrize(
    ("index", "source"),
    [
        (
            0,
            "type: diff-contains  # one\n\n# two\n# far left\nconfig:\n  pattern: >-\n    a\n\n    b  c\n"
            "  value: 'x\n    y'  # three\n",
        ),
        (1, "{type: diff-empty, turn: 1}  # five\n"),
        (2, "type: z\n"),
        (3, "type: z\n"),
    ],
)
def test_a_grader_s_text_begins_at_column_0_with_its_comments(index: int, source: str) -> None:
    for text in (TEXT.replace("[1,\n      2]", "1"), TEXT.replace("[1,\n      2]", "1").replace("\n", "\r\n")):
        document = parse_spec(text, None)
        assert grader_source(document, document.spec.stimuli[0].graders[index].address) == source


def test_putting_the_text_back_changes_nothing() -> None:
    text = TEXT.replace(" # far left\n", "").replace("[1,\n      2]", "1")
    document = parse_spec(text, None)
    for grader in document.spec.stimuli[0].graders[:2]:
        nodes = chain(document.root, grader_path(grader.address))
        assert nodes is not None
        edit = ReplaceGrader(grader.address, grader_source(document, grader.address), plain(nodes[-1]))
        assert apply(document, [edit]).text == text


def test_a_grader_that_is_not_there_is_refused() -> None:
    with pytest.raises(SpecEditRefused):
        grader_source(parse_spec("stimuli: []\n", None), GraderAddress("s", 0, 0, None, "x", UNSET, 0))
