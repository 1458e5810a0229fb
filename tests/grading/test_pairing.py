"""Which recorded detail belongs to which grader: by index for the record's own, by name, check or ordinal for a spec's."""

import pytest

from vally_tui.grading.model import UNSET, GraderConfig, RecordedDetail, State, Verdict
from vally_tui.grading.pairing import pair_recorded, pair_spec, recorded_verdict


def grader(type_: str, name: str | None = None, config: object = UNSET, turn: object = UNSET) -> GraderConfig:
    return GraderConfig(type_, name, config, turn)


def detail(name: str | None, configured: str | None = None, type_: str | None = None) -> RecordedDetail:
    return RecordedDetail(name, configured, type_, True, 1.0, "success")


def indices(paired: tuple[RecordedDetail | None, ...], details: list[RecordedDetail]) -> list[int | None]:
    return [None if one is None else next(i for i, d in enumerate(details) if d is one) for one in paired]


CHECKS = [grader("diff-contains", "a"), grader("prompt", "b"), grader("diff-contains")]


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        # In all known runs the order of the details is that of the graders.
        ([detail("a"), detail("b"), detail("diff-contains")], [0, 1, 2]),
        # Names that are not those of the config say nothing: newer versions derive them.
        ([detail("x"), detail("y"), detail("z")], [0, 1, 2]),
        (
            [detail("x", "a", "diff-contains"), detail("y", "b", "prompt"), detail("z", None, "diff-contains")],
            [0, 1, 2],
        ),
        # Details that say otherwise are found by what they say.
        (
            [detail("b", "b", "prompt"), detail("a", "a", "diff-contains"), detail("c", None, "diff-contains")],
            [1, 0, 2],
        ),
        # A missing one leaves its grader without a result, and the others keep theirs.
        ([detail("a", "a", "diff-contains"), detail("c", None, "diff-contains")], [0, None, 1]),
        ([], [None, None, None]),
        # Surplus ones belong to nobody.
        ([detail("a"), detail("b"), detail("c"), detail("d")], [0, 1, 2]),
    ],
)
def test_the_records_graders_are_paired_by_index_unless_a_detail_contradicts(
    details: list[RecordedDetail], expected: list[int | None]
) -> None:
    assert indices(pair_recorded(CHECKS, details), details) == expected


def test_no_detail_is_given_to_two_graders() -> None:
    checks = [grader("prompt", "b"), grader("prompt", "b")]
    details = [detail("a", "a", "prompt"), detail("b", "b", "prompt")]
    assert indices(pair_recorded(checks, details), details) == [None, 1]


@pytest.mark.parametrize(
    ("spec", "recorded", "expected"),
    [
        # The name decides, wherever it stands and whatever the config is by now.
        (
            [grader("diff-contains", "b", {"pattern": "new"}), grader("diff-contains", "a", {"pattern": "1"})],
            [grader("diff-contains", "a", {"pattern": "1"}), grader("diff-contains", "b", {"pattern": "2"})],
            [1, 0],
        ),
        # Else the same check.
        (
            [grader("diff-contains", None, {"pattern": "2"}), grader("diff-contains", None, {"pattern": "1"})],
            [grader("diff-contains", None, {"pattern": "1"}), grader("diff-contains", None, {"pattern": "2"})],
            [1, 0],
        ),
        # Else the same type and turn at the same ordinal: the pattern was edited.
        (
            [
                grader("prompt"),
                grader("diff-contains", None, {"pattern": "x"}),
                grader("diff-contains", None, {"pattern": "y"}),
            ],
            [grader("diff-contains", None, {"pattern": "1"}), grader("diff-contains", None, {"pattern": "2"})],
            [None, 0, 1],
        ),
        # A turn is part of the check.
        (
            [grader("diff-contains", None, {"pattern": "1"}, 1)],
            [grader("diff-contains", None, {"pattern": "1"}), grader("diff-contains", None, {"pattern": "9"}, 1.0)],
            [1],
        ),
        (
            [grader("diff-contains", None, {"pattern": "1"}, 1)],
            [grader("diff-contains", None, {"pattern": "1"})],
            [None],
        ),
        # Another type is another grader, also under the same name.
        ([grader("diff-not-contains", "a")], [grader("diff-contains", "a")], [None]),
        # A grader that was added in front does not take the others' results.
        (
            [
                grader("diff-contains", "new", {"pattern": "0"}),
                grader("diff-contains", "a", {"pattern": "1"}),
                grader("diff-contains", "b", {"pattern": "2"}),
            ],
            [grader("diff-contains", "a", {"pattern": "1"}), grader("diff-contains", "b", {"pattern": "2"})],
            [None, 0, 1],
        ),
        ([], [grader("prompt")], []),
        ([grader("prompt")], [], [None]),
    ],
)
def test_a_specs_grader_takes_the_detail_of_the_recorded_grader_that_it_is(
    spec: list[GraderConfig], recorded: list[GraderConfig], expected: list[int | None]
) -> None:
    details = [detail(f"d{index}") for index in range(len(recorded))]
    assert indices(pair_spec(spec, recorded, details), details) == expected


def test_a_recorded_grader_without_a_detail_gives_none_to_the_specs_grader() -> None:
    assert pair_spec([grader("prompt", "a")], [grader("prompt", "a")], [None]) == (None,)


def test_an_unnamed_grader_is_found_by_its_type_where_the_order_differs() -> None:
    checks = [grader("diff-contains"), grader("prompt"), grader("prompt", "b"), grader("diff-contains")]
    details = [
        detail("quality", None, "prompt"),
        detail("contains divide", None, "diff-contains"),
        detail("diff-contains", None, "diff-contains"),
        detail("b", "b", "prompt"),
    ]
    assert indices(pair_recorded(checks, details), details) == [1, 0, 3, 2]


def test_configs_that_are_equal_but_for_the_order_of_their_keys_are_the_same_check() -> None:
    spec = [grader("x", None, {"a": [1, {"b": None}], "c": "d"})]
    recorded = [grader("x", None, {"a": [1]}), grader("x", None, {"c": "d", "a": [1, {"b": None}]})]
    details = [detail("d0"), detail("d1")]
    assert indices(pair_spec(spec, recorded, details), details) == [1]


def test_a_config_of_any_depth_is_paired_by_its_place() -> None:
    deep: object = "x"
    for _ in range(3000):
        deep = [deep]
    details = [detail("d0")]
    assert pair_spec([grader("x", None, deep)], [grader("x", None, [deep])], details) == (details[0],)


def test_many_graders_are_paired_in_reasonable_time() -> None:
    many = [grader("diff-contains", None, {"pattern": str(index)}) for index in range(20_000)]
    edited = [grader("diff-contains", None, {"pattern": f"x{index}"}) for index in range(20_000)]
    details = [detail(f"d{index}") for index in range(20_000)]
    assert pair_spec(edited, many, details) == tuple(details)
    stated = [detail(None, None, "prompt") for _ in range(20_000)]
    assert pair_recorded(many, stated) == (None,) * 20_000


@pytest.mark.parametrize(
    ("recorded", "passed", "score"),
    [
        (RecordedDetail("a", None, "prompt", True, 1.0, "success", None, "ok"), True, 1.0),
        (RecordedDetail("a", None, "prompt", False, 0.4, None, "partial", "ok"), False, 0.4),
        (RecordedDetail("a", None, "prompt", True, None, "weird", None, "ok"), True, None),
        # An error is no verdict, whatever stands beside it.
        (RecordedDetail("a", None, "prompt", False, 0.0, "error", None, "ok"), None, None),
        (RecordedDetail("a", None, "prompt", None, 0.5, "success", None, "ok"), None, None),
    ],
)
def test_a_grader_that_is_not_judged_again_keeps_its_recorded_verdict(
    recorded: RecordedDetail, passed: bool | None, score: float | None
) -> None:
    verdict = recorded_verdict(grader("prompt"), recorded)
    assert verdict == Verdict(State.RECORDED, passed, score, "ok", 0)
    assert not verdict.regraded


def test_a_grader_of_which_nothing_is_recorded_is_unrecorded() -> None:
    verdict = recorded_verdict(grader("prompt"), None)
    assert (verdict.state, verdict.passed, verdict.score, verdict.regraded) == (State.UNRECORDED, None, None, False)
    assert verdict.evidence == "No result of this grader is recorded, and it cannot be judged from the record"


@pytest.mark.parametrize("recorded", [detail("a"), None])
def test_a_grader_of_a_turn_whose_type_is_judged_otherwise_says_why_it_is_not(recorded: RecordedDetail | None) -> None:
    verdict = recorded_verdict(grader("output-matches", config={"pattern": "a"}, turn=0), recorded)
    assert verdict.notices == ("turn 0: the record does not say which text that is; the recorded verdict stays",)
    assert verdict.passed is (True if recorded else None)
