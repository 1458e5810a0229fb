"""JavaScript's regex syntax as a tree, for flags i, m and s (no u, no v). Owns reading and writing it, no matching.

It reads what V8 accepts, in the grammar of ECMAScript's Annex B; whether V8 accepts a pattern is for V8 to say, so what
cannot be read is None and no fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

_DEEPEST = 100
"""Groups inside groups; deeper patterns are not looked into."""
_QUANTIFIER = re.compile(r"(?:[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\})\??", re.ASCII)
_NAMED = re.compile(r"\(\?<(?![=!])([^>]*)>")
_MODIFIERS = re.compile(r"\(\?([ims]*)(?:-([ims]*))?:")
_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_SPECIAL = frozenset("\\^$.|?*+()[]{}")
_SHOWN = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\f": "\\f", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Kind(StrEnum):
    """What a term is."""

    CHAR = "character"
    DOT = "dot"
    SET = "set"
    """A class in brackets, or one of ``\\d \\D \\w \\W \\s \\S``."""
    START = "start"
    """``^``"""
    END = "end"
    """``$``"""
    BOUNDARY = "boundary"
    """``\\b`` and ``\\B``"""
    GROUP = "group"
    LOOK = "look"
    """A lookahead or lookbehind."""
    BACKREF = "backreference"


class Term(Struct, frozen=True):
    """One piece of a pattern with its quantifier."""

    kind: Kind
    source: str
    """As it is written, without the quantifier; for groups only the opening, such as ``(?:``."""
    quantifier: str = ""
    least: int = 1
    most: int | None = 1
    """None: without an end."""
    char: str = ""
    """The character of a CHAR; two for ``\\c`` without a letter."""
    options: tuple[Terms, ...] = ()
    """The alternatives of a group."""

    @property
    def text(self) -> str:
        """As it is written."""
        if self.kind in (Kind.GROUP, Kind.LOOK):
            return f"{self.source}{written(self.options)}){self.quantifier}"
        return self.source + self.quantifier

    @property
    def single(self) -> bool:
        """Whether it stands exactly once."""
        return not self.quantifier

    def is_char(self, characters: str = "") -> bool:
        """Whether it is one character, once; one of these, if any are given."""
        return self.kind is Kind.CHAR and self.single and (not characters or self.char in characters)


Terms = tuple[Term, ...]
Syntax = tuple[Terms, ...]
"""The alternatives of a whole pattern; one where it has no ``|`` outside of groups."""


def written(options: Syntax) -> str:
    """The pattern of these alternatives."""
    return "|".join("".join(term.text for term in terms) for terms in options)


def parse(source: str) -> Syntax | None:
    """The alternatives of a pattern without its flags prefix; None where it cannot be read."""
    reader = _Reader(source)
    try:
        options = reader.options(0)
    except _Unreadable:
        return None
    return options if reader.position == len(source) else None


def escape(text: str) -> str:
    """A pattern that matches exactly this text."""
    return "".join(escaped_char(char) for char in text)


def escaped_char(char: str) -> str:
    """A pattern that matches exactly this character."""
    return "\\" + char if char in _SPECIAL else _SHOWN.get(char, char)


def chars(text: str) -> Terms:
    """The terms that match exactly this text."""
    return tuple(Term(Kind.CHAR, escaped_char(char), char=char) for char in text)


def literal_of(options: Syntax) -> str | None:
    """The one text that a pattern matches; None where it is no plain text."""
    if len(options) != 1 or not all(term.is_char() for term in options[0]):
        return None
    return "".join(term.char for term in options[0])


def walk(options: Syntax) -> Iterator[Term]:
    """Every term, also inside groups, in the order of writing."""
    for terms in options:
        for term in terms:
            yield term
            yield from walk(term.options)


def weight(options: Syntax) -> int:
    """How much a match says: the letters and digits that it must hold, and half of the other characters, rounded down."""
    return min((sum(_weight(term) for term in terms) for terms in options), default=0) // 2


def _weight(term: Term) -> int:
    if not term.least or term.kind is Kind.LOOK:
        return 0
    if term.kind is Kind.CHAR:
        return 2 if is_word(term.char) else 1 if not term.char.isspace() else 0
    return min((sum(_weight(inner) for inner in terms) for terms in term.options), default=0)


def is_word(char: str) -> bool:
    """Whether a character is part of a word, in any language."""
    return char.isalnum() or char == "_"


def modifiers(options: Syntax) -> bool:
    """Whether a group switches flags, such as ``(?i:`` or ``(?-s:``, which V8 takes from version 12.5 (Node 23) on."""
    return any(
        term.kind is Kind.GROUP and _MODIFIERS.fullmatch(term.source) and term.source != "(?:" for term in walk(options)
    )


def repeated_names(source: str) -> tuple[str, ...]:
    """Names that more than one group has, which V8 takes from version 12.5 (Node 23) on, in different alternatives."""
    names = [found[1] for found in _NAMED.finditer(_without_sets(source))]
    return tuple(dict.fromkeys(name for name in names if names.count(name) > 1))


def _without_sets(source: str) -> str:
    """The pattern with escapes and sets blanked out."""
    return re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", lambda found: " " * len(found[0]), source, flags=re.DOTALL)


class _Unreadable(Exception):
    """The pattern is none, or one that is not looked into."""


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        bare = _without_sets(source)
        self.named = _NAMED.search(bare) is not None
        self.groups = len(re.findall(r"\((?!\?)|\(\?<(?![=!])", bare))

    def options(self, depth: int) -> Syntax:
        """Alternatives up to the closing parenthesis or the end."""
        if depth > _DEEPEST:
            raise _Unreadable
        options: list[Terms] = []
        terms: list[Term] = []
        while self.position < len(self.source) and self.source[self.position] != ")":
            if self.source[self.position] == "|":
                self.position += 1
                options.append(tuple(terms))
                terms = []
            else:
                terms.append(self._quantified(self._atom(depth)))
        return (*options, tuple(terms))

    def _quantified(self, term: Term) -> Term:
        found = _QUANTIFIER.match(self.source, self.position)
        if found is None:
            return term
        if (
            term.kind in (Kind.START, Kind.END, Kind.BOUNDARY)
            or term.source.startswith("(?<=")
            or term.source[:4] == "(?<!"
        ):
            raise _Unreadable
        self.position = found.end()
        least, most = _range(found)
        return replace(term, quantifier=found[0], least=least, most=most)

    def _atom(self, depth: int) -> Term:
        char = self.source[self.position]
        if char == "(":
            return self._group(depth)
        if char == "[":
            return self._set()
        if char == "\\":
            return self._escape()
        if char in "*+?" or (char == "{" and _QUANTIFIER.match(self.source, self.position)):
            raise _Unreadable
        self.position += 1
        kind = {".": Kind.DOT, "^": Kind.START, "$": Kind.END}.get(char, Kind.CHAR)
        return Term(kind, char, char=char if kind is Kind.CHAR else "")

    def _group(self, depth: int) -> Term:
        kind, opening = self._opening()
        self.position += len(opening)
        options = self.options(depth + 1)
        if self.position == len(self.source):
            raise _Unreadable
        self.position += 1
        return Term(kind, opening, options=options)

    def _opening(self) -> tuple[Kind, str]:
        for look in ("(?=", "(?!", "(?<=", "(?<!"):
            if self.source.startswith(look, self.position):
                return Kind.LOOK, look
        if not self.source.startswith("(?", self.position):
            return Kind.GROUP, "("
        found = _NAMED.match(self.source, self.position) or _MODIFIERS.match(self.source, self.position)
        if found is None:
            raise _Unreadable
        return Kind.GROUP, found[0]

    def _set(self) -> Term:
        start = self.position
        end = start + 1
        while end < len(self.source) and self.source[end] != "]":
            end += 2 if self.source[end] == "\\" else 1
        if end >= len(self.source):
            raise _Unreadable
        self.position = end + 1
        return Term(Kind.SET, self.source[start : self.position])

    def _escape(self) -> Term:
        start = self.position
        if start + 1 == len(self.source):
            raise _Unreadable
        letter = self.source[start + 1]
        if letter in "dDwWsS":
            return self._take(Kind.SET, 2)
        if letter in "bB":
            return self._take(Kind.BOUNDARY, 2)
        if letter in "0123456789":
            return self._digits()
        if letter == "k" and self.named:
            found = re.compile(r"\\k<[^>]*>").match(self.source, start)
            if found is None:
                raise _Unreadable
            return self._take(Kind.BACKREF, len(found[0]))
        return self._char_escape(letter)

    def _digits(self) -> Term:
        digits = re.compile(r"[0-9]+").match(self.source, self.position + 1)
        assert digits is not None
        if digits[0][0] != "0" and len(digits[0]) < 6 and int(digits[0]) <= self.groups:
            return self._take(Kind.BACKREF, 1 + len(digits[0]))
        # What is no group is an old octal escape, or the digit itself.
        octal = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?").match(self.source, self.position + 1)
        if octal is None:
            return self._take(Kind.CHAR, 2, self.source[self.position + 1])
        return self._take(Kind.CHAR, 1 + len(octal[0]), chr(int(octal[0], 8)))

    def _char_escape(self, letter: str) -> Term:
        if letter in _CONTROLS:
            return self._take(Kind.CHAR, 2, _CONTROLS[letter])
        if letter == "c":
            found = re.compile(r"\\c([A-Za-z])").match(self.source, self.position)
            # Without a letter both characters stand for themselves; apart, the backslash would escape what follows it.
            return self._take(Kind.CHAR, 3, chr(ord(found[1]) % 32)) if found else self._take(Kind.CHAR, 2, "\\c")
        found = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))").match(self.source, self.position)
        if found is not None:
            return self._take(Kind.CHAR, len(found[0]), chr(int(found[1] or found[2], 16)))
        return self._take(Kind.CHAR, 2, letter)

    def _take(self, kind: Kind, length: int, char: str = "") -> Term:
        source = self.source[self.position : self.position + length]
        self.position += length
        return Term(kind, source, char=char)


def _range(found: re.Match[str]) -> tuple[int, int | None]:
    sign = found[0][0]
    if sign != "{":
        return (1 if sign == "+" else 0), (1 if sign == "?" else None)
    least = _count(found[1])
    if not found[2]:
        return least, least
    return least, _count(found[3]) if found[3] else None


def _count(digits: str) -> int:
    return int(digits[:9])
