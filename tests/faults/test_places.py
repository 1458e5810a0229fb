"""Files that are not what they should be, or are not to be had: told by name, never waited for, the rest is shown."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.faults.conftest import PROGRAM, SAMPLES

DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


def record(stimulus: str = "s", **trajectory: object) -> dict[str, object]:
    graders = [{"type": "diff-contains", "name": "g", "config": {"value": "x = 2"}}]
    stimulus_record = {"name": stimulus, "prompt": "p", "graders": graders}
    return {
        "type": "trial-result", "stimulus": stimulus, "status": "success",
        "trajectory": {"stimulus": stimulus_record, **trajectory},
    }  # fmt: skip


def run_with(folder: Path, *records: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.jsonl").write_bytes(
        b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in records)
    )
    return folder


def vally(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command to its end; what waits for ever fails."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, errors="surrogateescape",
        env={**os.environ, "PYTHONPATH": str(SAMPLES.parent), **variables}, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def states(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The state of each grader, from the JSON lines."""
    trials = [json.loads(line) for line in done.stdout.split("\n") if line]
    return [detail["state"] for trial in trials for detail in trial["gradeResult"]["details"]]


@pytest.fixture
def special(tmp_path: Path) -> dict[str, Path]:
    """Things that are no files."""
    places = {"a FIFO": tmp_path / "fifo", "a directory": tmp_path / "folder", "a circle": tmp_path / "circle"}
    os.mkfifo(places["a FIFO"])
    places["a directory"].mkdir()
    places["a circle"].symlink_to(places["a circle"])
    return {**places, "a device": Path("/dev/zero")}


@pytest.mark.parametrize("kind", ["a FIFO", "a directory", "a circle", "a device"])
def test_what_is_no_file_in_the_place_of_a_sidecar_is_no_evidence_and_the_rest_is_judged(
    tmp_path: Path, special: dict[str, Path], kind: str
) -> None:
    run = run_with(tmp_path / "run", record(diffPath="s.diff"), record(diff=DIFF))
    if kind == "a device":
        (run / "s.diff").symlink_to("/dev/zero")
    else:
        special[kind].rename(run / "s.diff")

    done = vally("grade", run, "--output", "jsonl")

    assert states(done) == ["no-evidence", "pass"]
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", ["a FIFO", "a directory", "a circle", "a device"])
def test_what_is_no_file_in_the_place_of_a_run_or_a_spec_is_an_error_in_one_line(
    tmp_path: Path, special: dict[str, Path], kind: str
) -> None:
    place = special[kind] if kind != "a directory" else tmp_path / "run" / "results.jsonl"
    place.mkdir(parents=True) if kind == "a directory" else None
    good = run_with(tmp_path / "good", record(diff=DIFF))

    for arguments in (["grade", str(place)], ["grade", str(good), "-e", str(place)], ["lint", "-e", str(place)]):
        done = vally(*arguments)
        assert done.returncode == 2, arguments
        assert done.stderr.startswith("vally-tui: "), arguments
        assert "Traceback" not in done.stderr


def test_a_sidecar_above_the_limit_is_refused_with_its_size(tmp_path: Path) -> None:
    run = run_with(tmp_path, record(diffPath="s.diff"))
    with open(run / "s.diff", "wb") as file:
        file.truncate(3 << 20)

    done = vally("grade", run, "--max-diff", "2", "--output", "jsonl")

    assert states(done) == ["no-evidence"]
    assert "3" in json.loads(done.stdout)["gradeResult"]["details"][0]["evidence"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_run_without_permission_is_an_error_in_one_line(tmp_path: Path) -> None:
    run = run_with(tmp_path / "run", record(diff=DIFF))
    (run / "results.jsonl").chmod(0)

    done = vally("grade", run)

    assert done.returncode == 2
    assert "Permission denied" in done.stderr


NESTED = 100_000
HOSTILE_LINES = {
    "nested arrays": b'{"type":"trial-result","x":' + b"[" * NESTED + b"]" * NESTED + b"}\n",
    "nested objects": b'{"type":"trial-result","trajectory":' + b'{"a":' * NESTED + b"1" + b"}" * NESTED + b"}\n",
    "open arrays": b"[" * NESTED + b"\n",
    "a number of a million digits": b'{"type":"trial-result","durationMs":' + b"9" * 1_000_000 + b"}\n",
    "NUL": b"\x00" * 1000 + b"\n",
    "not UTF-8": b'{"type":"trial-result","stimulus":"\xff\xfe"}\n',
    "no object": b'"text"\n',
    "a lone surrogate": b'{"type":"trial-result","stimulus":"\\ud800","status":"success"}\n',
}


@pytest.mark.parametrize("name", HOSTILE_LINES)
def test_a_hostile_line_costs_at_most_itself(tmp_path: Path, name: str) -> None:
    run = run_with(tmp_path, record("before", diff=DIFF), HOSTILE_LINES[name], record("after", diff=DIFF))

    done = vally("grade", run, "--output", "jsonl")

    judged = [trial for trial in map(json.loads, done.stdout.split("\n")[:-1]) if trial["gradeResult"]]
    assert [trial["stimulus"] for trial in judged] == ["before", "after"]
    assert done.returncode in (0, 3)
    assert "Traceback" not in done.stderr


BOMB = "name: e\nstimuli:\n  - name: s\n    prompt: p\n    graders: *a9\n"
HOSTILE_SPECS = {
    "aliases of aliases": "a0: &a0 [x, x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 20)}]\n" for n in range(1, 10))
    + BOMB,
    "flow 1,000 deep": "stimuli: " + "[" * 1000 + "]" * 1000 + "\n",
    "flow maps 1,000 deep": "stimuli: " + "{a: " * 1000 + "}" * 1000 + "\n",
    "blocks 5,000 deep": "".join(" " * n + "a:\n" for n in range(5000)),
    "above the limit": "# " + "x" * (4 << 20) + "\nname: e\n",
    "not UTF-8": "name: \udcff\udcfe\n",
    "a list": "- a\n",
    "empty": "",
    "two documents": "name: a\n---\nname: b\n",
    "controls": "name: \x1b]0;title\x07\n",
}


@pytest.mark.parametrize("name", HOSTILE_SPECS)
@pytest.mark.parametrize("command", ["grade", "lint"])
def test_a_hostile_spec_is_told_in_lines_and_not_in_tracebacks(tmp_path: Path, name: str, command: str) -> None:
    run = run_with(tmp_path / "run", record(diff=DIFF))
    spec = tmp_path / "eval.yaml"
    spec.write_bytes(HOSTILE_SPECS[name].encode("utf-8", "surrogateescape"))

    done = vally(command, "-e", spec, run)

    assert done.returncode in (0, 2, 3)
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert len(done.stderr) < 10_000


@pytest.mark.parametrize(
    "name", [b"caf\xe9", b"\xff\xfe", "日本語".encode(), b"new\nline", b"esc\x1b[31m", b" blank ", b"-dash"]
)
def test_runs_may_be_called_anything(tmp_path: Path, name: bytes) -> None:
    place = tmp_path / os.fsdecode(name)
    run_with(place, record(diff=DIFF))

    done = vally("grade", f"{tmp_path}/{os.fsdecode(name)}")

    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "1 passed" in done.stdout


def limited(arguments: Sequence[str], code: str) -> subprocess.CompletedProcess[str]:
    """Code in a process that may not write files beyond 100 bytes, as on a full disk."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))

    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, preexec_fn=limit,
        env={**os.environ, "PYTHONPATH": str(SAMPLES.parent), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip


def test_a_full_disk_is_told_when_edits_cannot_be_kept(tmp_path: Path) -> None:
    done = limited(
        [str(tmp_path / "journal")],
        """
import sys
from pathlib import Path
from vally_tui.errors import SaveRefused
from vally_tui.grading.model import UNSET
from vally_tui.spec.edit import SetKey
from vally_tui.spec.journal import Journal
from vally_tui.spec.model import GraderAddress
journal = Journal(Path(sys.argv[1]))
edit = SetKey(GraderAddress("s", 0, 0, None, "diff-contains", UNSET, 0), ("config", "pattern"), "x" * 500)
try:
    journal.record("key", [edit])
except SaveRefused as error:
    print("refused:", error)
print(journal.pending("key"))
""",
    )

    assert done.stdout.startswith("refused:"), done.stderr
    assert done.stdout.endswith("None\n")
    assert os.listdir(tmp_path / "journal") == []
