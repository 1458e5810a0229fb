"""Editing a grader in place: what is typed takes effect on every trial, is taken back, and never stops the screen."""

import json
import os
import signal
from pathlib import Path

import pytest

from tests.ui.driver import Driver, Opener
from vally_tui.engine.client import Engine
from vally_tui.triage.standing import Standing

TOO_STRICT = r"raise ValueError\('"
RIGHT = r"raise ValueError\("


async def _edit(screen: Driver) -> None:
    """Open the field of the first failing grader."""
    await screen.press("e")
    await screen.until(lambda: screen.triage.field.has_focus, "the field has the focus")


async def test_e_opens_the_field_with_the_pattern_and_its_effect_on_all_trials(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        assert screen.triage.field.value == TOO_STRICT
        await screen.see("editing", "+0 now pass · −0 now fail · 4 same  of 4 trials", "[ ] i any case")


async def test_what_is_typed_is_judged_on_every_trial_of_the_grader(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("backspace")
        await screen.judged()
        # Two trials raise it with a double quote, one with a single one, and one never.
        await screen.see("+2 now pass · −0 now fail · 2 same  of 4 trials", "was raise ValueError\\('", "●")
        assert screen.session.state.unsaved == 1
        assert screen.pattern == RIGHT
        assert screen.result == "1 match"
        assert screen.tallies[Standing.FAILED] == 4
        assert screen.tallies[Standing.PASSED] == 13
        assert screen.pane("trials").count("✘→✔") == 2
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")


async def test_a_trial_that_an_edit_breaks_is_named(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.clear_and_type("ZeroDivisionError")
        await screen.judged()
        await screen.see("+0 now pass · −1 now fail · 3 same", "now fail  trial 1 · claude-opus-4.6")


async def test_while_the_pattern_is_invalid_the_error_is_said_and_the_verdicts_of_before_stay(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("backspace")
        await screen.judged()
        before = screen.tallies
        await screen.type("(")
        await screen.judged()
        # V8's words, and the place of the bracket, which V8 does not name.
        await screen.see(r"! Unterminated group  at character 19: write \( for the sign itself", "invalid")
        await screen.see("the verdicts are those of  " + RIGHT, "last valid pattern")
        assert screen.tallies == before
        assert screen.pane("trials").count("✘→✔") == 2
        assert "→" not in screen.pane("graders")
        assert [mark.stale for mark in screen.triage.marks.graders if mark.number == 1] == [True]
        await screen.press("backspace")
        await screen.judged()
        await screen.see("+2 now pass")
        await screen.see_no_more("last valid pattern")


async def test_an_emptied_field_is_a_fault_and_keeps_the_verdicts_too(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("end", "ctrl+u")
        await screen.judged()
        await screen.see("pattern must not be empty")
        assert screen.tallies[Standing.FAILED] == 6


async def test_after_leaving_the_field_an_invalid_pattern_is_marked_in_the_strips(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.type("(")
        await screen.judged()
        await screen.press("escape")
        await screen.drawn()
        assert "claude-opus-4.6     !" in screen.pane("trials")
        assert screen.result == "invalid"


@pytest.mark.parametrize("key", ["escape", "enter"])
async def test_leaving_the_field_keeps_the_edit_and_u_takes_it_back_as_a_whole(opened: Opener, key: str) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.clear_and_type("retu")
        await screen.press(key)
        assert screen.pane_name == "graders"
        assert screen.pattern == "retu"
        await screen.press("u")
        assert screen.pattern == TOO_STRICT
        await screen.judged()
        assert "●" not in screen.title
        assert screen.tallies[Standing.FAILED] == 6
        await screen.press("ctrl+r")
        assert screen.pattern == "retu"


async def test_where_nothing_was_edited_u_says_so(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("escape", "u")
        assert "nothing was edited yet" in screen.footer
        await screen.press("ctrl+r")
        assert "nothing was undone" in screen.footer


async def test_letters_in_the_field_are_text_not_commands(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.clear_and_type("qfFnN?/\\]u1")
        assert screen.triage.field.value == "qfFnN?/\\]u1"
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")


async def test_a_pasted_line_break_stays_in_the_pattern(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("end", "ctrl+u")
        await screen.paste("b == 0:\n")
        assert screen.pattern == "b == 0:\n"
        await screen.judged()
        assert screen.result == "1 match"


async def test_a_toggle_writes_the_flags_prefix_and_typing_a_prefix_sets_the_toggles(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("tab", "space")
        assert screen.pattern == "(?i)" + TOO_STRICT
        await screen.see("[x] i")
        await screen.press("right", "space")
        assert screen.pattern == "(?im)" + TOO_STRICT
        await screen.press("space", "left", "space")
        assert screen.pattern == TOO_STRICT
        await screen.press("shift+tab")
        await screen.clear_and_type("(?s)a")
        await screen.drawn()
        await screen.see("[x] s")


async def test_negating_a_grader_turns_its_verdicts_round(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("i")
        await screen.judged()
        assert screen.tallies[Standing.FAILED] == 5
        await screen.see("2 of 4 failed")
        await screen.press("i")
        await screen.judged()
        assert "●" not in screen.title


async def test_pattern_becomes_plain_text(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.clear_and_type("ValueError(")
        await screen.judged()
        assert screen.result == "invalid"
        await screen.press("escape", "v")
        await screen.judged()
        assert screen.result == "1 match"
        assert 'Value "ValueError(" found in workspace diff' in screen.pane("graders")


async def test_the_type_and_the_turn_can_be_changed(opened: Opener) -> None:
    async with opened("multi-turn") as screen:
        # It failed in turn 1, where nothing was changed; the whole run documents it.
        await screen.press("@")
        await screen.judged()
        assert screen.tab == "T2"
        await screen.press("@")
        await screen.judged()
        assert (screen.tab, screen.result) == ("Σ", "1 match")
        await screen.press("c")
        await screen.judged()
        assert "diff-not-contains" in screen.pane("graders").splitlines()[2]
        await screen.press("u", "u", "u")
        await screen.judged()
        assert (screen.tab, screen.result) == ("T1", "not found")


async def test_a_grader_can_be_added_and_its_trials_are_judged(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("+")
        await screen.until(lambda: screen.triage.field.has_focus, "the field has the focus")
        await screen.type("except")
        await screen.judged()
        assert screen.grader == 6
        await screen.press("escape")
        await screen.see("●")
        for _ in range(3):
            await screen.press("u")
        await screen.judged()
        assert len(screen.slots) == 5
        assert screen.tallies[Standing.FAILED] == 6


async def test_a_removed_grader_counts_no_more_and_comes_back(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("-")
        await screen.judged()
        assert len(screen.slots) == 4
        # Trial 4 fails two other graders, too.
        assert screen.tallies[Standing.FAILED] == 4
        await screen.press("u")
        await screen.judged()
        assert len(screen.slots) == 5
        assert screen.tallies[Standing.FAILED] == 6


async def test_a_grader_that_is_not_judged_again_says_why_it_has_no_field(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("5", "e")
        assert "prompt has no pattern" in screen.footer
        assert not screen.triage.field.has_focus


async def test_flips_of_an_edit_are_walked_with_braces_and_filtered(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await _edit(screen)
        await screen.press("backspace", "escape")
        await screen.judged()
        await screen.press("}")
        assert screen.trial == ("fix-divide-by-zero", 3, "gpt-5.1")
        assert screen.grader == 1
        await screen.press("}")
        assert screen.trial == ("fix-divide-by-zero", 2, "claude-opus-4.6")
        await screen.press("\\")
        await screen.type("flipped")
        await screen.see("2 of 20 shown")


# Patterns that never end, and an engine that is lost


CATASTROPHIC = "(a+)+$"
LONG_LINE = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+" + "a" * 60 + "!\n"


def _long_run(folder: Path) -> None:
    """A run of three trials whose diff makes a naive pattern backtrack for ever."""
    record = {
        "type": "trial-result",
        "stimulus": "long",
        "status": "success",
        "trajectory": {
            "stimulus": {
                "name": "long",
                "prompt": "p",
                "graders": [{"type": "diff-contains", "config": {"pattern": "a!"}}],
            },
            "events": [],
            "diff": LONG_LINE,
        },
        "gradeResult": {"passed": True, "score": 1, "details": [{"name": "diff-contains", "passed": True, "score": 1}]},
    }
    lines = [json.dumps({**record, "itemId": f"e::v::m::long::trial-{n}"}) for n in range(3)]
    (folder / "results.jsonl").write_text("\n".join(lines) + "\n")


async def test_a_pattern_that_never_ends_is_stopped_and_the_next_key_judges_afresh(
    opened: Opener, tmp_path: Path
) -> None:
    _long_run(tmp_path)
    async with opened(tmp_path, timeout=0.3) as screen:
        await _edit(screen)
        await screen.clear_and_type(CATASTROPHIC)
        # While it is tried, what was known stays, and keys are heard.
        await screen.see("waiting")
        assert screen.tallies == {Standing.PASSED: 3}
        await screen.see("too slow", "the verdicts are those of", "enter tries it again")
        assert screen.tallies == {Standing.PASSED: 3}
        await screen.press("backspace")
        await screen.judged()
        assert screen.pattern == "(a+)+"
        await screen.see("3 matches", "+0 now pass · −0 now fail · 3 same  of 3 trials")


async def test_when_the_engine_is_killed_from_outside_another_one_goes_on(opened: Opener) -> None:
    with Engine(20) as engine:
        async with Opener(engine)("quickstart") as screen:
            os.kill(engine.info().pid, signal.SIGKILL)
            await _edit(screen)
            await screen.press("backspace")
            await screen.judged()
            await screen.see("+2 now pass · −0 now fail · 2 same  of 4 trials")
            assert screen.session.trouble is None


async def test_no_match_is_the_current_one_where_the_edited_pattern_matches_nothing(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("2")
        await screen.see("match 1/1")

        await screen.press("v")  # as plain text, def divide\b is nowhere
        await screen.judged()

        assert screen.pattern == r"def divide\b"
        assert screen.triage.marks.current is None
        assert "match 1/" not in screen.pane("diff").split("\n")[0]


async def test_an_undo_that_leads_to_another_grader_shows_where_that_matches(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        # Grader 1 of this trial matches.
        await screen.press("k", "+")
        await screen.type("nowhere at all")
        await screen.press("enter")
        added = len(screen.slots)
        assert screen.grader == added
        await screen.press(".", "u", "u")
        await screen.until(lambda: len(screen.slots) < added, "the grader that was added is gone")
        await screen.judged()
        assert (screen.grader, screen.match) == (1, "raise ValueError('")
        document = screen.session.document
        assert document is not None
        before = document.text[: document.text.index("raise ValueError('")]
        assert screen.triage.diff.view.position.row == before.count("\n")
