"""A few pictures of the triage screen, for what words do not tell: colours, layers, places. The rest is tested as text.

After a wanted change: ``pytest tests/ui/test_triage_pictures.py --snapshot-update``, then look at each of them.
"""

from collections.abc import Awaitable, Callable

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.ui.driver import SAMPLES, Driver, Opener

SnapCompare = Callable[..., bool]
Doing = Callable[[Driver], Awaitable[None]]


@pytest.fixture
def looks(
    snap_compare: SnapCompare, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, Doing, tuple[int, int], str], bool]:
    """Whether a sample looks as it did, after something was done: ``looks(sample, do, size, theme)``."""
    # Paths are shown from where the program was started.
    monkeypatch.chdir(SAMPLES.parent)

    def compare(sample: str, do: Doing, size: tuple[int, int], theme: str) -> bool:
        app = opened.program(sample, theme=theme)

        async def before(pilot: Pilot[int]) -> None:
            driver = Driver(app, pilot)
            await driver.until(lambda: app.is_open, "the triage screen is open")
            await driver.judged()
            await do(driver)
            await driver.drawn()

        assert isinstance(app, App)
        return snap_compare(app, terminal_size=size, run_before=before)

    return compare


async def _explained(screen: Driver) -> None:
    """What is looked for once all is judged is found, too."""
    await screen.see("near 1/1")
    if screen.app.size.width >= 100:
        await screen.see("7 passes are weak")


async def _edited(screen: Driver) -> None:
    await _explained(screen)
    await screen.press("e", "backspace")
    await screen.judged()
    await screen.see("+2 now pass")


async def _invalid(screen: Driver) -> None:
    await _edited(screen)
    await screen.type("(")
    await screen.judged()
    await screen.see("Unterminated group", "last valid pattern")


async def _without_evidence(screen: Driver) -> None:
    await screen.press("f", "2")
    await screen.judged()
    await screen.see("turnDiffs holds turns 0, 2")


async def _broken(screen: Driver) -> None:
    await _explained(screen)
    await screen.press("f", "f", "4")
    await screen.judged()
    await screen.see("broken by")


WIDE, SMALL = (120, 36), (80, 24)


@pytest.mark.parametrize(
    ("sample", "do", "size", "theme"),
    [
        pytest.param("quickstart", _explained, WIDE, "vally-dark", id="dark"),
        pytest.param("quickstart", _broken, WIDE, "vally-light", id="light-restraint"),
        pytest.param("quickstart", _explained, SMALL, "vally-dark", id="small"),
        pytest.param("quickstart", _edited, WIDE, "vally-dark", id="edited"),
        pytest.param("quickstart", _invalid, WIDE, "ansi-dark", id="invalid-ansi"),
        pytest.param("multi-turn", _without_evidence, WIDE, "vally-dark", id="without-evidence"),
    ],
)
def test_the_screen_looks_as_it_did(
    looks: Callable[[str, Doing, tuple[int, int], str], bool],
    sample: str,
    do: Doing,
    size: tuple[int, int],
    theme: str,
) -> None:
    assert looks(sample, do, size, theme)
