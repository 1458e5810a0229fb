"""One engine for all tests of the screen that do not harm it, and homes of their own for what the program keeps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.driver import Opener
from vally_tui.engine.client import Engine


@pytest.fixture(scope="session")
def screen_engine() -> Iterator[Engine]:
    with Engine(20) as engine:
        yield engine


@pytest.fixture
def opened(screen_engine: Engine, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Opens the program on a sample: ``async with opened("quickstart") as screen``."""
    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    for name in ("NO_COLOR", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    return Opener(screen_engine)
