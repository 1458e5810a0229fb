"""The tree of a YAML text with the place of every part. Places are half-open offsets in code points of the whole text.

An alias is a node of its own that points at its target, so what is shared in the text is shared here, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from vally_tui.spec import core_schema


class Style(StrEnum):
    """How a scalar is written."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"

    @property
    def is_block(self) -> bool:
        """Whether this is one of the two block styles."""
        return self in (Style.LITERAL, Style.FOLDED)


class ScalarNode(Struct, frozen=True, eq=False):
    """A scalar; an empty one has no width and stands right after its colon or dash."""

    outer: int
    """Where its anchor or tag begins; ``start`` where it has neither."""
    start: int
    end: int
    """Behind its last character; of a block scalar before the line break that ends it."""
    anchor: str | None
    style: Style
    text: str
    """The characters after quotes, escapes and folding are undone."""
    value: core_schema.Scalar
    indent: int = 0
    """Columns before the content of a block scalar."""


class Item(Struct, frozen=True, eq=False):
    """One member of a sequence."""

    dash: int
    """Where its ``-`` stands; -1 in a flow sequence."""
    node: Node


class Entry(Struct, frozen=True, eq=False):
    """One member of a mapping."""

    key: Node
    colon: int
    """Where its ``:`` stands; -1 where a flow mapping has a key alone."""
    node: Node
    """The value."""


class SequenceNode(Struct, frozen=True, eq=False):
    """A list in block or flow style."""

    outer: int
    start: int
    end: int
    """Behind its last member, or its closing bracket."""
    anchor: str | None
    flow: bool
    items: tuple[Item, ...]


class MappingNode(Struct, frozen=True, eq=False):
    """A mapping in block or flow style; entries in the order of the text, keys unique."""

    outer: int
    start: int
    end: int
    anchor: str | None
    flow: bool
    entries: tuple[Entry, ...]

    def entry(self, key: str) -> Entry | None:
        """The entry of a key, as JavaScript would look it up."""
        for entry in self.entries:
            if key_text(entry.key) == key:
                return entry
        return None


class AliasNode(Struct, frozen=True, eq=False):
    """``*name``; stands for its target."""

    outer: int
    start: int
    end: int
    name: str
    target: ScalarNode | SequenceNode | MappingNode


Content = ScalarNode | SequenceNode | MappingNode
Node = Content | AliasNode

Step = str | int
"""One step of a logical path: the key of a mapping or the 0-based place in a list."""
Path = tuple[Step, ...]


def content(node: Node) -> Content:
    """The node itself, or what it is an alias of."""
    return node.target if isinstance(node, AliasNode) else node


def key_text(key: Node) -> str:
    """A mapping's key as the property name that it becomes in JavaScript."""
    node = content(key)
    return js_text(node.value) if isinstance(node, ScalarNode) else f"({type(node).__name__} at {node.start})"


def js_text(value: core_schema.Scalar) -> str:
    """How JavaScript's ``String`` writes a scalar that is used as a key (null as the empty string, as npm ``yaml`` does)."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return str(value)


def children(node: Content) -> Iterator[tuple[Step, Node]]:
    """The members of a mapping or list with the step that leads to each; keys are not members."""
    if isinstance(node, MappingNode):
        for entry in node.entries:
            yield key_text(entry.key), entry.node
    elif isinstance(node, SequenceNode):
        for place, item in enumerate(node.items):
            yield place, item.node


def child(node: Node, step: Step) -> Node | None:
    """One step down from a node (through it, where it is an alias); None where there is no such member."""
    inner = content(node)
    if isinstance(inner, MappingNode) and isinstance(step, str):
        entry = inner.entry(step)
        return entry.node if entry is not None else None
    if isinstance(inner, SequenceNode) and isinstance(step, int):
        return inner.items[step].node if 0 <= step < len(inner.items) else None
    return None


def chain(root: Node, path: Path) -> list[Node] | None:
    """The nodes on the way from the root along a path, both ends included; None where the path leads nowhere."""
    nodes = [root]
    for step in path:
        following = child(nodes[-1], step)
        if following is None:
            return None
        nodes.append(following)
    return nodes


def plain(root: Node, instead: Mapping[int, object] | None = None) -> object:
    """The value of a node as dicts, lists, strings, numbers, booleans and None; what is shared is one object.

    ``instead`` gives, by ``id`` of a node, the value that it is to have here and wherever it is aliased.
    """
    made: dict[int, object] = dict(instead or {})

    def value(node: Node) -> object:
        inner = content(node)
        if id(inner) not in made:
            made[id(inner)] = build(inner)
        return made[id(inner)]

    def build(node: Content) -> object:
        if isinstance(node, ScalarNode):
            return node.value
        if isinstance(node, SequenceNode):
            return [value(item.node) for item in node.items]
        return {key_text(entry.key): value(entry.node) for entry in node.entries}

    return value(root)
