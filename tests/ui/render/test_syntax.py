import pytest
from hypothesis import given
from hypothesis import strategies as st

from vally_tui.ui.render.styles import Ink
from vally_tui.ui.render.syntax import _LANGUAGES, language_of, tokens

K, S, C = Ink.KEYWORD, Ink.STRING, Ink.COMMENT


@pytest.mark.parametrize(
    ("language", "line", "found"),
    [
        ("python", 'return "一" # why', [("return", K), ('"一"', S), ("# why", C)]),
        ("python", '    """Divide a by b."""', [('"""Divide a by b."""', S)]),
        ("python", '"""starts here', [('"""starts here', S)]),
        ("python", r"x = 'it\'s' if y else z", [(r"'it\'s'", S), ("if", K), ("else", K)]),
        ("python", "returned = forest", []),
        ("script", "const a = `x` // note", [("const", K), ("`x`", S), ("// note", C)]),
        ("script", " * of a doc comment", [(" * of a doc comment", C)]),
        ("script", "a * b", []),
        ("c", "int a; /* one */ int b;", [("int", K), ("/* one */", C), ("int", K)]),
        ("rust", "fn f<'a>(x: &'a str)", [("fn", K)]),
        ("sql", "select x -- y", [("select", K), ("-- y", C)]),
        ("yaml", "pattern: 'a#b' # see #41", [("'a#b'", S), ("# see #41", C)]),
        ("shell", "echo $# ${#x}", []),
        ("json", '{"a": null}', [('"a"', S), ("null", K)]),
    ],
)
def test_keywords_strings_and_comments_have_their_place(language: str, line: str, found: list[tuple[str, Ink]]) -> None:
    assert [(line[start:end], ink) for start, end, ink in tokens(language, line)] == found


def test_a_prefixed_string_is_one_string() -> None:
    assert tokens("python", "f'calc: {error}'") == ((0, 16, S),)
    assert tokens("python", 'rb"x" + 1') == ((0, 5, S),)
    assert tokens("python", "don't") == ()


@pytest.mark.parametrize(
    ("path", "language"),
    [("src/calc.py", "python"), ("A.TSX", "script"), ("x.unknown", None), ("Makefile", None), (None, None)],
)
def test_the_language_follows_from_the_file_name(path: str | None, language: str | None) -> None:
    assert language_of(path) == language


def test_long_lines_stay_plain() -> None:
    assert tokens("python", "return " + "x" * 2_000) == ()


@given(st.sampled_from(sorted(_LANGUAGES)), st.text(st.sampled_from("\"'`\\#/*- \tabif{$"), max_size=60))
def test_stretches_are_in_order_and_inside_the_line(language: str, line: str) -> None:
    at = 0
    for start, end, _ in tokens(language, line):
        assert at <= start <= end <= len(line)
        at = end
