import pytest

from vally_tui.runs.shapes import Malformed, RecordShape, read_json, read_shape


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'"\\udcb2"', "\udcb2"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\xff"', "�"),
        (b'"\xed\xa0\x80"', "���"),
        (b"1e999", float("inf")),
        (b"9" * 5000, float("inf")),
        (b"1.0", 1.0),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'"\\u0000"', "\0"),
    ],
)
def test_json_is_taken_as_node_takes_it(text: bytes, value: object) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize(
    "text", [b"NaN", b"[Infinity]", b"-Infinity", b"{'a':1}", b"[1,]", b"01", b"", b"\xef\xbb\xbf{}"]
)
def test_what_json_parse_refuses_is_malformed(text: bytes) -> None:
    assert isinstance(read_json(text), Malformed)


@pytest.mark.parametrize(
    "text", [b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b'{"x":' + b"[" * 100_000]
)
def test_nesting_too_deep_is_malformed(text: bytes) -> None:
    assert isinstance(read_json(text), Malformed)
    assert isinstance(read_shape(text), Malformed)


def test_the_place_of_a_fault_is_told() -> None:
    assert read_shape(b'{"type" 1}') == Malformed("expecting ':' delimiter at character 9")
    assert read_shape(b'{"type":"\x01"}') == Malformed("invalid control character at character 10")


def test_a_wrong_type_leaves_the_other_fields_readable() -> None:
    shape = read_shape(
        b'{"type":"trial-result","trajectory":7,"gradeResult":{"passed":true,"details":[{"name":"a"},4]}}'
    )
    assert isinstance(shape, RecordShape)
    assert shape.trajectory == 7
    assert shape.grade_result.passed is True
    assert shape.grade_result.details[1] == 4


SURROGATE = b'{"stimulus":"\\ud800","events":['


def test_what_needs_the_slow_decoder_is_read_whatever_its_length() -> None:
    shape = read_shape(SURROGATE + b'"' + b"x" * 5_000_000 + b'"]}')
    assert isinstance(shape, RecordShape)
    assert shape.stimulus == "\ud800"


def test_what_would_keep_the_slow_decoder_busy_for_seconds_is_malformed() -> None:
    assert isinstance(read_shape(SURROGATE + b"1," * 990_000 + b"1]}"), RecordShape)
    assert read_shape(SURROGATE + b"1," * 1_000_000 + b"1]}") == Malformed(
        "it is no plain JSON, and with more than 1,000,000 values it takes too long to read"
    )
