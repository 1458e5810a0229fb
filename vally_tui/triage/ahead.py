"""Takes the items of an iterator in a thread of its own, one ahead of whoever uses them. Knows nothing of the items."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from queue import Queue
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterable[Item]) -> Iterator[Item]:
    """The same items; the next one is made while the last one is used. What making them raises is raised here.

    ``items`` is used in the other thread only, also when this ends early: it is then left where it is.
    """
    made: Queue[Item | _End] = Queue(maxsize=1)
    stopped = threading.Event()
    threading.Thread(target=_make, args=(items, made, stopped), daemon=True).start()
    try:
        while not isinstance(item := made.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stopped.set()
        # Whoever waits to put its item goes on, and then sees that it was stopped.
        while not made.empty():
            made.get_nowait()


class _End:
    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def _make(items: Iterable[Item], made: Queue[Item | _End], stopped: threading.Event) -> None:
    try:
        for item in items:
            made.put(item)
            if stopped.is_set():
                return
    except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to the thread that asked
        made.put(_End(error))
        return
    made.put(_End(None))
