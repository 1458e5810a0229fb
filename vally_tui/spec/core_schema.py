"""What a plain scalar means in YAML 1.2's core schema, as the npm package ``yaml`` reads it for Vally.

Nothing of YAML 1.1 is here: ``yes``, ``on`` and ``1:30`` are strings, ``0777`` is 777, dates are strings.
"""

from __future__ import annotations

import math
import re

_NULL = re.compile(r"(?:~|[Nn]ull|NULL)?")
_BOOL = re.compile(r"[Tt]rue|TRUE|[Ff]alse|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+|[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.nan|\.NaN|\.NAN")

_HALF = re.compile("[\ud800-\udfff]")

_TAGS = "tag:yaml.org,2002:"
_SAFE_INTEGER = 2**53
"""JavaScript's numbers are exact up to here."""

Scalar = str | int | float | bool | None


def resolve(text: str, *, plain: bool, tag: str | None) -> Scalar:
    """The value of a scalar: its text, unless it is plain (or tagged) and reads as null, boolean or number.

    An explicit tag that the text does not fit, and any tag outside the core schema, leave the text as it is.
    """
    if tag is not None and tag != "!":
        return _tagged(text, tag)
    return _untagged(text) if plain and tag is None else text


def number(value: int | float) -> int | float:
    """A number as JavaScript holds it: an integer beyond 2**53 is rounded to a double."""
    if isinstance(value, int) and abs(value) > _SAFE_INTEGER:
        return _double(value)
    return value


def paired(text: str) -> str:
    r"""A text with the halves of astral characters joined, as in JavaScript's strings; lone halves stay.

    ``"\ud83d\ude00"`` in double quotes spells one in halves.
    """
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _untagged(text: str) -> Scalar:
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text[0] in "tT"
    value = _number(text)
    return text if value is None else value


def _number(text: str) -> int | float | None:
    if _INT.fullmatch(text):
        # Long digit strings go the way of float, which has no limit on digits and rounds as JavaScript does.
        return number(int(text)) if len(text) < 300 else float(text)
    if _OCTAL.fullmatch(text):
        return number(int(text[2:], 8))
    if _HEX.fullmatch(text):
        return number(int(text[2:], 16))
    if _FLOAT.fullmatch(text):
        return float(text)
    if _INFINITY.fullmatch(text):
        return -math.inf if text[0] == "-" else math.inf
    return math.nan if _NAN.fullmatch(text) else None


def _tagged(text: str, tag: str) -> Scalar:
    value = _untagged(text)
    kinds: dict[str, type | tuple[type, ...]] = {"null": type(None), "bool": bool, "int": int, "float": float}
    kind = kinds.get(tag.removeprefix(_TAGS)) if tag.startswith(_TAGS) else None
    fits = kind is not None and isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    return value if fits else text


def _double(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
