"""The engine answers as Node does: 4,928 recorded cases, answered by Node 20 and, where it differs, by Node 24."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from vally_tui.engine.client import Engine
from vally_tui.engine.node import NodeLevel
from vally_tui.grading.pattern import Outcome, Pattern, Search

CASES = Path(__file__).parents[1] / "data" / "regex-cases.jsonl"


@dataclass(frozen=True)
class Case:
    pattern: Pattern
    text: str
    error: str | None
    matches: list[list[int]] | None
    """[start, end) in UTF-16 units."""


def cases(newer: bool) -> list[Case]:
    found = []
    for line in CASES.read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        case: dict[str, Any] = json.loads(line)
        answer = case["newer"] if newer and "newer" in case else case
        pattern = Pattern("regex", case["pattern"], case["flags"], case["pattern"])
        found.append(Case(pattern, case["text"], answer["error"], answer["matches"]))
    return found


def split_into_units(text: str) -> str:
    """The same text to JavaScript, but each UTF-16 unit is a character of its own to Python: offsets are then units."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(encoded[at] | encoded[at + 1] << 8) for at in range(0, len(encoded), 2))


@pytest.mark.parametrize(("level", "newer"), [(20, False), (24, True)])
def test_every_recorded_case_agrees_in_validity_message_verdict_count_and_each_offset(
    level: NodeLevel, newer: bool
) -> None:
    expected = cases(newer)
    texts = [split_into_units(case.text) for case in expected]
    searches = [Search(case.pattern, at, spans=1000, count=True) for at, case in enumerate(expected)]
    with Engine(level) as engine:
        answers = dict(engine.search(searches, texts.__getitem__))
        messages = engine.check([case.pattern for case in expected])
        plain = dict(engine.search([Search(case.pattern, at) for at, case in enumerate(expected)], texts.__getitem__))

    assert len(answers) == len(expected) == 4928
    differences = []
    for at, case in enumerate(expected):
        answer = answers[at]
        if case.error is not None:
            ok = (answer.outcome, answer.message) == (Outcome.INVALID, case.error) and messages[at] == case.error
        else:
            assert case.matches is not None
            outcome = Outcome.FOUND if case.matches else Outcome.NOT_FOUND
            ok = answer.outcome is outcome and messages[at] is None and answer.count == len(case.matches)
            ok = ok and [list(span) for span in answer.spans] == case.matches
        if not ok or plain[at].outcome is not answer.outcome:
            differences.append((case, answer, messages[at]))
    assert differences == []
