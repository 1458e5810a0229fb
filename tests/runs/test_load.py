import os
import re
from pathlib import Path

import pytest

from tests.runs.builders import line, record, run_of, source, trajectory
from vally_tui.runs import load
from vally_tui.runs.load import extended, load_run, read_run, resume_run, started_run
from vally_tui.runs.model import IssueKind, LoadIssue, Run


def kinds(run: Run) -> list[tuple[IssueKind, int | None]]:
    return [(issue.kind, issue.line) for issue in run.issues]


def grown(run: Run, first_key: int = 100) -> Run:
    return extended(run, *resume_run(run, first_key=first_key))


def test_trials_come_in_the_order_of_the_file_with_their_places(tmp_path: Path) -> None:
    first, second = line(record(stimulus="a")), line(record(stimulus="b"))
    run = run_of(tmp_path, first, b"\n \r\n", second)
    assert [(trial.key, trial.stimulus, trial.place.line) for trial in run.trials] == [(0, "a", 1), (1, "b", 4)]
    place = run.trials[1].place
    assert (place.offset, place.length) == (len(first) + 4, len(second) - 1)
    assert (run.complete, run.issues, run.end) == (True, (), len(first) + 4 + len(second))


def test_an_empty_file_is_an_issue(tmp_path: Path) -> None:
    run = run_of(tmp_path, b"")
    assert kinds(run) == [(IssueKind.EMPTY_FILE, None)]
    assert run.complete


def test_a_file_with_only_a_summary_says_why_it_has_no_trials(tmp_path: Path) -> None:
    evals = [{"name": "e", "passed": False, "error": "Validation failed"}]
    run = run_of(tmp_path, {"type": "run-summary", "passed": False, "evals": evals})
    assert run.trials == ()
    assert [issue.message for issue in run.issues] == ["the file holds no trial; its summary says: Validation failed"]


def test_the_last_summary_counts(tmp_path: Path) -> None:
    run = run_of(tmp_path, {"type": "run-summary", "passed": False}, record(), {"type": "run-summary", "passed": True})
    assert run.summary is not None
    assert run.summary.passed is True


def test_a_malformed_line_in_the_middle_loses_only_itself(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(stimulus="a"), b'{"type":"trial-res\n', record(stimulus="b"))
    assert [trial.stimulus for trial in run.trials] == ["a", "b"]
    assert kinds(run) == [(IssueKind.MALFORMED_LINE, 2)]
    assert run.complete


def test_unknown_records_are_counted_and_each_type_told_once(tmp_path: Path) -> None:
    run = run_of(tmp_path, {"type": "span"}, {"type": "span"}, record(), {"type": "other"})
    assert (len(run.trials), run.unknown_records) == (1, 3)
    assert kinds(run) == [(IssueKind.UNKNOWN_RECORD, 1), (IssueKind.UNKNOWN_RECORD, 4)]


def test_a_byte_order_mark_is_skipped_on_the_first_line_only(tmp_path: Path) -> None:
    run = run_of(tmp_path, b"\xef\xbb\xbf" + line(record(stimulus="a")), b"\xef\xbb\xbf" + line(record(stimulus="b")))
    assert [(trial.stimulus, trial.place.offset) for trial in run.trials] == [("a", 3)]
    assert kinds(run) == [(IssueKind.MALFORMED_LINE, 2)]


def test_carriage_returns_at_line_ends_do_not_matter(tmp_path: Path) -> None:
    run = run_of(tmp_path, line(record())[:-1] + b"\r\n", line(record()))
    assert (len(run.trials), run.issues) == (2, ())


def test_a_line_separator_inside_a_string_does_not_end_the_line(tmp_path: Path) -> None:
    text = line(record(stimulus="a")).replace(b'"a"', '"a\u2028b\u0085c"'.encode())
    run = run_of(tmp_path, text)
    assert [trial.stimulus for trial in run.trials] == ["a\u2028b\u0085c"]


def test_a_torn_last_line_waits_until_it_is_finished(tmp_path: Path) -> None:
    whole = line(record(stimulus="b"))
    run = run_of(tmp_path, record(stimulus="a"), whole[:40])
    assert [trial.stimulus for trial in run.trials] == ["a"]
    assert kinds(run) == [(IssueKind.TORN_LINE, 2)]
    assert not run.complete

    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(whole[40:])
    run = grown(run)
    assert [(trial.key, trial.stimulus, trial.place.line) for trial in run.trials] == [(0, "a", 1), (100, "b", 2)]
    assert (run.issues, run.complete) == ((), True)


def test_a_line_torn_inside_a_character_waits(tmp_path: Path) -> None:
    whole = '{"type":"trial-result","stimulus":"é"}\n'.encode()
    run = run_of(tmp_path, whole[: whole.index(b"\xc3") + 1])
    with (tmp_path / "results.jsonl").open("wb") as file:
        file.write(whole)
    assert [trial.stimulus for trial in grown(run).trials] == ["é"]


def test_a_whole_last_record_without_a_newline_is_taken_at_once_and_only_once(tmp_path: Path) -> None:
    run = run_of(tmp_path, line(record(stimulus="a"))[:-1])
    assert (len(run.trials), run.complete, run.issues) == (1, True, ())
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b"\n" + line(record(stimulus="b")))
    run = grown(run)
    assert [(trial.stimulus, trial.place.line) for trial in run.trials] == [("a", 1), ("b", 2)]


def test_a_growing_file_gives_only_what_is_new(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(stimulus="a"), b"oops\n")
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(line(record(stimulus="b")))
    steps = list(resume_run(run, first_key=7))
    assert [trial.key for step in steps for trial in step.trials] == [7]
    assert not any(step.restarted for step in steps)
    assert kinds(extended(run, *steps)) == [(IssueKind.MALFORMED_LINE, 2)]


def test_an_unchanged_file_gives_nothing(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(), b"oops\n")
    assert grown(run) == run


def test_an_empty_file_that_fills_loses_its_issue(tmp_path: Path) -> None:
    run = run_of(tmp_path, b"")
    (tmp_path / "results.jsonl").write_bytes(line(record()))
    assert grown(run).issues == ()


@pytest.mark.parametrize(
    "after",
    [line(record(stimulus="c")), line(record(stimulus="c")) * 20],
    ids=["shorter", "longer"],
)
def test_a_replaced_file_is_read_from_its_start_and_said_so(tmp_path: Path, after: bytes) -> None:
    run = run_of(tmp_path, record(stimulus="a"), record(stimulus="b"))
    (tmp_path / "results.jsonl").write_bytes(after)
    steps = list(resume_run(run, first_key=50))
    assert [step.restarted for step in steps] == [True] + [False] * (len(steps) - 1)
    run = extended(run, *steps)
    assert {trial.stimulus for trial in run.trials} == {"c"}
    assert run.trials[0].key == 50


def test_a_file_that_is_gone_is_an_issue_until_it_is_back(tmp_path: Path) -> None:
    run = run_of(tmp_path, record())
    (tmp_path / "results.jsonl").rename(tmp_path / "away")
    gone = grown(grown(run))
    assert kinds(gone) == [(IssueKind.UNREADABLE_FILE, None)]
    assert gone.trials == run.trials
    (tmp_path / "away").rename(tmp_path / "results.jsonl")
    assert grown(gone).issues == ()


def test_a_fifo_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "results.jsonl")
    run = read_run(source(tmp_path))
    assert kinds(run) == [(IssueKind.UNREADABLE_FILE, None)]
    assert "is a FIFO, not a regular file" in run.issues[0].message


def test_a_line_over_the_limit_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(
        line(record(stimulus="a")) + b'"' + b"x" * 3_000_000 + b'"\n' + line(record(stimulus="b"))
    )
    run = extended(started_run(source(tmp_path)), *load_run(source(tmp_path), max_line=1 << 20))
    assert [(trial.stimulus, trial.place.line) for trial in run.trials] == [("a", 1), ("b", 3)]
    (issue,) = run.issues
    assert (issue.kind, issue.line) == (IssueKind.TOO_LARGE_LINE, 2)
    assert "this line has 2.9 MB, above the limit of 1 MB" in issue.message


def test_a_line_that_would_stop_the_screen_is_passed_over_with_its_size(tmp_path: Path) -> None:
    diff = "+" * (33 << 20)
    run = run_of(tmp_path, record(stimulus="a"), record(trajectory=trajectory(diff=diff)), record(stimulus="b"))
    assert [trial.stimulus for trial in run.trials] == ["a", "b"]
    (issue,) = run.issues
    assert (issue.kind, issue.line) == (IssueKind.TOO_LARGE_LINE, 2)
    assert "this line has 33 MB, above the limit of 32 MB: it is left out" in issue.message


def test_a_line_of_just_the_limit_is_read(tmp_path: Path) -> None:
    text = line(record())
    (tmp_path / "results.jsonl").write_bytes(text)
    (step,) = load_run(source(tmp_path), max_line=len(text) - 1)
    assert (len(step.trials), step.issues) == (1, ())


def test_an_unfinished_line_over_the_limit_is_torn(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(b"x" * 1000)
    (step,) = load_run(source(tmp_path), max_line=100)
    assert (step.torn, step.end) == (True, 0)


def test_the_first_batch_is_small_and_the_steps_add_up(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(line(record()) * 3000)
    steps = list(load_run(source(tmp_path)))
    size = (tmp_path / "results.jsonl").stat().st_size
    assert len(steps[0].trials) <= 40
    assert sum(len(step.trials) for step in steps) == 3000
    assert [step.read for step in steps] == sorted(step.read for step in steps)
    assert (steps[-1].read, steps[-1].total, steps[-1].last) == (size, size, True)
    assert [step.last for step in steps[:-1]] == [False] * (len(steps) - 1)


def test_the_first_trials_come_before_a_bad_end_is_read(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(line(record()) * 100 + b"oops\n")
    first = next(load_run(source(tmp_path)))
    assert len(first.trials) == 40
    assert first.issues == ()


def test_a_cancelled_reading_just_ends(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(line(record()) * 1000)
    stop = iter([False] * 100 + [True] * 1000)
    steps = list(load_run(source(tmp_path), cancelled=lambda: next(stop)))
    assert not any(step.last for step in steps)
    run = extended(started_run(source(tmp_path)), *steps)
    assert not run.complete
    assert len(grown(run).trials) == 1000


def test_issues_beyond_the_limit_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MOST_ISSUES", 3)
    run = run_of(tmp_path, b"oops\n" * 10, record())
    assert kinds(run) == [(IssueKind.MALFORMED_LINE, number) for number in (1, 2, 3)] + [
        (IssueKind.MALFORMED_LINE, None)
    ]
    assert run.issues[-1].message == "7 more problems were found in this file and are not listed"


def test_every_issue_names_the_file_as_the_person_knows_it(tmp_path: Path) -> None:
    run = run_of(tmp_path, b"oops\n", {"type": "x"}, record(model=1), b"{")
    assert {issue.file for issue in run.issues} == {"run/results.jsonl"}
    assert all(isinstance(issue, LoadIssue) and re.match(r"[a-z]", issue.message) for issue in run.issues)


@pytest.mark.parametrize("most", [1, 2, 3, 5, 100])
def test_the_parts_of_a_step_add_up_to_it(tmp_path: Path, most: int) -> None:
    run = run_of(tmp_path, *(record(stimulus=str(number)) for number in range(5)), b"{broken\n", {"type": "span"})
    (step,) = load_run(run.source)

    parts = list(step.parts(most))

    assert all(len(part.trials) <= most for part in parts)
    assert extended(started_run(run.source), *parts) == extended(started_run(run.source), step) == run
    assert [part.last for part in parts] == [*([False] * (len(parts) - 1)), True]


def test_only_the_first_part_of_a_step_begins_anew(tmp_path: Path) -> None:
    run = run_of(tmp_path, record(stimulus="before"), record(stimulus="before"))
    (run.source.results).write_bytes(line(record(stimulus="a")) + line(record(stimulus="bc")))
    (step,) = resume_run(run, first_key=2)

    assert [part.restarted for part in step.parts(1)] == [True, False]
