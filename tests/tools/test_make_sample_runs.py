"""The committed sample runs are what the script makes, and what they record is what Vally would have said."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tools.make_sample_runs import FOLDER, committed, differences, write
from tests.tools.samples import SAMPLES
from tests.tools.samples.run import Files, Link

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the samples' diffs are git's own")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="an independent judge of the recorded verdicts")

# What each grader says in each trial, told from the stories of the samples: + pass, - fail; ! is a trial that never ended.
SIGNS = {
    "quickstart": {
        "fix-divide-by-zero": "+++++ -++++ -++++ -++--",
        "add-retry": "+++++ ----+ +-+++ +++++",
        "keep-secrets-out": "+++++ +++++ -++++ +++++",
        "review-only": "+++ +++ --+ !",
        "rename-module": "+++ +++ --+ +++",
    },
    "multi-turn": {
        "code-then-docs": "+++++ +-+++ +---+ +---+",
        "validate-then-log": "+++ +-+ --+ --+",
        "one-prompt": "++ ++ -+ --",
    },
    "experiment/skills=none,model=gpt-5.1": {
        "parameterize-query": "--- -++ ---",
        "type-the-config": "++- +-+ !",
    },
    "experiment/skills=with-skills,model=gpt-5.1": {
        "parameterize-query": "+++ -++ +++",
        "type-the-config": "+++ +++ +++",
    },
    "output-graders": {
        "report-the-result": "++++ -+++ +++- +--+",
        "warn-before-delete": "+++++ ++-++ +-+++ +++--",
        "name-the-region": "+++++ -+++- +-+-+",
    },
}


@needs_git
@pytest.mark.parametrize("name", SAMPLES)
def test_the_committed_sample_is_what_the_script_makes(name: str) -> None:
    assert differences(SAMPLES[name](), committed(FOLDER / name)) == []


def records(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name / "results.jsonl").read_bytes().split(b"\n")
    return [json.loads(line) for line in lines if line]


def signs(trial: dict[str, Any]) -> str:
    grade = trial["gradeResult"]
    return "".join("+" if detail["passed"] else "-" for detail in grade["details"]) if grade else "!"


@pytest.mark.parametrize("name", SIGNS)
def test_every_trial_records_the_verdicts_of_its_story(name: str) -> None:
    recorded: dict[str, list[str]] = {}
    for trial in records(name):
        if trial["type"] != "trial-result":
            continue
        recorded.setdefault(trial["stimulus"], []).append(signs(trial))
    assert {stimulus: " ".join(strips) for stimulus, strips in recorded.items()} == SIGNS[name]


def judged_by_node(folder: Path) -> list[list[str]]:
    """For each grader that Node can judge: line, number, passes now, passed as recorded."""
    judge = Path(__file__).with_name("rejudge.mjs")
    done = subprocess.run(["node", judge, folder], capture_output=True, text=True, check=True)
    return [row.split() for row in done.stdout.split("\n") if row]


@needs_node
@pytest.mark.parametrize("name", SIGNS)
def test_node_reaches_every_recorded_verdict_from_the_files_alone(name: str) -> None:
    rows = judged_by_node(FOLDER / name)
    assert rows
    assert [row for row in rows if row[2] != row[3]] == []


@needs_node
def test_node_agrees_on_the_hostile_texts_and_patterns_but_for_the_drift(tmp_path: Path) -> None:
    lines = (FOLDER / "hostile" / "results.jsonl").read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    (tmp_path / "results.jsonl").write_bytes(b"\n".join(lines[:22]))
    rows = judged_by_node(tmp_path)
    assert len(rows) == 80
    assert [row for row in rows if row[2] != row[3]] == [["21", "1", "false", "true"], ["21", "2", "true", "false"]]


def test_the_hostile_run_begins_with_a_bom_and_ends_in_a_torn_line() -> None:
    results = (FOLDER / "hostile" / "results.jsonl").read_bytes()
    assert results.startswith(b'\xef\xbb\xbf{"type":"trial-result"')
    assert results.endswith(b"::still-being-writ")


def test_the_legacy_run_has_outcomes_without_type_and_one_that_names_no_stimulus() -> None:
    *outcomes, summary = records("legacy")
    assert summary["type"] == "run-summary"
    assert not any("type" in outcome for outcome in outcomes)
    nameless = {"status": "error", "trajectory": None, "gradeResult": None, "error": "spawn copilot ENOENT"}
    assert outcomes.count(nameless) == 1


def test_the_legacy_run_recorded_faults_that_today_are_none() -> None:
    details = records("legacy")[2]["gradeResult"]["details"]
    assert [detail["evidence"] for detail in details] == [
        "Invalid regex pattern: (?i)fahrenheit. Error: Invalid group",
        r"Invalid regex pattern: (?im)^\+.*todo. Error: Invalid group",
    ]


def test_all_samples_together_stay_small() -> None:
    sizes = [len(content) for content in committed(FOLDER).values() if isinstance(content, bytes)]
    assert 0 < sum(sizes) < 1_000_000


def test_writing_a_sample_leaves_exactly_its_files(tmp_path: Path) -> None:
    (tmp_path / "stale.diff").write_text("from an older version")
    made: Files = {"results.jsonl": b"{}\r\n", "diffs/link.diff": Link("../results.jsonl")}
    write(tmp_path, made)
    write(tmp_path, made)
    assert committed(tmp_path) == made


def test_the_check_names_every_file_that_differs() -> None:
    made: Files = {"a": b"1", "b": b"2", "c": Link("a")}
    there: Files = {"b": b"3", "c": Link("a"), "d": b"4"}
    assert differences(made, there) == ["a: missing", "b: differs", "d: not made by the script"]
