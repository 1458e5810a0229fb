"""What the upper edge of a box says where there is little room."""

import pytest

from vally_tui.triage.views_model import Note
from vally_tui.ui.widgets.box_title import fitting_parts

WHY_NOT = (
    Note("grader 1", rank=0),
    Note("raises-value-error", rank=2),
    Note("diff-contains", rank=4),
    Note("fix-divide-by-zero", rank=3),
    Note("trial 2", rank=1),
)


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (76, "grader 1 · raises-value-error · diff-contains · fix-divide-by-zero · trial 2"),
        (70, "grader 1 · raises-value-error · fix-divide-by-zero · trial 2"),
        (50, "grader 1 · raises-value-error · fix-div… · trial 2"),
        (44, "grader 1 · raises-value-error · trial 2"),
        (18, "grader 1 · trial 2"),
        (5, "grad…"),
        (0, ""),
    ],
)
def test_parts_go_by_rank_and_one_that_nearly_fits_is_shortened(room: int, said: str) -> None:
    assert " · ".join(fitting_parts(WHY_NOT, room)) == said


def test_a_path_is_shortened_before_its_file_name() -> None:
    assert fitting_parts((Note("evals/of/the/team/eval.yaml", path=True),), 20) == ["evals/of/…/eval.yaml"]
