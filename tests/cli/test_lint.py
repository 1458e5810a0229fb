"""``vally-tui lint`` on specs and sample runs: text, JSON, exit status."""

import json
from pathlib import Path

import pytest

from vally_tui.cli.main import main

QUICKSTART = Path(__file__).parents[2] / "sample_runs" / "quickstart"
SPEC = """\
name: storefront
stimuli:
  - name: fix
    prompt: Mend it.
    graders:
      - type: diff-contains
        name: anchored
        config: { pattern: '^diff.*calc.py|zero' }
      - type: diff-contains
        name: nowhere
        config: { pattern: '(?m)^def divide' }
      - type: diff-contains
        name: twice
        config: { value: "zero" }
      - type: diff-contains
        name: again
        config: { value: "zero" }
      - type: diff-contains
        name: fine
        config: { pattern: '(?m)^\\+.*zero' }
"""


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "eval.yaml"
    path.write_text(SPEC, "utf-8")
    return str(path)


def test_the_faults_of_a_spec_are_listed_with_their_lines(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-e", spec]) == 0
    out = capsys.readouterr().out
    assert f"{spec}:6  fix · grader 1 anchored\n  ^diff.*calc.py|zero\n" in out
    assert "  ▲ anchors-without-m: ^ without (?m) means the whole diff, not each line.\n" in out
    assert "    try (?m)^diff.*calc.py|zero\n" in out
    assert "  ▲ dot-in-path: The dot in calc.py stands for any character: write \\. for a dot.\n" in out
    assert "  ✘ never-matches: It can match in no diff" in out
    assert "  ▲ duplicate: It asks the same as grader 3 of this stimulus.\n" in out
    assert out.endswith("3 of 5 graders: 1 error, 3 warnings\n")


def test_strict_makes_findings_an_exit_status(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-e", spec, "--strict"]) == 1
    capsys.readouterr()


def test_notes_alone_are_no_reason_to_stop(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(QUICKSTART), "--strict"]) == 0
    assert "always-matches: It matches in all of its 4 trials." in capsys.readouterr().out


def test_json_lines_have_one_finding_each(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-e", spec, "--output", "jsonl"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]
    assert [(one["position"], one["check"], one["severity"]) for one in found] == [
        (1, "anchors-without-m", "warning"),
        (1, "dot-in-path", "warning"),
        (2, "never-matches", "error"),
        (4, "duplicate", "warning"),
    ]
    assert (found[0]["file"], found[0]["line"], found[0]["pattern"]) == (spec, 6, "(?m)^diff.*calc.py|zero")


def test_one_json_object_has_runs_findings_and_issues(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-e", spec, str(QUICKSTART), "--output", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert sorted(whole) == ["findings", "issues", "runs"]
    assert [sorted(run) for run in whole["runs"]] == [["experiment", "name", "path", "variant"]]


def test_a_spec_is_judged_on_the_trials_of_its_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-e", str(QUICKSTART / "eval.yaml"), str(QUICKSTART), "--output", "jsonl"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]
    assert ("changes-divide", "always-matches", 4) in [(one["name"], one["check"], one["trials"]) for one in found]


def test_without_run_and_spec_there_is_nothing_to_look_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"]) == 2
    assert capsys.readouterr().err == "vally-tui: error: lint wants a RUN, or a spec with -e SPEC\n"


def test_a_stimulus_of_the_spec_needs_no_trial(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "-e", spec, "--stimulus", "fix", "--model", "gpt"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["lint", "-e", spec, "--stimulus", "fxi"]) == 2
    told = capsys.readouterr().err
    assert told == "vally-tui: error: --stimulus 'fxi': no trial has this stimulus; did you mean 'fix'?\n"
