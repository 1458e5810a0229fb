"""Files that change on disk are noticed, however they are written."""

from __future__ import annotations

import os
from pathlib import Path

from vally_tui.triage.watch import Watch


def watched(path: Path) -> Watch:
    watch = Watch(lambda changed: None)
    watch.watch([path])
    return watch


def test_a_file_that_stays_is_no_news(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("{}\n")
    assert watched(path).look() == ()


def test_a_file_that_grows_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("{}\n")
    watch = watched(path)
    with path.open("a") as file:
        file.write("{}\n")
    assert watch.look() == (path,)
    assert watch.look() == ()


def test_a_file_that_an_editor_replaces_by_renaming_is_told(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text("name: a\n")
    watch = watched(path)
    other = tmp_path / "eval.yaml~"
    other.write_text("name: b\n")
    os.utime(other, ns=(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns))
    other.replace(path)
    assert watch.look() == (path,)


def test_a_file_that_goes_and_comes_is_told_twice(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text("name: a\n")
    watch = watched(path)
    path.unlink()
    assert watch.look() == (path,)
    path.write_text("name: a\n")
    assert watch.look() == (path,)
