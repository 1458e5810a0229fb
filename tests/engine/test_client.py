"""Searches as grading asks for them: JavaScript's verdicts, counts, and places in code points."""

from collections.abc import Hashable
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.conftest import Asking
from vally_tui.engine.client import Engine
from vally_tui.errors import EngineUnavailable
from vally_tui.grading.pattern import Answer, Outcome, Pattern, Search, literal, regex


def test_a_match_is_found_counted_and_placed(ask: Asking) -> None:
    answer = ask.one(regex(r"fo+"), "a foo, fooo")
    assert (answer.outcome, answer.count, list(answer.spans)) == (Outcome.FOUND, 2, [(2, 5), (7, 11)])


def test_a_pattern_that_is_not_there_has_no_match(ask: Asking) -> None:
    assert ask.one(regex("x"), "abc") == Answer(Outcome.NOT_FOUND, count=0)


def test_only_the_verdict_is_given_when_no_more_is_asked_for(ask: Asking) -> None:
    assert ask.one(regex("b"), "abc", spans=0, count=False) == Answer(Outcome.FOUND)


def test_not_more_places_are_given_than_asked_for_but_all_are_counted(ask: Asking) -> None:
    answer = ask.one(regex("a"), "aaaa", spans=2)
    assert (answer.count, list(answer.spans)) == (4, [(0, 1), (1, 2)])


def test_places_without_a_count(ask: Asking) -> None:
    answer = ask.one(regex("a"), "aaaa", spans=2, count=False)
    assert (answer.count, list(answer.spans)) == (None, [(0, 1), (1, 2)])


def test_a_count_without_places(ask: Asking) -> None:
    answer = ask.one(regex("a"), "aaaa", spans=0)
    assert (answer.count, list(answer.spans)) == (4, [])


def test_flags_come_from_the_prefix(ask: Asking) -> None:
    assert list(ask.one(regex("(?im)^B"), "a\nb").spans) == [(2, 3)]


def test_an_empty_match_goes_on_by_one_unit_and_reports_an_astral_character_twice(ask: Asking) -> None:
    # Units 0, 1 (inside the emoji), 2, 3; "a" is matched at 2.
    assert list(ask.one(regex("a?"), "😀a").spans) == [(0, 0), (0, 0), (1, 2), (2, 2)]


def test_half_an_emoji_is_widened_to_all_of_it(ask: Asking) -> None:
    assert list(ask.one(regex("."), "a😀").spans) == [(0, 1), (1, 2), (1, 2)]


def test_an_invalid_pattern_has_v8s_whole_message(ask: Asking) -> None:
    answer = ask.one(regex("(?i)[bad"), "text")
    assert answer == Answer(Outcome.INVALID, "Invalid regular expression: /[bad/i: Unterminated character class")


def test_the_empty_regex_matches_everywhere(ask: Asking) -> None:
    assert list(ask.one(regex("(?i)"), "ab").spans) == [(0, 0), (1, 1), (2, 2)]


def test_the_empty_text_can_be_searched(ask: Asking) -> None:
    assert list(ask.one(regex("^$"), "").spans) == [(0, 0)]


def test_a_literal_is_no_pattern_and_its_places_do_not_overlap(ask: Asking) -> None:
    assert list(ask.one(literal("a.a"), "a.a.a.a").spans) == [(0, 3), (4, 7)]


def test_a_literal_is_case_sensitive(ask: Asking) -> None:
    assert ask.one(literal("A"), "a").outcome is Outcome.NOT_FOUND


def test_a_lone_surrogate_finds_half_an_emoji(ask: Asking) -> None:
    assert list(ask.one(literal("\ud83d"), "x😀").spans) == [(1, 2)]


def test_a_text_with_a_lone_surrogate_is_searched_as_it_is(ask: Asking) -> None:
    assert list(ask.one(regex(r"[\ud800-\udfff]b"), "a😀\ud83db").spans) == [(2, 4)]


def test_a_lone_surrogate_in_a_pattern_is_kept_in_the_message(ask: Asking) -> None:
    answer = ask.one(regex("[\ud83d"), "x")
    assert answer.message == "Invalid regular expression: /[\ud83d/: Unterminated character class"


def test_v8_itself_throwing_is_an_error_of_that_search_alone(ask: Asking) -> None:
    # V8's stack for backtracking is 64 MB; Node 20 to 26 throw here as well.
    ask.texts = {"long": "ab\n" * 4_000_000, "short": "ab\nx"}
    pattern = regex("^(?:.|\n)*x")
    assert ask.all([(pattern, "long"), (pattern, "short")]) == [
        Answer(Outcome.ERROR, "Maximum call stack size exceeded"),
        Answer(Outcome.FOUND),
    ]


def test_a_search_that_throws_and_those_around_it_all_have_their_answer(ask: Asking) -> None:
    ask.texts = {"long": "ab\n" * 4_000_000, **{at: str(at) for at in range(20)}}
    pairs = [(regex("^(?:.|\n)*x"), "long") if at in (3, 11) else (regex("5"), at) for at in range(20)]
    outcomes = [answer.outcome.name for answer in ask.all(pairs)]
    assert outcomes == ["ERROR" if at in (3, 11) else "FOUND" if at in (5, 15) else "NOT_FOUND" for at in range(20)]


def test_patterns_are_checked_without_a_text(ask: Asking) -> None:
    assert ask.engine.check([regex("(a"), regex("a"), literal("(a"), regex("(?ii)a")]) == [
        "Invalid regular expression: /(a/: Unterminated group",
        None,
        None,
        "Invalid flags supplied to RegExp constructor 'ii'",
    ]


def test_patterns_that_were_checked_before_are_answered_beside_new_ones(ask: Asking) -> None:
    ask.engine.check([regex("(b")])
    refused = "Invalid regular expression: /(b/: Unterminated group"
    assert ask.engine.check([regex("c"), regex("(b"), regex("c"), regex("b)")]) == [
        None,
        refused,
        None,
        "Invalid regular expression: /b)/: Unmatched ')'",
    ]


def test_halves_of_a_character_at_the_ends_of_neighbouring_texts_stay_halves(ask: Asking) -> None:
    ask.texts = {"first": "a\ud83d", "second": "\ude00b", "third": "ab"}
    pairs: list[tuple[Pattern, object]] = [
        (regex("^a[\ud83d]$"), "first"),
        (regex("^[\ude00]b$"), "second"),
        (regex("^ab$"), "third"),
    ]
    assert [answer.outcome.name for answer in ask.all(pairs)] == ["FOUND"] * 3


def test_the_older_level_refuses_what_node_20_refuses(ask: Asking) -> None:
    assert ask.engine.check([regex("(?i:a)")]) == ["Invalid regular expression: /(?i:a)/: Invalid group"]
    assert ask.engine.info().node_level == 20


def test_a_text_is_loaded_once_for_many_searches(ask: Asking) -> None:
    ask.texts = {"a": "text"}
    ask.all([(regex("t"), "a"), (literal("x"), "a")])
    ask.all([(regex("e"), "a")])
    assert ask.loaded == ["a"]


def test_a_forgotten_text_is_loaded_again(ask: Asking) -> None:
    ask.texts = {"a": "old", "b": "kept"}
    ask.all([(regex("old"), "a"), (regex("kept"), "b")])
    ask.texts["a"] = "new"
    ask.engine.forget(["a"])
    assert [answer.outcome for answer in ask.all([(regex("new"), "a"), (regex("kept"), "b")])] == [Outcome.FOUND] * 2
    assert ask.loaded == ["a", "b", "a"]


def test_every_text_is_loaded_again_after_all_were_forgotten(ask: Asking) -> None:
    ask.texts = {"a": "old"}
    ask.all([(regex("old"), "a")])
    ask.texts["a"] = "new"
    ask.engine.forget_all()
    assert ask.all([(regex("new"), "a")]) == [Answer(Outcome.FOUND)]


def test_texts_beyond_what_stays_resident_are_streamed() -> None:
    texts = {at: f"text {at} " + "x" * 300 for at in range(200)}
    texts[77] = "wide 中 " * 5000
    searches = [Search(regex(rf"^(text|wide) ({at}|中) "), at) for at in range(200)]
    with Engine(20, resident_bytes=10_000) as engine:
        for _ in range(2):
            answers = dict(engine.search(searches, texts.__getitem__))
            assert answers == dict.fromkeys(range(200), Answer(Outcome.FOUND))


def test_one_text_larger_than_all_that_stays_resident_is_searched() -> None:
    with Engine(20, resident_bytes=1000) as engine:
        asking = Asking(engine)
        asking.texts = {"large": "é" * 3_000_000 + "😀end", "small": "end"}
        answers = asking.all([(regex("end$"), "large"), (regex("^end"), "small"), (regex("😀e"), "large")])
    assert answers == [Answer(Outcome.FOUND)] * 3


def test_places_in_a_text_of_many_slices_are_right(ask: Asking) -> None:
    text = "😀" * 300_000 + "needle" + "中" * 600_000 + "\ud83dneedle"
    answer = ask.one(literal("needle"), text)
    assert list(answer.spans) == [(300_000, 300_006), (900_007, 900_013)]


def test_more_searches_than_one_message_holds_all_have_their_answer(ask: Asking) -> None:
    ask.texts = {at: str(at) for at in range(10_000)}
    answers = ask.all([(regex("^1"), at) for at in range(10_000)])
    assert [at for at in range(10_000) if answers[at].outcome is Outcome.FOUND] == [
        at for at in range(10_000) if str(at).startswith("1")
    ]


def test_more_places_than_the_room_for_them_holds_all_arrive(ask: Asking) -> None:
    ask.texts = dict.fromkeys(range(5), "a" * 60000)
    searches = [Search(regex("a"), at, spans=60_000, count=True) for at in range(5)]
    answers = dict(ask.engine.search(searches, ask.load))
    assert [len(answers[at].spans) for at in range(5)] == [60_000] * 5
    assert all(answers[4].spans[at] == (at, at + 1) for at in (0, 31_337, 59_999))


def test_what_load_raises_ends_the_search_and_the_engine_goes_on(ask: Asking) -> None:
    ask.texts = {"a": "text"}
    with pytest.raises(KeyError, match="gone"):
        ask.all([(regex("t"), "a"), (regex("t"), "gone")])
    assert ask.all([(regex("t"), "a")]) == [Answer(Outcome.FOUND)]


def test_no_search_at_all_is_answered_with_nothing(ask: Asking) -> None:
    assert ask.all([]) == []


def test_an_engine_that_was_closed_says_so() -> None:
    engine = Engine(20)
    engine.close()
    with pytest.raises(EngineUnavailable, match="closed"):
        engine.search([], str)


def naive_places(value: str, text: str) -> list[tuple[int, int]]:
    places, at = [], 0
    while (found := text.find(value, at)) >= 0:
        places.append((found, found + len(value)))
        at = found + len(value)
    return places


@settings(max_examples=100, deadline=None)
@given(text=st.text("ab\n中é", max_size=40), value=st.text("ab\n中é", min_size=1, max_size=3))
def test_a_literal_is_found_where_python_finds_it(shared_engine: Engine, text: str, value: str) -> None:
    answer = Asking(shared_engine).one(literal(value), text, spans=100)
    assert list(answer.spans) == naive_places(value, text)
    assert answer.count == len(naive_places(value, text))


def test_a_search_in_another_thread_ends_the_older_one_and_has_the_worker_to_itself(own: Asking) -> None:
    texts = {at: "text" * at for at in range(1, 300)}
    searches = [Search(regex("x$"), at) for at in texts]
    loading, go_on = Event(), Event()
    older: list[object] = []

    def slow(key: Hashable) -> str:
        loading.set()
        go_on.wait(15)
        return texts[key]  # type: ignore[index]

    thread = Thread(target=lambda: older.extend(own.engine.search(searches, slow)), daemon=True)
    thread.start()
    assert loading.wait(15)
    newer = own.engine.search(searches, texts.__getitem__)
    go_on.set()

    assert [answer.outcome for _, answer in newer] == [Outcome.NOT_FOUND] * len(searches)
    thread.join(15)
    assert not thread.is_alive()
    assert len(older) < len(searches)
