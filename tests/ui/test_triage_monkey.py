import os
from pathlib import Path

import pytest

from tests.ui.driver import SAMPLES, Opener
from tests.ui.monkey import played, playground, written_by_saves_only


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
async def test_random_keys_at_random_sizes_break_nothing_lose_no_edit_and_write_by_saves_only(
    opened: Opener, sample: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = playground(sample, tmp_path)

    with written_by_saves_only(tmp_path, Path(os.environ["HOME"])):
        await played(opened, run, 60, seed=8)
