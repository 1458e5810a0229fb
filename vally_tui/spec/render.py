"""Values become new YAML text: graders that are added, copies of what was shared, whole new specs.

Text that a person wrote is never rendered again; it is spliced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vally_tui.spec import scalars
from vally_tui.spec.nodes import Content, MappingNode, Node, ScalarNode, SequenceNode, Style, content, js_text

_QUOTED_KEYS = frozenset({"pattern", "value", "substring"})
"""What these hold is written in single quotes, as people write patterns."""


def flow(value: object, like: Node | None = None) -> str:
    """A value on one line, in flow style; ``like`` gives the quotes of the scalars that were copied."""
    like = content(like) if like is not None else None
    if isinstance(value, Mapping):
        members = (f"{_key(key)}: {_flow_value(key, held, _member(like, key))}" for key, held in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(held, _member(like, place)) for place, held in enumerate(value)) + "]"
    return scalars.one_line(_scalar(value), _style(value, like), flow=True)


def block_lines(value: object, like: Node | None = None, *, tall: bool = True) -> list[str]:
    """A value in block style: lines without indentation and line breaks.

    A mapping or list that is not empty begins on its own line; all else is one line, or with ``tall`` a literal block.
    """
    like = content(like) if like is not None else None
    if isinstance(value, Mapping) and value:
        return [line for key, held in value.items() for line in _entry(key, held, _member(like, key), tall)]
    if isinstance(value, list | tuple) and value:
        return [line for place, held in enumerate(value) for line in _item(held, _member(like, place), tall)]
    if isinstance(value, Mapping | list | tuple):
        return [flow(value)]
    return _scalar_lines(value, like, tall)


def is_collection(value: object) -> bool:
    """Whether a value takes lines of its own in block style."""
    return isinstance(value, Mapping | list | tuple) and bool(value)


def indented(lines: list[str], columns: int) -> list[str]:
    """Lines moved to the right; empty ones stay empty."""
    return [" " * columns + line if line else line for line in lines]


def _flow_value(key: object, value: object, like: Node | None) -> str:
    if _wants_quotes(key, value, like):
        return scalars.one_line(_scalar(value), Style.SINGLE, flow=True)
    return flow(value, like)


def _wants_quotes(key: object, value: object, like: Node | None) -> bool:
    return key in _QUOTED_KEYS and isinstance(value, str) and like is None


def _entry(key: object, value: object, like: Node | None, tall: bool) -> Iterator[str]:
    if _wants_quotes(key, value, like):
        yield f"{_key(key)}: {scalars.one_line(_scalar(value), Style.SINGLE, flow=False)}"
        return
    lines = block_lines(value, like, tall=tall)
    if is_collection(value):
        yield f"{_key(key)}:"
        yield from indented(lines, 2)
        return
    yield f"{_key(key)}: {lines[0]}"
    yield from indented(lines[1:], 2)


def _item(value: object, like: Node | None, tall: bool) -> Iterator[str]:
    first, *rest = block_lines(value, like, tall=tall)
    yield f"- {first}"
    yield from indented(rest, 2)


def _scalar_lines(value: object, like: Content | None, tall: bool) -> list[str]:
    style = _style(value, like)
    if tall and isinstance(value, str) and "\n" in value and style is not Style.DOUBLE:
        header = "|" if value.endswith("\n") else "|-"
        written = scalars.block(value, header, 2, "\n")
        if written is not None:
            first, *rest = written.split("\n")
            return [first, *(line[2:] for line in rest)]
    return [scalars.one_line(_scalar(value), style, flow=False)]


def _member(like: Node | None, step: object) -> Node | None:
    like = content(like) if like is not None else None
    if isinstance(like, MappingNode) and isinstance(step, str):
        entry = like.entry(step)
        return entry.node if entry is not None else None
    if isinstance(like, SequenceNode) and isinstance(step, int) and step < len(like.items):
        return like.items[step].node
    return None


def _style(value: object, like: Content | None) -> Style:
    if isinstance(like, ScalarNode) and isinstance(value, str):
        return like.style
    return Style.PLAIN


def _scalar(value: object) -> str | int | float | bool | None:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _key(key: object) -> str:
    text = key if isinstance(key, str) else js_text(_scalar(key))
    return scalars.one_line(text, Style.PLAIN, flow=True)
