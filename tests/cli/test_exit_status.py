"""The exit status of ``grade``: what gives 0, 1, 2 and 3, and which wins."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.builders import call, contains, failed, passed, trial, write_run

PASSES = trial([contains("divide")], [passed("x")])
FAILS = trial([contains("nowhere")], [failed("x")])
LACKS = trial([contains("divide")], [failed("x")], diff=None)
UNRECORDED = trial([{"type": "prompt"}], [])
RECORDED_PASS = trial([{"type": "prompt"}], [passed("prompt")])
RECORDED_FAIL = trial([{"type": "prompt"}], [failed("prompt")])
RECORDED_ERROR = trial([{"type": "prompt"}], [failed("prompt", status="error")])
INVALID = trial([contains("[bad")], [failed("x")])
ERRORED = trial([], None, trajectory=None, status="error")
ERRORED_BUT_JUDGED = trial([contains("divide")], [passed("x")], status="error")
SKIPPED = trial([], None, trajectory=None, status="skipped")
NO_GRADERS = trial([], [])
TORN = '{"type": "trial-result", "stim'


@pytest.mark.parametrize(
    ("records", "plain", "required"),
    [
        ([PASSES], 0, 0),
        ([RECORDED_PASS], 0, 0),
        ([PASSES, FAILS], 0, 1),
        ([RECORDED_FAIL], 0, 1),
        ([RECORDED_ERROR], 0, 1),
        ([ERRORED], 0, 1),
        ([ERRORED_BUT_JUDGED], 0, 1),
        ([SKIPPED], 0, 1),
        ([NO_GRADERS], 0, 1),
        # Nothing was judged: that is no pass.
        ([], 0, 1),
        # What could not be judged as it should be.
        ([LACKS], 3, 1),
        ([UNRECORDED], 3, 1),
        ([PASSES, INVALID], 3, 1),
        # A lost line, and one that may still be finished.
        ([PASSES, "broken"], 3, 3),
        ([FAILS, "broken"], 3, 1),
        ([PASSES, {"type": "run-summary"}, {"type": "unknown"}], 0, 0),
    ],
)
def test_the_status_of_a_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, records: list[dict[str, Any] | str], plain: int, required: int
) -> None:
    run = write_run(tmp_path, *records)
    assert call(capsys, "grade", run).status == plain
    assert call(capsys, "grade", run, "--require-pass").status == required


def test_a_torn_last_line_is_told_and_costs_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = write_run(tmp_path, PASSES)
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write(TORN)
    ended = call(capsys, "grade", run, "--require-pass")
    assert ended.status == 0
    assert f"vally-tui: {run}/results.jsonl:2: the last line is not finished" in ended.err


def test_a_run_that_cannot_be_read_is_2_and_the_others_are_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    good, gone = write_run(tmp_path / "good", FAILS), str(tmp_path / "gone")
    ended = call(capsys, "grade", gone, good, "--output", "jsonl", "--require-pass")
    assert ended.status == 2
    assert len(ended.objects) == 1
    assert ended.err.startswith(f"vally-tui: error: {gone} is not there\n")


@pytest.mark.parametrize("text", ["# Title\n\nSome words.\n", "words without a newline", "{\n}\n", "[1]\n3\n", "\0\n"])
def test_a_file_without_any_record_is_no_run_and_the_others_are_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    good, readme = write_run(tmp_path / "good", PASSES), tmp_path / "README.md"
    readme.write_text(text)
    ended = call(capsys, "grade", str(readme), good, "--output", "jsonl")
    assert (ended.status, len(ended.objects)) == (2, 1)
    assert ended.err == (
        f"vally-tui: error: {readme} holds not one record: "
        "give a results file (JSON Lines), a run directory or a folder of runs\n"
    )


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 0),
        ("\n \n", 0),
        ("\ufeff", 0),
        (TORN, 0),
        ('{"type": "run-summary"}\n', 0),
        ('\ufeff{"type": "run-summary"}\n', 0),
        ('{"type": "other"}', 0),
        ('words\n{"type": "run-summary"}\n', 3),
        (f"words\n{TORN}", 3),
    ],
)
def test_a_file_that_has_just_begun_is_a_run_without_trials(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, status: int
) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text, encoding="utf-8")
    ended = call(capsys, "grade", str(path))
    assert ended.status == status
    assert "of 0 trials" in ended.out


def test_a_spec_that_cannot_be_read_is_2_and_nothing_is_judged_by_other_graders(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run, spec = write_run(tmp_path, PASSES), tmp_path / "eval.yaml"
    spec.write_text("stimuli: [\n")
    ended = call(capsys, "grade", run, "-e", str(spec))
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"vally-tui: error: {spec}:")
    assert ended.err.count("\n") == 1


def test_a_filter_does_not_turn_a_failing_run_into_a_passing_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = write_run(tmp_path, PASSES, FAILS)
    ended = call(capsys, "grade", run, "--only", "flipped", "--require-pass", "--output", "jsonl")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == "vally-tui: --require-pass: 1 of 2 trials have not passed\n"


def test_only_the_asked_stimulus_and_model_count(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = trial([contains("nowhere")], stimulus="other", model="claude")
    run = write_run(tmp_path, PASSES, other)
    for option, name, status in (("--stimulus", "fix", 0), ("--stimulus", "other", 1), ("--model", "gpt", 0)):
        assert call(capsys, "grade", run, "--require-pass", option, name).status == status
    assert call(capsys, "grade", run, "--require-pass", "--stimulus", "fix", "--stimulus", "other").status == 1
    unknown = call(capsys, "grade", run, "--require-pass", "--stimulus", "nobody")
    assert unknown.status == 2
    assert unknown.err.endswith("\nvally-tui: --require-pass: no trial was judged\n")


@pytest.mark.parametrize("command", ["grade", "files", "lint"])
@pytest.mark.parametrize(
    ("option", "name", "message"),
    [
        ("--stimulus", "fxi", "--stimulus 'fxi': no trial has this stimulus; did you mean 'fix'?"),
        ("--model", "gtp", "--model 'gtp': no trial has this model; did you mean 'gpt'?"),
        ("--stimulus", "zzz", "--stimulus 'zzz': no trial has this stimulus; there is 'fix', 'other'"),
    ],
)
def test_a_name_that_no_trial_has_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, option: str, name: str, message: str
) -> None:
    run = write_run(tmp_path, PASSES, trial([contains("divide")], stimulus="other", model="claude"))
    ended = call(capsys, command, run, option, name)
    assert (ended.status, ended.err) == (2, f"vally-tui: error: {message}\n")


def test_the_other_names_work_beside_a_mistyped_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, two = write_run(tmp_path / "1", PASSES), write_run(tmp_path / "2", trial(stimulus="other"))
    names = ["--stimulus", "fix", "--stimulus", "nope", "--stimulus", "other", "--output", "jsonl"]
    ended = call(capsys, "grade", one, two, *names)
    assert [record["stimulus"] for record in ended.objects] == ["fix", "other"]
    assert ended.status == 2
    assert ended.err.count("vally-tui: error: ") == 1


def test_names_that_are_there_but_never_together_are_no_wrong_usage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = write_run(tmp_path, PASSES, trial(stimulus="other", model="claude"))
    ended = call(capsys, "grade", run, "--stimulus", "fix", "--model", "claude")
    assert (ended.status, ended.err) == (0, "")


def test_a_run_that_cannot_be_read_says_nothing_about_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    for command in ("grade", "files", "lint"):
        assert call(capsys, command, gone, "--stimulus", "fix").err == f"vally-tui: error: {gone} is not there\n"


@pytest.mark.parametrize(
    ("only", "shown"),
    [
        ("failed", ["fails", "recorded-fail", "flips"]),
        ("error", ["lacks", "invalid", "errored", "lost", "was-valid"]),
        ("flipped", ["flips", "was-valid"]),
    ],
)
def test_only_shows_what_is_failed_in_error_or_flipped(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, only: str, shown: list[str]
) -> None:
    records = [
        PASSES | {"stimulus": "passes"}, FAILS | {"stimulus": "fails"}, RECORDED_FAIL | {"stimulus": "recorded-fail"},
        LACKS | {"stimulus": "lacks"}, INVALID | {"stimulus": "invalid"}, ERRORED | {"stimulus": "errored"},
        SKIPPED | {"stimulus": "skipped"},
        trial([contains("nowhere")], [passed("x")], stimulus="flips"),
        trial([contains("divide")], [passed("x")], diff=None, stimulus="lost"),
        trial([contains("[bad")], [passed("x")], stimulus="was-valid"),
    ]  # fmt: skip
    ended = call(capsys, "grade", write_run(tmp_path, *records), "--only", only, "--output", "jsonl")
    assert [record["stimulus"] for record in ended.objects] == shown


def test_a_spec_replaces_the_graders_and_what_it_lacks_is_an_issue(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    spec = tmp_path / "eval.yaml"
    spec.write_text(
        "name: e\nstimuli:\n  - name: fix\n    prompt: p\n    graders:\n"
        "      - {type: diff-contains, name: now, config: {value: nowhere}}\n"
    )
    before = trial([contains("divide", "now")], [passed("now")])
    other = trial([contains("divide")], [passed("x")], stimulus="other")
    run = write_run(tmp_path / "run", before, other, other)
    ended = call(capsys, "grade", run, "-e", str(spec), "--output", "json")
    document = json.loads(ended.out)
    states = [[detail["state"] for detail in record["gradeResult"]["details"]] for record in document["trials"]]
    assert states == [["fail"], ["pass"], ["pass"]]
    [detail] = document["trials"][0]["gradeResult"]["details"]
    assert (detail["name"], detail["recordedPassed"]) == ("now", True)
    assert [(issue["line"], issue["message"]) for issue in document["issues"]] == [
        (2, "the stimulus 'other' is not in the spec: its trials keep their recorded graders")
    ]


def test_run_dir_says_where_sidecars_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial([contains("divide")], [passed("x")])
    del record["trajectory"]["diff"]
    record["trajectory"]["diffPath"] = "a.diff"
    run = write_run(tmp_path / "run", record)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.diff").write_text("+def divide\n")
    assert call(capsys, "grade", run).status == 3
    assert call(capsys, "grade", run, "--run-dir", str(tmp_path / "elsewhere"), "--require-pass").status == 0


def test_a_sidecar_above_the_limit_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial([contains("divide")], [passed("x")])
    del record["trajectory"]["diff"]
    record["trajectory"]["diffPath"] = "a.diff"
    run = write_run(tmp_path, record)
    (tmp_path / "a.diff").write_text("+def divide\n" * 1000)
    assert call(capsys, "grade", run, "--require-pass").status == 0
    ended = call(capsys, "grade", run, "--max-diff", "0.005", "--output", "jsonl")
    [detail] = ended.details
    assert (ended.status, detail["state"]) == (3, "no-evidence")


@pytest.mark.parametrize(("level", "state"), [("20", "invalid-config"), ("24", "pass")])
def test_the_node_level_decides_what_is_valid(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, level: str, state: str
) -> None:
    run = write_run(tmp_path, trial([contains("(?i:DIVIDE)")]))
    [detail] = call(capsys, "grade", run, "--node-level", level, "--output", "jsonl").details
    assert detail["state"] == state
