import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from vally_tui.grading.model import Absence
from vally_tui.runs.files import Refusal, decode_all, open_below, open_regular

NODE = json.loads((Path(__file__).parent.parent / "data" / "node-utf8.json").read_text())["cases"]


def text_of(units: str) -> str:
    return b"".join(int(unit, 16).to_bytes(2, "big") for unit in units.split()).decode("utf-16-be", "surrogatepass")


@pytest.mark.parametrize(("data", "units"), NODE)
def test_bytes_are_decoded_as_node_decodes_them(data: str, units: str) -> None:
    assert decode_all(BytesIO(bytes.fromhex(data)), 100) == text_of(units)


@pytest.mark.parametrize(("data", "units"), NODE)
def test_the_same_where_they_fall_on_the_border_of_two_parts(
    data: str, units: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vally_tui.runs.files._DECODED_AT_ONCE", 1)
    assert decode_all(BytesIO(bytes.fromhex(data)), 100) == text_of(units)


@pytest.mark.parametrize("at_once", [2, 5, 6, 100])
def test_more_than_the_limit_is_not_decoded(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vally_tui.runs.files._READ_AT_ONCE", at_once)
    assert decode_all(BytesIO(b"12345"), 5) == "12345"
    assert decode_all(BytesIO(b"123456"), 5) is None


def test_a_limit_may_be_larger_than_all_memory(tmp_path: Path) -> None:
    (tmp_path / "a.diff").write_bytes(b"12345")
    with (tmp_path / "a.diff").open("rb") as file:
        assert decode_all(file, 10**30) == "12345"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run directory with a sidecar in a folder, beside a secret and a folder whose name begins like its own."""
    folder = tmp_path / "run"
    (folder / "diffs").mkdir(parents=True)
    (folder / "diffs" / "a.diff").write_bytes(b"in")
    (tmp_path / "secret").write_bytes(b"out")
    (tmp_path / "run-2").mkdir()
    (tmp_path / "run-2" / "secret").write_bytes(b"out")
    return folder


def content(run: Path, recorded: str) -> bytes:
    opened = open_below(run, recorded)
    assert not isinstance(opened, Refusal)
    with opened:
        return opened.read()


@pytest.mark.parametrize(
    "recorded",
    [
        "diffs/a.diff",
        "./diffs//a.diff",
        "diffs\\a.diff",
        ".\\diffs\\a.diff",
        "diffs/../diffs/a.diff",
        "../run/diffs/a.diff",
    ],
)
def test_a_path_below_the_run_directory_is_opened(run: Path, recorded: str) -> None:
    assert content(run, recorded) == b"in"


@pytest.mark.parametrize(
    "recorded",
    [
        "/etc/passwd",
        "../secret",
        "diffs/../../secret",
        "..\\secret",
        "diffs\\..\\..\\secret",
        "../run-2/secret",
        "C:\\Windows\\win.ini",
        "C:win.ini",
        "c:/x",
        "\\\\server\\share\\x",
        "//server/share/x",
        "\\x",
        "\\\\?\\C:\\x",
        "../absent",
        "..",
    ],
)
def test_a_path_that_leaves_the_run_directory_is_refused(run: Path, recorded: str) -> None:
    opened = open_below(run, recorded)
    assert isinstance(opened, Refusal)
    assert opened.absence is Absence.SIDECAR_OUTSIDE


def test_links_are_followed_inside_and_refused_outside(run: Path) -> None:
    (run / "inside").symlink_to("diffs/a.diff")
    (run / "folder").symlink_to("diffs")
    (run / "outside").symlink_to("../secret")
    (run / "absolute").symlink_to(run.parent / "secret")
    (run / "parent").symlink_to("..")
    assert content(run, "inside") == b"in"
    assert content(run, "folder/a.diff") == b"in"
    for recorded in ("outside", "absolute", "parent/secret"):
        opened = open_below(run, recorded)
        assert isinstance(opened, Refusal)
        assert opened.absence is Absence.SIDECAR_OUTSIDE


def test_a_run_directory_that_is_a_link_itself_is_fine(run: Path) -> None:
    (run.parent / "latest").symlink_to("run")
    assert content(run.parent / "latest", "diffs/a.diff") == b"in"


@pytest.mark.parametrize("recorded", ["absent", "diffs/absent", "diffs/a.diff/x", "dangling"])
def test_what_is_not_there_is_gone(run: Path, recorded: str) -> None:
    (run / "dangling").symlink_to("nowhere")
    opened = open_below(run, recorded)
    assert isinstance(opened, Refusal)
    assert opened.absence is Absence.SIDECAR_GONE


@pytest.mark.parametrize("recorded", ["a\0b", "\ud800", "circle", "x" * 5000, "diffs", "", "pipe"])
def test_what_cannot_be_read_is_said_so_without_blocking(run: Path, recorded: str) -> None:
    (run / "circle").symlink_to("circle")
    os.mkfifo(run / "pipe")
    opened = open_below(run, recorded)
    assert isinstance(opened, Refusal)
    assert opened.absence is Absence.UNREADABLE


def test_a_device_is_refused() -> None:
    assert open_regular("/dev/null") == Refusal(Absence.UNREADABLE, "is a device, not a regular file")


def test_no_file_stays_open(run: Path) -> None:
    os.mkfifo(run / "pipe")
    before = len(os.listdir("/dev/fd"))
    for recorded in ("diffs", "pipe", "absent", "../secret"):
        open_below(run, recorded)
    assert len(os.listdir("/dev/fd")) == before


def test_a_link_that_is_put_there_after_the_check_is_not_followed(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.path.realpath

    def swapping(path: str, *, strict: bool = False) -> str:
        found = real(path, strict=strict)
        if found.endswith("a.diff"):
            os.unlink(found)
            os.symlink(run.parent / "secret", found)
        return found

    monkeypatch.setattr(os.path, "realpath", swapping)
    assert isinstance(open_below(run, "diffs/a.diff"), Refusal)
