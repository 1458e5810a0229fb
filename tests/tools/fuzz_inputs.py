"""Damage runs, sidecars, specs, patterns and journals byte by byte; have them read, judged, edited, explained and listed.

    python -m tests.tools.fuzz_inputs SECONDS [SEED]

Nothing may raise, whatever the bytes are; reports must be what they claim to be (JSON lines; text that no terminal obeys),
and an edit of a spec must be found in the text it makes.
Prints how many inputs of each kind were tried. One that fails is kept, and its path is printed.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import tempfile
import time
import unicodedata
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random

from vally_tui.cli.arguments import read_command
from vally_tui.cli.commands import COMMANDS
from vally_tui.cli.diagnostics import Diagnostics
from vally_tui.cli.output import Output
from vally_tui.engine.client import Engine
from vally_tui.errors import SpecEditRefused, SpecUnreadable, VallyTuiError
from vally_tui.grading.graders import Question, ask
from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.runs.discover import discover
from vally_tui.runs.load import load_run
from vally_tui.spec.apply import apply
from vally_tui.spec.document import parse_spec, read_spec
from vally_tui.spec.edit import AddGrader, RemoveGrader, ReplaceGrader, SetKey, Sharing
from vally_tui.spec.journal import Journal
from vally_tui.spec.model import GraderAddress
from vally_tui.triage import views
from vally_tui.triage.board import Board
from vally_tui.triage.config_edit import field_text
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.filter import Sort, read_filter
from vally_tui.triage.journalled import restored
from vally_tui.triage.pattern_fault import pattern_fault
from vally_tui.triage.state import TriageState
from vally_tui.triage.trial_list import trial_list

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_runs"
CORPUS = ROOT / "tests" / "data"

TOKENS = (
    b"\x00", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b"\x0b\x0c",
    b"\xe2\x80\xa8", b"\xc2\x85", b"\x1b]0;t\x07", b"\x9b", b"\xe2\x80\xae", b'"', b"'", b"\\", b"\\u0000", b"\\ud800",
    b"\\udc00\\ud800", b"{", b"}", b"[", b"]", b"[" * 2000, b'{"a":' * 2000, b":", b": ", b"- ", b",", b"null", b"true",
    b"1e999", b"-0", b"0.1e-400", b"9" * 5000, b"NaN", b"&a ", b"*a", b"<<: *a", b"!!python/name:os.system ", b"%YAML 1.1",
    b"---\n", b"...\n", b"|-\n", b">2\n", b"? ", b"# ", b"\t", b"(?i)", b"(?", b"(", b")", b"(?<n>", b"\\k<n>", b"[^]",
    b"{2,1}", b"a{99999}", b"(a+)+$", b"\\p{L}", b"\\u{41}", b"@@ -1 +1 @@", b"diff --git ", b"--- a/", b"+++ b/",
    b"Binary files ", b"rename from ", b"GIT binary patch", b"../", b"/", b"C:\\", b"~", b"$(x)", b"[bold]", b"[/]",
)  # fmt: skip
"""What damages are made of, beside single bytes and pieces of the other inputs."""


def damaged(random: Random, data: bytes, other: bytes) -> bytes:
    """The bytes with a few damages; ``other`` is what pieces are taken from."""
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        start = random.randrange(len(data) + 1)
        end = min(start + random.choice((0, 1, 1, 4, 40, 400)), len(data))
        match random.randrange(7):
            case 0:
                data = data[:start] + bytes([random.randrange(256)]) + data[start + 1 :]
            case 1:
                data = data[:start] + data[end:]
            case 2:
                data = data[:end] + data[start:end] * random.choice((1, 2, 50)) + data[end:]
            case 3 | 4:
                data = data[:start] + random.choice(TOKENS) + data[end:]
            case 5:
                place = random.randrange(len(other) + 1)
                data = data[:start] + other[place : place + random.choice((1, 10, 100, 2000))] + data[end:]
            case _:
                data = data[:start]
    return data


@cache
def originals(kind: str) -> tuple[bytes, ...]:
    """The inputs that are damaged."""
    if kind == "run":
        return tuple(path.read_bytes() for path in sorted(SAMPLES.rglob("results.jsonl")))
    if kind == "spec":
        return tuple(path.read_bytes() for path in sorted(SAMPLES.rglob("eval.yaml")))
    if kind == "sidecar":
        diffs = [*SAMPLES.rglob("*.diff"), *(CORPUS / "diff-corpus").rglob("*.diff")]
        return tuple(data for path in sorted(diffs) if len(data := path.read_bytes()) < 100_000)
    if kind == "journal":
        return (_journal(),)
    lines = (CORPUS / "regex-cases.jsonl").read_text(encoding="utf-8").split("\n")
    patterns = {json.loads(line)["pattern"] for line in lines if line}
    return tuple(sorted(pattern.encode("utf-8", "surrogatepass") for pattern in patterns if pattern))


def _journal() -> bytes:
    """What is kept of unsaved edits of every kind."""
    address = GraderAddress("s", -1, 0, "g", "diff-contains", 1, 0)
    edits = (
        ReplaceGrader(address, "{type: diff-contains, config: {pattern: x}}", {"type": "diff-contains"}),
        AddGrader("s", -1, 0, {"type": "diff-contains", "config": {"value": "\ud800"}}),
        RemoveGrader(address, {"type": "diff-contains"}),
    )
    with tempfile.TemporaryDirectory() as folder:
        Journal(Path(folder)).record(JOURNAL_KEY, edits)
        (path,) = Path(folder).iterdir()
        return path.read_bytes()


JOURNAL_KEY = "a run"
JOURNAL_FILE = hashlib.sha256(JOURNAL_KEY.encode()).hexdigest()[:32] + ".json"


class Fuzz:
    """One engine and one folder for many inputs."""

    def __init__(self, engine: Engine, folder: Path, seed: int) -> None:
        self._engine = engine
        self._folder = folder
        self._random = Random(seed)
        self.tried: Counter[str] = Counter()
        self.data = b""
        """The last input."""
        self.kinds: dict[str, Callable[[bytes], None]] = {
            "run": self._run, "spec": self._spec, "sidecar": self._sidecar, "pattern": self._pattern,
            "journal": self._journal,
        }  # fmt: skip

    def once(self) -> None:
        """Try one more input."""
        kind = self._random.choice(tuple(self.kinds))
        known = originals(kind)
        self.data = damaged(self._random, self._random.choice(known), self._random.choice(known))
        self.kinds[kind](self.data)
        self.tried[kind] += 1

    def _run(self, data: bytes) -> None:
        run = self._folder / "run"
        run.mkdir(exist_ok=True)
        (run / "results.jsonl").write_bytes(data)
        self._command("grade", str(run), "--output", self._random.choice(("text", "jsonl", "json")))
        self._command("files", str(run), "--output", self._random.choice(("text", "jsonl", "json")))
        self._command("lint", str(run), "--output", self._random.choice(("text", "jsonl")))
        self._board(run)

    def _sidecar(self, data: bytes) -> None:
        run = self._folder / "sidecar"
        run.mkdir(exist_ok=True)
        graders = [
            {"type": "diff-contains", "config": {"pattern": r"(?m)^\+.*$"}},
            {"type": "diff-not-contains", "config": {"value": "def "}},
            {"type": "diff-empty"},
        ]
        trajectory = {"stimulus": {"name": "s", "prompt": "p", "graders": graders}, "diffPath": "a.diff"}
        record = {"type": "trial-result", "stimulus": "s", "status": "success", "trajectory": trajectory}
        (run / "results.jsonl").write_text(json.dumps(record) + "\n")
        (run / "a.diff").write_bytes(data)
        self._command("grade", str(run), "--output", "jsonl")
        self._command("files", str(run), "--output", self._random.choice(("text", "jsonl")))
        grader = str(self._random.randrange(1, 4))
        self._command("explain", str(run), "--stimulus", "s", "--grader", grader, "--output", "text")

    def _spec(self, data: bytes) -> None:
        path = self._folder / "eval.yaml"
        path.write_bytes(data)
        self._command("lint", "-e", str(path))
        self._command("grade", str(SAMPLES / "quickstart"), "-e", str(path), "--output", "jsonl")
        self._edit(path)

    def _edit(self, path: Path) -> None:
        """Give one grader of a spec another pattern: it is refused with a reason, or the new text says just that."""
        try:
            document = read_spec(path)
        except SpecUnreadable:
            return
        graders = [grader for stimulus in document.spec.stimuli for grader in stimulus.graders]
        if not graders:
            return
        grader = self._random.choice(graders)
        wanted = self._random.choice(("x", "\\S+ '\"", "a\nb ", "no", "漢 #: -", "\x85\x07"))
        config = grader.config.config if isinstance(grader.config.config, dict) else {}
        old = config.get("pattern", UNSET)
        try:
            made = apply(document, [SetKey(grader.address, ("config", "pattern"), wanted, old, Sharing.ALL)])
        except SpecEditRefused:
            return
        again = parse_spec(made.text, path).spec.stimuli[grader.address.stimulus_index].graders[grader.address.index]
        assert isinstance(again.config.config, dict)
        assert again.config.config["pattern"] == wanted, made.text

    def _journal(self, data: bytes) -> None:
        place = self._folder / "journal"
        place.mkdir(exist_ok=True)
        (place / JOURNAL_FILE).write_bytes(data)
        kept = Journal(place).pending(JOURNAL_KEY)
        if kept is not None:
            restored(Board(), NO_EDITS, kept.edits)

    def _pattern(self, data: bytes) -> None:
        try:
            written = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            written = data.decode("utf-8", "replace")
        config = GraderConfig("diff-contains", config={self._random.choice(("pattern", "value")): written})
        field_text(config)
        for message in ("Unterminated group", "Unterminated character class", "Unmatched ')'", "Nothing to repeat",
                        "numbers out of order in {}", "Invalid group", "\\ at end of pattern"):  # fmt: skip
            pattern_fault(written, message)
        asked = ask(config)
        if isinstance(asked, Question) and asked.pattern is not None:
            self._engine.check([asked.pattern])
        spec = json.dumps({"name": "e", "stimuli": [{"name": "s", "prompt": "p", "graders": [
            {"type": "diff-contains", "config": {"pattern": written}}]}]})  # fmt: skip
        path = self._folder / "pattern.yaml"
        path.write_text(spec, encoding="ascii")
        self._command("lint", "-e", str(path), "--timeout", "0.2")

    def _command(self, name: str, *arguments: str) -> None:
        """A command as from the command line, but for its process and its engine."""
        out, errors = io.StringIO(), io.StringIO()
        told = Diagnostics(errors)
        read: Namespace = read_command(COMMANDS[name], list(arguments))
        # A file of the same name held another text before.
        self._engine.forget_all()
        try:
            import_module(COMMANDS[name].module).run(read, self._engine, output := Output(out), told)
            output.flush()
        except VallyTuiError as error:
            told.error(str(error))
        _check_output(out.getvalue(), read.output if hasattr(read, "output") else "text")
        _check_text(errors.getvalue())

    def _board(self, run: Path) -> None:
        """What the screen would list, sorted and filtered in every way."""
        board = Board()
        for number, source in enumerate(discover([str(run)]).sources):
            board.add_source(source)
            for step in load_run(source, first_key=len(board.entries)):
                board.add_trials(number, step.trials)
        board.settle(NO_EDITS, NO_EDITS)
        filters = ("", "failed", "-passed", "model:gpt", "fails:diff", "flipped", "error x", "grader:a")
        written = self._random.choice(filters)
        for sort in Sort:
            state = TriageState(filter=read_filter(written), sort=sort)
            rows = trial_list(board, state)
            views.title_view(board, state, run="run")
            views.trials_title(board, state, rows)
            views.trial_columns(board)
            for row in rows.rows[:50]:
                if row < 0:
                    views.group_row(board, state, rows.groups[~row])
                else:
                    views.trial_row(board, state, row, rows)


def _check_output(text: str, kind: str) -> None:
    if kind == "text":
        _check_text(text)
        return
    assert text.isascii()
    for line in text.split("\n"):
        if line:
            json.loads(line, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def _check_text(text: str) -> None:
    bad = {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert not bad, sorted(map(ascii, bad))


def fuzz(seconds: float, seed: int) -> Counter[str]:
    """Try damaged inputs for so long; how many of each kind were tried."""
    until = time.monotonic() + seconds
    with Engine(20) as engine, tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(engine, Path(folder), seed)
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                fuzz.once()
            except Exception:
                kept = Path(tempfile.gettempdir()) / f"fuzz-{seed}-{fuzz.tried.total()}"
                kept.write_bytes(fuzz.data)
                print(f"seed {seed}, input {fuzz.tried.total()}: {kept}", file=sys.stderr)
                raise
            if time.monotonic() - began > 20:
                print(f"slow: {time.monotonic() - began:.0f} s: {fuzz.data[:200]!r}", file=sys.stderr)
        return fuzz.tried


def pairs(counts: Counter[str]) -> Iterator[str]:
    """The counts in words."""
    yield from (f"{count:,} {kind}s" for kind, count in sorted(counts.items()))


if __name__ == "__main__":
    print(", ".join(pairs(fuzz(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()))))
