"""The near place in the words of the graders pane; what choices may do that are wider than what is written."""

import pytest

from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import GraderConfig, State
from vally_tui.triage.explain.model import Choice, Explained, Explanation, Near, Spot, Stance
from vally_tui.triage.explain.phrases import broken_phrase, nearly_phrase, wider_sentence
from vally_tui.triage.views_model import Phrase, Tone

LINE = '+        raise ValueError("zero")'
SPOT = Spot(200, 217, None, 9, LineKind.ADDED, "src/calc.py", 6, LINE, (9, 26))


def text(phrase: Phrase) -> str:
    return "".join(word.text for word in phrase)


def test_a_near_place_reads_as_one_sentence() -> None:
    phrase = nearly_phrase(Near(SPOT, "then \" instead of '"))
    assert text(phrase) == "nearly src/calc.py:6 raise ValueError( then \" instead of '"
    assert [word.text for word in phrase if word.tone is Tone.NEAR] == ["raise ValueError("]


def test_what_broke_a_restraint_reads_as_one_sentence() -> None:
    phrase = broken_phrase(Near(SPOT, "in an added line"))
    assert text(phrase) == "broken by src/calc.py:6 raise ValueError( in an added line"
    assert [word.text for word in phrase if word.tone is Tone.BROKEN] == ["raise ValueError("]


def test_a_place_without_words_or_width_still_has_a_mark() -> None:
    assert (
        text(nearly_phrase(Near(Spot(0, 0, None, 0, LineKind.OTHER, None, None, "", (0, 0)), ""))) == "nearly line 1 ·"
    )


def test_beside_a_long_place_the_excerpt_is_shorter_so_that_the_words_behind_it_stay_in_view() -> None:
    line = "+" + 20 * "ab" + "c"
    place = "src/orders/tables.py"
    near = Near(Spot(0, 42, None, 0, LineKind.ADDED, place, 31, line, (0, 42)), "then ) instead of \\?")
    shown = "…" + ("ab" * 20 + "c")[-16:]
    assert text(nearly_phrase(near)) == f"nearly src/orders/tables.py:31 {shown} then ) instead of \\?"
    assert len(text(nearly_phrase(near))) == 69


def test_a_long_excerpt_keeps_the_end_where_it_stops_to_match_or_the_beginning_of_what_broke_a_restraint() -> None:
    line = "+" + 20 * "ab" + "c"
    near = Near(Spot(0, len(line), None, 0, LineKind.ADDED, "a.py", 6, line, (0, len(line))), "then a instead of b")
    assert text(nearly_phrase(near)) == "nearly a.py:6 …" + 14 * "ab" + "c then a instead of b"
    assert text(broken_phrase(near)) == "broken by a.py:6 +" + 14 * "ab" + "… then a instead of b"


@pytest.mark.parametrize(
    ("type_", "wider", "sentence"),
    [
        ("diff-contains", (False, False), ""),
        ("diff-contains", (False, True), "2 is wider: it may also pass code that you do not mean."),
        ("output-matches", (True, True), "1 and 2 are wider: they may also pass output that you do not mean."),
        (
            "transcript-contains",
            (True, True, True),
            "1, 2 and 3 are wider: they may also pass messages that you do not mean.",
        ),
    ],
)
def test_wider_choices_may_pass_more_of_what_the_grader_looks_at(
    type_: str, wider: tuple[bool, ...], sentence: str
) -> None:
    config = GraderConfig(type_, config={"pattern": "x"})
    choices = tuple(Choice("case", "any case", config, passes=True, wider=own) for own in wider)
    assert wider_sentence(Explanation(Explained(0, config), Stance.WHY_NOT, State.FAIL, (), choices)) == sentence
