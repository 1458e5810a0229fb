"""A record as paragraphs."""

from pathlib import Path

import pytest

from vally_tui.runs.model import RecordedGrade, RecordPlace, RunSource, Trial, TrialStatus
from vally_tui.runs.record_detail import TrialDetail, detail_of
from vally_tui.triage.views_facts import EVENT_CELLS, MOST_VALUES, Paragraph, facts
from vally_tui.triage.views_model import Mark, Tone, Word

SOURCE = RunSource(Path("/r/results.jsonl"), Path("/r"), "r", "r/results.jsonl")
TRIAL = Trial(
    key=7,
    place=RecordPlace(0, 10, 3),
    item_id=None,
    stimulus="fix-it",
    variant=None,
    model="opus",
    eval_name="repairs",
    eval_file=None,
    trial_index=1,
    total_trials=4,
    status=TrialStatus.SUCCESS,
    status_text="success",
    error=None,
    skip_reason=None,
    duration_ms=2500.0,
    grade=RecordedGrade(False, 0.5, "1/2 graders passed", "success", ()),
    graders=(),
    graders_known=True,
    has_trajectory=True,
    prompts=1,
    multi_turn=False,
)


def told(record: dict[str, object], trial: Trial = TRIAL) -> list[Paragraph]:
    return facts(trial, SOURCE, detail_of(record), number=2)


def section(paragraphs: list[Paragraph], title: str) -> list[Paragraph]:
    """The paragraphs below a heading."""
    start = next(index for index, each in enumerate(paragraphs) if each.heading and each.text == title)
    rest = paragraphs[start + 1 :]
    end = next((index for index, each in enumerate(rest) if each.heading), len(rest))
    return rest[:end]


def titles(paragraphs: list[Paragraph]) -> list[str]:
    return [each.text for each in paragraphs if each.heading]


def lead(paragraph: Paragraph) -> str:
    return "".join(word.text for word in paragraph.lead)


def test_the_trial_is_told_by_what_is_known_of_it() -> None:
    pairs = {lead(each).strip(): each.text for each in section(told({}), "Trial")}
    assert pairs == {
        "stimulus": "fix-it",
        "trial": "2 · recorded as 2 of 4",
        "model": "opus",
        "eval": "repairs",
        "status": "success",
        "recorded": "fail · score 0.5 · 1/2 graders passed",
        "took": "2.5 s",
        "record": "r/results.jsonl:3",
    }


def test_each_prompt_of_several_turns_has_its_own_section() -> None:
    record: dict[str, object] = {"trajectory": {"stimulus": {"turns": [{"prompt": "first"}, {"prompt": ""}]}}}
    paragraphs = told(record)
    assert section(paragraphs, "Prompt of turn 0") == [Paragraph("first")]
    assert section(paragraphs, "Prompt of turn 1") == [Paragraph("empty", Tone.MUTED)]


def test_an_output_is_given_whole_with_its_newlines() -> None:
    assert section(told({"trajectory": {"output": "a\n\tb\n"}}), "Output") == [Paragraph("a\n\tb\n")]


@pytest.mark.parametrize(
    ("record", "said"), [({"trajectory": {"output": ""}}, "empty"), ({"trajectory": {}}, "not recorded")]
)
def test_an_output_that_lacks_says_why(record: dict[str, object], said: str) -> None:
    assert section(told(record), "Output") == [Paragraph(said, Tone.MUTED)]


def test_recorded_results_are_told_with_their_parts_below_them_and_all_that_was_noted() -> None:
    record: dict[str, object] = {
        "gradeResult": {
            "details": [
                {
                    "configuredName": "quality",
                    "graderType": "prompt",
                    "kind": "llm",
                    "passed": False,
                    "score": 0.25,
                    "evidence": "two\nlines",
                    "metadata": {"rubric": {"clarity": 2, "tests": [True, None]}},
                    "details": [{"name": "clarity", "passed": True, "score": 1}],
                }
            ]
        }
    }
    results = section(told(record), "Recorded results")
    assert [(each.mark, each.indent, lead(each).strip(), each.text) for each in results] == [
        (Mark.FAIL, 0, "prompt · quality", "recorded fail  score 0.25  judged by llm"),
        (None, 2, "", "two\nlines"),
        (None, 2, "rubric.clarity", "2"),
        (None, 2, "rubric.tests[0]", "true"),
        (None, 2, "rubric.tests[1]", "null"),
        (Mark.PASS, 2, "clarity", "recorded pass  score 1"),
    ]


def test_a_result_that_ended_in_an_error_is_neither_pass_nor_fail() -> None:
    record: dict[str, object] = {"gradeResult": {"details": [{"name": "p", "status": "error", "evidence": "no key"}]}}
    first = section(told(record), "Recorded results")[0]
    assert (first.mark, first.text) == (Mark.ERROR, "recorded error")


def test_an_error_stands_before_the_prompt() -> None:
    record: dict[str, object] = {
        "error": {"message": "the agent did not start"},
        "trajectory": {"stimulus": {"prompt": "do"}},
    }
    assert titles(told(record))[:3] == ["Trial", "Error", "Prompt"]


def test_events_are_one_paragraph_each_with_turn_type_and_tool_and_are_shortened() -> None:
    record: dict[str, object] = {
        "trajectory": {
            "events": [
                {"type": "tool_call", "turn": 1, "data": {"toolName": "edit", "arguments": {"path": "a.py"}}},
                {"type": "tool_result", "data": {"toolName": "edit", "success": False, "error": "x" * 2000}},
            ]
        }
    }
    call, result = section(told(record), "Events")
    assert (lead(call), call.text) == ("T1 tool_call  edit  ", '{"path": "a.py"}')
    assert Word("failed  ", Tone.FAIL) in result.lead
    assert len(result.text) == EVENT_CELLS
    assert result.text.endswith("x…")


def test_files_written_by_tool_calls_are_listed() -> None:
    events = [{"type": "tool_call", "data": {"toolName": "write_file", "arguments": {"path": "notes.md"}}}]
    assert section(told({"trajectory": {"events": events}}), "Files written by recorded tool calls") == [
        Paragraph("notes.md")
    ]


def test_metrics_of_any_depth_and_number_are_listed_without_recursion_and_with_an_end() -> None:
    deep: object = 1
    for _ in range(5_000):
        deep = {"a": deep}
    many = {f"m{number}": number for number in range(MOST_VALUES + 5)}
    metrics = section(told({"trajectory": {"metrics": {"deep": deep, **many}}}), "Metrics")
    assert len(metrics) == MOST_VALUES + 1
    assert metrics[0].text == "1"
    assert metrics[-1].text == f"more than {MOST_VALUES} values; the record has the others"


def test_numbers_that_cannot_be_written_out_are_told_as_such() -> None:
    metrics = section(told({"trajectory": {"metrics": {"n": 10**5000}}}), "Metrics")
    assert [each.text for each in metrics] == ["a very large number"]


def test_nothing_recorded_leaves_out_the_sections() -> None:
    assert titles(facts(TRIAL, SOURCE, _nothing(), number=1)) == ["Trial", "Output"]


def _nothing() -> TrialDetail:
    return detail_of({})
