"""The person's editor in the same terminal: one that is not there, and one in which ctrl+c is pressed."""

import shutil
from pathlib import Path

from tests.faults.conftest import DEADLINE, SAMPLES, Start, judged
from tests.tools.terminal import Terminal

INTERRUPTED = """\
#!/bin/sh
# As a terminal does when ctrl+c is pressed in an editor: all in the foreground hear it.
trap '' INT
kill -INT 0
sleep 0.2
sed -i 's/divide\\\\b/split\\\\b/' "$2"
"""


def opened_with(start: Start, folder: Path, editor: str) -> Terminal:
    run = Path(shutil.copytree(SAMPLES / "quickstart", folder / "quickstart"))
    terminal = judged(start("-e", run / "eval.yaml", run, environment={"VISUAL": editor}))
    terminal.press("ctrl+o")
    return terminal


def test_an_editor_that_is_not_there_is_a_message(start: Start, tmp_path: Path) -> None:
    terminal = opened_with(start, tmp_path, "no-such-editor")
    assert terminal.wait_for("no-such-editor cannot be started (No such file or directory)", DEADLINE)
    # The terminal is the program's again.
    terminal.press("e")
    assert terminal.wait_for("keep the edit", DEADLINE), terminal.screen.text


def test_an_interrupt_in_the_editor_does_not_end_the_program(start: Start, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(INTERRUPTED)
    editor.chmod(0o755)
    terminal = opened_with(start, tmp_path, str(editor))
    assert terminal.wait_for(r"def split\b", DEADLINE), terminal.screen.text
    assert not terminal.ended
