"""Texts of trials that are judged while they are read: taken from the line in hand, read again only where they were not."""

from pathlib import Path

import pytest

from tests.runs.builders import line, only_trial, record, run_of, source, trajectory
from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent, GraderConfig
from vally_tui.runs.model import Trial
from vally_tui.triage import step_evidence
from vally_tui.triage.step_evidence import SeenTexts, StepEvidence, looked_at

GRADERS = [
    {"type": "output-matches", "config": {"pattern": "a"}},
    {"type": "transcript-contains", "config": {"value": "a"}},
    {"type": "output-contains", "turn": 0, "config": {"value": "a"}},
]
SAID = [{"type": "assistant_message", "data": {"content": text}} for text in ("first", "last")]


def one(folder: Path, graders: object = GRADERS, **fields: object) -> tuple[Trial, bytes]:
    """A trial and the line of its record."""
    own = record(
        trajectory=trajectory(
            stimulus={"name": "fix-it", "prompt": "Fix it.", "graders": graders}, output="last", events=SAID, **fields
        )
    )
    return only_trial(run_of(folder, own)), line(own)


def held(seen: SeenTexts, trial: Trial) -> dict[Subject, str | None]:
    """What is there of a trial when nothing can be read from the disk; None: nothing in hand."""
    evidence = StepEvidence(source(Path("/nowhere")), {trial.key: (trial, True)}, seen.taken(), 1000)
    keys = [EvidenceKey(trial.key, subject, None) for subject in Subject]
    return {key.subject: None if isinstance(evidence.holds(key), Absent) else evidence.text(key) for key in keys}


def test_what_graders_look_at_is_taken_from_the_line_in_hand(tmp_path: Path) -> None:
    trial, data = one(tmp_path, diff="+x\n")
    seen = SeenTexts(frozenset())
    seen.add(trial, data, "+x\n")
    assert held(seen, trial) == {Subject.DIFF: "+x\n", Subject.OUTPUT: "last", Subject.TRANSCRIPT: "first\nlast"}


def test_what_no_grader_looks_at_is_not(tmp_path: Path) -> None:
    trial, data = one(tmp_path, graders=[{"type": "output-contains", "turn": 0, "config": {"value": "a"}}])
    seen = SeenTexts(frozenset())
    seen.add(trial, data, None)
    assert held(seen, trial) == {Subject.DIFF: None, Subject.OUTPUT: None, Subject.TRANSCRIPT: None}


def test_what_the_graders_of_a_spec_look_at_is_taken_too(tmp_path: Path) -> None:
    trial, data = one(tmp_path, graders=[])
    seen = SeenTexts(looked_at([GraderConfig("output-matches", None, {"pattern": "a"}), GraderConfig("prompt")]))
    seen.add(trial, data, None)
    assert held(seen, trial)[Subject.OUTPUT] == "last"


def test_where_there_is_no_room_the_record_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trial, data = one(tmp_path)
    monkeypatch.setattr(step_evidence, "KEPT", 3)
    seen = SeenTexts(frozenset())
    seen.add(trial, data, None)
    taken = seen.taken()
    assert taken == {}
    evidence = StepEvidence(source(tmp_path), {trial.key: (trial, True)}, taken, 1000)
    assert evidence.text(EvidenceKey(trial.key, Subject.TRANSCRIPT, None)) == "first\nlast"


def test_turn_0_of_a_single_turn_trial_is_the_diff_in_hand_and_no_other_text(tmp_path: Path) -> None:
    trial, data = one(tmp_path, diff="+x\n")
    seen = SeenTexts(frozenset())
    seen.add(trial, data, "+x\n")
    evidence = StepEvidence(source(Path("/nowhere")), {trial.key: (trial, True)}, seen.taken(), 1000)
    assert evidence.text(EvidenceKey(trial.key, Subject.DIFF, 0)) == "+x\n"
    assert isinstance(evidence.holds(EvidenceKey(trial.key, Subject.DIFF, 1)), Absent)
