"""``vally-tui files``: an object for each diff and file, the whole run's first; text for people."""

import json
from pathlib import Path

import pytest

from tests.cli.builders import DIFF, call, contains, failed, passed, trial, write_run

RENAME = "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n"


def test_each_file_of_each_diff_to_the_letter(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial(diff=DIFF)
    record["trajectory"]["turnDiffs"] = [{"turn": 1, "diff": RENAME}, {"turn": 0, "diff": ""}]
    ended = call(capsys, "files", write_run(tmp_path, record), "--output", "jsonl")
    common = {"itemId": "/e/eval.yaml::main::gpt::fix::trial-0", "stimulus": "fix", "trialIndex": 0}
    assert ended.objects == [
        common | {
            "turn": None, "path": "src/calc.py", "oldPath": None, "kind": "modified", "added": 2, "removed": 1,
            "hunks": 1, "binary": False, "notice": None,
        },
        common | {
            "turn": 1, "path": "new.py", "oldPath": "old.py", "kind": "renamed", "added": 0, "removed": 0,
            "hunks": 0, "binary": False, "notice": None,
        },
    ]  # fmt: skip
    assert (ended.status, ended.err) == (0, "")


def test_a_diff_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = write_run(tmp_path, trial(diff=None), trial(diff=""))
    ended = call(capsys, "files", run, "--output", "json")
    document = json.loads(ended.out)
    assert (document["trials"], [issue["kind"] for issue in document["issues"]]) == ([], ["no diff"])
    assert ended.err.startswith(f"vally-tui: {run}/results.jsonl:1: No workspace diff is available")


def test_text_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial(diff=RENAME + DIFF)
    record["trajectory"]["turnDiffs"] = [{"turn": 0, "diff": ""}]
    run = write_run(tmp_path / "monday", record, trial(diff="no diff at all\n", stimulus="prose", model="claude"))
    assert (
        call(capsys, "files", run).out
        == f"""\
monday
{run}/results.jsonl

fix  trial 0  gpt
  whole run
    renamed    old.py → new.py     +0    −0
    modified   src/calc.py         +2    −1
  turn 0
    nothing was changed

prose  trial 0  claude
  No unified diff was recognised in this text; it is shown as it is.

"""
    )


def test_filters_choose_trials_by_name_and_by_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = write_run(
        tmp_path,
        trial([contains("divide")], [passed("x")], stimulus="passes"),
        trial([contains("nowhere")], [failed("x")], stimulus="fails"),
    )
    for options in (["--stimulus", "fails"], ["--only", "failed"]):
        ended = call(capsys, "files", run, "--output", "jsonl", *options)
        assert [record["stimulus"] for record in ended.objects] == ["fails"]


def test_wrong_input_is_told_as_everywhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call(capsys, "files", str(tmp_path / "gone")).status == 2
    assert call(capsys, "files", write_run(tmp_path, trial(), "broken")).status == 3
