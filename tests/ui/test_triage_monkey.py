from pathlib import Path

import pytest

from tests.ui.driver import SAMPLES, Opener
from tests.ui.monkey import Monkey, digest


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
async def test_random_keys_at_random_sizes_break_nothing_and_write_nothing(opened: Opener, sample: str) -> None:
    before = digest(SAMPLES / sample)

    async with opened(sample, timeout=0.2) as screen:
        await Monkey(screen, seed=8).play(100)

    assert digest(SAMPLES / sample) == before
    # Nothing but the journal of unsaved edits is written at all.
    written = [path for path in Path.home().rglob("*") if path.is_file()]
    assert all("journal" in str(path) for path in written), written
