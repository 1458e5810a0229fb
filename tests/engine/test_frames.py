"""Messages on a pipe."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from vally_tui.engine.frames import Frame, Results, Splitter, pack


def test_a_lone_surrogate_in_a_header_arrives_as_it_was() -> None:
    [frame] = Splitter().feed(pack({"do": "check", "patterns": [["regex", "\ud83d", ""]]}))
    assert frame.header["patterns"] == [["regex", "\ud83d", ""]]


def test_the_parts_of_a_body_arrive_as_one() -> None:
    assert list(Splitter().feed(pack({}, b"one", b"", b"two"))) == [Frame({}, b"onetwo")]


@given(st.lists(st.binary(max_size=20), max_size=5), st.integers(1, 7))
def test_frames_arrive_whole_and_in_order_however_the_bytes_are_cut(bodies: list[bytes], step: int) -> None:
    stream = b"".join(pack({"n": at}, body) for at, body in enumerate(bodies))
    splitter = Splitter()
    got = [frame for at in range(0, len(stream), step) for frame in splitter.feed(stream[at : at + step])]
    assert got == [Frame({"n": at}, body) for at, body in enumerate(bodies)]


def test_results_are_read_as_they_were_written() -> None:
    results = Results(b"\x02\x01", array("i", [3, -1]), array("I", [2, 0]), array("I", [0, 4]), array("I", [1, 9]))
    assert Results.from_bytes(results.to_bytes(), jobs=2, spans=2) == results
