"""Run directories and records for the tests of this room."""

import json
from pathlib import Path

from vally_tui.runs.load import read_run
from vally_tui.runs.model import Run, RunSource, Trial

GRADER = {"type": "diff-contains", "config": {"value": "x"}}


def source(folder: Path, results: str = "results.jsonl") -> RunSource:
    return RunSource(folder / results, folder, "run", f"run/{results}")


def record(**fields: object) -> dict[str, object]:
    """A trial-result with a single prompt; ``fields`` replace or add."""
    return {
        "type": "trial-result",
        "itemId": "C:\\evals\\eval.yaml::main::opus::fix-it::trial-0",
        "stimulus": "fix-it",
        "status": "success",
        "trajectory": trajectory(),
        **fields,
    }


def trajectory(**fields: object) -> dict[str, object]:
    return {"stimulus": {"name": "fix-it", "prompt": "Fix it.", "graders": [GRADER]}, "events": [], **fields}


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def run_of(folder: Path, *lines: bytes | dict[str, object]) -> Run:
    """A run whose results file holds these lines."""
    data = b"".join(part if isinstance(part, bytes) else line(part) for part in lines)
    (folder / "results.jsonl").write_bytes(data)
    return read_run(source(folder))


def only_trial(run: Run) -> Trial:
    (trial,) = run.trials
    return trial
