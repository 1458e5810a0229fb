"""A text in any case: verdicts, counts and places as JavaScript's ``toLowerCase`` makes them; expected ones by Node 20."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.conftest import Asking
from vally_tui.engine.client import Engine
from vally_tui.grading.pattern import Outcome, Search, folded

NODE = shutil.which("node")

# Folds both whole, walks the places in the folded text, and maps each unit back by folding each character for itself.
BY_NODE = """
const units = s => s.match(/[^]/gu) ?? [];
function places(text, value) {
  const low = text.toLowerCase(), wanted = value.toLowerCase();
  const begin = [], finish = [];
  let point = 0;
  for (const c of units(text)) {
    for (let i = 0; i < c.toLowerCase().length; i++) { begin.push(point); finish.push(point + 1); }
    point++;
  }
  if (begin.length !== low.length) throw new Error("the folded text is not that of its characters");
  const found = [];
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + wanted.length)) {
    found.push([begin[at], finish[at + wanted.length - 1]]);
  }
  return found;
}
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(([text, value]) => places(text, value))));
"""

CHARACTERS = "aAbBiIıİ\u0307kK\u212aσΣςοΟß\u1e9eǅéÉ𐐀𐐨🌍 -.\n"


def by_node(cases: Sequence[tuple[str, str]]) -> list[list[list[int]]]:
    assert NODE is not None
    done = subprocess.run([NODE, "-e", BY_NODE], input=json.dumps(cases), capture_output=True, text=True, check=True)
    found: list[list[list[int]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("text", "value", "places"),
    [
        ("Say WARNING twice: warning", "Warning", [(4, 11), (19, 26)]),
        ("aaaa", "AA", [(0, 2), (2, 4)]),
        ("nothing", "x", []),
        ("", "x", []),
        # İ becomes i and a dot above: two units for one.
        ("in İstanbul, İZMİR", "İSTANBUL", [(3, 11)]),
        ("İİx", "X", [(2, 3)]),
        ("xİ", "i", [(1, 2)]),
        ("xİy", "\u0307Y", [(1, 3)]),
        # Without the dot it is another word.
        ("Istanbul", "İSTANBUL", []),
        # A sigma at the end of a word is folded otherwise than one inside.
        ("ΟΔΟΣ", "οδος", [(0, 4)]),
        ("ΟΔΟΣ", "ΟΔΟΣ", [(0, 4)]),
        ("ΟΔΟΣ", "ΔΟΣΑ", []),
        ("ΟΔΟΣΑ", "ΟΔΟΣ", []),
        # What has no case of its own in lower case is not folded into two letters.
        ("STRASSE", "straße", []),
        ("5 \u212a", "5 K", [(0, 3)]),
        # Beyond U+FFFF: offsets are code points.
        ("🌍 𐐀", "𐐨", [(2, 3)]),
        ("🌍İ🌍b", "B", [(3, 4)]),
    ],
)
def test_the_places_are_those_of_the_text_as_it_is(
    ask: Asking, text: str, value: str, places: list[tuple[int, int]]
) -> None:
    answer = ask.one(folded(value), text)
    assert answer.outcome is (Outcome.FOUND if places else Outcome.NOT_FOUND)
    assert list(answer.spans) == places
    assert answer.count == len(places)
    if NODE is not None:
        assert by_node([(text, value)]) == [[list(place) for place in places]]


def test_a_lone_surrogate_is_folded_as_itself(ask: Asking) -> None:
    assert list(ask.one(folded("\ud83cA"), "b\ud83ca").spans) == [(1, 3)]


def test_only_one_character_becomes_longer_in_lower_case(ask: Asking) -> None:
    """What the mapping of places rests on, asked of V8 itself: a longer one would move what stands behind it."""
    every = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, sys.maxunicode + 1)]))
    answer = ask.one(folded(every[-1]), every)
    assert list(answer.spans) == [(len(every) - 1, len(every))]
    assert [character for character in every if len(character.lower()) != 1] == ["İ"]


def test_several_texts_and_values_in_one_pass_do_not_mix(ask: Asking) -> None:
    ask.texts = {"a": "İA", "b": "İB", "c": "ab"}
    pairs = [(folded(value), key) for value in ("A", "B") for key in "abc"]
    searches = [Search(pattern, key, 5, count=True) for pattern, key in pairs]
    answers = dict(ask.engine.search(searches, ask.load))
    assert [list(answers[at].spans) for at in range(6)] == [[(1, 2)], [], [(0, 1)], [], [(1, 2)], [(1, 2)]]


def test_nothing_about_it_is_invalid(ask: Asking) -> None:
    assert ask.engine.check([folded("(?i)[bad"), folded("")]) == [None, None]


@pytest.mark.skipif(NODE is None, reason="compares with Node")
def test_random_texts_give_the_places_that_node_finds(shared_engine: Engine) -> None:
    pieces = st.text(st.sampled_from(CHARACTERS), max_size=12)
    values = st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=3)

    @settings(max_examples=8, deadline=None)
    @given(st.lists(st.tuples(pieces, values), min_size=200, max_size=200))
    def check(cases: list[tuple[str, str]]) -> None:
        searches = [Search(folded(value), at, spans=50, count=True) for at, (_, value) in enumerate(cases)]
        shared_engine.forget_all()
        answers = dict(shared_engine.search(searches, lambda at: cases[int(str(at))][0]))
        found = [[list(span) for span in answers[at].spans] for at in range(len(cases))]
        assert found == by_node(cases)

    check()
