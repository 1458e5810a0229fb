"""What the engine costs the process that uses it, and how much memory the worker takes."""

import subprocess
import sys
from pathlib import Path

import pytest

from vally_tui.engine.client import RESIDENT_BYTES, Engine
from vally_tui.grading.pattern import Search, literal

LOADED = """
import sys
import vally_tui.engine.client
print(sorted({"asyncio", "py_mini_racer", "textual", "rich", "yaml", "unidiff", "hypothesis"} & set(sys.modules)))
"""


def test_importing_the_client_loads_neither_asyncio_nor_v8_nor_the_screen() -> None:
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory of another process from /proc")
def test_the_worker_stays_within_75_mb_and_2_2_times_its_resident_texts_while_many_more_pass_through() -> None:
    text = "+ a line of a diff\n" * 5_000
    with Engine(20) as engine:
        searches = [Search(literal("zz"), at) for at in range(1500)]
        assert len(list(engine.search(searches, lambda key: text + str(key)))) == 1500
        status = Path(f"/proc/{engine.info().pid}/status").read_text()
    peak = next(int(line.split()[1]) * 1024 for line in status.split("\n") if line.startswith("VmHWM"))
    assert peak <= 75_000_000 + 2.2 * RESIDENT_BYTES
