"""Explanations of output and transcript graders: the same questions, without what only a diff has."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from tests.triage.explain.conftest import choice
from vally_tui.engine.client import Engine
from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, GraderConfig, RecordedDetail, State
from vally_tui.triage.explain.explain import explain, nearly
from vally_tui.triage.explain.model import Explained, Explanation
from vally_tui.triage.lint import Check, Linted, lint

OUTPUT = "⚠️ Warning: all data is lost.\n\n+ Run `azd down`.\n"


class Said:
    """The texts of one trial, by what they are."""

    def __init__(self, texts: Mapping[Subject, str]) -> None:
        self.texts = texts

    def holds(self, key: EvidenceKey) -> Absent | int:
        if key.subject not in self.texts or key.turn is not None:
            return Absent(Absence.NEVER_RECORDED, "not recorded")
        return len(self.texts[key.subject])

    def text(self, key: EvidenceKey) -> str:
        return self.texts.get(key.subject, "")


def grader(type_: str, **config: object) -> GraderConfig:
    return GraderConfig(type_, config=config)


def why(engine: Engine, config: GraderConfig, output: str = OUTPUT, messages: str = "") -> Explanation:
    engine.forget_all()
    texts = {Subject.OUTPUT: output, Subject.TRANSCRIPT: messages, Subject.DIFF: "+Warning\n"}
    found = explain(Explained(1, config, turns=(0, 1)), engine, Said(texts))
    assert found is not None
    return found


def test_a_text_that_is_there_in_another_case_is_offered_as_one_in_any_case(engine: Engine) -> None:
    found = why(engine, grader("output-contains", substring="WARNING", case_sensitive=True))
    assert found.headline == '"WARNING" is nowhere in the 3 lines of this output.'
    any_case = choice(found, "case")
    assert any_case.config == grader("output-contains", substring="WARNING")
    assert [(spot.place, spot.excerpt) for spot in any_case.spots] == [("line 1", "Warning")]


def test_a_pattern_that_was_meant_literally_is_offered_as_one(engine: Engine) -> None:
    found = why(engine, grader("output-matches", pattern="f(x)"), "calls f(x) once")
    assert choice(found, "as-literal").config == grader("output-matches", pattern=r"f\(x\)")


def test_a_text_that_needs_a_pattern_is_offered_as_one_of_the_other_type(engine: Engine) -> None:
    found = why(engine, grader("output-contains", substring="Run azd  down", case_sensitive=True), "run: azd\tdown")
    assert found.choices
    assert all(
        each.config.type == "output-contains" or set(each.config.config) == {"pattern"}  # type: ignore[call-overload]
        for each in found.choices
    )


def test_what_only_the_earlier_messages_hold_is_offered_in_all_messages(engine: Engine) -> None:
    found = why(engine, grader("output-contains", substring="password"), messages="Your password?\n" + OUTPUT)
    elsewhere = choice(found, "in-messages")
    assert elsewhere.config == grader("transcript-contains", substring="password")
    assert elsewhere.spots[0].place == "line 1 of the messages"


@pytest.mark.parametrize(
    "config", [grader("output-matches", pattern=r"^\+ Run$"), grader("output-contains", value="x")]
)
def test_nothing_is_said_of_signs_files_turns_or_headers(engine: Engine, config: GraderConfig) -> None:
    found = why(engine, config)
    told = " ".join(
        [*(each.sentence for each in found.findings), *found.in_vain, *(each.label for each in found.choices)]
    )
    assert not any(word in told for word in ("diff", "sign", "added", "a/", "turn"))
    assert (found.changed, found.turns) == (None, ())


def test_a_pass_is_no_less_worth_for_the_kind_of_its_lines(engine: Engine) -> None:
    found = why(engine, grader("output-matches", pattern="(?i)warning"))
    assert [(each.sentence, each.doubt) for each in found.findings] == [
        ("/(?i)warning/ is found once at line 1.", None)
    ]


def test_a_pattern_that_matches_nothing_in_particular_is_doubted_in_the_words_of_the_output(engine: Engine) -> None:
    found = why(engine, grader("output-matches", pattern="x*"))
    assert "The pattern matches the empty text, so it is found in every output." in [
        each.sentence for each in found.findings
    ]


def test_a_restraint_on_an_output_that_is_empty_says_so(engine: Engine) -> None:
    found = why(engine, grader("output-not-contains", substring="x"), "")
    assert "The output is empty: there is nothing that it could be found in." in [
        each.sentence for each in found.findings
    ]


def test_what_broke_a_restraint_is_named_by_its_line(engine: Engine) -> None:
    engine.forget_all()
    subject = Explained(1, grader("transcript-not-contains", substring="azd"))
    near = nearly(subject, engine, Said({Subject.TRANSCRIPT: OUTPUT}))
    assert near is not None
    assert (near.spot.place, near.spot.excerpt, near.words) == ("line 3 of the messages", "azd", "")
    assert near.spot.subject is Subject.TRANSCRIPT


def test_a_grader_of_a_turn_says_why_its_recorded_verdict_stays(engine: Engine) -> None:
    recorded = RecordedDetail("a", None, None, False, 0, "success", evidence="Output does not match")
    subject = Explained(1, replace(grader("output-matches", pattern="x"), turn=0), recorded=recorded)
    found = explain(subject, engine, Said({}))
    assert found is not None
    assert (found.state, [each.sentence for each in found.findings]) == (
        State.RECORDED,
        [
            "It has turn 0: the record does not say which text that is; the recorded verdict stays.",
            "Output does not match",
        ],
    )


def test_lint_looks_at_them_without_the_rules_of_diffs(engine: Engine) -> None:
    engine.forget_all()
    graders = [
        Linted("a", 0, grader("output-matches", pattern=r"^\+\+\+ b/calc.py$"), (1,)),
        Linted("a", 1, grader("output-contains", substring=""), (1,)),
        Linted("a", 2, grader("output-matches", pattern="(a+)+$"), (1,)),
        Linted("a", 3, grader("output-matches", pattern="x*"), (1,)),
        Linted("a", 4, replace(grader("output-matches", pattern="["), turn=0), (1,)),
    ]
    found = lint(graders, engine, Said({Subject.OUTPUT: OUTPUT}))
    assert found is not None
    assert [(each.grader, each.check, each.sentence) for each in found if each.grader in (1, 3, 4)] == [
        (1, Check.INVALID, "substring must not be empty."),
        (3, Check.ALWAYS_MATCHES, "The pattern matches the empty text, so it is found in every output."),
    ]
    assert {each.check for each in found if each.grader == 0} == {Check.ANCHORS, Check.PATH_DOT, Check.NEVER_MATCHES}
    assert any("means the whole output, not each line" in each.sentence for each in found)
    assert any(each.check is Check.SLOW for each in found if each.grader == 2)
