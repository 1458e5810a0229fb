"""Words for recorded values in messages. Keeps foreign text short; making it inert for a terminal is the output's duty."""

import json
from collections.abc import Sequence

SHOWN_PATH = 200
SHOWN_TEXT = 300


def kind_of(value: object) -> str:
    """What a JSON value is, with its article: "a number", "an array"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an array" if isinstance(value, list) else "an object"


def shown_path(path: str) -> str:
    """A recorded path for a sentence: plain where it is printable, else quoted; a long one without its middle."""
    if len(path) > SHOWN_PATH:
        half = SHOWN_PATH // 2
        path = f"{path[:half]}…{path[-half:]}"
    plain = path and path.isprintable() and path == path.strip()
    return path if plain else repr(path)


def shortened(text: str, limit: int = SHOWN_TEXT) -> str:
    """The beginning of a text, with an ellipsis where something is left out."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def listed(numbers: Sequence[int], most: int = 8) -> str:
    """Numbers for a sentence: "0, 2", and how many more where there are many."""
    shown = ", ".join(shortened(str(number), 20) for number in numbers[:most])
    return shown if len(numbers) <= most else f"{shown} and {len(numbers) - most} more"


def megabytes(size: int) -> str:
    """A size in bytes as a person reads it, in units of 1024 × 1024 bytes."""
    return f"{size / (1 << 20):.1f} MB".replace(".0 MB", " MB")


def json_text(value: object, limit: int = SHOWN_TEXT) -> str:
    """A JSON value as one line of text, shortened."""
    if isinstance(value, dict):
        # Cut first, so that a huge text is not written out only to be cut.
        value = {key: shortened(part, limit) if isinstance(part, str) else part for key, part in value.items()}
    try:
        return shortened(json.dumps(value, ensure_ascii=False), limit)
    except RecursionError:
        return "(nested too deeply to show)"
