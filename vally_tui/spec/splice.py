"""Changes of a spec's text as splices. Each function says which characters go and what comes in their place.

Nothing here checks the outcome: edit.py reads the text again and compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from vally_tui.spec import render, scalars
from vally_tui.spec.document import SpecDocument
from vally_tui.spec.nodes import Content, Entry, Item, MappingNode, Node, ScalarNode, SequenceNode, Style
from vally_tui.spec.places import Places, member_end, members


class Splice(Struct, frozen=True):
    """Half-open offsets in code points, and the text that replaces what is between them."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: list[Splice]) -> str:
    """The text with all splices made; they do not overlap, and their offsets are those of the given text."""
    pieces: list[str] = []
    at = 0
    for splice in sorted(splices, key=lambda splice: (splice.start, splice.end)):
        pieces += [text[at : splice.start], splice.text]
        at = splice.end
    return "".join([*pieces, text[at:]])


class Splicer:
    """Makes splices for one document."""

    def __init__(self, document: SpecDocument) -> None:
        self._document = document
        self._text = document.text
        self._newline = document.newline
        self.places = Places(document.root)

    def replace(self, node: Content, value: object) -> list[Splice]:
        """Another value in the place of a node; its anchor stays."""
        if isinstance(node, ScalarNode) and not render.is_collection(value) and not isinstance(value, dict | list):
            return [self._scalar(node, value)]
        return [self.put(node, value, None, node.anchor)]

    def put(self, node: Node, value: object, like: Content | None, anchor: str | None) -> Splice:
        """A value written anew where a node or an alias stands; ``like`` gives the quotes of scalars."""
        name = f"&{anchor}" if anchor is not None else ""
        hold = self.places.hold(node)
        if hold is None or self.places.in_flow(node) or not render.is_collection(value):
            return self._put_inline(node, value, like, name)
        lines = render.block_lines(value, like, tall=self._ends_line(node.end))
        start = self._after_marker(hold.member, node)
        if start is None:
            column = self._column(node.outer)
            lines = [name, *lines] if name else lines
            return Splice(node.outer, node.end, self._joined(lines, column))
        if isinstance(hold.member, Item):
            column = self._column(hold.member.dash) + 2
            lead = f" {name}{self._newline}{' ' * column}" if name else " "
            return Splice(start, node.end, lead + self._joined(lines, column))
        column = self._column(hold.member.key.outer) + 2
        lead = f" {name}" if name else ""
        return Splice(start, node.end, lead + self._newline + " " * column + self._joined(lines, column))

    def add_entry(self, mapping: MappingNode, key: str, value: object) -> list[Splice]:
        """A new entry behind the last one."""
        if mapping.flow or self.places.in_flow(mapping):
            return [self._add_to_flow(mapping, render.flow({key: value})[1:-1])]
        last = mapping.entries[-1]
        column = self._column(mapping.entries[0].key.outer)
        return [self._new_lines(member_end(last), render.block_lines({key: value}), column)]

    def rename(self, mapping: MappingNode, index: int, key: str) -> list[Splice]:
        """Another key for an entry, in the same quotes."""
        node = mapping.entries[index].key
        style = node.style if isinstance(node, ScalarNode) else Style.PLAIN
        flow = mapping.flow or self.places.in_flow(mapping)
        return [Splice(node.start, node.end, scalars.one_line(key, style, flow=flow))]

    def add_item(self, sequence: SequenceNode, index: int, value: object) -> list[Splice]:
        """A new member at a 0-based place."""
        if not sequence.items and not self.places.in_flow(sequence):
            return [self.put(sequence, [value], None, sequence.anchor)]
        if sequence.flow or self.places.in_flow(sequence):
            return [self._insert_in_flow(sequence, index, render.flow(value))]
        column = self._column(sequence.items[0].dash)
        lines = render.block_lines([value])
        if index > 0:
            return [self._new_lines(member_end(sequence.items[index - 1]), lines, column)]
        first = sequence.items[0].dash
        return [Splice(first, first, self._joined([*lines, ""], column) + " " * column)]

    def remove(self, parent: MappingNode | SequenceNode, index: int) -> list[Splice]:
        """One member less; the last one that goes leaves ``{}`` or ``[]``."""
        siblings = members(parent)
        empty: object = {} if isinstance(parent, MappingNode) else []
        if len(siblings) == 1:
            return [self.put(parent, empty, None, parent.anchor)]
        if parent.flow or self.places.in_flow(parent):
            return [_remove_from_flow(siblings, index)]
        start, end = _start(siblings[index]), member_end(siblings[index])
        if not self._text[self._line_start(start) : start].strip():
            return [self._whole_lines(start, end)]
        return [self._first_of_compact(start, end, _start(siblings[index + 1]))]

    def write_text(self, node: Content, text: str) -> list[Splice]:
        """Text of a person's (lines from column 0) in the place of a block node, up to the end of its line."""
        hold = self.places.hold(node)
        lines = text.rstrip().replace("\r\n", "\n").split("\n")
        name = self._text[node.outer : node.start].rstrip()
        end = self._line_end(node.end)
        if name and hold is not None:
            column = self._column(_start(hold.member)) + 2
            return [Splice(node.outer, end, self._joined([name, *lines], column))]
        return [Splice(node.outer, end, self._joined(lines, self._column(node.outer)))]

    def drop_anchor(self, node: Content) -> Splice:
        """The text without the anchor of a node; a tag stays."""
        at = self._text.index(f"&{node.anchor}", node.outer)
        end = at + len(f"&{node.anchor}")
        after = end
        while self._text[after : after + 1] == " ":
            after += 1
        if self._text[after : after + 1] not in ("", "\r", "\n", "#"):
            return Splice(at, after, "")
        while self._text[at - 1 : at] == " ":
            at -= 1
        return Splice(at, end, "")

    def _scalar(self, node: ScalarNode, value: object) -> Splice:
        assert value is None or isinstance(value, str | int | float | bool)
        flow = self.places.in_flow(node)
        if node.style.is_block and isinstance(value, str):
            header = self._text[node.start : self._line_end(node.start)]
            written = scalars.block(value, header, node.indent, self._newline)
            if written is not None:
                return Splice(node.start, node.end, written)
        written = scalars.one_line(value, node.style, flow=flow)
        if node.start < node.end:
            return Splice(node.start, node.end, written)
        hold = self.places.hold(node)
        alone = hold is not None and isinstance(hold.member, Entry) and hold.member.colon < 0
        return Splice(node.start, node.end, (": " if alone else " ") + written)

    def _put_inline(self, node: Node, value: object, like: Content | None, name: str) -> Splice:
        flow = self.places.in_flow(node)
        written = render.flow(value, like) if flow else render.block_lines(value, like, tall=False)[0]
        written = f"{name} {written}" if name else written
        hold = self.places.hold(node)
        if hold is None or flow or _marker(hold.member) < 0:
            return Splice(node.outer, node.end, written if node.outer < node.end else f" {written}")
        # A comment between the colon or dash and a block comes to stand behind the short value.
        after = _marker(hold.member) + 1
        between = self._text[after : node.outer].rstrip()
        return Splice(after, node.end, f" {written}{between}")

    def _after_marker(self, member: Entry | Item, node: Node) -> int | None:
        """Where the white space before a node begins, up to its colon or dash; None where anything else is between."""
        marker = _marker(member)
        return marker + 1 if marker >= 0 and not self._text[marker + 1 : node.outer].strip() else None

    def _add_to_flow(self, mapping: MappingNode, written: str) -> Splice:
        if not mapping.entries:
            return Splice(mapping.start, mapping.end, f"{{{written}}}")
        end = member_end(mapping.entries[-1])
        return Splice(end, end, f", {written}")

    def _insert_in_flow(self, sequence: SequenceNode, index: int, written: str) -> Splice:
        if not sequence.items:
            return Splice(sequence.start, sequence.end, f"[{written}]")
        if index > 0:
            end = member_end(sequence.items[index - 1])
            return Splice(end, end, f", {written}")
        first = sequence.items[0].node.outer
        return Splice(first, first, f"{written}, ")

    def _whole_lines(self, start: int, end: int) -> Splice:
        first, last = self._line_start(start), self._line_end(end)
        if last < len(self._text):
            return Splice(first, self._text.index("\n", last) + 1, "")
        # The last line of a text that does not end in a line break: the break before it goes instead.
        return Splice(self._break_before(first), last, "")

    def _break_before(self, line_start: int) -> int:
        """Where the line break begins that ends the line before."""
        at = max(line_start - 1, 0)
        return at - 1 if at and self._text[at - 1] == "\r" else at

    def _first_of_compact(self, start: int, end: int, following: int) -> Splice:
        """The first entry behind a dash: what follows moves up, unless a comment stands between."""
        if "#" not in self._text[self._line_end(end) : following]:
            return Splice(start, following, "")
        while self._text[start - 1] == " ":
            start -= 1
        return Splice(start, self._line_end(end), "")

    def _new_lines(self, after: int, lines: list[str], column: int) -> Splice:
        at = self._line_end(after)
        return Splice(at, at, self._newline + " " * column + self._joined(lines, column))

    def _joined(self, lines: list[str], column: int) -> str:
        """Lines, all but the first moved to a column."""
        return self._newline.join([lines[0], *render.indented(lines[1:], column)])

    def _ends_line(self, offset: int) -> bool:
        return not self._text[offset : self._line_end(offset)].strip()

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _line_end(self, offset: int) -> int:
        """Before the line break that ends the line of an offset."""
        end = self._text.find("\n", offset)
        if end < 0:
            return len(self._text)
        return end - 1 if end > offset and self._text[end - 1] == "\r" else end

    def _column(self, offset: int) -> int:
        """0-based column; a BOM has no width."""
        start = self._line_start(offset)
        return offset - start - (start == 0 and self._text.startswith("\ufeff"))


def _marker(member: Entry | Item) -> int:
    return member.colon if isinstance(member, Entry) else member.dash


def _start(member: Entry | Item) -> int:
    return member.key.outer if isinstance(member, Entry) else member.dash


def _remove_from_flow(siblings: Sequence[Entry | Item], index: int) -> Splice:
    def begin(member: Entry | Item) -> int:
        return member.key.outer if isinstance(member, Entry) else member.node.outer

    if index + 1 < len(siblings):
        return Splice(begin(siblings[index]), begin(siblings[index + 1]), "")
    return Splice(member_end(siblings[index - 1]), member_end(siblings[index]), "")
