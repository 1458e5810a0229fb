"""What decided a verdict, and what takes weight from a pass, in whole diffs that git made."""

# An empty line of context is one blank.
# ruff: noqa: W293

import pytest

from tests.triage.explain.conftest import Asking, Recorded, choice, contains, forbids
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import GraderConfig, RecordedDetail, State
from vally_tui.triage.explain.doubts import doubts
from vally_tui.triage.explain.explain import explain
from vally_tui.triage.explain.model import Explained, Stance

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

KEY = """\
diff --git a/src/calc.py b/src/calc.py
index 77f7597..4e7fb59 100644
--- a/src/calc.py
+++ b/src/calc.py
@@ -16,4 +16,4 @@ def multiply(a, b):
 
 def main(argv):
     left, right = argv
-    print(divide(float(left), float(right)))
+    print("result", divide(float(left), float(right)))
diff --git a/tests/test_x.py b/tests/test_x.py
new file mode 100644
index 0000000..97aa2d5
--- /dev/null
+++ b/tests/test_x.py
@@ -0,0 +1,3 @@
+import os
+
+API_KEY = "not-a-real-key"
"""


def codes(asking: Asking, config: GraderConfig, text: str, **more: object) -> list[str]:
    explanation = asking.why(config, text, **more)  # type: ignore[arg-type]
    assert explanation.state is State.PASS
    return [finding.code for finding in explanation.findings if finding.doubt]


def test_matches_are_counted_by_the_class_of_their_line(asking: Asking) -> None:
    explanation = asking.why(contains(pattern="retry"), RETRY)
    assert explanation.stance is Stance.WHY_SO
    assert explanation.headline == "/retry/ is found 5 times, but never in a line that the agent added."
    assert explanation.findings[1].sentence == "This pass would stand if the agent had only deleted code."
    assert [(kind.kind, kind.count) for kind in explanation.kinds] == [(LineKind.REMOVED, 1), (LineKind.HEADER, 4)]
    assert [spot.place for spot in explanation.kinds[0].spots] == ["net/retry.py:5"]
    # Both matches of the first row are one place.
    assert [spot.place for spot in explanation.kinds[1].spots] == ["line 1", "line 3", "line 4"]


def test_a_weak_pass_is_offered_patterns_that_say_what_is_meant(asking: Asking) -> None:
    explanation = asking.why(contains(pattern="retry"), RETRY)
    added, code = choice(explanation, "only-added"), choice(explanation, "only-code")
    assert (added.written, added.passes) == (r"(?m)^\+(?!\+\+ ).*retry", False)
    assert (code.written, code.passes, code.count) == (r"(?m)^[+-](?![+-]{2} ).*retry", True, 1)


@pytest.mark.parametrize(
    ("pattern", "text", "code"),
    [
        ("TODO", RETRY, "removed-only"),
        ("def fetch", RETRY, "context-only"),
        ("net/retry", RETRY, "header-only"),
        ("def multiply", KEY, "section-only"),
        ("retry", RETRY, "never-added"),
        ("x*", RETRY, "matches-empty"),
        ("(?i)", RETRY, "matches-empty"),
    ],
)
def test_a_pass_of_little_weight_is_doubted(asking: Asking, pattern: str, text: str, code: str) -> None:
    assert code in codes(asking, contains(pattern=pattern), text)


@pytest.mark.parametrize(
    "pattern",
    [
        "timeout=10",  # in an added line
        r"(?m)^-.*TODO",  # names removed lines itself
        r"(?m)^diff --git a/net/",  # names a header itself
        r"\+\+\+ b/net/retry",
        r"(?m)^ def fetch",  # names unchanged lines itself
        r"^diff[^]*timeout",  # begins in a header and ends in an added line
    ],
)
def test_a_pass_that_is_meant_so_is_not_doubted(asking: Asking, pattern: str) -> None:
    assert codes(asking, contains(pattern=pattern), RETRY) == []


@pytest.mark.parametrize(
    ("config", "text", "code"),
    [
        (forbids(pattern="secret"), "", "empty-diff"),
        (forbids(pattern="^def secret"), KEY, "never-matches"),
        (forbids(pattern="(?m)^import os"), KEY, "never-matches"),
        (forbids(pattern=r"x$\n"), KEY, "never-matches"),
        (contains(value="secret", negate=True), "", "empty-diff"),
    ],
)
def test_a_restraint_that_says_nothing_is_doubted(asking: Asking, config: GraderConfig, text: str, code: str) -> None:
    assert codes(asking, config, text) == [code]


@pytest.mark.parametrize(
    "pattern", [r"(?m)^\+.*secret", "(?m)^diff --git a/secret", "secret", r"(?m)^\s*secret", "^diff"]
)
def test_a_restraint_that_could_have_been_broken_is_not_doubted(asking: Asking, pattern: str) -> None:
    text = RETRY if pattern != "^diff" else "text before\n" + RETRY
    assert codes(asking, forbids(pattern=pattern), text) == []


def test_a_file_that_a_tool_wrote_and_the_diff_lacks_is_named(asking: Asking) -> None:
    explanation = asking.why(forbids(pattern="secret"), RETRY, written=("net/retry.py", ".env", "/tmp/notes"))
    finding = next(finding for finding in explanation.findings if finding.doubt)
    assert finding.sentence == (
        "A recorded tool call wrote .env, which the diff does not show: "
        "it is ignored by git, in a nested repository, or was changed back."
    )


def test_a_blind_spot_takes_weight_from_an_empty_diff(asking: Asking) -> None:
    assert codes(asking, GraderConfig("diff-empty"), "", written=("dist/app.js",)) == ["blind-spot"]
    assert codes(asking, GraderConfig("diff-empty"), "") == []


def test_blind_spots_say_nothing_about_a_grader_that_wants_a_match(asking: Asking) -> None:
    assert codes(asking, contains(pattern="timeout"), RETRY, written=(".env",)) == []


def test_a_pass_of_a_trial_in_error_is_doubted(asking: Asking) -> None:
    assert codes(asking, contains(pattern="timeout"), RETRY, error="timed out") == ["trial-error"]


def test_the_line_that_broke_a_restraint_is_named(asking: Asking) -> None:
    near = asking.near(forbids(pattern=r"(?i)api_key\s*="), KEY)
    assert near is not None
    assert (near.spot.place, near.spot.excerpt, near.words) == ("tests/test_x.py:3", "API_KEY =", "in an added line")


def test_an_added_line_broke_it_before_a_removed_one(asking: Asking) -> None:
    near = asking.near(forbids(pattern="print"), KEY)
    assert near is not None
    assert (near.spot.kind, near.spot.number) == (LineKind.ADDED, 19)


def test_a_restraint_that_was_broken_by_a_removed_line_can_be_sharpened(asking: Asking) -> None:
    config = forbids(pattern="TODO")
    explanation = asking.why(config, RETRY)
    assert explanation.headline == "/TODO/ is found once, in a removed line at net/retry.py:5."
    sharp = choice(explanation, "only-added")
    assert (sharp.written, sharp.passes) == (r"(?m)^\+(?!\+\+ ).*TODO", True)
    assert asking.state(sharp.config, RETRY) is State.PASS


def test_a_restraint_that_was_broken_in_the_tests_can_leave_them_out(asking: Asking) -> None:
    explanation = asking.why(forbids(pattern="API_KEY"), KEY)
    sharp = choice(explanation, "not-in-folder")
    assert sharp.label == "leave tests/ out"
    assert asking.state(sharp.config, KEY) is State.PASS
    assert asking.state(sharp.config, KEY.replace("tests/", "src/")) is State.FAIL


def test_a_restraint_that_was_broken_inside_a_word_can_ask_for_the_whole_word(asking: Asking) -> None:
    explanation = asking.why(forbids(value="real"), KEY.replace("not-a-real-key", "surreal"))
    sharp = choice(explanation, "whole-word")
    assert (sharp.written, sharp.passes) == (r"\breal\b", True)


def test_a_restraint_that_the_agent_broke_is_offered_nothing(asking: Asking) -> None:
    explanation = asking.why(forbids(pattern=r"(?m)^\+.*print\("), KEY)
    assert (explanation.stance, explanation.state, explanation.choices) == (Stance.WHY_SO, State.FAIL, ())


def test_a_diff_that_should_be_empty_is_shown_by_files(asking: Asking) -> None:
    explanation = asking.why(GraderConfig("diff-empty"), KEY)
    assert explanation.headline == "The diff is not empty: 2 files changed, +4 −1."
    assert explanation.changed is not None
    assert [file.path for file in explanation.changed.files] == ["src/calc.py", "tests/test_x.py"]
    assert explanation.near is not None
    assert (explanation.near.spot.place, explanation.near.words) == ("src/calc.py:19", "and 4 more lines")


def test_blanks_are_no_empty_diff(asking: Asking) -> None:
    assert asking.why(GraderConfig("diff-empty"), " \n").headline == "The diff is not empty: it holds blanks."


# Not judged


def test_a_refused_pattern_has_v8s_words_and_what_may_have_been_meant(asking: Asking) -> None:
    explanation = asking.why(contains(pattern=r"(?P<name>def) fetch"), RETRY)
    assert (explanation.stance, explanation.state) == (Stance.WHY_UNJUDGED, State.INVALID)
    assert explanation.headline == "V8 refuses /(?P<name>def) fetch/: Invalid group."
    assert (explanation.choices[0].written, explanation.choices[0].passes) == ("(?<name>def) fetch", True)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("open_url(url", r"open_url\(url"),
        ("url)", r"url\)"),
        ("[url", r"\[url"),
        ("def(?i) FETCH", "(?i)def FETCH"),
        ("(?ii)FETCH", "(?i)FETCH"),
        ("(?>def) fetch", "(?:def) fetch"),
        (r"\w++ fetch", r"\w+ fetch"),
    ],
)
def test_patterns_of_other_dialects_are_mended(asking: Asking, written: str, meant: str) -> None:
    explanation = asking.why(contains(pattern=written), RETRY)
    assert explanation.state is State.INVALID
    assert meant in [own.written for own in explanation.choices]


def test_every_fault_of_a_config_is_a_finding(asking: Asking) -> None:
    explanation = asking.why(contains(pattern="a", value="b", negate=1), RETRY)
    assert [finding.sentence for finding in explanation.findings] == [
        "pattern and value exclude each other: give exactly one.",
        "negate must be true or false, not 1.",
    ]


def test_missing_evidence_is_the_finding_and_the_other_turns_are_looked_at(asking: Asking) -> None:
    grader = GraderConfig("diff-contains", config={"value": "timeout"}, turn=1)
    explanation = asking.why(grader, {0: RETRY, None: RETRY}, turns=(0, 1), single_turn=False)
    assert (explanation.stance, explanation.headline) == (Stance.WHY_UNJUDGED, "turn 1 is missing")
    assert [answer.state for answer in explanation.turns] == [State.PASS, State.NO_EVIDENCE, State.PASS]


def test_a_grader_that_is_not_judged_again_has_what_was_recorded(asking: Asking) -> None:
    recorded = RecordedDetail("tidy", None, "prompt", False, 0.0, "success", evidence="It is not tidy.")
    subject = Explained(1, GraderConfig("prompt", name="tidy"), recorded=recorded)
    explanation = explain(subject, asking.engine, Recorded({None: ""}))
    assert explanation is not None
    assert (explanation.stance, explanation.state) == (Stance.WHY_UNJUDGED, State.RECORDED)
    assert explanation.findings[-1].sentence == "It is not tidy."


def test_a_cancelled_explanation_is_none(asking: Asking) -> None:
    subject = Explained(1, contains(pattern="x"))
    assert explain(subject, asking.engine, Recorded({None: RETRY}), lambda: True) is None


# Many passes at once


def test_doubts_of_many_passes_are_those_of_each(asking: Asking) -> None:
    asking.trial += 1
    texts = Recorded({None: RETRY})
    configs = [
        contains(pattern="TODO"),
        contains(pattern="timeout=10"),
        forbids(pattern="^def"),
        contains(pattern="x*"),
    ]
    subjects = [Explained(10_000, config) for config in configs]
    found = doubts(subjects, asking.engine, texts)
    assert found is not None
    assert {index: finding.code for index, finding in found.items()} == {
        0: "removed-only",
        2: "never-matches",
        3: "matches-empty",
    }
    assert doubts(subjects, asking.engine, texts, lambda: True) is None
