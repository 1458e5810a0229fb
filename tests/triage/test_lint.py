"""Graders that cannot be right, by their syntax and by what they say of trials."""

from collections.abc import Iterator

import pytest

from vally_tui.engine.client import Engine
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, GraderConfig, State, Verdict
from vally_tui.grading.pattern import TimeLimit
from vally_tui.triage.lint import Check, Linted, LintFinding, Severity, lint

CALC = """\
diff --git a/src/calc.py b/src/calc.py
index 852d87b..77f7597 100644
--- a/src/calc.py
+++ b/src/calc.py
@@ -8,3 +8,4 @@
 def divide(a, b):
+    check(b)
     return a / b
"""
OTHER = CALC.replace("check(b)", "assert b")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(20) as running:
        yield running


class Diffs:
    def __init__(self, **more: str) -> None:
        self.texts = {1: CALC, 2: OTHER} | {int(key[1:]): text for key, text in more.items()}

    def holds(self, key: EvidenceKey) -> Absent | int:
        return len(self.texts[key.trial]) if key.trial in self.texts else Absent(Absence.NEVER_RECORDED, "no diff")

    def text(self, key: EvidenceKey) -> str:
        return self.texts[key.trial]


def found(engine: Engine, *configs: GraderConfig, trials: tuple[int, ...] = (1, 2)) -> tuple[LintFinding, ...]:
    graders = [Linted("s", position, config, trials) for position, config in enumerate(configs)]
    findings = lint(graders, engine, Diffs())
    assert findings is not None
    return findings


def contains(pattern: str) -> GraderConfig:
    return GraderConfig("diff-contains", config={"pattern": pattern})


def forbids(pattern: str) -> GraderConfig:
    return GraderConfig("diff-not-contains", config={"pattern": pattern})


@pytest.mark.parametrize(
    ("config", "check", "severity", "sentence"),
    [
        (contains("nowhere"), Check.NEVER_MATCHES, Severity.WARNING, "It matches in none of its 2 trials."),
        (
            contains("(?m)^def"),
            Check.NEVER_MATCHES,
            Severity.ERROR,
            "It can match in no diff: no line of a diff begins with 'def': lines of code begin with +, - or a blank.",
        ),
        (
            contains("x*"),
            Check.ALWAYS_MATCHES,
            Severity.ERROR,
            "The pattern matches the empty text, so it is found in every diff.",
        ),
        (contains("divide"), Check.ALWAYS_MATCHES, Severity.NOTE, "It matches in all of its 2 trials."),
        (forbids("nowhere"), Check.NEVER_FAILS, Severity.NOTE, "It fails in none of its 2 trials."),
        (
            contains("^diff.*calc|check"),
            Check.ANCHORS,
            Severity.WARNING,
            "^ without (?m) means the whole diff, not each line.",
        ),
        (
            contains("src/calc.py|check"),
            Check.PATH_DOT,
            Severity.WARNING,
            "The dot in src/calc.py stands for any character: write \\. for a dot.",
        ),
        (
            contains("def divide.*check"),
            Check.DOT_LINES,
            Severity.WARNING,
            "It matches in none of its 2 trials; with (?s), . crosses lines and 1 match.",
        ),
        (
            contains("(?:b+)+check|check"),
            Check.SLOW,
            Severity.WARNING,
            "(?:b+)+ can take exponential time: repeat what is inside only once.",
        ),
        (contains("[bad"), Check.INVALID, Severity.ERROR, "V8 refuses the pattern: Unterminated character class."),
        (
            contains("(?i:CHECK)"),
            Check.NODE_LEVEL,
            Severity.WARNING,
            "Valid from Node 23 on, an error before: a group switches flags, such as (?i:…).",
        ),
        (
            GraderConfig("diff-contains", config={}),
            Check.INVALID,
            Severity.ERROR,
            "neither pattern nor value is given: give exactly one.",
        ),
    ],
)
def test_each_fault_is_found(
    engine: Engine, config: GraderConfig, check: Check, severity: Severity, sentence: str
) -> None:
    assert (check, severity, sentence) in [
        (finding.check, finding.severity, finding.sentence) for finding in found(engine, config)
    ]


@pytest.mark.parametrize(
    "config",
    [
        contains(r"(?m)^\+.*check"),
        contains("check"),
        forbids("assert b"),
        GraderConfig("diff-contains", config={"value": "check(b)"}),
        GraderConfig("prompt", config={"prompt": "is it tidy?"}),
    ],
)
def test_a_grader_without_fault_has_no_finding(engine: Engine, config: GraderConfig) -> None:
    assert found(engine, config) == ()


def test_the_same_question_twice_is_a_duplicate_whatever_the_names(engine: Engine) -> None:
    one = GraderConfig("diff-contains", name="a", config={"value": "check"})
    other = GraderConfig("diff-contains", name="b", config={"value": "check"})
    turn = GraderConfig("diff-contains", name="c", config={"value": "check"}, turn=1)
    findings = found(engine, one, other, turn)
    assert [(finding.grader, finding.check, finding.sentence) for finding in findings] == [
        (1, Check.DUPLICATE, "It asks the same as grader 1 of this stimulus.")
    ]


def test_a_pattern_that_runs_over_its_limit_is_slow(engine: Engine) -> None:
    graders = [Linted("s", 0, contains("(a+)+$x"), (3,))]
    findings = lint(graders, engine, Diffs(t3="a" * 60), limit=TimeLimit(0.05, 0.0))
    assert findings is not None
    assert "It took too long and was stopped on 1 trial." in [finding.sentence for finding in findings]


def test_one_trial_does_not_tell_that_a_grader_always_says_the_same(engine: Engine) -> None:
    assert found(engine, contains("divide"), forbids("nowhere"), trials=(1,)) == ()


def test_without_trials_only_the_syntax_is_looked_at(engine: Engine) -> None:
    assert [finding.check for finding in found(engine, contains("nowhere"), contains("^def"), trials=())] == [
        Check.NEVER_MATCHES
    ]


def test_a_mended_pattern_is_offered_where_it_is_sure(engine: Engine) -> None:
    finding = next(one for one in found(engine, contains("^diff.*calc|check")) if one.check is Check.ANCHORS)
    assert finding.pattern == "(?m)^diff.*calc|check"


def test_a_cancelled_lint_is_none(engine: Engine) -> None:
    assert lint([Linted("s", 0, contains("x"), (1,))], engine, Diffs(), lambda: True) is None


def test_a_pattern_that_only_its_anchors_keep_from_matching_is_offered_with_them_at_lines(engine: Engine) -> None:
    [finding] = [own for own in found(engine, contains(r"^\+def")) if own.check is Check.NEVER_MATCHES]
    assert finding.pattern == r"(?m)^\+def"


def test_verdicts_that_are_given_are_not_judged(engine: Engine) -> None:
    passes = (Verdict(State.PASS, True, 1, "found"),) * 3
    findings = lint([Linted("s", 0, contains("nowhere"), (1, 2), verdicts=passes)], engine, Diffs())
    assert findings is not None
    assert [finding.sentence for finding in findings] == ["It matches in all of its 3 trials."]
