"""Where each node of a tree hangs in the text: its parent, its aliases, whether it stands in flow style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from vally_tui.spec.nodes import (
    AliasNode,
    Content,
    Entry,
    Item,
    MappingNode,
    Node,
    Path,
    ScalarNode,
    SequenceNode,
    Step,
    content,
    key_text,
)

MOST_PATHS = 1000
"""Logical paths that are followed at most; more users of one node are not told apart."""


class Hold(Struct, frozen=True):
    """What a node is held by."""

    parent: MappingNode | SequenceNode
    member: Entry | Item
    step: Step


class Places:
    """An index of one tree; made for a document, dropped with it."""

    def __init__(self, root: Node) -> None:
        self._holds: dict[int, Hold] = {}
        self._aliases: dict[int, list[AliasNode]] = {}
        self._in_flow: set[int] = set()
        self._walk(root)

    def hold(self, node: Node) -> Hold | None:
        """The parent of a node or alias in the text; None for the root."""
        return self._holds.get(id(node))

    def aliases(self, node: Content) -> list[AliasNode]:
        """Every alias of a node, in the order of the text."""
        return self._aliases.get(id(node), [])

    def in_flow(self, node: Node) -> bool:
        """Whether a node stands inside brackets (its own do not count)."""
        return id(node) in self._in_flow

    def is_shared(self, nodes: list[Node]) -> bool:
        """Whether what hangs at the end of this way from the root is also reached on another."""
        return any(isinstance(node, AliasNode) or bool(self.aliases(node)) for node in nodes)

    def paths(self, node: Content) -> list[Path]:
        """The logical paths on which a node is reached, in no order, at most MOST_PATHS."""
        found: list[Path] = []
        waiting: list[tuple[Content, Path]] = [(node, ())]
        while waiting and len(found) < MOST_PATHS:
            one, below = waiting.pop()
            holds = [hold for user in (one, *self.aliases(one)) if (hold := self.hold(user)) is not None]
            if not holds:
                found.append(below)
            waiting += [(hold.parent, (hold.step, *below)) for hold in reversed(holds)]
        return found

    def _walk(self, root: Node) -> None:
        waiting: list[Node] = [root]
        while waiting:
            node = waiting.pop()
            if isinstance(node, AliasNode):
                self._aliases.setdefault(id(node.target), []).append(node)
            elif not isinstance(node, ScalarNode):
                self._hold_members(node)
                waiting += reversed([member.node for member in members(node)])

    def _hold_members(self, parent: MappingNode | SequenceNode) -> None:
        flow = parent.flow or id(parent) in self._in_flow
        for place, member in enumerate(members(parent)):
            step = key_text(member.key) if isinstance(member, Entry) else place
            self._holds[id(member.node)] = Hold(parent, member, step)
            if flow:
                self._in_flow.add(id(member.node))


def members(parent: MappingNode | SequenceNode) -> Sequence[Entry | Item]:
    """The entries of a mapping or the items of a list."""
    return parent.entries if isinstance(parent, MappingNode) else parent.items


def inside(node: Node) -> Iterator[Content]:
    """A node and all that is written inside it; aliases are not followed."""
    if isinstance(node, AliasNode):
        return
    yield node
    if not isinstance(node, ScalarNode):
        for member in members(node):
            yield from inside(member.node)


def member_end(member: Entry | Item) -> int:
    """Behind the last character of a member."""
    if isinstance(member, Item):
        return max(member.node.end, member.dash + 1)
    return max(member.node.end, member.colon + 1, content(member.key).end if member.colon < 0 else 0)
