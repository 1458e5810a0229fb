"""Three quiet hues for code: keywords, strings, comments, one line at a time. Colours only what is shown.

Lines are coloured each for itself, so a string over many lines is not known as one. Which lexer is used follows from
the file name, out of a short list: a run may name its files as it likes and must not choose a slow lexer.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vally_tui.ui.render.styles import Ink

if TYPE_CHECKING:
    from pygments.lexer import Lexer

LONGEST = 2_000
"""Code points of a line above which it is not coloured."""

_LEXERS = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".jsx": "javascript", ".ts": "typescript", ".tsx": "typescript", ".json": "json", ".yaml": "yaml", ".yml": "yaml",
    ".toml": "toml", ".go": "go", ".rs": "rust", ".java": "java", ".kt": "kotlin", ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cs": "csharp", ".rb": "ruby", ".php": "php", ".sh": "bash",
    ".bash": "bash", ".sql": "sql", ".css": "css",
}  # fmt: skip

Token = tuple[int, int, Ink]
"""First and last-plus-one code point of a line, and its colour."""


def lexer_name(path: str | None) -> str | None:
    """The lexer for a file, by its suffix; None where its lines stay plain."""
    return _LEXERS.get(PurePosixPath(path).suffix.lower()) if path else None


@lru_cache(maxsize=32)
def _lexer(name: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name  # not needed for the first frame

    return get_lexer_by_name(name)


def _ink(kind: object) -> Ink | None:
    from pygments.token import Token as Kind

    if kind in Kind.Comment:
        return Ink.COMMENT
    if kind in Kind.Literal.String:
        return Ink.STRING
    if kind in Kind.Keyword or kind in Kind.Operator.Word:
        return Ink.KEYWORD
    return None


@lru_cache(maxsize=2_048)
def tokens(name: str, line: str) -> tuple[Token, ...]:
    """The coloured stretches of one line of code (without the diff's sign), in order."""
    if len(line) > LONGEST or not line.strip():
        return ()
    try:
        found = [(at, at + len(text), _ink(kind)) for at, kind, text in _lexer(name).get_tokens_unprocessed(line)]
    except Exception:  # noqa: BLE001  (a lexer of another project over hostile text: colour is never worth a crash)
        return ()
    return tuple((start, end, ink) for start, end, ink in found if ink is not None)
