"""What Vally says of a trial: the recorded result of each grader, word for word where Vally's words are known.

Owns the verdicts that go into the samples. Patterns are asked of V8 itself, since Vally runs on it; this is no part of
the program's own judging, so that the samples can show it wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from py_mini_racer import MiniRacer

Json = dict[str, Any]

_SEARCH = """
(pattern, literal, fold, text) => {
  if (literal !== null) {
    const found = fold ? text.toLowerCase().includes(literal.toLowerCase()) : text.includes(literal);
    return found ? 'found' : 'not found';
  }
  const prefix = /^\\(\\?([ims]+)\\)/.exec(pattern);
  const flags = prefix ? prefix[1] : '';
  const source = prefix ? pattern.slice(prefix[0].length) : pattern;
  try {
    return new RegExp(source, flags).test(text) ? 'found' : 'not found';
  } catch (error) {
    const start = `Invalid regular expression: /${source}/${flags}: `;
    return error.message.startsWith(start) ? error.message.slice(start.length) : error.message;
  }
}
"""


@dataclass(frozen=True)
class Say:
    """What a judge that the samples cannot run has said: the model of a ``prompt`` grader, for example."""

    passed: bool
    evidence: str
    score: float | None = None
    """0 to 1; None is 1 for a pass and 0 for a failure."""
    status: str | None = None


@cache
def _v8() -> MiniRacer:
    return MiniRacer()


def search(text: str, *, pattern: str | None = None, literal: str | None = None, fold: bool = False) -> str:
    """``found``, ``not found``, or V8's short message for a pattern that it refuses; ``fold`` ignores a literal's case."""
    arguments = ", ".join(json.dumps(value) for value in (pattern, literal, fold, text))
    return str(_v8().eval(f"({_SEARCH})({arguments})"))


def diff_detail(grader: Json, diff: str | None) -> Json:
    """The recorded result of a diff grader; ``diff`` is None where none was recorded."""
    config = grader.get("config") or {}
    turn = grader.get("turn")
    place = "workspace diff" if turn is None else f"the diff of turn {turn}"
    if grader["type"] == "diff-empty":
        return _detail(grader, *_empty(place, diff))
    pattern, literal = config.get("pattern"), config.get("value")
    named = f"Pattern /{pattern}/" if pattern is not None else f'Value "{literal}"'
    answer = search(diff or "", pattern=pattern, literal=literal)
    if answer not in ("found", "not found"):
        return _detail(grader, False, f"Invalid regex pattern: {pattern}. Error: {answer}")
    if diff is None:
        return _detail(grader, False, _missing(place))
    wanted = "not found" if config.get("negate", grader["type"] == "diff-not-contains") else "found"
    return _detail(grader, answer == wanted, f"{named} {answer} in {place}")


def _empty(place: str, diff: str | None) -> tuple[bool, str]:
    if diff is None:
        return False, _missing(place)
    subject = place[0].upper() + place[1:]
    if diff:
        return False, f"{subject} is not empty — the stimulus changed the workspace"
    return True, f"{subject} is empty"


def _missing(place: str) -> str:
    if place == "workspace diff":
        return "No workspace diff is available for this run."
    return f"No diff is available for turn {place.rsplit(' ', 1)[1]} of this run."


def text_detail(grader: Json, output: str, messages: str) -> Json:
    """The recorded result of an output or transcript grader."""
    config = grader.get("config") or {}
    source, _, rule = grader["type"].partition("-")
    text = output if source == "output" else messages
    negated = config.get("negate", rule.startswith("not-"))
    if rule.endswith("contains"):
        literal = config.get("substring", config.get("value"))
        found = search(text, literal=literal, fold=not config.get("case_sensitive")) == "found"
        evidence = f"'{literal}' {'found' if found else 'not found'} in {source}"
    else:
        answer = search(text, pattern=config["pattern"])
        if answer not in ("found", "not found"):
            return _detail(grader, False, f"Invalid regex pattern: {config['pattern']}. Error: {answer}")
        found = answer == "found"
        verb = "matches" if found else "does not match"
        evidence = f"{source.capitalize()} {verb} pattern /{config['pattern']}/"
    return _detail(grader, found != negated, evidence)


def tool_calls_detail(grader: Json, tools: Sequence[str]) -> Json:
    """The recorded result of a ``tool-calls`` grader."""
    config = grader["config"]
    absent = [name for name in config.get("required", []) if not any(re.search(name, tool) for tool in tools)]
    barred = [name for name in config.get("disallowed", []) if any(re.search(name, tool) for tool in tools)]
    lines = [
        f"The following required tools were not called: {_slashed(absent)}"
        if absent
        else "All required tools were called",
        f"The following disallowed tools were called: {_slashed(barred)}"
        if barred
        else "No disallowed tools were called",
    ]
    detail = _detail(grader, not absent and not barred, "\n".join(lines))
    del detail["label"]
    return detail | {"metadata": {"required": config.get("required", []), "tools": sorted(set(tools))}}


def _slashed(names: Sequence[str]) -> str:
    return ", ".join(f"/{name}/" for name in names)


def said_detail(grader: Json, said: Say) -> Json:
    """The recorded result of a grader whose judge cannot be run here."""
    detail = _detail(grader, said.passed, said.evidence, said.score)
    if grader["type"] == "prompt":
        detail |= {"kind": "llm"} | _rubric(grader, detail)
    if said.status is not None:
        detail["status"] = said.status
    return detail


def _rubric(grader: Json, detail: Json) -> Json:
    """What a model as judge leaves behind: one nested result and its numbers."""
    criterion = "The agent completed the requested task correctly"
    nested = {
        "name": f"prompt/{criterion}",
        "kind": "llm",
        **{key: detail[key] for key in ("passed", "score", "evidence", "label")},
    }
    raw = round(1 + 4 * detail["score"])
    metadata = {
        "model": grader["config"].get("model", "claude-opus-4.6"),
        "scoring": grader["config"].get("scoring", "scale_1_5"),
        "threshold": 1,
        "raw_overall_score": raw,
        "rubric_scores": [{"criterion": criterion, "score": raw, "reasoning": detail["evidence"]}],
        "token_usage": {"inputTokens": 5_484, "outputTokens": 180 + len(detail["evidence"]) // 4},
        "latency_ms": 9_300 + 10 * len(detail["evidence"]),
        "reminders_used": 0,
    }
    return {"details": [nested], "metadata": metadata}


def _detail(grader: Json, passed: bool, evidence: str, score: float | None = None) -> Json:
    score = (1 if passed else 0) if score is None else score
    label = "correct" if passed else "partial" if score > 0 else "incorrect"
    names = {"name": grader.get("name", grader["type"])}
    if "name" in grader:
        names["configuredName"] = grader["name"]
    return {
        **names,
        "graderType": grader["type"],
        "kind": "code",
        "passed": passed,
        "score": score,
        "evidence": evidence,
        "label": label,
    }


def grade_result(
    details: Sequence[Json], stimulus: str, trajectory: str, time: str, weights: Mapping[str, float]
) -> Json:
    """``gradeResult`` of a trial; the score is the mean of the details' scores, weighted by name before type."""
    passed = [detail for detail in details if detail["passed"]]
    of = [weights.get(detail["name"], weights.get(detail.get("graderType", ""), 1)) for detail in details]
    score = sum(weight * detail["score"] for weight, detail in zip(of, details, strict=True)) / sum(of)
    return {
        "name": "trajectory-grade",
        "kind": "code",
        "passed": len(passed) == len(details),
        "score": int(score) if score == int(score) else score,
        "evidence": f"{len(passed)}/{len(details)} graders passed",
        "details": list(details),
        "stimulusName": stimulus,
        "trajectoryId": trajectory,
        "timestamp": time,
    }
