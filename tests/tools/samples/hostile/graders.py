"""Trials whose graders cannot be right, cannot be judged, or take for ever."""

from __future__ import annotations

from typing import Any

from tests.tools.samples.agent import Json
from tests.tools.samples.hostile import diffs
from tests.tools.samples.hostile.records import contains, lacks, trial
from tests.tools.samples.vally import Say

_REFUSED = Say(False, "Invalid grader config", status="error")


def trials() -> list[Json]:
    """One trial a kind of grader."""
    return [_patterns(), _slow(), _configs(), _turns(), _types(), _names(), _details(), _score()]


def _patterns() -> Json:
    matching_nothing = ["a*", "^", "$", "(?=x)", "(?i)", "(?:)", r"\b"]
    invalid = ["[bad", "(?ii)x", "(?x)a", "(?<n>a)(?<n>b)", "(", "a{2,1}", "*"]
    unlike_elsewhere = [r"\p{L}", r"\Z", "[^]", "(?<=[+]a*)!", r"(a)?\1b", "^.$", r"\k<n>(?<n>a)"]
    graders = [contains(pattern) for pattern in matching_nothing + invalid + unlike_elsewhere]
    return trial("patterns", [*graders, lacks("[")], diff=_diff_of("aaa!\n", "p{L} Z\n"))


def _slow() -> Json:
    timed_out = Say(False, "Grader timed out after 30000 ms", status="error")
    return trial(
        "catastrophic-pattern",
        [contains("(a+)+$"), contains(r"^(.*)+\x00"), contains("a{40}!")],
        said={0: timed_out, 1: timed_out},
        diff=_diff_of("a" * 40 + "!\n"),
    )


def _configs() -> Json:
    configs: list[Any] = [
        {"pattern": "retry", "value": "retry"},
        {},
        None,
        {"pattern": ""},
        {"value": ""},
        {"pattern": 5},
        {"pattern": ["retry"]},
        {"pattern": None, "value": None},
        {"value": {"text": "retry"}},
        {"pattern": "retry", "negate": "yes"},
        ["retry"],
        "retry",
        {"patern": "retry"},
    ]
    graders: list[Json] = [{"type": "diff-contains", "config": config} for config in configs]
    graders += [{"type": "diff-contains"}, {"type": "diff-empty", "config": {"pattern": "x"}}]
    # These are odd but mean something: an unknown key, null beside a value, and no config in two spellings.
    odd: list[Json] = [
        {"type": "diff-contains", "config": {"pattern": "retry", "flags": "i"}},
        {"type": "diff-contains", "config": {"pattern": None, "value": "retry"}},
        {"type": "diff-not-contains", "config": {"pattern": "retry", "negate": False}},
        {"type": "diff-empty", "config": None},
        {"type": "diff-empty", "config": {}},
    ]
    return trial("configs", [*graders, *odd], said=dict.fromkeys(range(len(graders)), _REFUSED), diff=diffs.plain())


def _turns() -> Json:
    turns: list[Any] = ["1", True, -1, 1.5, [0], 10**20]
    graders = [contains("retry", turn=turn) for turn in turns]
    said = dict.fromkeys(range(len(turns)), _REFUSED)
    said[5] = Say(False, f"No diff is available for turn {turns[5]} of this run.")
    return trial("turns-of-graders", graders, said=said, diff=diffs.plain())


def _types() -> Json:
    types = [
        "quantum-judge",
        "constructor",
        "__proto__",
        "toString",
        "",
        "diff-contains ",
        "Diff-Contains",
        "[red]x[/]",
    ]
    graders: list[Json] = [{"type": kind, "config": {"pattern": "retry"}} for kind in types]
    said = {index: Say(index % 2 == 0, f"judged by {kind!r}", 0.5) for index, kind in enumerate(types)}
    return trial("unknown-types", graders, said=said, diff=diffs.plain())


def _names() -> Json:
    names = ["same-name", "same-name", "two\nlines", "\x1b[31mred", "a-very-long-name-" * 18, "", "[link=x]y[/link]"]
    return trial("names-of-graders", [contains("retry", name=name) for name in names], diff=diffs.plain())


def _details() -> Json:
    """Fewer recorded results than graders, in another order, and nested deeply."""
    made = trial("details-and-graders-differ", [contains("retry"), lacks("x"), contains("run")], diff=diffs.plain())
    details = made["gradeResult"]["details"]
    nested: Json = {"name": "leaf", "passed": True, "score": 1}
    for depth in range(60):
        nested = {
            "name": f"level {depth}",
            "passed": True,
            "score": 1,
            "details": [nested],
            "metadata": {"\x1b": depth},
        }
    made["gradeResult"]["details"] = [
        details[1],
        {**details[0], "details": [nested], "evidence": "one\ntwo\n\x1b[2Jthree"},
    ]
    return made


def _score() -> Json:
    made = trial("score-and-details-disagree", [contains("retry"), contains("never there")], diff=diffs.plain())
    made["gradeResult"] |= {"passed": True, "score": 0.99, "evidence": "7/3 graders passed"}
    return made


def _diff_of(*lines: str) -> str:
    return diffs.of({"words.txt": "start\n"}, {"words.txt": "start\n" + "".join(lines)})
