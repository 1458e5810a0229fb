"""The rows of an explanation where there is little room."""

from vally_tui.grading.model import GraderConfig, State
from vally_tui.triage.explain.model import Choice, Effect, Explained, Explanation, Finding, Stance
from vally_tui.ui.screens.explain_rows import rows_of


def test_on_a_narrow_screen_neither_what_a_choice_changes_nor_what_it_does_is_cut() -> None:
    config = GraderConfig("diff-contains", config={"pattern": "x"})
    choice = Choice("only-added", "only added lines", config, passes=False, count=2, effect=Effect(now_fail=4))
    explanation = Explanation(
        Explained(0, config), Stance.WHY_SO, State.PASS, (Finding("found", "It is found."),), (choice,)
    )
    rows = rows_of(explanation, 1, 34)
    first = rows.first
    texts = [
        [(column, "".join(word.text for word in words)) for column, words in line.parts] for line in rows.lines[first:]
    ]
    assert texts[:4] == [
        [(0, "1"), (3, "only added lines")],
        [(16, "x")],
        [(16, "would fail here")],
        [(7, "   +0 now pass  −4 now fail")],
    ]
