"""How arguments are read: the first one decides, options as documented, what is wrong is told in one line."""

import pytest

from tests.cli.builders import call
from vally_tui.cli.arguments import read_command, read_screen
from vally_tui.cli.commands import COMMANDS
from vally_tui.cli.options import options_of, screen_options
from vally_tui.triage.options import Only, Options, ScreenOptions

GRADE = COMMANDS["grade"]


def test_every_shared_option_is_read() -> None:
    names = ["a", "--eval-spec", "s.yaml", "--run-dir", "d", "--stimulus", "x", "--stimulus", "y", "--model", "m"]
    others = ["--only", "flipped", "--timeout", "0.5", "--node-level", "20", "--max-diff", "1.5", "--debug"]
    arguments = [*names, *others]
    expected = Options(
        ("a",), "s.yaml", "d", ("x", "y"), ("m",), Only.FLIPPED, 0.5, "20", 1_572_864, debug=True
    )  # fmt: skip
    assert options_of(read_command(GRADE, arguments)) == expected
    assert screen_options(read_screen([*arguments, "--theme", "vally-light"]), None) == ScreenOptions(
        ("a",), "s.yaml", "d", ("x", "y"), ("m",), Only.FLIPPED, 0.5, "20", 1_572_864, debug=True, theme="vally-light"
    )


def test_without_options_the_documented_defaults_hold() -> None:
    read = read_command(GRADE, ["a", "b", "-"])
    assert options_of(read) == Options(("a", "b", "-"), max_diff=268_435_456)
    assert (read.output, read.require_pass) == ("text", False)


def test_a_limit_of_any_size_can_be_given() -> None:
    assert options_of(read_command(GRADE, ["a", "--max-diff", "1e308"])).max_diff >= 2**62


def test_every_way_to_choose_by_verdict_can_be_given() -> None:
    for only in Only:
        assert options_of(read_command(GRADE, ["a", "--only", only.value])).only is only


def test_runs_may_stand_on_both_sides_of_options() -> None:
    assert read_command(GRADE, ["a", "-e", "s.yaml", "b"]).runs == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("grade", "the following arguments are required: RUN (see vally-tui grade --help)"),
        ("grade a --outpt json", "unrecognized arguments: --outpt json (see vally-tui grade --help)"),
        ("grade a --out json", "unrecognized arguments: --out json (see vally-tui grade --help)"),
        ("grade a --output xml",
         "argument --output: invalid choice: 'xml' (choose from 'text', 'jsonl', 'json') (see vally-tui grade --help)"),
        ("grade a --only passed",
         "argument --only: invalid choice: 'passed' (choose from 'failed', 'error', 'flipped') "
         "(see vally-tui grade --help)"),
        ("grade a --timeout 0", "argument --timeout: wants seconds above 0, not '0' (see vally-tui grade --help)"),
        ("grade a --timeout nan", "argument --timeout: wants seconds above 0, not 'nan' (see vally-tui grade --help)"),
        ("grade a --timeout inf", "argument --timeout: wants seconds above 0, not 'inf' (see vally-tui grade --help)"),
        ("grade a --max-diff x", "argument --max-diff: wants megabytes above 0, not 'x' (see vally-tui grade --help)"),
        ("grade a b --run-dir d", "--run-dir serves one RUN, but 2 are given: give one"),
        ("a --require-pass", "unrecognized arguments: --require-pass (see vally-tui --help)"),
        ("a --output json", "unrecognized arguments: --output json (see vally-tui --help)"),
        ("grade a --theme vally-dark", "unrecognized arguments: --theme vally-dark (see vally-tui grade --help)"),
        ("a b --run-dir d", "--run-dir serves one RUN, but 2 are given: give one"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str], arguments: str, said: str) -> None:
    ended = call(capsys, *arguments.split())
    assert (ended.status, ended.out, ended.err) == (2, "", f"vally-tui: error: {said}\n")


@pytest.mark.parametrize("arguments", [["--version"], ["grade", "--version"], ["some-run", "--version"]])
def test_version_is_printed_everywhere(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    from vally_tui import __version__

    ended = call(capsys, *arguments)
    assert (ended.status, ended.out, ended.err) == (0, f"vally-tui {__version__}\n", "")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    ended = call(capsys, "--help")
    assert ended.status == 0
    for name in COMMANDS:
        assert f"vally-tui {name} " in ended.out
        assert call(capsys, name, "--help").status == 0


def test_only_the_first_argument_can_be_a_command(
    capsys: pytest.CaptureFixture[str], tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    ended = call(capsys, "--debug", "grade")
    assert ended.status == 2
    assert ended.err.endswith("vally-tui: error: grade is not there\n")
