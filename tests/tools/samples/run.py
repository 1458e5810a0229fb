"""A run in the making: trials are recorded one after the other into the lines of ``results.jsonl`` and sidecar files.

Owns the shape of the records and how each diff is kept. The verdicts come from ``vally``, the events from ``agent``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import yaml

from tests.tools.samples import vally
from tests.tools.samples.agent import WORK_DIR, Action, Json, Recording, Turn, record, stamp

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Link:
    """A symbolic link among the files of a sample."""

    target: str


Files = dict[str, bytes | Link]
"""Paths below the sample's folder, with ``/``, and what stands there."""


class Kept(Enum):
    """How a diff is kept in the record."""

    INLINE = "inline"
    SIDECAR = "sidecar"
    GONE = "sidecar path recorded, file gone"
    NEVER = "never recorded"
    MALFORMED = "malformed"
    FAILED = "capture failed"


@dataclass(frozen=True)
class Spec:
    """An eval spec: its text, and where the run says that it was."""

    text: str
    path: str
    """``evalFilePath``, absolute."""

    @cached_property
    def content(self) -> Json:
        """The spec as it was loaded; aliases are written out. Only values on which all YAML versions agree are used."""
        return dict(yaml.safe_load(self.text))

    def stimulus(self, name: str) -> Json:
        """One stimulus by its name."""
        (found,) = (one for one in self.content["stimuli"] if one["name"] == name)
        return dict(found)


@dataclass(frozen=True)
class Trial:
    """One attempt at a stimulus, as it is to be recorded."""

    stimulus: str
    model: str
    actions: Sequence[Action] | Sequence[Sequence[Action]]
    """What the agent did; for a stimulus with several turns one sequence for each."""
    said: Mapping[str, vally.Say] = field(default_factory=dict)
    """The results of graders whose judge cannot be run here, by grader name or type."""
    index: int = 0
    kept: Kept = Kept.INLINE
    turns_kept: Sequence[Kept] = ()
    """How each turn's diff is kept; empty where no ``turnDiffs`` are recorded."""
    nudges: Sequence[str] = ()
    """Further prompts that the executor sent by itself, each with a turn of its own."""


@dataclass(frozen=True)
class Unfinished:
    """An attempt that ended with an execution error."""

    trial: Trial
    error: str | Json
    milliseconds: int


class Run:
    """One results file with its sidecars."""

    def __init__(
        self,
        spec: Spec,
        fixtures: Mapping[str, Mapping[str, str | bytes]],
        start: datetime,
        *,
        runs: int = 1,
        variant: str = "main",
    ) -> None:
        self.spec = spec
        self.fixtures = fixtures
        """The committed files, by stimulus."""
        self.runs = runs
        self.variant = variant
        self.now = start
        self.lines: list[bytes] = []
        self.sidecars: dict[str, bytes | Link] = {}
        self.records: list[Json] = []

    def record(self, *trials: Trial | Unfinished) -> None:
        """Record trials in their order."""
        for one in trials:
            if isinstance(one, Trial):
                self.trial(one)
            else:
                self.unfinished(one)

    def trial(self, trial: Trial, tweak: Callable[[Json], None] = lambda record: None) -> None:
        """Record a trial; ``tweak`` may change the record before it is written."""
        stimulus = self.spec.stimulus(trial.stimulus)
        prompts = [*(stimulus.get("turns") or [stimulus["prompt"]]), *trial.nudges]
        actions = trial.actions if len(prompts) > 1 else [trial.actions]
        turns = [Turn(prompt, done) for prompt, done in zip(prompts, actions, strict=True)]  # type: ignore[arg-type]
        made = record(self.fixtures[trial.stimulus], turns, self.now, trial.model)
        self.now += timedelta(milliseconds=made.milliseconds + 2_500)
        trajectory = self._trajectory(trial, stimulus, made)
        written = self._head(trial, "success", made.milliseconds) | {
            "workspacePath": WORK_DIR,
            "gradeResult": self._grade(trial, stimulus, made, trajectory["id"]),
            "trajectory": trajectory,
        }
        tweak(written)
        self.add(written)

    def unfinished(self, one: Unfinished) -> None:
        """Record a trial that never came to an end."""
        self.now += timedelta(milliseconds=one.milliseconds)
        nothing = {"gradeResult": None, "trajectory": None, "error": one.error}
        self.add(self._head(one.trial, "error", one.milliseconds) | nothing)

    def add(self, written: Json) -> None:
        """Write a record as one line, as JavaScript would."""
        self.records.append(written)
        self.lines.append(line(written))

    def summary(self) -> None:
        """Write the run-summary of what was recorded so far."""
        models = list(dict.fromkeys(one["model"] for one in self.records if one.get("type") == "trial-result"))
        evals = [self._eval(model) for model in models]
        self.add(
            {
                "type": "run-summary",
                "passed": all(one["passed"] for one in evals),
                "hadExecutionErrors": any(one.get("status") == "error" for one in self.records),
                "evals": evals,
            }
        )

    def files(self) -> Files:
        """The files of the run directory."""
        return {"results.jsonl": b"".join(self.lines), **self.sidecars}

    def _eval(self, model: str) -> Json:
        mine = [one for one in self.records if one.get("model") == model]
        scores = [one["gradeResult"]["score"] for one in mine if one["gradeResult"]]
        threshold = self.spec.content.get("scoring", {}).get("threshold")
        mean = sum(scores) / len(scores)
        return {
            "name": self.spec.content["name"],
            "evalFilePath": self.spec.path,
            "variant": self.variant,
            "model": model,
            "passed": len(scores) == len(mine) and mean >= (1 if threshold is None else threshold),
            "overallScore": mean,
            "threshold": threshold,
            "scoringApplied": threshold is not None,
            "stimuliRun": len({one["stimulus"] for one in mine}),
            "stimuliTotal": len(self.spec.content["stimuli"]),
            "durationMs": sum(one["durationMs"] for one in mine),
        }

    def _head(self, trial: Trial, status: str, milliseconds: int) -> Json:
        place = (self.spec.path, self.variant, trial.model, trial.stimulus, f"trial-{trial.index}")
        several = {"trialIndex": trial.index, "totalTrials": self.runs} if self.runs > 1 else {}
        return {
            "type": "trial-result",
            "itemId": "::".join(place),
            "evalName": self.spec.content["name"],
            "evalFilePath": self.spec.path,
            "variant": self.variant,
            "stimulus": trial.stimulus,
            "model": trial.model,
            "status": status,
            "durationMs": milliseconds,
            **several,
        }

    def _grade(self, trial: Trial, stimulus: Json, made: Recording, trajectory: str) -> Json:
        details = [self._detail(trial, grader, made) for grader in stimulus["graders"]]
        weights = self.spec.content.get("scoring", {}).get("weights", {})
        return vally.grade_result(details, trial.stimulus, trajectory, stamp(self.now), weights)

    def _detail(self, trial: Trial, grader: Json, made: Recording) -> Json:
        said = trial.said.get(grader.get("name", "")) or trial.said.get(grader["type"])
        if said is not None:
            return vally.said_detail(grader, said)
        if grader["type"] == "tool-calls":
            return vally.tool_calls_detail(grader, made.tools)
        if grader["type"].startswith(("output-", "transcript-")):
            messages = [one["data"]["content"] for one in made.events if one["type"] == "assistant_message"]
            return vally.text_detail(grader, made.output, "\n".join(messages))
        return vally.diff_detail(grader, _judged(trial, grader.get("turn"), made))

    def _trajectory(self, trial: Trial, stimulus: Json, made: Recording) -> Json:
        name = f"{self.spec.path}/{self.variant}/{trial.stimulus}/{trial.model}/{trial.index}"
        return {
            "events": made.events,
            "id": str(uuid5(NAMESPACE_URL, name)),
            "output": made.output,
            "stimulus": stimulus,
            "workDir": WORK_DIR,
            "metadata": {
                "startedAt": made.started,
                "sessionID": str(uuid5(NAMESPACE_URL, name + "/session")),
                "model": trial.model,
                "executor": "copilot-sdk",
                "completedAt": made.ended,
            },
            "metrics": _metrics(made, trial.model),
            **self._diffs(trial, made),
        }

    def _diffs(self, trial: Trial, made: Recording) -> Json:
        stem = PurePosixPath("diffs", trial.stimulus, trial.model, f"trial-{trial.index}")
        kept = self._keep(trial.kept, made.whole, f"{stem}.diff")
        if trial.turns_kept:
            pairs = zip(trial.turns_kept, made.by_turn, strict=True)
            kept["turnDiffs"] = [
                {"turn": turn, **self._keep(how, text, f"{stem}-turn-{turn}.diff")}
                for turn, (how, text) in enumerate(pairs)
                if how is not Kept.NEVER
            ]
        return kept

    def _keep(self, how: Kept, text: str, path: str) -> Json:
        if how is Kept.INLINE:
            return {"diff": text}
        if how is Kept.NEVER:
            return {}
        if how is Kept.MALFORMED:
            return {"diff": {"files": 1}}
        if how is Kept.FAILED:
            return {"error": {"message": "git diff exited with status 128: fatal: index file corrupt"}}
        if how is Kept.SIDECAR:
            self.sidecars[path] = text.encode()
        return {"diffPath": path}


def _judged(trial: Trial, turn: int | None, made: Recording) -> str | None:
    """The text that Vally looked at: it still had the sidecars that are gone now."""
    if turn is None or (turn == 0 and len(made.by_turn) == 1):
        how, text = trial.kept, made.whole
    else:
        recorded = turn < len(trial.turns_kept)
        how, text = (trial.turns_kept[turn], made.by_turn[turn]) if recorded else (Kept.NEVER, "")
    return text if how in (Kept.INLINE, Kept.SIDECAR, Kept.GONE) else None


def _metrics(made: Recording, model: str) -> Json:
    tokens = {"inputTokens": made.input_tokens, "outputTokens": made.output_tokens}
    return {
        "tokenUsage": {
            **tokens,
            "totalTokens": made.input_tokens + made.output_tokens,
            "callCount": made.iterations,
            "byModel": {model: {**tokens, "callCount": made.iterations}},
        },
        "toolCallCount": len(made.tools),
        "toolCallBreakdown": {tool: made.tools.count(tool) for tool in dict.fromkeys(made.tools)},
        "skillActivationCount": 0,
        "skillActivationBreakdown": {},
        "turnCount": made.iterations,
        "wallTimeMs": made.milliseconds,
        "errorCount": 0,
    }


def line(value: Any) -> bytes:
    """One line of JSON Lines as ``JSON.stringify`` writes it: no blanks, and only lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return (_LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n").encode()
