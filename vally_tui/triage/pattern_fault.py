"""Where in a pattern that V8 refuses the fault is, and how it is written right. V8's message names no place.

Told only for messages whose place a scan of our own is sure of; messages and places as measured on Node 20.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

_PREFIX = re.compile(r"\(\?[ims]+\)")
_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_OPENING = re.compile(r"\(\?(?:[:=!]|<[=!]|<)")


class PatternFault(Struct, frozen=True):
    """A place and what to do there."""

    at: int
    """Code points from the start of the pattern, flags prefix included."""
    advice: str


class _Piece(Struct, frozen=True):
    """A part of a pattern that is read in one go."""

    kind: str
    """``(``, ``)``, ``[``, ``*`` (any quantifier), ``|``, ``^`` (an assertion) or ``a`` (anything else)."""
    at: int
    text: str


def pattern_fault(pattern: str, message: str) -> PatternFault | None:
    """The place of what V8 says of a pattern; None where no place is sure."""
    pieces = list(_pieces(pattern))
    if "Unterminated group" in message:
        return _at(_open_group(pieces), r"write \( for the sign itself")
    if "Unterminated character class" in message:
        return _at(pieces[-1].at if pieces and pieces[-1].kind == "[" else None, r"write \[ for the sign itself")
    if "Unmatched ')'" in message:
        return _at(_unmatched(pieces), r"write \) for the sign itself")
    if r"\ at end of pattern" in message:
        return PatternFault(len(pattern) - 1, r"write \\ for the sign itself")
    if "Nothing to repeat" in message:
        return _nothing_to_repeat(pieces)
    if "numbers out of order in {}" in message:
        return _at(next((piece.at for piece in pieces if _is_downward(piece)), None), "the lower number comes first")
    if "Invalid group" in message:
        groups = (piece.at for piece in pieces if piece.text == "(?")
        return _at(next(groups, None), r"after (? comes : = ! or <, else write \(")
    return None


def _at(place: int | None, advice: str) -> PatternFault | None:
    return None if place is None else PatternFault(place, advice)


def _pieces(pattern: str) -> Iterator[_Piece]:
    prefix = _PREFIX.match(pattern)
    at = prefix.end() if prefix else 0
    while at < len(pattern):
        piece = _piece(pattern, at)
        yield piece
        at += len(piece.text)


def _piece(pattern: str, at: int) -> _Piece:
    sign = pattern[at]
    if sign == "\\":
        text = pattern[at : at + 2]
        return _Piece("^" if text in ("\\b", "\\B") else "a", at, text)
    if sign == "[":
        return _Piece("[", at, pattern[at : _end_of_class(pattern, at)])
    if sign == "(":
        opening = _OPENING.match(pattern, at)
        return _Piece("(", at, opening[0] if opening else pattern[at : at + 2] if pattern[at + 1 :][:1] == "?" else "(")
    if sign in "*+?" or (count := _COUNT.match(pattern, at)):
        text = sign if sign in "*+?" else count[0]  # type: ignore[index]  # matched where it is no sign
        lazy = pattern[at + len(text) :][:1] == "?"
        return _Piece("*", at, text + "?" * lazy)
    return _Piece({"^": "^", "$": "^", ")": ")", "|": "|"}.get(sign, "a"), at, sign)


def _end_of_class(pattern: str, at: int) -> int:
    """Behind the bracket that closes a class; the end of the pattern where none does."""
    at += 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return min(at + 1, len(pattern))


def _open_group(pieces: list[_Piece]) -> int | None:
    """The last bracket that is not closed."""
    opened: list[int] = []
    for piece in pieces:
        if piece.kind == "(":
            opened.append(piece.at)
        elif piece.kind == ")" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _unmatched(pieces: list[_Piece]) -> int | None:
    depth = 0
    for piece in pieces:
        depth += (piece.kind == "(") - (piece.kind == ")")
        if depth < 0:
            return piece.at
    return None


def _nothing_to_repeat(pieces: list[_Piece]) -> PatternFault | None:
    before = "|"
    for piece in pieces:
        if piece.kind == "*" and before in "(|^*":
            return PatternFault(piece.at, rf"write \{piece.text[0]} for the sign itself")
        before = piece.kind
    return None


def _is_downward(piece: _Piece) -> bool:
    count = _COUNT.match(piece.text)
    return count is not None and bool(count[3]) and int(count[1][-4000:]) > int(count[3][-4000:])
