"""Saving replaces the file whole or not at all, only over what was read, and leaves nothing else behind."""

import errno
import os
import resource
import signal
import stat
from pathlib import Path

import pytest

from vally_tui.errors import SaveRefused
from vally_tui.spec import save as saving
from vally_tui.spec.document import digest_of
from vally_tui.spec.save import Conflict, Saved, save, write_new

OLD = b"name: a\r\n"
NEW = "name: b\n"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "eval.yaml"
    path.write_bytes(OLD)
    return path


def names(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def test_the_text_replaces_the_file_and_its_mode_stays(spec: Path) -> None:
    spec.chmod(0o640)
    assert save(spec, digest_of(OLD), NEW) == Saved(digest_of(NEW.encode()), written=True)
    assert spec.read_bytes() == NEW.encode()
    assert stat.S_IMODE(spec.stat().st_mode) == 0o640
    assert names(spec.parent) == ["eval.yaml"]


def test_a_file_that_changed_meanwhile_is_not_touched(spec: Path) -> None:
    spec.write_bytes(b"theirs")
    assert save(spec, digest_of(OLD), NEW) == Conflict(digest_of(b"theirs"))
    assert spec.read_bytes() == b"theirs"
    assert names(spec.parent) == ["eval.yaml"]


def test_a_file_that_changes_while_the_new_one_is_written_is_not_touched(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (spec.write_bytes(b"theirs"), real(handle)))
    assert save(spec, digest_of(OLD), NEW) == Conflict(digest_of(b"theirs"))
    assert (spec.read_bytes(), names(spec.parent)) == (b"theirs", ["eval.yaml"])


def test_saving_twice_writes_once(spec: Path) -> None:
    save(spec, digest_of(OLD), NEW)
    first = spec.stat().st_ino
    assert save(spec, digest_of(OLD), NEW) == Saved(digest_of(NEW.encode()), written=False)
    assert spec.stat().st_ino == first


def test_a_symbolic_link_stays_and_its_target_is_replaced(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "link.yaml"
    link.symlink_to("../eval.yaml")
    save(link, digest_of(OLD), NEW)
    assert link.is_symlink()
    assert spec.read_text() == NEW
    assert names(tmp_path / "sub") == ["link.yaml"]


def test_what_is_gone_or_circular_or_no_file_is_refused_in_words(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for name, reason in [
        ("none", "not there any more"),
        ("a", "circle"),
        (".", "no regular file"),
        ("eval.yaml/x", "no directory"),
    ]:
        with pytest.raises(SaveRefused, match=reason):
            save(tmp_path / name, digest_of(OLD), NEW)
    assert names(tmp_path) == ["a", "b", "eval.yaml"]


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_a_failure_at_any_step_leaves_the_old_file_alone(
    spec: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    if call == "write":
        monkeypatch.setattr(saving, "_take_over", fail)
    else:
        monkeypatch.setattr(os, call, fail)
    with pytest.raises(SaveRefused, match="was not written"):
        save(spec, digest_of(OLD), NEW)
    assert (spec.read_bytes(), names(spec.parent)) == (OLD, ["eval.yaml"])


def test_an_interruption_leaves_the_old_file_alone(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(spec, digest_of(OLD), NEW)
    assert (spec.read_bytes(), names(spec.parent)) == (OLD, ["eval.yaml"])


def test_a_limit_on_file_sizes_is_a_clear_refusal(spec: Path) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))
            save(spec, digest_of(OLD), NEW)
        except SaveRefused as refusal:
            code = 0 if "limit on file sizes" in str(refusal) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (spec.read_bytes(), names(spec.parent)) == (OLD, ["eval.yaml"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_write_protection_of_file_or_directory_is_respected(spec: Path) -> None:
    spec.chmod(0o444)
    with pytest.raises(SaveRefused, match="write-protected"):
        save(spec, digest_of(OLD), NEW)
    spec.chmod(0o644)
    spec.parent.chmod(0o555)
    try:
        with pytest.raises(SaveRefused, match="permission denied"):
            save(spec, digest_of(OLD), NEW)
    finally:
        spec.parent.chmod(0o755)
    assert spec.read_bytes() == OLD


def test_half_a_character_is_refused_before_anything_is_written(spec: Path) -> None:
    with pytest.raises(SaveRefused, match="UTF-8"):
        save(spec, digest_of(OLD), "name: \ud800\n")
    assert names(spec.parent) == ["eval.yaml"]


def test_a_new_spec_is_written_only_where_nothing_is(spec: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.yaml"
    assert write_new(new, NEW) == Saved(digest_of(NEW.encode()), written=True)
    assert new.read_text() == NEW
    assert new.stat().st_nlink == 1
    (tmp_path / "dangling").symlink_to("nowhere")
    for path in (spec, tmp_path / "dangling", tmp_path):
        with pytest.raises(SaveRefused, match="there already"):
            write_new(path, NEW)
    with pytest.raises(SaveRefused, match="not there"):
        write_new(tmp_path / "no" / "new.yaml", NEW)
    assert spec.read_bytes() == OLD
    assert names(tmp_path) == ["dangling", "eval.yaml", "new.yaml"]


def test_a_new_spec_is_written_on_file_systems_without_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr(os, "link", no_links)
    write_new(tmp_path / "new.yaml", NEW)
    with pytest.raises(SaveRefused, match="there already"):
        write_new(tmp_path / "new.yaml", "other")
    assert (tmp_path / "new.yaml").read_text() == NEW
    assert names(tmp_path) == ["new.yaml"]
