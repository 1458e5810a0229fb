"""The agent's output and messages as texts to be judged: exact, joined as the program says, or why they are not there."""

from pathlib import Path

import pytest

from tests.runs.builders import line, only_trial, record, run_of, trajectory
from vally_tui.grading.graders import Subject
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.runs.said import output_of, read_said, said_in, transcript_of

EXACT = ["done\n", "", "\ufeffa\r\n\u2028\x00", "\ud83d", "🌍"]


def said(content: object) -> dict[str, object]:
    return {"type": "assistant_message", "timestamp": 1, "data": {"content": content}}


def of(folder: Path, subject: Subject, **fields: object) -> Evidence:
    run = run_of(folder, record(), record(trajectory=trajectory(**fields)))
    return read_said(run.source, run.trials[1], subject)


def absent(evidence: Evidence) -> tuple[Absence, str]:
    assert isinstance(evidence, Absent)
    return evidence.reason, evidence.message


@pytest.mark.parametrize("text", EXACT)
def test_the_output_is_the_exact_recorded_text(tmp_path: Path, text: str) -> None:
    assert of(tmp_path, Subject.OUTPUT, output=text) == Present(text)


@pytest.mark.parametrize("text", EXACT[:1] + EXACT[2:])
def test_the_transcript_holds_the_messages_of_the_agent_alone_each_exactly(tmp_path: Path, text: str) -> None:
    events = [
        {"type": "user_message", "data": {"content": "Fix it."}},
        said(text),
        {"type": "tool_call", "data": {"toolName": "bash", "arguments": {"content": "no"}}},
        {"type": "reasoning", "data": {"content": "no"}},
        said("then this"),
        {"type": "tool_result", "data": {"result": {"content": "no"}}},
    ]
    expected = Present(f"{text}\nthen this", (0, len(text) + 1))
    assert of(tmp_path, Subject.TRANSCRIPT, events=events, output="then this") == expected


def test_messages_that_only_call_tools_have_no_text() -> None:
    events = [
        said(""),
        said(None),
        {"type": "assistant_message"},
        {"type": "assistant_message", "data": None},
        said("a"),
    ]
    assert transcript_of(line({"trajectory": {"events": events}})) == Present("a", (0,))


@pytest.mark.parametrize("data", [{"content": ["no"]}, "plain", 5, {"content": "\ud83d"}])
def test_output_and_messages_are_read_together_whatever_other_events_hold(data: object) -> None:
    record = line({"trajectory": {"events": [{"type": "tool_result", "data": data}, said("a")], "output": "b"}})
    both = {Subject.OUTPUT: Present("b"), Subject.TRANSCRIPT: Present("a", (0,))}
    assert said_in(record, set(both)) == both
    assert said_in(record, {Subject.OUTPUT}) == {Subject.OUTPUT: Present("b")}


@pytest.mark.parametrize("events", [[], [said("")], [{"type": "user_message", "data": {"content": "x"}}], [5, None]])
def test_a_trajectory_in_which_the_agent_said_nothing_has_an_empty_transcript(events: list[object]) -> None:
    assert transcript_of(line({"trajectory": {"events": events}})) == Present("")


@pytest.mark.parametrize("fields", [{}, {"output": None}])
def test_an_output_that_was_not_recorded(tmp_path: Path, fields: dict[str, object]) -> None:
    assert absent(of(tmp_path, Subject.OUTPUT, **fields)) == (
        Absence.NEVER_RECORDED,
        "this trial has no recorded output: the run may have ended before the agent's final text; "
        "run the stimulus again",
    )


def test_messages_that_were_not_recorded(tmp_path: Path) -> None:
    assert absent(of(tmp_path, Subject.TRANSCRIPT, events=None)) == (
        Absence.NEVER_RECORDED,
        "this trial has no recorded messages: its trajectory holds no events; run the stimulus again",
    )


@pytest.mark.parametrize(
    ("value", "kind"), [(5, "a number"), (["a"], "an array"), ({"text": "a"}, "an object"), (False, "a boolean")]
)
def test_an_output_of_another_type_is_not_judged(tmp_path: Path, value: object, kind: str) -> None:
    assert absent(of(tmp_path, Subject.OUTPUT, output=value)) == (
        Absence.MALFORMED,
        f"the recorded output of this trial cannot be used (output is {kind}, not a string): "
        "the grader cannot be judged",
    )


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ({}, "events is an object, not an array"),
        ("said", "events is a string, not an array"),
        ([said("a"), said(["b"])], "the content of one is an array, not a string"),
        ([said(0)], "the content of one is a number, not a string"),
    ],
)
def test_messages_of_another_type_are_not_judged_in_part(tmp_path: Path, events: object, why: str) -> None:
    assert absent(of(tmp_path, Subject.TRANSCRIPT, events=events)) == (
        Absence.MALFORMED,
        f"the recorded messages of this trial cannot be used ({why}): the grader cannot be judged",
    )


@pytest.mark.parametrize(("subject", "what"), [(Subject.OUTPUT, "output"), (Subject.TRANSCRIPT, "messages")])
def test_a_trial_without_a_trajectory(tmp_path: Path, subject: Subject, what: str) -> None:
    run = run_of(tmp_path, record(trajectory=None, status="error"))
    assert absent(read_said(run.source, only_trial(run), subject)) == (
        Absence.NO_TRAJECTORY,
        f"this trial has no recorded trajectory (status error), so there is no {what} to look at: "
        "run the stimulus again",
    )


def test_a_file_that_has_changed_since_is_not_read_at_the_old_place(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(trajectory=trajectory(output="a")))
    run_of(tmp_path, record(trajectory=trajectory(output="b")))
    assert absent(read_said(run.source, only_trial(run), Subject.OUTPUT))[0] is Absence.UNREADABLE


@pytest.mark.parametrize("data", [b"", b"[]", b"5", b"{", b'{"trajectory":[]}', b'{"trajectory":{"events":[' * 3000])
def test_no_line_whatever_it_holds_escapes_as_an_exception(data: bytes) -> None:
    assert isinstance(output_of(data), Absent)
    assert isinstance(transcript_of(data), Absent)
