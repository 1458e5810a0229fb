"""Whatever a results file holds, nothing raises, and each line is a trial, a summary, unknown, blank or an issue."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.runs.builders import source
from vally_tui.grading.model import Absent, Present
from vally_tui.runs.evidence import read_evidence, sidecar_issues, turns_of
from vally_tui.runs.load import read_run
from vally_tui.runs.model import LOST_KINDS, IssueKind, Run
from vally_tui.runs.record_detail import TrialDetail, read_detail

KEYS = (
    *(
        "type",
        "itemId",
        "evalName",
        "variant",
        "stimulus",
        "model",
        "status",
        "durationMs",
        "trialIndex",
        "totalTrials",
    ),
    *("gradeResult", "trajectory", "error", "skipReason", "evals", "passed", "score", "evidence", "details", "name"),
    *(
        "configuredName",
        "graderType",
        "label",
        "metadata",
        "stimulusName",
        "prompt",
        "turns",
        "graders",
        "config",
        "turn",
    ),
    *(
        "scope",
        "events",
        "data",
        "toolName",
        "arguments",
        "diff",
        "diffPath",
        "turnDiffs",
        "output",
        "metrics",
        "message",
    ),
)
WORDS = (
    "trial-result",
    "run-summary",
    "success",
    "../x",
    "a::b::c::d::trial-1",
    "tool_call",
    "edit",
    "\ud800",
    "\0",
    "",
)
PIECES = (b'{"type":"trial-result"}', b"\n", b"{", b'"', b"\xff", b" ")
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=5)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=30,
)


def part(*names: str) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(names, JSON))


TURN = (
    st.fixed_dictionaries({}, optional={"turn": st.sampled_from([0, 1, 1.0, True, "1", -1, None]), "diff": JSON}) | JSON
)
TRAJECTORY = st.fixed_dictionaries(
    {},
    optional={
        "stimulus": part("name", "prompt", "turns", "graders") | JSON,
        "events": st.lists(part("type", "turn", "data") | JSON, max_size=3) | JSON,
        "turnDiffs": st.lists(TURN, max_size=3) | JSON,
        "diff": st.text(max_size=3) | JSON,
        "diffPath": st.sampled_from(WORDS) | JSON,
    },
)
GRADE = st.fixed_dictionaries(
    {}, optional={"passed": st.booleans() | JSON, "details": st.lists(part("name", "score") | JSON, max_size=3) | JSON}
)
TRIAL = st.fixed_dictionaries(
    {"type": st.just("trial-result")},
    optional={
        "trajectory": TRAJECTORY | JSON,
        "gradeResult": GRADE | JSON,
        **dict.fromkeys(("itemId", "stimulus", "status", "error", "trialIndex", "durationMs", "model"), JSON),
    },
)


def read(data: bytes) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "results.jsonl").write_bytes(data)
        run = read_run(source(Path(folder)))
        look_at_all(run)
    return run


def look_at_all(run: Run) -> None:
    for trial in run.trials:
        for turn in (None, 0, 1, *turns_of(trial)):
            assert isinstance(read_evidence(run.source, trial, turn), Present | Absent)
        sidecar_issues(run.source, trial)
        assert isinstance(read_detail(run.source, trial), TrialDetail)


@settings(max_examples=80, deadline=None)
@given(st.lists(TRIAL, min_size=1, max_size=3), st.booleans())
def test_every_trial_line_is_a_trial(records: list[dict[str, object]], ascii_only: bool) -> None:
    lines = [json.dumps(record, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") for record in records]
    run = read(b"\n".join(lines) + b"\n")
    assert len(run.trials) == len(records)
    assert [trial.place.line for trial in run.trials] == list(range(1, len(records) + 1))


@settings(max_examples=60, deadline=None)
@given(st.lists(JSON | TRIAL, max_size=5))
def test_no_line_is_dropped_silently(values: list[object]) -> None:
    run = read(b"".join(json.dumps(value).encode() + b"\n" for value in values))
    summaries = sum(isinstance(value, dict) and value.get("type") == "run-summary" for value in values)
    lost = sum(issue.kind in LOST_KINDS for issue in run.issues)
    assert len(run.trials) + summaries + run.unknown_records + lost == len(values)


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60) | st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_any_bytes_are_read(data: bytes) -> None:
    run = read(data)
    assert run.complete == (not any(issue.kind is IssueKind.TORN_LINE for issue in run.issues))


@settings(max_examples=60, deadline=None)
@given(TRIAL, st.data())
def test_a_damaged_record_is_a_trial_or_an_issue(record: dict[str, object], data: st.DataObject) -> None:
    text = bytearray(json.dumps(record).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    run = read(bytes(text).replace(b"\n", b"?") + b"\n")
    found = len(run.trials) + run.unknown_records + (run.summary is not None)
    lost = sum(issue.kind in LOST_KINDS for issue in run.issues)
    assert found + lost == (1 if text.strip() else 0)
