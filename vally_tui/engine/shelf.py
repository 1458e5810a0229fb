"""The texts inside the worker: how they get into V8, by slot, and where their astral characters lie. Chooses nothing:
the client says what comes and what goes."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from typing import Any

from vally_tui.engine.frames import Frame
from vally_tui.engine.offsets import second_units
from vally_tui.engine.v8 import V8

_GARBAGE = 16 << 20
"""Bytes of dropped texts after which garbage is collected; V8 itself would let hundreds of megabytes pile up."""


class Shelf:
    """Texts by slot."""

    def __init__(self, v8: V8) -> None:
        self._v8 = v8
        self._tables: dict[int, array[int]] = {}
        self._sizes: dict[int, int] = {}
        self._part_table = array("I")
        self._part_units = 0
        self._garbage = 0

    def table(self, slot: int) -> array[int] | None:
        """Where the text's astral characters have their second units; None for a text without any."""
        return self._tables.get(slot)

    async def pack(self, frame: Frame) -> None:
        """Many texts that lie behind each other; in V8 they are slices of one string."""
        slots, units, wide = frame.header["slots"], frame.header["units"], frame.header["wide"]
        text = await self._hand_over(frame)
        await self._v8.evaluate(f"unpack({slots},{units})")
        table = second_units(text) if wide else array("I")
        at = 0
        for slot, length in zip(slots, units, strict=True):
            first, last = bisect_left(table, at), bisect_left(table, at + length)
            self._keep(slot, length, wide, array("I", (low - at for low in table[first:last])))
            at += length

    async def part(self, frame: Frame) -> None:
        """The next slice of a large text."""
        text = await self._hand_over(frame)
        await self._v8.evaluate(f"part({frame.header['index']},BOX.text)")
        table = second_units(text, self._part_units) if frame.header["wide"] else array("I")
        self._part_units += len(text) + len(table)
        self._part_table += table

    async def join(self, header: dict[str, Any]) -> None:
        """All slices have come: they are one text."""
        await self._v8.evaluate(f"join({header['slot']})")
        self._keep(header["slot"], self._part_units, header["wide"], self._part_table)
        self._discard(self._sizes[header["slot"]])
        self._part_table, self._part_units = array("I"), 0

    async def drop(self, header: dict[str, Any]) -> None:
        """Let texts go."""
        await self._v8.evaluate(f"drop({header['slots']})")
        for slot in header["slots"]:
            self._tables.pop(slot, None)
            self._discard(self._sizes.pop(slot, 0))

    async def _hand_over(self, frame: Frame) -> str:
        """Leave the body's text in the box. A lone surrogate only gets in as an escape in the code."""
        if frame.header["lone"]:
            text = frame.body.decode("utf-8", "surrogatepass")
            await self._v8.evaluate(f"BOX.text={json.dumps(text)};0")
        else:
            text = frame.body.decode("utf-8")
            self._v8.box(text)
        return text

    def _keep(self, slot: int, units: int, wide: bool, table: array[int]) -> None:
        self._sizes[slot] = units * 2 if wide else units
        if table:
            self._tables[slot] = table

    def _discard(self, size: int) -> None:
        self._garbage += size
        if self._garbage >= _GARBAGE:
            self._garbage = 0
            self._v8.tidy()
