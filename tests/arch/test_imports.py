"""What a process really loads, asked of a fresh one. The directions between rooms are import-linter's to check."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCREEN = {"textual", "rich"}
HEAVY = SCREEN | {"unidiff", "yaml", "py_mini_racer", "msgspec"}


def loaded_by(code: str, *arguments: str) -> set[str]:
    """The top-level modules, and the rooms of the package, that a fresh process has loaded after some code."""
    tell = "import json, sys; sys.__stdout__.flush(); print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\n{tell}", *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return {name for name in modules if "." not in name or name.startswith("vally_tui.")}


@pytest.fixture
def run(tmp_path: Path) -> str:
    record = {
        "type": "trial-result", "stimulus": "s", "status": "success",
        "trajectory": {
            "stimulus": {"name": "s", "prompt": "p", "graders": [{"type": "diff-contains", "config": {"value": "a"}}]},
            "diff": "diff --git a/a b/a\n",
        },
    }  # fmt: skip
    (tmp_path / "results.jsonl").write_text(json.dumps(record) + "\n")
    return str(tmp_path)


@pytest.mark.parametrize("output", ["text", "jsonl"])
def test_grade_loads_no_textual_no_yaml_and_no_v8(run: str, output: str) -> None:
    loaded = loaded_by(
        "from vally_tui.cli.main import main; assert main(['grade', *sys.argv[1:]]) == 0", run, "--output", output
    )
    assert "vally_tui.engine.client" in loaded
    assert loaded & (SCREEN | {"yaml", "py_mini_racer"}) == set()
    assert not any(name.startswith("vally_tui.ui") for name in loaded)


def test_grading_loads_neither_screen_nor_diffs_nor_yaml() -> None:
    loaded = loaded_by("import vally_tui.grading.judge, vally_tui.grading.score, vally_tui.grading.pairing")
    assert loaded & (HEAVY - {"msgspec"}) == set(), (
        "msgspec makes the frozen values, and costs a hundredth of their dataclasses"
    )
    rooms = {name.split(".")[1] for name in loaded if name.startswith("vally_tui.")}
    assert rooms == {"grading"}


def test_the_package_itself_imports_nothing() -> None:
    before = loaded_by("")
    assert loaded_by("import vally_tui") - before == {"vally_tui"}


def test_the_worker_loads_v8_but_no_screen() -> None:
    loaded = loaded_by("import vally_tui.engine.worker")
    assert loaded & (SCREEN | {"unidiff", "yaml", "msgspec"}) == set()
    assert {name.split(".")[1] for name in loaded if name.startswith("vally_tui.")} == {"engine"}


def test_the_first_frame_waits_neither_for_the_session_nor_for_the_triage_screen() -> None:
    loaded = loaded_by("import vally_tui.ui.app")
    later = {"vally_tui.triage.session", "vally_tui.triage.board", "vally_tui.ui.screens.triage"}
    assert loaded & (later | {"yaml", "unidiff", "py_mini_racer"}) == set()


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["grade", "--help"], ["grade"], ["grade", "x", "--output", "xml"]]
)
def test_help_version_and_wrong_arguments_load_nothing_heavy(arguments: list[str]) -> None:
    loaded = loaded_by("from vally_tui.cli.main import main; main(sys.argv[1:])", *arguments)
    assert loaded & HEAVY == set()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("vally_tui.")}
    assert rooms == {"cli", "errors"}
