"""The tree of a pattern: what is read, that it is written again as it was, and that V8 takes every beginning of it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vally_tui.engine.client import Engine
from vally_tui.grading.pattern import regex
from vally_tui.triage.regex_syntax import (
    Kind,
    Syntax,
    chars,
    escape,
    literal_of,
    modifiers,
    parse,
    repeated_names,
    walk,
    weight,
    written,
)

CASES = Path(__file__).parents[1] / "data" / "regex-cases.jsonl"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(24) as running:
        yield running


def all_beginnings(syntax: Syntax) -> list[str]:
    """Every beginning of each alternative, at the outermost level."""
    return [written((terms[:cut],)) for terms in syntax for cut in range(len(terms) + 1)]


def valid_sources() -> list[str]:
    """Patterns of Node's answers that it takes with flags of i, m and s only."""
    found = {}
    for line in CASES.read_text("utf-8").split("\n"):
        case = json.loads(line) if line else {}
        if case and case["kind"] != "literal" and case["ok"] and set(case["flags"]) <= set("ims"):
            found[case["pattern"]] = None
    return list(found)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("a.b", [Kind.CHAR, Kind.DOT, Kind.CHAR]),
        (r"^\d+$", [Kind.START, Kind.SET, Kind.END]),
        (r"[^\]x]\b", [Kind.SET, Kind.BOUNDARY]),
        (r"(a)(?:b)(?<n>c)\1\k<n>", [Kind.GROUP, Kind.GROUP, Kind.GROUP, Kind.BACKREF, Kind.BACKREF]),
        (r"(?=a)(?!b)(?<=c)(?<!d)", [Kind.LOOK] * 4),
        (r"\p{L}", [Kind.CHAR] * 4),
        (r"a{2}{", [Kind.CHAR, Kind.CHAR]),
        (r"]}", [Kind.CHAR, Kind.CHAR]),
        (r"\k<n>", [Kind.CHAR] * 4),
        (r"\cA\c", [Kind.CHAR] * 2),
    ],
)
def test_terms_have_their_kinds(source: str, kinds: list[Kind]) -> None:
    syntax = parse(source)
    assert syntax is not None
    assert [term.kind for term in syntax[0]] == kinds


@pytest.mark.parametrize(
    ("source", "char"),
    [
        (r"\n", "\n"),
        (r"\x41", "A"),
        (r"\u00e9", "é"),
        (r"\0", "\0"),
        (r"\101", "A"),
        (r"\8", "8"),
        (r"\cJ", "\n"),
        (r"\q", "q"),
    ],
)
def test_escapes_of_one_character_are_read(source: str, char: str) -> None:
    syntax = parse(source)
    assert syntax is not None
    assert [term.char for term in syntax[0]] == [char]


@pytest.mark.parametrize(
    ("source", "least", "most"),
    [
        ("a", 1, 1),
        ("a?", 0, 1),
        ("a*", 0, None),
        ("a+?", 1, None),
        ("a{3}", 3, 3),
        ("a{2,}", 2, None),
        ("a{2,4}?", 2, 4),
    ],
)
def test_quantifiers_are_read(source: str, least: int, most: int | None) -> None:
    syntax = parse(source)
    assert syntax is not None
    assert (syntax[0][0].least, syntax[0][0].most) == (least, most)


@pytest.mark.parametrize("source", ["(", ")", "[", "*", "a**", "{1}", "\\", "(?<n", "(?x)", "^*", "(?<=a)*"])
def test_what_v8_refuses_is_not_read(engine: Engine, source: str) -> None:
    assert engine.check([regex(source)]) != [None]
    assert parse(source) is None


def test_alternatives_are_told_apart_at_each_level() -> None:
    syntax = parse("a|(b|c)d")
    assert syntax is not None
    assert len(syntax) == 2
    assert [written((option,)) for option in syntax[1][0].options] == ["b", "c"]


def test_a_plain_text_is_known_as_one() -> None:
    syntax = parse(r"a\.b\(")
    assert syntax is not None
    assert literal_of(syntax) == "a.b("
    other = parse("a.b")
    assert other is not None
    assert literal_of(other) is None


@given(st.text(max_size=40))
def test_an_escaped_text_is_read_as_that_text(text: str) -> None:
    syntax = parse(escape(text))
    assert syntax is not None
    assert literal_of(syntax) == text
    assert written((chars(text),)) == escape(text)


def test_every_pattern_that_node_takes_is_read_and_written_as_it_was() -> None:
    sources = valid_sources()
    assert len(sources) > 500
    assert [source for source in sources if (syntax := parse(source)) is None or written(syntax) != source] == []


def test_v8_takes_every_beginning_of_a_pattern(engine: Engine) -> None:
    # A reference to a named group needs that group, so those patterns have beginnings that V8 refuses.
    sources = [source for source in valid_sources() if "\\k<" not in source]
    beginnings = [
        part for source in sources if (syntax := parse(source)) is not None for part in all_beginnings(syntax)
    ]
    # A cut can bring a quantifier's letters next to a flags prefix, which is no part of the syntax.
    parts = [part for part in dict.fromkeys(beginnings) if not part.startswith("(?")]
    refused = [
        (part, why) for part, why in zip(parts, engine.check([regex(part) for part in parts]), strict=True) if why
    ]
    assert refused == []


@given(st.text("ab()[]{}|?*+.^$\\1,-:=!<>d", max_size=14))
def test_reading_never_fails_and_changes_nothing(source: str) -> None:
    syntax = parse(source)
    assert syntax is None or written(syntax) == source
    assert syntax is None or all(term.text for term in walk(syntax))


@pytest.mark.parametrize(
    ("source", "value"), [("abc", 3), (r"\(\)", 1), ("a*", 0), ("(?:ab|cde)", 2), (".*x", 1), (r"\s+", 0)]
)
def test_the_weight_is_what_a_match_must_hold(source: str, value: int) -> None:
    syntax = parse(source)
    assert syntax is not None
    assert weight(syntax) == value


@pytest.mark.parametrize(
    ("source", "needs"), [("(?i:a)", True), ("(?-s:a)", True), ("(?:a)", False), ("a", False), (r"\(?i:a", False)]
)
def test_groups_that_switch_flags_are_found(source: str, needs: bool) -> None:
    syntax = parse(source)
    assert syntax is not None
    assert modifiers(syntax) is needs


def test_names_that_are_given_twice_are_found() -> None:
    assert repeated_names("(?<a>x)|(?<a>y)") == ("a",)
    assert repeated_names(r"(?<a>x)|[(?<a>]|\(?<a>") == ()


def test_patterns_that_are_nested_very_deeply_are_not_looked_into() -> None:
    assert parse("(" * 5000 + ")" * 5000) is None
