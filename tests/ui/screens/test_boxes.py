"""Boxes over the triage screen, as a person uses them."""

from unittest.mock import patch

import pytest
from textual.geometry import Region

from tests.ui.driver import Opener
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import GraderConfig
from vally_tui.triage.board import Board
from vally_tui.triage.explain.model import Spot
from vally_tui.triage.filter import Sort
from vally_tui.triage.goto import Kind, Target
from vally_tui.triage.state import TriageState
from vally_tui.triage.views_issues import Trouble
from vally_tui.triage.views_stimuli import StimulusTable
from vally_tui.ui.screens import boxes, explaining, linting
from vally_tui.ui.screens.box_choice import ChoiceBox
from vally_tui.ui.screens.box_explain import ShowPlace
from vally_tui.ui.screens.box_facts import FactsBox
from vally_tui.ui.screens.box_help import CommandBox
from vally_tui.ui.screens.box_lint import Mended
from vally_tui.ui.screens.copying import copied_path
from vally_tui.ui.screens.triage import TriageScreen
from vally_tui.ui.widgets.overlay import Overlay

# Help and palette


async def test_help_shows_groups_signs_and_what_is_not_possible(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("?")
        await desk.see("Help keys of the triage screen", "Move", "Find the failure", "Understand", "Mend", "Signs")
        await desk.press("pagedown", "pagedown")
        await desk.see("Not possible now", "undo: nothing was edited yet")


async def test_help_finds_as_one_types_and_enter_runs_the_command(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("?")
        await desk.type("wrap long")
        await desk.see("wrap long lines")
        await desk.press("enter")
        assert desk.triage.diff.view.wrap
        assert isinstance(desk.app.screen, TriageScreen)


async def test_a_command_that_is_not_possible_says_why_and_the_box_stays(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("ctrl+p")
        await desk.type("redo")
        await desk.press("enter")
        assert isinstance(desk.app.screen, CommandBox)
        assert "redo: nothing was undone" in desk.screen_text


async def test_what_is_typed_in_a_box_does_nothing_behind_it(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        before = desk.trial
        await desk.press("?")
        await desk.type("fq1")
        assert isinstance(desk.app.screen, CommandBox)
        assert desk.app.screen.field.value == "fq1"
        await desk.press("escape")
        assert desk.trial == before
        assert isinstance(desk.app.screen, TriageScreen)


async def test_the_palette_has_every_theme_and_enter_takes_one(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("ctrl+p")
        await desk.type("theme vally-li")
        await desk.press("enter")
        assert desk.app.theme == "vally-light"


async def test_a_key_goes_through_the_themes_our_own_first(opened: Opener) -> None:
    async with opened("quickstart", theme="vally-dark") as desk:
        await desk.press("T")
        assert desk.app.theme == "vally-light"


async def test_a_click_beside_a_box_closes_it(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("S")
        await desk.see("failed first")
        await desk._pilot.click(offset=(2, 2))
        await desk.handled()
        assert isinstance(desk.app.screen, TriageScreen)


@pytest.mark.parametrize("key", ["?", "ctrl+p", "o", "!", "t", "b", "S", "y", "m"])
async def test_boxes_hold_at_any_size(opened: Opener, key: str) -> None:
    async with opened("quickstart") as desk:
        await desk.press("2", key)
        assert isinstance(desk.app.screen, Overlay)
        for size in ((200, 60), (80, 24), (60, 16), (40, 12), (120, 36)):
            await desk.resize(*size)
            box = desk.app.screen
            assert isinstance(box, Overlay)
            room = Region(0, 0, *size)
            await desk.until(lambda box=box, room=room: room.contains_region(box.frame.region), "the box fits")
            assert "could not be drawn" not in desk.screen_text
        await desk.press("escape")
        assert isinstance(desk.app.screen, TriageScreen)


@pytest.mark.parametrize("key", ["o", "!", "b", "m", "t", "y"])
async def test_boxes_hold_hostile_texts(opened: Opener, key: str) -> None:
    async with opened("hostile") as desk:
        await desk.press(key)
        assert "could not be drawn" not in desk.screen_text
        assert "\x1b" not in desk.screen_text


# Facts


async def test_facts_show_prompt_output_and_recorded_results(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("o")
        await desk.see("Make it raise a ValueError with a clear message", "Output", "Recorded results")
        await desk.see("prompt · minimal-change")
        await desk.press("o")
        assert isinstance(desk.app.screen, TriageScreen)


async def test_facts_are_searched_and_finds_are_walked(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("o")
        await desk.see("Recorded results")
        await desk.press("/")
        await desk.type("workspace diff")
        await desk.see("find 1 of 4")
        await desk.press("enter", "n")
        await desk.see("find 2 of 4")
        await desk.press("N", "N")
        await desk.see("find 4 of 4")
        await desk.press("escape")
        assert isinstance(desk.app.screen, FactsBox)
        await desk.press("escape")
        assert isinstance(desk.app.screen, TriageScreen)


async def test_the_paragraph_at_the_cursor_is_copied_whole(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("o")
        await desk.see("Recorded results")
        await desk.press("]", "j", "y")
        text = copied_path().read_text()
        assert text.startswith("`divide` in src/calc.py crashes")
        assert desk.app.clipboard == text


# Issues


async def test_issues_name_place_reason_and_next_step_and_enter_goes_to_the_trial(opened: Opener) -> None:
    async with opened("multi-turn") as desk:
        await desk.press("!")
        await desk.see("Could not be read as recorded", "results.jsonl:4", "No evidence")
        await desk.press("enter")
        assert isinstance(desk.app.screen, TriageScreen)
        assert desk.trial == ("code-then-docs", 4, "gpt-5.1")


async def test_where_nothing_is_wrong_the_box_says_so(opened: Opener) -> None:
    async with opened("output-graders") as desk:
        desk.session.board.issues.clear()
        await desk.press("!")
        await desk.until(lambda: "collecting" not in desk.screen_text, "issues are collected")
        shown = desk.screen_text
        assert "everything was read" in shown or "to look at" in shown


# Go to


async def test_going_to_a_trial_a_file_and_a_stimulus(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("t")
        await desk.type("retry trial 3")
        await desk.see("add-retry · trial 3")
        await desk.press("enter")
        assert desk.trial == ("add-retry", 3, "gpt-5.1")
        await desk.judged()
        path = desk.session.document.index.files[-1].path  # type: ignore[union-attr]
        await desk.press("t")
        await desk.type(path or "")
        await desk.see("file")
        await desk.press("enter")
        assert desk.pane_name == "diff"
        assert desk.triage.diff.view.position.file == len(desk.session.document.index.files) - 1  # type: ignore[union-attr]
        await desk.press("t")
        await desk.type("review-only")
        await desk.until(lambda: desk.app.screen.list.count == 8, "the stimulus, its trials and graders are found")  # type: ignore[attr-defined]
        await desk.press("enter")
        assert desk.trial[:2] == ("review-only", 1)


async def test_going_to_a_trial_that_the_filter_hides_takes_the_filter_away(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("failed")
        await desk.press("enter", "t")
        await desk.type("rename-module · trial 1")
        await desk.see("✔ rename-module · trial 1")
        await desk.press("enter")
        assert desk.trial == ("rename-module", 1, "claude-opus-4.6")
        assert desk.session.state.filter.terms == ()


async def test_a_place_that_has_gone_while_the_box_was_open_leads_nowhere(opened: Opener) -> None:
    gone = 10_000
    async with opened("quickstart") as desk:
        screen, state = desk.triage, desk.session.state
        for target in (Target(Kind.GRADER, "", gone), Target(Kind.TRIAL, "", gone), Target(Kind.STIMULUS, "", gone)):
            boxes._go_to_target(screen, target)
        boxes._go_to_trouble(screen, Trouble("", "", trial=gone))
        boxes._go_to_trouble(screen, Trouble("", "", trial=state.trial, slot=gone))
        linting._take_choice(screen, (gone,), [GraderConfig("diff-contains")], Mended(0, "a"))
        assert "the graders were read anew meanwhile, ask again" in desk.footer
        explaining._take_choice(screen, gone, 0, ShowPlace(Spot(0, 1, None, 0, LineKind.ADDED, None, None, "", (0, 0))))
        assert "the run was read anew meanwhile: ask again" in desk.footer
        now = desk.session.state
        assert (now.trial, now.slot, now.edits) == (state.trial, state.slot, state.edits)


# Matches, stimuli, order


async def test_matches_are_listed_by_kind_of_line_and_enter_goes_to_one(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("2", "m")
        await desk.see("Matches grader 2 · changes-divide · diff-contains", "1 match · 1 context", "src/calc.py:16")
        await desk.press("enter")
        assert desk.match == "def divide"
        assert desk.pane_name == "diff"


async def test_without_a_match_the_list_says_why_it_does_not_open(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("1", "m")
        assert "the focused grader has no match in the evidence in view" in desk.footer


async def test_the_list_is_of_the_grader_focused_by_the_key_just_before(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        desk.send("2")
        desk.send("m")
        await desk.see("Matches grader 2 · changes-divide")


async def test_variants_of_an_experiment_are_columns_of_one_table(opened: Opener) -> None:
    async with opened("experiment") as desk:
        await desk.press("b")
        await desk.see("skills=none", "skills=with-skills", "0 of 3", "2 of 3", "0 of 2 (+1)", "5 of 6")


async def test_results_are_counted_again_where_trials_go_meanwhile(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, faults = boxes.stimulus_table, [KeyError(3), RuntimeError("dictionary changed size during iteration")]

    def counted(board: Board, state: TriageState) -> StimulusTable:
        if faults:
            raise faults.pop()
        return count(board, state)

    monkeypatch.setattr(boxes, "stimulus_table", counted)
    async with opened("quickstart") as desk:
        await desk.press("b")
        await desk.see("pass@3", "11 of 17 (+3)")


async def test_a_digit_chooses_k_and_enter_goes_to_the_first_trial_that_did_not_pass(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("b")
        await desk.see("pass@3", "11 of 17 (+3)")
        await desk.press("2")
        await desk.see("pass@2", "pass^2")
        await desk.press("j", "enter")
        assert desk.trial[:2] == ("add-retry", 2)


async def test_the_trials_are_sorted_and_the_trial_in_view_stays(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        before = desk.trial
        await desk.press("S", "f")
        assert desk.session.state.sort is Sort.FAILED
        assert desk.trial == before
        board, state = desk.session.board, desk.session.state
        standings = [board.standing(key, state.edits, state.saved).value for key in desk.session.rows.keys]
        assert standings == ["failed"] * 6 + ["error"] + ["no evidence"] * 2 + ["passed"] * 11


# Copying and leaving


async def test_pattern_evidence_and_yaml_of_the_focused_grader_are_copied(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("2", "y", "p")
        assert desk.app.clipboard == "def divide\\b"
        await desk.press("y", "g")
        assert desk.app.clipboard.startswith("- type: diff-contains\n")
        await desk.press("y", "e")
        assert desk.app.clipboard == "Pattern /def divide\\b/ found in workspace diff"


async def test_what_cannot_be_copied_says_why(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("0", "y", "p")
        assert "no grader is focused: press its number first" in desk.screen_text
        assert isinstance(desk.app.screen, ChoiceBox)


async def test_leaving_asks_only_when_something_is_unsaved(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("1", "i", "q")
        await desk.see("1 edit is not saved.", "quit without saving")
        assert desk.app.is_running
        await desk.press("c")
        assert isinstance(desk.app.screen, TriageScreen)
        await desk.press("u", "q")
        await desk.until(lambda: desk.app._exit, "the program ends")


async def test_the_box_says_that_unsaved_edits_are_offered_again(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("1", "i", "q")
        await desk.see("quit without saving", "kept, and offered at the next start")


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
async def test_the_usual_keys_for_ending_a_program_ask_as_well(opened: Opener, key: str) -> None:
    async with opened("quickstart") as desk:
        await desk.press("1", "i", key)
        await desk.see("1 edit is not saved.")
        assert not desk.app._notifications


async def test_ctrl_c_opens_no_second_box_over_the_one_that_asks(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("1", "i", "ctrl+c", "ctrl+c", "escape")
        assert isinstance(desk.app.screen, TriageScreen)
        assert not desk.app._notifications


async def test_ctrl_c_asks_over_every_box_and_in_every_field_as_on_the_screen_behind(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("1", "i", "2")
        for key in ("?", "o", "y", "E", "e", "\\"):
            await desk.press(key)
            assert isinstance(desk.app.screen, Overlay) is (key not in ("e", "\\")), key
            await desk.press("ctrl+c")
            await desk.see("1 edit is not saved.")
            await desk.press("escape")
            assert isinstance(desk.app.screen, TriageScreen)
            await desk.press("escape", "2")


async def test_ctrl_c_leaves_from_a_box_at_once_where_nothing_is_unsaved(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("?", "ctrl+c")
        await desk.until(lambda: desk.app._exit, "the program ends")


async def test_ctrl_c_copies_what_is_selected_in_a_field_and_says_so(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        said: list[str] = []
        with patch.object(desk.app, "notify", lambda text, **_: said.append(text)):
            await desk.press("1", "i", "t", "a", "b", "shift+home", "ctrl+c")
            assert desk.app.clipboard == "ab"
            desk.app.copy_to_clipboard("what cannot be encoded: \ud83d")
            assert desk.app.clipboard == "what cannot be encoded: \ufffd"
        assert [text.partition(";")[0] for text in said] == [
            "the selected text: sent to the terminal's clipboard",
        ] * 2
