"""Unsaved edits survive in a private file; what cannot be read is kept beside, not lost and not offered."""

import json
import stat
from pathlib import Path

import pytest

from vally_tui.errors import SaveRefused
from vally_tui.grading.model import UNSET
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RemoveKey,
    RenameKey,
    ReplaceGrader,
    SetKey,
    Sharing,
    SpecEdit,
)
from vally_tui.spec.journal import Entry, Journal
from vally_tui.spec.model import GraderAddress

ADDRESS = GraderAddress("fix \ud800", 0, 1, None, "diff-contains", UNSET, 0)
EDITS: tuple[SpecEdit, ...] = (
    SetKey(ADDRESS, ("config", "pattern"), "é\ud800\x00", "a"),
    SetKey(ADDRESS, ("turn",), 1, UNSET, Sharing.ALL),
    RenameKey(ADDRESS, ("config", "pattern"), "value", None),
    RemoveKey(ADDRESS, ("name",), "x", Sharing.THIS_ONLY),
    ReplaceGrader(ADDRESS, "type: x\n", {"type": "y", "config": {"a": [1, 0.5, True, None]}}),
    AddGrader(None, 2, 0, {"type": "z"}),
    RemoveGrader(GraderAddress("s", 0, 0, "n", "t", 1, 0), {"type": "t"}),
)


def only_file(directory: Path) -> Path:
    (path,) = directory.iterdir()
    return path


def test_edits_come_back_as_they_were(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "state" / "journal")
    assert journal.pending("/a/eval.yaml") is None
    journal.record("/a/eval.yaml", EDITS, "d1")
    journal.record("/b/\udcff.yaml", EDITS[:1])
    assert journal.pending("/a/eval.yaml") == Entry(EDITS, "d1")
    assert journal.pending("/b/\udcff.yaml") == Entry(EDITS[:1], None)


def test_the_files_are_private_and_ascii(tmp_path: Path) -> None:
    directory = tmp_path / "journal"
    Journal(directory).record("key", EDITS)
    path = only_file(directory)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert path.read_bytes().isascii()


def test_what_was_recorded_last_counts_and_can_be_cleared(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.record("key", EDITS)
    journal.record("key", EDITS[:2])
    assert journal.pending("key") == Entry(EDITS[:2], None)
    journal.clear("key")
    journal.clear("key")
    assert journal.pending("key") is None
    journal.record("key", EDITS)
    journal.record("key", [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "held",
    [
        b"{",
        b"[]",
        b"\xff",
        b"null",
        b'{"version": 2, "key": "key", "digest": null, "edits": []}',
        b'{"version": 1, "key": "other", "digest": null, "edits": []}',
        b'{"version": 1, "key": "key", "digest": 5, "edits": []}',
        b'{"version": 1, "key": "key", "digest": null, "edits": [{"edit": "Evil"}]}',
        b'{"version": 1, "key": "key", "digest": null, "edits": [{"edit": "SetKey", "grader": {}}]}',
        b'{"version": 1, "key": "key", "digest": null, "edits": [{"edit": "AddGrader", "stimulus": 1,'
        b' "stimulus_index": 0, "index": 0, "value": 1}]}',
        b"[" * 100_000,
    ],
)
def test_an_unreadable_journal_is_put_aside_and_not_lost(tmp_path: Path, held: bytes) -> None:
    journal = Journal(tmp_path)
    journal.record("key", EDITS)
    path = only_file(tmp_path)
    path.write_bytes(held)
    assert journal.pending("key") is None
    assert only_file(tmp_path).suffix == ".corrupt"
    assert only_file(tmp_path).read_bytes() == held
    assert journal.pending("key") is None


def test_a_journal_that_cannot_be_written_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveRefused, match=r"not kept for a crash \(File exists\): .*file.* cannot be written"):
        Journal(tmp_path / "file").record("key", EDITS)
    with pytest.raises(SaveRefused, match="not kept"):
        Journal(tmp_path / "journal").record("key", [SetKey(ADDRESS, ("x",), object())])
    assert not any((tmp_path / "journal").glob("*"))


def test_the_person_s_journal_is_in_the_state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    Journal.of_the_person().record("key", EDITS)
    (path,) = (tmp_path / "vally-tui" / "journal").iterdir()
    assert json.loads(path.read_text())["key"] == "key"
