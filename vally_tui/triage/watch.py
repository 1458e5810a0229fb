"""Notices that a run or a spec changed on disk. Looks once a second at sizes and times; reads nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

EVERY = 1.0
"""Seconds between two looks."""

Stamp = tuple[int, int, int] | None
"""Inode, size and time of change (nanoseconds); None where the file is not there."""


class ChangedOnDisk(Struct, frozen=True):
    """These files are not as they were when they were looked at last."""

    paths: tuple[Path, ...]


class Watch:
    """Owns the thread. A file that is replaced by renaming, as editors save, is noticed too."""

    def __init__(self, deliver: Callable[[ChangedOnDisk], None], every: float = EVERY) -> None:
        self._deliver = deliver
        self._every = every
        self._stamps: dict[Path, Stamp] = {}
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watching files", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop; does not wait."""
        self._end.set()

    def watch(self, paths: Iterable[Path]) -> None:
        """Look at these files, too; how they are now is how they were."""
        with self._lock:
            for path in paths:
                self._stamps[path] = stamp(path)

    def look(self) -> tuple[Path, ...]:
        """The files that changed since the last look."""
        with self._lock:
            changed = []
            for path, before in self._stamps.items():
                now = stamp(path)
                if now != before:
                    self._stamps[path] = now
                    changed.append(path)
        return tuple(changed)

    def _run(self) -> None:
        while not self._end.wait(self._every):
            changed = self.look()
            if changed:
                self._deliver(ChangedOnDisk(changed))


def stamp(path: Path) -> Stamp:
    """What tells one state of a file from another without reading it."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
