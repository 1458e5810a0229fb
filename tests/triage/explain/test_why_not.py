"""What would have been found, in whole diffs that git made."""

# An empty line of context is one blank.
# ruff: noqa: W293

from collections.abc import Mapping

import pytest

from tests.triage.explain.conftest import Asking, Hurried, choice, contains
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import GraderConfig, State
from vally_tui.triage.explain.model import Stance
from vally_tui.triage.explain.probe import budget_for

CALC = '''\
diff --git a/src/calc.py b/src/calc.py
index 852d87b..77f7597 100644
--- a/src/calc.py
+++ b/src/calc.py
@@ -3,7 +3,10 @@
 import sys
 
 
-def divide(a, b):
+def divide(a: float, b: float) -> float:
+    """Divide a by b; b must not be zero."""
+    if b == 0:
+        raise ValueError("cannot divide by zero")
     return a / b
 
 
'''

RETRY = """\
diff --git a/net/retry.py b/net/retry.py
index 71442c7..85c3174 100644
--- a/net/retry.py
+++ b/net/retry.py
@@ -2,5 +2,4 @@
 
 
 def fetch(url):
-    # TODO: retry on timeouts
-    return open_url(url)
+    return open_url(url, timeout=10)
"""

CRLF_AND_QUOTED = (
    'diff --git "a/src/caf\\303\\251.py" "b/src/caf\\303\\251.py"\n'
    "index 7d4290a..407de30 100644\n"
    '--- "a/src/caf\\303\\251.py"\n'
    '+++ "b/src/caf\\303\\251.py"\n'
    "@@ -1 +1 @@\n"
    "-x = 1\n"
    "+x = 2\n"
    "diff --git a/src/set.cfg b/src/set.cfg\n"
    "index 25b87d1..f7d717a 100644\n"
    "--- a/src/set.cfg\n"
    "+++ b/src/set.cfg\n"
    "@@ -1,2 +1,3 @@\n"
    ' name = "a"\r\n'
    "-size = 1\r\n"
    "+size = 2\r\n"
    '+kind = "b"\r\n'
)


@pytest.mark.parametrize(
    ("config", "diff", "code", "written", "place", "excerpt"),
    [
        # case
        ({"value": "DEF DIVIDE"}, CALC, "case", "(?i)DEF DIVIDE", "src/calc.py:6", "def divide"),
        ({"pattern": r"\bvalueerror\("}, CALC, "case", r"(?i)\bvalueerror\(", "src/calc.py:9", "ValueError("),
        # quotes
        (
            {"pattern": r"raise ValueError\('"},
            CALC,
            "quotes",
            "raise ValueError\\(['\"]",
            "src/calc.py:9",
            'raise ValueError("',
        ),
        # anchors at lines
        ({"pattern": r"^\+    if b"}, CALC, "lines", r"(?m)^\+    if b", "src/calc.py:8", "+    if b"),
        ({"pattern": r"== 0:$"}, CALC, "lines", "(?m)== 0:$", "src/calc.py:8", "== 0:"),
        # the dot across lines
        ({"pattern": r"if b.*ValueError"}, CALC, "dotall", "(?s)if b.*ValueError", "src/calc.py:8", "if b == 0:"),
        # blanks and carriage returns
        ({"value": "raise  ValueError"}, CALC, "blanks", r"raise\s+ValueError", "src/calc.py:9", "raise ValueError"),
        (
            {"value": "size = 2\n+kind"},
            CRLF_AND_QUOTED,
            "blanks",
            r"size\s+=\s+2\s+\+kind",
            "src/set.cfg:2",
            "size = 2\r",
        ),
        ({"value": "divide(a:float"}, CALC, "spacing", r"divide\s*\(\s*a\s*:\s*float", "src/calc.py:6", "divide(a: float"),
        # the sign column of a diff
        ({"pattern": "(?m)^def divide"}, CALC, "column", "(?m)^[ +-]def divide", "src/calc.py:6", "-def divide"),
        (
            {"value": "    if b == 0:\n        raise"},
            CALC,
            "column",
            r"    if b == 0:\r?\n[ +-]        raise",
            "src/calc.py:8",
            "    if b == 0:",
        ),
        # only in lines that were not added
        ({"pattern": r"(?m)^\+.*TODO"}, RETRY, "sign", "(?m)^[ +-].*TODO", "net/retry.py:5", "-    # TODO"),
        ({"pattern": r"(?m)^\+.*71442c7"}, RETRY, "anywhere", "71442c7", "line 2", "71442c7"),
        # paths
        (
            {"pattern": "(?m)^diff --git src/calc"},
            CALC,
            "prefix",
            "(?m)^diff --git (?:[a-z]/)?src/calc",
            "line 1",
            "diff --git a/src/calc",
        ),
        (
            {"value": "src/café.py"},
            CRLF_AND_QUOTED,
            "spelling",
            r"src/caf(?:é|\\303\\251)\.py",
            "line 1",
            "src/caf\\303\\251.py",
        ),
        # a literal read as a regex, a regex read literally
        ({"value": r"def \w+\("}, CALC, "as-regex", r"def \w+\(", "src/calc.py:6", "def divide("),
        ({"value": "/def divide/"}, CALC, "slashes", "def divide", "src/calc.py:6", "def divide"),
        ({"pattern": "divide(a, b)"}, CALC, "as-literal", r"divide\(a, b\)", "src/calc.py:6", "divide(a, b)"),
        # escapes of YAML
        ({"pattern": r"\\bdef\\b"}, CALC, "yaml-escape", r"\bdef\b", "src/calc.py:6", "def"),
        ({"pattern": "\bdef"}, CALC, "yaml-escape", r"\bdef", "src/calc.py:6", "def"),
        ({"value": r"raise ValueError(\"cannot"}, CALC, "yaml-escape", 'raise ValueError("cannot', "src/calc.py:9",
         'raise ValueError("cannot'),
        # a slip of the pen
        ({"value": "raise ValueEror("}, CALC, "typo", "raise ValueError(", "src/calc.py:9", "raise ValueError("),
        ({"pattern": r"\bdef divde\("}, CALC, "typo", r"\bdef divide\(", "src/calc.py:6", "def divide("),
        # parts
        ({"pattern": r"def divide\(self"}, CALC, "end-earlier", r"def divide\(", "src/calc.py:6", "def divide("),
        ({"pattern": r"return ValueError\("}, CALC, "begin-later", r"ValueError\(", "src/calc.py:9", "ValueError("),
        ({"pattern": r"my ValueError here"}, CALC, "only-the-word", "ValueError", "src/calc.py:9", "ValueError"),
    ],
)  # fmt: skip
def test_the_change_that_helps_is_offered_with_its_place(
    asking: Asking, config: Mapping[str, object], diff: str, code: str, written: str, place: str, excerpt: str
) -> None:
    explanation = asking.why(contains(**config), diff)
    assert (explanation.stance, explanation.state) == (Stance.WHY_NOT, State.FAIL)
    offered = choice(explanation, code)
    assert offered.written == written
    assert (offered.spots[0].place, offered.spots[0].excerpt) == (place, excerpt)
    assert offered.passes
    assert asking.state(offered.config, diff) is State.PASS


def test_two_changes_are_put_together_where_one_is_not_enough(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"RAISE ValueError\('"), CALC)
    assert explanation.choices[0].code == "quotes+case"
    assert explanation.choices[0].written == """(?i)RAISE ValueError\\(['"]"""


def test_of_many_changes_only_the_needed_ones_are_offered(asking: Asking) -> None:
    explanation = asking.why(contains(value="if B == 0:\n  raise ValueError('"), CALC)
    assert explanation.choices[0].code == "quotes+case+column+blanks"


def test_the_smallest_change_is_first(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"raise ValueError\('"), CALC)
    assert [own.code for own in explanation.choices] == ["quotes", "end-earlier", "only-the-word"]
    assert [own.wider for own in explanation.choices] == [False, True, True]


def test_the_first_sentence_says_where_it_is_not(asking: Asking) -> None:
    assert (
        asking.why(contains(pattern="retries"), CALC).headline == "/retries/ is nowhere in the 16 lines of this diff."
    )
    assert asking.why(contains(value="a\nb"), CALC).headline == '"a\\nb" is nowhere in the 16 lines of this diff.'


def test_it_is_said_up_to_where_the_pattern_matches(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"def divide\(a: float, c"), CALC)
    stop = next(finding for finding in explanation.findings if finding.code == "stops")
    assert stop.sentence == "It matches up to def divide\\(a: float,  in src/calc.py:6, then wants c, finds b."
    assert stop.spot is not None
    assert stop.spot.kind is LineKind.ADDED
    assert CALC[stop.spot.start : stop.spot.end] == "def divide(a: float, "


def test_a_pattern_stops_inside_a_group_where_that_is_nearer(asking: Asking) -> None:
    near = asking.near(contains(pattern=r"def divide(?:\(a: float, b: int\)|\(x)"), CALC)
    assert near is not None
    assert (near.upto, near.wants, near.finds) == (r"def divide(?:\(a: float, b: )", "int", "float")


def test_a_beginning_in_another_case_is_near_where_none_is_in_this_case(asking: Asking) -> None:
    near = asking.near(contains(pattern=r"(?m)^\+.*VALUERROR"), CALC.replace("ValueError", "ValueFault"))
    assert near is not None
    assert (near.upto, near.words) == (r"(?im)^\+.*VALUE", "then Fault instead of RROR")


def test_nothing_near_is_said_to_be_so_and_what_was_changed_is_shown(asking: Asking) -> None:
    explanation = asking.why(contains(pattern="frobnicate"), RETRY)
    assert explanation.choices == ()
    assert explanation.findings[-1].sentence == "Nothing in this diff comes near it."
    assert explanation.changed is not None
    assert (explanation.changed.total, explanation.changed.added, explanation.changed.removed) == (1, 1, 2)
    assert explanation.changed.files[0].path == "net/retry.py"
    assert explanation.near is None


def test_what_was_of_no_help_is_told(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"^raise  KeyError\('"), CALC)
    assert explanation.in_vain == (
        "flags i, m", "either quote", "the sign column of a diff line", "blanks of any length", "blanks anywhere",
        "read literally",
    )  # fmt: skip


def test_an_empty_diff_is_named_as_the_reason(asking: Asking) -> None:
    assert asking.why(contains(pattern="x"), "").headline == "/x/ is not found: the diff is empty."


def test_a_pattern_that_can_match_no_diff_is_told_why(asking: Asking) -> None:
    explanation = asking.why(contains(pattern="(?m)^def divide"), CALC)
    assert explanation.findings[1].sentence == (
        "It can match in no diff: no line of a diff begins with 'def divide': lines of code begin with +, - or a blank."
    )


def test_what_stands_only_in_removed_lines_is_said_so(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"(?m)^\+.*TODO"), RETRY)
    finding = next(finding for finding in explanation.findings if finding.code == "other-lines")
    assert finding.sentence == "What it wants stands only in removed lines."


@pytest.mark.parametrize(
    ("config", "words", "excerpt"),
    [
        (r"raise ValueError\('", "then \" instead of '", "raise ValueError("),
        (r"def divide\(self", "then a instead of self", "def divide("),
        ("(?m)^def divide", "behind the sign column", "-def divide"),
        ("DEF divide", "in another case", "def divide"),
        (r"raise ValueError\($", 'then " instead of $', "raise ValueError("),
    ],
)
def test_the_near_place_of_the_main_screen(asking: Asking, config: str, words: str, excerpt: str) -> None:
    near = asking.near(contains(pattern=config), CALC)
    assert near is not None
    assert (near.words, near.spot.excerpt) == (words, excerpt)


def test_a_scrap_of_a_pattern_is_not_near(asking: Asking) -> None:
    assert asking.near(contains(pattern="return KeyError from the whole thing"), CALC) is None


def test_another_turn_and_the_whole_run_are_offered_for_a_grader_of_a_turn(asking: Asking) -> None:
    grader = GraderConfig("diff-contains", config={"value": "TODO"}, turn=1)
    explanation = asking.why(grader, {0: RETRY, 1: CALC, None: RETRY + CALC}, turns=(0, 1), single_turn=False)
    assert [(own.code, own.config.turn) for own in explanation.choices][1:] == [("other-turn", 0)]
    assert explanation.choices[0].code == "whole-run"
    assert [(answer.turn, answer.state, answer.own) for answer in explanation.turns] == [
        (0, State.PASS, False),
        (1, State.FAIL, True),
        (None, State.PASS, False),
    ]


def test_a_turn_without_evidence_is_not_offered(asking: Asking) -> None:
    grader = GraderConfig("diff-contains", config={"value": "TODO"}, turn=1)
    explanation = asking.why(grader, {1: CALC}, turns=(0, 1, 2), single_turn=False)
    assert explanation.choices == ()
    assert [answer.state for answer in explanation.turns] == [
        State.NO_EVIDENCE,
        State.FAIL,
        State.NO_EVIDENCE,
        State.NO_EVIDENCE,
    ]


def test_what_there_was_no_time_for_is_not_said_to_have_been_tried(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"raise ValueError\('"), CALC, matcher=Hurried(asking.engine, 1))
    assert explanation.exhausted
    assert explanation.in_vain == ()
    assert explanation.choices == ()
    assert [finding.code for finding in explanation.findings] == ["not-found", "nothing-near-in-time"]


@pytest.mark.parametrize("searches", range(2, 60, 3))
def test_what_would_help_is_never_said_to_be_of_no_help_however_little_time_there_was(
    asking: Asking, searches: int
) -> None:
    explanation = asking.why(contains(pattern=r"raise ValueError\('"), CALC, matcher=Hurried(asking.engine, searches))
    assert "either quote" not in explanation.in_vain
    assert explanation.exhausted or choice(explanation, "quotes")


@pytest.mark.parametrize(("length", "most"), [(0, 3.0), (200_000, 3.0), (200_001, 1.2)])
def test_a_small_diff_has_time_enough_also_on_a_busy_machine(length: int, most: float) -> None:
    assert budget_for(length).most == most
