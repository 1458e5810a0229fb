from pathlib import Path

from tests.runs.builders import only_trial, record, run_of, trajectory
from vally_tui.runs.model import LoadIssue
from vally_tui.runs.record_detail import RecordedResult, TrialDetail, TrialEvent, detail_of, read_detail


def detail_from(folder: Path, **fields: object) -> TrialDetail:
    run = run_of(folder, record(**fields))
    detail = read_detail(run.source, only_trial(run))
    assert isinstance(detail, TrialDetail)
    return detail


def test_prompt_output_metrics_and_error(tmp_path: Path) -> None:
    detail = detail_from(
        tmp_path,
        error={"message": "boom"},
        skipReason="why",
        trajectory=trajectory(output="done", workDir="/w", metrics={"wallTimeMs": 5}),
    )
    assert (detail.prompts, detail.output, detail.work_dir) == (("Fix it.",), "done", "/w")
    assert (detail.error, detail.skip_reason, detail.metrics) == ("boom", "why", {"wallTimeMs": 5})


def test_the_prompts_of_several_turns(tmp_path: Path) -> None:
    stimulus = {"turns": ["a", {"prompt": "b"}, {"other": 1}]}
    assert detail_from(tmp_path, trajectory={"stimulus": stimulus}).prompts == ("a", "b", '{"other": 1}')


def test_events_in_short(tmp_path: Path) -> None:
    call = {"toolName": "edit", "toolCallId": "c", "arguments": {"path": "a.py", "new_str": "x" * 1000}}
    events = [
        {"type": "user_message", "data": {"content": "hi"}, "turn": 0},
        {"type": "assistant_message", "data": {"content": "I look"}},
        {"type": "assistant_message", "data": {"content": ""}},
        {"type": "tool_call", "data": call, "turn": 1},
        {"type": "tool_result", "data": {"toolName": "edit", "success": False, "result": {"content": "no"}}},
        {"type": "tool_result", "data": {"toolName": "edit", "result": [1]}},
        {"type": "error", "data": {"message": "MCP failed", "type": "mcp"}},
        {"type": 5, "data": "x"},
    ]
    detail = detail_from(tmp_path, trajectory=trajectory(events=events))
    assert detail.assistant_messages == ("I look",)
    shown = detail.events[3]
    assert (shown.type, shown.turn, shown.tool, shown.text) == ("tool_call", 1, "edit", None)
    assert shown.arguments is not None
    assert shown.arguments.startswith('{"path": "a.py", "new_str": "xxx')
    assert len(shown.arguments) == 400
    assert detail.events[0] == TrialEvent("user_message", 0, None, None, "hi", None)
    assert detail.events[4:] == (
        TrialEvent("tool_result", None, "edit", None, "no", False),
        TrialEvent("tool_result", None, "edit", None, "[1]", None),
        TrialEvent("error", None, None, None, "MCP failed", None),
        TrialEvent("(no type)", None, None, None, None, None),
    )


def test_whole_results_with_their_parts(tmp_path: Path) -> None:
    rubric = {"rubric_scores": [{"criterion": "works", "score": 2}]}
    part = {"name": "prompt/works", "passed": False, "score": 0.25, "evidence": "e\n" * 500}
    grade = {"passed": False, "details": [{"name": "prompt", "kind": "llm", "metadata": rubric, "details": [part]}, 5]}
    detail = detail_from(tmp_path, gradeResult=grade)
    prompt, other = detail.results
    assert (prompt.name, prompt.kind, prompt.metadata) == ("prompt", "llm", rubric)
    (nested,) = prompt.details
    assert (nested.name, nested.passed, nested.score, nested.evidence) == ("prompt/works", False, 0.25, "e\n" * 500)
    assert other == RecordedResult(None, None, None, None, None, None, None, None, {}, ())


def test_a_changed_file_is_an_issue(tmp_path: Path) -> None:
    run = run_of(tmp_path, record())
    (tmp_path / "results.jsonl").write_text("{}\n" * 1000)
    detail = read_detail(run.source, only_trial(run))
    assert isinstance(detail, LoadIssue)
    assert "read the run again" in detail.message


def test_results_nested_without_end_are_cut(tmp_path: Path) -> None:
    nested: dict[str, object] = {"name": "x"}
    for _ in range(300):
        nested = {"name": "x", "details": [nested]}
    depth, results = 0, detail_from(tmp_path, gradeResult={"passed": True, "details": [nested]}).results
    while results:
        depth, results = depth + 1, results[0].details
    assert depth == 30


def test_nothing_recorded_is_an_empty_detail() -> None:
    empty = TrialDetail((), None, (), (), (), {}, None, None, None, ())
    for value in ({}, None, 5, [], {"trajectory": 5, "gradeResult": []}, {"trajectory": {"stimulus": 1, "events": {}}}):
        assert detail_of(value) == empty
