"""``vally-tui explain`` on the sample runs: text, JSON, exit status, wrong usage."""

import json
from pathlib import Path

import pytest

from vally_tui.cli.main import main

SAMPLES = Path(__file__).parents[2] / "sample_runs"
QUICKSTART = str(SAMPLES / "quickstart")
DIVIDE = ["explain", QUICKSTART, "--stimulus", "fix-divide-by-zero", "--model", "claude-opus-4.6"]


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.split("\n") if line]


def test_a_failing_grader_is_explained_in_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIVIDE, "--trial", "1", "--grader", "raises-value-error"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Why not  grader 1 · raises-value-error · diff-contains\n")
    assert "It matches up to raise ValueError\\( in src/calc.py:19, then wants ', finds \"." in out
    assert "  1  either quote   raise ValueError\\(['\"]\n" in out
    assert "2 and 3 are wider" in out


def test_json_lines_hold_the_choices_and_their_effects(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIVIDE, "--trial", "1", "--grader", "1", "--output", "jsonl"]) == 0
    (found,) = lines(capsys.readouterr().out)
    assert (found["type"], found["stance"], found["state"]) == ("explanation", "why not", "fail")
    choices = found["choices"]
    assert isinstance(choices, list)
    first = choices[0]
    assert (first["code"], first["pattern"], first["passes"]) == ("quotes", "raise ValueError\\(['\"]", True)
    assert (first["nowPass"], first["nowFail"]) == (1, 0)
    assert first["spots"][0]["file"] == "src/calc.py"


def test_without_a_trial_every_trial_of_the_stimulus_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIVIDE, "--grader", "1", "--output", "jsonl"]) == 0
    assert [found["trialIndex"] for found in lines(capsys.readouterr().out)] == [0, 1]


def test_only_failing_graders_are_explained_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIVIDE, "--grader", "1", "--only", "failed", "--output", "jsonl"]) == 0
    assert [found["trialIndex"] for found in lines(capsys.readouterr().out)] == [1]


def test_one_json_object_has_runs_trials_and_issues(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIVIDE, "--grader", "1", "--output", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert sorted(whole) == ["issues", "runs", "trials"]
    assert len(whole["trials"]) == 2
    # Which run it is, without figures that this command does not count.
    (run,) = whole["runs"]
    assert (run["name"], sorted(run)) == ("quickstart", ["experiment", "name", "path", "variant"])


def test_a_file_that_the_diff_does_not_show_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", QUICKSTART, "--stimulus", "keep-secrets-out", "--model", "claude-opus-4.6", "--trial", "1",
                 "--grader", "leaves-dotenv-alone"]) == 0  # fmt: skip
    assert "A recorded tool call wrote .env, which the diff does not show" in " ".join(capsys.readouterr().out.split())


def test_a_grader_of_a_turn_is_looked_at_in_every_turn(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["explain", str(SAMPLES / "multi-turn"), "--stimulus", "validate-then-log", "--trial", "1"]
    assert main([*arguments, "--model", "claude-opus-4.6", "--grader", "logs", "--output", "jsonl"]) == 0
    (found,) = lines(capsys.readouterr().out)
    turns = found["turns"]
    assert isinstance(turns, list)
    assert [(turn["turn"], turn["state"]) for turn in turns] == [(0, "pass"), (1, "fail"), (None, "pass")]


def test_missing_evidence_is_told_by_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", QUICKSTART, "--stimulus", "rename-module", "--model", "gpt-5.1", "--trial", "0",
                 "--grader", "1"]) == 3  # fmt: skip
    assert capsys.readouterr().out.startswith("Why not judged  grader 1 · is-a-rename")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--grader", "1"], "explain wants --stimulus NAME"),
        (["--stimulus", "fix-divide-by-zero", "--grader", "9"], "there is no grader '9' in 'fix-divide-by-zero'"),
        (["--stimulus", "fix-divide-by-zero", "--grader", "1", "--trial", "7"], "there is no trial 7"),
        (["--stimulus", "nobody", "--grader", "1"], "--stimulus 'nobody': no trial has this stimulus"),
        (["--stimulus", "fix-divide-by-zero"], "--grader"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["explain", QUICKSTART, *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("vally-tui: error: ")
    assert message in told.err
    assert told.err.count("\n") == 1


def test_hostile_text_reaches_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["explain", str(SAMPLES / "hostile"), "--stimulus", "escape-sequences"]
    for grader in ("1", "2"):
        for output in ("text", "jsonl"):
            main([*arguments, "--grader", grader, "--output", output])
    out = capsys.readouterr().out
    assert out
    assert all(character == "\n" or character.isprintable() for character in out)
