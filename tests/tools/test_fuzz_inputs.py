"""A few damaged inputs of each kind, the same ones each time; many more are tried by hand."""

from pathlib import Path

from tests.tools.fuzz_inputs import Fuzz
from vally_tui.engine.client import Engine


def test_damaged_inputs_never_raise_and_never_reach_a_terminal_raw(tmp_path: Path) -> None:
    with Engine(20) as engine:
        fuzz = Fuzz(engine, tmp_path, seed=1)
        for _ in range(40):
            fuzz.once()

    assert set(fuzz.tried) == set(fuzz.kinds)
