"""Other ways to take what was written: as a regex, literally, with its escapes resolved. Pure; nothing is matched here."""

from __future__ import annotations

import re

from msgspec import Struct

from vally_tui.triage.explain.soften import Form
from vally_tui.triage.regex_syntax import Kind, Syntax, Term, chars, escape, parse, written


class Reading(Struct, frozen=True):
    """Another way to take what was written."""

    code: str
    label: str
    cost: int
    form: Form
    literal: str | None = None
    """Where it is the exact text of a ``value:``."""


def readings_of_literal(text: str) -> tuple[Reading, ...]:
    """Ways to take a ``value:`` that was meant otherwise."""
    found = []
    unescaped = _unescape(text)
    if unescaped != text:
        found.append(Reading("yaml-escape", "escapes resolved", 18, Form((chars(unescaped),)), unescaped))
    syntax = parse(text)
    if syntax is not None and written(syntax) != escape(text) and any(_is_special(term) for t in syntax for term in t):
        found.append(Reading("as-regex", "read as a regex", 20, Form(syntax)))
    flagged = re.match(r"\(\?([ims]+)\)(.+)", text, re.DOTALL)
    inner = parse(flagged[2]) if flagged else None
    if flagged is not None and inner is not None:
        found.append(Reading("as-regex", "read as a regex", 20, Form(inner, flagged[1])))
    slashed = re.fullmatch(r"/(.+)/([gimsuy]*)", text, re.DOTALL)
    bare = parse(slashed[1]) if slashed else None
    if slashed is not None and bare is not None:
        found.append(Reading("slashes", "without the slashes", 18, Form(bare, _known(slashed[2]))))
    return tuple(found)


def _is_special(term: Term) -> bool:
    return not term.is_char() or (term.source.startswith("\\") and term.char not in "\\")


def readings_of_regex(source: str, flags: str) -> tuple[Reading, ...]:
    """Ways to take a ``pattern:`` that was meant otherwise."""
    found = []

    def offer(code: str, label: str, cost: int, text: str, extra: str = "") -> None:
        syntax = parse(text) if text != source or extra else None
        if syntax is not None:
            found.append(Reading(code, label, cost, Form(syntax, flags + extra)))

    # Other dialects' anchors are plain letters in JavaScript.
    offer("dialect", "^ and $ instead of \\A, \\Z", 17, re.sub(r"\\[Zz]$", "$", re.sub(r"^\\A", "^", source)))
    # "\\d" in single quotes or unquoted YAML keeps both backslashes.
    offer("yaml-escape", "single backslashes", 17, source.replace("\\\\", "\\"))
    offer("yaml-escape", "\\b instead of a backspace", 17, source.replace("\b", "\\b"))
    slashed = re.fullmatch(r"/(.+)/([gimsuy]*)", source, re.DOTALL)
    if slashed is not None:
        offer("slashes", "without the slashes", 18, slashed[1], _known(slashed[2]))
    syntax = parse(source)
    if syntax is None:
        offer("as-literal", "read literally", 20, escape(source))
        return tuple(found)
    for label, kinds in (("( ) read literally", "("), ("[ ] read literally", "["), ("read literally", "([*.^|")):
        literal = _literally(syntax, kinds)
        if literal != source and all(reading.form.source != literal for reading in found):
            offer("as-literal", label, 20, literal)
    return tuple(found)


def _known(letters: str) -> str:
    return "".join(letter for letter in "ims" if letter in letters)


def _unescape(text: str) -> str:
    """Escapes of a YAML double-quoted scalar, which a single-quoted or plain one keeps as they are."""
    known = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", "r": "\r", "'": "'"}
    return re.sub(r"\\([nt\"\\/r'])", lambda found: known[found[1]], text)


def _literally(syntax: Syntax, kinds: str) -> str:
    """The pattern with these constructs taken as plain characters, its escapes kept."""
    joint = "\\|" if "|" in kinds else "|"
    return joint.join("".join(_literal_term(term, kinds) for term in terms) for terms in syntax)


def _literal_term(term: Term, kinds: str) -> str:
    quantifier = escape(term.quantifier) if "*" in kinds else term.quantifier
    if term.kind in (Kind.GROUP, Kind.LOOK):
        inner = _literally(term.options, kinds)
        plain = term.source == "(" and "(" in kinds
        return (f"\\({inner}\\)" if plain else f"{term.source}{inner})") + quantifier
    if term.kind is Kind.SET and "[" in kinds and term.source.startswith("["):
        return escape(term.source) + quantifier
    if (term.kind is Kind.DOT and "." in kinds) or (term.kind in (Kind.START, Kind.END) and "^" in kinds):
        return escape(term.source) + quantifier
    return term.source + quantifier
