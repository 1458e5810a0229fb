"""Patterns from a line of the evidence or a selection in it, from literal to general, with what each says of every trial.

Pure but for the engine that it is handed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.graders import Question, ask
from vally_tui.grading.judge import Case, EvidenceSource, judge
from vally_tui.grading.model import GraderConfig, State
from vally_tui.grading.pattern import TYPING_LIMIT, Matcher
from vally_tui.triage.explain.configs import with_pattern
from vally_tui.triage.regex_syntax import escape

LONGEST = 400
"""Code points of a line that a pattern is made from."""
_WORD = re.compile(r"[^\W\d]\w*", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_KEPT = frozenset(
    re.findall(
        r"\w+",
        "def class return raise import from if else elif for while try except with async await function const let var new "
        "throw catch public private protected static void struct enum interface type func fn use package namespace using "
        "export default extends implements case switch break continue lambda yield",
    )
)
"""Words of languages, which say what a line is and are kept where names are generalised."""


class Tally(Struct, frozen=True):
    """What a pattern says of the trials, those recorded as passed, failed and neither told apart."""

    passed_pass: int = 0
    """Recorded as passed, passes."""
    passed_fail: int = 0
    """Recorded as passed, fails."""
    failed_pass: int = 0
    failed_fail: int = 0
    other_pass: int = 0
    """Without a recorded verdict, passes."""
    other_fail: int = 0
    unknown: int = 0
    """Not judged: no evidence, or not in time."""


class Suggestion(Struct, frozen=True):
    """A pattern that could be put into the grader."""

    label: str
    config: GraderConfig
    written: str
    """The pattern."""
    tally: Tally
    valid: bool = True


class Selected(Struct, frozen=True):
    """What the person points at."""

    text: str
    """A row of a diff as it is, with its sign, or a part of one; only the first line is used."""
    whole_row: bool = True
    """Whether ``text`` begins with the sign of its row."""
    file: str | None = None
    """The path of the file that the row is in."""
    is_diff: bool = True
    """False: a text that is no diff, whose rows have no signs."""


def suggest(
    selected: Selected,
    config: GraderConfig,
    trials: Mapping[int, bool | None],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Suggestion, ...] | None:
    """Patterns for a grader's config, the most literal first; None when cancelled.

    ``trials``: the trials that the grader judges, with its recorded verdict on each. Empty for a blank selection, and for a
    grader that is not judged again.
    """
    ways = [(label, with_pattern(config, pattern)) for label, pattern in patterns_from(selected)]
    made = [(label, own, question) for label, own in ways if (question := ask(own)) is not None]
    cases = [Case(trial, question) for _, _, question in made for trial in trials]
    states = [State.PENDING] * len(cases)
    for index, verdict in judge(cases, evidence, matcher, limit=TYPING_LIMIT, cancelled=cancelled):
        states[index] = verdict.state
    if cancelled():
        return None
    found = []
    for number, (label, own, question) in enumerate(made):
        column = states[number * len(trials) : (number + 1) * len(trials)]
        pattern = question.pattern if isinstance(question, Question) else None
        found.append(Suggestion(label, own, pattern.written if pattern else "", _tally(trials, column)))
    return tuple(found)


def _tally(trials: Mapping[int, bool | None], states: list[State]) -> Tally:
    tally = Tally()
    for recorded, state in zip(trials.values(), states, strict=True):
        if state not in (State.PASS, State.FAIL):
            tally = replace(tally, unknown=tally.unknown + 1)
            continue
        was = {True: "passed", False: "failed", None: "other"}[recorded]
        name = f"{was}_{'pass' if state is State.PASS else 'fail'}"
        tally = replace(tally, **{name: getattr(tally, name) + 1})
    return tally


def patterns_from(selected: Selected) -> tuple[tuple[str, str], ...]:
    """(what it is, the pattern) for each way to take a selection, the most literal first, each pattern once."""
    row = selected.text.split("\n", 1)[0].removesuffix("\r")[:LONGEST]
    sign = row[:1] if selected.is_diff and selected.whole_row and row[:1] in ("+", "-", " ") else ""
    code = row[len(sign) :].strip()
    if not code:
        return ()
    ways = [
        ("as it is", escape(code)),
        ("blanks of any length", _general(code, names=False, numbers=False)),
        ("numbers and strings of any kind", _general(code, names=False, numbers=True)),
        ("names of any kind", _general(code, names=True, numbers=True)),
    ]
    loose = ways[1][1]
    if not selected.is_diff:
        return _distinct(ways)
    if sign != "-":
        ways.append(("in an added line", rf"(?m)^\+(?!\+\+ ).*{loose}"))
    else:
        ways.append(("in a removed line", rf"(?m)^-(?!-- ).*{loose}"))
    if selected.file:
        until = r"(?:(?!^diff --git )[^])*?"
        mark = "-" if sign == "-" else r"\+"
        ways.append(
            (
                f"only in {selected.file}",
                rf"(?m)^diff --git .* \"?b/{escape(selected.file)}{until}^{mark}.*{loose}".replace('\\"', '"'),
            )
        )
        folder = selected.file.rpartition("/")[0].split("/")[0]
        if folder:
            ways.append(
                (
                    f"only below {folder}/",
                    rf"(?m)^diff --git .* \"?b/{escape(folder)}/{until}^{mark}.*{loose}".replace('\\"', '"'),
                )
            )
    return _distinct(ways)


def _distinct(ways: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple({pattern: (label, pattern) for label, pattern in reversed(ways)}.values())[::-1]


def _general(code: str, *, names: bool, numbers: bool) -> str:
    """Code as a pattern in which blanks, and if wanted strings and numbers or names, stand for their kind."""
    made, position = "", 0
    while position < len(code):
        taken, pattern = _piece(code, position, names=names, numbers=numbers)
        made += pattern
        position += taken
    return made


def _piece(code: str, position: int, *, names: bool, numbers: bool) -> tuple[int, str]:
    blanks = re.compile(r"[ \t]+").match(code, position)
    if blanks is not None:
        return len(blanks[0]), r"\s+"
    string = _STRING.match(code, position) if numbers else None
    if string is not None:
        return len(string[0]), r"[\"'][^\"']*[\"']".replace('\\"', '"')
    number = _NUMBER.match(code, position) if numbers else None
    if number is not None:
        return len(number[0]), r"\d+(?:\.\d+)?" if "." in number[0] else r"\d+"
    word = _WORD.match(code, position)
    if word is not None:
        general = names and word[0] not in _KEPT
        return len(word[0]), r"\w+" if general else escape(word[0])
    return 1, escape(code[position])
