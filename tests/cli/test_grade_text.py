"""The text report of ``grade``: worst first, every failing grader with its reason, tallies that add up. By hand."""

from pathlib import Path

import pytest

from tests.cli.builders import call, contains, failed, lacks, passed, trial, write_run


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_a_run_as_a_person_reads_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "monday",
        trial([contains("divide", "divides")], [passed("divides")], stimulus="all-well"),
        trial([contains("divide", "divides"), lacks("café", "no-coffee")], [passed("divides"), failed("no-coffee")]),
        trial([contains("divide", "divides"), lacks("tea", "no-tea")], [failed("divides"), passed("no-tea")], index=1),
        trial([contains("x", "a"), contains("y", "b")], [failed("a"), failed("b")], diff="", stimulus="two", turn=0),
        trial([contains("x", "a"), contains("y", "b")], [passed("a"), failed("b")], diff=None, stimulus="lost"),
        trial([{"type": "prompt", "name": "quality"}], [failed("quality", evidence="too long\n\nand dull")],
              stimulus="judged", model="claude-opus"),
        trial(trajectory=None, status="error", error="no model", stimulus="broken"),
        trial(trajectory=None, status="skipped", skipReason="not on Mondays", stimulus="rested"),
        trial([], [], stimulus="bare"),
    )  # fmt: skip
    ended = call(capsys, "grade", run)
    assert (
        ended.out
        == f"""\
monday
✘ 3 failed  ! 1 error  ? 1 no evidence  · 1 ungraded  – 1 skipped  ✔ 2 passed  of 9 trials
{run}/results.jsonl
differs from the record: 1 now pass

fix  1 of 2 passed
  ✘ failed       trial 0   gpt  1/2 graders passed  score 0.50
      ✘ no-coffee · diff-not-contains  fail
        Pattern /café/ found in workspace diff
  ✔ passed       trial 1   gpt  2/2 graders passed  score 1.00
      ✔ divides · diff-contains  recorded fail → now pass
        Pattern /divide/ found in workspace diff

two  0 of 1 passed
  ✘ failed       trial 0   gpt  0/2 graders passed  score 0.00
      ✘ a · diff-contains  fail
        Pattern /x/ not found in workspace diff
      ✘ b · diff-contains  fail
        Pattern /y/ not found in workspace diff

judged  0 of 1 passed
  ✘ failed       trial 0   claude-opus  0/1 graders passed  score 0.00
      ✘ quality · prompt  recorded fail
        too long

        and dull

broken  0 of 1 passed
  ! error        trial 0   gpt
      error: no model
      no trajectory is recorded: there is nothing to judge

lost  0 of 1 passed
  ? no evidence  trial 0   gpt  0/2 graders passed  score 0.00
      ? a · diff-contains  recorded pass → now no evidence
      ? b · diff-contains  no evidence
        No workspace diff is available for this run. A run records one only when
        a diff grader is configured, git is there and the agent works on this
        machine; session logs never hold one. Run the eval again with a diff
        grader configured.

bare  0 of 1 passed
  · ungraded     trial 0   gpt
      no graders are known of it

rested  0 of 1 passed
  – skipped      trial 0   gpt
      skipped: not on Mondays
      no trajectory is recorded: there is nothing to judge

all-well  1 of 1 passed
  ✔ passed       trial 0   gpt  1/1 graders passed  score 1.00

"""
    )


def test_several_runs_end_with_a_total(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, pattern in (("a", "divide"), ("b", "nowhere"), ("c", "divide")):
        write_run(tmp_path / name, trial([contains(pattern)]))
    ended = call(capsys, "grade", str(tmp_path))
    assert ended.out.endswith("\n\n3 runs  ✘ 1 failed  ✔ 2 passed  of 3 trials\n")


def test_a_filter_says_what_it_leaves_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = write_run(tmp_path, trial([contains("divide")]), trial([contains("nowhere")], index=1))
    ended = call(capsys, "grade", run, "--only", "failed")
    assert "✘ 1 failed  ✔ 1 passed  of 2 trials\n" in ended.out
    assert "only trials with a failing grader: 1 of 2 trials are shown\n" in ended.out
    assert "trial 0" not in ended.out


def test_text_from_the_run_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    evil = "\x1b[2J\x07\u202e[bold]"
    run = write_run(
        tmp_path,
        trial(
            [contains(evil, evil)], [failed(evil, evidence=evil)], stimulus=evil, model=evil, error=evil, diff=evil * 2
        ),
        trial([{"type": evil}], [failed(evil, evidence=evil)], stimulus=evil, trajectory={"diff": 5, "stimulus": evil}),
    )
    ended = call(capsys, "grade", run)
    assert not {character for character in ended.out + ended.err if character in evil} - set("[bold]2J")
    assert "␛[2J␇\ufffd[bold]" in ended.out


def test_an_essay_is_cut_and_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    essay = "\n".join(f"line {number}" for number in range(20))
    run = write_run(tmp_path, trial([{"type": "prompt"}], [failed("prompt", evidence=essay)]))
    ended = call(capsys, "grade", run)
    assert "        line 7\n        … 12 more lines\n" in ended.out


def test_no_line_of_our_own_is_wider_than_80_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    long = "a-name-that-has-no-end-" * 8
    graders = [contains(long, long, turn=0), {"type": long}]
    run = write_run(tmp_path, trial(graders, [failed(long), failed(long)], stimulus=long, model=long))
    lines = call(capsys, "grade", run).out.split("\n")
    # The path of the run stays whole, so that it can be copied.
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= 100
