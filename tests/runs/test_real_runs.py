"""Runs from public repositories open without loss; the counts come from a plain reading of the same files."""

import json
import os
from pathlib import Path

import pytest

from vally_tui.grading.model import Absence, Absent
from vally_tui.runs.discover import discover
from vally_tui.runs.evidence import read_evidence
from vally_tui.runs.load import read_run
from vally_tui.runs.model import IssueKind
from vally_tui.runs.record_detail import TrialDetail, read_detail

DATA = os.environ.get("VALLY_TUI_REAL_DATA")
RUNS = Path(DATA or "", "runs")
FILES = sorted(path for path in RUNS.rglob("*results.jsonl") if "session-logs" not in str(path)) if DATA else []
pytestmark = pytest.mark.skipif(not FILES, reason="VALLY_TUI_REAL_DATA does not name the real runs")


def plain_trials(path: Path) -> list[dict[str, object]]:
    records = [json.loads(text) for text in path.read_text(encoding="utf-8").split("\n") if text.strip()]
    return [record for record in records if record.get("type", "trial-result") == "trial-result"]


def test_a_parent_of_runs_holds_every_results_file() -> None:
    found = discover([str(RUNS)])
    assert (found.errors, found.issues) == ((), ())
    assert {source.results for source in found.sources} == {path for path in FILES if path.name == "results.jsonl"}
    assert len({source.name for source in found.sources}) == len(found.sources)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(RUNS)))
def test_a_real_run_opens_whole(path: Path) -> None:
    (source,) = discover([str(path)]).sources
    run = read_run(source)
    records = plain_trials(path)
    assert len(run.trials) == len(records)
    assert [issue.kind for issue in run.issues] == ([] if records else [IssueKind.NO_TRIALS])
    assert (run.complete, run.end, run.unknown_records) == (True, path.stat().st_size, 0)
    assert run.summary is not None or "single-run" in path.name
    for trial, record in zip(run.trials, records, strict=True):
        trajectory = record["trajectory"] or {}
        assert isinstance(trajectory, dict)
        stimulus = trajectory.get("stimulus", {})
        assert trial.stimulus == record.get("stimulus", stimulus.get("name"))
        assert [grader.type for grader in trial.graders if trial.graders_known] == [
            grader["type"] for grader in stimulus.get("graders", [])
        ]
        # 9 of the trajectories hold two user messages for their one prompt.
        assert (trial.prompts, trial.multi_turn) == (1 if stimulus else 0, False)
        evidence = read_evidence(source, trial, None)
        assert isinstance(evidence, Absent)
        assert evidence.reason is (Absence.NEVER_RECORDED if trajectory else Absence.NO_TRAJECTORY)
        detail = read_detail(source, trial)
        assert isinstance(detail, TrialDetail)
        assert detail.output == trajectory.get("output")
        assert len(detail.events) == len(trajectory.get("events", []))
