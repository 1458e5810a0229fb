"""Three quiet hues for code: keywords, strings, comments, one line at a time. Colours only what is shown.

One pass of one expression over a line, which takes about 10 µs. A real lexer (Pygments) was measured at 100 to 600 µs
a line, too much for a page of new lines, and hostile text can make one run for seconds. Lines are coloured each for
itself: a string over many lines is not known as one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

from vally_tui.ui.render.styles import Ink

LONGEST = 2_000
"""Code points of a line above which it is not coloured."""

Token = tuple[int, int, Ink]
"""First and last-plus-one code point of a line, and its colour."""

# A quote that is never closed is a string to the end of the line: so every expression reads a line once.
_DOUBLE = r'"(?:\\.|[^"\\])*"?'
_SINGLE = r"(?<![\w'])'(?:\\.|[^'\\])*'?"
_BACKTICK = r"`(?:\\.|[^`\\])*`?"
_PREFIX = r"(?:(?<!\w)[rbfuRBFU]{1,2}|(?<!\w))"
_PYTHON = (
    rf'{_PREFIX}(?:"""(?:\\.|(?!""")[^\\])*(?:""")?|"(?:\\.|[^"\\])*"?'
    rf"|'''(?:\\.|(?!''')[^\\])*(?:''')?|'(?:\\.|[^'\\])*'?)"
)
_HASH = r"(?:^|(?<=\s))#.*|(?<![\w$&{])#.*"
_SLASH = r"//.*|/\*.*?(?:\*/|$)|^\s*\*(?=[\s/]|$).*"
_BLOCK = r"/\*.*?(?:\*/|$)|^\s*\*(?=[\s/]|$).*"
_DASH = r"--.*|/\*.*?(?:\*/|$)"

_C_LIKE = """
break case const continue default do else enum extern for goto if return sizeof static struct switch typedef union void
volatile while int long short char float double unsigned signed bool true false
"""
_OBJECTS = """
abstract as async await base catch class companion data delete extends final finally fun implements import in instanceof
interface internal is namespace new null object out override package private protected public readonly ref sealed super
this throw throws try using val var virtual when where yield
"""
_WORDS = {
    "python": """
and as assert async await break class continue def del elif else except finally for from global if import in is lambda
match nonlocal not or pass raise return try while with yield None True False
""",
    "script": """
as async await break case catch class const continue debugger declare default delete do else enum export extends false
finally for from function if implements import in instanceof interface keyof let namespace new null of private protected
public readonly return static super switch this throw true try type typeof undefined var void while yield
""",
    "c": _C_LIKE
    + """
auto catch class constexpr delete explicit friend inline namespace new noexcept nullptr operator private protected public
template this throw try typename using virtual
""",
    "objects": _C_LIKE + _OBJECTS,
    "go": """
break case chan const continue default defer else fallthrough for func go goto if import interface map package range
return select struct switch type var nil true false
""",
    "rust": """
as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub
ref return self Self static struct super trait true type unsafe use where while
""",
    "ruby": """
alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue
retry return self super then true undef unless until when while yield
""",
    "php": _C_LIKE
    + """
abstract and array as catch class clone echo elseif extends final finally fn foreach function global implements include
interface isset namespace new null or private protected public require throw trait try use var yield
""",
    "shell": "case do done elif else esac export fi for function if in local readonly return select shift then until while",
    "sql": """
add alter and as begin by case commit create delete desc distinct drop else end exists from group having in index inner
insert into is join key left like limit not null on or order outer primary right select set table then union update
values view when where with
""",
    "data": "true false null yes no on off",
}

_LANGUAGES = {
    "python": (_PYTHON, _HASH, "python"),
    "script": (_DOUBLE + "|" + _SINGLE + "|" + _BACKTICK, _SLASH, "script"),
    "c": (_DOUBLE + "|" + _SINGLE, _SLASH, "c"),
    "objects": (_DOUBLE + "|" + _SINGLE, _SLASH, "objects"),
    "go": (_DOUBLE + "|" + _SINGLE + "|" + _BACKTICK, _SLASH, "go"),
    "rust": (_DOUBLE, _SLASH, "rust"),
    "ruby": (_DOUBLE + "|" + _SINGLE, _HASH, "ruby"),
    "php": (_DOUBLE + "|" + _SINGLE, _SLASH + "|" + _HASH, "php"),
    "shell": (_DOUBLE + "|" + _SINGLE, _HASH, "shell"),
    "sql": (_SINGLE, _DASH, "sql"),
    "json": (_DOUBLE, "(?!)", "data"),
    "yaml": (_DOUBLE + "|" + _SINGLE, _HASH, "data"),
    "css": (_DOUBLE + "|" + _SINGLE, _BLOCK, "data"),
}
"""Language -> strings, comments, and which keywords."""

_SUFFIXES = {
    "python": ".py .pyi",
    "script": ".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte",
    "c": ".c .h .cc .cpp .cxx .hpp",
    "objects": ".java .kt .kts .cs .scala .swift .dart",
    "go": ".go",
    "rust": ".rs",
    "ruby": ".rb",
    "php": ".php",
    "shell": ".sh .bash .zsh",
    "sql": ".sql",
    "json": ".json .jsonl",
    "yaml": ".yaml .yml .toml .ini .cfg",
    "css": ".css .scss .less",
}
_BY_SUFFIX = {suffix: name for name, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_INKS = {"comment": Ink.COMMENT, "string": Ink.STRING, "keyword": Ink.KEYWORD}


@lru_cache(maxsize=256)
def language_of(path: str | None) -> str | None:
    """The language of a file, by its suffix; None where its lines stay plain."""
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower()) if path else None


@lru_cache(maxsize=32)
def _expression(language: str) -> re.Pattern[str]:
    strings, comments, words = _LANGUAGES[language]
    keywords = "|".join(_WORDS[words].split())
    flags = re.IGNORECASE if language == "sql" else re.NOFLAG
    return re.compile(f"(?P<string>{strings})|(?P<comment>{comments})|(?P<keyword>\\b(?:{keywords})\\b)", flags)


@lru_cache(maxsize=2_048)
def tokens(language: str, line: str) -> tuple[Token, ...]:
    """The coloured stretches of one line of code (without the diff's sign), in order."""
    if len(line) > LONGEST:
        return ()
    found = _expression(language).finditer(line)
    return tuple((match.start(), match.end(), _INKS[match.lastgroup or ""]) for match in found)
