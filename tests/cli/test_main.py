"""The start and the end of the program: what it falls back to, and what is left of each kind of error."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.builders import call, contains, trial, write_run
from vally_tui.cli import crash, screen
from vally_tui.runs import load

ROOT = Path(__file__).parents[2]


def process(*arguments: str, **streams: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "vally_tui", *arguments]
    return subprocess.Popen(command, cwd=ROOT, text=True, encoding="utf-8", **streams)


@pytest.fixture
def run(tmp_path: Path) -> str:
    return write_run(tmp_path / "run", *(trial([contains("divide")], index=index) for index in range(3)))


# --- the screen's fallback --------------------------------------------------------------------------------------------


def test_without_a_terminal_the_screen_is_the_text_report_with_a_word(
    capsys: pytest.CaptureFixture[str], run: str
) -> None:
    ended = call(capsys, run)
    assert ended.out == call(capsys, "grade", run).out
    assert ended.err == "vally-tui: standard output is no terminal, so this is the text report instead of the screen\n"
    assert ended.status == 0


def test_without_a_run_the_newest_below_vally_results_is_taken(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for time_of_it in ("2026-07-03T05-50-48-420Z", "2026-11-28T09-14-03-112Z", "2026-07-04T05-50-48-420Z"):
        write_run(tmp_path / "vally-results" / time_of_it, trial())
    assert call(capsys).out.startswith("2026-11-28T09-14-03-112Z\n")


def test_without_any_run_the_usage_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = call(capsys)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("usage: vally-tui [RUN…]")
    assert ended.err.endswith("vally-tui: error: no RUN is given, and there is none below ./vally-results\n")


class Stream:
    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("out", "err", "into", "term", "runs", "why"),
    [
        (True, True, True, "xterm", ["a"], None),
        (False, True, True, "xterm", ["a"], "standard output is no terminal"),
        (True, False, True, "xterm", ["a"], "standard error is no terminal"),
        (True, True, False, "xterm", ["a"], "standard input is no terminal"),
        (True, True, True, "dumb", ["a"], "the terminal is a dumb one (TERM)"),
    ],
)
def test_what_the_screen_needs(
    monkeypatch: pytest.MonkeyPatch, out: bool, err: bool, into: bool, term: str, runs: list[str], why: str | None
) -> None:
    monkeypatch.setattr(sys, "stdout", Stream(out))
    monkeypatch.setattr(sys, "stderr", Stream(err))
    monkeypatch.setattr(sys, "stdin", Stream(into))
    monkeypatch.setenv("TERM", term)
    assert screen.obstacle(runs) == why


def test_records_on_standard_input_need_another_way_for_the_keys(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, Stream(True))
    monkeypatch.setattr(sys, "stdin", Stream(False))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(screen, "TERMINAL", str(tmp_path / "none"))
    assert screen.obstacle(["-"]) == f"{tmp_path}/none cannot be opened for the keys"
    (tmp_path / "tty").touch()
    monkeypatch.setattr(screen, "TERMINAL", str(tmp_path / "tty"))
    assert screen.obstacle(["-"]) is None


@pytest.mark.parametrize(
    ("typed", "meant"), [("grad", "grade"), ("file", "files"), ("explian", "explain"), ("Lint", "lint")]
)
def test_a_mistyped_command_is_told_whatever_follows_it(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    run: str,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    meant: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = call(capsys, typed, run, "--require-pass")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == f"vally-tui: error: {typed} is not there: did you mean {meant}?\n"


def test_a_run_whose_name_is_nearly_a_command_is_opened_and_other_names_are_no_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "grad", trial([contains("divide")]))
    assert call(capsys, "grad").out.startswith("grad\n")
    assert call(capsys, "monday").err.endswith("vally-tui: error: monday is not there\n")


# --- errors -----------------------------------------------------------------------------------------------------------


def test_debug_shows_the_traceback_of_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path, run: str) -> None:
    gone = str(tmp_path / "gone.yaml")
    plain = call(capsys, "grade", run, "-e", gone).err
    assert plain == f"vally-tui: error: {gone}: no such file\n"
    told = call(capsys, "grade", run, "-e", gone, "--debug").err
    assert told.startswith(plain)
    assert "Traceback (most recent call last):\n" in told


def test_an_unforeseen_error_leaves_a_report_without_text_of_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "the secret of the run"

    def fail(*_: object) -> None:
        raise ZeroDivisionError(words)

    monkeypatch.setattr(load, "open_regular", fail)
    monkeypatch.setattr(crash, "_state_folder", lambda: tmp_path / "state")
    ended = call(capsys, "grade", run)
    [report] = (tmp_path / "state").iterdir()
    assert ended.status == 2
    assert ended.err == (
        f"vally-tui: error: the program has a fault (ZeroDivisionError): {report} says where; please report it\n"
    )
    text = report.read_text()
    assert "builtins.ZeroDivisionError at\n" in text
    assert "runs/load.py" in text
    assert words not in text
    assert report.stat().st_mode & 0o777 == 0o600
    assert words in call(capsys, "grade", run, "--debug").err


def test_without_a_place_for_the_report_the_error_is_told_all_the_same(
    capsys: pytest.CaptureFixture[str], run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "open_regular", lambda path: 1 / 0)
    monkeypatch.setattr(crash, "write_report", lambda error: None)
    ended = call(capsys, "grade", run)
    assert ended.err == ("vally-tui: error: the program has a fault (ZeroDivisionError): run it again with --debug\n")


# --- processes --------------------------------------------------------------------------------------------------------


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    run = write_run(tmp_path, *(trial([contains("divide")], index=index) for index in range(3000)))
    started = process("grade", run, "--output", "jsonl", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert started.stdout is not None
    started.stdout.readline()
    started.stdout.close()
    assert started.stderr is not None
    assert (started.stderr.read(), started.wait(60)) == ("", 141)


def test_an_interrupt_ends_it_with_130_and_no_words(tmp_path: Path) -> None:
    run = write_run(tmp_path, trial([contains("(a+)+$")], diff="a" * 5000 + "b"))
    started = process("grade", run, "--timeout", "50", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=30)
    assert (started.returncode, out, err) == (130, "", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_told(run: str) -> None:
    with open("/dev/full", "w") as full:
        started = process("grade", run, stdout=full, stderr=subprocess.PIPE)
        _, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (
        2, "vally-tui: error: standard output cannot be written: No space left on device\n",
    )  # fmt: skip


def test_records_come_on_standard_input(run: str) -> None:
    with open(f"{run}/results.jsonl") as records:
        started = process("grade", "-", stdin=records, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = started.communicate(timeout=60)
    assert out.startswith("standard input\n✔ 3 passed  of 3 trials\n")
    assert (started.returncode, err) == (0, "")


def test_it_runs_with_every_stream_closed(run: str) -> None:
    command = f"exec {sys.executable} -m vally_tui grade {run} <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=ROOT, timeout=60, check=False).returncode == 0
