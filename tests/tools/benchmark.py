"""How quick the program is: each figure a median, beside a baseline that was measured in the same run.

    python -m tests.tools.benchmark [--rows NAME…] [--times N] [--data FOLDER]

Prints a Markdown table. The program runs in a real pseudo-terminal of 120x40. ``--data`` keeps the runs that are made,
some 600 MB; without it they are made anew each time. The system's load is printed, too: on a busy machine believe the
ratios only.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.tools.bench_runs import GROWING, GROWN_FROM, RUNS
from tests.tools.screen_text import ScreenText
from tests.tools.terminal import Terminal, children_of, megabytes_of

MINIMAL_APP = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("ready")
Minimal().run()
"""
IMPORTS = "import msgspec, yaml"
NODE = r"""
const lines = require('readline').createInterface({input: require('fs').createReadStream(process.argv[1])});
const patterns = [/^\+.*retry/m, /secret_key/, /raise ValueError/];
let found = 0;
lines.on('line', line => {
  const diff = JSON.parse(line).trajectory.diff;
  for (const pattern of patterns) if (pattern.test(diff)) found++;
});
lines.on('close', () => console.log(found));
"""
NODE_SAID = r"""
const lines = require('readline').createInterface({input: require('fs').createReadStream(process.argv[1])});
const named = /changed `[\w/]+\.py`/i, forced = /git push (--force|-f)\b/;
let found = 0;
lines.on('line', line => {
  const {output, events} = JSON.parse(line).trajectory;
  const said = events.filter(event => event.type === 'assistant_message').map(event => event.data.content).join('\n');
  found += output.toLowerCase().includes('all tests pass');
  found += named.test(output);
  found += output.includes('I am sorry');
  found += said.toLowerCase().includes('let me look at');
  found += forced.test(said);
});
lines.on('close', () => console.log(found));
"""
PYTHON = sys.executable


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    what: str
    value: float
    unit: str = "ms"
    goal: str = ""
    baseline: str = ""
    of_baseline: float | None = None
    """The baseline's own value, in the same unit."""
    worked: float | None = None
    """Milliseconds that the program's main thread worked for it, without what a busy machine adds."""

    def row(self) -> str:
        compared = ""
        if self.of_baseline:
            compared = f"{self.value / self.of_baseline:.2f} × {self.baseline} ({self.of_baseline:,.0f} {self.unit})"
        worked = "" if self.worked is None else f"{self.worked:,.1f} ms"
        return f"| {self.what} | {self.value:,.1f} {self.unit} | {worked} | {self.goal} | {compared} |"


@dataclass
class Bench:
    """What the measurements share: the data, how often each is taken."""

    folder: Path
    times: int

    def run(self, name: str) -> str:
        """The folder of a run, made when it is asked for first."""
        return str(RUNS[name](self.folder / name))

    @cached_property
    def minimal_app(self) -> float:
        """Milliseconds from the start of a minimal Textual app to its first frame."""
        return median(first_frame([PYTHON, "-c", MINIMAL_APP]) for _ in range(self.times))


ROWS: dict[str, Callable[[Bench], Iterator[Figure]]] = {}


def measures(name: str) -> Callable[[Callable[[Bench], Iterator[Figure]]], Callable[[Bench], Iterator[Figure]]]:
    """Registers what measures some rows of the table."""

    def register(function: Callable[[Bench], Iterator[Figure]]) -> Callable[[Bench], Iterator[Figure]]:
        ROWS[name] = function
        return function

    return register


def program(*arguments: str) -> list[str]:
    """The command that starts the program."""
    return [PYTHON, "-m", "vally_tui", *arguments]


@contextmanager
def opened(*arguments: str, until: str = "quit") -> Iterator[Terminal]:
    """The program on its screen, once it says ``until`` and has come to rest."""
    with Terminal(program(*arguments)) as terminal:
        need(terminal.wait_for(until, 120), f"{until!r} after starting with {arguments}", terminal)
        terminal.settle(0.5, 180)
        yield terminal


def need(moment: float | None, what: str, terminal: Terminal) -> float:
    """The moment; ends the benchmark where there is none, with what is on the screen instead."""
    if moment is None:
        sys.exit(f"never came: {what}; the screen:\n{terminal.screen.text}")
    return moment


def first_frame(command: Sequence[str]) -> float:
    """Milliseconds from the start to the first frame that shows anything."""
    with Terminal(command) as terminal:
        shown = need(terminal.wait(lambda screen: bool(screen.text.strip()), 60), "a first frame", terminal)
        return (shown - terminal.started_at) * 1000


def taken(task: Callable[[], object]) -> float:
    """Milliseconds that something takes."""
    start = time.perf_counter()
    task()
    return (time.perf_counter() - start) * 1000


def in_turn(times: int, *tasks: Callable[[], float]) -> list[float]:
    """The median of each task; they take turns, so that a busy moment falls on all."""
    values: list[list[float]] = [[] for _ in tasks]
    for _ in range(times):
        for task, each in zip(tasks, values, strict=True):
            each.append(task())
    return [median(each) for each in values]


def silent(command: Sequence[str]) -> None:
    """Run a command to its end."""
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=compiled, check=False)


class Spent(NamedTuple):
    """What a command took, in milliseconds."""

    wall: float
    cpu: float
    """Of itself and the processes that it started."""


def spent(command: Sequence[str]) -> Spent:
    """Run a command to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = taken(lambda: silent(command))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(wall, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)


# Starting


@measures("start")
def start(bench: Bench) -> Iterator[Figure]:
    """First frame, and a whole ``grade``, of a small run."""
    run = bench.run("small")
    ours, minimal = in_turn(
        bench.times, lambda: first_frame(program(run)), lambda: first_frame([PYTHON, "-c", MINIMAL_APP])
    )
    yield Figure("first frame, small run", ours, goal="≤ 1.5×", baseline="minimal Textual app", of_baseline=minimal)
    ours, imports = in_turn(
        bench.times,
        lambda: taken(lambda: silent(program("grade", run))),
        lambda: taken(lambda: silent([PYTHON, "-c", IMPORTS])),
    )
    yield Figure("grade, small run, whole process", ours, goal="≤ 4×", baseline=f"`{IMPORTS}`", of_baseline=imports)


@measures("headless")
def headless(bench: Bench) -> Iterator[Figure]:
    """All of a large run judged without a screen."""
    for name, script, what in (
        ("trials10k", NODE, "10,000 trials (160 MB), 3 diff graders"),
        ("said10k", NODE_SAID, "10,000 trials (190 MB), 5 output and transcript graders"),
    ):
        run = bench.run(name)
        ours, node = [], []
        for _ in range(max(bench.times // 3, 1)):
            ours.append(spent(program("grade", run)))
            node.append(spent(["node", "-e", script, f"{run}/results.jsonl"]))
        for kind, goal, of in (("", "≤ 2×", lambda each: each.wall), (", of both cores", "", lambda each: each.cpu)):
            value, baseline = median(map(of, ours)), median(map(of, node))
            yield Figure(f"{what}, headless{kind}", value, goal=goal, baseline="Node", of_baseline=baseline)


@measures("rows")
def first_rows(bench: Bench) -> Iterator[Figure]:
    """How soon the first trials of a large run are listed."""
    run = bench.run("trials10k")
    values = []
    for _ in range(bench.times):
        with Terminal(program(run)) as terminal:
            frame = need(terminal.wait(lambda screen: bool(screen.text.strip()), 60), "a frame", terminal)
            rows = need(terminal.wait_for("stimulus-00", 60), "rows", terminal)
            values.append((rows - frame) * 1000)
    yield Figure("10,000 trials: first rows after the first frame", median(values), goal="≤ 500 ms")


# Lists


@measures("list")
def long_list(bench: Bench) -> Iterator[Figure]:
    """100,000 trials: listed, sorted, filtered, a column flipped."""
    with Terminal(program(bench.run("trials100k"))) as terminal:
        rows = need(terminal.wait_for("stimulus-00", 60), "rows", terminal)
        yield Figure(
            "100,000 trials: first rows after the start", (rows - terminal.started_at) * 1000, goal="≤ 1000 ms"
        )
        all_read = need(
            terminal.wait(lambda screen: "of 100,000" in screen.text and "reading" not in screen.text, 300),
            "all trials read",
            terminal,
        )
        yield Figure("100,000 trials: all read", (all_read - terminal.started_at) * 1000)
        need(terminal.wait(lambda screen: "…" not in screen.lines[0], 300), "all judged", terminal)
        yield Figure("100,000 trials: all judged", (terminal.byte_at - terminal.started_at) * 1000)
        terminal.settle(1.5, 60)
        yield from _sorted(terminal)
        yield from _filtered(terminal)
        yield from _flipped(terminal)
        yield from _moves("100,000 trials", terminal, {"next trial": "down", "page": "pagedown", "last": "G"})
        yield from _held(terminal)
        yield Figure("100,000 trials: the screen's process", megabytes_of(terminal.pid), "MB")


_ORDERS = {"f": "failed first", "d": "flipped first", "c": "score", "m": "model", "t": "duration", "s": "stimulus"}


def _sorted(terminal: Terminal) -> Iterator[Figure]:
    """Each order, from the key in the box of orders to the list in that order."""
    for key, order in _ORDERS.items():
        terminal.press("S")
        need(terminal.wait_for("esc back", 10), "the orders", terminal)
        terminal.settle(0.5)
        before, worked, pressed = _list(terminal.screen), terminal.cpu(), time.perf_counter()
        terminal.press(key)
        shown = need(terminal.wait(lambda screen, old=before: _list(screen) != old, 30), "another list", terminal)
        taken, worked = (shown - pressed) * 1000, terminal.cpu() - worked
        terminal.settle(0.5, 30)
        yield Figure(f"100,000 trials: sorted by {order}", taken, goal="≤ 150 ms", worked=worked)


def _filtered(terminal: Terminal) -> Iterator[Figure]:
    """The last key of a filter, to the list that it leaves."""
    for words in ("model:model-b", "passed", "-passed"):
        terminal.press("\\")
        need(terminal.wait_for("keep the filter", 10), "the filter", terminal)
        terminal.press(*words[:-1])
        terminal.settle(0.5)
        before, worked, pressed = _list(terminal.screen), terminal.cpu(), time.perf_counter()
        terminal.press(words[-1])
        shown = need(terminal.wait(lambda screen, old=before: _list(screen) != old, 30), "another list", terminal)
        taken, worked = (shown - pressed) * 1000, terminal.cpu() - worked
        terminal.settle(0.5, 30)
        yield Figure(f"100,000 trials: filtered by {words}", taken, goal="≤ 150 ms", worked=worked)
        terminal.press("escape")
        need(terminal.wait(lambda screen: "keep the filter" not in screen.text, 10), "no filter", terminal)
        terminal.settle(0.5)


def _list(screen: ScreenText) -> list[str]:
    """The trial list with its title, as far as no box covers it and no prompt is below it."""
    return [line[:24] for line in screen.lines[1:20]]


def _flipped(terminal: Terminal) -> Iterator[Figure]:
    """Negate a grader and take it back: the second time all verdicts are known, so that only the list has to follow."""
    terminal.press("1", "i")
    terminal.settle(3.0, 60)
    for name, key in (("taken back", "u"), ("done again", "ctrl+r")):
        before = terminal.screen.lines[0]
        pressed = time.perf_counter()
        terminal.press(key)
        first = need(terminal.wait(lambda screen: True, 1) and terminal.wait(_other(before), 30), "flipped", terminal)
        terminal.settle(0.6, 30)
        yield Figure(f"100,000 trials: a verdict column flipped, {name}", (first - pressed) * 1000, goal="≤ 150 ms")
        yield Figure("100,000 trials: the same, its tallies complete", (terminal.byte_at - pressed) * 1000)
    terminal.press("u")
    terminal.settle(0.6, 30)


def _held(terminal: Terminal, keys: int = 100) -> Iterator[Figure]:
    """The key for the next trial, held on the first one: the keys come faster than they act."""
    terminal.press("g")
    terminal.settle(1.0, 30)
    worked, pressed = terminal.cpu(), time.perf_counter()
    terminal.press(*["j"] * keys)
    passed = need(terminal.wait_for(f"trial {1 + keys} ", 60), "the trial where the key is let go", terminal)
    each, worked = (passed - pressed) * 1000 / keys, (terminal.cpu() - worked) / keys
    yield Figure("100,000 trials: next trial held, for each key", each, worked=worked)


def _other(before: str) -> Callable[[ScreenText], bool]:
    return lambda screen: screen.lines[0] != before


# Diffs


@measures("select")
def select(bench: Bench) -> Iterator[Figure]:
    """A large diff is selected: how soon its first hunk is there."""
    less = []
    for name, kept in (("files5k_cold", "from the disk"), ("files5k", "which was read last")):
        run = bench.run(name)
        values = []
        for _ in range(bench.times):
            with opened(run) as terminal:
                pressed = time.perf_counter()
                terminal.press("down")
                shown = need(terminal.wait(_large_diff, 60), "the first hunk", terminal)
                values.append((shown - pressed) * 1000)
            with Terminal(["less", f"{run}/1.diff"]) as terminal:
                shown = need(terminal.wait_for("@@", 20), "less", terminal)
                less.append((shown - terminal.started_at) * 1000)
        yield Figure(
            f"50 MB, 5,000 files selected, {kept}: first hunk",
            median(values),
            goal="≤ 300 ms",
            baseline="less",
            of_baseline=median(less),
        )
    numstat = median(taken(lambda: silent(["git", "apply", "--numstat", f"{run}/1.diff"])) for _ in range(3))
    yield Figure("the same text, `git apply --numstat`", numstat)


def _large_diff(screen: ScreenText) -> bool:
    """Whether the diff of 5,000 files is in view, with a hunk of it: its head, or rows of it that the title names."""
    title = next((line for line in screen.lines if "─ Diff " in line), "")
    return "/file" in title and ("@@ -" in screen.text or "hunk " in title.partition("─ Diff ")[2])


def _moves(name: str, terminal: Terminal, keys: dict[str, str], times: int = 9) -> Iterator[Figure]:
    """How long each key takes to its frame: the median, and the worst."""
    for what, key in keys.items():
        values, worked = [], []
        for _ in range(times):
            before = terminal.cpu()
            frame = terminal.frame_after(key, 1)
            if frame is not None:
                values.append(frame * 1000)
                worked.append(terminal.cpu() - before)
            terminal.settle(0.05, 5)
        if values:
            yield Figure(f"{name}: {what}", median(values), goal="≤ 30 ms", worked=median(worked))
            yield Figure(f"{name}: {what}, slowest of {len(values)}", max(values), worked=max(worked))


_IN_DIFF = {
    "page down": "pagedown",
    "page up": "pageup",
    "line down": "down",
    "end": "G",
    "home": "g",
    "next match": "n",
    "next hunk": "]",
    "next file": ".",
}


@measures("moves")
def moves(bench: Bench) -> Iterator[Figure]:
    """Moving about in large diffs."""
    for run, name in (
        ("rows500k", "500,000-line file"),
        ("line5m", "5 MB line"),
        ("wide5m", "5 MB line of tabs and CJK"),
        ("matches100k", "100,000 matches"),
        ("files5k", "50 MB, 5,000 files"),
    ):
        with opened(bench.run(run)) as terminal:
            if run == "files5k":
                terminal.press("down")
                terminal.settle(2.0, 60)
            terminal.press("1" if run == "matches100k" else "0")
            terminal.settle(2.0, 60)
            for _ in range(3):
                terminal.press("tab")
                terminal.settle(0.3)
            yield from _moves(name, terminal, _IN_DIFF | ({"right": "right"} if "line" in run else {}))
            terminal.press("shift+tab")
    with opened(bench.run("trials10k")) as terminal:
        yield from _moves("10,000 trials", terminal, {"next trial": "down", "next failing": "f"})


# Memory


@measures("memory")
def memory(bench: Bench) -> Iterator[Figure]:
    """What the screen's process and the worker hold."""
    for runs, name, goal in (
        (["trials10k"], "10,000 trials open", "≤ 150 MB"),
        (["trials10k", "files5k"], "10,000 trials and a 50 MB diff in view", "≤ 250 MB"),
    ):
        with opened(*(bench.run(run) for run in runs), until="quit") as terminal:
            need(terminal.wait(lambda screen: "…" not in screen.lines[0], 120), "all judged", terminal)
            if len(runs) > 1:
                terminal.press("G")
                need(terminal.wait(_large_diff, 60), "the large diff", terminal)
            terminal.settle(2.0, 60)
            worker = max((megabytes_of(child) for child in children_of(terminal.pid)), default=0.0)
            yield Figure(f"{name}: the screen's process", megabytes_of(terminal.pid), "MB", goal)
            yield Figure(f"{name}: its highest", megabytes_of(terminal.pid, "VmHWM"), "MB")
            yield Figure(f"{name}: the worker", worker, "MB", "≤ 75 MB + 2.2 × resident texts (64 MB)")


# Typing


@measures("typing")
def typing(bench: Bench) -> Iterator[Figure]:
    """The echo of what is typed while every verdict follows, beside the same program with judging off."""
    for run, name in (
        ("trials1k", "1,000 trials of 10 KB"),
        ("diff20m", "one 20 MB diff"),
        ("trials10k", "10,000 trials"),
        ("trials100k", "100,000 trials"),
    ):
        yield from _typed(bench.run(run), name)


def _typed(run: str, name: str) -> Iterator[Figure]:
    off, off_gap, _ = _typing(run, judged=False)
    on, gap, all_verdicts = _typing(run, judged=True)
    yield Figure(
        f"typing, {name}: echo", median(on), goal="≤ 20 ms, ≤ 2×", baseline="judging off", of_baseline=median(off)
    )
    yield Figure(f"typing, {name}: echo, slowest", max(on), baseline="judging off", of_baseline=max(off))
    yield Figure(
        f"typing, {name}: largest gap of the event loop",
        gap,
        goal="≤ 100 ms",
        baseline="judging off",
        of_baseline=off_gap,
    )
    if all_verdicts:
        yield Figure(f"typing, {name}: key to all verdicts", median(all_verdicts))


def _typing(run: str, *, judged: bool) -> tuple[list[float], float, list[float]]:
    """Milliseconds to the echo of each key, the largest gap, and to the last verdict of each key."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "gap"
        mode = () if judged else ("--unjudged",)
        with Terminal([PYTHON, "-m", "tests.tools.watched", str(figures), *mode, run]) as terminal:
            need(terminal.wait_for("quit", 60), "the screen", terminal)
            need(terminal.wait(lambda screen: "…" not in screen.lines[0], 300), "all judged", terminal)
            terminal.settle(1.5, 60)
            terminal.press("1")
            terminal.settle(0.5)
            terminal.press("e")
            need(terminal.wait_for("keep the edit", 20), "the field", terminal)
            terminal.settle(0.5)
            terminal.press("ctrl+u")
            terminal.settle(0.5)
            terminal.press(*GROWING[:GROWN_FROM])
            need(terminal.wait_for(GROWING[:GROWN_FROM], 20), "the first characters", terminal)
            terminal.settle(2.0, 60)
            _gap(terminal, figures)
            echoes, verdicts = [], []
            for end in range(GROWN_FROM + 1, len(GROWING) + 1):
                pressed = time.perf_counter()
                terminal.press(GROWING[end - 1])
                shown = need(terminal.wait_for(GROWING[:end], 20), "the echo", terminal)
                echoes.append((shown - pressed) * 1000)
                if judged and (all_in := _all_verdicts(terminal)):
                    verdicts.append((all_in - pressed) * 1000)
                terminal.settle(0.15, 5)
            return echoes, _gap(terminal, figures), verdicts


def _all_verdicts(terminal: Terminal) -> float | None:
    """The moment when no trial waits any more for its verdict on what was typed last."""
    if not terminal.wait(lambda screen: "now fail" in screen.text or "now pass" in screen.text, 0.5):
        return None
    terminal.settle(0.3, 20)
    return None if " waiting" in terminal.screen.text else terminal.byte_at


def _gap(terminal: Terminal, figures: Path) -> float:
    figures.unlink(missing_ok=True)
    terminal.signal(signal.SIGUSR1)
    until = time.perf_counter() + 5
    while time.perf_counter() < until:
        terminal.pump(0.02)
        if figures.exists() and figures.read_text().endswith("\n"):
            return float(figures.read_text())
    return float("nan")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measures the program; prints a Markdown table.")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), help="which rows are measured")
    parser.add_argument("--times", type=int, default=9, help="how often each is measured")
    parser.add_argument("--data", type=Path, help="where the runs are kept")
    chosen = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start, Python {sys.version.split()[0]}\n")
    print("| what | median | of it worked | goal | to its baseline |\n| --- | ---: | ---: | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(chosen.data or Path(folder), chosen.times)
        for name in chosen.rows:
            for figure in ROWS[name](bench):
                print(figure.row(), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
