"""The pictures of the README, made from the sample runs: ``python -m tests.tools.make_screenshots [NAME…]``.

Each scene starts the program on a copy of a sample, presses keys as a person would, and keeps what the screen shows.
Chromium turns Textual's SVG into a faithful PNG; it needs the fonts Fira Code, DejaVu Sans Mono, Noto CJK and Noto Color
Emoji (on Debian: ``chromium fonts-firacode fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji``).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from vally_tui.engine.client import Engine
from vally_tui.runs.discover import discover
from vally_tui.triage.options import ScreenOptions
from vally_tui.ui.app import VallyApp
from vally_tui.ui.config import Config

ROOT = Path(__file__).parents[2]
SAMPLES, TARGET = ROOT / "sample_runs", ROOT / "screenshots"
PATIENCE = 15.0
"""Seconds in which a scene must have come to rest."""


def _change_spec(folder: Path) -> None:
    """Somebody else edits the spec while it is open."""
    spec = folder / "eval.yaml"
    text = spec.read_text(encoding="utf-8")
    changed = text.replace("    graders:\n", "    graders:\n      - type: diff-empty\n        turn: 0\n", 1)
    spec.write_text(changed, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture."""

    run: str
    keys: str = ""
    """Textual's names, separated by blanks; ``!`` calls ``meanwhile``."""
    size: tuple[int, int] = (120, 36)
    theme: str = "vally-dark"
    meanwhile: Callable[[Path], None] | None = None
    """What happens on disk while the program is open."""


_MEND = "e backspace left_square_bracket apostrophe quotation_mark right_square_bracket"

SCENES = {
    "main-dark": Scene("quickstart"),
    "main-light": Scene("quickstart", theme="vally-light"),
    "narrow-80x24": Scene("quickstart", size=(80, 24)),
    "edit-live": Scene("quickstart", "e backspace quotation_mark"),
    "edit-invalid": Scene("quickstart", "e backspace left_square_bracket"),
    "save": Scene("quickstart", f"{_MEND} enter ctrl+s"),
    "conflict": Scene("quickstart", f"{_MEND} enter ctrl+s ! enter", meanwhile=_change_spec),
    "why-not": Scene("quickstart", "x"),
    "why-so": Scene("quickstart", "2 x"),
    "restraint": Scene("quickstart", "f f f f"),
    "multi-turn": Scene("multi-turn", "f f"),
    "experiment": Scene("experiment", "b"),
    "facts": Scene("quickstart", "o"),
    "filter": Scene("quickstart", "backslash f a i l e d space m o d e l colon g p t"),
    "help": Scene("quickstart", "question_mark"),
    "hostile": Scene("hostile", "f f"),
    "output": Scene("output-graders"),
}


async def shoot(scene: Scene, engine: Engine) -> str:
    """Play a scene; the screen as SVG."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, scene.run)
        shutil.copytree(SAMPLES / scene.run, folder, symlinks=True)
        os.environ["XDG_STATE_HOME"] = scratch
        os.chdir(scratch)
        discovery = discover([scene.run])
        app = VallyApp(ScreenOptions(runs=(scene.run,), theme=scene.theme), discovery, engine, Config())
        async with app.run_test(size=scene.size) as pilot:
            await _rest(pilot, app)
            for key in scene.keys.split():
                if key == "!":
                    assert scene.meanwhile is not None
                    scene.meanwhile(folder)
                else:
                    await pilot.press(key)
                await _rest(pilot, app)
            return app.export_screenshot(title="vally-tui")


async def _rest(pilot: Pilot[int], app: VallyApp) -> None:
    """Until the run is read and judged and nothing has moved on the screen for a moment."""
    deadline = asyncio.get_running_loop().time() + PATIENCE
    seen, still = "", 0
    while still < 4 and asyncio.get_running_loop().time() < deadline:
        await pilot.pause(0.08)
        now = app.export_screenshot()
        busy = not app.session.progress.done or app.session.is_judging
        still = still + 1 if now == seen and not busy else 0
        seen = now


def to_png(svg: str, target: Path) -> None:
    """The SVG as a PNG of its own size, without ligatures and with every sign one cell wide."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert box is not None
    width, height = float(box[1]), float(box[2])
    fonts = "'Fira Code', 'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', 'Noto Color Emoji', monospace"
    svg = svg.replace("font-family: Fira Code, monospace;", f"font-family: {fonts}; font-variant-ligatures: none;")
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch, "shot.html")
        page.write_text(
            f'<meta charset="utf-8"><body style="margin:0"><div style="width:{width}px;height:{height}px">{svg}</div>',
            encoding="utf-8",
        )
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={scratch}/profile", f"--window-size={int(width) + 1},{int(height) + 1}"]
        command += ["--default-background-color=00000000", f"--screenshot={target}", page.as_uri()]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, timeout=120)


def main() -> None:
    """Make the named pictures, else all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*SCENES, []], metavar="NAME")
    names = parser.parse_args().names or list(SCENES)
    TARGET.mkdir(exist_ok=True)
    os.environ.pop("NO_COLOR", None)
    for name in names:
        # An engine keeps texts by trial, and each scene counts its trials anew: so each has an engine of its own.
        with Engine(24) as engine:
            to_png(asyncio.run(shoot(SCENES[name], engine)), TARGET / f"{name}.png")
        print(f"{name}: {(TARGET / f'{name}.png').stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
