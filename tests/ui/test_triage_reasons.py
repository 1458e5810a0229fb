"""Reasons on the screen: near places, why not and why so, doubtful passes, lint, and patterns made from a line."""

import pytest

from tests.ui.driver import Driver, Opener
from vally_tui.triage.events import Changed
from vally_tui.triage.explain.model import Doubt
from vally_tui.triage.judge import JobDone
from vally_tui.triage.linting import LintDone, graders_of
from vally_tui.triage.suggest import Selected
from vally_tui.ui.screens.box_explain import ExplainBox
from vally_tui.ui.screens.explainer import NEAR, NearFound
from vally_tui.ui.screens.suggesting import SUGGEST, Suggested


def go(screen: Driver, stimulus: str, number: int) -> None:
    """Bring a trial into view."""
    board = screen.session.board
    key = next(
        key for key, entry in board.entries.items() if (entry.trial.stimulus, board.numbers[key]) == (stimulus, number)
    )
    screen.triage.select_trial(key)


# Near places


async def test_a_failing_grader_says_where_it_nearly_matched_and_marks_the_place(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.see("nearly src/calc.py:19 raise ValueError( then \" instead of '   x why not", "near 1/1")
        row = next(row for row in screen.pane("diff").split("\n") if "raise ValueError(" in row)
        assert row.lstrip(" ▌").startswith("~1")
        await screen.until(lambda: "~1" in screen.pane("files"), "the file has the near mark")


async def test_a_broken_restraint_says_which_line_broke_it(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        go(screen, "keep-secrets-out", 3)
        await screen.see('broken by app/config.py:5 API_KEY = " in an added line   n go there')


async def test_a_near_place_in_another_text_is_said_but_not_marked_here(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        await screen.see("nearly README.md:5 +`total(items)` in the whole run")
        assert "~2" not in screen.pane("diff")


async def test_a_near_place_of_an_older_pattern_is_never_shown_for_a_newer_one(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.see("nearly src/calc.py:19")
        state, board = screen.session.state, screen.session.board
        old = NearFound(state.trial, state.slot, board.asked(state.slot, state.edits), screen.triage.explainer.near)
        await screen.press("e")
        await screen.clear_and_type("raise KeyError")
        await screen.press("escape")
        await screen.judged()
        screen.triage.explainer.take(NEAR, old)
        assert screen.triage.explainer.near is not old.near
        screen.triage.changed(Changed.JOB)
        await screen.drawn()
        assert "then \" instead of '" not in screen.screen_text


# Why not


async def test_why_not_lists_the_smallest_changes_with_places_and_effects(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("x")
        await screen.see(
            "Why not grader 1 · raises-value-error · diff-contains · fix-divide-by-zero · trial 2",
            "is nowhere in the 25 lines",
        )
        await screen.see("Tried, and of no help", "2 and 3 are wider: they may also pass code that you do not mean.")
        await screen.see_no_more("measuring …")
        row = " ".join(next(row for row in screen.rows if "either quote" in row).split())
        assert "1 either quote raise ValueError\\(['\"] 1 place +2 now pass −0 now fail" in row


async def test_enter_puts_the_chosen_pattern_into_the_field_as_an_edit_that_can_be_undone(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("x")
        await screen.see("either quote")
        await screen.press("enter")
        await screen.see("+2 now pass", "● 1 unsaved")
        assert screen.pattern == "raise ValueError\\(['\"]"
        assert screen.triage.field.has_focus
        await screen.press("escape", "u")
        assert screen.pattern == r"raise ValueError\('"


async def test_space_shows_the_place_and_y_copies_the_pattern(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("x")
        await screen.see("only the word", "tests/test_calc.py:15")
        await screen.press("y")
        assert screen.app.clipboard == "raise ValueError\\(['\"]"
        await screen.press("space")
        await screen.see_no_more("Tried, and of no help")
        position = screen.triage.diff.view.position
        assert screen.session.document.text[position.offset :].startswith("+        raise ValueError")


async def test_space_opens_the_text_of_another_turn_to_show_a_place_there(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        assert screen.tab == "T1"
        await screen.press("x")
        await screen.see("the whole run", "T1 ✘ fail, asked for")
        await screen.press("j")
        await screen.see("T0 README.md:5")
        await screen.press("space")
        await screen.until(lambda: screen.tab == "T0", "turn 0 is open")
        await screen.see("+`total(items)` sums quantity times price over all items.")


@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
async def test_the_reason_and_the_first_choice_are_seen_on_small_screens(opened: Opener, size: tuple[int, int]) -> None:
    async with opened("quickstart", size=size) as screen:
        await screen.press("x")
        await screen.see("is nowhere in", "either quote")


async def test_what_lacks_evidence_says_so_and_offers_nothing_to_try(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        go(screen, "add-retry", 2)
        await screen.press("x")
        await screen.see("Why not judged", "No workspace diff is available for this run.")
        assert "try in the field" not in screen.screen_text


async def test_an_explanation_of_another_grader_is_not_shown_in_a_box_that_waits(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("x")
        await screen.see("either quote")
        box = screen.app.screen
        assert isinstance(box, ExplainBox)
        explanation = box._explanation
        await screen.press("escape", "2", "x")
        await screen.see("Why so grader 2")
        other = screen.app.screen
        assert isinstance(other, ExplainBox)
        assert not other.take(explanation)
        assert "either quote" not in screen.screen_text


# Why so, and doubtful passes


async def test_a_weak_pass_is_marked_everywhere_and_says_why(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.see("▲ 7 passes are weak", "▲ weak: only context")
        await screen.until(lambda: "✘▲✔✔·" in screen.pane("trials"), "the strip has the mark in its column")
        await screen.press("2")
        await screen.see("▲ It is found only in lines that the agent left as they were.")
        await screen.press("x")
        await screen.see("is found once, but only in lines that the agent left as they were.")
        await screen.see("added      0   none", "Say what you mean", "would fail here")


async def test_the_title_of_the_graders_counts_doubtful_passes(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        go(screen, "keep-secrets-out", 2)
        await screen.see("all 5 passed · 3 weak", "A recorded tool call wrote .env, which the diff does not show")


async def test_a_restraint_over_an_empty_diff_is_vacuous(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        await screen.see("▲ vacuous")
        await screen.press("3")
        await screen.see("▲ The diff is empty: there is nothing that it could be found in.")


async def test_the_filter_finds_trials_with_doubtful_passes(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.see("▲ 7 passes are weak")
        await screen.press("\\")
        await screen.type("weak")
        await screen.see("5 of 20 shown")
        await screen.clear_and_type("vacuous")
        await screen.see("0 of 20 shown")


async def test_doubts_follow_the_pattern_and_come_back_with_undo(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.see("▲ 7 passes are weak")
        await screen.press("2", "e")
        await screen.clear_and_type("raise ValueError")
        await screen.press("escape")
        await screen.judged()
        await screen.see("▲ 3 passes are weak")
        await screen.press("u")
        await screen.see("▲ 7 passes are weak")
        assert screen.session.doubting.counts(screen.session.board, screen.session.state.edits) == {Doubt.WEAK: 7}


# Lint


async def test_a_grader_that_cannot_be_right_is_marked_and_its_mend_offered(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("3", "e")
        await screen.clear_and_type(r"^\+def test_")
        await screen.press("escape")
        await screen.judged()
        await screen.see("▲ never matches")
        await screen.press("L")
        await screen.see("Lint the graders of fix-divide-by-zero", "It can match in no diff", r"try (?m)^\+def test_")
        await screen.press("enter")
        assert screen.pattern == r"(?m)^\+def test_"


async def test_lint_lists_notes_too_but_marks_none_of_them(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("L")
        await screen.see("It matches in all of its 4 trials.")
        await screen.press("escape")
        assert "always matches" not in screen.screen_text


async def test_lint_of_graders_that_were_edited_since_is_dropped(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        session, linting = screen.session, screen.triage.linter.linting
        await screen.until(
            lambda: linting.findings(session.board, session.state.trial, session.state.edits) is not None,
            "lint is done",
        )
        before = graders_of(session.board, session.state.trial, session.state.edits)
        await screen.press("e")
        await screen.clear_and_type("x")
        linting.take(LintDone(before, ()))
        assert linting.findings(session.board, session.state.trial, session.state.edits) is None


# Suggestions


async def test_the_line_at_the_cursor_becomes_patterns_from_literal_to_general(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.see("near 1/1")
        await screen.press("tab", "tab", "tab")
        assert screen.pane_name == "diff"
        await screen.press("s")
        await screen.see('Suggest a pattern from + raise ValueError("cannot divide by zero")')
        await screen.see(r'raise ValueError\("cannot divide by zero"\)', "in an added line", "only in src/calc.py")
        await screen.see("recorded as fail")
        await screen.press("enter")
        assert screen.pattern == r'raise ValueError\("cannot divide by zero"\)'


async def test_a_header_gives_no_pattern_for_added_lines(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("tab", "tab", "tab", "g", "s")
        await screen.see("Suggest a pattern from diff --git a/src/calc.py", "names of any kind")
        assert "in an added line" not in screen.screen_text


async def test_a_grader_that_is_not_judged_again_gets_no_pattern(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("5", "s")
        assert "prompt is not judged again: focus another grader, or add one with +" in screen.footer


async def test_a_grader_whose_text_is_not_known_gets_no_pattern(opened: Opener) -> None:
    async with opened("output-graders") as screen:
        go(screen, "name-the-region", 1)
        await screen.judged()
        await screen.press("2", "s")
        assert "output-matches is not judged again, since it has turn 0" in screen.footer


async def test_suggestions_for_another_line_are_dropped(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("s")
        await screen.see("as it is")
        screen.session.jobs.append(JobDone(SUGGEST, Suggested(Selected("+other"), ())))
        screen.triage.changed(Changed.JOB)
        await screen.drawn()
        await screen.see("as it is", "enter put it into the grader")
