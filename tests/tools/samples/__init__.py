"""The sample runs, each made by a module of its own from small real git workspaces."""

from __future__ import annotations

from collections.abc import Callable

from tests.tools.samples import experiment, hostile, legacy, multi_turn, output_graders, quickstart
from tests.tools.samples.run import Files

SAMPLES: dict[str, Callable[[], Files]] = {
    "quickstart": quickstart.files,
    "multi-turn": multi_turn.files,
    "experiment": experiment.files,
    "output-graders": output_graders.files,
    "legacy": legacy.files,
    "hostile": hostile.files,
}
"""What is made, by the name of its folder below sample_runs/."""
