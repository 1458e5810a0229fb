"""Which function does which command, and why a command is not possible now. Owns the table, not the deeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

Deed = Callable[["TriageScreen"], None]
Refusal = Callable[["TriageScreen"], str | None]


class Handlers:
    """A table of deeds by command id; several modules each fill one, and the screen joins them."""

    def __init__(self) -> None:
        self.deeds: dict[str, Deed] = {}
        self.refusals: dict[str, Refusal] = {}

    def does(self, *commands: str, unless: Refusal | None = None) -> Callable[[Deed], Deed]:
        """Register a function for commands; ``unless`` says why they are not possible now, or None."""

        def register(deed: Deed) -> Deed:
            for command in commands:
                self.deeds[command] = deed
                if unless is not None:
                    self.refusals[command] = unless
            return deed

        return register

    def join(self, *others: Handlers) -> Handlers:
        """This table with what the others have."""
        for other in others:
            self.deeds |= other.deeds
            self.refusals |= other.refusals
        return self

    @property
    def commands(self) -> Mapping[str, Deed]:
        """All deeds by command id."""
        return self.deeds
