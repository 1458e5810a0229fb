"""The flags prefix, the short form of V8's message, and time limits. Messages were taken from Node 20."""

import pytest

from vally_tui.grading.pattern import FULL_LIMIT, TYPING_LIMIT, Pattern, TimeLimit, literal, regex, short_message


@pytest.mark.parametrize(
    ("written", "source", "flags"),
    [
        ("def divide", "def divide", ""),
        ("(?i)def", "def", "i"),
        ("(?m)^diff --git a/src/", "^diff --git a/src/", "m"),
        ("(?ms)a.b", "a.b", "ms"),
        ("(?smi)a", "a", "smi"),
        ("(?i)", "", "i"),
        # A repeated letter stays: V8 refuses it.
        ("(?ii)a", "a", "ii"),
        # Only the first prefix is one.
        ("(?i)(?m)a", "(?m)a", "i"),
        # These are no prefix for Vally and go to V8 as they are.
        ("(?x)a", "(?x)a", ""),
        ("(?I)a", "(?I)a", ""),
        ("(?i:a)", "(?i:a)", ""),
        ("(?)a", "(?)a", ""),
        ("(?-i)a", "(?-i)a", ""),
        ("(?gi)a", "(?gi)a", ""),
        (" (?i)a", " (?i)a", ""),
        ("a(?i)b", "a(?i)b", ""),
        ("(?i", "(?i", ""),
        ("(?i)\nfoo", "\nfoo", "i"),
    ],
)
def test_only_a_leading_group_of_i_m_s_becomes_the_flags(written: str, source: str, flags: str) -> None:
    assert regex(written) == Pattern("regex", source, flags, written)


def test_a_literal_keeps_what_looks_like_a_flags_prefix() -> None:
    assert literal("(?i)a.b") == Pattern("literal", "(?i)a.b", "", "(?i)a.b")


@pytest.mark.parametrize(
    ("written", "message", "short"),
    [
        ("[bad", "Invalid regular expression: /[bad/: Unterminated character class", "Unterminated character class"),
        (
            "(?i)[bad",
            "Invalid regular expression: /[bad/i: Unterminated character class",
            "Unterminated character class",
        ),
        # V8 writes the flags in alphabetical order.
        ("(?mi)a(", "Invalid regular expression: /a(/im: Unterminated group", "Unterminated group"),
        ("(?smi)+", "Invalid regular expression: /+/ims: Nothing to repeat", "Nothing to repeat"),
        ("a\n(", "Invalid regular expression: /a\n(/: Unterminated group", "Unterminated group"),
        ("(/: (", "Invalid regular expression: /(/: (/: Unterminated group", "Unterminated group"),
        (
            "(?ii)a",
            "Invalid flags supplied to RegExp constructor 'ii'",
            "Invalid flags supplied to RegExp constructor 'ii'",
        ),
        ("(?x)a", "Invalid regular expression: /(?x)a/: Invalid group", "Invalid group"),
        (
            "other",
            "Invalid regular expression: /[bad/: Unterminated character class",
            "Invalid regular expression: /[bad/: Unterminated character class",
        ),
    ],
)
def test_the_exact_prefix_of_v8s_message_is_cut_else_nothing_is(written: str, message: str, short: str) -> None:
    assert short_message(regex(written), message) == short


@pytest.mark.parametrize(
    ("limit", "units", "seconds"),
    [
        (FULL_LIMIT, 0, 1.0),
        (FULL_LIMIT, 20_000_000, 2.0),
        (TYPING_LIMIT, 0, 0.15),
        (TYPING_LIMIT, 10_000_000, 0.35),
        (TimeLimit(5.0), 1_000_000, 5.05),
    ],
)
def test_a_time_limit_grows_with_the_text(limit: TimeLimit, units: int, seconds: float) -> None:
    assert limit.seconds(units) == pytest.approx(seconds)
