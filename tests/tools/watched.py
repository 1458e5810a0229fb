"""Starts the program with a pulse in its event loop, for the benchmark: how long the loop was ever kept from its work.

    python -m tests.tools.watched FILE [--unjudged] ARGUMENT…

At SIGUSR1 the largest gap since the last one is written to FILE, in milliseconds. With ``--unjudged`` what is typed is
not judged: the same program without its judging, to compare the echo with.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import vally_tui.ui.app as app_module
from vally_tui.cli.main import main
from vally_tui.triage.judge import JudgingService

EVERY = 0.001


class WatchedApp(app_module.VallyApp):
    """The program's app with a pulse."""

    CSS_PATH = str(Path(app_module.__file__).with_name("app.tcss"))
    figures = Path()

    def on_mount(self) -> None:
        self._largest = 0.0
        self._pulse = asyncio.get_running_loop().create_task(self._beat())
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self._tell)

    async def _beat(self) -> None:
        before = time.perf_counter()
        while True:
            await asyncio.sleep(EVERY)
            now = time.perf_counter()
            self._largest = max(self._largest, now - before - EVERY)
            before = now

    def _tell(self) -> None:
        self.figures.write_text(f"{self._largest * 1000:.2f}\n")
        self._largest = 0.0


def start(arguments: Sequence[str]) -> int:
    """Start the program; its exit status."""
    WatchedApp.figures = Path(arguments[0])
    rest = list(arguments[1:])
    app_module.VallyApp = WatchedApp  # type: ignore[misc]
    if rest[0] == "--unjudged":
        del rest[0]
        JudgingService.want = JudgingService.view = lambda *_, **__: None  # type: ignore[method-assign]
    return main(rest)


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
