"""A run in which everything is odd that can be odd in small files: text, paths, patterns, configs, records, sidecars."""

from __future__ import annotations

from tests.tools.samples.hostile import evidence, graders, lines, texts
from tests.tools.samples.run import Files, line


def files() -> Files:
    """The run directory. It has no spec: nobody would write these graders."""
    results = [
        lines.BOM,
        *map(line, texts.trials()),
        *map(line, graders.trials()),
        *lines.between(),
        *map(line, evidence.trials()),
        *map(line, lines.mistyped()),
        *map(line, lines.summaries()),
        lines.TORN,
    ]
    return {"results.jsonl": b"".join(results), **evidence.sidecars()}
