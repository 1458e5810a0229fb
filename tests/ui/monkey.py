"""Presses random keys at random sizes and looks every few keys whether the screen still stands. Also run by hand:

python -m tests.ui.monkey SAMPLE KEYS SEED
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from tests.ui.driver import SAMPLES, Driver, Opener
from vally_tui.engine.client import Engine
from vally_tui.ui.commands import COMMANDS

TYPED = [*"abz019 .*+?()[]{}|^$\\/-'\"é漢\u202e", "backspace", "delete", "left", "right", "home", "end", "ctrl+u"]
LEAVES = ("quit", "spec.editor", "save")
"""Commands that would end the program, hand the terminal over, or write. The palette may still come to them."""
KEYS = [key for command in COMMANDS if command.id not in LEAVES for key in command.keys] + ["escape", "enter", "tab"]
SIZES = [(200, 60), (120, 36), (100, 30), (80, 24), (60, 16), (40, 12), (20, 8), (10, 3)]
RESIZE, TYPE = 0.03, 0.35
"""How often the size changes, and how often text is typed rather than a command asked for."""
LOOK = 5
"""Keys between two looks at the whole screen."""


def contents(folder: Path) -> dict[str, str]:
    """What a folder holds: path -> digest of its bytes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def playground(sample: str, folder: Path) -> Path:
    """A copy of a sample, since even a monkey may come to save: it is then the spec that changes, never the run."""
    return Path(shutil.copytree(SAMPLES / sample, folder / sample, symlinks=True))


def recorded(files: dict[str, str]) -> dict[str, str]:
    """What a run has recorded, so all but specs."""
    return {path: digest for path, digest in files.items() if not path.endswith("eval.yaml")}


class Monkey:
    """Notes what it does, so that a failure can be done again."""

    def __init__(self, screen: Driver, seed: int) -> None:
        self._screen = screen
        self._random = random.Random(seed)
        self.done: list[str] = []

    async def play(self, keys: int) -> None:
        """Press so many keys."""
        for count in range(keys):
            if self._screen.app._exit:
                return
            await self._act()
            if count % LOOK == 0:
                self._look()
        self._look()

    async def _act(self) -> None:
        if self._random.random() < RESIZE:
            width, height = self._random.choice(SIZES)
            self.done.append(f"{width}x{height}")
            await self._screen.resize(width, height)
            return
        key = self._random.choice(TYPED if self._random.random() < TYPE else KEYS)
        self.done.append(key)
        await self._screen.press(key)

    def _look(self) -> None:
        app = self._screen.app
        if app._exception is not None:
            raise AssertionError(f"after {self.done[-30:]}") from app._exception
        if app._exit:
            return
        width, height = app.size
        strips = app.screen._compositor.render_strips()
        assert len(strips) == height, self.done[-10:]
        for strip in strips:
            assert strip.cell_length == width, (self.done[-10:], strip.text)
            assert "could not be drawn" not in strip.text, self.done[-10:]
        session = self._screen.session
        assert len(session.board.entries) >= sum(session.board.tally.values())


async def _by_hand(sample: str, keys: int, seed: int) -> None:
    """Starts anew, with the next seed, whenever the monkey has found the way out."""
    with Engine(20) as engine, tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        os.chdir(folder)
        run = playground(sample, Path(folder))
        before, samples = recorded(contents(run)), contents(SAMPLES)
        pressed = 0
        while pressed < keys:
            async with Opener(engine)(run, timeout=0.2) as screen:
                monkey = Monkey(screen, seed)
                try:
                    await monkey.play(keys - pressed)
                finally:
                    pressed += len(monkey.done)
                    print(f"{sample} seed {seed}: {pressed} of {keys} keys", flush=True)
                seed += 1
        assert recorded(contents(run)) == before, "a run was written to"
        assert contents(SAMPLES) == samples, "a sample was written to"


if __name__ == "__main__":
    asyncio.run(_by_hand(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
