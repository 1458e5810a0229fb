"""``grade --output jsonl`` and ``json``: the documented keys, always all of them, and what they mean in each state.

Verdicts, offsets and counts are by hand: the diff of the builders has its matches where the comments say.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.builders import DIFF, call, contains, failed, lacks, passed, trial, write_run

TRIAL_KEYS = [
    "type", "itemId", "stimulus", "variant", "model", "trialIndex", "status", "error", "gradeResult",
]  # fmt: skip
DETAIL_KEYS = [
    "name", "graderType", "turn", "passed", "score", "label", "status", "evidence", "regraded", "recordedPassed",
    "state", "matchCount", "matches",
]  # fmt: skip


def details(capsys: pytest.CaptureFixture[str], folder: Path, *records: dict[str, Any]) -> list[dict[str, Any]]:
    return call(capsys, "grade", write_run(folder, *records), "--output", "jsonl").details


def test_a_judged_trial_to_the_letter(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial(
        [contains(r"return a // b", "floors"), lacks("secret"), {"type": "prompt", "name": "quality"}],
        [failed("floors"), passed("diff-not-contains"), passed("quality", score=0.5, label="partial")],
        index=2,
    )
    ended = call(capsys, "grade", write_run(tmp_path, record), "--output", "jsonl")
    start = DIFF.index("return a // b")
    assert ended.objects == [
        {
            "type": "trial-result",
            "itemId": "/e/eval.yaml::main::gpt::fix::trial-2",
            "stimulus": "fix",
            "variant": "main",
            "model": "gpt",
            "trialIndex": 2,
            "status": "success",
            "error": None,
            "gradeResult": {
                "passed": True,
                "score": pytest.approx(2.5 / 3),
                "evidence": "3/3 graders passed",
                "details": [
                    {
                        "name": "floors",
                        "graderType": "diff-contains",
                        "turn": None,
                        "passed": True,
                        "score": 1,
                        "label": "correct",
                        "status": "success",
                        "evidence": "Pattern /return a // b/ found in workspace diff",
                        "regraded": True,
                        "recordedPassed": False,
                        "state": "pass",
                        "matchCount": 1,
                        "matches": [
                            {"start": start, "end": start + 13, "file": "src/calc.py", "line": 9, "kind": "added"}
                        ],
                    },
                    {
                        "name": "diff-not-contains",
                        "graderType": "diff-not-contains",
                        "turn": None,
                        "passed": True,
                        "score": 1,
                        "label": "correct",
                        "status": "success",
                        "evidence": "Pattern /secret/ not found in workspace diff",
                        "regraded": True,
                        "recordedPassed": True,
                        "state": "pass",
                        "matchCount": 0,
                        "matches": [],
                    },
                    {
                        "name": "quality",
                        "graderType": "prompt",
                        "turn": None,
                        "passed": True,
                        "score": 0.5,
                        "label": "partial",
                        "status": "success",
                        "evidence": "said so",
                        "regraded": False,
                        "recordedPassed": True,
                        "state": "recorded",
                        "matchCount": 0,
                        "matches": [],
                    },
                ],
            },
        }
    ]
    assert (ended.status, ended.err) == (0, "")


def test_keys_stand_in_the_documented_order(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    [record] = call(capsys, "grade", write_run(tmp_path, trial([contains("a")])), "--output", "jsonl").objects
    assert list(record) == TRIAL_KEYS
    assert list(record["gradeResult"]) == ["passed", "score", "evidence", "details"]
    assert list(record["gradeResult"]["details"][0]) == DETAIL_KEYS


@pytest.mark.parametrize(
    ("grader", "recorded", "diff", "expected"),
    [
        (contains("nowhere"), [passed("x")], DIFF,
         {"state": "fail", "passed": False, "score": 0, "label": "incorrect", "status": "success", "matchCount": 0,
          "evidence": "Pattern /nowhere/ not found in workspace diff", "recordedPassed": True}),
        (lacks("divide"), [failed("x")], DIFF,
         {"state": "fail", "passed": False, "label": "incorrect", "matchCount": 1,
          "evidence": "Pattern /divide/ found in workspace diff", "recordedPassed": False}),
        ({"type": "diff-empty"}, [passed("x")], "",
         {"state": "pass", "passed": True, "score": 1, "matchCount": 0, "matches": [],
          "evidence": "Workspace diff is empty"}),
        ({"type": "diff-empty"}, [passed("x")], DIFF,
         {"state": "fail", "passed": False, "matchCount": 0,
          "evidence": "Workspace diff is not empty — the stimulus changed the workspace"}),
        (contains("[bad"), [passed("x")], DIFF,
         {"state": "invalid-config", "passed": False, "score": 0, "label": "incorrect", "status": "success",
          "matchCount": 0, "matches": [], "regraded": True,
          "evidence": "Invalid regex pattern: [bad. Error: Unterminated character class"}),
        ({"type": "diff-contains", "config": {}}, [passed("x")], DIFF,
         {"state": "invalid-config", "passed": False, "status": "success"}),
        (contains("a"), [passed("x")], None,
         {"state": "no-evidence", "passed": False, "score": 0, "label": "incorrect", "status": "success",
          "matchCount": 0, "matches": [], "regraded": True, "recordedPassed": True}),
        (contains("a", turn=1), [passed("x")], DIFF, {"state": "no-evidence", "turn": 1}),
        (contains("divide", turn=0.0), [passed("x")], DIFF,
         {"state": "pass", "turn": 0, "evidence": "Pattern /divide/ found in the diff of turn 0"}),
        (contains("divide", turn="1"), [passed("x")], DIFF, {"state": "invalid-config", "turn": None}),
        ({"type": "prompt", "name": "q"}, [], DIFF,
         {"state": "unrecorded", "passed": None, "score": None, "label": None, "status": "error", "regraded": False,
          "recordedPassed": None, "matchCount": 0, "matches": []}),
        ({"type": "prompt", "name": "q"}, [failed("q", score=0.25)], DIFF,
         {"state": "recorded", "passed": False, "score": 0.25, "label": "incorrect", "status": "success",
          "recordedPassed": False, "evidence": "said no"}),
        ({"type": "prompt", "name": "q"}, [failed("q", status="error")], DIFF,
         {"state": "recorded", "passed": None, "score": None, "label": None, "recordedPassed": None}),
    ],
)  # fmt: skip
def test_each_state(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    grader: dict[str, Any],
    recorded: list[dict[str, Any]],
    diff: object,
    expected: dict[str, Any],
) -> None:
    [detail] = details(capsys, tmp_path, trial([grader], recorded, diff=diff))
    assert {key: detail[key] for key in expected} == expected


def test_a_pattern_on_which_v8_gives_up_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    # Node throws a RangeError here from about 10 MB on: its backtrack stack is full.
    [detail] = details(capsys, tmp_path, trial([contains(r"^(?:.|\n)*x")], diff="-" * 12_000_000))
    expected = {"state": "error", "passed": False, "score": 0, "label": "incorrect", "status": "error"}
    assert {key: detail[key] for key in expected} == expected
    assert (detail["matchCount"], detail["matches"]) == (None, [])


def test_a_pattern_that_takes_too_long_times_out_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial([contains("(a+)+$"), contains("b")], diff="a" * 40 + "b")
    ended = call(capsys, "grade", write_run(tmp_path, record), "--output", "jsonl", "--timeout", "0.2")
    slow, quick = ended.details
    assert (slow["state"], slow["passed"], slow["status"], slow["matchCount"]) == ("timeout", False, "error", None)
    assert (quick["state"], ended.status) == ("pass", 3)


def test_matches_are_at_most_20_and_all_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    [detail] = details(capsys, tmp_path, trial([contains("x?")], diff="x" * 30))
    # 30 of one x, and the empty one at the end.
    assert detail["matchCount"] == 31
    assert [(match["start"], match["end"]) for match in detail["matches"]] == [(n, n + 1) for n in range(20)]


def test_offsets_count_code_points_and_half_characters_are_widened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # UTF-16: a 🎉 is two units, and each of them is matched by a dot.
    dots, empties = details(capsys, tmp_path, trial([contains("."), contains("(?=b)")], diff="🎉b"))
    assert [(match["start"], match["end"]) for match in dots["matches"]] == [(0, 1), (0, 1), (1, 2)]
    assert [(match["start"], match["end"]) for match in empties["matches"]] == [(1, 1)]


@pytest.mark.parametrize(
    ("pattern", "line", "kind", "file"),
    [
        ("diff --git", 1, "header", "src/calc.py"),
        ("@@ -1,2", 5, "hunk-header", "src/calc.py"),
        ("class Calc", 5, "section", "src/calc.py"),
        ("def divide", 6, "context", "src/calc.py"),
        ("return a / b", 7, "removed", "src/calc.py"),
        ("café", 8, "added", "src/calc.py"),
        # The end of the text belongs to the last row.
        ("$(?![^])", 10, "added", "src/calc.py"),
    ],
)
def test_a_match_has_its_file_line_and_kind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, pattern: str, line: int, kind: str, file: str
) -> None:
    [detail] = details(capsys, tmp_path, trial([contains(pattern)]))
    assert [(match["file"], match["line"], match["kind"]) for match in detail["matches"]] == [(file, line, kind)]


@pytest.mark.parametrize(
    "record",
    [
        trial([], []),
        trial([contains("a")], trajectory=None, status="error", error="no model"),
        {"type": "trial-result", "status": "skipped", "skipReason": "not today"},
    ],
)
def test_without_graders_or_trajectory_there_is_no_grade(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, record: dict[str, Any]
) -> None:
    [judged] = call(capsys, "grade", write_run(tmp_path, record), "--output", "jsonl").objects
    assert judged["gradeResult"] is None
    assert list(judged) == TRIAL_KEYS


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"status": "odd", "error": {"message": "broke"}}, {"status": "odd", "error": "broke"}),
        ({"status": 5, "itemId": None, "trialIndex": "x"}, {"status": None, "itemId": None, "trialIndex": None}),
    ],
)
def test_what_is_unknown_is_null_and_what_is_odd_is_shown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, record: dict[str, Any], expected: dict[str, Any]
) -> None:
    [judged] = call(capsys, "grade", write_run(tmp_path, trial([contains("a")]) | record), "--output", "jsonl").objects
    assert {key: judged[key] for key in expected} == expected


def test_long_recorded_evidence_is_printed_whole(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    essay = "the agent " * 1000
    record = trial([{"type": "prompt", "name": "q"}], [failed("q", evidence=essay)])
    [detail] = details(capsys, tmp_path, record)
    assert detail["evidence"] == essay


def test_output_is_printable_ascii_and_nothing_but_trials(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = trial([contains("\x1b\x7f说\u202e")], stimulus="\x1b[2J\ud83d", diff="\x1b\x7f\x85\u2028")
    ended = call(capsys, "grade", write_run(tmp_path, record, "not json"), "--output", "jsonl")
    [line] = ended.out.split("\n")[:-1]
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["stimulus"] == "\x1b[2J\ud83d"


def test_trials_stand_in_the_order_of_the_file_over_all_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    records = [trial([contains("divide")], index=index) for index in range(50)]
    first = write_run(tmp_path / "a", *records[:49])
    second = write_run(tmp_path / "b", records[49])
    ended = call(capsys, "grade", first, second, "--output", "jsonl")
    assert [record["trialIndex"] for record in ended.objects] == list(range(50))


def test_json_is_one_object_of_runs_trials_and_issues(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = write_run(tmp_path / "good", trial([contains("divide")]), "broken", '{"type": "other"}')
    gone = str(tmp_path / "gone")
    ended = call(capsys, "grade", good, gone, "--output", "json")
    document = json.loads(ended.out)
    assert list(document) == ["runs", "trials", "issues"]
    assert document["runs"] == [
        {
            "name": "good",
            "path": f"{good}/results.jsonl",
            "variant": None,
            "experiment": None,
            "trials": 1,
            "shown": 1,
            "unknownRecords": 1,
            "complete": True,
        }
    ]
    lines = call(capsys, "grade", good, "--output", "jsonl").objects
    assert document["trials"] == lines
    assert [(issue["kind"], issue["line"]) for issue in document["issues"]] == [
        ("unreadable file", None), ("malformed line", 2), ("unknown record type", 3),
    ]  # fmt: skip
    assert ended.status == 2


def test_json_of_nothing_is_still_a_document(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = json.loads(call(capsys, "grade", write_run(tmp_path), "--output", "json").out)
    assert (document["trials"], [issue["kind"] for issue in document["issues"]]) == ([], ["empty file"])
