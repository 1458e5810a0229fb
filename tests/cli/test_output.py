"""What reaches standard output: nothing that a terminal obeys, JSON in ASCII, colours only where they are wanted."""

import io
import json

import pytest

from vally_tui.cli.output import Output, Tone, inert, json_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("café 说明 🎉", "café 说明 🎉"),
        ("\x1b[31mred\x1b]0;title\x07", "␛[31mred␛]0;title␇"),
        ("a\r\nb\tc\x00\x7f", "a␍␊b␉c␀␡"),
        ("\x9b31m\x85", "\ufffd31m\ufffd"),
        # Bidirectional controls, zero width characters, separators, tags, variation selectors.
        ("\u202eabc\u2066\u200b\u200d\ufeff", "\ufffdabc\ufffd\ufffd\ufffd\ufffd"),
        ("\u2028\u2029\u00ad\u061c", "\ufffd\ufffd\ufffd\ufffd"),
        ("\U000e0041❤\ufe0f\u3164", "\ufffd❤\ufffd\ufffd"),
        ("\ud83d \udcb2", "\ufffd \ufffd"),
        # Combining marks are seen.
        ("e\u0301", "e\u0301"),
    ],
)
def test_text_from_outside_is_made_inert_character_by_character(text: str, shown: str) -> None:
    assert inert(text) == shown
    assert len(inert(text)) == len(text)


def test_no_control_character_is_left_of_any_in_unicode() -> None:
    shown = inert("".join(map(chr, range(0x110000))))
    assert len(shown) == 0x110000
    assert not {character for character in shown if ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0}
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, None, True, 0.5]}, '{"a":[1,null,true,0.5]}'),
        ("é\U0001f389\udcb2\x7f\x1b\x85", '"\\u00e9\\ud83c\\udf89\\udcb2\\u007f\\u001b\\u0085"'),
    ],
)
def test_json_is_compact_and_in_printable_ascii(value: object, text: str) -> None:
    assert json_text(value) == text  # type: ignore[arg-type]
    assert json.loads(text) == value


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (None, {}, False),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    stream: io.StringIO | None, environment: dict[str, str], coloured: bool
) -> None:
    out = Output(stream, environment)
    assert out.toned("✘ failed", Tone.FAIL) == ("\x1b[1;31m✘ failed\x1b[0m" if coloured else "✘ failed")
    assert out.toned("as it is", Tone.PLAIN) == "as it is"


def test_what_is_written_is_there_after_a_flush() -> None:
    stream = io.StringIO()
    out = Output(stream, {})
    out.line("one")
    out.json_line({"a": 1})
    out.write("x" * 100_000)
    out.flush()
    assert stream.getvalue() == 'one\n{"a":1}\n' + "x" * 100_000
