"""What holds for every explanation, with the real engine on diffs that git made and patterns that go slightly wrong."""

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.triage.explain.conftest import Asking, contains, forbids
from vally_tui.grading.model import State
from vally_tui.triage.explain.model import Explanation, Spot
from vally_tui.triage.regex_syntax import escape

CORPUS = Path(__file__).parents[2] / "data" / "diff-corpus"
DIFFS = [
    text
    for path in sorted(CORPUS.glob("*.diff"))
    if 0 < len(text := path.read_bytes().decode("utf-8", "replace")) < 4000
]
assert len(DIFFS) > 50

SLIPS = (
    lambda text: text.swapcase(),
    lambda text: text.replace(" ", "  "),
    lambda text: text.replace('"', "'"),
    lambda text: "^" + text,
    lambda text: text + "$",
    lambda text: text[: len(text) // 2] + "x" + text[len(text) // 2 :],
    lambda text: text[1:-1],
    lambda text: text.replace("+", "-"),
    lambda text: text.replace("\n+", "\n").replace("\n ", "\n"),
    lambda text: "(" + text + ")",
    lambda text: text.replace("\\", "\\\\"),
    lambda text: text + ".*zz",
)


@st.composite
def slightly_wrong(draw: st.DrawFn) -> tuple[str, str, bool]:
    """A diff, a pattern or value made from a piece of it with a slip or two, and whether it is a pattern."""
    diff = draw(st.sampled_from(DIFFS))
    start = draw(st.integers(0, len(diff) - 1))
    piece = diff[start : start + draw(st.integers(1, 60))]
    is_pattern = draw(st.booleans())
    text = escape(piece) if is_pattern and draw(st.booleans()) else piece
    for slip in draw(st.lists(st.sampled_from(SLIPS), min_size=0, max_size=2)):
        text = slip(text)
    return diff, text or "x", is_pattern


def spots_of(explanation: Explanation) -> list[Spot]:
    spots = [spot for choice in explanation.choices for spot in choice.spots]
    spots += [spot for kind in explanation.kinds for spot in kind.spots]
    spots += [finding.spot for finding in explanation.findings if finding.spot is not None]
    return spots + ([explanation.near.spot] if explanation.near is not None else [])


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slightly_wrong(), st.booleans())
def test_every_choice_has_the_verdict_that_it_is_said_to_have(
    asking: Asking, wrong: tuple[str, str, bool], wants_match: bool
) -> None:
    diff, text, is_pattern = wrong
    config = (contains if wants_match else forbids)(**{"pattern" if is_pattern else "value": text})
    explanation = asking.why(config, diff)
    for choice in explanation.choices:
        state = asking.state(choice.config, diff)
        assert state is (State.PASS if choice.passes else State.FAIL)
        if explanation.state is State.FAIL:
            assert choice.passes
        assert choice.config.config != config.config


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slightly_wrong())
def test_every_place_is_in_the_text_and_shows_what_stands_there(asking: Asking, wrong: tuple[str, str, bool]) -> None:
    diff, text, is_pattern = wrong
    explanation = asking.why(contains(**{"pattern" if is_pattern else "value": text}), diff)
    rows = diff.split("\n")
    for spot in spots_of(explanation):
        assert 0 <= spot.start <= spot.end <= len(diff)
        assert spot.row == min(
            diff.count("\n", 0, spot.start), diff.rstrip("\n").count("\n") if not rows[-1] else len(rows)
        )
        assert spot.line in rows[spot.row]
        assert diff[spot.start : spot.end].startswith(spot.excerpt)
        assert spot.number is None or spot.number > 0


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slightly_wrong())
def test_an_explanation_has_one_sentence_for_each_finding(asking: Asking, wrong: tuple[str, str, bool]) -> None:
    diff, text, is_pattern = wrong
    explanation = asking.why(contains(**{"pattern" if is_pattern else "value": text}), diff)
    assert explanation.findings
    assert len({finding.sentence for finding in explanation.findings}) == len(explanation.findings)
    for finding in explanation.findings:
        assert "\n" not in finding.sentence
        assert finding.sentence.endswith((".", "…"))


def test_the_corpus_is_real() -> None:
    index = [json.loads(line) for line in (CORPUS / "INDEX.jsonl").read_text("utf-8").split("\n") if line]
    assert len(index) >= len(DIFFS)
