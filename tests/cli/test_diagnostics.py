"""Standard error and the exit status: one line for an error, and which status outranks which."""

import io
from itertools import permutations

import pytest

from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.runs.model import IssueKind, LoadIssue


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ([], 0),
        ([ExitStatus.INCOMPLETE], 3),
        ([ExitStatus.INCOMPLETE, ExitStatus.NOT_PASSED], 1),
        ([ExitStatus.INCOMPLETE, ExitStatus.UNUSABLE], 2),
        ([ExitStatus.NOT_PASSED, ExitStatus.UNUSABLE], 2),
        ([ExitStatus.NOT_PASSED, ExitStatus.UNUSABLE, ExitStatus.INCOMPLETE], 2),
    ],
)
def test_the_larger_of_1_and_2_wins_and_either_wins_over_3(found: list[ExitStatus], status: int) -> None:
    for order in permutations(found):
        told = Diagnostics(None)
        for one in order:
            told.found(one)
        assert told.status == status


def test_an_error_is_one_inert_line() -> None:
    stream = io.StringIO()
    told = Diagnostics(stream)
    told.error("no such run: \x1b[2Jevil\nname")
    assert stream.getvalue() == "vally-tui: error: no such run: ␛[2Jevil␊name\n"
    assert told.status == 2


@pytest.mark.parametrize(
    ("kind", "line", "text", "status"),
    [
        (IssueKind.MALFORMED_LINE, 7, "vally-tui: r.jsonl:7: said\n", 3),
        (IssueKind.TOO_LARGE_LINE, 7, "vally-tui: r.jsonl:7: said\n", 3),
        (IssueKind.UNREADABLE_FILE, None, "vally-tui: r.jsonl: said\n", 2),
        # A torn last line may still be finished.
        (IssueKind.TORN_LINE, 7, "vally-tui: r.jsonl:7: said\n", 0),
        (IssueKind.MISTYPED_FIELD, 7, "vally-tui: r.jsonl:7: said\n", 0),
        (IssueKind.EMPTY_FILE, None, "vally-tui: r.jsonl: said\n", 0),
    ],
)
def test_an_issue_has_its_place_and_counts_when_something_was_lost(
    kind: IssueKind, line: int | None, text: str, status: int
) -> None:
    stream = io.StringIO()
    told = Diagnostics(stream)
    told.issue(LoadIssue(kind, "r.jsonl", line, "said"))
    assert (stream.getvalue(), told.status) == (text, status)


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_nobody_reading_standard_error_changes_nothing_but_the_words() -> None:
    told = Diagnostics(Closed())
    told.error("unheard")
    told.error("unheard too")
    assert told.status == 2


def test_a_traceback_is_inert() -> None:
    stream = io.StringIO()
    try:
        raise ValueError("\x1b[31mred")
    except ValueError as error:
        Diagnostics(stream).trace(error)
    assert stream.getvalue().endswith("ValueError: ␛[31mred\n")
    assert "\x1b" not in stream.getvalue()
