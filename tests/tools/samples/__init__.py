"""The sample runs, each made by a module of its own from small real git workspaces."""

from __future__ import annotations

from collections.abc import Callable

from tests.tools.samples import quickstart
from tests.tools.samples.run import Files

SAMPLES: dict[str, Callable[[], Files]] = {
    "quickstart": quickstart.files,
}
"""What is made, by the name of its folder below sample_runs/."""
