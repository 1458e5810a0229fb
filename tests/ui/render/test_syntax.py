import pytest

from vally_tui.ui.render.styles import Ink
from vally_tui.ui.render.syntax import lexer_name, tokens


def test_keywords_strings_and_comments_have_their_place_in_the_line() -> None:
    line = 'return "一" # why'
    assert [(line[start:end], ink) for start, end, ink in tokens("python", line)] == [
        ("return", Ink.KEYWORD),
        ('"', Ink.STRING),
        ("一", Ink.STRING),
        ('"', Ink.STRING),
        ("# why", Ink.COMMENT),
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [("src/calc.py", "python"), ("A.TSX", "typescript"), ("x.unknown", None), ("Makefile", None), (None, None)],
)
def test_the_lexer_follows_from_the_file_name(path: str | None, name: str | None) -> None:
    assert lexer_name(path) == name


def test_long_lines_stay_plain() -> None:
    assert tokens("python", "return " + "x" * 2_000) == ()


def test_every_lexer_on_the_list_is_there() -> None:
    from vally_tui.ui.render.syntax import _LEXERS, _lexer

    assert all(_lexer(name) for name in set(_LEXERS.values()))
