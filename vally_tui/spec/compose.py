"""A text becomes a tree of nodes, or an error that says where and what to do. Owns the limits on depth and aliases.

Refused are what Vally's reader refuses (duplicate keys, several documents) and what nobody writes on purpose: deep
nesting, aliases that multiply, aliases inside what they name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Never

import yaml
from msgspec import Struct, field
from yaml import events

from vally_tui.spec import core_schema
from vally_tui.spec.nodes import (
    AliasNode,
    Content,
    Entry,
    Item,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    Style,
    content,
)
from vally_tui.spec.scan import Placed, PlacedParser, Substitution
from vally_tui.spec.syntax_help import explain

DEEPEST = 100
"""Levels of nesting; a spec needs about ten."""
LARGEST_EXPANDED = 16_000_000
"""Characters and nodes of a document after every alias is written out."""

_STYLES = {None: Style.PLAIN, "'": Style.SINGLE, '"': Style.DOUBLE, "|": Style.LITERAL, ">": Style.FOLDED}


class SyntaxProblem(Exception):
    """A text that is not read: where (``offset`` in code points), and what is wrong and what to do (``message``)."""

    def __init__(self, offset: int, message: str, *, unknown_alias: bool = False) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.unknown_alias = unknown_alias
        """Whether only an anchor is missing, which a larger text may have."""


def compose(text: str) -> Node | None:
    """The root node of the only document of a text; None for a text without content. Raises SyntaxProblem."""
    substitution = Substitution(text)
    # JavaScript's reader takes the end of the text for the end of its last line, if there is anything on it.
    ending = "\n" if text[text.rfind("\n") + 1 :].strip(" ") else ""
    parser = PlacedParser(substitution.there(text) + ending)
    try:
        return _Composer(text, parser, substitution).document()
    except yaml.MarkedYAMLError as error:
        offset, message = explain(text, error, substitution.back)
        raise SyntaxProblem(offset, message) from error
    except (ValueError, OverflowError) as error:
        # PyYAML gives an escape such as \\U00110000 to chr() unchecked.
        raise SyntaxProblem(parser.get_mark().index, "this escape names no Unicode character") from error


class _Open(Struct):
    """A collection whose end has not come yet."""

    placed: Placed
    outer: int
    start: int
    anchor: str | None
    flow: bool
    is_mapping: bool
    items: list[Item] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    key: Node | None = None
    keys: set[tuple[type, object]] = field(default_factory=set)


class _Extent(NamedTuple):
    """How much a node is after its aliases are written out."""

    size: int
    """Nodes and characters."""
    depth: int


class _Composer:
    def __init__(self, text: str, parser: PlacedParser, substitution: Substitution) -> None:
        self._text = text
        self._parser = parser
        self._back = substitution.back
        self._anchors: dict[str, Content | None] = {}
        self._extents: dict[int, _Extent] = {}
        self._open: list[_Open] = []
        self._root: Node | None = None

    def document(self) -> Node | None:
        """Read up to the end of the stream."""
        documents = 0
        while True:
            placed = self._parser.next_placed()
            event = placed.event
            if isinstance(event, events.StreamEndEvent):
                return self._root
            if isinstance(event, events.DocumentStartEvent):
                documents += 1
                self._check_document(placed.start, event.version, documents)
            elif isinstance(event, events.CollectionStartEvent):
                self._begin(placed, event)
            elif isinstance(event, events.CollectionEndEvent):
                self._end(placed.end)
            elif isinstance(event, events.AliasEvent):
                self._add(placed, self._alias(placed, event.anchor or ""))
            elif isinstance(event, events.ScalarEvent):
                self._add(placed, self._named(self._scalar(placed, event)))

    def _check_document(self, at: int, version: tuple[int, int] | None, documents: int) -> None:
        if documents > 1:
            _refuse(at, "a second document begins here, and Vally reads one only: remove this `---` and what follows")
        if version is not None and version != (1, 2):
            shown = ".".join(map(str, version))
            _refuse(at, f"`%YAML {shown}` asks for other rules than this program has (YAML 1.2): remove that line")

    def _begin(self, placed: Placed, event: events.CollectionStartEvent) -> None:
        if len(self._open) >= DEEPEST:
            _refuse(placed.start, f"nested deeper than {DEEPEST} levels, a limit of this program")
        flow = bool(event.flow_style)
        # A lone `key: value` pair inside a flow list is a mapping without brackets; its event has no width.
        bracket = flow and placed.start < placed.end
        dashed = not flow and isinstance(event, events.SequenceStartEvent)
        start = placed.end
        if bracket or (dashed and self._text[start : start + 1] != "-"):
            start -= 1
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        is_mapping = isinstance(event, events.MappingStartEvent)
        self._open.append(_Open(placed, placed.start, start, event.anchor, flow, is_mapping))

    def _end(self, closed: int) -> None:
        one = self._open.pop()
        end = closed if one.flow else self._end_of_members(one)
        if one.is_mapping:
            node: Content = MappingNode(one.outer, one.start, end, one.anchor, one.flow, tuple(one.entries))
        else:
            node = SequenceNode(one.outer, one.start, end, one.anchor, one.flow, tuple(one.items))
        self._add(one.placed, self._named(node))

    @staticmethod
    def _end_of_members(one: _Open) -> int:
        if one.is_mapping:
            last = one.entries[-1]
            return max(last.node.end, last.colon + 1, last.key.end)
        return max(one.items[-1].node.end, one.items[-1].dash + 1)

    def _scalar(self, placed: Placed, event: events.ScalarEvent) -> ScalarNode:
        text = self._back(event.value or "")
        style = _STYLES[event.style or None]
        if style is Style.DOUBLE:
            text = core_schema.paired(text)
        value = core_schema.resolve(text, plain=style is Style.PLAIN, tag=event.tag)
        end = placed.end
        if style.is_block:
            end = _block_end(self._text, placed, end)
        return ScalarNode(placed.start, placed.content, end, event.anchor, style, text, value, placed.indent)

    def _alias(self, placed: Placed, name: str) -> AliasNode:
        at = placed.start
        if name not in self._anchors:
            message = f"`*{name}` is an alias, but no anchor `&{name}` comes before it"
            raise SyntaxProblem(at, message, unknown_alias=True)
        target = self._anchors[name]
        if target is None:
            _refuse(at, f"`*{name}` stands inside the very thing that `&{name}` names")
        return AliasNode(at, at, placed.end, name, target)

    def _named(self, node: Content) -> Content:
        if node.anchor is not None:
            self._anchors[node.anchor] = node
        extent = self._extent(node)
        if extent.size > LARGEST_EXPANDED:
            _refuse(node.start, "its aliases multiply to more than 16 million characters, a limit of this program")
        if extent.depth > DEEPEST:
            _refuse(node.start, f"its aliases nest deeper than {DEEPEST} levels, a limit of this program")
        self._extents[id(node)] = extent
        return node

    def _extent(self, node: Content) -> _Extent:
        if isinstance(node, ScalarNode):
            return _Extent(1 + len(node.text), 1)
        members: Iterable[Item | Entry] = node.items if isinstance(node, SequenceNode) else node.entries
        extents = [self._extents[id(content(member.node))] for member in members]
        return _Extent(1 + sum(e.size for e in extents), 1 + max((e.depth for e in extents), default=0))

    def _add(self, placed: Placed, node: Node) -> None:
        self._check_indentation(node)
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        if not parent.is_mapping:
            parent.items.append(Item(placed.dash, node))
        elif parent.key is None:
            self._check_key(parent, node)
            parent.key = node
        else:
            parent.entries.append(Entry(parent.key, placed.colon, node))
            parent.key = None

    def _check_indentation(self, node: Node) -> None:
        """Refuse what stands further left than the block that it belongs to; PyYAML does not mind."""
        parent = self._open[-1] if self._open else None
        if parent is None or parent.flow:
            return
        brackets = isinstance(node, MappingNode | SequenceNode) and node.flow
        if brackets or (isinstance(node, ScalarNode) and node.style in (Style.SINGLE, Style.DOUBLE)):
            column = parent.start - self._text.rfind("\n", 0, parent.start) - 1
            at = _line_too_far_left(self._text, node.start, node.end, column, brackets=brackets)
            if at is not None:
                _refuse(at, f"Vally refuses this line: indent it by more than {column} spaces, as part of what is open")

    @staticmethod
    def _check_key(parent: _Open, key: Node) -> None:
        # As npm `yaml` compares: scalars by value, 1 and "1" differ; what an alias or a collection says does not count.
        if not isinstance(key, ScalarNode):
            return
        value = key.value
        identity = (float if isinstance(value, int) and not isinstance(value, bool) else type(value), value)
        if identity in parent.keys:
            _refuse(key.start, f"the key {key.text!r} is there twice in one mapping, which Vally refuses: remove one")
        parent.keys.add(identity)


def _block_end(text: str, placed: Placed, mark: int) -> int:
    """Where the last line of a block scalar ends, before its line break.

    PyYAML's mark stands after the blank lines that follow; with ``+`` they are content, else they are not.
    """
    header, _, _ = text[placed.content : mark].partition("\n")
    end = min(mark, len(text))
    keeps = "+" in header.partition("#")[0]
    while True:
        line = text.rfind("\n", placed.content, end) + 1
        blank = line > 0 and len(text[line:end].rstrip("\r")) <= placed.indent and not text[line:end].strip(" \r")
        if not blank:
            return end
        end = line - 1 - (text[line - 2] == "\r")
        if keeps:
            return end


def _line_too_far_left(text: str, start: int, end: int, column: int, *, brackets: bool) -> int | None:
    """The offset of the first continued line whose indentation is not more than a column (0-based)."""
    line = text.find("\n", start, end) + 1
    while line > 0:
        first = line
        while text[first : first + 1] == " ":
            first += 1
        # The bracket that closes may stand in the very column of its block.
        closes = brackets and first == end - 1 and first - line == column
        if (
            first - line <= column
            and not closes
            and text[first : first + 1] not in ("\r", "\n", "#" if brackets else "")
        ):
            return first
        line = text.find("\n", line, end) + 1
    return None


def _refuse(offset: int, message: str) -> Never:
    raise SyntaxProblem(offset, message)
