"""Keys and clicks that come all at once, as over a slow line or from a macro, do what they do one after the other."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.events import Event, Key, MouseDown, MouseUp
from textual.widgets import Input, TextArea

from tests.ui.driver import Driver, Opener
from vally_tui.ui import typeahead
from vally_tui.ui.screens.moves import is_for_evidence
from vally_tui.ui.typeahead import Turn, Typeahead

CASES = {
    "go to what is typed, then a grader": ["t", *"retry trial 3", "enter", "2"],
    "go to the third of what is found": ["t", *"retry", "down", "down", "enter"],
    "leave go to": ["t", *"retry", "escape", "2"],
    "go to, edit there, leave the field with escape": ["t", *"retry trial 3", "enter", "2", "e", *"xx", "escape", "3"],
    "go to twice": ["t", *"retry trial 3", "enter", "t", *"rename trial 2", "enter", "1"],
    "run the second command of those found": [":", *"trial", "down", "enter"],
    "run what help finds": ["?", *"prompt", "enter", "j"],
    "filter, then move": ["\\", *"failed", "enter", "j", "j"],
    "move while filtering": ["\\", *"failed", "down", "down", "enter", "1"],
    "leave the filter": ["\\", *"failed", "escape", "2"],
    "search, walk the finds": ["/", *"add", "down", "enter", "n", "2"],
    "search for what is nowhere": ["/", *"keep it", "enter", "2"],
    "search from elsewhere": ["/", "pagedown", *"keep", "ctrl+u", *"kx", "down", "enter", "1"],
    "a page down in a box": ["b", "pagedown"],
    "undo right behind another trial": ["2", "e", *"xx", "enter", "1", "f", "u", "]"],
    "a line down in the diff of the next trial": ["shift+tab", "f", "j", "j"],
    "the next hunk of the next failing trial": ["f", "f", "]", "."],
    "the next match of the next trial": ["2", "j", "n", "j", "n", "n"],
    "sort, then move": ["S", "j", "j", "enter", "j"],
    "edit, then quit and stay": ["2", "e", *"xx", "enter", "q", "c", "1"],
    "edit, then look at the save": ["2", "e", *"xx", "enter", "ctrl+s", "escape", "3"],
    "toggles of the field": [
        "1",
        "e",
        "x",
        "tab",
        "space",
        "tab",
        "space",
        "shift+tab",
        "shift+tab",
        "y",
        "enter",
        "2",
    ],
    "a grader of the next trial": ["j", "2", "j", "3", "x", "escape", "j", "1"],
    "undo and redo": ["1", "e", *"abc", "enter", "v", "u", "u", "ctrl+r"],
}


@pytest.mark.parametrize("keys", CASES.values(), ids=CASES)
async def test_keys_sent_at_once_do_what_they_do_one_after_the_other(
    opened: Opener, keys: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def all_at_once(desk: Driver) -> None:
        for key in keys:
            desk.send(key)

    async def one_by_one(desk: Driver) -> None:
        await desk.press(*keys)

    # However busy the machine is, a key waits for as long as it takes.
    for limit in ("LONGEST", "LONGEST_LOOK"):
        monkeypatch.setattr(typeahead, limit, 3_600.0)
    outcomes = []
    for way in (one_by_one, all_at_once):
        # Each has a home of its own: an edit of the first would be offered to the second.
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / way.__name__))
        async with opened("quickstart") as desk:
            await way(desk)
            await desk.until(lambda desk=desk: desk.app.is_idle, "all keys have acted")
            await desk.judged()
            await desk.until(lambda desk=desk: _is_explained(desk), "what fails and what passes is explained")
            await desk.drawn()
            state, box = desk.session.state, type(desk.app.screen).__name__
            known = (box, desk.trial, desk.grader, desk.pane_name, state.sort, state.edits)
            outcomes.append((known, desk.screen_text))
    assert outcomes[0] == outcomes[1]


def _is_explained(desk: Driver) -> bool:
    """Whether each pass was looked at, and it is known where the focused grader that fails nearly matches."""
    session = desk.session
    if session._doubts_wait or desk.triage.explainer.is_looking:
        return False
    return session.doubting.next_job(session.board, session.state.edits) is None


async def test_only_keys_for_the_evidence_wait_for_it(opened: Opener) -> None:
    def waits(desk: Driver, *keys: str) -> list[bool]:
        return [is_for_evidence(desk.triage, Key(key, key if len(key) == 1 else None)) for key in keys]

    async with opened("quickstart") as desk:
        assert waits(desk, "n", "m", "J", "s") == [True] * 4
        assert waits(desk, "j", "f", "e", "q", "down", "tab", "nowhere") == [False] * 7
        await desk.press("shift+tab")
        assert waits(desk, "j", "down", "pagedown", "n") == [True] * 4
        await desk.press("e")
        assert waits(desk, "n", "m", "J", "s", "down") == [False] * 5


# Alone


class _App(App[None]):
    """A field, and the keys that came to it."""

    def __init__(self, *, holds: bool = False, field: type[Input | TextArea] = Input) -> None:
        """``holds``: a thread is looking for what a key leads to, for ever."""
        super().__init__()
        self.holds, self.field = holds, field()
        self.broken: list[Exception] = []
        self.seen: list[str] = []
        self.typeahead = Typeahead(
            self, self.act, holds_keys=lambda _: typeahead.LONGEST_LOOK if self.holds else 0, broken=self.broken.append
        )

    def compose(self) -> ComposeResult:
        yield self.field

    async def on_event(self, event: Event) -> None:
        if isinstance(event, Turn) and not event.is_forwarded:
            await self.typeahead.take(event)
        else:
            await super().on_event(event)

    async def act(self, event: Turn) -> None:
        if isinstance(event, MouseDown | MouseUp):
            self.seen.append("press" if isinstance(event, MouseDown) else "release")
        if isinstance(event, Key):
            self.seen.append(event.key)
            if event.key == "f1":
                raise ValueError("as asked")
        await super().on_event(event)

    def comes(self, *keys: str) -> None:
        """The terminal sends keys, and clicks."""
        for key in keys:
            events: list[Turn] = [Key(key, key if len(key) == 1 else None)]
            if key == "click":
                events = [kind(None, 1, 1, 0, 0, 1, False, False, False) for kind in (MouseDown, MouseUp)]
            for event in events:
                event.set_sender(self)
                self.post_message(event)


async def _until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("field", [Input, TextArea])
async def test_text_for_the_same_field_is_never_held_back(
    monkeypatch: pytest.MonkeyPatch, field: type[Input | TextArea]
) -> None:
    monkeypatch.setattr(typeahead, "LONGEST_LOOK", 3_600.0)
    app = _App(holds=True, field=field)
    async with app.run_test():
        app.comes("a", "b", "c")
        await _until(lambda: (app.field.value if isinstance(app.field, Input) else app.field.text) == "abc")


async def test_a_key_behind_what_is_still_looked_for_waits_a_while_and_then_acts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(typeahead, "LONGEST_LOOK", 0.2)
    app = _App(holds=True)
    async with app.run_test():
        app.comes("a", "down", "up")
        await _until(lambda: app.typeahead.is_idle and app.seen == ["a", "down", "up"])


async def test_what_is_looked_for_in_vain_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeahead, "LONGEST_LOOK", 0.2)
    app = _App(holds=True)
    async with app.run_test():
        app.comes("a", "down")
        await _until(lambda: app.typeahead.is_idle and app.seen == ["a", "down"])
        assert not app.typeahead._holds_for()
        app.comes("up", "down")
        await _until(lambda: app.seen == ["a", "down", "up", "down"])


@pytest.mark.parametrize("leaving", ["escape", "click"])
async def test_escape_and_clicks_do_not_wait_for_what_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, leaving: str
) -> None:
    monkeypatch.setattr(typeahead, "LONGEST_LOOK", 3_600.0)
    app = _App(holds=True)
    async with app.run_test():
        app.comes("a", leaving)
        await _until(lambda: app.seen[1:] == (["press", "release"] if leaving == "click" else ["escape"]))


async def test_escape_does_not_hurry_the_keys_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeahead, "LONGEST", 3_600.0)
    monkeypatch.setattr(typeahead, "LONGEST_LOOK", 3_600.0)
    app = _App(holds=True)
    async with app.run_test() as pilot:
        app.comes("a", "down", "escape")
        await pilot.pause()
        assert app.seen == ["a"]
        app.holds = False
        await _until(lambda: app.seen == ["a", "down", "escape"])


async def test_escape_takes_back_the_keys_before_it_that_have_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeahead, "LONGEST", 0.2)
    monkeypatch.setattr(typeahead, "LONGEST_LOOK", 3_600.0)
    app = _App(holds=True)
    async with app.run_test():
        app.comes("a", "enter", "b")
        await _until(lambda: app.typeahead._held_longer_than(typeahead.LONGEST))
        app.comes("escape")
        await _until(lambda: app.seen == ["a", "escape"])


async def test_a_click_acts_behind_the_keys_that_came_before_it_and_ahead_of_those_that_came_after() -> None:
    app = _App()
    async with app.run_test():
        app.comes("down", "up", "click", "left")
        await _until(lambda: app.seen == ["down", "up", "press", "release", "left"])


async def test_an_error_is_told_and_the_next_key_acts() -> None:
    app = _App()
    async with app.run_test():
        app.comes("down", "f1", "up")
        await _until(lambda: app.broken)
        assert [str(error) for error in app.broken] == ["as asked"]
        app.comes("left")
        await _until(lambda: "left" in app.seen)


async def test_keys_from_before_the_screen_is_open_wait_for_it(opened: Opener) -> None:
    app = opened.program("quickstart")
    async with app.run_test() as pilot:
        desk = Driver(app, pilot)
        assert not app.is_open
        desk.send("q")
        await desk.until(lambda: app._exit, "the program ends")
