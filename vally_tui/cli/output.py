"""Standard output: the only writer of it. Owns how text from outside is made harmless, colour, and how JSON is written."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import TextIO

from vally_tui.errors import VallyTuiError

_BUFFER = 1 << 16
"""Characters that are handed over at once; a line each would be a system call each on some set-ups."""

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]

_HIDDEN = frozenset({"Cf", "Cs", "Zl", "Zp"})
# Letters and marks by their category, but nothing is seen of them.
_BLANK = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0})
_VARIATION = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))


def inert(text: str) -> str:
    """Text from outside as a terminal may show it: one visible character for each that it would obey or hide.

    Control characters become their pictures; what changes direction, joins, separates or is invisible, and lone
    surrogates, become U+FFFD. The length stays the same. Newlines count as control characters.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_VISIBLE)


class _Visible(dict[int, str]):
    """A translation that grows with the characters that are met."""

    def __missing__(self, code: int) -> str:
        self[code] = shown = _visible(code)
        return shown


def _visible(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    character = chr(code)
    category = unicodedata.category(character)
    hidden = category == "Cc" or category in _HIDDEN or code in _BLANK or any(code in part for part in _VARIATION)
    return "\N{REPLACEMENT CHARACTER}" if hidden else character


_VISIBLE = _Visible()


class Tone(Enum):
    """What a word means to the eye, as a terminal's own colours; the word and its sign say the same without."""

    PLAIN = ""
    STRONG = "1"
    MUTED = "2"
    PASS = "32"
    FAIL = "1;31"
    WARN = "33"


class Output:
    """Writes standard output. A reader that has gone raises BrokenPipeError; it is for the one catch site."""

    def __init__(self, stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> None:
        """``stream``: None where the program was started without a standard output; then nothing is written."""
        self._stream = stream
        self._waiting: list[str] = []
        self._size = 0
        self.is_terminal = stream is not None and stream.isatty()
        self.coloured = self.is_terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        if stream is not None and hasattr(stream, "reconfigure"):
            # A terminal that knows no sign of ours gets its escape instead of an error.
            stream.reconfigure(errors="backslashreplace")

    def toned(self, text: str, tone: Tone) -> str:
        """The text in a tone, where colours are wanted; its own content must be inert already."""
        return f"\x1b[{tone.value}m{text}\x1b[0m" if self.coloured and tone.value and text else text

    def line(self, text: str = "") -> None:
        """Write one line, whose content must be inert already."""
        self.write(text + "\n")

    def json_line(self, value: JsonValue) -> None:
        """Write a JSON value on one line."""
        self.write(json_text(value) + "\n")

    def write(self, text: str) -> None:
        """Write text as it is; it is handed over when there is much of it, or by ``flush``."""
        self._waiting.append(text)
        self._size += len(text)
        if self._size >= _BUFFER:
            self.flush()

    def flush(self) -> None:
        """Hand over what is written so far."""
        text, self._waiting, self._size = "".join(self._waiting), [], 0
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.abandon()
            raise VallyTuiError(f"standard output cannot be written: {error.strerror}") from error

    def abandon(self) -> None:
        """Let what is not written go nowhere, so that the end of the process does not fail on it again."""
        self._waiting = []
        if self._stream is not None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


def json_text(value: JsonValue) -> str:
    """A value as compact JSON in printable ASCII, so that nothing in it can do anything to a terminal."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False).replace("\x7f", "\\u007f")
