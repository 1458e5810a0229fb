"""Output and messages on the triage screen: their tabs, their parts, what is matched, searched, copied and edited there."""

from tests.ui.driver import Opener

RUN = "output-graders"


async def test_at_start_the_output_of_the_failing_grader_is_open(opened: Opener) -> None:
    async with opened(RUN) as screen:
        assert screen.trial == ("report-the-result", 2, "claude-opus-4.6")
        assert (screen.grader, screen.tab, screen.result) == (1, "output", "not found")
        await screen.see("Output", "[output]", "**Status:** OK", "| 14 passed |")
        assert "Output does not match pattern" in screen.pane("graders")
        assert "none: this is the output" in screen.pane("files")


async def test_messages_are_parts_with_headings_rows_and_keys_of_their_own(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.judged()
        await screen.press("f", "f", "f", "f", "f", "5")
        await screen.judged()
        assert screen.trial == ("warn-before-delete", 4, "gpt-5.1")
        assert (screen.tab, screen.match) == ("messages", "password of the subscription's owner?")
        await screen.see("message 1 of 2", "message 2 of 2", "match 1/1")
        assert "¶ 1  What is the passw" in screen.pane("files")
        assert "5✘" in screen.pane("files")
        await screen.press(".")
        assert screen.triage.diff.view.position.file == 1
        await screen.press("]")
        assert "this is the last message" in screen.footer
        await screen.press("[")
        assert screen.triage.diff.view.position.file == 0


async def test_the_turn_keys_walk_diff_output_and_messages(opened: Opener) -> None:
    async with opened(RUN) as screen:
        seen = [screen.tab]
        for _ in range(3):
            await screen.press(")")
            seen.append(screen.tab)
        assert seen == ["output", "messages", "Σ", "output"]
        await screen.click("messages")
        await screen.judged()
        assert screen.tab == "messages"


async def test_hunks_and_files_are_refused_where_there_are_none(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.press(".")
        assert "the output has no parts" in screen.footer


async def test_the_output_is_searched_wrapped_and_copied_as_it_is(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.press("shift+tab", "/")
        await screen.type("passed")
        await screen.see("1 of 1")
        await screen.press("escape", "w")
        assert screen.triage.diff.view.copy_text() == "| 14 passed | ✅ |"


async def test_a_pattern_typed_for_the_output_keeps_its_tab_and_flips_trials(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.press("e")
        await screen.clear_and_type("(?i)status:")
        await screen.see("+1 now pass")
        assert (screen.tab, screen.match) == ("output", "Status:")
        await screen.press("end", "ctrl+u")
        await screen.see("pattern must not be empty")
        assert screen.tab == "output"
        await screen.press("escape", "u")


async def test_a_plain_text_has_the_toggles_of_its_type(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.judged()
        await screen.press("f", "f", "f")
        await screen.judged()
        assert (screen.grader, screen.pattern, screen.result) == (3, "WARNING", "not found")
        await screen.press("e")
        await screen.see("[ ] i any case", "[x] v plain text", "[ ] n must not match")
        assert "whole run" not in screen.pane("graders")
        await screen.press("tab", "space")
        await screen.see("+1 now pass", "[x] i any case")
        assert screen.match == "Warning"


async def test_the_list_of_matches_names_messages_and_lines(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.judged()
        await screen.press("f", "f", "f", "f", "f", "5")
        await screen.judged()
        await screen.press("m")
        await screen.see("message 1, line 1", "password of the subscription's owner?")


async def test_why_not_offers_the_text_in_any_case(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.judged()
        await screen.press("f", "f", "f")
        await screen.judged()
        await screen.press("x")
        await screen.see("any case", "Warning: all data in staging is lost.")


async def test_the_filter_finds_what_was_said(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.press("\\")
        await screen.type("text:polandcentral")
        await screen.see("2 of 11 shown")


async def test_a_grader_of_a_turn_is_marked_as_recorded_with_the_reason(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.press("F", "2")
        await screen.judged()
        assert screen.trial[0] == "name-the-region"
        await screen.see("recorded fail", "turn 0: the record does not say which text that is")
        assert screen.tab == "output"


async def test_a_grader_that_is_added_asks_of_the_text_in_view(opened: Opener) -> None:
    async with opened(RUN) as screen:
        await screen.press("+")
        board, state = screen.session.board, screen.session.state
        assert state.slot is not None
        assert board.config(state.slot, state.edits).type == "output-matches"
