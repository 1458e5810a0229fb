"""When a job has had its time, without a V8."""

from types import SimpleNamespace

import pytest

from vally_tui.engine import run as runs
from vally_tui.engine.frames import Frame
from vally_tui.engine.run import Run


class OneJob:
    """Buffers of a run whose first job is in work, with a limit of one second."""

    in_work, counting, finished = 0, False, 0

    def first_error(self, start: int, end: int) -> int:
        return end

    def limit(self, job: int) -> float:
        return 1.0

    def results(self, first: int, end: int, shelf: object) -> object:
        return SimpleNamespace(starts=(), to_bytes=lambda: b"")


def test_seconds_in_which_the_machine_did_something_else_count_for_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: on_the_wall, process_time=lambda: worked)
    monkeypatch.setattr(runs, "time", clock)
    on_the_wall = worked = 0.0
    frame = Frame({"run": 1, "size": 1}, b"")
    run = Run(frame, None, OneJob(), None, lambda header, body: None, lambda number: False)  # type: ignore[arg-type]
    assert not run._overdue()
    on_the_wall, worked = 100.0, 0.9
    assert not run._overdue()
    worked = 1.1
    assert run._overdue()
