from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any

import pytest

from tests.runs.builders import record, run_of, source, trajectory
from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.triage import evidence
from vally_tui.triage.evidence import EvidenceStore

DIFF = "diff --git a/x b/x\n"


def _key(trial: int) -> EvidenceKey:
    return EvidenceKey(trial, Subject.DIFF, None)


def _store(folder: Path, *diffs: str) -> EvidenceStore:
    """A store over a run whose trials have their diffs as sidecars 0.diff, 1.diff and so on."""
    records = []
    for number, diff in enumerate(diffs):
        (folder / f"{number}.diff").write_text(diff)
        records.append(record(trajectory=trajectory(diffPath=f"{number}.diff")))
    run = run_of(folder, *records)
    found = {trial.key: (source(folder), trial, True) for trial in run.trials}
    return EvidenceStore(found.get)


def test_a_text_is_read_once_and_kept(tmp_path: Path) -> None:
    store = _store(tmp_path, DIFF)

    assert store.known(_key(0)) is None
    assert store.holds(_key(0)) == len(DIFF)
    (tmp_path / "0.diff").unlink()

    assert store.read(_key(0)) == Present(DIFF)
    assert store.known(_key(0)) == len(DIFF)


def test_what_is_lacking_is_told_and_remembered(tmp_path: Path) -> None:
    store = _store(tmp_path, DIFF)
    (tmp_path / "0.diff").unlink()

    held = store.holds(_key(0))

    assert isinstance(held, Absent)
    assert held.reason is Absence.SIDECAR_GONE
    assert store.known(_key(0)) == held
    assert store.text(_key(0)) == ""


def test_what_was_forgotten_is_read_again(tmp_path: Path) -> None:
    store = _store(tmp_path, DIFF, DIFF)
    store.holds(_key(0))
    store.holds(_key(1))
    for number in (0, 1):
        (tmp_path / f"{number}.diff").write_text("changed")

    store.forget({0})

    assert store.text(_key(0)) == "changed"
    assert store.text(_key(1)) == DIFF
    store.forget()
    assert store.text(_key(1)) == "changed"


def test_only_so_much_text_is_kept_the_last_used_longest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "KEPT", 25)
    store = _store(tmp_path, "a" * 10, "b" * 10, "c" * 10)
    for trial in (0, 1, 0, 2):
        store.text(_key(trial))
    for number in range(3):
        (tmp_path / f"{number}.diff").write_text("new")

    assert [store.text(_key(trial)) for trial in (0, 2)] == ["a" * 10, "c" * 10]
    assert store.text(_key(1)) == "new"


def test_a_trial_that_is_gone_has_no_evidence() -> None:
    held = EvidenceStore(lambda key: None).holds(_key(7))

    assert isinstance(held, Absent)
    assert held.reason is Absence.UNREADABLE


def test_of_the_texts_too_large_to_be_kept_with_others_the_last_one_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "KEPT", 15)
    monkeypatch.setattr(evidence, "LARGE", 25)
    store = _store(tmp_path, "a" * 20, "b" * 20, "c" * 10, "d" * 30)
    for trial in (0, 1, 2):
        store.text(_key(trial))
    for number in range(4):
        (tmp_path / f"{number}.diff").write_text("new")

    assert [store.text(_key(trial)) for trial in (1, 2)] == ["b" * 20, "c" * 10]
    store.forget({1})
    assert store.text(_key(1)) == "new"


def test_a_text_above_the_largest_is_read_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "KEPT", 15)
    monkeypatch.setattr(evidence, "LARGE", 25)
    store = _store(tmp_path, "a" * 30)
    store.text(_key(0))
    (tmp_path / "0.diff").write_text("new")

    assert store.text(_key(0)) == "new"


def test_threads_that_want_a_text_that_is_being_read_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "KEPT", 0)
    monkeypatch.setattr(evidence, "LARGE", 0)
    begun, may_go, read = Event(), Event(), []
    reading = evidence.read_evidence

    def slow(*given: Any, **named: Any) -> Evidence:
        begun.set()
        may_go.wait(10)
        read.append(given)
        return reading(*given, **named)

    monkeypatch.setattr(evidence, "read_evidence", slow)
    store = _store(tmp_path, DIFF)
    texts: list[str] = []
    threads = [Thread(target=lambda: texts.append(store.text(_key(0)))) for _ in range(3)]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    sleep(0.1)
    may_go.set()
    for thread in threads:
        thread.join(10)

    assert texts == [DIFF] * 3
    assert len(read) == 1


def test_who_waited_for_a_reading_that_broke_reads_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_go = Event(), Event()
    reading = evidence.read_evidence

    def broken(*_: Any, **__: Any) -> Evidence:
        begun.set()
        may_go.wait(10)
        monkeypatch.setattr(evidence, "read_evidence", reading)
        raise MemoryError

    monkeypatch.setattr(evidence, "read_evidence", broken)
    store = _store(tmp_path, DIFF)
    texts: list[str] = []

    def first() -> None:
        with suppress(MemoryError):
            store.text(_key(0))

    threads = [Thread(target=first), Thread(target=lambda: texts.append(store.text(_key(0))))]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    sleep(0.1)
    may_go.set()
    for thread in threads:
        thread.join(10)

    assert texts == [DIFF]
