"""What to say of a text that PyYAML refuses: the place, the fault in plain words, and the fix."""

from __future__ import annotations

from collections.abc import Callable

import yaml

_OURS = "Vally may read this, but the reader of this program does not"


def explain(text: str, error: yaml.MarkedYAMLError, back: Callable[[str], str]) -> tuple[int, str]:
    """The offset (code points) of a fault and a sentence about it; ``back`` restores swapped characters."""
    problem = back(error.problem or "")
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark is not None else 0
    if "unknown escape character" in problem:
        return at - 1, _bad_escape(text, at)
    if "cannot start any token" in problem:
        return at, _bad_start(text, at)
    if "mapping values are not allowed" in problem:
        return at, "a colon with a space after it cannot stand inside a plain value: put the value in single quotes"
    if "could not find expected ':'" in problem:
        begin = error.context_mark.index if error.context_mark is not None else at
        return begin, "this is neither `key: value` nor a list member: add the colon, or mend its indentation"
    if "unexpected end of stream" in problem and error.context_mark is not None:
        return error.context_mark.index, "the quote that is opened here is never closed"
    if "expected <block end>" in problem:
        return at, "this fits nothing that is open above: mend its indentation, or put the value in single quotes"
    if problem == "comment without a space":
        return at, "a comment needs a space before its `#`; if it is none, put the value in single quotes"
    if "expected ',' or" in problem:
        return at, "a `,` or the closing bracket is missing before this"
    if "expected the node content" in problem:
        return at, "a value or a closing bracket is missing before this"
    if "expected alphabetic or numeric character" in problem:
        return at, f"an anchor's or alias's name may have only letters, digits, `-` and `_`; {_OURS}"
    return at, f"{_in_words(back(error.context or ''), problem)}; {_OURS} where it is valid YAML 1.2"


def _bad_escape(text: str, at: int) -> str:
    escape = "\\" + text[at : at + 1]
    return f"`{escape}` is no escape in double quotes: put the value in single quotes (or double every backslash)"


def _bad_start(text: str, at: int) -> str:
    character = text[at : at + 1]
    if character != "\t":
        return f"a value cannot begin with `{character}`: put it in single quotes"
    before = text[text.rfind("\n", 0, at) + 1 : at]
    if not before.strip():
        return "a tab cannot be indentation in YAML: use spaces"
    return f"a tab cannot stand here: use spaces ({_OURS})"


def _in_words(context: str, problem: str) -> str:
    return f"{context}: {problem}" if context else problem
