"""What a terminal would show: takes the bytes of a full-screen program, keeps the grid of characters.

It knows what Textual sends and little more: cursor moves, erasing, modes, text. Colours are dropped. Bytes that no
program of ours should send (titles, clipboard, unknown sequences) are kept aside, for the tests on hostile text.
"""

from __future__ import annotations

import codecs
import re

from rich.cells import get_character_cell_size

_SEQUENCE = re.compile(
    r"\x1b\[(?P<private>[<=>?]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b(?P<string>[\]P_^X])(?P<said>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b(?P<simple>[@-Z\\-~0-9=>]|[()][A-Z0-9])"
)
_PART_OF_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]P_^X][^\x07\x1b]*\x1b?|[()])?\Z")
_PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")

_BLANK = " "
_BEHIND_WIDE = ""


class ScreenText:
    """The grid of one terminal."""

    def __init__(self, columns: int = 120, rows: int = 40) -> None:
        self.columns, self.rows = columns, rows
        self.modes: set[str] = set()
        """Private modes that are on, such as ``1049`` (the alternate screen) and ``1000`` (the mouse)."""
        self.strings: list[str] = []
        """Everything sent as OSC, DCS, APC, PM or SOS."""
        self.controls: list[str] = []
        """Control characters other than CR, LF, BS and TAB, and sequences whose kind is unknown."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._blank()

    def resize(self, columns: int, rows: int) -> None:
        """Another size; what was shown is gone, as the program paints everything anew."""
        self.columns, self.rows = columns, rows
        self._blank()

    def feed(self, data: bytes) -> None:
        """Take in what the program wrote."""
        text, self._rest = self._rest + self._decoder.decode(data), ""
        at = 0
        while at < len(text):
            plain = _PLAIN.match(text, at)
            if plain is not None:
                self._write(plain.group())
                at = plain.end()
            elif text[at] == "\x1b":
                found = _SEQUENCE.match(text, at)
                if found is None and _PART_OF_SEQUENCE.match(text, at):
                    self._rest = text[at:]
                    return
                self._obey(found, text[at : at + 2])
                at = found.end() if found is not None else at + 1
            else:
                self._control(text[at])
                at += 1

    @property
    def lines(self) -> list[str]:
        """The rows as texts, without the blanks at their ends."""
        return ["".join(row).rstrip() for row in self._grid]

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join(self.lines)

    @property
    def unpainted(self) -> list[int]:
        """The rows, from 0, in which some cell was never written since the last resize."""
        return [number for number, painted in enumerate(self._painted) if not all(painted)]

    def _blank(self) -> None:
        self._grid = [[_BLANK] * self.columns for _ in range(self.rows)]
        self._painted = [bytearray(self.columns) for _ in range(self.rows)]
        self._x = self._y = 0

    def _write(self, text: str) -> None:
        for character in text:
            width = 1 if " " <= character <= "~" else get_character_cell_size(character)
            if width == 0:
                continue
            for cell, shown in ((self._x, character), (self._x + 1, _BEHIND_WIDE)):
                if cell < min(self._x + width, self.columns) and self._y < self.rows:
                    self._grid[self._y][cell] = shown
                    self._painted[self._y][cell] = 1
            self._x += width

    def _control(self, character: str) -> None:
        match character:
            case "\r":
                self._x = 0
            case "\n":
                self._x, self._y = 0, min(self._y + 1, self.rows - 1)
            case "\b":
                self._x = max(self._x - 1, 0)
            case "\t":
                self._x = min(self._x // 8 * 8 + 8, self.columns - 1)
            case _:
                self.controls.append(character)

    def _obey(self, found: re.Match[str] | None, start: str) -> None:
        if found is None:
            self.controls.append(start)
        elif found["string"]:
            self.strings.append(found["string"] + found["said"])
        elif found["final"]:
            self._sequence(found["private"], found["numbers"], found["final"])

    def _sequence(self, private: str, numbers: str, final: str) -> None:
        values = [int(number) if number.isdigit() else 0 for number in numbers.split(";")]
        if private == "?" and final in "hl":
            if "1049" in numbers.split(";"):
                # To the alternate screen or back from it; what was on the other one was never ours.
                self._blank()
            (self.modes.update if final == "h" else self.modes.difference_update)(numbers.split(";"))
        elif final in "Hf" and not private:
            row, column = (*values, 1, 1)[:2] if numbers else (1, 1)
            self._y, self._x = min(max(row, 1), self.rows) - 1, min(max(column, 1), self.columns) - 1
        elif final in "ABCD" and not private:
            self._move(final, max(values[0], 1))
        elif final in "JK" and not private:
            self._erase(final, values[0])
        elif final not in "mhlnpqrtuc":
            self.controls.append(f"\x1b[{private}{numbers}{final}")

    def _move(self, final: str, count: int) -> None:
        down = {"A": -count, "B": count}.get(final, 0)
        right = {"C": count, "D": -count}.get(final, 0)
        self._y = min(max(self._y + down, 0), self.rows - 1)
        self._x = min(max(self._x + right, 0), self.columns - 1)

    def _erase(self, final: str, kind: int) -> None:
        if final == "J" and kind in (2, 3):
            self._grid = [[_BLANK] * self.columns for _ in range(self.rows)]
        elif final == "K":
            first, last = {0: (self._x, self.columns), 1: (0, self._x + 1)}.get(kind, (0, self.columns))
            self._grid[self._y][first:last] = [_BLANK] * (last - first)
