"""The person's configuration file."""

import os
from pathlib import Path

import pytest

from vally_tui.ui.config import Config, read_config


def test_no_file_is_no_fault(tmp_path: Path) -> None:
    assert read_config(tmp_path / "config.toml") == Config()


def test_theme_and_keys_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "vally-light"\n[keys]\n"go.to" = "ctrl+t"\n')
    config = read_config(path)
    assert config.theme == "vally-light"
    assert config.keymap.keys["go.to"] == ("ctrl+t",)
    assert config.faults == ()


def test_what_is_wrong_is_told_and_the_rest_holds(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = 3\ncolour = "red"\n[keys]\nnope = "a"\n')
    config = read_config(path)
    assert config.theme is None
    assert [fault.removeprefix(f"{path}: ") for fault in config.faults] == [
        "colour is no setting; theme and keys are",
        "theme must be a name",
        "'nope' is no command; the palette (ctrl+p) lists them",
    ]


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"theme = \xff")
    assert read_config(path).theme is None
    assert "cannot be read" in read_config(path).faults[0]


@pytest.mark.parametrize("kind", ["a FIFO", "a directory", "bytes"])
def test_what_is_no_text_file_is_told_or_empty_and_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "config.toml"
    if kind == "a FIFO":
        os.mkfifo(path)
        assert read_config(path) == Config()
        return
    path.mkdir() if kind == "a directory" else path.write_bytes(b"\xff\x00 = [")
    (fault,) = read_config(path).faults
    assert fault.startswith(f"{path} cannot be read: ")
