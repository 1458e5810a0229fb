"""What a pattern says by its syntax alone."""

import pytest

from vally_tui.diffs.model import LineKind
from vally_tui.grading.pattern import regex
from vally_tui.triage.explain.shape import (
    aims,
    anchors_without_m,
    dots_stop_at_lines,
    never_matches,
    path_dots,
    slow_shape,
)
from vally_tui.triage.explain.soften import Form
from vally_tui.triage.regex_syntax import parse


def form(text: str) -> Form:
    pattern = regex(text)
    syntax = parse(pattern.source)
    assert syntax is not None
    return Form(syntax, pattern.flags)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("^def", "^ without (?m) is only the very beginning of the diff, which is never 'def'"),
        (r"^\s*def", "^ without (?m) is only the very beginning of the diff, which is never 'def'"),
        (r"^\+foo", "^ without (?m) is only the very beginning of the diff, which is never '+foo'"),
        ("(?m)^def", "no line of a diff begins with 'def': lines of code begin with +, - or a blank"),
        ("x^y", "^ without (?m) is only the very beginning of the diff, and something must stand before it"),
        ("y$z", "$ without (?m) is only the very end of the diff, and something must stand behind it"),
        ("^def|^class", "^ without (?m) is only the very beginning of the diff, which is never 'def'"),
    ],
)
def test_patterns_that_no_diff_can_hold_are_known(pattern: str, reason: str) -> None:
    assert never_matches(form(pattern)) == reason


@pytest.mark.parametrize(
    "pattern",
    [
        "def", "^diff --git", "(?i)^DIFF", r"(?m)^\+def", "(?m)^ def", "(?m)^index [0-9a-f]+", "(?m)^rename to x", "^d?def",
        "^def|class", "(?m)^[+-]def", "^.*def", r"(?m)^\s*def", "(?m)^new file mode", r"(?m)^\\ No newline", "^--- a/x",
        "^(?:def|diff)", "(?m)x$\ny",
    ],
)  # fmt: skip
def test_patterns_that_some_diff_can_hold_are_left_alone(pattern: str) -> None:
    assert never_matches(form(pattern)) is None


@pytest.mark.parametrize(
    ("pattern", "kinds"),
    [
        ("def", set()),
        (r"(?m)^\+def", set()),
        (r"(?m)^-def", {LineKind.REMOVED}),
        (r"(?m)^[+-]def", {LineKind.REMOVED}),
        ("(?m)^ def", {LineKind.CONTEXT}),
        ("diff --git a/x", {LineKind.HEADER, LineKind.BINARY}),
        (r"\+\+\+ b/x", {LineKind.HEADER, LineKind.BINARY}),
        ("(?m)^rename to x", {LineKind.HEADER, LineKind.BINARY}),
        (r"@@ .* def", {LineKind.HUNK_HEADER, LineKind.SECTION}),
        ("a-b", set()),
    ],
)
def test_the_lines_that_a_pattern_names_itself(pattern: str, kinds: set[LineKind]) -> None:
    assert aims(form(pattern)) == kinds


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        ("(a+)+$", "(a+)+"),
        ("(?:a*)*b", "(?:a*)*"),
        ("((?:a+))+b", "((?:a+))+"),
        ("(?:a|a)*b", "(?:a|a)*"),
        ("x(.|a)*y", "(.|a)*"),
        ("([a-z]+)*!", "([a-z]+)*"),
        (r"(a+){10,}", "(a+){10,}"),
    ],
)
def test_repetitions_that_can_cut_a_text_in_many_ways_are_known(pattern: str, slow: str) -> None:
    assert slow_shape(form(pattern)) == slow


@pytest.mark.parametrize("pattern", ["(ab+)+", r"(?:.|\n)*x", "(a+b)*", "(?:foo|bar)+", "a+b+", "(a+)?", "(a?){3}"])
def test_repetitions_that_can_not_are_left_alone(pattern: str) -> None:
    assert slow_shape(form(pattern)) is None


def test_anchors_without_m_are_named() -> None:
    assert anchors_without_m(form("^a")) == "^"
    assert anchors_without_m(form("a$|b")) == "$"
    assert anchors_without_m(form("(^a)b$")) == "^ and $"
    assert anchors_without_m(form("(?m)^a$")) is None
    assert anchors_without_m(form(r"[^a]\$")) is None


def test_dots_in_file_names_are_found() -> None:
    assert path_dots(form("a/src/calc.py b/")) == ("a/src/calc.py",)
    assert path_dots(form(r"src/calc\.py|x.json")) == ("x.json",)
    assert path_dots(form("foo.*bar|a.b|x.pyramid")) == ()


def test_dots_that_cannot_reach_the_code_of_a_file_are_found() -> None:
    assert dots_stop_at_lines(form(r"diff --git a/src/.*^\+foo"))
    assert dots_stop_at_lines(form(r"(?m)^\+\+\+ b/x.*^\+foo"))
    assert not dots_stop_at_lines(form(r"(?s)diff --git a/src/.*^\+foo"))
    assert not dots_stop_at_lines(form(r"diff --git a/.*b/src"))
