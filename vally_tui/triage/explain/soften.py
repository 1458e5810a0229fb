"""Small relaxations of a pattern, each on its own or together, written as patterns again. Pure; nothing is matched here."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.pattern import Pattern
from vally_tui.triage.regex_syntax import Kind, Syntax, Term, Terms, chars, is_word, parse, walk, written

_HEADER_WORDS = ("diff --git ", "--- ", "+++ ", "rename from ", "rename to ", "copy from ", "copy to ")
_LONGEST_WORD = 16
"""Terms of the longest word that a row of a header begins with, and some more."""
_LONGEST_NAME = 400
"""Terms of a path that are looked at as one stretch."""
_OCTAL = re.compile(r"(?:\\[0-3][0-7]{2})+")
_SIGNS = "+- "


class Soft(StrEnum):
    """A relaxation."""

    QUOTES = "either quote"
    CASE = "any case"
    LINES = "^ and $ at lines"
    SPELLING = "path as git quotes it"
    PREFIX = "with or without a/, b/"
    COLUMN = "sign column left out"
    BLANKS = "blanks of any length"
    SPACING = "blanks anywhere"
    DOTALL = ". across lines"
    SIGN = "any sign"
    ANYWHERE = "not only added lines"


COST = {
    Soft.QUOTES: 10,
    Soft.CASE: 11,
    Soft.LINES: 12,
    Soft.SPELLING: 13,
    Soft.PREFIX: 14,
    Soft.COLUMN: 15,
    Soft.BLANKS: 16,
    Soft.SPACING: 22,
    Soft.DOTALL: 30,
    Soft.SIGN: 32,
    Soft.ANYWHERE: 36,
}
"""How far each goes from what was written: our order, the smallest first."""
OF_DIFFS = frozenset({Soft.SPELLING, Soft.PREFIX, Soft.COLUMN, Soft.SIGN, Soft.ANYWHERE})
"""What only makes sense in the text of a diff."""
WIDER = frozenset({Soft.DOTALL, Soft.ANYWHERE})
TRIED = {
    Soft.QUOTES: "either quote",
    Soft.CASE: "any case",
    Soft.LINES: "^ and $ at every line",
    Soft.SPELLING: "the path as git quotes it",
    Soft.PREFIX: "a/ and b/ left out or added",
    Soft.COLUMN: "the sign column of a diff line",
    Soft.BLANKS: "blanks of any length",
    Soft.SPACING: "blanks anywhere",
    Soft.DOTALL: ". across lines",
    Soft.SIGN: "removed and unchanged lines",
    Soft.ANYWHERE: "all lines",
}
"""The words of a relaxation that was tried in vain."""


class Form(Struct, frozen=True):
    """A pattern that can be softened."""

    syntax: Syntax
    flags: str = ""

    @property
    def source(self) -> str:
        """The regex without its flags."""
        return written(self.syntax)

    @property
    def whole(self) -> str:
        """The regex with its flags prefix, as a config has it."""
        flags = "".join(letter for letter in "ims" if letter in self.flags)
        return f"(?{flags}){self.source}" if flags else self.source


def form_of(pattern: Pattern) -> Form | None:
    """A pattern as a form; None where it cannot be looked into."""
    if pattern.kind != "regex":
        return Form((chars(pattern.source),), "i" if pattern.kind == "folded" else "")
    syntax = parse(pattern.source)
    return None if syntax is None else Form(syntax, pattern.flags)


def soften(form: Form, softs: frozenset[Soft]) -> Form:
    """The pattern with these relaxations; equal to ``form`` where none of them applies."""
    flags = form.flags
    syntax = form.syntax
    for soft, letter in ((Soft.CASE, "i"), (Soft.LINES, "m"), (Soft.DOTALL, "s")):
        if soft in softs and letter not in flags and _uses(syntax, letter):
            flags += letter
    if softs & {Soft.COLUMN, Soft.SIGN, Soft.ANYWHERE} and "m" not in flags and _has(syntax, Kind.START):
        # A sign column is only there at the start of a line.
        flags += "m"
        if form.flags.count("m") == 0 and _softened(syntax, softs) == syntax:
            flags = form.flags
    softened = Form(_softened(syntax, softs), flags)
    return bare(softened) if Soft.ANYWHERE in softs else softened


def bare(form: Form) -> Form:
    """The form without flags that make no difference to it."""
    return replace(form, flags="".join(letter for letter in form.flags if _uses(form.syntax, letter)))


def applicable(form: Form) -> tuple[Soft, ...]:
    """The relaxations that change this pattern, the smallest first."""
    return tuple(soft for soft in sorted(Soft, key=COST.__getitem__) if soften(form, frozenset({soft})) != form)


def _uses(syntax: Syntax, letter: str) -> bool:
    """Whether a flag can make a difference."""
    if letter == "i":
        return any(_has_case(term) for term in walk(syntax))
    return _has(syntax, Kind.DOT) if letter == "s" else _has(syntax, Kind.START) or _has(syntax, Kind.END)


def _has_case(term: Term) -> bool:
    text = term.char if term.kind is Kind.CHAR else term.source if term.source.startswith("[") else ""
    return text.lower() != text.upper()


def _has(syntax: Syntax, kind: Kind) -> bool:
    return any(term.kind is kind or _has(term.options, kind) for terms in syntax for term in terms)


def _softened(syntax: Syntax, softs: frozenset[Soft], *, outer: bool = True) -> Syntax:
    return tuple(_softened_terms(terms, softs, outer=outer) for terms in syntax)


def _softened_terms(terms: Terms, softs: frozenset[Soft], *, outer: bool) -> Terms:
    terms = tuple(
        replace(term, options=_softened(term.options, softs, outer=False)) if term.options else term for term in terms
    )
    if Soft.ANYWHERE in softs:
        terms = _anywhere(terms)
    if Soft.PREFIX in softs:
        terms = _path_prefix(terms)
    if Soft.SPELLING in softs:
        terms = _quoted_path(terms)
    if Soft.SIGN in softs:
        terms = _any_sign(terms, outer=outer)
    spaced = _spaced(terms, softs)
    return tuple(_quote(term) for term in spaced) if Soft.QUOTES in softs else spaced


@cache
def _term(source: str) -> Terms:
    syntax = parse(source)
    assert syntax is not None
    return syntax[0]


_SIGN_COLUMN = _term("[ +-]")
_AB = _term("(?:[a-z]/)?")
_QUOTE_MARK = _term('"?')


def _quote(term: Term) -> Term:
    if not (term.kind is Kind.CHAR and term.char in "'\"`"):
        return term
    either = "[\"'`]" if term.char == "`" else "['\"]"
    return replace(term, kind=Kind.SET, source=either, char="")


# Blanks and the sign column


def _spaced(terms: Terms, softs: frozenset[Soft]) -> Terms:
    if not softs & {Soft.BLANKS, Soft.SPACING, Soft.COLUMN}:
        return terms
    made: list[Term] = []
    position = 0
    while position < len(terms):
        end = _end_of_blanks(terms, position)
        if end > position:
            made += _blank_run(terms, position, end, softs)
            position = end
            continue
        term = terms[position]
        made.append(term)
        position += 1
        if term.kind is Kind.START and Soft.COLUMN in softs and not _begins_with_sign(terms, position):
            made += _SIGN_COLUMN
        elif Soft.SPACING in softs and _joint(terms, position):
            made += _term(r"\s*")
    return tuple(made)


def _end_of_blanks(terms: Terms, position: int) -> int:
    while position < len(terms) and terms[position].is_char(" \t\r\n"):
        position += 1
    return position


def _blank_run(terms: Terms, start: int, end: int, softs: frozenset[Soft]) -> Terms:
    run = terms[start:end]
    lines = [term for term in run if term.char == "\n"]
    if lines and Soft.COLUMN in softs:
        return _lines_with_column(terms, start, end, softs)
    if not softs & {Soft.BLANKS, Soft.SPACING}:
        return run
    before = terms[start - 1] if start else None
    after = terms[end] if end < len(terms) else None
    words = before is not None and after is not None and _wordish(before) and _wordish(after)
    # The sign column is a blank too, which must not be taken for indentation that can be left out.
    if before is not None and before.kind is Kind.START:
        return run
    return _term(r"\s*" if Soft.SPACING in softs and not words and not lines else r"\s+")


def _lines_with_column(terms: Terms, start: int, end: int, softs: frozenset[Soft]) -> Terms:
    """A run of blanks with line ends, each line of a diff beginning with its sign."""
    loose = bool(softs & {Soft.BLANKS, Soft.SPACING})
    made: list[Term] = []
    position = start
    while position < end:
        term = terms[position]
        position += 1
        if term.char != "\n":
            made += () if loose or (term.char == "\r" and terms[position : position + 1]) else (term,)
            continue
        made += _term(r"[ \t]*\r?\n" if loose else r"\r?\n")
        if position < len(terms) and not _begins_with_sign(terms, position):
            made += _SIGN_COLUMN
            made += _term(r"[ \t]*") if loose else ()
    return tuple(made)


def _begins_with_sign(terms: Terms, position: int) -> bool:
    """Whether the pattern names the sign of the line itself."""
    if position >= len(terms):
        return False
    term = terms[position]
    if term.kind is Kind.SET:
        return any(sign in term.source for sign in "+-")
    if term.kind is Kind.CHAR and term.char in "+-@\\":
        return True
    literal = "".join(other.char for other in _literal_run(terms, position, _LONGEST_WORD))
    return any(
        literal.startswith(word) for word in (*_HEADER_WORDS, "index ", "new file", "deleted file", "similarity")
    )


def _literal_run(terms: Terms, position: int, longest: int) -> Terms:
    """The plain characters from here on, at most so many."""
    end = position
    while end < min(len(terms), position + longest) and terms[end].is_char():
        end += 1
    return terms[position:end]


def _wordish(term: Term) -> bool:
    return (term.kind is Kind.CHAR and is_word(term.char)) or term.source in (r"\w", r"\d")


def _joint(terms: Terms, position: int) -> bool:
    """Whether blanks may stand between the term before ``position`` and the one there: beside punctuation."""
    if not 0 < position < len(terms):
        return False
    left, right = terms[position - 1], terms[position]
    plain = left.is_char() and right.is_char() and not left.char.isspace() and not right.char.isspace()
    return plain and not (is_word(left.char) and is_word(right.char)) and left.char != right.char


# Signs


def _is_sign(terms: Terms, position: int, *, outer: bool) -> bool:
    term = terms[position]
    if not (term.is_char("+-") or (term.kind is Kind.SET and term.source in (r"[+-]", r"[-+]", r"[\+-]", r"[-\+]"))):
        return False
    if position == 0:
        return outer
    before = terms[position - 1]
    return before.kind is Kind.START or before.is_char("\n")


def _any_sign(terms: Terms, *, outer: bool) -> Terms:
    return tuple(
        _SIGN_COLUMN[0] if _is_sign(terms, position, outer=outer) else term for position, term in enumerate(terms)
    )


def _anywhere(terms: Terms) -> Terms:
    """The pattern without its leading ``^\\+.*``."""
    if len(terms) < 3 or terms[0].kind is not Kind.START or not _is_sign(terms, 1, outer=False):
        return terms
    position = 2
    while position < len(terms) and terms[position].least == 0 and terms[position].kind in (Kind.DOT, Kind.SET):
        position += 1
    return terms[position:] or terms


# Paths


def _path_prefix(terms: Terms) -> Terms:
    """``a/`` and ``b/`` made optional, and let in behind the words of a header."""
    made: list[Term] = []
    position = 0
    while position < len(terms):
        made += _AB if _behind_header_word(terms, position) and not _is_prefix(terms, position) else ()
        if _is_prefix(terms, position):
            made += _AB
            position += 2
        else:
            made.append(terms[position])
            position += 1
    return tuple(made)


def _is_prefix(terms: Terms, position: int) -> bool:
    return (
        position + 2 < len(terms)
        and terms[position].is_char("ab")
        and terms[position + 1].is_char("/")
        and not (position and (terms[position - 1].is_char() and not terms[position - 1].is_char(' "')))
    )


def _behind_header_word(terms: Terms, position: int) -> bool:
    if not position or not terms[position - 1].is_char(" "):
        return False
    start = position
    while start and position - start < _LONGEST_WORD and terms[start - 1].is_char():
        start -= 1
    return "".join(term.char for term in terms[start:position]) in _HEADER_WORDS


def _quoted_path(terms: Terms) -> Terms:
    """Characters that git writes as octal escapes in either form, and the quote mark that then stands before a path."""
    made: list[Term] = []
    position = 0
    while position < len(terms):
        made += _QUOTE_MARK if _behind_header_word(terms, position) and not terms[position].is_char('"') else ()
        taken, spelled = _spelling(terms, position)
        made += spelled or (terms[position],)
        position += max(taken, 1)
    return tuple(made)


def _spelling(terms: Terms, position: int) -> tuple[int, Terms]:
    """How many terms from here are one stretch of a path that git may spell otherwise, and a group of both spellings."""
    if not terms[position].is_char() or (terms[position].char.isascii() and terms[position].char != "\\"):
        return 0, ()
    run = _literal_run(terms, position, _LONGEST_NAME)
    text = "".join(term.char for term in run)
    octal = _OCTAL.match(text)
    if octal is not None:
        plain = bytes(int(digits, 8) for digits in octal[0].split("\\")[1:]).decode("utf-8", "replace")
        return octal.end(), _either(octal[0], plain)
    end = 0
    while end < len(text) and not text[end].isascii():
        end += 1
    if not end:
        return 0, ()
    spelled = "".join(f"\\{byte:03o}" for byte in text[:end].encode("utf-8", "surrogatepass"))
    return end, _either(text[:end], spelled)


def _either(one: str, other: str) -> Terms:
    return (Term(Kind.GROUP, "(?:", options=(chars(one), chars(other))),)
