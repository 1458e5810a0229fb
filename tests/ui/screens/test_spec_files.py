"""The command that opens the person's editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from vally_tui.ui.screens.spec_files import editor_command

SPEC = Path("evals/my eval.yaml")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, ["vi", "+7", "evals/my eval.yaml"]),
        ({"EDITOR": "nano"}, ["nano", "+7", "evals/my eval.yaml"]),
        ({"EDITOR": "nano", "VISUAL": "emacs -nw"}, ["emacs", "-nw", "+7", "evals/my eval.yaml"]),
        ({"VISUAL": "code --wait"}, ["code", "--wait", "--goto", "evals/my eval.yaml:7"]),
        ({"EDITOR": "/opt/subl"}, ["/opt/subl", "evals/my eval.yaml:7"]),
        ({"EDITOR": "an 'open quote"}, ["an 'open quote", "+7", "evals/my eval.yaml"]),
        ({"EDITOR": ""}, ["vi", "+7", "evals/my eval.yaml"]),
    ],
)
def test_the_editor_is_started_at_the_line(environment: dict[str, str], expected: list[str]) -> None:
    assert editor_command(environment, SPEC, 7) == expected
