import json

import pytest

from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.runs.model import DiffForm, IssueKind, RecordPlace, Trial, TrialStatus
from vally_tui.runs.records import ParsedLine, RecordReader, item_id_parts

PLACE = RecordPlace(0, 0, 7)


def parse(value: object) -> ParsedLine:
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return RecordReader("run/results.jsonl").parse(text, PLACE, 5)


def trial_of(value: object) -> Trial:
    trial = parse(value).trial
    assert trial is not None
    return trial


def messages(parsed: ParsedLine) -> list[tuple[IssueKind, str]]:
    assert all(issue.line == 7 and issue.file == "run/results.jsonl" for issue in parsed.issues)
    return [(issue.kind, issue.message) for issue in parsed.issues]


FULL = {
    "type": "trial-result",
    "itemId": "C:\\evals\\eval.yaml::main::opus::fix-it::trial-3",
    "evalName": "my-eval",
    "evalFilePath": "C:\\evals\\eval.yaml",
    "variant": "main",
    "stimulus": "fix-it",
    "model": "opus",
    "status": "success",
    "durationMs": 12.5,
    "trialIndex": 2,
    "totalTrials": 4,
    "gradeResult": {
        "passed": False,
        "score": 0.5,
        "evidence": "1/2 graders passed",
        "details": [
            {
                "name": "a",
                "graderType": "diff-contains",
                "passed": True,
                "score": 1,
                "label": "correct",
                "evidence": "e1",
            },
            {"name": "prompt", "passed": False, "score": 0, "status": "error"},
        ],
    },
    "trajectory": {
        "output": "done",
        "stimulus": {
            "name": "fix-it",
            "prompt": "Fix it.",
            "graders": [
                {"type": "diff-contains", "name": "a", "config": {"pattern": "x"}, "turn": 0},
                {"type": "prompt", "config": None, "scope": "last"},
            ],
        },
        "events": [{"type": "user_message"}, {"type": "user_message"}],
        "diff": "+x\n",
    },
}


def test_a_whole_trial_result_is_read() -> None:
    parsed = parse(FULL)
    trial = parsed.trial
    assert parsed.issues == ()
    assert trial is not None
    assert (trial.key, trial.place) == (5, PLACE)
    assert (trial.stimulus, trial.variant, trial.model) == ("fix-it", "main", "opus")
    assert (trial.eval_name, trial.eval_file) == ("my-eval", "C:\\evals\\eval.yaml")
    assert (trial.trial_index, trial.total_trials, trial.duration_ms) == (2, 4, 12.5)
    assert (trial.status, trial.has_trajectory, trial.prompts, trial.multi_turn) == (
        TrialStatus.SUCCESS,
        True,
        1,
        False,
    )
    assert (trial.diff.form, trial.diff.length) == (DiffForm.INLINE, 3)
    assert trial.graders_known
    assert trial.graders == (
        GraderConfig("diff-contains", "a", {"pattern": "x"}, 0),
        GraderConfig("prompt", None, None, UNSET, "last"),
    )
    assert trial.grade is not None
    assert (trial.grade.passed, trial.grade.score) == (False, 0.5)
    assert [(d.name, d.grader_type, d.passed, d.score, d.status) for d in trial.grade.details] == [
        ("a", "diff-contains", True, 1.0, None),
        ("prompt", None, False, 0.0, "error"),
    ]


def test_a_trial_result_with_nothing_but_its_type_is_a_trial_all_the_same() -> None:
    parsed = parse({"type": "trial-result"})
    trial = parsed.trial
    assert trial is not None
    assert (trial.stimulus, trial.grade, trial.graders, trial.has_trajectory) == (None, None, (), False)
    assert (trial.trial_index, trial.total_trials, trial.duration_ms) == (None, None, None)
    assert [kind for kind, _ in messages(parsed)] == [IssueKind.UNATTRIBUTED]


@pytest.mark.parametrize("gone", [None, "absent"])
def test_null_is_as_good_as_absent(gone: str | None) -> None:
    record = {"type": "trial-result", "stimulus": "s"}
    if gone is None:
        record |= dict.fromkeys(("model", "gradeResult", "trajectory", "error", "trialIndex", "durationMs", "itemId"))
    trial = trial_of(record)
    assert (trial.model, trial.grade, trial.error, trial.trial_index, trial.has_trajectory) == (None,) * 4 + (False,)


def test_item_id_is_split_from_the_right_and_fills_what_is_missing() -> None:
    trial = trial_of({"type": "trial-result", "itemId": "C::\\x::eval.yaml::k=v,w::gpt::do it::trial-12"})
    assert (trial.eval_file, trial.variant, trial.model) == ("C::\\x::eval.yaml", "k=v,w", "gpt")
    assert (trial.stimulus, trial.trial_index) == ("do it", 12)


@pytest.mark.parametrize(
    ("item", "number"),
    [
        ("trial-3", 3),
        ("x::trial-4", 4),
        ("a::b::c::d::e", None),
        ("", None),
        ("a::trial-٣", None),
        ("a::trial--1", None),
    ],
)
def test_a_short_item_id_gives_at_most_the_trial(item: str, number: int | None) -> None:
    parts = item_id_parts(item)
    assert (parts.trial, parts.stimulus) == (number, None)


def test_a_legacy_outcome_line_is_a_trial() -> None:
    trial = trial_of(
        {"status": "success", "trajectory": {"stimulus": {"name": "old", "prompt": "p"}}, "gradeResult": None}
    )
    assert (trial.stimulus, trial.status, trial.grade) == ("old", TrialStatus.SUCCESS, None)


def test_a_legacy_line_takes_the_stimulus_of_its_grade() -> None:
    grade = {"passed": True, "score": 1, "stimulusName": "from-grade", "details": []}
    assert trial_of({"status": "success", "trajectory": None, "gradeResult": grade}).stimulus == "from-grade"


def test_an_errored_legacy_line_is_shown_though_it_belongs_to_no_stimulus() -> None:
    parsed = parse({"status": "error", "trajectory": None, "gradeResult": None, "error": {"message": "boom"}})
    assert parsed.trial is not None
    assert (parsed.trial.status, parsed.trial.error) == (TrialStatus.ERROR, "boom")
    assert [kind for kind, _ in messages(parsed)] == [IssueKind.UNATTRIBUTED]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("boom", "boom"),
        ("", ""),
        ({"message": "boom", "code": 1}, "boom"),
        ({"code": 1}, '{"code": 1}'),
        ({"message": 5}, '{"message": 5}'),
        (None, None),
    ],
)
def test_error_is_a_string_or_an_object(error: object, text: str | None) -> None:
    parsed = parse({"type": "trial-result", "stimulus": "s", "error": error})
    assert parsed.issues == ()
    assert parsed.trial is not None
    assert parsed.trial.error == text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model": 5}, "model is a number: taken as absent"),
        ({"error": ["x"]}, "error is an array: taken as absent"),
        ({"trialIndex": "1"}, "trialIndex is a string, not a whole number from 0: taken as absent"),
        ({"trialIndex": True}, "trialIndex is a boolean, not a whole number from 0: taken as absent"),
        ({"trialIndex": -1}, "trialIndex is a number, not a whole number from 0: taken as absent"),
        ({"durationMs": "5"}, "durationMs is a string: taken as absent"),
        ({"gradeResult": "x"}, "gradeResult is a string, not an object: taken as absent"),
        ({"trajectory": [1]}, "trajectory is an array, not an object: taken as absent"),
        ({"status": {}}, "status is an object: taken as absent"),
        ({"gradeResult": {"passed": "yes", "score": 1}}, "gradeResult.passed is a string: taken as absent"),
        (
            {"gradeResult": {"passed": True, "details": {}}},
            "gradeResult.details is an object, not an array: taken as absent",
        ),
        (
            {"gradeResult": {"passed": True, "details": [3]}},
            "gradeResult.details[0] is a number, not an object: taken as absent",
        ),
        (
            {"gradeResult": {"passed": True, "details": [{"name": 1, "score": "1"}]}},
            "gradeResult.details[0].name is a number, gradeResult.details[0].score is a string: taken as absent",
        ),
        ({"trajectory": {"stimulus": 4}}, "trajectory.stimulus is a number, not an object: taken as absent"),
        ({"trajectory": {"events": {}}}, "trajectory.events is an object, not an array: taken as absent"),
        ({"trajectory": {"events": [1]}}, "trajectory.events holds a number: taken as absent"),
        (
            {"trajectory": {"diff": 4}},
            "trajectory.diff is a number, not a string: graders of the whole diff cannot be judged",
        ),
        (
            {"trajectory": {"diffPath": 4}},
            "trajectory.diffPath is a number, not a string: graders of the whole diff cannot be judged",
        ),
        (
            {"trajectory": {"stimulus": {"graders": {}}}},
            "trajectory.stimulus.graders is an object, not an array: taken as absent",
        ),
        (
            {"trajectory": {"stimulus": {"graders": [1, {"type": 2, "name": 3}]}}},
            "trajectory.stimulus.graders[0] is a number, not an object, trajectory.stimulus.graders[1].type is a number, "
            "trajectory.stimulus.graders[1].name is a number: taken as absent",
        ),
    ],
)
def test_a_mistyped_field_is_an_issue_and_the_trial_stays(fields: dict[str, object], message: str) -> None:
    parsed = parse({"type": "trial-result", "stimulus": "s", **fields})
    assert parsed.trial is not None
    assert messages(parsed) == [(IssueKind.MISTYPED_FIELD, message)]


def test_all_mistyped_fields_are_told_at_once() -> None:
    parsed = parse({"type": "trial-result", "stimulus": "s", "model": 1, "variant": [], "durationMs": {}})
    text = "variant is an array, model is a number, durationMs is an object: taken as absent"
    assert messages(parsed) == [(IssueKind.MISTYPED_FIELD, text)]


def test_a_detail_that_is_no_object_keeps_its_place() -> None:
    grade = {"passed": False, "score": 0, "details": [None, {"name": "second", "passed": False}]}
    trial = trial_of({"type": "trial-result", "stimulus": "s", "gradeResult": grade})
    assert trial.grade is not None
    assert [detail.name for detail in trial.grade.details] == [None, "second"]


@pytest.mark.parametrize("grade", [None, {}, {"evidence": "x"}, {"details": []}, {"passed": None, "score": None}])
def test_a_grade_without_score_and_passed_is_none(grade: object) -> None:
    assert trial_of({"type": "trial-result", "stimulus": "s", "gradeResult": grade}).grade is None


def test_a_grade_may_have_passed_without_a_score() -> None:
    trial = trial_of({"type": "trial-result", "stimulus": "s", "gradeResult": {"passed": True}})
    assert trial.grade is not None
    assert (trial.grade.passed, trial.grade.score, trial.grade.details) == (True, None, ())


@pytest.mark.parametrize("word", ["skipped", "cancelled", "error", "success"])
def test_known_statuses(word: str) -> None:
    assert trial_of({"type": "trial-result", "stimulus": "s", "status": word}).status == TrialStatus(word)


def test_an_unknown_status_is_kept_as_its_word() -> None:
    trial = trial_of({"type": "trial-result", "stimulus": "s", "status": "exploded"})
    assert (trial.status, trial.status_text) == (TrialStatus.UNKNOWN, "exploded")


def test_graders_are_made_from_the_results_when_the_stimulus_was_not_recorded() -> None:
    details = [{"name": "n", "graderType": "diff-empty", "configuredName": "c"}, {"name": "prompt"}, {}]
    trial = trial_of({"type": "trial-result", "stimulus": "s", "gradeResult": {"passed": True, "details": details}})
    assert not trial.graders_known
    assert [(grader.type, grader.name) for grader in trial.graders] == [
        ("diff-empty", "c"),
        ("prompt", "prompt"),
        ("(no type)", None),
    ]


def test_no_graders_in_a_recorded_stimulus_is_known_to_be_none() -> None:
    trial = trial_of(
        {"type": "trial-result", "stimulus": "s", "trajectory": {"stimulus": {"prompt": "p", "graders": []}}}
    )
    assert (trial.graders, trial.graders_known) == ((), True)


@pytest.mark.parametrize(
    ("details", "graders", "message"),
    [
        ([{}, {}], [{"type": "a"}], "the stimulus has 1 graders, but 2 results are recorded"),
        ([{"graderType": "b"}], [{"type": "a"}], "grader 1 is 'a', but its result is of 'b'"),
        (
            [{"graderType": "a", "configuredName": "x"}],
            [{"type": "a", "name": "y"}],
            "grader 1 is 'y', but its result is of 'x'",
        ),
    ],
)
def test_results_that_contradict_the_graders_are_an_issue(details: object, graders: object, message: str) -> None:
    record = {
        "type": "trial-result",
        "stimulus": "s",
        "gradeResult": {"passed": True, "details": details},
        "trajectory": {"stimulus": {"graders": graders}},
    }
    assert messages(parse(record)) == [(IssueKind.GRADERS_DIFFER, message)]


@pytest.mark.parametrize(
    ("trajectory", "prompts", "multi_turn"),
    [
        ({"stimulus": {"prompt": "p"}}, 1, False),
        ({"stimulus": {"turns": ["p"]}}, 1, False),
        ({"stimulus": {"turns": ["p", "q"]}}, 2, True),
        ({"stimulus": {"prompt": "p", "turns": ["p", "q"]}}, 1, True),
        ({"stimulus": {"prompt": None, "turns": []}}, 0, False),
        ({}, 0, False),
        ({"stimulus": {"prompt": "p"}, "events": [{"turn": 0}]}, 1, False),
        ({"stimulus": {"prompt": "p"}, "events": [{"turn": 1}]}, 1, True),
        ({"stimulus": {"prompt": "p"}, "events": [{"turn": 1.0}]}, 1, True),
        ({"stimulus": {"prompt": "p"}, "events": [{"turn": True}, {"turn": "2"}, {"turn": None}]}, 1, False),
        (
            {"stimulus": {"prompt": "p"}, "events": [{"type": "user_message"}] * 2, "metrics": {"turnCount": 9}},
            1,
            False,
        ),
        ({"stimulus": {"prompt": "p"}, "turnDiffs": [{"turn": 0, "diff": ""}]}, 1, False),
        ({"stimulus": {"prompt": "p"}, "turnDiffs": [{"turn": 1, "error": "x"}]}, 1, True),
        ({"stimulus": {"prompt": "p"}, "turnDiffs": [{"turn": "1", "diff": ""}]}, 1, False),
    ],
)
def test_prompts_and_turns_of_a_trajectory(trajectory: object, prompts: int, multi_turn: bool) -> None:
    trial = trial_of({"type": "trial-result", "stimulus": "s", "trajectory": trajectory})
    assert (trial.prompts, trial.multi_turn) == (prompts, multi_turn)


def test_a_new_run_summary() -> None:
    entry = {"name": "e", "variant": "main", "model": "m", "passed": False, "overallScore": 0.5, "threshold": 0.8}
    summary = parse({"type": "run-summary", "passed": False, "hadExecutionErrors": True, "evals": [entry]}).summary
    assert summary is not None
    assert (summary.passed, summary.had_execution_errors) == (False, True)
    (one,) = summary.evals
    assert (one.name, one.overall_score, one.threshold, one.error) == ("e", 0.5, 0.8, None)


def test_an_old_run_summary_has_less() -> None:
    summary = parse({"type": "run-summary", "status": "completed", "durationMs": 210}).summary
    assert summary is not None
    assert (summary.passed, summary.had_execution_errors, summary.evals) == (None, None, ())


def test_a_mistyped_summary_is_an_issue() -> None:
    parsed = parse({"type": "run-summary", "passed": "no", "evals": [1]})
    assert parsed.summary is not None
    assert messages(parsed) == [
        (IssueKind.MISTYPED_FIELD, "evals[0] is a number, not an object, passed is a string: taken as absent")
    ]


@pytest.mark.parametrize(
    ("record", "unknown"),
    [({"type": "otel-span"}, "otel-span"), ({"type": 5}, "(a number)"), ({}, "(none)"), ({"events": []}, "(none)")],
)
def test_an_unknown_record_is_never_a_trial(record: object, unknown: str) -> None:
    parsed = parse(record)
    assert (parsed.trial, parsed.summary, parsed.unknown, parsed.issues) == (None, None, unknown, ())


@pytest.mark.parametrize("text", [b"nonsense", b"[1]", b"5", b'{"type":"trial-result"', b'{"a":NaN}', b"\x00\x01"])
def test_a_malformed_line_is_an_issue(text: bytes) -> None:
    parsed = parse(text)
    assert parsed.malformed
    assert [kind for kind, _ in messages(parsed)] == [IssueKind.MALFORMED_LINE]


def test_equal_graders_and_results_are_shared_between_trials() -> None:
    reader = RecordReader("f")
    first, second = (reader.parse(json.dumps(FULL).encode(), PLACE, key).trial for key in (1, 2))
    assert first is not None
    assert second is not None
    assert first.graders is second.graders
    assert first.grade is not None
    assert second.grade is not None
    assert all(one is other for one, other in zip(first.grade.details, second.grade.details, strict=True))
    assert first.grade is second.grade


def test_the_standard_decoder_gives_the_same_trial_as_the_quick_one() -> None:
    quick = trial_of(FULL)
    # A lone surrogate in a field that is not needed makes the quick decoder refuse the line.
    slow = trial_of({**FULL, "workspacePath": "\udcb2"})
    assert slow == quick


def test_a_long_evidence_sentence_is_kept_in_part() -> None:
    grade = {"passed": True, "details": [{"evidence": "é" * 401}, {"evidence": "é" * 400}]}
    trial = trial_of({"type": "trial-result", "stimulus": "s", "gradeResult": grade})
    assert trial.grade is not None
    long, short = trial.grade.details
    assert (long.evidence, long.evidence_whole) == ("é" * 399 + "…", False)
    assert (short.evidence, short.evidence_whole) == ("é" * 400, True)
