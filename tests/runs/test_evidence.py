import os
from pathlib import Path

import pytest

from tests.runs.builders import only_trial, record, run_of, source, trajectory
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.runs.evidence import is_whole_diff, read_evidence, read_evidences, sidecar_issues, turns_of
from vally_tui.runs.model import IssueKind

NEVER = "No workspace diff is available for this run. "


def evidence_of(folder: Path, turn: int | None = None, single: bool | None = None, **fields: object) -> Evidence:
    """The evidence of a run with one trial, whose trajectory has these fields."""
    run = run_of(folder, record(trajectory=trajectory(**fields)))
    return read_evidence(run.source, only_trial(run), turn, single_turn_stimulus=single)


def absent(evidence: Evidence) -> tuple[Absence, str]:
    assert isinstance(evidence, Absent)
    return evidence.reason, evidence.message


TWO_PROMPTS = {"name": "fix-it", "turns": ["a", "b"], "graders": []}


# The whole run's diff


@pytest.mark.parametrize("text", ["+x\n", "", "﻿+x\r\n\u2028\r", "\ud83d", "\0"])
def test_an_inline_diff_is_the_exact_recorded_text(tmp_path: Path, text: str) -> None:
    assert evidence_of(tmp_path, diff=text) == Present(text)


@pytest.mark.parametrize("fields", [{}, {"diff": None}, {"diff": None, "diffPath": None}])
def test_a_diff_that_was_never_recorded(tmp_path: Path, fields: dict[str, object]) -> None:
    reason, message = absent(evidence_of(tmp_path, **fields))
    assert reason is Absence.NEVER_RECORDED
    assert message.startswith(NEVER)
    assert message.endswith("Run the eval again with a diff grader configured.")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"diff": 5}, "diff is a number, not a string"),
        ({"diff": ["x"], "diffPath": "d.diff"}, "diff is an array, not a string"),
        ({"diffPath": False}, "diffPath is a boolean, not a string"),
        ({"diffPath": ""}, "diffPath is empty"),
    ],
)
def test_a_malformed_diff(tmp_path: Path, fields: dict[str, object], why: str) -> None:
    (tmp_path / "d.diff").write_text("+x")
    expected = f"the recorded diff of this trial cannot be used ({why}): the grader cannot be judged"
    assert absent(evidence_of(tmp_path, **fields)) == (Absence.MALFORMED, expected)


@pytest.mark.parametrize("value", [None, "text", 5])
def test_a_trial_without_a_trajectory(tmp_path: Path, value: object) -> None:
    run = run_of(tmp_path, record(trajectory=value, status="error"))
    for turn in (None, 0, 3):
        reason, message = absent(read_evidence(run.source, only_trial(run), turn))
        assert reason is Absence.NO_TRAJECTORY
        assert message == (
            "this trial has no recorded trajectory (status error), so there is no diff to look at: run the stimulus again"
        )


def test_a_sidecar_is_read_from_the_run_directory(tmp_path: Path) -> None:
    (tmp_path / "diffs").mkdir()
    (tmp_path / "diffs" / "fix-1.diff").write_bytes(b"\xef\xbb\xbf+x\r\n\xff")
    assert evidence_of(tmp_path, diffPath="diffs/fix-1.diff") == Present("﻿+x\r\n�")
    assert evidence_of(tmp_path, diffPath="diffs\\fix-1.diff") == Present("﻿+x\r\n�")


def test_an_empty_sidecar_is_an_empty_diff(tmp_path: Path) -> None:
    (tmp_path / "d.diff").touch()
    assert evidence_of(tmp_path, diffPath="d.diff") == Present("")


def test_a_sidecar_that_is_gone(tmp_path: Path) -> None:
    assert absent(evidence_of(tmp_path, diffPath="diffs/fix-1.diff")) == (
        Absence.SIDECAR_GONE,
        "sidecar diffs/fix-1.diff is recorded but not there: copy the whole run directory, or pass --run-dir",
    )


def test_a_sidecar_outside_the_run_directory(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "secret").write_text("+x")
    assert absent(evidence_of(tmp_path / "run", diffPath="../secret")) == (
        Absence.SIDECAR_OUTSIDE,
        "sidecar ../secret lies outside the run directory and is not read: copy the file into it, or pass --run-dir",
    )


def test_a_sidecar_that_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert absent(evidence_of(tmp_path, diffPath="pipe")) == (
        Absence.UNREADABLE,
        "sidecar pipe is a FIFO, not a regular file: mend that and read the run again",
    )
    assert absent(evidence_of(tmp_path, diffPath="folder"))[0] is Absence.UNREADABLE
    assert absent(evidence_of(tmp_path, diffPath="."))[0] is Absence.UNREADABLE


def test_a_sidecar_above_the_limit_is_refused_with_its_size(tmp_path: Path) -> None:
    (tmp_path / "big.diff").write_bytes(b"x" * (3 << 19))
    run = run_of(tmp_path, record(trajectory=trajectory(diffPath="big.diff")))
    trial = only_trial(run)
    assert absent(read_evidence(run.source, trial, None, max_bytes=1 << 20)) == (
        Absence.TOO_LARGE,
        "sidecar big.diff has 1.5 MB, above the limit of 1 MB: pass a larger --max-diff to judge it",
    )
    assert read_evidence(run.source, trial, None, max_bytes=3 << 19) == Present("x" * (3 << 19))


def test_a_hostile_path_is_quoted_and_cut(tmp_path: Path) -> None:
    _, message = absent(evidence_of(tmp_path, diffPath="a\x1b]0;x\x07"))
    assert message.startswith("sidecar 'a\\x1b]0;x\\x07' is recorded but not there")
    _, message = absent(evidence_of(tmp_path, diffPath="d/" + "x" * 100_000))
    assert len(message) < 400


def test_a_diff_in_the_record_goes_before_a_sidecar(tmp_path: Path) -> None:
    (tmp_path / "d.diff").write_text("+sidecar")
    assert evidence_of(tmp_path, diff="", diffPath="d.diff") == Present("")


def test_a_null_diff_leaves_the_sidecar(tmp_path: Path) -> None:
    (tmp_path / "d.diff").write_text("+sidecar")
    assert evidence_of(tmp_path, diff=None, diffPath="d.diff") == Present("+sidecar")


def test_a_differing_sidecar_is_an_issue(tmp_path: Path) -> None:
    (tmp_path / "d.diff").write_text("+sidecar")
    (tmp_path / "same.diff").write_text("+same")
    turns = [
        {"turn": 0, "diff": "+same", "diffPath": "same.diff"},
        {"turn": 1, "diff": "+other", "diffPath": "d.diff"},
        {"turn": 2, "diff": "+gone", "diffPath": "gone.diff"},
    ]
    run = run_of(tmp_path, record(trajectory=trajectory(diff="+x", diffPath="d.diff", turnDiffs=turns)))
    issues = sidecar_issues(run.source, only_trial(run))
    assert [(issue.kind, issue.line, issue.message) for issue in issues] == [
        (IssueKind.SIDECAR, 1, "sidecar d.diff differs from the diff in the record: the record's is judged"),
        (IssueKind.SIDECAR, 1, "sidecar d.diff of turn 1 differs from the diff in the record: the record's is judged"),
    ]


# Turns


def test_turn_0_of_a_single_turn_trial_is_the_whole_diff_whatever_turn_diffs_holds(tmp_path: Path) -> None:
    assert evidence_of(tmp_path, 0, diff="+whole") == Present("+whole")
    assert evidence_of(tmp_path, 0, diff="+whole", turnDiffs=[]) == Present("+whole")
    assert evidence_of(tmp_path, 0, diff="+whole", turnDiffs=[{"turn": 0, "diff": "+turn"}]) == Present("+whole")
    assert evidence_of(tmp_path, 0, diff="+whole", turnDiffs="oops") == Present("+whole")
    assert absent(evidence_of(tmp_path, 0))[0] is Absence.NEVER_RECORDED


@pytest.mark.parametrize(
    "fields",
    [
        {"stimulus": TWO_PROMPTS},
        {"events": [{"turn": 1}]},
        {"stimulus": None},
        {"turnDiffs": [{"turn": 0, "diff": "+turn"}, {"turn": 1, "diff": ""}]},
    ],
    ids=["two prompts", "an event of turn 1", "no stimulus", "a diff of turn 1"],
)
def test_turn_0_counts_only_turn_diffs_in_every_other_case(tmp_path: Path, fields: dict[str, object]) -> None:
    turns = {"turnDiffs": [{"turn": 0, "diff": "+turn"}]} | fields
    assert evidence_of(tmp_path, 0, diff="+whole", **turns) == Present("+turn")


def test_a_spec_with_more_prompts_makes_turn_0_a_turn(tmp_path: Path) -> None:
    turns = [{"turn": 0, "diff": "+turn"}]
    assert evidence_of(tmp_path, 0, False, diff="+whole", turnDiffs=turns) == Present("+turn")


def test_a_spec_with_one_prompt_does_not_make_a_multi_turn_trajectory_single(tmp_path: Path) -> None:
    evidence = evidence_of(tmp_path, 0, True, diff="+whole", stimulus=TWO_PROMPTS)
    assert absent(evidence)[0] is Absence.TURN_MISSING


def test_a_later_turn_never_falls_back_to_the_whole_diff(tmp_path: Path) -> None:
    assert absent(evidence_of(tmp_path, 1, diff="+whole"))[0] is Absence.TURN_MISSING


def test_the_whole_diff_is_not_made_from_turns(tmp_path: Path) -> None:
    evidence = evidence_of(tmp_path, None, turnDiffs=[{"turn": 0, "diff": "+turn"}])
    assert absent(evidence)[0] is Absence.NEVER_RECORDED


@pytest.mark.parametrize(
    ("turn_diffs", "holds"),
    [
        ([{"turn": 0, "diff": ""}, {"turn": 2, "diff": ""}], "turnDiffs holds turns 0, 2"),
        ([{"turn": 2.0, "diff": ""}], "turnDiffs holds turn 2"),
        ([{"turn": n, "diff": ""} for n in range(2, 12)], "turnDiffs holds turns 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"),
        ([], "turnDiffs is empty"),
        ([{"turn": True, "diff": ""}, {"turn": "1", "diff": ""}, {"diff": ""}, None], "turnDiffs is empty"),
        (None, "turnDiffs is not recorded; the executor may not report when a turn ends"),
    ],
)
def test_a_missing_turn_says_what_is_there(tmp_path: Path, turn_diffs: object, holds: str) -> None:
    assert absent(evidence_of(tmp_path, 1, stimulus=TWO_PROMPTS, diff="+whole", turnDiffs=turn_diffs)) == (
        Absence.TURN_MISSING,
        f"turn 1 of this trial has no recorded diff ({holds}): the grader cannot be judged",
    )


@pytest.mark.parametrize(
    ("record", "text"),
    [
        ({"diff": "+t"}, "+t"),
        ({"diff": ""}, ""),
        ({"diff": "+t", "status": "ok"}, "+t"),
        ({"diff": "+t", "status": "success", "error": None}, "+t"),
        ({"diff": None, "diffPath": "t.diff"}, "+sidecar"),
        ({"diff": "+t", "diffPath": "t.diff"}, "+t"),
        ({"diff": "+t", "later": {"key": 1}}, "+t"),
    ],
)
def test_a_recorded_turn(tmp_path: Path, record: dict[str, object], text: str) -> None:
    (tmp_path / "t.diff").write_text("+sidecar")
    assert evidence_of(tmp_path, 1, turnDiffs=[{"turn": 1.0, **record}]) == Present(text)


@pytest.mark.parametrize(
    ("record", "reason", "why"),
    [
        ({"error": "no git"}, Absence.CAPTURE_FAILED, "no git"),
        ({"error": {"message": "no git"}, "diff": "+t"}, Absence.CAPTURE_FAILED, "no git"),
        ({"error": {"code": 1}}, Absence.CAPTURE_FAILED, '{"code": 1}'),
        ({"status": "failed", "diff": "+t"}, Absence.CAPTURE_FAILED, "status failed"),
        ({"status": 4, "diff": "+t"}, Absence.CAPTURE_FAILED, "status 4"),
        ({}, Absence.TURN_MALFORMED, "it holds neither diff nor diffPath"),
        ({"diff": None, "diffPath": None}, Absence.TURN_MALFORMED, "it holds neither diff nor diffPath"),
        ({"diff": 4}, Absence.TURN_MALFORMED, "diff is a number, not a string"),
        ({"diffPath": {}}, Absence.TURN_MALFORMED, "diffPath is an object, not a string"),
        ({"error": 5, "diff": "+t"}, Absence.TURN_MALFORMED, "its error is a number"),
    ],
)
def test_a_turn_that_cannot_be_used(tmp_path: Path, record: dict[str, object], reason: Absence, why: str) -> None:
    expected = {
        Absence.CAPTURE_FAILED: f"the diff of turn 1 could not be captured ({why}): the grader cannot be judged; "
        "run the stimulus again",
        Absence.TURN_MALFORMED: f"the recorded diff of turn 1 cannot be used ({why}): the grader cannot be judged",
    }[reason]
    assert absent(evidence_of(tmp_path, 1, diff="+whole", turnDiffs=[{"turn": 1, **record}])) == (reason, expected)


def test_a_repeated_turn_is_malformed_for_all(tmp_path: Path) -> None:
    turns = [{"turn": 1, "diff": "+a"}, {"turn": 0, "diff": "+b"}, {"turn": 1.0, "diff": "+a"}]
    reason, message = absent(evidence_of(tmp_path, 1, turnDiffs=turns))
    assert (reason, "it is recorded more than once" in message) == (Absence.TURN_MALFORMED, True)
    assert evidence_of(tmp_path, 0, turnDiffs=turns) == Present("+b")


@pytest.mark.parametrize("value", [{}, "x", 5, True])
def test_turn_diffs_that_are_no_array_make_every_turn_malformed(tmp_path: Path, value: object) -> None:
    for turn in (0, 1, 7):
        evidence = evidence_of(tmp_path, turn, stimulus=TWO_PROMPTS, diff="+whole", turnDiffs=value)
        assert absent(evidence)[0] is Absence.TURN_MALFORMED


def test_a_turns_sidecar_that_is_gone_names_the_turn(tmp_path: Path) -> None:
    assert absent(evidence_of(tmp_path, 1, turnDiffs=[{"turn": 1, "diffPath": "t1.diff"}])) == (
        Absence.SIDECAR_GONE,
        "sidecar t1.diff of turn 1 is recorded but not there: copy the whole run directory, or pass --run-dir",
    )


def test_what_is_wrong_with_turn_diffs_is_an_issue_of_the_load(tmp_path: Path) -> None:
    turns = [{"turn": -1, "diff": ""}, 5, {"turn": 2}, {"turn": 3, "error": "a failure is no fault of the record"}]
    run = run_of(tmp_path, record(trajectory=trajectory(turnDiffs=turns)))
    assert [(issue.kind, issue.message) for issue in run.issues] == [
        (
            IssueKind.TURN_DIFFS,
            "turnDiffs[0] has no turn, so it belongs to none, turnDiffs[1] has no turn, so it belongs to none, "
            "the diff of turn 2 is malformed: it holds neither diff nor diffPath: graders of such a turn cannot be judged",
        )
    ]


def test_the_turns_of_a_trial(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        record(
            trajectory=trajectory(stimulus=TWO_PROMPTS, turnDiffs=[{"turn": 5, "diff": ""}, {"turn": 1, "diff": ""}])
        ),
        record(),
        record(trajectory=trajectory(turnDiffs=[{"turn": 0, "diff": ""}])),
        record(trajectory=None),
    )
    assert [turns_of(trial) for trial in run.trials] == [(0, 1, 5), (), (0,), ()]


def test_which_graders_look_at_the_whole_diff(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(), record(trajectory=trajectory(stimulus=TWO_PROMPTS)))
    single, multi = run.trials
    assert [is_whole_diff(single, turn) for turn in (None, 0, 1)] == [True, True, False]
    assert [is_whole_diff(multi, turn) for turn in (None, 0, 1)] == [True, False, False]
    assert not is_whole_diff(single, 0, single_turn_stimulus=False)


# The file changes while it is open


@pytest.mark.parametrize("after", [b"", b'{"type":"trial-result"}\n' * 100])
def test_a_record_that_is_gone_from_the_file_is_said_so(tmp_path: Path, after: bytes) -> None:
    run = run_of(tmp_path, record(trajectory=trajectory(diff="+x")))
    (tmp_path / "results.jsonl").write_bytes(after)
    reason, message = absent(read_evidence(run.source, only_trial(run), None))
    assert reason is Absence.UNREADABLE
    assert (
        message
        == "the results file has changed since it was read, and its record of this trial is gone: read the run again"
    )


def test_one_changed_byte_is_noticed(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(trajectory=trajectory(diff="+x")))
    results = tmp_path / "results.jsonl"
    results.write_bytes(results.read_bytes().replace(b"+x", b"+y"))
    assert absent(read_evidence(run.source, only_trial(run), None))[0] is Absence.UNREADABLE


def test_a_deleted_run_directory_is_said_so(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(trajectory=trajectory(diff="+x")))
    (tmp_path / "results.jsonl").unlink()
    reason, message = absent(read_evidence(run.source, only_trial(run), None))
    assert reason is Absence.UNREADABLE
    assert message == "the results file is not there, so the record of this trial cannot be read again"


def test_many_at_once_are_the_same_as_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "d.diff").write_text("+sidecar")
    run = run_of(
        tmp_path,
        record(trajectory=trajectory(diff="+x")),
        record(trajectory=trajectory(diffPath="d.diff")),
        record(trajectory=None),
        record(trajectory=trajectory(turnDiffs=[{"turn": 1, "diff": "+t"}])),
    )
    wanted = [(trial, turn, None) for trial in reversed(run.trials) for turn in (None, 0, 1)]
    assert list(read_evidences(run.source, wanted)) == [
        read_evidence(run.source, trial, turn) for trial, turn, _ in wanted
    ]


def test_a_record_after_a_byte_order_mark_is_found_again(tmp_path: Path) -> None:
    run = run_of(tmp_path, b'\xef\xbb\xbf{"type":"trial-result","stimulus":"s","trajectory":{"diff":"+x"}}\n')
    assert read_evidence(source(tmp_path), only_trial(run), None) == Present("+x")
