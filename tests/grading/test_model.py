"""The values of grading: spans, labels, what counts as judged or broken."""

import pytest

from vally_tui.grading.model import PENDING, GraderConfig, Spans, State, Verdict


def test_spans_are_pairs_in_order() -> None:
    spans = Spans.of((0, 2), (2, 2), (5, 9))
    assert list(spans) == [(0, 2), (2, 2), (5, 9)]
    assert (len(spans), spans[1]) == (3, (2, 2))
    assert repr(spans) == "Spans.of((0, 2), (2, 2), (5, 9))"


def test_equal_spans_are_equal_and_hash_alike() -> None:
    assert Spans.of((1, 2)) == Spans.of((1, 2))
    assert hash(Spans.of((1, 2))) == hash(Spans.of((1, 2)))
    assert Spans.of((1, 2)) != Spans.of((1, 3))
    assert Spans.of() != ()


@pytest.mark.parametrize(("offset", "before"), [(0, 0), (3, 1), (4, 1), (5, 2), (99, 2)])
def test_before_counts_the_spans_that_begin_at_or_before_an_offset(offset: int, before: int) -> None:
    assert Spans.of((3, 5), (5, 9)).before(offset) == before


def test_a_grader_is_called_by_its_name_else_its_type() -> None:
    assert GraderConfig("prompt", "quality").label == "quality"
    assert GraderConfig("prompt").label == "prompt"


@pytest.mark.parametrize(
    ("state", "regraded", "broken"),
    [
        (State.PASS, True, False),
        (State.FAIL, True, False),
        (State.NO_EVIDENCE, True, True),
        (State.INVALID, True, True),
        (State.TIMEOUT, True, True),
        (State.ERROR, True, True),
        (State.RECORDED, False, False),
        (State.UNRECORDED, False, False),
        (State.PENDING, False, False),
    ],
)
def test_which_states_were_concluded_now_and_which_for_want_of_something(
    state: State, regraded: bool, broken: bool
) -> None:
    verdict = Verdict(state, None, None, None)
    assert (verdict.regraded, verdict.broken) == (regraded, broken)


def test_pending_is_neither_pass_nor_fail() -> None:
    assert (PENDING.passed, PENDING.score, PENDING.match_count) == (None, None, None)


@pytest.mark.parametrize(
    ("span", "held"), [((2, 4), True), ((4, 4), True), ((2, 3), False), ((3, 4), False), ((9, 9), False), (None, False)]
)
def test_a_place_is_held_only_as_a_whole(span: object, held: bool) -> None:
    assert (span in Spans.of((2, 4), (4, 4))) is held
