"""Whether a file can be a results file at all."""

import io

import pytest

from vally_tui.runs.peek import may_hold_records


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", True),
        (b'{"a": 1}\n', True),
        (b'{"a": ', True),
        (b"words\n", False),
        (b'words\n{"a": 1}\n', True),
        # Longer than what is looked at of a line.
        (b'{"a": "' + b"x" * (3 << 20) + b'"}\n', True),
        (b"x" * (1 << 20) + b'{"a": 1}\n', False),
    ],
)
def test_a_file_holds_records_or_has_just_begun(content: bytes, expected: bool) -> None:
    assert may_hold_records(io.BytesIO(content)) is expected
