"""Run directories for the benchmark: many trials, large diffs, long lines, many matches. The same arguments, the same run.

Each function writes into a folder and returns it; nothing here is measured.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.tools.big_diffs import code, git_header, hunk, long_row, many_files, one_hunk

GROWING = "zq_abcdefghi"
"""What is typed to see verdicts follow: trial i holds its first ``3 + i % 9`` characters."""
GROWN_FROM = 3

Config = dict[str, object]


def grader(type_: str, name: str, **config: object) -> Config:
    """A grader as it is recorded."""
    return {"type": type_, "name": name, "config": config}


THREE = (
    grader("diff-contains", "retries", pattern=r"(?m)^\+.*retry"),
    grader("diff-not-contains", "no-secret", pattern="secret_key"),
    grader("diff-contains", "raises", value="raise ValueError"),
)

SAID = (
    grader("output-contains", "concludes", value="All Tests PASS"),
    grader("output-matches", "names-a-file", pattern=r"(?i)changed `[\w/]+\.py`"),
    grader("output-not-contains", "no-apology", substring="I am sorry", case_sensitive=True),
    grader("transcript-contains", "looks-first", value="let me look at"),
    grader("transcript-not-matches", "no-force", pattern=r"git push (--force|-f)\b"),
)

NEEDLE = (grader("diff-contains", "needles", pattern="needle"), grader("diff-contains", "lambdas", value="lambda"))
"""A pattern that only some of the texts hold, and a value that most lines of code hold."""
IN_LARGE = (grader("diff-contains", "in-large", value="part88/"),)
"""Fails on the small diff beside the large one, so that the small one is in view at first."""


def changed_files(size: int, number: int) -> str:
    """A diff of about ``size`` characters over a few files, told by its number."""
    rows = max(size // 140, 4)
    parts = [
        git_header(f"src/part{(number + file) % 50}.py") + hunk(10 + number % 90, rows, f" def f{number % 7}():")
        for file in range(3)
    ]
    held = GROWING[: GROWN_FROM + number % 9]
    added = f"+    raise ValueError({number}) # retry {held}\n"
    return "".join(parts) + git_header("src/last.py") + f"@@ -1 +1,2 @@\n x\n{added}"


def small(folder: Path) -> Path:
    """Eight trials."""
    return write_run(folder, records(8, 2, 400))


def many_trials(folder: Path, trials: int, diff_size: int, *, stimuli: int = 20, prose: int = 0) -> Path:
    """Trials with inline diffs of about ``diff_size`` characters, and ``prose`` characters of trajectory beside."""
    return write_run(folder, records(trials, stimuli, diff_size, prose))


def said_trials(folder: Path, trials: int) -> Path:
    """Trials judged by what the agent said: an output of about 2 KB, and 12 messages among as many results of tools."""
    return write_run(folder, said_records(trials))


def large_diffs(folder: Path, texts: Sequence[str], graders: Sequence[Config]) -> Path:
    """One trial for each text, each as a sidecar."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, text in enumerate(texts):
        (folder / f"{number}.diff").write_text(text, encoding="utf-8", newline="")
        lines.append(record(number, len(texts), "large", graders, {"diffPath": f"{number}.diff"}))
    return write_run(folder, iter(lines))


def five_thousand_files() -> str:
    """About 50 MB."""
    return many_files(5000)


def half_a_million_rows() -> str:
    """About 20 MB in one hunk."""
    return one_hunk(500_000)


def five_megabyte_row(kind: str) -> str:
    """A line of 5 MB: ``ascii``, or ``wide`` with tabs and CJK."""
    if kind == "ascii":
        return long_row(5_000_000)
    row = "\t值を確認する = check(値);" * 200_000
    return git_header("wide.js") + f"@@ -1,2 +1,2 @@\n first\n-x\n+{row}\n"


def many_matches(matches: int) -> str:
    """As many lines that hold ``needle``."""
    body = "".join(f"+{code(number)} needle\n" for number in range(matches))
    return git_header("needles.py") + f"@@ -0,0 +1,{matches} @@\n{body}"


def records(trials: int, stimuli: int, diff_size: int, prose: int = 0) -> Iterator[Config]:
    """Trials of stimuli in turn, all graded."""
    said = [{"type": "assistant_message", "timestamp": "t", "data": {"content": "done " * 50}}] * (prose // 250)
    pool = [changed_files(diff_size, number) for number in range(198)]
    for number in range(trials):
        diff = pool[number % len(pool)].replace("lambda", f"lambda{number}", 1)
        yield record(number, trials, f"stimulus-{number % stimuli:02}", THREE, {"diff": diff}, said)


def said_records(trials: int) -> Iterator[Config]:
    """Trials of 20 stimuli in turn with an output and events, and a small diff."""
    for number in range(trials):
        events: list[Config] = []
        for step in range(12):
            said = f"Let me look at part{step}.py of {number}. " + f"{code(number + step)}\n" * 8
            result = {"content": f"{code(number * 7 + step)}\n" * 12, "ok": True}
            events.append({"type": "assistant_message", "turn": 0, "timestamp": "t", "data": {"content": said}})
            events.append({"type": "tool_result", "turn": 0, "timestamp": "t", "data": result})
        end = "all tests pass" if number % 3 else "some tests fail"
        output = f"{code(number)}\n" * 60 + f"I changed `src/part{number % 50}.py`; {end}.\n"
        evidence: Config = {"diff": changed_files(200, number % 198), "output": output}
        yield record(number, trials, f"stimulus-{number % 20:02}", SAID, evidence, events)


def record(
    number: int,
    total: int,
    stimulus: str,
    graders: Sequence[Config],
    evidence: Config,
    events: Sequence[Config] = (),
) -> Config:
    """One line of a results file; every grader is recorded as passed."""
    model = ("model-a", "model-b")[number % 2]
    details = [
        {"name": one["name"], "graderType": one["type"], "kind": "code", "passed": True, "score": 1, "status": "success",
         "evidence": "Pattern found in workspace diff"}
        for one in graders
    ]  # fmt: skip
    return {
        "type": "trial-result",
        "itemId": f"eval.yaml::main::{model}::{stimulus}::trial-{number}",
        "evalName": "bench",
        "evalFilePath": "/nowhere/bench-eval.yaml",
        "variant": "main",
        "stimulus": stimulus,
        "model": model,
        "status": "success",
        "durationMs": number % 977,
        "trialIndex": number,
        "totalTrials": total,
        "gradeResult": {
            "name": "trajectory-grade",
            "kind": "code",
            "passed": True,
            "score": 1,
            "evidence": f"{len(graders)}/{len(graders)} graders passed",
            "details": details,
        },
        "trajectory": {
            "id": str(number),
            "output": "ok",
            "workDir": "/w",
            "stimulus": {"name": stimulus, "prompt": "p", "graders": list(graders)},
            "events": list(events),
            "metrics": {},
            **evidence,
        },
    }


def write_run(folder: Path, lines: Iterator[Config]) -> Path:
    """Write a results file; what is there already stays, so that a folder of data can be kept."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "results.jsonl"
    if not path.exists():
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    return folder


RUNS: dict[str, Callable[[Path], Path]] = {
    "small": small,
    "trials1k": lambda folder: many_trials(folder, 1000, 10_000, stimuli=1),
    "trials10k": lambda folder: many_trials(folder, 10_000, 10_000, prose=4000),
    "said10k": lambda folder: said_trials(folder, 10_000),
    "trials100k": lambda folder: many_trials(folder, 100_000, 600, stimuli=2),
    "files5k": lambda folder: large_diffs(folder, [changed_files(900, 1), five_thousand_files()], IN_LARGE),
    "files5k_cold": lambda folder: large_diffs(
        folder, [changed_files(900, 1), five_thousand_files(), many_files(2000)], IN_LARGE
    ),
    "rows500k": lambda folder: large_diffs(folder, [half_a_million_rows(), changed_files(900, 1)], NEEDLE),
    "line5m": lambda folder: large_diffs(folder, [five_megabyte_row("ascii"), changed_files(900, 1)], NEEDLE),
    "wide5m": lambda folder: large_diffs(folder, [five_megabyte_row("wide"), changed_files(900, 1)], NEEDLE),
    "matches100k": lambda folder: large_diffs(folder, [many_matches(100_000), changed_files(900, 1)], NEEDLE),
    "diff20m": lambda folder: large_diffs(folder, [many_files(2000), changed_files(900, 1)], IN_LARGE),
}
"""Name of a run -> what writes it."""
