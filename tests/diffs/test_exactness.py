from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.diffs.corpus import Entry, entries
from tests.diffs.exactness import assert_exact
from tests.diffs.mutants import CHARACTERS, LINES, mutate
from tests.tools.big_diffs import SHAPES
from vally_tui.diffs import pieces

MUTANTS = 3
"""For each text of the corpus and each size of piece; more with ``python -m tests.tools.fuzz_diffs``."""


@pytest.fixture(params=[8, 40, pieces.PIECE])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The length at which bodies are counted in pieces; a short one tries on short texts what happens on long ones."""
    monkeypatch.setattr(pieces, "PIECE", request.param)
    return int(request.param)


@pytest.mark.parametrize("entry", entries(), ids=str)
def test_no_line_of_the_corpus_is_lost_or_misplaced(entry: Entry, piece: int) -> None:
    assert_exact(entry.text, Random(entry.name))


@pytest.mark.parametrize("entry", entries(), ids=str)
def test_no_line_of_a_damaged_diff_is_lost_or_misplaced(entry: Entry, piece: int) -> None:
    for seed in range(MUTANTS):
        random = Random(f"{entry.name} {seed} {piece}")
        assert_exact(mutate(entry.text, random.choice(entries()).text, random), random)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 40])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_line_of_a_made_diff_is_lost_or_misplaced(shape: str, size: int) -> None:
    assert_exact(SHAPES[shape](size), Random(size))


@given(
    st.lists(st.one_of(st.sampled_from(LINES), st.text(st.sampled_from(CHARACTERS), max_size=4)), max_size=30),
    st.randoms(),
)
@settings(max_examples=150, deadline=None)
def test_no_line_of_any_text_is_lost_or_misplaced(lines: list[str], random: Random) -> None:
    assert_exact("\n".join(lines), random)
