"""Damage the diff corpus for a while and check that no line is lost or misplaced.

    python -m tests.tools.fuzz_diffs SECONDS [SEED]

Prints how many damaged texts were tried. A text that fails is printed as Python's ``repr``, and the exit status is 1.
"""

from __future__ import annotations

import sys
import time
from random import Random

from tests.diffs.corpus import entries
from tests.diffs.exactness import assert_exact
from tests.diffs.mutants import mutate
from vally_tui.diffs import pieces

PIECES = (8, 40, pieces.PIECE)


def fuzz(seconds: float, seed: int) -> int:
    """Try damaged texts for so long; how many were tried."""
    random = Random(seed)
    until = time.monotonic() + seconds
    tried = 0
    while time.monotonic() < until:
        text = mutate(random.choice(entries()).text, random.choice(entries()).text, random)
        pieces.PIECE = random.choice(PIECES)
        try:
            assert_exact(text, random)
        except Exception:
            print(f"piece {pieces.PIECE}: {text!r}", file=sys.stderr)
            raise
        tried += 1
    return tried


if __name__ == "__main__":
    print(
        fuzz(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()),
        "damaged diffs, none lost a line",
    )
