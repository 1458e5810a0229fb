"""Records of the hostile sample: as small as they can be, with any part replaced by what should not be there.

Owns their shape. What Vally would have said of a well-formed grader is asked of ``vally``; the rest is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from tests.tools.samples import vally
from tests.tools.samples.agent import Json

EVAL = "hostile"
EVAL_FILE = "/home/dev/hostile/evals/hostile/eval.yaml"
MODEL = "gpt-5.1"
_TIME = "2026-10-21T06:30:00.000Z"


def trial(
    stimulus: str,
    graders: Sequence[Json],
    *,
    judged: str | None = None,
    said: Mapping[int, vally.Say] | None = None,
    output: str = "Done.",
    model: str = MODEL,
    top: Mapping[str, Any] | None = None,
    **trajectory: Any,
) -> Json:
    """A trial-result.

    ``judged``: the text that Vally looked at, where it is not the inline ``diff``. ``said``: recorded results that
    cannot be asked for, by the index of the grader. ``top`` and ``trajectory`` replace or add keys of the record.
    """
    inline = trajectory.get("diff")
    text = judged if judged is not None else inline if isinstance(inline, str) else None
    details = [
        vally.said_detail(grader, said[index]) if said and index in said else vally.diff_detail(grader, text)
        for index, grader in enumerate(graders)
    ]
    name = str(
        uuid5(
            NAMESPACE_URL, f"{EVAL_FILE}/{model.encode('utf-8', 'replace')!r}/{stimulus.encode('utf-8', 'replace')!r}"
        )
    )
    return {
        "type": "trial-result",
        "itemId": f"{EVAL_FILE}::main::{model}::{stimulus}::trial-0",
        "evalName": EVAL,
        "evalFilePath": EVAL_FILE,
        "variant": "main",
        "stimulus": stimulus,
        "model": model,
        "status": "success",
        "durationMs": 1_000,
        "gradeResult": vally.grade_result(details, stimulus, name, _TIME, {}) if details else None,
        "trajectory": _trajectory(name, stimulus, graders, output, trajectory),
        **(top or {}),
    }


def _trajectory(name: str, stimulus: str, graders: Sequence[Json], output: str, more: Mapping[str, Any]) -> Json:
    prompt = f"Do what {stimulus} is about."
    return {
        "events": [
            {"type": "user_message", "timestamp": _TIME, "data": {"content": prompt}},
            {"type": "assistant_message", "timestamp": _TIME, "data": {"content": output}},
        ],
        "id": name,
        "output": output,
        "stimulus": {"name": stimulus, "prompt": prompt, "graders": list(graders)},
        "workDir": "/tmp/vally-eval/workspace",
        "metadata": {"model": MODEL, "executor": "copilot-sdk"},
        "metrics": {"turnCount": 1, "toolCallCount": 0, "wallTimeMs": 900, "errorCount": 0},
        **more,
    }


def contains(pattern: Any, **keys: Any) -> Json:
    """A diff-contains grader with a pattern."""
    return {"type": "diff-contains", "config": {"pattern": pattern}, **keys}


def lacks(pattern: Any, **keys: Any) -> Json:
    """A diff-not-contains grader with a pattern."""
    return {"type": "diff-not-contains", "config": {"pattern": pattern}, **keys}


def literal(value: Any, **config: Any) -> Json:
    """A diff-contains grader with a literal."""
    return {"type": "diff-contains", "config": {"value": value, **config}}


EMPTY: Json = {"type": "diff-empty"}
