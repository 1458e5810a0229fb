"""``grade`` on output and transcript graders: verdicts by hand, places in the text itself, recorded against current."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.builders import call, failed, passed, trial, write_run
from vally_tui.cli.diagnostics import ExitStatus

SAMPLE = str(Path(__file__).parents[2] / "sample_runs" / "output-graders")
REFUSED = "Invalid regex pattern: [. Error: "
OUTPUT = "⚠️ Region:\nİSTANBUL, ISTANBUL\n"


def grader(type_: str, **config: object) -> dict[str, Any]:
    return {"type": type_, "config": config}


def said(*graders: dict[str, Any], output: object = OUTPUT, messages: tuple[str, ...] = (), **more: object) -> Any:
    record = trial(list(graders), [passed(each["type"]) for each in graders])
    events = [{"type": "assistant_message", "data": {"content": text}} for text in messages]
    record["trajectory"] |= {"output": output, "events": events, **more}
    return record


def details(capsys: pytest.CaptureFixture[str], folder: Path, record: Any) -> list[dict[str, Any]]:
    return call(capsys, "grade", write_run(folder, record), "--output", "jsonl").details


def test_a_judged_grader_to_the_letter(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    [detail] = details(capsys, tmp_path, said(grader("output-contains", substring="i̇stanbul")))
    start = OUTPUT.index("İSTANBUL")
    assert detail == {
        "name": "output-contains",
        "graderType": "output-contains",
        "turn": None,
        "passed": True,
        "score": 1,
        "label": "correct",
        "status": "success",
        "evidence": "'i̇stanbul' found in output",
        "regraded": True,
        "recordedPassed": True,
        "state": "pass",
        "matchCount": 1,
        "matches": [{"start": start, "end": start + 8, "file": None, "line": 2, "kind": "other"}],
    }


@pytest.mark.parametrize(
    ("own", "state", "evidence", "count"),
    [
        (grader("output-contains", value="istanbul"), "pass", "'istanbul' found in output", 1),
        (grader("output-contains", value="istanbul", case_sensitive=True), "fail", "'istanbul' not found in output", 0),
        (grader("output-not-contains", substring="REGION"), "fail", "'REGION' found in output", 1),
        (grader("output-matches", pattern="(?im)^region"), "fail", "Output does not match pattern /(?im)^region/", 0),
        (grader("output-not-matches", pattern="ISTANBUL"), "fail", "Output matches pattern /ISTANBUL/", 1),
        (grader("output-matches", pattern="N", negate=True), "fail", "Output matches pattern /N/", 2),
        (grader("output-matches", pattern="["), "invalid-config", f"{REFUSED}Unterminated character class", 0),
        (grader("output-contains", substring=""), "invalid-config", "Invalid grader config: substring must not be empty", 0),
        (grader("transcript-contains", substring="a\nB"), "pass", "'a\nB' found in transcript", 1),
        (grader("transcript-not-matches", pattern="^b$"), "pass", "Transcript does not match pattern /^b$/", 0),
    ],
)  # fmt: skip
def test_every_kind_of_answer(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, own: dict[str, Any], state: str, evidence: str, count: int
) -> None:
    [detail] = details(capsys, tmp_path, said(own, messages=("A", "", "b")))
    assert (detail["state"], detail["evidence"], detail["matchCount"]) == (state, evidence, count)


@pytest.mark.parametrize(
    ("record", "evidence"),
    [
        (said(grader("output-matches", pattern="a"), output=None), "this trial has no recorded output: "),
        (said(grader("output-matches", pattern="a"), output=[1]), "the recorded output of this trial cannot be used"),
        (said(grader("transcript-matches", pattern="a"), events=None), "this trial has no recorded messages: "),
        (said(grader("transcript-matches", pattern="a"), events=7), "the recorded messages of this trial cannot be used"),
    ],
)  # fmt: skip
def test_a_text_that_is_not_there_says_which_way(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, record: Any, evidence: str
) -> None:
    [detail] = details(capsys, tmp_path, record)
    assert (detail["state"], detail["passed"], detail["matchCount"]) == ("no-evidence", False, 0)
    assert detail["evidence"].startswith(evidence)


@pytest.mark.parametrize(
    "own",
    [
        {"type": "output-matches", "turn": 1, "config": {"pattern": "["}},
        {"type": "transcript-contains", "scope": "turn", "config": {}},
        {"type": "output-not-contains", "config": {"substring": "Region", "scope": "last"}},
    ],
)
def test_one_of_a_turn_or_scope_keeps_its_recorded_verdict_marked_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, own: dict[str, Any]
) -> None:
    ended = call(capsys, "grade", write_run(tmp_path, said(own)), "--output", "jsonl")
    [detail] = ended.details
    assert (detail["state"], detail["passed"], detail["regraded"], detail["evidence"]) == (
        "recorded",
        True,
        False,
        "said so",
    )
    assert "the record does not say which text that is; the recorded verdict stays" in ended.err


def test_a_verdict_that_differs_from_the_recorded_one_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = said(grader("output-contains", substring="Region"))
    record["gradeResult"]["details"] = [failed("output-contains")]
    ended = call(capsys, "grade", write_run(tmp_path, record), "--only", "flipped", "--output", "jsonl")
    [detail] = ended.details
    assert (detail["passed"], detail["recordedPassed"]) == (True, False)


def test_the_sample_is_judged_again_as_it_was_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    ended = call(capsys, "grade", SAMPLE, "--output", "jsonl")
    judged = [detail for detail in ended.details if detail["graderType"] != "diff-empty"]
    assert all(detail["passed"] is detail["recordedPassed"] for detail in judged)
    kept = [detail["name"] for detail in judged if not detail["regraded"]]
    assert (len(judged), kept) == (4 * 4 + 4 * 5 + 3 * 4, ["first-answer"] * 3)
    # One trial has no diff, for which Vally's grader failed, too.
    assert ended.status == ExitStatus.INCOMPLETE
