"""Judging runs a step at a time: order, filters, sidecars, specs, and how little is read twice. V8 is a fake here."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.triage.builders import PlainMatcher
from vally_tui.diffs.locate import MatchPlace
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import GraderConfig, State
from vally_tui.grading.pattern import TimeLimit
from vally_tui.runs.model import RunSource
from vally_tui.triage import step_evidence
from vally_tui.triage.graders_of import StimulusGraders
from vally_tui.triage.headless import Plan, judged_steps, plan_of
from vally_tui.triage.judged import JudgedTrial
from vally_tui.triage.options import Only, Options
from vally_tui.triage.standing import Standing
from vally_tui.triage.wanted import WantedTrials

DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n one\n+two\n"


NO_MATCHES = Plan()


def record(stimulus: str, value: str, *, passed: bool | None = None, **trajectory: object) -> dict[str, Any]:
    grader = {"type": "diff-contains", "name": "g", "config": {"value": value}}
    grade = None if passed is None else {"passed": passed, "score": int(passed), "details": [
        {"name": "g", "passed": passed, "score": int(passed)}]}  # fmt: skip
    return {
        "type": "trial-result", "stimulus": stimulus, "model": "m", "status": "success", "gradeResult": grade,
        "trajectory": {"stimulus": {"prompt": "p", "graders": [grader]}, "diff": DIFF} | trajectory,
    }  # fmt: skip


def source(folder: Path, *records: dict[str, Any]) -> RunSource:
    folder.mkdir(parents=True, exist_ok=True)
    results = folder / "results.jsonl"
    results.write_text("".join(json.dumps(one) + "\n" for one in records))
    return RunSource(results, folder, folder.name, str(results))


def judged(*sources: RunSource, plan: Plan = NO_MATCHES, matcher: PlainMatcher | None = None) -> list[JudgedTrial]:
    steps = judged_steps(sources, plan, matcher or PlainMatcher())
    return [trial for step in steps for trial in step.trials]


def test_trials_come_in_the_order_of_the_file_with_their_verdicts(tmp_path: Path) -> None:
    records = [record(f"s{number}", "two" if number % 2 else "three") for number in range(3000)]
    trials = judged(source(tmp_path, *records))
    assert [trial.trial.stimulus for trial in trials] == [f"s{number}" for number in range(3000)]
    assert [trial.standing for trial in trials] == [Standing.FAILED, Standing.PASSED] * 1500
    assert all(trial.grade is not None for trial in trials)


def test_only_trials_with_the_same_graders_record_status_and_verdicts_share_an_outcome(tmp_path: Path) -> None:
    like = record("s", "two", passed=True)
    run = source(
        tmp_path,
        like,
        record("s", "two", passed=True, diff="other\n"),
        record("s", "two", passed=False),
        record("s", "two"),
        like | {"status": "cancelled"},
        like,
    )
    trials = judged(run)
    assert [(trial.standing, trial.flipped) for trial in trials] == [
        (Standing.PASSED, False),
        (Standing.FAILED, True),
        (Standing.PASSED, True),
        (Standing.PASSED, False),
        (Standing.SKIPPED, False),
        (Standing.PASSED, False),
    ]
    assert trials[0].graders is trials[-1].graders


def test_each_run_is_told_apart_and_ends_with_its_last_step(tmp_path: Path) -> None:
    first, second = source(tmp_path / "a", record("s", "two")), source(tmp_path / "b", record("s", "three"))
    steps = list(judged_steps([first, second], Plan(), PlainMatcher()))
    assert [(step.source.name, step.last) for step in steps if step.last] == [("a", True), ("b", True)]
    keys = [trial.trial.key for step in steps for trial in step.trials]
    assert len(set(keys)) == 2


def test_a_sidecar_and_a_turn_are_read_like_what_is_in_line(tmp_path: Path) -> None:
    (tmp_path / "a.diff").write_text(DIFF)
    grader = {"type": "diff-contains", "turn": 1, "config": {"value": "two"}}
    turned = record("s", "two", turnDiffs=[{"turn": 1, "diff": "+two"}])
    turned["trajectory"]["stimulus"]["graders"] = [grader]
    trials = judged(source(tmp_path, record("s", "two", diff=None, diffPath="a.diff"), turned))
    assert [trial.graders[0].verdict.state for trial in trials] == [State.PASS, State.PASS]


def test_texts_that_found_no_room_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_evidence, "KEPT", len(DIFF) + 1)
    trials = judged(source(tmp_path, *(record("s", "two") for _ in range(5))))
    assert [trial.standing for trial in trials] == [Standing.PASSED] * 5


def test_places_are_found_only_where_they_are_wanted(tmp_path: Path) -> None:
    run = source(tmp_path, record("s", "two"))
    assert judged(run)[0].graders[0].places == ()
    [trial] = judged(run, plan=Plan(spans=20))
    assert trial.graders[0].places == (MatchPlace("a.py", 6, LineKind.ADDED),)


def test_a_trial_without_a_trajectory_is_not_judged(tmp_path: Path) -> None:
    matcher = PlainMatcher()
    [trial] = judged(source(tmp_path, record("s", "two", passed=True) | {"trajectory": None}), matcher=matcher)
    assert (trial.graders, trial.grade, matcher.asked) == ((), None, [])


def test_only_wanted_trials_are_judged(tmp_path: Path) -> None:
    matcher = PlainMatcher()
    run = source(tmp_path, record("a", "two"), record("b", "two"), record("c", "two") | {"model": "n"})
    wanted = WantedTrials(Options((), stimuli=("b", "c"), models=("m",)))
    [trial] = [trial for step in judged_steps([run], Plan(), matcher, wanted) for trial in step.trials]
    assert (trial.trial.stimulus, len(matcher.asked)) == ("b", 1)


def test_the_spec_replaces_graders_and_each_stimulus_that_it_lacks_is_told_once(tmp_path: Path) -> None:
    run = source(tmp_path, record("a", "three"), record("b", "two"), record("b", "two"))
    config = GraderConfig("diff-contains", "g", {"value": "two", "flags": "i"})
    plan = Plan(spec={"a": StimulusGraders((config,), 1)})
    steps = list(judged_steps([run], plan, PlainMatcher()))
    assert [trial.standing for step in steps for trial in step.trials] == [Standing.PASSED] * 3
    assert [(issue.line, issue.message) for step in steps for issue in step.issues] == [
        (1, "grader 'g' of 'a': config key \"flags\" is unknown to diff-contains and was ignored"),
        (2, "the stimulus 'b' is not in the spec: its trials keep their recorded graders"),
    ]


def test_a_sidecar_that_differs_from_the_diff_in_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.diff").write_text("other")
    [step] = judged_steps([source(tmp_path, record("s", "two", diffPath="a.diff"))], Plan(), PlainMatcher())
    assert [issue.message for issue in step.issues] == [
        "sidecar a.diff differs from the diff in the record: the record's is judged"
    ]
    assert step.trials[0].standing is Standing.PASSED


@pytest.mark.parametrize(
    ("value", "recorded", "flipped", "failed"),
    [("two", True, False, False), ("two", False, True, False), ("no", True, True, True), ("no", None, False, True)],
)
def test_a_flip_is_a_verdict_that_differs_from_the_record(
    tmp_path: Path, value: str, recorded: bool | None, flipped: bool, failed: bool
) -> None:
    [trial] = judged(source(tmp_path, record("s", value, passed=recorded)))
    assert (trial.flipped, trial.failed, trial.in_error) == (flipped, failed, False)
    assert trial.shown_for(Only.FLIPPED) is flipped
    assert trial.shown_for(Only.FAILED) is failed
    assert trial.shown_for(None)


def test_lacking_evidence_is_an_error_and_no_failure(tmp_path: Path) -> None:
    [trial] = judged(source(tmp_path, record("s", "two", diff=None, passed=True)))
    assert (trial.failed, trial.in_error, trial.flipped, trial.passed) == (False, True, False, False)


def test_the_timeout_replaces_the_base_of_the_limit(tmp_path: Path) -> None:
    matcher = PlainMatcher()
    judged(source(tmp_path, record("s", "two")), plan=plan_of(Options((), timeout=7.0)), matcher=matcher)
    assert matcher.limits == {TimeLimit(7.0, 0.05)}
    assert plan_of(Options(())) == replace(Plan(), max_bytes=256 << 20)
