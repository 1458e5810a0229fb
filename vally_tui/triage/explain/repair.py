"""Patterns that V8 refuses: what other dialects and slips they come from, and what may have been meant. Pure."""

from __future__ import annotations

import re

from msgspec import Struct

from vally_tui.grading.pattern import Pattern
from vally_tui.triage.regex_syntax import escape

_FLAGS = re.compile(r"\(\?([A-Za-z]+)\)")


class Repair(Struct, frozen=True):
    """A pattern that may have been meant."""

    code: str
    label: str
    written: str


def repairs(pattern: Pattern) -> tuple[Repair, ...]:
    """What may have been meant by a regex that V8 refuses, the likeliest first; not every one is valid."""
    made = [
        Repair("named-group", "(?<name>", _named_groups(pattern.written)),
        Repair("flags-first", "only flags i, m, s, at the start", _flags_first(pattern.written)),
        Repair("atomic", "no atomic groups", _no_atomic(pattern.written)),
        Repair("balanced", "the lone bracket literally", _balanced(pattern.written)),
        Repair("as-literal", "read literally", _literal(pattern)),
    ]
    return tuple({repair.written: repair for repair in reversed(made) if repair.written != pattern.written}.values())[
        ::-1
    ]


def _named_groups(written: str) -> str:
    """Python's ``(?P<name>…)`` and ``(?P=name)``."""
    return re.sub(r"\(\?P=(\w+)\)", r"\\k<\1>", written.replace("(?P<", "(?<"))


def _flags_first(written: str) -> str:
    """Flags that stand inside the pattern, are repeated, or are none of JavaScript's."""
    letters = "".join(found[1] for found in _FLAGS.finditer(written))
    flags = "".join(letter for letter in "ims" if letter in letters)
    rest = _FLAGS.sub("", written)
    return f"(?{flags}){rest}" if flags else rest


def _no_atomic(written: str) -> str:
    """``(?>…)``, ``(?#…)`` and the possessive ``a++`` of other dialects."""
    return re.sub(r"(?<!\\)([*+?}])\+", r"\1", re.sub(r"\(\?#[^)]*\)", "", written.replace("(?>", "(?:")))


def _balanced(written: str) -> str:
    """The brackets that have no partner, taken literally."""
    prefix = re.match(r"\(\?[ims]+\)", written)
    start = prefix.end() if prefix else 0
    lone: list[int] = []
    opened: list[int] = []
    position = start
    while position < len(written):
        char = written[position]
        if char == "\\":
            position += 1
        elif char == "[":
            closing = re.compile(r"(?:\\.|[^\]\\])*\]", re.DOTALL).match(written, position + 1)
            if closing is None:
                lone.append(position)
            else:
                position = closing.end() - 1
        elif char == "(":
            opened.append(position)
        elif char == ")":
            if opened:
                opened.pop()
            else:
                lone.append(position)
        position += 1
    at = set(lone + opened)
    return "".join("\\" + char if index in at else char for index, char in enumerate(written))


def _literal(pattern: Pattern) -> str:
    flags = "".join(letter for letter in "ims" if letter in pattern.flags)
    return (f"(?{flags})" if flags else "") + escape(pattern.source)
