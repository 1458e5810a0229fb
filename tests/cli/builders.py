"""Small runs on disk and calls of the program, for the tests of the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from vally_tui.cli.main import main

DIFF = """\
diff --git a/src/calc.py b/src/calc.py
index 1111111..2222222 100644
--- a/src/calc.py
+++ b/src/calc.py
@@ -1,2 +1,3 @@ class Calc:
 def divide(a, b):
-    return a / b
+    # café 🎉
+    return a // b
"""


def contains(pattern: str, name: str | None = None, **more: object) -> dict[str, Any]:
    """A diff-contains grader."""
    named = {} if name is None else {"name": name}
    return {"type": "diff-contains", **named, "config": {"pattern": pattern}, **more}


def lacks(pattern: str, name: str | None = None, **more: object) -> dict[str, Any]:
    """A diff-not-contains grader."""
    return contains(pattern, name, **more) | {"type": "diff-not-contains"}


def passed(name: str, **more: object) -> dict[str, Any]:
    """A recorded pass."""
    return {"name": name, "passed": True, "score": 1, "evidence": "said so", **more}


def failed(name: str, **more: object) -> dict[str, Any]:
    """A recorded fail."""
    return {"name": name, "passed": False, "score": 0, "evidence": "said no", **more}


def trial(
    graders: Sequence[dict[str, Any]] = (),
    details: Sequence[dict[str, Any]] | None = None,
    *,
    diff: object = DIFF,
    stimulus: str = "fix",
    index: int = 0,
    model: str = "gpt",
    **more: object,
) -> dict[str, Any]:
    """A trial-result; without ``details`` it is ungraded."""
    grade = None
    if details is not None:
        scores = [detail.get("score", 0) for detail in details]
        mean = sum(scores) / len(scores) if scores else 0
        grade = {"passed": all(detail["passed"] for detail in details), "score": mean, "details": list(details)}
    return {
        "type": "trial-result",
        "itemId": f"/e/eval.yaml::main::{model}::{stimulus}::trial-{index}",
        "stimulus": stimulus,
        "model": model,
        "status": "success",
        "trialIndex": index,
        "gradeResult": grade,
        "trajectory": {"stimulus": {"name": stimulus, "prompt": "p", "graders": list(graders)}, "diff": diff},
    } | more


def write_run(folder: Path, *records: dict[str, Any] | str) -> str:
    """A run directory; texts are written as lines as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    (folder / "results.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(folder)


@dataclass(frozen=True)
class Ended:
    """What a call of the program came to."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON lines on standard output."""
        return [json.loads(line) for line in self.out.split("\n") if line]

    @property
    def details(self) -> list[dict[str, Any]]:
        """The details of all trials on standard output."""
        return [detail for record in self.objects for detail in record["gradeResult"]["details"]]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """Call the program in this process."""
    status = main(arguments)
    captured = capsys.readouterr()
    return Ended(int(status), captured.out, captured.err)
