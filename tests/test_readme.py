"""The README tells the truth: its output, its example, its keys and its pictures are today's."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.tools.readme_keys import with_keys

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def run(*command: str, status: int = 0) -> str:
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert done.returncode == status, done.stderr
    return done.stdout


def test_the_shown_output_is_what_the_commands_print() -> None:
    blocks = re.findall(r"```console\n\$ vally-tui ([^\n]*)\n(.*?)```", README, re.DOTALL)
    assert blocks
    for words, shown in blocks:
        assert run(sys.executable, "-m", "vally_tui", *shlex.split(words)).rstrip("\n") == shown.rstrip("\n")


def test_the_library_example_prints_what_it_says() -> None:
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    printed = re.search(r"It prints\n\n```text\n(.*?)```", README, re.DOTALL)
    assert example is not None
    assert printed is not None
    assert run(sys.executable, "-c", example[1]) == printed[1]


def test_the_keys_are_those_of_the_commands() -> None:
    assert with_keys(README) == README


def test_every_picture_is_there_and_named_in_words() -> None:
    pictures = re.findall(r"!\[(.*?)\]\((.*?)\)", README)
    assert pictures
    for words, path in pictures:
        assert words
        assert (ROOT / path).read_bytes().startswith(b"\x89PNG")


def test_both_ways_of_setting_up_are_there() -> None:
    commands = re.findall(r"^    (.*)$", README, re.MULTILINE)
    for tool in ("uv run", "python3 -m venv"):
        assert any(command.startswith(tool) and "sample_runs/quickstart" in command for command in commands)
        assert any(command.startswith(tool) and "pytest" in command for command in commands)
