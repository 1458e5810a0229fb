"""A session without a screen: threads read and judge, and the test takes in their news one after the other."""

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest
from msgspec.structs import replace

from tests.runs.builders import line, record, source, trajectory
from tests.triage.builders import SLOW, PlainMatcher, contains
from vally_tui.grading.model import State
from vally_tui.triage import update
from vally_tui.triage.effect import Flips
from vally_tui.triage.events import Changed, Event
from vally_tui.triage.filter import read_filter
from vally_tui.triage.session import Session
from vally_tui.triage.spec_target import SpecFound, read_target
from vally_tui.triage.standing import Standing

LONG = 10.0
RAISE = {"type": "diff-contains", "config": {"pattern": "raise"}}


def trial_record(diff: str | None, *, stimulus: str = "fix-it", passed: bool = True) -> dict[str, object]:
    made = trajectory(diff=diff) if diff is not None else trajectory()
    made["stimulus"] = {"name": stimulus, "prompt": "p", "graders": [RAISE]}
    details = [{"name": "diff-contains", "passed": passed, "score": int(passed)}]
    return record(
        stimulus=stimulus, trajectory=made, gradeResult={"passed": passed, "score": int(passed), "details": details}
    )


class Running:
    """A session over one results file, with its news."""

    def __init__(self, folder: Path, *records: dict[str, object]) -> None:
        self.file = folder / "results.jsonl"
        self.file.write_bytes(b"".join(map(line, records)))
        self.matcher = PlainMatcher()
        self.news: Queue[Event] = Queue()
        self.session = Session([source(folder)], self.matcher, self.news.put)

    def until(self, condition: Callable[[], bool]) -> Changed:
        """Take in news until something holds; all that it changed."""
        changed = Changed.NOTHING
        while not condition():
            changed |= self.session.receive(self.news.get(timeout=LONG))
            changed |= self.session.settle()[0]
        return changed

    def judged(self) -> Changed:
        """All trials are read and none waits."""
        board = self.session.board
        self.session.settle()
        return self.until(lambda: self.session.progress.done and not board.tally[Standing.PENDING] and self.is_in_view)

    @property
    def is_in_view(self) -> bool:
        document = self.session.document
        return document is not None and document.key == self.session.evidence_key

    @property
    def tallies(self) -> dict[Standing, int]:
        return {standing: count for standing, count in self.session.board.tally.items() if count}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    begun: list[Running] = []

    def begin(*records: dict[str, object]) -> Running:
        running = Running(tmp_path, *records)
        begun.append(running)
        running.session.start()
        return running

    yield begin
    for running in begun:
        running.session.close()


def test_a_run_is_read_and_judged_and_its_first_failure_comes_into_view(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return", passed=False), trial_record(None))

    changed = run.judged()

    assert run.tallies == {Standing.PASSED: 1, Standing.FAILED: 1, Standing.NO_EVIDENCE: 1}
    assert run.session.state.trial == 1
    assert run.session.document is not None
    assert run.session.document.text == "return"
    assert Changed.TRIALS | Changed.VERDICTS | Changed.DOCUMENT in changed


def test_an_edit_is_judged_on_all_trials_and_undone_without_judging(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return", passed=False))
    run.judged()
    session = run.session
    slot = session.state.slot
    assert slot is not None

    session.change(update.edit_slot(session.state, session.board, slot, contains("return")))
    run.until(lambda: not session.board.missing(slot, session.board.asked(slot, session.state.edits)))  # type: ignore[arg-type]

    assert run.tallies == {Standing.PASSED: 1, Standing.FAILED: 1}
    assert session.board.is_flipped(0, session.state.edits, session.state.saved)
    session.change(update.undo(session.state, session.board))
    session.settle()
    assert not session.board.is_flipped(0, session.state.edits, session.state.saved)
    assert run.session.board.standing(0, session.state.edits, session.state.saved) is Standing.PASSED


def test_an_added_grader_is_judged_on_every_trial_of_its_stimulus(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("raise twice"), trial_record("raise", stimulus="other"))
    run.judged()

    run.session.add_grader("fix-it", contains("twice"))
    run.judged()

    assert run.tallies == {Standing.PASSED: 2, Standing.FAILED: 1}


def test_the_rows_follow_the_filter_and_are_made_once(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return", passed=False))
    run.judged()
    session = run.session

    assert session.rows is session.rows
    session.change(update.set_filter(session.state, read_filter("failed")))

    assert list(session.rows.keys) == [1]


def test_the_text_of_a_filter_is_looked_for_in_the_diffs(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return"))
    run.judged()
    session = run.session

    session.change(update.set_filter(session.state, read_filter("text:urn")))
    assert len(session.rows.keys) == 2
    run.until(lambda: session.state.with_text is not None)

    assert list(session.rows.keys) == [1]


def test_late_news_of_another_trial_does_not_come_into_view(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return"))
    run.judged()
    session = run.session
    late = session.document
    assert late is not None
    session.change(update.select_trial(session.state, session.board, 1 - late.key.trial))
    run.until(lambda: run.is_in_view)

    assert session.receive(late) is Changed.NOTHING
    assert session.document is not late


def test_reading_again_finds_the_trial_and_its_grader_and_keeps_the_edit(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return", passed=False))
    run.judged()
    session = run.session
    slot = session.state.slot
    assert slot is not None
    session.change(update.edit_slot(session.state, session.board, slot, contains("return")))
    run.until(lambda: not run.session.board.tally[Standing.PENDING])

    session.reread()
    # Meanwhile there is no trial, so no focused grader either.
    assert (session.state.trial, session.state.slot) == (None, None)
    run.until(lambda: session.progress.done and session.state.trial is not None and run.is_in_view)
    run.judged()

    assert session.state.slot == slot
    assert session.board.numbers[session.state.trial or 0] == 2
    assert session.board.config(slot, session.state.edits) == contains("return")
    assert run.tallies == {Standing.PASSED: 1, Standing.FAILED: 1}


def test_a_replaced_evidence_is_judged_anew_after_reading_again(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"))
    run.judged()
    assert run.tallies == {Standing.PASSED: 1}

    run.file.write_bytes(line(trial_record("return")))
    run.session.reread()
    run.judged()
    run.until(lambda: run.tallies == {Standing.FAILED: 1})

    assert len(run.session.board.entries) == 1


def test_a_verdict_that_comes_in_for_a_question_asked_no_more_is_not_shown(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"))
    run.judged()
    session, slot = run.session, run.session.state.slot
    assert slot is not None
    typed = update.edit_slot(session.state, session.board, slot, contains("rai"))
    session.change(typed)
    session.change(replace(typed, edits=typed.edits.with_config(slot, contains("zzz"), contains("raise"))))

    run.until(lambda: not session.board.missing(slot, session.board.asked(slot, session.state.edits)))  # type: ignore[arg-type]

    assert session.board.current(0, slot, session.state.edits).verdict.state is State.FAIL


def test_only_enter_runs_a_stopped_pattern_again(start: Callable[..., Running]) -> None:
    run = start(trial_record("raise"), trial_record("return", passed=False))
    run.judged()
    session = run.session
    slot = session.state.slot
    assert slot is not None
    state = update.edit_slot(session.state, session.board, slot, contains("(a+)+$"))
    session.change(state)
    asked = session.board.asked(slot, session.state.edits)
    assert asked is not None
    run.until(lambda: not session.board.missing(slot, asked))
    session.board.put(slot, asked, {0: SLOW})
    before = run.matcher.asked.count(("(a+)+$", 0))

    # Another pattern and back again: what was stopped is known.
    session.change(update.undo(session.state, session.board))
    session.change(update.redo(session.state, session.board))
    assert session.board.missing(slot, asked) == []
    assert run.matcher.forgiven == []

    session.try_again(slot)
    assert session.board.missing(slot, asked) == [0]
    run.until(lambda: not session.board.missing(slot, asked))
    assert run.matcher.forgiven == ["(a+)+$"]
    assert run.matcher.asked.count(("(a+)+$", 0)) > before


def test_after_the_spec_changed_edits_are_compared_with_what_it_says_now(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    spec = tmp_path / "eval.yaml"
    text = (
        "stimuli:\n- name: fix-it\n  prompt: p\n  graders:\n  - type: diff-contains\n    config: {pattern: PATTERN}\n"
    )
    spec.write_text(text.replace("PATTERN", "raise"))
    run = start(trial_record("raise"), trial_record("return", passed=False))
    run.judged()
    session = run.session
    session.receive(SpecFound(read_target(spec, given=True)))
    run.judged()
    assert not session.spec_differs
    slot = session.state.slot
    assert slot is not None
    session.change(update.edit_slot(session.state, session.board, slot, contains("r")))
    run.judged()

    spec.write_text(text.replace("PATTERN", "return"))
    session.receive(SpecFound(read_target(spec, given=True)))

    def flips() -> Flips:
        (edited,) = session.state.edits.configs
        return session.board.flips(edited, session.state.edits, session.state.saved)

    asked = len(run.matcher.asked)
    run.until(lambda: not flips().waiting and not flips().unrecorded)
    # The first trial has no "return" in it; the second has, as before.
    assert (flips().now_pass, flips().same) == ((0,), 1)
    # What was known of the pattern in the field is not asked again, but for the matches in view.
    assert {pattern for pattern, _ in run.matcher.asked[asked:]} <= {"return", "r"}
    assert session.clashes == (
        "fix-it: diff-contains was changed on disk, too (config.pattern); your edit stands on top of it",
    )
    assert session.board.read == {0}  # the run is as it was
    assert session.spec_differs
