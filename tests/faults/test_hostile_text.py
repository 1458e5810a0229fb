"""Nothing that a run, a spec or a path says reaches the terminal as anything but visible characters; nothing is executed."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from tests.faults.conftest import DEADLINE, Start
from tests.faults.test_places import DIFF, record, run_with, vally
from tests.tools.terminal import Terminal

ATTACK = (
    "\x1b]0;owned\x07 \x1b]52;c;b3duZWQ=\x07 \x1b[2J\x1b[31mred \x9b31m\x9d0;t\x9c \r\b\x7f \x00 "
    "[bold]b[/] [/] [@click=app.quit]x[/] $PATH `id` \u202eevil\u202c \u2066i\u2069 \u200b\u2028\u2029 \ufeff\ud800 日本"
)
"""Titles, clipboard, colours, C1, carriage returns, markup, directions, invisible characters, a lone surrogate."""

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def hostile_run(folder: Path) -> Path:
    """Every text of a trial is an attack."""
    graders = [
        {"type": "diff-contains", "name": ATTACK, "config": {"pattern": re.escape(ATTACK)}},
        {"type": "diff-contains", "name": ATTACK + "2", "config": {"pattern": "(" + ATTACK}},
        {"type": ATTACK, "name": "unknown", "config": {ATTACK: ATTACK}},
        {"type": "output-contains", "config": {"substring": ATTACK}},
    ]
    path = ATTACK.replace("\x00", "").replace("\n", "")
    diff = (
        DIFF + f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@ {ATTACK}\n-{ATTACK}\n+{ATTACK}\n"
    )
    trajectory = {
        "stimulus": {"name": ATTACK, "prompt": ATTACK, "graders": graders}, "diff": diff, "output": ATTACK,
        "metrics": {ATTACK: ATTACK}, "events": [{"type": "assistant_message", "data": {"content": ATTACK}}],
    }  # fmt: skip
    details = [{"name": ATTACK, "kind": "llm", "passed": False, "score": 0, "evidence": ATTACK} for _ in graders]
    grade = {"passed": False, "score": 0, "evidence": ATTACK, "details": details}
    attacked = {
        "type": "trial-result", "itemId": ATTACK, "stimulus": ATTACK, "model": ATTACK, "status": "success",
        "evalName": ATTACK, "evalFilePath": ATTACK, "variant": ATTACK, "trajectory": trajectory, "gradeResult": grade,
    }  # fmt: skip
    failed = {"type": "trial-result", "stimulus": ATTACK, "status": "error", "error": {"message": ATTACK}}
    sidecar = {**record(ATTACK, diffPath=f"{ATTACK}.diff"), "model": "m\x1b[31m"}
    return run_with(
        folder, attacked, failed, sidecar, {"type": ATTACK}, f'{{"{ATTACK}'.encode("utf-8", "replace") + b"\n"
    )


def hostile_spec(path: Path) -> Path:
    """A spec of the same kind; what YAML lets in only by escapes is escaped."""
    text = json.dumps(ATTACK)
    path.write_text(
        f"name: {text}\nstimuli:\n  - name: {text}\n    prompt: {text}\n    graders:\n"
        f"      - {{type: diff-contains, name: {text}, config: {{pattern: {text}}}}}\n",
        encoding="utf-8",
    )
    return path


def assert_inert(text: str) -> None:
    """No character that a terminal obeys or hides, but for line ends."""
    bad = {f"U+{ord(c):04X}" for c in text if unicodedata.category(c) in HIDDEN and c != "\n"}
    assert not bad


def assert_terminal_unharmed(terminal: Terminal) -> None:
    """Only what Textual itself sends: no titles, no clipboard, no controls, no directions, no C1."""
    assert {string.partition(";")[0] for string in terminal.screen.strings} <= {"]22"}
    assert terminal.screen.controls == []
    sent = bytes(terminal.sent).decode("utf-8")
    assert not {c for c in sent if unicodedata.category(c) in HIDDEN and c not in "\x1b\r\n\x07"}
    # Bells end Textual's own strings only.
    assert sent.count("\x07") <= sent.count("\x1b]22;")
    assert "owned" not in "".join(terminal.screen.strings)


WALK = ("o", "escape", "!", "escape", "b", "escape", "m", "escape", "x", "escape", "E", "escape", "t", "escape", "?")


@pytest.mark.parametrize("with_spec", [False, True], ids=["recorded", "spec"])
def test_no_attack_of_a_run_reaches_the_terminal_of_the_screen(start: Start, tmp_path: Path, with_spec: bool) -> None:
    run = hostile_run(tmp_path / "evil\x1b]0;owned\x07[/]\u202e")
    spec = ("-e", hostile_spec(tmp_path / "evil\x1b[31m.yaml")) if with_spec else ()
    terminal = start(run, *spec)
    assert terminal.wait(lambda screen: "of 3 trials" in screen.lines[0] or "failed" in screen.lines[0], DEADLINE)
    terminal.settle(1.0)

    for key in (*WALK, "escape", "f", *WALK, "escape", "tab", "end", "w", "T", "e", "x", "escape", "ctrl+s"):
        terminal.press(key)
        terminal.settle(0.15, 5)
    terminal.settle(1.0)

    assert not terminal.ended, bytes(terminal.sent[-3000:]).decode()
    assert terminal.screen.unpainted == []
    assert_terminal_unharmed(terminal)


@pytest.mark.parametrize("command", ["grade", "files", "lint", "explain"])
@pytest.mark.parametrize("output", ["text", "json", "jsonl"])
def test_no_attack_reaches_a_report_or_an_error(tmp_path: Path, command: str, output: str) -> None:
    run = hostile_run(tmp_path / "evil\x1b]0;owned\x07[/]\u202e")
    more = (
        ("--stimulus", ATTACK.replace("\x00", "").replace("\ud800", ""), "--grader", "1")
        if command == "explain"
        else ()
    )

    for extra in ((), ("--debug",), ("-e", hostile_spec(tmp_path / "evil\x1b[31m.yaml"))):
        done = vally(command, run, "--output", output, *more, *extra)
        assert_inert(done.stdout)
        assert_inert(done.stderr)
        assert "fault" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["grade", f"/nowhere/{ATTACK}"],
        [f"--{ATTACK}"],
        ["grade", "--output", ATTACK],
        ["grade", ".", "-e", f"/nowhere/{ATTACK}"],
        ["explain", ".", "--stimulus", ATTACK, "--grader", ATTACK],
        ["grade", ".", "--debug", "--run-dir", f"/nowhere/{ATTACK}"],
    ],
)
def test_no_attack_in_an_argument_reaches_an_error(arguments: list[str]) -> None:
    done = vally(*(argument.replace("\x00", "").replace("\ud800", "\udc80") for argument in arguments))

    assert done.returncode == 2
    assert_inert(done.stderr)
    assert_inert(done.stdout)


def test_nothing_in_a_spec_is_executed(tmp_path: Path) -> None:
    marker = tmp_path / "executed"
    run = run_with(tmp_path / "run", record(diff=DIFF))
    for tag in ("!!python/object/apply:os.system", "!!python/object/new:os.system", "!!python/name:os.system"):
        spec = tmp_path / "eval.yaml"
        spec.write_text(f"name: {tag} ['touch {marker}']\nstimuli: []\n")
        vally("grade", run, "-e", spec)
        vally("lint", "-e", spec)

    assert not marker.exists()


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "..\\secret", "a/../../secret", "link", "C:\\secret"])
def test_nothing_outside_the_run_directory_is_read_through_a_run(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("TOP SECRET\n")
    run = run_with(tmp_path / "run", record(diffPath=path))
    (run / "link").symlink_to(tmp_path / "secret")

    for command in ("grade", "files"):
        done = vally(command, run, "--output", "jsonl")
        assert "TOP SECRET" not in done.stdout + done.stderr
        assert "root:" not in done.stdout + done.stderr
