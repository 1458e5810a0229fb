"""A run as it was recorded in June and July 2026: outcome lines without a type, and a summary of the old shape.

Some of its recorded verdicts are no longer reached: that version did not yet cut off a flags prefix such as ``(?i)``.
"""

from __future__ import annotations

from datetime import UTC, datetime

from tests.tools.samples.agent import Edit, Json, Say, View
from tests.tools.samples.run import Files, Run, Spec, Trial
from tests.tools.samples.vally import Say as Judge

OPUS = "claude-opus-4.5"

SPEC = Spec(
    path="C:\\src\\thermostat\\evals\\legacy\\eval.yaml",
    text=r"""name: thermostat-eval
description: A spec of the older form, whose settings stand under config instead of defaults.
version: "0.1.0"
type: regression
config:
  runs: 1 # Trials per stimulus
  timeout: "300s"
  model: claude-opus-4.5
  executor: copilot-sdk

stimuli:
  - name: clamp-the-target
    prompt: Clamp the target temperature to 5..30 degrees in src/thermostat.py.
    graders:
      - type: diff-contains
        config: { pattern: 'max\(5' }
      - type: "diff-not-contains"
        config: { pattern: "import numpy" }
  - name: remove-the-todo
    prompt: Do what the TODO in src/thermostat.py says and remove it.
    graders:
      - type: diff-contains
        config:
          pattern: '(?i)fahrenheit'
      - type: diff-not-contains
        config:
          pattern: '(?im)^\+.*todo'
  - name: explain-the-loop
    prompt: Explain the control loop. Change nothing.
    graders:
      - type: diff-empty
      - type: output-contains
        config: { substring: "hysteresis" }
""",
)

_CODE = """HYSTERESIS = 0.5


def step(target, measured, heating):
    # TODO: accept Fahrenheit too
    if measured < target - HYSTERESIS:
        return True
    if measured > target + HYSTERESIS:
        return False
    return heating
"""
_FILES = {"src/thermostat.py": _CODE}
FIXTURES = dict.fromkeys(("clamp-the-target", "remove-the-todo", "explain-the-loop"), _FILES)

_DEF = "def step(target, measured, heating):\n"
_TODO = "    # TODO: accept Fahrenheit too\n"
_INVALID = Judge(False, "Invalid regex pattern: (?i)fahrenheit. Error: Invalid group")


def _clamp(line: str, says: str) -> list[View | Edit | Say]:
    return [View("src/thermostat.py"), Edit("src/thermostat.py", _DEF, f"{_DEF}    {line}\n"), Say(says)]


def _as_outcome(record: Json) -> Json:
    """A trial-result cut down to what an outcome line held."""
    details = record["gradeResult"]["details"]
    for detail in details:
        detail.pop("graderType")
    return {"status": record["status"], "trajectory": record["trajectory"], "gradeResult": record["gradeResult"]}


def _without_trajectory(outcome: Json) -> Json:
    return {**outcome, "trajectory": None}


def files() -> Files:
    """The run directory, with the spec beside the results."""
    run = Run(SPEC, FIXTURES, datetime(2026, 6, 26, 5, 46, 38, 554_000, UTC))
    run.record(
        Trial("clamp-the-target", OPUS, _clamp("target = min(30, max(5, target))", "The target is clamped to 5..30.")),
        Trial(
            "clamp-the-target",
            OPUS,
            _clamp("target = sorted((5, target, 30))[1]", "Clamped by taking the middle."),
            index=1,
        ),
        Trial(
            "remove-the-todo",
            OPUS,
            [
                View("src/thermostat.py"),
                Edit(
                    "src/thermostat.py",
                    _DEF + _TODO,
                    'def step(target, measured, heating, unit="C"):\n'
                    '    if unit == "F":  # Fahrenheit\n'
                    "        target, measured = (target - 32) / 1.8, (measured - 32) / 1.8\n",
                ),
                Say("step takes Fahrenheit now, and the TODO is gone."),
            ],
            {
                "diff-contains": _INVALID,
                "diff-not-contains": Judge(False, "Invalid regex pattern: (?im)^\\+.*todo. Error: Invalid group"),
            },
        ),
        Trial(
            "explain-the-loop",
            OPUS,
            [View("src/thermostat.py"), Say("step switches with a hysteresis of half a degree.")],
        ),
        Trial("explain-the-loop", OPUS, [Say("It heats below the target and stops above it.")], index=1),
    )
    outcomes = [_as_outcome(record) for record in run.records]
    outcomes[3]["trajectory"].pop("diff")  # recorded before that version kept diffs
    made = Run(SPEC, FIXTURES, run.now)
    for outcome in outcomes[:4]:
        made.add(outcome)
    made.add({"status": "error", "trajectory": None, "gradeResult": None, "error": "spawn copilot ENOENT"})
    made.add(_without_trajectory(outcomes[4]))
    made.add(_summary([outcome["gradeResult"]["score"] for outcome in outcomes]))
    return {"eval.yaml": SPEC.text.encode(), **made.files()}


def _summary(scores: list[float]) -> Json:
    one = {
        "name": "thermostat-eval",
        "specPath": SPEC.path,
        "model": OPUS,
        "overallScore": sum(scores) / len(scores),
        "passed": False,
        "hasScoringConfig": False,
        "scoringApplied": False,
        "stimuliRun": 3,
        "stimuliTotal": 3,
    }
    return {"type": "run-summary", "passed": False, "evals": [one]}
