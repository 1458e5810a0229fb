"""The corpus of awkward diffs in ``tests/data/diff-corpus``: each with what git, or a reader by hand, says about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parents[1] / "data" / "diff-corpus"


@dataclass(frozen=True)
class Entry:
    name: str
    text: str
    files: list[list[Any]]
    """``[path, kind, added, removed]`` of each file, in the order of the text."""
    detail: list[dict[str, Any]]
    """``old_path``, ``binary``, ``old_mode``, ``new_mode`` of each file."""
    free: bool
    """Its files are not told: the text is so broken that any reading is as good, as long as no line is lost."""
    owners: str
    """One sign for each raw line: see ``owner_signs``."""

    def __str__(self) -> str:
        return self.name


@cache
def entries() -> tuple[Entry, ...]:
    lines = (CORPUS / "INDEX.jsonl").read_text(encoding="utf-8").split("\n")
    return tuple(_entry(json.loads(line)) for line in lines if line)


def _entry(record: dict[str, Any]) -> Entry:
    text = (CORPUS / record["file"]).read_bytes().decode("utf-8", "replace")
    return Entry(record["name"], text, record["files"], record["detail"], record["free"], record["map"] or "")
