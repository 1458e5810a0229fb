"""When what has changed is drawn: at once for what the person does, a few times a second for what comes in meanwhile.

Between two drawings it has the session work out what the news means for the trials, a little at a time, so that keys are
heard. What is drawn is the screen's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from vally_tui.triage.events import Changed

if TYPE_CHECKING:
    from textual.timer import Timer

    from vally_tui.ui.screens.triage import TriageScreen

PATIENCE = 0.1
"""Seconds between two drawings of what comes in by itself."""
SETTLE = 0.012
"""Seconds of working out standings in one go, so that no key waits for it."""
BETWEEN_SETTLING = 0.02
"""Seconds between two such goes."""
_AT_ONCE = Changed.STATE | Changed.DOCUMENT | Changed.MATCHES | Changed.JOB


class Pace:
    """Gathers what has changed until it is drawn."""

    def __init__(self, screen: TriageScreen, key_repeats: Callable[[], bool]) -> None:
        """``key_repeats``: whether the same key waits to act again: what it passes by needs not all be drawn."""
        self._screen = screen
        self._key_repeats = key_repeats
        self._changed = Changed.NOTHING
        self._drawing = False
        """Whether a drawing is on its way."""
        self._drawn_at = 0.0
        self._later: Timer | None = None
        self._settling: Timer | None = None

    @property
    def is_idle(self) -> bool:
        """Whether all that has changed is drawn and worked out."""
        return not (self._changed or self._drawing or self._later or self._settling)

    def changed(self, changed: Changed) -> None:
        """Have these parts drawn anew, soon."""
        self._changed |= changed
        if not self._changed:
            return
        at_once = changed & _AT_ONCE and not self._key_repeats()
        if at_once or time.monotonic() - self._drawn_at > PATIENCE:
            if not self._drawing:
                self._drawing = True
                self._screen.call_later(self._draw)
        elif self._later is None:
            self._later = self._screen.set_timer(PATIENCE, self._draw)

    def draw_now(self, changed: Changed) -> None:
        """Draw these parts, and all that waits, before this returns."""
        self._changed |= changed
        self._draw()

    def _draw(self) -> None:
        self._drawing = False
        if self._later is not None:
            self._later.stop()
            self._later = None
        followed, done = self._followed()
        self._screen.take_jobs()
        changed, self._changed = self._changed | followed, Changed.NOTHING
        self._screen.show_news(changed)
        self._drawn_at = time.monotonic()
        if not done:
            self._settle_soon()
        if self._screen.session.rows_are_old:
            self.changed(Changed.VERDICTS)

    def _settle_soon(self) -> None:
        if self._settling is None:
            self._settling = self._screen.set_timer(BETWEEN_SETTLING, self._settle)

    def _settle(self) -> None:
        self._settling = None
        followed, done = self._followed()
        self.changed(followed | Changed.VERDICTS)
        if not done:
            self._settle_soon()

    def _followed(self) -> tuple[Changed, bool]:
        """Work out some standings: what that changed, as the first failure may come into view, and whether all is done."""
        followed, done = self._screen.session.settle(SETTLE)
        if followed:
            self._screen.forget_place()
        return followed, done
