"""Which texts the worker holds, seen from the client: keys, slots, what fits, what goes first, how a text is sent.

Texts lie in blocks, since V8 frees a packed string only when none of its texts is used: a block holds many small texts
of the same width, or one large one. The block that was used longest ago goes first, with all its texts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import Struct, field

from vally_tui.engine.frames import pack

_SLICE = 1 << 20
"""Characters of a large ASCII text sent at once."""

_WIDE_SLICE = 1 << 18
"""Characters of any other large text sent at once: at most 1 MB of UTF-8."""

_SMALL = 1 << 18
"""UTF-16 units up to which a text shares a block; a block of small texts holds at most 1 MB of them."""

_BLOCK_UNITS = 1 << 20


class Measured(NamedTuple):
    """A text that is to be sent."""

    key: Hashable
    text: str
    units: int
    """Its length in UTF-16 units."""
    wide: bool
    """Whether V8 needs two bytes for each unit: some character is above U+00FF."""

    @property
    def cost(self) -> int:
        """Bytes that V8 needs for it."""
        return self.units * 2 if self.wide else self.units


def measure(key: Hashable, text: str) -> Measured:
    """Find out width and units, in slices, so that no single call keeps other threads waiting."""
    if text.isascii():
        return Measured(key, text, len(text), False)
    slices = [text[at : at + _SLICE] for at in range(0, len(text), _SLICE)]
    if all(map(_is_latin_1, slices)):
        return Measured(key, text, len(text), False)
    return Measured(key, text, sum(len(part.encode("utf-16-le", "surrogatepass")) // 2 for part in slices), True)


def _is_latin_1(text: str) -> bool:
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


class _Block(Struct):
    cost: int
    keys: set[Hashable] = field(default_factory=set)
    slots: list[int] = field(default_factory=list)


class Place(Struct, frozen=True, gc=False):
    """Where a text lies in the worker."""

    slot: int
    units: int
    block: int


class Residents:
    """What the worker holds once it has got all messages that this has given."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        """Bytes that all blocks together may have; a single larger text still gets in, alone."""
        self.places: dict[Hashable, Place] = {}
        """Where each text lies; only read by others."""
        self._blocks: OrderedDict[int, _Block] = OrderedDict()
        self._free: list[int] = []
        self._next_slot = self._next_block = 0
        self.cost = 0
        """Bytes of all blocks."""

    def use(self, block: int) -> int:
        """Note that a block is used now; gives its bytes."""
        self._blocks.move_to_end(block)
        return self._blocks[block].cost

    def forget(self, keys: Iterable[Hashable]) -> list[bytes]:
        """The messages that drop texts which have changed; their memory is free once their whole block is."""
        return [drop for key in keys for drop in self._forget(key)]

    def _forget(self, key: Hashable) -> Iterator[bytes]:
        place = self.places.pop(key, None)
        if place is not None:
            block = self._blocks[place.block]
            block.keys.discard(key)
            if not block.keys:
                yield self._drop(place.block)

    def forget_all(self) -> list[bytes]:
        """The messages that drop everything."""
        return [self._drop(block) for block in list(self._blocks)]

    def add(self, texts: Sequence[Measured], pinned: set[int]) -> Iterator[bytes]:
        """The messages that drop what has to go and bring these texts; blocks in ``pinned`` stay.

        The texts count as held at once; their messages are made one by one as they are asked for.
        """
        drops = self._make_room(sum(text.cost for text in texts), pinned)
        groups = [group for wide in (False, True) for group in _grouped(text for text in texts if text.wide is wide)]
        placed = [(group, self._take(group)) for group in groups]
        return chain(drops, chain.from_iterable(_messages(group, slots) for group, slots in placed))

    def _make_room(self, cost: int, pinned: set[int]) -> list[bytes]:
        drops = []
        for block in [block for block in self._blocks if block not in pinned]:
            if self.cost + cost <= self.cap:
                break
            drops.append(self._drop(block))
        return drops

    def _drop(self, number: int) -> bytes:
        block = self._blocks.pop(number)
        self.cost -= block.cost
        for key in block.keys:
            del self.places[key]
        self._free += block.slots
        return pack({"do": "drop", "slots": block.slots})

    def _take(self, group: Sequence[Measured]) -> list[int]:
        number = self._next_block
        self._next_block += 1
        block = self._blocks[number] = _Block(sum(text.cost for text in group))
        self.cost += block.cost
        for text in group:
            slot = self._slot()
            self.places[text.key] = Place(slot, text.units, number)
            block.keys.add(text.key)
            block.slots.append(slot)
        return block.slots

    def _slot(self) -> int:
        if self._free:
            return self._free.pop()
        self._next_slot += 1
        return self._next_slot - 1


def _grouped(texts: Iterable[Measured]) -> Iterator[list[Measured]]:
    """Small texts together, up to a block's size; each large one alone."""
    group: list[Measured] = []
    units = 0
    for text in texts:
        if text.units > _SMALL:
            yield [text]
            continue
        if group and units + text.units > _BLOCK_UNITS:
            yield group
            group, units = [], 0
        group.append(text)
        units += text.units
    if group:
        yield group


def _messages(group: Sequence[Measured], slots: Sequence[int]) -> Iterator[bytes]:
    if len(group) == 1 and group[0].units > _SMALL:
        yield from _slices(group[0], slots[0])
        return
    # Each text by itself, as a joined one would be one more copy of all that is sent.
    encoded = [_encoded(text.text) for text in group]
    header = {
        "do": "pack",
        "slots": slots,
        "units": [text.units for text in group],
        "wide": group[0].wide,
        "lone": any(lone for _, lone in encoded),
    }
    yield pack(header, *(body for body, _ in encoded))


def _slices(text: Measured, slot: int) -> Iterator[bytes]:
    step = _SLICE if text.text.isascii() else _WIDE_SLICE
    for index, at in enumerate(range(0, len(text.text), step)):
        body, lone = _encoded(text.text[at : at + step])
        yield pack({"do": "part", "index": index, "wide": text.wide, "lone": lone}, body)
    yield pack({"do": "join", "slot": slot, "wide": text.wide})


def _encoded(text: str) -> tuple[bytes, bool]:
    """UTF-8, and whether lone surrogates had to be let through."""
    try:
        return text.encode("utf-8"), False
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass"), True
