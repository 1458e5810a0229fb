"""Where a refused pattern is wrong; the messages are V8's (Node 20), the places are counted by hand."""

import pytest

from vally_tui.triage.pattern_fault import pattern_fault


@pytest.mark.parametrize(
    ("pattern", "message", "at"),
    [
        ("raise ValueError(", "Unterminated group", 16),
        (r"a\((b[(]c", "Unterminated group", 3),
        ("(?i)x(", "Unterminated group", 5),
        ("😀(", "Unterminated group", 1),
        (r"a[b\]-", "Unterminated character class", 1),
        ("(a))b", "Unmatched ')'", 3),
        ("a\\", "\\ at end of pattern", 1),
        ("*a", "Nothing to repeat", 0),
        ("a**", "Nothing to repeat", 2),
        ("a??b|+", "Nothing to repeat", 5),
        ("a{1}{2}", "Nothing to repeat", 4),
        ("(?:*)", "Nothing to repeat", 3),
        (r"x\b+", "Nothing to repeat", 3),
        ("a{1,2}b{2,1}", "numbers out of order in {} quantifier", 7),
        ("(?:a)(?x)b", "Invalid group", 5),
    ],
)
def test_the_place_of_a_fault(pattern: str, message: str, at: int) -> None:
    fault = pattern_fault(pattern, f"Invalid regular expression: /{pattern}/: {message}")
    assert fault is not None
    assert fault.at == at


def test_a_bracket_is_written_with_a_backslash() -> None:
    fault = pattern_fault("f(", "Unterminated group")
    assert fault is not None
    assert fault.advice == r"write \( for the sign itself"


@pytest.mark.parametrize("message", ["Invalid capture group name", "Invalid named capture referenced", "other"])
def test_no_place_is_told_that_is_not_sure(message: str) -> None:
    assert pattern_fault("(?<1>a)", message) is None
