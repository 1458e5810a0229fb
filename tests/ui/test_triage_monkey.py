from pathlib import Path

import pytest

from tests.ui.driver import SAMPLES, Opener
from tests.ui.monkey import Monkey, contents, playground, recorded


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
async def test_random_keys_at_random_sizes_break_nothing_and_write_to_no_run(
    opened: Opener, sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = playground(sample, tmp_path)
    before, samples = recorded(contents(run)), contents(SAMPLES)

    async with opened(run, timeout=0.2) as screen:
        await Monkey(screen, seed=8).play(60)

    assert recorded(contents(run)) == before
    assert contents(SAMPLES) == samples
