"""A run's spec is found near the run by the longest tail of its recorded path, and never outside the given places."""

from pathlib import Path

import pytest

from vally_tui.spec.discover import find_spec

SPEC = "name: calc\nstimuli: []\n"


def put(path: Path, text: str = SPEC) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "recorded", [r"C:\work\repo\evals\calc\eval.yaml", "/home/x/repo/evals/calc/eval.yaml", "evals/calc/eval.yaml"]
)
def test_the_longest_tail_that_is_there_is_the_spec(tmp_path: Path, recorded: str) -> None:
    put(tmp_path / "eval.yaml")
    put(tmp_path / "calc" / "eval.yaml")
    longest = put(tmp_path / "evals" / "calc" / "eval.yaml")
    assert find_spec(recorded, "calc", [tmp_path]) == longest


def test_roots_are_tried_in_order_and_another_eval_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path / "a" / "eval.yaml", "name: other\nstimuli: []\n")
    put(tmp_path / "b" / "eval.yaml", "no: [spec\n")
    right = put(tmp_path / "c" / "eval.yaml")
    roots = [tmp_path / "a", tmp_path / "b", tmp_path / "c", tmp_path]
    assert find_spec("/x/eval.yaml", "calc", roots) == right


def test_nothing_outside_the_roots_is_taken(tmp_path: Path) -> None:
    put(tmp_path / "secret" / "eval.yaml")
    root = tmp_path / "root"
    root.mkdir()
    (root / "eval.yaml").symlink_to(tmp_path / "secret" / "eval.yaml")
    for recorded in (
        "/x/eval.yaml",
        "x/../../secret/eval.yaml",
        "..\\secret\\eval.yaml",
        str(tmp_path / "secret/eval.yaml"),
    ):
        assert find_spec(recorded, "calc", [root]) is None


def test_nothing_recorded_or_nothing_there_is_none(tmp_path: Path) -> None:
    put(tmp_path / "eval.yaml")
    (tmp_path / "dir.yaml").mkdir()
    for recorded, name in [(None, "calc"), ("", "calc"), ("eval.yaml", None), ("dir.yaml", "calc"), ("a\0b", "calc")]:
        assert find_spec(recorded, name, [tmp_path]) is None
    assert find_spec("/".join(["x"] * 5000) + "/eval.yaml", "calc", [tmp_path]) == tmp_path / "eval.yaml"
