"""File names as diffs write them: quotes, prefixes, time stamps, and two names in one line. Owns no header structure.

Every function is linear in its input, or tries a fixed number of divisions: a line of a megabyte cannot stall the program.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

NULL = "/dev/null"

_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ESCAPE = re.compile(rb'\\([0-7]{1,3}|[abfnrtv"\\])')
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_PAIRS = frozenset(("a/b/", "b/a/", "i/w/", "w/i/", "c/w/", "w/c/", "c/i/", "i/c/", "o/w/", "w/o/", "1/2/", "2/1/"))
"""What git puts before the two names: its default, ``diff.mnemonicPrefix``, ``--no-index``, and each reversed (``-R``)."""
_STAMP = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.0*)? ([+-][0-9]{4})")
_TRIES = 64
"""Divisions of a line that are tried before its names count as unknown."""


class Name(NamedTuple):
    """What stands behind ``---`` or ``+++``."""

    path: str
    """Unquoted, prefix kept."""
    epoch: bool = False
    """Its time stamp is 1970-01-01 00:00:00 UTC: GNU diff's way to say that the file is not there."""


def unquote(name: str) -> str:
    """``name`` without C quotes and escapes; bytes that are no UTF-8 become lone surrogates. Others are as they are."""
    quoted = _QUOTED.fullmatch(name) if name[:1] == '"' else None
    return _decode(quoted[1]) if quoted else name


def _decode(body: str) -> str:
    raw = _ESCAPE.sub(_unescape, body.encode("utf-8", "surrogatepass"))
    return raw.decode("utf-8", "surrogateescape")


def _unescape(found: re.Match[bytes]) -> bytes:
    code: bytes = found[1]
    if code[:1].isdigit():
        return bytes([int(code, 8) & 255])
    return _LETTERS.get(code, code)


def parse_name(raw: str) -> Name:
    """The name in a ``---``/``+++`` field: quoted, or up to a TAB; what follows is a time stamp."""
    if raw[:1] == '"' and (quoted := _QUOTED.match(raw)):
        return Name(_decode(quoted[1]), _is_epoch(raw[quoted.end() :].strip("\t ")))
    path, _, stamp = raw.partition("\t")
    return Name(path, bool(stamp) and _is_epoch(stamp))


def _is_epoch(stamp: str) -> bool:
    found = _STAMP.fullmatch(stamp)
    if found is None:
        return False
    try:
        return datetime.strptime(f"{found[1]} {found[2]}", "%Y-%m-%d %H:%M:%S %z") == datetime(1970, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        return False


def strip_prefixes(old: str, new: str, *, git: bool) -> tuple[str, str]:
    """Both names without their prefixes, which are cut only where both sides show one.

    Under a ``diff --git`` line all of git's own prefix pairs count, and any other pair of directories before an equal
    rest (``--src-prefix``); in a plain diff only a/ b/, and git's other pairs before an equal rest. Equal names have no
    prefix (``--no-prefix``). ``/dev/null`` shows none: the other side then loses only its own letter of a/ b/.
    """
    if old == NULL or new == NULL:
        return old if old == NULL else old.removeprefix("a/"), new if new == NULL else new.removeprefix("b/")
    if old == new:
        return old, new
    pair = old[:2] + new[:2]
    if pair in _PAIRS and (git or pair == "a/b/" or old[2:] == new[2:]):
        return old[2:], new[2:]
    rest = _common_rest(old, new) if git else ""
    return (rest, rest) if rest else (old, new)


def _common_rest(old: str, new: str) -> str:
    """The longest equal tail that is a whole side or begins behind a ``/`` on it; empty where there is none."""
    tail = _common_tail(old, new)
    if tail and tail[0] != "/" and _is_whole(old, len(tail)) and _is_whole(new, len(tail)):
        return tail
    slash = tail.find("/")
    return tail[slash:].lstrip("/") if slash >= 0 else ""


def _common_tail(old: str, new: str) -> str:
    """The longest equal tail, found by halving: a long name costs a few comparisons, not a loop over its characters."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old.endswith(new[len(new) - middle :]):
            low = middle
        else:
            high = middle - 1
    return new[len(new) - low :]


def _is_whole(name: str, length: int) -> bool:
    return len(name) == length or name[-length - 1] == "/"


def pair_of_git_line(rest: str) -> tuple[str, str] | None:
    """The two names behind ``diff --git ``, prefixes kept; None where the line can be divided in several ways or none."""
    return pair_of_words(rest, " ")


def pair_of_words(rest: str, gap: str) -> tuple[str, str] | None:
    """Two names with ``gap`` between them, each quoted or not, as git and GNU diff write them."""
    first = _QUOTED.match(rest) if rest[:1] == '"' else None
    if first is not None and rest.startswith(gap, first.end()):
        return _decode(first[1]), unquote(rest[first.end() + len(gap) :])
    if rest.endswith('"'):
        split = rest.find(gap + '"')
        if split > 0 and _QUOTED.fullmatch(rest, split + len(gap)):
            return rest[:split], unquote(rest[split + len(gap) :])
    return _halves(rest, gap) or _only_division(rest, gap)


def _halves(rest: str, gap: str) -> tuple[str, str] | None:
    """The division in the middle, where both names are equal behind prefixes of the same length."""
    half = (len(rest) - len(gap)) // 2
    if half < 1 or (len(rest) - len(gap)) % 2 or not rest.startswith(gap, half):
        return None
    old, new = rest[:half], rest[half + len(gap) :]
    return (old, new) if _agree(old, new) else None


def _agree(old: str, new: str) -> bool:
    if old == new or NULL in (old, new):
        return True
    if old[:2] + new[:2] in _PAIRS:
        return old[2:] == new[2:]
    return _common_rest(old, new) != ""


def _only_division(rest: str, gap: str) -> tuple[str, str] | None:
    """The one division there is, or the first whose names are equal behind their prefixes."""
    found: list[int] = []
    position = rest.find(gap)
    while position >= 0 and len(found) < _TRIES:
        found.append(position)
        position = rest.find(gap, position + 1)
    if len(found) == 1:
        return rest[: found[0]], rest[found[0] + len(gap) :]
    for split in found:
        old, new = rest[:split], rest[split + len(gap) :]
        if old and new and _agree(old, new):
            return old, new
    return None
