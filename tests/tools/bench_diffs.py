"""How long the diff index takes, as medians, and as ratios to git and to unidiff's whole parse in the same run.

    python -m tests.tools.bench_diffs [FILES]

FILES is the number of files of the large diff (5,000 files are about 50 MB, the default).
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from unidiff.patch import PatchSet

from tests.tools.big_diffs import SHAPES, many_files
from vally_tui.diffs.hunks import checked_rows
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import tally
from vally_tui.diffs.scan import scan

FILES = 5000
RUNS = 5
WINDOW = 60
SIZES = {
    "one_hunk": 200_000,
    "many_hunks": 50_000,
    "long_row": 5_000_000,
    "renames": 10_000,
    "plain_like_body": 20_000,
    "surplus_rows": 200_000,
    "no_diff": 500_000,
    "hunk_headers": 100_000,
    "blank_rows": 500_000,
    "ambiguous_git_line": 1_000_000,
    "ambiguous_binary_line": 1_000_000,
    "open_quotes": 1_000_000,
}
"""The shape and size of each further text whose index and windows are measured."""


@dataclass(frozen=True)
class Figure:
    what: str
    milliseconds: float
    """Median."""
    ratio: float | None = None
    """To the baseline."""
    baseline: str = ""

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"  {self.ratio:5.2f} × {self.baseline}"
        return f"{self.what:58} {self.milliseconds:9.2f} ms{ratio}"


def figures(files: int = FILES) -> list[Figure]:
    """Everything that is measured; the large diff has so many files."""
    return [*large_diff(files), *(figure for shape, size in SIZES.items() for figure in one_shape(shape, size))]


def large_diff(files: int) -> list[Figure]:
    """Index, first files, windows and matches of a large diff; git and unidiff take turns with it."""
    text = many_files(files)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "large.diff"
        path.write_text(text, encoding="utf-8", newline="")
        command = ["git", "apply", "--numstat", "-z", str(path)]
        index, git, first = _medians(
            lambda: DiffIndex.build(text),
            lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True),
            lambda: next(scan(text)),
        )
    whole = _medians(lambda: PatchSet(text), runs=1)[0]
    name = f"{files:,} files, {len(text) / 1e6:.0f} MB"
    return [
        Figure(f"{name}: git apply --numstat", git),
        Figure(f"{name}: index with names", index, index / git, "git"),
        Figure(f"{name}: unidiff's whole parse", whole, whole / git, "git"),
        Figure(f"{name}: index with names", index, index / whole, "unidiff"),
        Figure(f"{name}: first file", first),
        *_windows(name, DiffIndex.build(text)),
    ]


def one_shape(shape: str, size: int) -> list[Figure]:
    """Index and windows of one text."""
    text = SHAPES[shape](size)
    name = f"{shape} {size:,}"
    return [
        Figure(f"{name}: index", _medians(lambda: DiffIndex.build(text), runs=3)[0]),
        *_windows(name, DiffIndex.build(text)),
    ]


def _windows(name: str, index: DiffIndex) -> list[Figure]:
    random = Random(1)
    rows = [random.randrange(index.row_count) for _ in range(100)]
    plain = sorted(_milliseconds(partial(index.rows, row, WINDOW)) for row in rows)
    checked = sorted(_milliseconds(partial(checked_rows, index, row, WINDOW)) for row in rows)
    starts = sorted(random.randrange(len(index.text)) for _ in range(100_000))
    return [
        Figure(f"{name}: {WINDOW} rows anywhere", median(plain)),
        Figure(f"{name}: {WINDOW} rows anywhere, worst of 100", plain[-1]),
        Figure(f"{name}: {WINDOW} rows through unidiff, checked", median(checked)),
        Figure(f"{name}: {WINDOW} rows through unidiff, checked, worst of 100", checked[-1]),
        Figure(f"{name}: 100,000 matches counted by file and kind", _milliseconds(lambda: tally(index, starts))),
    ]


def _medians(*tasks: Callable[[], object], runs: int = RUNS) -> list[float]:
    """The median time of each task; they take turns, so that a busy moment falls on all."""
    times: Sequence[list[float]] = [[] for _ in tasks]
    for _ in range(runs):
        for task, taken in zip(tasks, times, strict=True):
            taken.append(_milliseconds(task))
    return [median(taken) for taken in times]


def _milliseconds(task: Callable[[], object]) -> float:
    start = time.perf_counter()
    task()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    for figure in figures(int(sys.argv[1]) if len(sys.argv) > 1 else FILES):
        print(figure)
