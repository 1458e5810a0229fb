"""The spec that a run was made from, looked for near the run. Looks only below the given directories, and not far."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from vally_tui.errors import SpecUnreadable
from vally_tui.spec.document import parse_spec, read_bytes

MOST_PARTS = 32
"""Trailing parts of a recorded path that are tried."""
MOST_READ = 8
"""Files of the right name that are read to see whether they hold the right eval."""


def find_spec(recorded_eval_file: str | None, recorded_eval_name: str | None, roots: Sequence[Path]) -> Path | None:
    """The file below a root that ends in the longest part of a recorded path, and whose eval has the recorded name.

    The recorded path is often of another machine, with ``\\`` or ``/`` between its parts. None where there is no such
    file; what is there but no spec is passed over.
    """
    if not recorded_eval_file or recorded_eval_name is None:
        return None
    read = 0
    for path in _candidates(recorded_eval_file, roots):
        if read == MOST_READ:
            return None
        read += 1
        try:
            data = read_bytes(path)
            # Looking for the name first spares reading large YAML that is another eval.
            if recorded_eval_name.encode("utf-8", "surrogatepass") in data and _eval_name(data) == recorded_eval_name:
                return path
        except SpecUnreadable:
            continue
    return None


def _eval_name(data: bytes) -> str | None:
    try:
        return parse_spec(data.decode("utf-8"), None).spec.name
    except UnicodeDecodeError:
        return None


def _candidates(recorded: str, roots: Sequence[Path]) -> Iterator[Path]:
    parts = [part for part in re.split(r"[\\/]", recorded) if part not in ("", ".")]
    seen: set[Path] = set()
    for count in range(min(len(parts), MOST_PARTS), 0, -1):
        tail = parts[-count:]
        if any(part == ".." or ":" in part or "\0" in part for part in tail):
            continue
        for root in roots:
            path = root.joinpath(*tail)
            if path not in seen and _is_below(path, root):
                seen.add(path)
                yield path


def _is_below(path: Path, root: Path) -> bool:
    """Whether a path is a regular file below a root, also after its symbolic links are followed."""
    try:
        if not path.is_file():
            return False
        inside = os.path.realpath(root)
        return os.path.commonpath([inside, os.path.realpath(path)]) == inside
    except (OSError, ValueError):
        return False
