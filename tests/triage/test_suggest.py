"""Patterns from a line of a diff, and what they say of the trials."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vally_tui.engine.client import Engine
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, GraderConfig
from vally_tui.triage.suggest import Selected, Tally, patterns_from, suggest

CALC = """\
diff --git a/src/calc.py b/src/calc.py
index 852d87b..77f7597 100644
--- a/src/calc.py
+++ b/src/calc.py
@@ -8,3 +8,5 @@
 def divide(a, b):
+    if b == 0:
+        raise ValueError("zero")
     return a / b
"""


STRING = "[\"'][^\"']*[\"']"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(20) as running:
        yield running


class Diffs:
    def __init__(self, texts: dict[int, str]) -> None:
        self.texts = texts

    def holds(self, key: EvidenceKey) -> Absent | int:
        if key.trial not in self.texts:
            return Absent(Absence.NEVER_RECORDED, "no diff is recorded")
        return len(self.texts[key.trial])

    def text(self, key: EvidenceKey) -> str:
        return self.texts[key.trial]


def test_a_line_gives_patterns_from_literal_to_general() -> None:
    selected = Selected('+        raise ValueError("zero", 12)', file="src/calc.py")
    assert patterns_from(selected) == (
        ("as it is", r'raise ValueError\("zero", 12\)'),
        ("blanks of any length", r'raise\s+ValueError\("zero",\s+12\)'),
        ("numbers and strings of any kind", r"raise\s+ValueError\(" + STRING + r",\s+\d+\)"),
        ("names of any kind", r"raise\s+\w+\(" + STRING + r",\s+\d+\)"),
        ("in an added line", r'(?m)^\+(?!\+\+ ).*raise\s+ValueError\("zero",\s+12\)'),
        (
            "only in src/calc.py",
            r'(?m)^diff --git .* "?b/src/calc\.py(?:(?!^diff --git )[^])*?^\+.*raise\s+ValueError\("zero",\s+12\)',
        ),
        (
            "only below src/",
            r'(?m)^diff --git .* "?b/src/(?:(?!^diff --git )[^])*?^\+.*raise\s+ValueError\("zero",\s+12\)',
        ),
    )


def test_a_selection_inside_a_row_has_no_sign() -> None:
    assert patterns_from(Selected("-x", whole_row=False))[0] == ("as it is", "-x")
    assert patterns_from(Selected("-x"))[0] == ("as it is", "x")


def test_a_removed_line_is_looked_for_in_removed_lines() -> None:
    assert ("in a removed line", r"(?m)^-(?!-- ).*x") in patterns_from(Selected("-x"))


@pytest.mark.parametrize("text", ["", "+", "+   ", "\n", " \t"])
def test_a_blank_selection_gives_nothing(text: str) -> None:
    assert patterns_from(Selected(text)) == ()


def test_each_pattern_tells_recorded_passes_and_fails_apart(engine: Engine) -> None:
    other = CALC.replace("ValueError", "TypeError")
    diffs = Diffs({1: CALC, 2: CALC, 3: other, 4: "", 5: CALC})
    trials = {1: True, 2: False, 3: False, 4: None, 5: None, 6: True}
    found = suggest(
        Selected('+        raise ValueError("zero")', file="src/calc.py"),
        GraderConfig("diff-contains", config={"value": "x"}),
        trials,
        engine,
        diffs,
    )
    assert found is not None
    assert found[0].tally == Tally(passed_pass=1, failed_pass=1, failed_fail=1, other_pass=1, other_fail=1, unknown=1)
    assert found[3].label == "names of any kind"
    assert found[3].tally.failed_pass == 2
    assert found[0].config.config == {"pattern": r'raise ValueError\("zero"\)'}


def test_a_cancelled_suggestion_is_none(engine: Engine) -> None:
    config = GraderConfig("diff-contains", config={"value": "x"})
    assert suggest(Selected("+x"), config, {1: None}, engine, Diffs({1: CALC}), lambda: True) is None


def test_a_grader_that_is_not_judged_again_gets_no_patterns(engine: Engine) -> None:
    # Which text turn 0 of an output is does not stand in the record.
    config = GraderConfig("output-matches", config={"pattern": "x"}, turn=0)
    assert suggest(Selected("14 passed", is_diff=False), config, {1: True}, engine, Diffs({1: CALC})) == ()


@settings(max_examples=80, deadline=None)
@given(st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), min_size=1, max_size=60))
def test_every_pattern_finds_the_line_that_it_was_made_from(engine: Engine, code: str) -> None:
    key = hash(code)
    diff = f"diff --git a/src/x.py b/src/x.py\n--- a/src/x.py\n+++ b/src/x.py\n@@ -0,0 +1 @@\n+{code}\n"
    config = GraderConfig("diff-contains", config={})
    found = suggest(Selected(f"+{code}", file="src/x.py"), config, {key: None}, engine, Diffs({key: diff}))
    assert found is not None
    # A line that begins with "++ " looks like the header of a file, and dots do not cross its own line ends.
    plain = not code.startswith("++ ") and not set(code) & set("\r\u2028\u2029")
    assert [one.label for one in found if not one.tally.other_pass and (plain or one.label == "as it is")] == []


def test_a_line_of_a_text_that_is_no_diff_has_no_sign_and_no_file() -> None:
    patterns = dict(patterns_from(Selected("+ 14 passed", is_diff=False)))
    assert patterns["as it is"] == r"\+ 14 passed"
    assert patterns["numbers and strings of any kind"] == r"\+\s+\d+\s+passed"
    assert not any("line" in label or "only" in label for label in patterns)
