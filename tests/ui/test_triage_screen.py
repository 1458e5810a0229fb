"""What a person sees and reaches on the triage screen, run by run."""

import re

import pytest
from msgspec.structs import replace

from tests.ui.driver import Driver, Opener
from vally_tui.triage import update
from vally_tui.triage.events import Changed
from vally_tui.triage.filter import read_filter
from vally_tui.triage.standing import Standing

# Start


async def test_at_start_the_first_failing_trial_its_failing_grader_and_the_diff_are_in_view(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")
        assert (screen.grader, screen.pattern, screen.result) == (1, r"raise ValueError\('", "not found")
        assert screen.tab == "Σ"
        await screen.see("diff-contains      Σ  not found", 'raise ValueError("cannot divide by zero")')
        assert r"Pattern /raise ValueError\('/ not found in workspace diff" in screen.pane("graders")
        assert "src/calc.py" in screen.pane("files")


async def test_at_start_the_first_match_of_a_broken_restraint_is_the_current_one(opened: Opener) -> None:
    async with opened("hostile", timeout=0.2) as screen:
        assert screen.trial[0] == "escape-sequences"
        assert (screen.grader, screen.match) == (3, "\x07")
        assert "match 1/2" in screen.pane("diff")
        await screen.see("␛]0;title taken over␇")


async def test_at_start_the_turn_of_the_failing_grader_is_open(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        assert screen.trial == ("code-then-docs", 2, "claude-opus-4.6")
        assert (screen.grader, screen.tab) == (2, "T1")
        await screen.see("The diff is empty", "[T1 +0 −0]")


async def test_while_the_run_is_read_the_screen_stands_and_follows_the_first_failure(opened: Opener) -> None:
    async with opened.start("quickstart") as screen:
        await screen.handled()
        assert "Trials" in screen.screen_text
        await screen.judged()
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")


async def test_a_choice_made_while_the_run_is_read_is_kept(opened: Opener) -> None:
    async with opened.start("quickstart") as screen:
        await screen.until(lambda: screen.session.state.trial is not None, "a trial is in view")
        await screen.press("G")
        chosen = screen.trial
        await screen.judged()
        assert screen.trial == chosen


# Tallies


@pytest.mark.parametrize("run", ["quickstart", "multi-turn", "experiment", "legacy"])
async def test_each_trial_counts_once_in_the_tallies(opened: Opener, run: str) -> None:
    async with opened(run) as screen:
        assert sum(screen.tallies.values()) == len(screen.session.board.entries)
        for standing, count in screen.tallies.items():
            word = "recorded only" if standing is Standing.UNGRADED else standing.value
            assert f"{count} {word}" in screen.title


async def test_the_tallies_are_those_of_the_run(opened: Opener) -> None:
    # 20 trials: 11 that git, V8 and the recorded judges pass, 6 with a fail, 2 without a diff, 1 that timed out.
    async with opened("quickstart") as screen:
        assert screen.tallies == {
            Standing.FAILED: 6,
            Standing.ERROR: 1,
            Standing.NO_EVIDENCE: 2,
            Standing.PASSED: 11,
        }
        assert re.search("✘ 6 failed +! 1 error +[?] 2 no evidence +✔ 11 passed", screen.title)


# From failure to failure


async def test_f_goes_through_all_that_failed_lacked_or_erred_and_around(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        seen = [screen.trial]
        for _ in range(9):
            await screen.press("f")
            seen.append(screen.trial)
        assert seen[:3] == [
            ("fix-divide-by-zero", 2, "claude-opus-4.6"),
            ("fix-divide-by-zero", 3, "gpt-5.1"),
            ("fix-divide-by-zero", 4, "gpt-5.1"),
        ]
        assert len(set(seen)) == 9
        assert seen[9] == seen[0]


async def test_capital_f_goes_back(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("f", "f", "F")
        assert screen.trial == ("fix-divide-by-zero", 3, "gpt-5.1")
        await screen.press("F", "F")
        assert screen.trial == ("rename-module", 3, "gpt-5.1")


async def test_each_failing_trial_comes_with_its_failing_grader_and_its_evidence(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("f", "f", "f", "f")
        assert screen.trial == ("add-retry", 3, "gpt-5.1")
        assert (screen.grader, screen.pattern) == (2, r"(?m)^\+.*retry")
        await screen.judged()
        await screen.see("src/http.ts")


# Matches


async def test_n_walks_the_matches_of_the_focused_grader_and_says_when_it_begins_anew(opened: Opener) -> None:
    async with opened("hostile", timeout=0.2) as screen:
        await screen.press("n")
        assert "match 2/2" in screen.pane("diff")
        await screen.press("n")
        assert "match 1/2" in screen.pane("diff")
        assert "past the last match: on from the first" in screen.footer
        await screen.press("N")
        assert "match 2/2" in screen.pane("diff")
        assert "before the first: on from the last" in screen.footer
        await screen.press("N")
        assert "on from" not in screen.footer


async def test_where_the_focused_grader_matches_nothing_n_says_so(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("n")
        assert "the focused grader matches nothing here" in screen.footer


async def test_with_no_grader_focused_n_walks_the_matches_of_all(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("0", "shift+tab", "g")
        assert screen.grader is None
        await screen.press("n")
        assert screen.match == "def divide"
        await screen.press("n")
        assert screen.match == "+def test_divide_by_zero"
        assert "match 2/2" in screen.pane("diff")


async def test_a_digit_focuses_that_grader_and_its_first_match(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("3")
        await screen.judged()
        assert (screen.grader, screen.match) == (3, "+def test_divide_by_zero")
        await screen.press("9")
        assert "this trial has 5 graders" in screen.footer
        assert screen.grader == 3


async def test_a_digit_opens_the_turn_that_the_grader_looks_at(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        await screen.press("1")
        assert screen.tab == "T0"
        await screen.judged()
        assert screen.match == "+def total("
        await screen.press("5")
        assert screen.tab == "Σ"


# Files, hunks, turns


async def test_dots_and_commas_walk_files_and_the_files_pane_follows(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press(".")
        assert "tests/test_calc.py" in screen.pane("diff").splitlines()[0]
        assert "▌M tests/test_calc.py" in screen.pane("files")
        await screen.press(".")
        assert "this is the last file" in screen.footer
        # The comma is a key like the others, though Textual separates keys with it.
        await screen.press(",")
        assert "src/calc.py" in screen.pane("diff").splitlines()[0]
        await screen.press(",")
        assert "this is the first file" in screen.footer


async def test_brackets_walk_hunks_across_files(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("shift+tab", "g", "]")
        assert "src/calc.py  hunk 1/1" in screen.pane("diff")
        await screen.press("]")
        assert "tests/test_calc.py  hunk 1/1" in screen.pane("diff")
        await screen.press("]")
        assert "this is the last hunk" in screen.footer
        await screen.press("[")
        assert "src/calc.py  hunk 1/1" in screen.pane("diff")


async def test_parentheses_walk_the_turns_and_around(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        tabs = [screen.tab]
        for _ in range(4):
            await screen.press(")")
            tabs.append(screen.tab)
        assert tabs == ["T1", "T2", "Σ", "T0", "T1"]
        await screen.press("(", "(")
        assert screen.tab == "Σ"


async def test_a_trial_with_one_turn_says_so_until_the_next_key_whatever_comes_in(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press(")")
        assert "this trial has one turn" in screen.footer
        screen.triage.changed(~Changed.NOTHING)
        await screen.drawn()
        assert "this trial has one turn" in screen.footer
        await screen.press("j")
        assert "this trial has one turn" not in screen.footer


async def test_matches_are_drawn_only_on_the_evidence_that_their_grader_was_judged_on(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        await screen.press("f", "1")
        await screen.judged()
        assert screen.tab == "T0"
        # Grader 5 has the same pattern, but looks at the whole run.
        assert [mark.number for mark in screen.triage.marks.graders] == [1]


# Panes


async def test_tab_goes_round_the_panes(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        names = [screen.pane_name]
        for key in ("tab", "tab", "tab", "tab", "shift+tab", "l", "h"):
            await screen.press(key)
            names.append(screen.pane_name)
        assert names == ["trials", "graders", "files", "diff", "trials", "diff", "trials", "diff"]


async def test_enter_goes_from_trial_to_graders_and_from_file_to_diff(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("enter")
        assert screen.pane_name == "graders"
        await screen.press("tab", "enter")
        assert screen.pane_name == "diff"


async def test_the_active_pane_has_the_heavy_rule(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        assert screen.pane("trials").startswith("━ Trials")
        await screen.press("tab")
        assert screen.pane("trials").startswith("─ Trials")
        assert "━ Graders" in screen.pane("graders").splitlines()[0]


async def test_j_and_k_choose_trials_and_skip_no_row(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("g")
        first = screen.trial
        await screen.press("j")
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")
        await screen.press("k")
        assert screen.trial == first == ("fix-divide-by-zero", 1, "claude-opus-4.6")
        await screen.press("G")
        assert screen.trial == ("rename-module", 4, "gpt-5.1")


async def test_j_in_the_graders_pane_focuses_the_next_grader(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("tab", "j", "j")
        assert screen.grader == 3
        await screen.press("G")
        assert screen.grader == 5
        await screen.press("k")
        assert screen.grader == 4


async def test_the_mouse_chooses_a_trial(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.click("keep-secrets-out")
        await screen.click("3  gpt-5.1             ??·")
        assert screen.trial == ("rename-module", 3, "gpt-5.1")


async def test_a_failure_that_comes_into_view_by_itself_is_shown_at_its_own_place(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        session, first = screen.session, next(iter(screen.session.board.entries))
        # As while verdicts come in: the first trial passed and is shown at its match, the one that failed is not known yet.
        await screen.press("k")
        await screen.see("match 1/1")
        assert session.state.trial == first
        session.change(replace(session.state, chosen=False))
        screen.triage.changed(Changed.VERDICTS)

        await screen.see("near 1/1")

        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")
        assert [row for row in screen.pane("diff").split("\n") if "▌~1" in row]


# Drift, evidence that lacks


async def test_a_verdict_that_judging_again_does_not_reproduce_is_shown_with_both(opened: Opener) -> None:
    async with opened("legacy") as screen:
        assert "✘→✔ remove-the-todo" in screen.pane("trials")
        await screen.press("j")
        assert screen.trial[0] == "remove-the-todo"
        await screen.judged()
        assert "✘→✔ diff-contains" in screen.pane("graders")
        assert "recorded fail, now pass" in screen.pane("graders")


async def test_braces_walk_the_flipped_trials(opened: Opener) -> None:
    async with opened("legacy") as screen:
        await screen.press("}")
        assert screen.trial[0] == "remove-the-todo"
        await screen.press("{")
        assert screen.trial[0] == "remove-the-todo"
    async with opened("quickstart") as screen:
        await screen.press("}")
        assert "no trial in the list is flipped" in screen.footer


async def _at_second_failure(screen: Driver) -> None:
    await screen.press("f")
    assert screen.trial == ("code-then-docs", 3, "gpt-5.1")


async def test_a_turn_that_was_not_recorded_says_so_and_marks_its_tab(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        await _at_second_failure(screen)
        await screen.press("2")
        await screen.judged()
        assert (screen.tab, screen.result) == ("T1", "no evidence")
        await screen.see(
            "Turn 1 of this trial has no recorded diff", "turnDiffs holds turns 0, 2", "no evidence", "T1 ?"
        )
        assert "none recorded" in screen.pane("files")


async def test_a_sidecar_that_is_gone_says_what_to_do(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("F")
        await screen.judged()
        assert screen.trial == ("rename-module", 3, "gpt-5.1")
        await screen.see("Sidecar diffs/rename-module/gpt-5.1/trial-0.diff is recorded but", "--run-dir")


async def test_a_trial_that_never_ran_says_so(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("F", "F")
        await screen.judged()
        assert screen.trial == ("review-only", 4, "gpt-5.1")
        await screen.see("This trial has no recorded trajectory (status error)")


async def test_a_trial_without_a_trajectory_shows_what_was_recorded_and_waits_for_nothing(opened: Opener) -> None:
    async with opened("legacy") as screen:
        await screen.press("j", "j", "j")
        await screen.drawn()
        assert screen.trial == ("explain-the-loop", 2, None)
        assert "waiting" not in screen.screen_text
        assert "…" not in screen.pane("graders")


# Filter and search


async def test_a_filter_shows_fewer_trials_and_the_totals_stay(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("\\")
        await screen.type("fails:diff-not")
        await screen.press("enter")
        assert "2 of 20 shown" in screen.pane("trials")
        assert sum(screen.tallies.values()) == 20
        await screen.press("g")
        assert screen.trial == ("fix-divide-by-zero", 4, "gpt-5.1")
        await screen.press("j")
        assert screen.trial == ("keep-secrets-out", 3, "gpt-5.1")


async def test_a_filter_that_is_left_with_escape_is_as_it_was_before(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("\\")
        await screen.type("zzz")
        await screen.see("0 of 20 shown")
        await screen.press("escape")
        await screen.see_no_more("0 of 20 shown")
        assert "6 of 20 failed" in screen.pane("trials")


async def test_a_faulty_filter_is_told_and_the_last_valid_one_holds(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("\\")
        await screen.type('gpt "')
        await screen.see("a quote is not closed")
        assert "10 of 20 shown" in screen.pane("trials")


async def test_the_text_of_diffs_can_be_filtered_by(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("\\")
        await screen.type("text:rename")
        await screen.see("3 of 20 shown")


async def test_search_finds_in_the_diff_and_escape_ends_it(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("shift+tab", "/")
        await screen.type("retry")
        await screen.see("Search the diff", "not found")
        await screen.clear_and_type("Divide A")
        await screen.see("not found")
        await screen.clear_and_type("divide a")
        # A capital letter makes case count; without one "Divide a by b" is found.
        await screen.see("1 of 1   n N walk")
        await screen.press("escape")
        await screen.see_no_more("n N walk")


# The rest


@pytest.mark.parametrize(("key", "words"), [("?", "Help"), ("ctrl+p", "Commands"), ("o", "Prompt")])
async def test_boxes_open_over_the_screen_and_escape_closes_them(opened: Opener, key: str, words: str) -> None:
    async with opened("quickstart") as screen:
        await screen.press(key)
        await screen.see(words)
        await screen.press("escape")
        await screen.until(lambda: screen.app.screen is screen.triage, "the box is closed")


async def test_q_quits_when_nothing_is_unsaved(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        screen.send("q")
        await screen.until(lambda: screen.app._exit, "the program ends")
        assert screen.app.return_code == 0


async def test_a_theme_that_there_is_not_is_told_with_the_ways_to_one(opened: Opener) -> None:
    async with opened("quickstart", theme="nope") as screen:
        assert screen.app.theme == "vally-dark"
        assert "nope is no theme: T shows the next one, ^p lists them all" in screen.footer


async def test_a_negated_grader_shows_that_it_is_in_the_place_of_its_type(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("1", "i")
        await screen.judged()
        await screen.see("✘→✔ not diff-contains  Σ  not found")
        await screen.press("i")
        await screen.judged()
        await screen.see_no_more("not diff-contains")


async def test_a_trial_that_ended_with_an_error_says_it_where_its_evidence_would_be(opened: Opener) -> None:
    async with opened("legacy") as screen:
        key = next(key for key, entry in screen.session.board.entries.items() if entry.trial.error)
        screen.triage.select_trial(key)
        await screen.see("Its recorded error: spawn copilot ENOENT", "no graders recorded")


@pytest.mark.parametrize("theme", ["vally-dark", "vally-light", "ansi-dark", "textual-light"])
async def test_every_theme_draws_the_same_words(opened: Opener, theme: str) -> None:
    async with opened("quickstart", theme=theme) as screen:
        assert screen.app.theme == theme
        await screen.see("6 of 20 failed", "not found")
        assert "could not be drawn" not in screen.screen_text


async def test_several_runs_stand_below_their_names(opened: Opener) -> None:
    async with opened("quickstart", "legacy") as screen:
        assert "2 runs" in screen.title
        assert sum(screen.tallies.values()) == 26
        assert screen.pane("trials").count("quickstart") == 1
        await screen.press("G")
        assert screen.trial[0] is None


async def test_two_runs_in_an_experiment_are_told_apart(opened: Opener) -> None:
    async with opened("experiment") as screen:
        assert "skills=none" in screen.pane("trials")
        assert "skills=with" in screen.pane("trials")
        assert sum(screen.tallies.values()) == 12


# Keys


async def test_a_chosen_key_does_the_command_and_the_declared_one_no_more(opened: Opener) -> None:
    async with opened("quickstart", keys={"trial.next-failing": "ctrl+n , ;", "file.previous": []}) as screen:
        await screen.press("f")
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")
        await screen.press("ctrl+n", ",")
        assert screen.trial == ("fix-divide-by-zero", 4, "gpt-5.1")
        await screen.see(" ^n next failure")


async def test_a_command_without_a_key_is_done_by_none(opened: Opener) -> None:
    async with opened("quickstart", keys={"trial.next-failing": []}) as screen:
        await screen.press("f")
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")


async def test_a_move_leads_to_the_trial_that_the_list_shows_though_others_are_to_be_shown_by_now(
    opened: Opener,
) -> None:
    async with opened("quickstart") as screen:
        await screen.press("g")
        session, row_list = screen.session, screen.triage.trials.list
        below = row_list.trial_at(row_list.cursor + 1)
        session.change(update.set_filter(session.state, read_filter("rename")))
        assert below not in session.rows.keys
        row_list.action_cursor_down()
        assert session.state.trial == below


async def test_the_cursor_stays_at_its_place_of_the_evidence_when_the_run_is_read_again(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("d", "d")
        before = screen.triage.diff.view.position
        assert before.row >= 10
        await screen.press("R")
        await screen.judged()
        await screen.until(lambda: screen.triage.diff.view.position == before, "the cursor is where it was")


async def test_a_drawing_between_a_move_and_what_follows_does_not_put_the_cursor_back(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("g")
        row_list = screen.triage.trials.list
        before = row_list.cursor
        row_list.action_cursor_down()
        screen.triage.pace.draw_now(~Changed.NOTHING)
        await screen.handled()
        assert (row_list.cursor, screen.trial[1]) == (before + 1, 2)


async def test_the_number_of_the_focused_grader_leads_back_to_its_first_match(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        view = screen.triage.diff.view
        await screen.press("2")
        await screen.judged()
        first = view.position
        await screen.press("shift+tab", "G")
        assert view.position != first
        await screen.press("2")
        await screen.drawn()
        assert view.position == first
        assert screen.match == "def divide"
