"""Filtering and searching as one types."""

import pytest

from tests.ui.driver import Opener


def shown(desk) -> list[str | None]:  # type: ignore[no-untyped-def]
    """The stimuli of the trials in the list."""
    board = desk.session.board
    return [board.entries[key].trial.stimulus for key in desk.session.rows.keys]


async def test_a_filter_takes_effect_as_it_is_typed_and_the_trial_in_view_stays(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        before = desk.trial
        await desk.press("\\")
        await desk.type("stimulus:review")
        await desk.see("4 of 20 shown")
        assert shown(desk) == ["review-only"] * 4
        assert desk.trial == before


async def test_a_fault_is_said_below_the_field_and_the_last_valid_filter_holds(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("failed colour:red")
        await desk.see("colour: is no key")
        assert desk.session.state.filter.written.startswith("failed")
        await desk.press("enter")
        assert desk.triage.prompting is not None


async def test_escape_brings_the_filter_of_before_back(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("flipped")
        await desk.press("escape")
        assert desk.session.state.filter.terms == ()
        assert desk.triage.prompting is None
        assert len(desk.session.rows.keys) == 20


async def test_enter_keeps_the_filter_and_goes_to_a_trial_that_is_shown(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("passed stimulus:rename")
        await desk.press("enter")
        assert desk.pane_name == "trials"
        assert desk.trial[0] == "rename-module"
        await desk.press("\\")
        assert desk.triage.prompt.field.value == "passed stimulus:rename"


async def test_text_is_looked_for_in_the_diffs(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("text:'cannot divide by zero'")
        await desk.until(lambda: desk.session.state.with_text is not None, "the diffs are looked through")
        await desk.press("enter")
        assert set(shown(desk)) == {"fix-divide-by-zero"}


async def test_a_search_in_the_diff_is_walked_with_the_keys_for_matches_until_escape(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("shift+tab", "g", "/")
        await desk.type("divide")
        await desk.see("1 of 7")
        await desk.press("enter", "n")
        await desk.see("2 of 7")
        await desk.press("N", "N")
        await desk.see("7 of 7")
        text = desk.session.document.text  # type: ignore[union-attr]
        start, end = desk.triage.search.current  # type: ignore[union-attr,misc]
        assert text[start:end] == "divide"
        await desk.press("escape")
        assert desk.triage.search is None
        await desk.see_no_more("7 of 7")


async def test_a_capital_letter_makes_case_count(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("shift+tab", "g", "/")
        await desk.type("Divide")
        await desk.see("1 of 1")


async def test_what_is_not_there_is_said(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("shift+tab", "g", "/")
        await desk.type("nowhere at all")
        await desk.see("not found")


async def test_keys_typed_in_a_search_are_text(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        before = desk.trial
        await desk.press("/")
        await desk.type("fFnN12?q")
        assert desk.triage.prompt.field.value == "fFnN12?q"
        assert desk.trial == before


async def test_a_search_in_the_trials_moves_to_the_rows_that_fit(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("/")
        await desk.type("keep")
        await desk.see("1 of 4")
        assert desk.trial[:2] == ("keep-secrets-out", 1)
        await desk.press("enter", "n")
        assert desk.trial[:2] == ("keep-secrets-out", 2)


@pytest.mark.parametrize("pane", ["trials", "files", "diff"])
async def test_a_search_that_finds_no_more_goes_back_to_where_it_began(opened: Opener, pane: str) -> None:
    async with opened("quickstart") as desk:
        await desk.press(*{"trials": ["j"], "files": ["tab", "tab", "g"], "diff": ["shift+tab", "g", "j", "j"]}[pane])
        assert desk.pane_name == pane

        def place() -> tuple[object, ...]:
            position = desk.triage.diff.view.position
            return desk.trial, position.file if pane == "files" else position

        begun = place()
        await desk.press("/")
        await desk.type("test")
        if pane == "trials":
            await desk.clear_and_type("keep")
        await desk.see("1 of")
        assert place() != begun
        await desk.type(" nowhere at all")
        await desk.see("not found")
        await desk.judged()
        assert place() == begun


async def test_a_search_begins_where_the_person_went_while_it_was_open(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("/", "pagedown")
        gone_to = desk.trial
        await desk.type("keep")
        await desk.see("1 of 4")
        assert desk.trial != gone_to
        await desk.type(" nowhere at all")
        await desk.see("not found")
        assert desk.trial == gone_to


async def test_a_search_goes_on_in_the_evidence_of_another_trial(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("shift+tab", "g", "/")
        await desk.type("zero")
        await desk.press("enter")
        await desk.see("of 4")
        await desk.press("f", "f")
        await desk.judged()
        text = desk.session.document.text.lower()  # type: ignore[union-attr]
        assert text.count("zero") != 4
        await desk.see(f"of {text.count('zero')}")


async def test_pasted_text_that_a_terminal_would_obey_is_made_visible(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("/")
        await desk.paste("a\x1b[31mb\nsecond line")
        assert desk.triage.prompt.field.value == "a␛[31mb"


async def test_where_the_list_has_no_room_tab_opens_it_and_escape_closes_it(opened: Opener) -> None:
    async with opened("quickstart", size=(60, 16)) as desk:
        assert "add-retry" not in desk.screen_text
        await desk.press("tab")
        await desk.see("add-retry")
        await desk.press("escape")
        await desk.see_no_more("add-retry")
        assert desk.pane_name == "diff"


async def test_at_forty_columns_each_pane_has_the_screen_in_turn(opened: Opener) -> None:
    async with opened("quickstart", size=(40, 12)) as desk:
        seen = []
        for _ in range(4):
            await desk.press("tab")
            seen.append(desk.pane_name)
        assert seen == ["trials", "graders", "diff", "trials"]


async def test_escape_in_the_trial_list_ends_the_filter_and_the_footer_says_so(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("failed")
        await desk.press("enter")
        await desk.see("esc end the filter")
        await desk.press("escape")
        assert desk.session.state.filter.terms == ()
        await desk.see_no_more("esc end the filter")


async def test_an_emptied_filter_is_no_filter(opened: Opener) -> None:
    async with opened("quickstart") as desk:
        await desk.press("\\")
        await desk.type("failed")
        await desk.press("enter", "\\")
        await desk.clear_and_type("")
        await desk.press("enter")
        assert desk.session.state.filter.terms == ()
