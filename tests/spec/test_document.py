"""Reading a spec: the text as it is on disk, YAML 1.2 as Vally reads it, and refusals that say where and what to do."""

import os
from pathlib import Path

import pytest

from vally_tui.errors import SpecUnreadable
from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.spec.document import parse_spec, read_spec
from vally_tui.spec.nodes import plain

SPEC = """\
# checks of the calculator
name: calc
scoring: {threshold: 0.8, weights: {diff-contains: 2, tidy: 0.5}}
stimuli:
  - name: fix-divide
    prompt: Fix divide.
    graders:
      - type: diff-contains
        config:
          pattern: 'def divide\\b'  # the new one
      - {type: diff-empty, name: tidy, turn: 0}
  - name: two-turns
    turns: [First., Second.]
    graders: []
"""


def config_of(value: str) -> object:
    """What ``config:`` holds for a value written in the place of an only grader's config."""
    text = f"name: n\nstimuli:\n- name: s\n  graders:\n  - type: diff-contains\n    config: {value}\n"
    return parse_spec(text, None).spec.stimuli[0].graders[0].config.config


def refusal(text: str) -> str:
    with pytest.raises(SpecUnreadable) as caught:
        parse_spec(text, Path("eval.yaml"))
    return str(caught.value)


def test_a_spec_gives_its_stimuli_graders_threshold_and_weights() -> None:
    spec = parse_spec(SPEC, Path("eval.yaml")).spec
    assert (spec.name, spec.threshold, spec.issues) == ("calc", 0.8, ())
    assert spec.weights.of("tidy", "diff-empty") == 0.5
    assert spec.weights.of(None, "diff-contains") == 2
    first, second = spec.stimuli
    assert first.configs == (
        GraderConfig("diff-contains", None, {"pattern": "def divide\\b"}),
        GraderConfig("diff-empty", "tidy", UNSET, 0),
    )
    assert [grader.line for grader in first.graders] == [8, 11]
    assert (first.prompts, second.prompts) == (1, 2)
    assert (second.name, second.line, second.graders) == ("two-turns", 12, ())
    assert spec.stimulus("two-turns") is second
    assert spec.stimulus("other") is None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("1:30", "1:30"),
        ("0o17", 15),
        ("0777", 777),
        ("0x1F", 31),
        ("0b1", "0b1"),
        (".5e3", 500),
        ("1e3", 1000),
        ("1_000", "1_000"),
        ("2001-01-01", "2001-01-01"),
        ("~", None),
        ("", None),
        ("True", True),
        ("=", "="),
        ("!!str 12", "12"),
        ('"12"', "12"),
        ("12345678901234567890", 12345678901234567168.0),
    ],
)
def test_plain_scalars_are_read_by_the_core_schema_of_yaml_1_2(written: str, value: object) -> None:
    found = config_of(written)
    assert found == value
    assert type(found) is type(value) or not isinstance(value, str)


def test_a_merge_key_is_an_ordinary_key() -> None:
    assert config_of("{<<: {value: x}}") == {"<<": {"value": "x"}}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ('"x \x85 y"', "x \x85 y"),
        ('"x\u2028y"', "x\u2028y"),
        ("x\u2029y", "x\u2029y"),
        ("x\ufeffy", "x\ufeffy"),
        ("'x\x07y'", "x\x07y"),
        ('"x\ry"', "x\ry"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\ud83d"', "\ud83d"),
        ("a\tb", "a\tb"),
        ("\tb\t# comment", "b"),
        ("{pattern: colou?r}", {"pattern": "colou?r"}),
    ],
)
def test_characters_that_python_and_javascript_readers_take_differently_are_read_as_vally_does(
    written: str, value: object
) -> None:
    assert config_of(written) == value


def test_bytes_survive_a_bom_crlf_and_a_missing_last_newline(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    raw = "\ufeffname: n\r\nstimuli:\r\n- name: s # é".encode()
    path.write_bytes(raw)
    document = read_spec(path)
    assert document.text.encode() == raw
    assert document.newline == "\r\n"
    assert document.spec.stimuli[0].name == "s"
    assert document.spec.stimuli[0].line == 3


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("name: a\nname: b\nstimuli: []\n", "eval.yaml:2:1:", "twice"),
        ("name: a\nstimuli: []\n---\nname: b\n", "eval.yaml:3:1:", "second document"),
        ('name: "\\S"\nstimuli: []\n', "eval.yaml:1:8:", "single quotes"),
        ("name: a\nstimuli:\n\t- name: b\n", "eval.yaml:3:1:", "use spaces"),
        ("name: @a\n", "eval.yaml:1:7:", "single quotes"),
        ("name: 'a\n", "eval.yaml:1:7:", "never closed"),
        ("name: a: b\n", "eval.yaml:1:8:", "single quotes"),
        ("name: *a\n", "eval.yaml:1:7:", "no anchor"),
        ("name: &a [*a]\n", "eval.yaml:1:11:", "inside"),
        ("%YAML 1.1\n---\nname: a\n", "eval.yaml:1:1:", "YAML 1.2"),
        ('name: "\\U00110000"\n', "eval.yaml:1:10:", "Unicode"),
        ("", "eval.yaml:", "empty"),
        ("- a\n", "eval.yaml:", "stimuli"),
        ("name: a\n", "eval.yaml:", "stimuli"),
    ],
)
def test_an_unreadable_spec_says_where_and_what_to_do(text: str, place: str, word: str) -> None:
    said = refusal(text)
    assert said.startswith(place)
    assert word in said


@pytest.mark.parametrize(
    ("written", "value"),
    [("|\n      a", "a\n"), ("|+\n      a\n      ", "a\n"), ("|+\n      a\n\n", "a\n\n"), ("|-\n      a\n  ", "a")],
)
def test_a_block_scalar_at_the_end_of_the_file_has_the_line_breaks_that_vally_sees(written: str, value: str) -> None:
    spec = parse_spec(f"stimuli:\n- name: s\n  graders:\n  - type: x\n    config: {written}", None).spec
    assert spec.stimuli[0].configs[0].config == value


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  b: {c: 1,\nd: 2}\n",
        "a:\n  b: [c,\n  d]\n",
        "a:\n  b: 'c\n  d'\n",
        'a:\n  - "c\n  d"\n',
        "a: 'b'# c\n",
        "a: [b]# c\n",
        "a: [-, b]\n",
    ],
)
def test_what_pyyaml_lets_pass_and_vally_refuses_is_refused(text: str) -> None:
    assert refusal(f"{text}stimuli: []\n").startswith("eval.yaml:")


def test_what_vally_reads_and_this_program_does_not_is_said_to_be_ours() -> None:
    assert "reader of this program does not" in refusal("a: &b:c d\nstimuli: []\n")
    assert "reader of this program does not" in refusal("a:\n- \tb\nstimuli: []\n")


def test_a_closing_bracket_may_stand_in_the_column_of_its_key() -> None:
    spec = parse_spec("stimuli: [\n  {name: s}\n]\nx:\n  y: {\n    a: 1\n  }\n", None).spec
    assert spec.stimuli[0].name == "s"


def test_keys_that_differ_in_type_are_not_the_same_key() -> None:
    assert config_of('{1: a, "1": b}') == {"1": "b"}
    assert "twice" in refusal("1: a\n1.0: b\n")


def test_aliases_that_multiply_are_refused_and_shared_ones_are_one_object() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "multiply" in refusal("\n".join(lines))
    value = plain(parse_spec("x: &x [1]\ny: *x\nstimuli: []\n", None).root)
    assert isinstance(value, dict)
    assert value["x"] is value["y"]


def test_deep_nesting_is_refused_with_its_place() -> None:
    assert "nested deeper" in refusal("a: " + "[" * 1000 + "]" * 1000)
    assert "nested deeper" in refusal("a: " + "[" * 1_000_000)
    assert "nested deeper" in refusal("- " * 5000 + "a")
    aliases = "\n".join(["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 5000))])
    assert "nest deeper" in refusal(aliases + "\nstimuli: []\n")


def test_long_runs_of_one_character_are_read_in_linear_time() -> None:
    long = 400_000
    for text in ("a:" + "\t" * long + "b", "a: [" + "\t" * long + "b]", "a: " + "x\t" * long, "a: |\n" + " \n" * long):
        assert parse_spec(f"{text}\nstimuli: []\n", None).spec.stimuli == ()


def test_a_spec_above_four_megabytes_is_refused_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_bytes(b"#" * 5_300_000)
    with pytest.raises(SpecUnreadable, match=r"5\.3 MB"):
        read_spec(path)


def test_what_is_no_file_or_no_utf8_is_refused_and_a_fifo_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "latin").write_bytes(b"name: a\nx: \xe9\n")
    for name, word in [("fifo", "regular file"), ("latin", "latin:2"), ("none", "no such file"), (".", "directory")]:
        with pytest.raises(SpecUnreadable, match=word):
            read_spec(tmp_path / name)


def test_graders_and_stimuli_that_cannot_be_used_are_issues_with_their_line() -> None:
    text = "name: 5\nstimuli:\n- 7\n- name: s\n  graders:\n  - oops\n  - name: 1\n- name: s\n  graders: 3\n"
    spec = parse_spec(text, None).spec
    assert [issue.line for issue in spec.issues] == [1, 3, 6, 7, 7, 8, 9]
    assert spec.stimuli[0].configs == (GraderConfig(""), GraderConfig(""))


def test_graders_that_share_anything_through_an_anchor_are_marked() -> None:
    text = """\
stimuli:
- name: a
  graders:
  - {type: diff-contains, config: &c {value: x}}
  - {type: diff-empty}
- name: b
  graders: &g
  - {type: diff-contains, config: *c}
  - {type: diff-contains, config: &unused {value: z}}
- name: c
  graders: *g
"""
    spec = parse_spec(text, None).spec
    shared = [[grader.shared for grader in stimulus.graders] for stimulus in spec.stimuli]
    assert shared == [[True, False], [True, True], [True, True]]
    assert spec.stimuli[2].configs == spec.stimuli[1].configs
