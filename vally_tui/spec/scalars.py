"""How a value is written as a YAML scalar so that every YAML 1.2 reader gives back exactly that value.

Strings keep the style that is asked for where it can carry them; else they take single quotes, else double quotes.
"""

from __future__ import annotations

import math
import re

from vally_tui.spec.compose import SyntaxProblem, compose
from vally_tui.spec.core_schema import Scalar
from vally_tui.spec.nodes import Style, plain

_UNPRINTABLE = re.compile("[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What quotes cannot carry as it is: line breaks, controls, NEL, LS, PS, BOM, lone surrogates."""
_ESCAPED = re.compile('[\t"\\\\]|' + _UNPRINTABLE.pattern)
_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", '"': '\\"', "\\": "\\\\"}
_HEADER = re.compile(r"[|>](?P<digit>[1-9])?(?P<chomp>[-+])?(?(digit)|(?P<late>[1-9])?)(?P<rest>[^\r\n]*)")


def one_line(value: Scalar, style: Style, *, flow: bool) -> str:
    """A scalar on one line, as a mapping's value, a list's member or a key.

    ``flow`` says whether it stands inside ``{}`` or ``[]``. Values that are no strings are always plain.
    """
    if not isinstance(value, str):
        return _not_a_string(value)
    if style is Style.PLAIN and _plain_gives(value, flow):
        return value
    if style is not Style.DOUBLE and not _UNPRINTABLE.search(value):
        return "'" + value.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def block(value: str, header: str, indent: int, newline: str) -> str | None:
    """A string as a block scalar under an existing header line, without the line break that ends it.

    ``header`` begins with ``|`` or ``>`` and may have a comment; ``indent`` is the columns before the content. None
    where a block scalar cannot carry the value (nothing but line breaks, controls, leading white space, …).
    """
    parts = _HEADER.match(header)
    body = value.rstrip("\n")
    breaks = len(value) - len(body)
    if parts is None or not body or indent < 1 or any(map(_UNPRINTABLE.search, body.split("\n"))):
        return None
    chomp = _chomping(breaks, parts["chomp"] or "")
    if chomp is None:
        return None
    digit = parts["digit"] or parts["late"] or ""
    folded = header[0] == ">" and not re.search(r"(?:\A|\n)[ \t]", body)
    lines = re.sub(r"(\n+)", r"\n\1", body).split("\n") if folded else body.split("\n")
    lines += [""] * (breaks - 1)
    first = (">" if folded else "|") + digit + chomp
    alone = "\n".join(["k: " + first, *_moved(lines, int(digit or indent)), ""])
    if not _reads_as(alone, {"k": value}):
        return None
    return newline.join([first + parts["rest"], *_moved(lines, indent)])


def _moved(lines: list[str], columns: int) -> list[str]:
    return [" " * columns + line if line else line for line in lines]


def _chomping(breaks: int, written: str) -> str | None:
    """The indicator for a value with so many final line breaks; None where blank lines below would be taken in."""
    if breaks == 0:
        return "-"
    if written == "+":
        return "+"
    return "" if breaks == 1 else None


def _not_a_string(value: float | bool | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return repr(value)


def _plain_gives(value: str, flow: bool) -> bool:
    if "\t" in value or _UNPRINTABLE.search(value):
        return False
    return _reads_as(f"{{k: {value}}}" if flow else f"k: {value}\n", {"k": value})


def _reads_as(text: str, value: object) -> bool:
    try:
        root = compose(text)
    except SyntaxProblem:
        return False
    return root is not None and plain(root) == value


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
