"""Where V8 cannot be had everything recorded is shown, and it is said why nothing can be judged again."""

import os
from pathlib import Path

import pytest

from tests.ui.driver import Opener
from vally_tui.engine.client import Engine


async def test_without_v8_what_was_recorded_is_shown_and_why_nothing_is_judged_again(
    opened: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "py_mini_racer"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('libmini_racer.so: file too short')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))

    with Engine(20) as engine:
        async with Opener(engine).start("quickstart") as screen:
            await screen.see("nothing can be judged again", "8 failed", "11 passed", "recorded fail")
            await screen.see("def divide(a, b):")
            await screen.press("!")
            await screen.see("mini-racer is missing or broken: libmini_racer.so: file too", "pip install")
            await screen.press("escape", "2", "e", "x")
            await screen.see("4 waiting", "1 unsaved")
