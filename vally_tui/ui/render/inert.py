"""Makes text from outside inert: the one function that every run, spec, path, pattern and message passes before the screen.

One code point in, one visible code point out, so that offsets stay true. What a terminal would obey or hide is replaced:
control characters by their pictures, all invisible and direction-changing ones by U+FFFD. That includes the joiner
and the variation selectors of emoji: patterns match code points, and one that nobody sees would make a near miss
a riddle, so an emoji sequence is shown as its parts. Combining marks stay; they are seen.
"""

from __future__ import annotations

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_INVISIBLE = (
    (0xAD, 0xAD),  # soft hyphen
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),  # zero width, joiners, direction marks
    (0x2028, 0x202E),  # separators, embeddings, overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, isolates
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # tags, further variation selectors
)


class _Table(dict[int, str]):
    """A translation that makes its entries as they are met, since ranges of it are wide."""

    def __missing__(self, code: int) -> str:
        self[code] = replaced = _picture(code)
        return replaced


def _picture(code: int) -> str:
    """The visible stand-in of a code point, or itself."""
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    if 0x80 <= code < 0xA0 or 0xD800 <= code < 0xE000:
        return REPLACEMENT
    if any(first <= code <= last for first, last in _INVISIBLE):
        return REPLACEMENT
    return chr(code)


_TABLE = _Table()


def inert(text: str) -> str:
    """The text as it may be drawn, with as many code points as it had; a tab becomes its picture."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_TABLE)


def inert_character(character: str) -> str:
    """``inert`` for one character."""
    return _TABLE[ord(character)]
