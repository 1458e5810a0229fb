"""Checks the fields of a record one by one: a wrong type is written down and the field taken as absent. Never raises."""

from __future__ import annotations

import math

from vally_tui.runs.words import kind_of


class Fields:
    """Reads fields and gathers what is wrong with them."""

    __slots__ = ("faults",)

    def __init__(self) -> None:
        self.faults: list[str] = []
        """Each a clause such as "model is a number"."""

    def text(self, value: object, name: str) -> str | None:
        """A string; None for null and absent."""
        if value is None or isinstance(value, str):
            return value
        self._wrong(value, name)
        return None

    def flag(self, value: object, name: str) -> bool | None:
        """A boolean; None for null and absent."""
        if value is None or isinstance(value, bool):
            return value
        self._wrong(value, name)
        return None

    def number(self, value: object, name: str) -> float | None:
        """A finite number; None for null and absent."""
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._wrong(value, name)
            return None
        number = finite(value)
        if number is None:
            self.faults.append(f"{name} is too large a number")
        return number

    def index(self, value: object, name: str) -> int | None:
        """A whole number from 0; None for null and absent."""
        if value is None:
            return None
        number = whole(value)
        if number is None:
            self.faults.append(f"{name} is {kind_of(value)}, not a whole number from 0")
        return number

    def _wrong(self, value: object, name: str) -> None:
        self.faults.append(f"{name} is {kind_of(value)}")


def whole(value: object) -> int | None:
    """A number with an integer value from 0 as JavaScript sees it (``1.0`` is 1; ``true`` and ``"1"`` are none)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and value >= 0 else None


def finite(value: int | float) -> float | None:
    """The number as a finite float; None where it is beyond one."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
