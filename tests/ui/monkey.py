"""Presses random keys at random sizes and looks every few keys whether all still stands. Also run by hand:

    python -m tests.ui.monkey SAMPLE KEYS SEED

It fails on an exception in any thread, on a row or a cell that nobody drew or that shows what was before, on an edit that
a key changed or took away which edits nothing, that undo and redo do not bring back, or that the journal does not hold in
the end, and on a file that came to be, changed or went without a save.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from textual.widgets import Input, TextArea

from tests.ui import driver
from tests.ui.driver import SAMPLES, Driver, Opener
from tests.ui.freshness import stale_rows
from tests.ui.strips import strips
from vally_tui.engine.client import Engine
from vally_tui.errors import SaveRefused
from vally_tui.spec.edit import SpecEdit
from vally_tui.spec.journal import Journal
from vally_tui.triage.journalled import entries_of, unsaved_changes
from vally_tui.ui.commands import COMMANDS
from vally_tui.ui.screens import saving
from vally_tui.ui.screens.keeper import journal_key
from vally_tui.ui.screens.triage import TriageScreen

TYPED = [*"abz019 .*+?()[]{}|^$\\/-'\"é漢\u202e", "backspace", "delete", "left", "right", "home", "end", "ctrl+u"]
LEAVES = ("quit", "spec.editor", "suspend")
"""Commands that would end the program or hand the terminal over. The palette may still come to the first."""
KEYS = [key for command in COMMANDS if command.id not in LEAVES for key in command.keys] + ["escape", "enter", "tab"]
COMMAND_OF = {key: command.id for command in COMMANDS for key in command.keys}
SIZES = [(200, 60), (120, 36), (100, 30), (80, 24), (60, 16), (40, 12), (20, 8), (10, 3)]
RESIZE, TYPE = 0.03, 0.35
"""How often the size changes, and how often text is typed rather than a command asked for."""
LOOK = 5
"""Keys between two looks at the whole screen."""
ON_ITS_WAY = 100
"""How often it is looked again, a hundredth of a second later, whether a row is as it should be."""
COPIED = "copied.txt"
"""What was copied, for terminals that have no clipboard."""
MOST_UNDONE = 40
"""Steps that are taken back and done again in the end."""


def contents(*folders: Path) -> dict[Path, str]:
    """What folders hold: path -> digest of its bytes."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def playground(sample: str, folder: Path) -> Path:
    """A copy of a sample, since a monkey saves: it is then the spec that changes, never the run."""
    return Path(shutil.copytree(SAMPLES / sample, folder / sample, symlinks=True))


@contextmanager
def written_by_saves_only(*folders: Path) -> Iterator[None]:
    """Fails when a file changes that was not saved, but for journals and what was copied, which have to be private.

    Saves stay in the first folder.
    """
    before, saved = contents(SAMPLES, *folders), set[Path]()
    save, write_new = saving.save, saving.write_new

    def noted(path: Path) -> Path:
        if not path.resolve().is_relative_to(folders[0].resolve()):
            raise SaveRefused("the monkey writes here only")
        saved.add(path.resolve())
        return path

    with (
        patch.object(saving, "save", lambda path, digest, text: save(noted(path), digest, text)),
        patch.object(saving, "write_new", lambda path, text: write_new(noted(path), text)),
    ):
        yield
    after = contents(SAMPLES, *folders)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    others = {path for path in changed if path.resolve() not in saved}
    assert all(path.parent.name == "journal" or path.name == COPIED for path in others), others
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in others if path.exists()), others


class Monkey:
    """Notes what it does, so that a failure can be done again."""

    def __init__(self, screen: Driver, seed: int) -> None:
        self._screen = screen
        self._random = random.Random(seed)
        self.done: list[str] = []
        asyncio.get_running_loop().set_exception_handler(self._note)
        self._noted: list[object] = []

    async def play(self, keys: int) -> None:
        """Press so many keys."""
        for count in range(keys):
            if self._screen.app._exit:
                return
            await self._act()
            if count % LOOK == 0 or self._screen.app._exception is not None:
                await self._look()
        await self._look()

    def unsaved(self) -> tuple[SpecEdit, ...]:
        """What the journal has to hold once the program has ended."""
        session = self._screen.session
        given = session.spec is not None and session.spec.given
        return entries_of(unsaved_changes(session.board, session.state, given=given))

    async def take_back_and_do_again(self) -> None:
        """Undo what can be undone, then redo it: every edit has to be there again."""
        await self._leave_boxes()
        state = self._screen.session.state
        steps = min(len(state.past), MOST_UNDONE)
        for command in ("edit.undo", "edit.redo"):
            for _ in range(steps):
                self._screen.triage.action_command(command)
                await self._screen.handled()
        await self._look()
        assert self._screen.session.state.edits == state.edits, self.done[-30:]

    async def _leave_boxes(self) -> None:
        for _ in range(20):
            if self._screen.app._exit or not self._edits_by(self._screen.app.focused):
                return
            await self._screen.press("escape")
        raise AssertionError(("escape leads nowhere", self.done[-30:], self._screen.screen_text))

    def _edits_by(self, focused: object) -> bool:
        """Whether a plain key may edit something now: it goes to a field or to a box."""
        app = self._screen.app
        in_field = isinstance(focused, Input | TextArea) or self._screen.session.state.typing_slot is not None
        return not isinstance(app.screen, TriageScreen) or in_field

    async def _act(self) -> None:
        before = self.unsaved()
        if self._random.random() < RESIZE:
            width, height = self._random.choice(SIZES)
            self.done.append(f"{width}x{height}")
            may_edit = self._edits_by(self._screen.app.focused)
            await self._screen.resize(width, height)
        else:
            key = self._random.choice(TYPED if self._random.random() < TYPE else KEYS)
            self.done.append(key)
            command = COMMAND_OF.get(key, "leave")
            may_edit = self._edits_by(self._screen.app.focused) or command.startswith("edit.")
            await self._screen.press(key)
        if not may_edit and self._screen.app._exception is None and not self._screen.app._exit:
            # As edits, not as slots: those are others once run or spec was read again.
            assert set(map(repr, self.unsaved())) == set(map(repr, before)), (self.unsaved(), before, self.done[-30:])

    def _note(self, loop: asyncio.AbstractEventLoop, what: dict[str, object]) -> None:
        self._noted.append(what)

    async def _look(self) -> None:
        app = self._screen.app
        if app._exception is not None:
            raise AssertionError(f"after {self.done[-30:]}") from app._exception
        assert not self._noted, (self._noted, self.done[-30:])
        if app._exit:
            return
        assert any(isinstance(screen, TriageScreen) for screen in app.screen_stack), self.done[-30:]
        width, height = app.size
        rows = strips(app)
        assert len(rows) == height, self.done[-10:]
        # All is drawn on a ground of ours, but in the themes of the terminal's own colours: a cell without is nobody's.
        is_terminals = app.theme.startswith("ansi")
        for strip in rows:
            assert strip.cell_length == width, (self.done[-10:], strip.text)
            assert "could not be drawn" not in strip.text, self.done[-10:]
            assert is_terminals or all(part.style and part.style.bgcolor for part in strip), self.done[-10:]
        for _ in range(ON_ITS_WAY):
            if not stale_rows(app):
                break
            await asyncio.sleep(0.01)
            await self._screen.handled()
        else:
            raise AssertionError((stale_rows(app)[:5], app.size, self.done[-30:]))
        session = self._screen.session
        assert len(session.board.entries) >= sum(session.board.tally.values())


async def played(opener: Opener, run: Path, keys: int, seed: int) -> int:
    """Open a run, press keys, and see whether the journal holds what was not saved; how many keys were pressed."""
    async with opener(run, timeout=0.2) as screen:
        monkey = Monkey(screen, seed)
        await monkey.play(keys)
        if not screen.app._exit:
            await monkey.take_back_and_do_again()
        key, unsaved = journal_key(screen.session), monkey.unsaved()
    kept = Journal.of_the_person().pending(key)
    held = kept.edits if kept is not None else ()
    assert set(map(repr, unsaved)) <= set(map(repr, held)), (unsaved, held, monkey.done[-30:])
    return len(monkey.done)


SESSION = 500
"""Keys after which the program is opened anew, by hand: what was not saved is offered then."""


async def _by_hand(sample: str, keys: int, seed: int) -> None:
    with Engine(20) as engine, tempfile.TemporaryDirectory() as place:
        folder, home = Path(place, "folder"), Path(place, "home")
        folder.mkdir(), home.mkdir()
        os.environ["HOME"] = str(home)
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            os.environ.pop(f"XDG_{name}_HOME", None)
        os.chdir(folder)
        # A busy machine is no fault of the program.
        driver.DEADLINE = 300
        run = playground(sample, folder)
        pressed = 0
        with written_by_saves_only(folder, home):
            while pressed < keys:
                print(f"{sample}, seed {seed}: {pressed:,} of {keys:,} keys", flush=True)
                pressed += await played(Opener(engine), run, min(keys - pressed, SESSION), seed)
                seed += 1
        print(f"{sample}: {pressed:,} keys", flush=True)


if __name__ == "__main__":
    asyncio.run(_by_hand(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
