"""What becomes of a copied text."""

from base64 import b64decode
from pathlib import Path

import pytest

from vally_tui.grading.model import GraderConfig
from vally_tui.ui.screens import copying
from vally_tui.ui.screens.copies import grader_yaml
from vally_tui.ui.screens.copying import CLIPBOARD_BYTES, copied_path, copy_text, sentence, well_formed


class Terminal:
    """As much of an app as copying needs."""

    def __init__(self) -> None:
        self._clipboard = ""
        self._driver = self
        self.sent: list[str] = []
        self.said: list[str] = []

    def write(self, sequence: str) -> None:
        assert sequence.startswith("\x1b]52;c;")
        self.sent.append(b64decode(sequence[7:-1]).decode())

    def clear_notifications(self) -> None:
        self.said.clear()

    def notify(self, text: str, *, timeout: float, markup: bool) -> None:
        assert not markup
        self.said.append(text)


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(copying.platformdirs, "user_state_dir", lambda *_, **__: str(tmp_path / "state"))
    return Terminal()


def test_a_text_is_sent_and_kept_in_a_file_that_only_its_owner_reads(terminal: Terminal) -> None:
    copy_text(terminal, "[red]a\n", "pattern")  # type: ignore[arg-type]
    assert terminal.sent == ["[red]a\n"]
    assert copied_path().read_bytes() == b"[red]a\n"
    assert copied_path().stat().st_mode & 0o777 == 0o600
    assert terminal.said == [f"pattern: sent to the terminal's clipboard; also in {copied_path()}"]


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert well_formed("a\ud83d b \ud83d\ude00") == "a\ufffd b 😀"


def test_a_text_with_lone_surrogates_is_copied(terminal: Terminal) -> None:
    copy_text(terminal, "\udcff", "line")  # type: ignore[arg-type]
    assert terminal.sent == ["\ufffd"]


def test_a_text_too_long_for_terminals_goes_to_the_file_only(terminal: Terminal) -> None:
    copy_text(terminal, "x" * (CLIPBOARD_BYTES + 1), "line")  # type: ignore[arg-type]
    assert terminal.sent == []
    assert len(copied_path().read_bytes()) == CLIPBOARD_BYTES + 1
    assert "too long" in terminal.said[0]


def test_a_link_in_the_place_of_the_file_is_not_followed(terminal: Terminal, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    copied_path().parent.mkdir(parents=True)
    copied_path().symlink_to(victim)
    copy_text(terminal, "theirs", "line")  # type: ignore[arg-type]
    assert victim.read_text() == "mine"
    assert terminal.said == ["line: sent to the terminal's clipboard"]


def test_where_nothing_works_it_is_said() -> None:
    assert "cannot be written" in sentence("line", sent=False, kept=None)


def test_a_grader_is_copied_as_an_item_of_a_specs_list() -> None:
    config = GraderConfig("diff-contains", "named", {"pattern": "a'b"}, turn=1)
    assert grader_yaml(config) == "- type: diff-contains\n  name: named\n  config:\n    pattern: 'a''b'\n  turn: 1\n"


def test_a_grader_too_deep_to_be_written_is_refused() -> None:
    deep: object = "x"
    for _ in range(20_000):
        deep = [deep]
    assert grader_yaml(GraderConfig("prompt", config={"a": deep})) is None
