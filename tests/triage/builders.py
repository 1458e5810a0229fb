"""Trials, boards and an engine of plain Python, for the tests of this room; what matters stands in the tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path

from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import NO_SPANS, Absence, Absent, GraderConfig, RecordedDetail, Spans, State, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, Answer, Outcome, Pattern, Search, TimeLimit
from vally_tui.runs.model import (
    NO_TURN_DIFFS,
    DiffForm,
    DiffRecord,
    RecordedGrade,
    RecordPlace,
    RunSource,
    Trial,
    TrialStatus,
    TurnDiffs,
)
from vally_tui.triage.board import Asked, Board
from vally_tui.triage.edits import NO_EDITS


def contains(pattern: str, **more: object) -> GraderConfig:
    return GraderConfig("diff-contains", config={"pattern": pattern, **more})


def excludes(pattern: str) -> GraderConfig:
    return GraderConfig("diff-not-contains", config={"pattern": pattern})


def said(passed: bool | None, **more: object) -> RecordedDetail:
    """What was recorded of a grader."""
    values: dict[str, object] = {
        "name": None,
        "configured_name": None,
        "grader_type": None,
        "passed": passed,
        "score": None if passed is None else float(passed),
        "status": "success",
        **more,
    }
    return RecordedDetail(**values)  # type: ignore[arg-type]


def trial(
    key: int,
    stimulus: str | None = "fix-it",
    *graders: GraderConfig,
    recorded: Sequence[RecordedDetail] | None = None,
    turns: int = 0,
    **more: object,
) -> Trial:
    """A trial that succeeded, with an inline diff; ``turns``: how many turn diffs it has."""
    by_turn = {turn: DiffRecord(DiffForm.INLINE) for turn in range(turns)}
    values: dict[str, object] = {
        "key": key,
        "place": RecordPlace(0, 0, key + 1),
        "item_id": None,
        "stimulus": stimulus,
        "variant": None,
        "model": "opus",
        "eval_name": "eval",
        "eval_file": None,
        "trial_index": None,
        "total_trials": None,
        "status": TrialStatus.SUCCESS,
        "status_text": "success",
        "error": None,
        "skip_reason": None,
        "duration_ms": None,
        "grade": None if recorded is None else RecordedGrade(None, None, None, None, tuple(recorded)),
        "graders": graders,
        "graders_known": True,
        "has_trajectory": True,
        "prompts": max(turns, 1),
        "multi_turn": turns > 1,
        "diff": DiffRecord(DiffForm.INLINE),
        "turn_diffs": TurnDiffs(True, None, by_turn) if turns else NO_TURN_DIFFS,
        **more,
    }
    return Trial(**values)  # type: ignore[arg-type]


def run(name: str = "run") -> RunSource:
    folder = Path("/nowhere") / name
    return RunSource(folder / "results.jsonl", folder, name, f"{name}/results.jsonl")


def board_of(*trials: Trial) -> Board:
    """A board with one run of these trials."""
    board = Board()
    board.add_trials(board.add_source(run()), trials)
    return board


PASS = Verdict(State.PASS, True, 1, "found")
FAIL = Verdict(State.FAIL, False, 0, "not found")
LACKING = Verdict(State.NO_EVIDENCE, False, 0, "no diff")
SLOW = Verdict(State.TIMEOUT, False, 0, "stopped")
INVALID = Verdict(State.INVALID, False, 0, "Invalid regex pattern: (. Error: Unterminated group")


class PlainMatcher:
    """Answers with Python's ``re``: the patterns of these tests mean the same there. What is asked is noted."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        """Pattern and trial of each search that was answered, in their order."""
        self.limits: set[TimeLimit] = set()
        self.slow: set[str] = set()
        """Patterns that run over the limit of typing."""
        self.during: Callable[[str, int], None] = lambda pattern, trial: None
        """Called before each answer."""
        self.forgiven: list[str] = []

    def forgive(self, pattern: Pattern) -> None:
        self.forgiven.append(pattern.written)

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        return [_refusal(pattern) for pattern in patterns]

    def search(
        self,
        searches: Sequence[Search],
        load: Callable[[Hashable], str],
        *,
        limit: TimeLimit = FULL_LIMIT,
        budget: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[int, Answer]]:
        self.limits.add(limit)
        for index, search in enumerate(searches):
            key = search.text
            assert isinstance(key, EvidenceKey)
            self.during(search.pattern.written, key.trial)
            if cancelled():
                return
            self.asked.append((search.pattern.written, key.trial))
            if search.pattern.written in self.slow and limit.base < FULL_LIMIT.base:
                yield index, Answer(Outcome.TIMEOUT, "took too long")
            else:
                yield index, _answer(search, load(key))


def _refusal(pattern: Pattern) -> str | None:
    try:
        re.compile(_python(pattern))
    except re.error as fault:
        return f"Invalid regular expression: /{pattern.source}/{pattern.flags}: {fault.msg}"
    return None


def _answer(search: Search, text: str) -> Answer:
    found = [match.span() for match in re.finditer(_python(search.pattern), text)]
    if not found:
        return Answer(Outcome.NOT_FOUND, count=0)
    return Answer(Outcome.FOUND, count=len(found), spans=Spans.of(*found[: search.spans]) if search.spans else NO_SPANS)


def _python(pattern: Pattern) -> str:
    return re.escape(pattern.written) if pattern.kind == "literal" else pattern.written


class Texts:
    """Evidence by trial, the same in each turn."""

    def __init__(self, **texts: str | None) -> None:
        """``t1="…"`` is the text of trial 1; None: it has none."""
        self._texts = {int(name[1:]): text for name, text in texts.items()}

    def holds(self, key: EvidenceKey) -> Absent | int:
        text = self._texts[key.trial]
        return Absent(Absence.NEVER_RECORDED, "no diff") if text is None else len(text)

    def text(self, key: EvidenceKey) -> str:
        text = self._texts[key.trial]
        assert text is not None
        return text


def question(board: Board, slot: int) -> Asked:
    """What a slot asks without edits."""
    asked = board.asked(slot, NO_EDITS)
    assert asked is not None
    return asked


def put(board: Board, slot: int, **verdicts: Verdict) -> None:
    """Verdicts for a slot as it was read: ``t1=PASS``."""
    board.put(slot, question(board, slot), {int(name[1:]): verdict for name, verdict in verdicts.items()})
