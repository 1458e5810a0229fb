"""Which JavaScript the patterns may use."""

import os
from pathlib import Path

import pytest

from vally_tui.engine.node import NodeQuestion, detect_node_level, level_of


@pytest.mark.parametrize(
    ("version", "level"),
    [
        ("v18.20.4\n", 20),
        ("v20.20.0\n", 20),
        ("v22.20.0\n", 20),
        ("v23.1.0\n", 24),
        ("v24.19.0\n", 24),
        ("v26.7.0-rc.1\n", 24),
        ("", 24),
        ("node: command failed", 24),
    ],
)
def test_a_node_below_23_is_the_older_level_and_what_cannot_be_read_the_newest(version: str, level: int) -> None:
    assert level_of(version) == level


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for a program called node, alone on the PATH but for the system's own programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "node"


def program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_auto_asks_the_node_on_the_path(node: Path) -> None:
    program(node, "echo v22.1.0")
    assert detect_node_level("auto") == 20


def test_auto_is_the_newest_without_a_node(node: Path) -> None:
    assert detect_node_level("auto") == 24


def test_auto_is_the_newest_when_node_does_not_answer_in_time(node: Path) -> None:
    program(node, "exec /bin/sleep 60")
    assert NodeQuestion().answer(timeout=0.05) == 24


def test_auto_is_the_newest_when_node_cannot_be_run(node: Path) -> None:
    node.write_bytes(b"\x7fELF nothing of the kind")
    node.chmod(0o755)
    assert detect_node_level("auto") == 24


def test_a_node_in_the_current_directory_is_not_run(
    node: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(node, "echo v20.0.0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.curdir)
    assert detect_node_level("auto") == 24


@pytest.mark.parametrize(("setting", "level"), [("20", 20), ("24", 24)])
def test_a_given_level_asks_nobody(node: Path, setting: str, level: int) -> None:
    program(node, "echo v99.0.0")
    assert detect_node_level(setting) == level
