"""Saving edits to the spec, and runs and specs that change while they are open: nothing is lost or written unseen."""

import errno
import json
import os
import shutil
import threading
from pathlib import Path
from threading import Event

import pytest

from tests.ui.driver import SAMPLES, Driver, Opener
from vally_tui.errors import SaveRefused
from vally_tui.spec.document import read_spec
from vally_tui.spec.journal import Journal
from vally_tui.triage.spec_target import SpecFound, read_target
from vally_tui.ui.screens.box_config import ConfigBox
from vally_tui.ui.screens.box_save import SaveBox
from vally_tui.ui.screens.box_save_as import SaveAsBox
from vally_tui.ui.screens.triage import TriageScreen

OLD_LINE = rb"pattern: 'raise ValueError\('''"
NEW_LINE = rb"pattern: 'raise ValueError\('"
"""The pattern without the quote at its end; YAML writes a quote in quotes twice."""
MENDED = r"raise ValueError\("


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of its own with its spec, below the current directory."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(SAMPLES / "quickstart", tmp_path / "quickstart"))


async def _mend(screen: Driver) -> None:
    """Take the last character off the first pattern, and leave the field."""
    await screen.until(lambda: screen.session.spec is not None, "the spec was found")
    await screen.press("e")
    await screen.until(lambda: screen.triage.field.has_focus, "the field has the focus")
    await screen.press("backspace", "enter")
    await screen.judged()
    await screen.see("● 1 unsaved")


async def _ask_to_save(screen: Driver) -> None:
    await screen.press("ctrl+s")
    await screen.see("1 line changes", "enter write the file")


async def _box_is_closed(screen: Driver) -> None:
    await screen.until(lambda: isinstance(screen.app.screen, TriageScreen), "the box is closed")
    await screen.drawn()


async def _save(screen: Driver) -> None:
    await _ask_to_save(screen)
    await screen.press("enter")
    await _box_is_closed(screen)


def _fail_to_replace(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when a finished file is moved over this one."""
    replace = os.replace

    def full(source: str | Path, target: str | Path) -> None:
        if Path(target).name == path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)


# The box


async def test_saving_shows_the_line_and_writes_that_line_only(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    before = spec.read_bytes()
    assert before.count(OLD_LINE) == 1
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        await screen.see("fix-divide-by-zero · grader 1 · config.pattern", "+2 now pass")
        await screen.see(r"pattern: 'raise ValueError\('''", "comments, quotes and all other bytes stay")
        await screen.see("u outside the field undoes the edit", "The run keeps its recorded graders: -e judges it")
        assert spec.read_bytes() == before
        await screen.press("enter")
        await _box_is_closed(screen)
        assert spec.read_bytes() == before.replace(OLD_LINE, NEW_LINE)
        assert "unsaved" not in screen.title
        assert screen.pattern == MENDED


async def test_undo_after_saving_is_an_unsaved_edit_that_writes_the_old_bytes_back(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    before = spec.read_bytes()
    async with opened(run) as screen:
        await _mend(screen)
        await _save(screen)
        await screen.press("u")
        await screen.judged()
        await screen.see("● 1 unsaved")
        assert spec.read_bytes() == before.replace(OLD_LINE, NEW_LINE)
        await _save(screen)
        assert spec.read_bytes() == before
        assert "unsaved" not in screen.title


async def test_without_an_edit_there_is_nothing_to_save(opened: Opener, run: Path) -> None:
    async with opened(run) as screen:
        await screen.press("ctrl+s")
        assert "there is no unsaved edit" in screen.footer


async def test_escape_writes_nothing_and_keeps_the_edit(opened: Opener, run: Path) -> None:
    before = (run / "eval.yaml").read_bytes()
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        await screen.press("escape")
        await _box_is_closed(screen)
        assert screen.session.state.unsaved == 1
        assert (run / "eval.yaml").read_bytes() == before


async def test_keys_that_are_pressed_twice_write_once(
    opened: Opener, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    replace = os.replace

    def counted(source: str | Path, target: str | Path) -> None:
        written.append(Path(target).name)
        replace(source, target)

    monkeypatch.setattr(os, "replace", counted)
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        screen.send("enter")
        screen.send("enter")
        await _box_is_closed(screen)
        await screen.handled()
        await screen.press("ctrl+s")
        assert "there is no unsaved edit" in screen.footer
        assert written.count("eval.yaml") == 1


def _write_slowly(monkeypatch: pytest.MonkeyPatch) -> Event:
    """A finished file is moved over another one only when the event is set."""
    replace, may_write = os.replace, Event()

    def slow(source: str | Path, target: str | Path) -> None:
        if threading.current_thread() is not threading.main_thread():
            may_write.wait(10)
        replace(source, target)

    monkeypatch.setattr(os, "replace", slow)
    return may_write


@pytest.mark.parametrize("keys", [("escape", "escape"), ("ctrl+c",)])
async def test_who_leaves_while_the_file_is_written_leaves_when_that_is_done_and_only_the_box(
    opened: Opener, run: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    """ctrl+c opens a question over the box, which goes with it."""
    before = (run / "eval.yaml").read_bytes()
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        may_write = _write_slowly(monkeypatch)
        await screen.press("enter", *keys)
        assert any(isinstance(box, SaveBox) for box in screen.app.screen_stack)
        may_write.set()
        await _box_is_closed(screen)
        await screen.handled()
        assert isinstance(screen.app.screen, TriageScreen)
        assert screen.session.state.unsaved == 0
        assert (run / "eval.yaml").read_bytes() == before.replace(OLD_LINE, NEW_LINE)


async def test_escape_while_a_file_cannot_be_written_leaves_and_the_edit_stays_unsaved(
    opened: Opener, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fail_to_replace(run / "eval.yaml", monkeypatch)
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        may_write = _write_slowly(monkeypatch)
        await screen.press("enter", "escape")
        may_write.set()
        await _box_is_closed(screen)
        assert screen.session.state.unsaved == 1


async def test_a_spec_that_changed_meanwhile_is_not_overwritten_and_both_changes_can_be_kept(
    opened: Opener, run: Path
) -> None:
    spec = run / "eval.yaml"
    theirs = spec.read_bytes().replace(b"  timeout: 5m\n", b"  timeout: 7m\n" + b"# theirs\n" * 30)
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        spec.write_bytes(theirs)
        await screen.press("enter")
        await screen.see("changed since", "Nothing was written.", "Both can stand", "r put the edit on top")
        # What changed there and the person's own edit are in view at once.
        both = ("On disk since then", "timeout: 7m", "Your edit", r"pattern: 'raise ValueError\('", "more")
        await screen.see(*both)
        await screen.resize(80, 24)
        await screen.see(*both)
        await screen.resize(120, 36)
        assert spec.read_bytes() == theirs
        await screen.press("enter")
        assert spec.read_bytes() == theirs
        await screen.press("r")
        await screen.see("1 line changes", "enter write the file")
        assert spec.read_bytes() == theirs
        await screen.press("enter")
        await _box_is_closed(screen)
        assert spec.read_bytes() == theirs.replace(OLD_LINE, NEW_LINE)
        assert screen.session.state.unsaved == 0


async def test_after_a_conflict_the_text_can_be_saved_elsewhere(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    before = spec.read_bytes()
    theirs = before + b"# theirs\n"
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        spec.write_bytes(theirs)
        await screen.press("enter")
        await screen.see("Nothing was written.")
        await screen.press("w")
        await screen.see("with your edit on top of what was read, as another file")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert spec.read_bytes() == theirs
        assert (run / "eval-edited.yaml").read_bytes() == before.replace(OLD_LINE, NEW_LINE)


async def test_a_full_disk_is_said_and_leaves_the_spec_and_no_other_file(
    opened: Opener, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = run / "eval.yaml"
    before, files = spec.read_bytes(), sorted(run.iterdir())
    async with opened(run) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        with monkeypatch.context() as patched:
            _fail_to_replace(spec, patched)
            await screen.press("enter")
            await screen.see("Nothing was written.", "the disk is full")
        assert spec.read_bytes() == before
        assert sorted(run.iterdir()) == files
        await screen.press("escape")
        await _box_is_closed(screen)
        assert screen.session.state.unsaved == 1
        await _save(screen)
        assert spec.read_bytes() == before.replace(OLD_LINE, NEW_LINE)


async def test_an_edit_that_fits_no_grader_of_the_spec_stays_unsaved(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    text = spec.read_text()
    # A spec that went on: its fifth stimulus has another name.
    spec.write_text(text.replace("  - name: rename-module\n", "  - name: move-module\n"))
    async with opened(run) as screen:
        await _mend(screen)
        await screen.press("t")
        await screen.type("rename-module")
        await screen.press("enter")
        await screen.judged()
        await screen.press("1", "i")
        await screen.judged()
        await screen.see("● 2 unsaved")
        await _ask_to_save(screen)
        await screen.see("the spec has no stimulus 'rename-module'", "not saved")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert NEW_LINE + b"\n" in spec.read_bytes()
        await screen.see("● 1 unsaved")


# Values that are shared

SHARED_SPEC = """\
name: shared
stimuli:
  - name: twins
    prompt: p
    graders:
      - type: diff-contains
        config: { pattern: &p 'wrong' } # the anchor
      - type: diff-contains
        turn: 0
        config: { pattern: *p }
"""


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose two graders share one pattern in the spec."""
    monkeypatch.chdir(tmp_path)
    graders = [
        {"type": "diff-contains", "config": {"pattern": "wrong"}},
        {"type": "diff-contains", "turn": 0, "config": {"pattern": "wrong"}},
    ]
    diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+right\n"
    record = {
        "type": "trial-result",
        "itemId": "shared::v::m::twins::trial-0",
        "evalName": "shared",
        "evalFilePath": "/home/dev/evals/eval.yaml",
        "stimulus": "twins",
        "status": "success",
        "trajectory": {
            "stimulus": {"name": "twins", "prompt": "p", "graders": graders},
            "events": [],
            "diff": diff,
            "diffs": [diff],
        },
        "gradeResult": {"passed": False, "score": 0, "details": []},
    }
    (tmp_path / "results.jsonl").write_text(json.dumps(record) + "\n")
    (tmp_path / "eval.yaml").write_text(SHARED_SPEC)
    return tmp_path


async def _edit_the_first_twin(screen: Driver) -> None:
    await screen.until(lambda: screen.session.spec is not None, "the spec was found")
    await screen.press("1", "e")
    await screen.until(lambda: screen.triage.field.has_focus, "the field has the focus")
    await screen.clear_and_type("right")
    await screen.press("enter", "ctrl+s")
    await screen.see("This value is shared through an anchor", "t this grader only", "a all that share it")
    await screen.press("enter")
    assert isinstance(screen.app.screen, SaveBox)


def _patterns(spec: Path) -> list[object]:
    stimuli = read_spec(spec).spec.stimuli
    configs = [grader.config.config for stimulus in stimuli for grader in stimulus.graders]
    return [config["pattern"] for config in configs if isinstance(config, dict)]


@pytest.mark.parametrize(("key", "patterns"), [("t", ["right", "wrong"]), ("a", ["right", "right"])])
async def test_whom_an_edit_of_a_shared_value_is_for_is_asked(
    opened: Opener, twins: Path, key: str, patterns: list[str]
) -> None:
    spec = twins / "eval.yaml"
    async with opened(twins) as screen:
        await _edit_the_first_twin(screen)
        assert spec.read_text() == SHARED_SPEC
        await screen.press(key)
        await screen.see("enter write the file")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert _patterns(spec) == patterns
        assert "# the anchor" in spec.read_text()


# Without a spec


async def test_without_a_spec_a_new_one_is_made_from_the_recorded_stimuli(
    opened: Opener, run: Path, tmp_path: Path
) -> None:
    recorded = read_spec(run / "eval.yaml").spec
    (run / "eval.yaml").unlink()
    async with opened(run) as screen:
        await screen.press("e")
        await screen.press("backspace", "enter")
        await screen.judged()
        await screen.press("ctrl+s")
        await screen.see("Save as", "was not found", "A new spec is made")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert "unsaved" not in screen.title
    written = read_spec(tmp_path / "eval.yaml").spec
    assert [stimulus.name for stimulus in written.stimuli] == [stimulus.name for stimulus in recorded.stimuli]
    assert written.stimuli[0].graders[0].config.config == {"pattern": MENDED}
    for new, old in zip(written.stimuli[1:], recorded.stimuli[1:], strict=True):
        assert [grader.config for grader in new.graders] == [grader.config for grader in old.graders]


async def test_where_the_record_names_no_spec_it_is_said_how_to_save_to_one_that_is_there(opened: Opener) -> None:
    async with opened("legacy") as screen:
        await screen.press("e")
        await screen.press("backspace", "enter", "ctrl+s")
        await screen.see("The record does not name this run's spec", "-e SPEC", "A new spec is made")


async def test_a_new_spec_never_takes_the_place_of_a_file(opened: Opener, run: Path, tmp_path: Path) -> None:
    (run / "eval.yaml").unlink()
    (tmp_path / "eval.yaml").write_text("mine")
    async with opened(run) as screen:
        await screen.press("e")
        await screen.press("backspace", "enter", "ctrl+s", "enter")
        await screen.see("it is there already: choose another name")
        assert isinstance(screen.app.screen, SaveAsBox)
        assert (tmp_path / "eval.yaml").read_text() == "mine"
        await screen.clear_and_type("other.yaml")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert (tmp_path / "other.yaml").exists()
        assert screen.session.state.unsaved == 0


# Unsaved edits are kept


def _journals() -> list[Path]:
    return sorted(Path(os.environ["XDG_STATE_HOME"]).rglob("*.json"))


async def _end_with_an_unsaved_edit(opened: Opener, run: Path) -> None:
    async with opened(run) as screen:
        await _mend(screen)
        await screen.until(_journals, "the edit is kept")
        assert [path.stat().st_mode & 0o777 for path in _journals()] == [0o600]


async def test_unsaved_edits_are_offered_at_the_next_start_and_enter_puts_them_back(opened: Opener, run: Path) -> None:
    await _end_with_an_unsaved_edit(opened, run)
    async with opened(run) as screen:
        await screen.see("Unsaved edits", "fix-divide-by-zero  grader 1 (raises-value-error) is changed")
        await screen.press("enter")
        await _box_is_closed(screen)
        await screen.judged()
        await screen.see("● 1 unsaved")
        config = next(iter(screen.session.state.edits.configs.values()))
        assert config.config == {"pattern": MENDED}


async def test_unsaved_edits_of_an_earlier_session_can_be_thrown_away(opened: Opener, run: Path) -> None:
    await _end_with_an_unsaved_edit(opened, run)
    async with opened(run) as screen:
        await screen.see("d throw them away")
        await screen.press("d")
        await _box_is_closed(screen)
        assert _journals() == []
        assert screen.session.state.unsaved == 0
    async with opened(run) as screen:
        assert isinstance(screen.app.screen, TriageScreen)


async def test_undecided_edits_are_offered_again_at_the_next_start_not_before(opened: Opener, run: Path) -> None:
    await _end_with_an_unsaved_edit(opened, run)
    async with opened(run) as screen:
        await screen.see("esc ask again next time")
        await screen.press("escape")
        await _box_is_closed(screen)
        await screen.press("j")
        await screen.judged()
        assert isinstance(screen.app.screen, TriageScreen)
        # An edit of now must not take the place of those that are kept, and is kept as well.
        await screen.press("2", "i")
        await screen.judged()
        assert screen.session.state.unsaved == 1
    async with opened(run) as screen:
        await screen.see("Unsaved edits", "grader 1 (raises-value-error) is changed")
        await screen.see("grader 2 (changes-divide) is changed")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert screen.session.state.unsaved == 2


async def test_of_two_kept_edits_of_one_grader_the_newer_one_is_put_back(opened: Opener, run: Path) -> None:
    await _end_with_an_unsaved_edit(opened, run)
    async with opened(run) as screen:
        await screen.see("Unsaved edits")
        await screen.press("escape")
        await _box_is_closed(screen)
        await screen.press("1", "e")
        await screen.clear_and_type("newer")
        await screen.press("enter")
    async with opened(run) as screen:
        await screen.see("Unsaved edits")
        await screen.press("enter")
        await _box_is_closed(screen)
        (config,) = screen.session.state.edits.configs.values()
        assert config.config == {"pattern": "newer"}


async def test_an_edit_that_could_not_be_kept_at_once_is_kept_in_the_end(
    opened: Opener, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(journal: Journal, key: str, edits: object, digest: str | None) -> None:
        raise SaveRefused("unsaved edits are not kept for a crash: the disk is full")

    async with opened(run) as screen:
        with monkeypatch.context() as full:
            full.setattr(Journal, "record", refuse)
            await _mend(screen)
            await screen.see("unsaved edits are not kept for a crash")
        assert _journals() == []
    assert len(_journals()) == 1


async def test_kept_edits_that_fit_no_grader_any_more_stay_in_the_journal(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    async with opened(run, spec=spec) as screen:
        await _mend(screen)
        await screen.press("2", "i")
        await screen.judged()
        assert screen.session.state.unsaved == 2
    spec.write_text(spec.read_text().replace(r"'def divide\b'", r"'def split\b'"))
    async with opened(run, spec=spec) as screen:
        await screen.see("Unsaved edits")
        await screen.press("enter")
        await screen.see("1 of the kept edits fit no grader any more; the journal still holds them")
        assert screen.session.state.unsaved == 1
        await _save(screen)
    held = [path.read_text() for path in _journals()]
    assert [("changes-divide" in text, "raises-value-error" in text) for text in held] == [(True, False)]


@pytest.mark.parametrize("way", ["saved", "undone"])
async def test_nothing_is_offered_where_nothing_is_unsaved(opened: Opener, run: Path, way: str) -> None:
    async with opened(run) as screen:
        await _mend(screen)
        await screen.until(_journals, "the edit is kept")
        if way == "saved":
            await _save(screen)
        else:
            await screen.press("u")
        await screen.until(lambda: not _journals(), "the journal is cleared")
    async with opened(run) as screen:
        assert isinstance(screen.app.screen, TriageScreen)


# The whole config


async def _replace_config(screen: Driver, text: str) -> None:
    await screen.press("f7")
    await screen.paste(text)


async def test_a_config_typed_as_yaml_is_judged_and_taken_back_as_a_whole(opened: Opener, run: Path) -> None:
    async with opened(run) as screen:
        await screen.press("1", "E")
        await screen.see("type: diff-contains", "judged as it is typed; nothing is saved yet")
        assert isinstance(screen.app.screen, ConfigBox)
        await _replace_config(screen, "type: diff-contains\nname: mine\nconfig:\n  value: raise ValueError\n")
        await screen.until(lambda: screen.session.state.unsaved, "the config is read")
        await screen.judged()
        assert screen.result == "1 match"
        await screen.press("escape")
        await _box_is_closed(screen)
        assert screen.session.state.unsaved == 1
        await screen.press("u")
        await screen.judged()
        assert screen.session.state.unsaved == 0
        assert screen.pattern == r"raise ValueError\('"


async def test_a_grader_is_edited_as_it_stands_in_the_spec_and_its_comments_stay(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    before = spec.read_bytes().replace(OLD_LINE, rb"pattern: 'raise ValueError\('''" + b" # why it is so", 1)
    spec.write_bytes(before)
    async with opened(run) as screen:
        await screen.until(lambda: screen.session.spec is not None, "the spec was found")
        await screen.press("1", "E")
        await screen.see(r"pattern: 'raise ValueError\(''' # why it is so")
        await screen.press("down", "down", "down", "end")
        await screen.type(", mended")
        await screen.until(lambda: screen.session.state.unsaved, "the text is read")
        await screen.press("escape")
        await _box_is_closed(screen)
        await _save(screen)
    assert spec.read_bytes() == before.replace(b" # why it is so", b" # why it is so, mended")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: mine\n", "a grader needs a type"),
        ("type: [diff-contains\n", "! "),
        ("- type: diff-contains\n", "! "),
    ],
)
async def test_a_fault_in_the_config_is_told_and_changes_nothing(
    opened: Opener, run: Path, text: str, told: str
) -> None:
    async with opened(run) as screen:
        await screen.press("1", "E")
        await _replace_config(screen, text)
        await screen.see_no_more("judged as it is typed")
        await screen.see(told)
        assert screen.session.state.unsaved == 0
        await screen.press("escape")
        await _box_is_closed(screen)
        assert screen.session.state.unsaved == 0
        assert screen.pattern == r"raise ValueError\('"


# Runs and specs that change on disk


async def test_reading_again_keeps_the_trial_in_view_and_the_edits(opened: Opener, run: Path) -> None:
    async with opened(run) as screen:
        await _mend(screen)
        await screen.press("t")
        await screen.type("keep-secrets")
        await screen.press("enter", "2")
        await screen.judged()
        trial, grader = screen.trial, screen.grader
        assert (trial[0], grader) == ("keep-secrets-out", 2)
        await screen.press("R")
        await screen.until(lambda: not screen.session.is_reading, "the run is read again")
        await screen.judged()
        assert (screen.trial, screen.grader) == (trial, grader)
        assert len(screen.session.board.entries) == 20
        # Two trials flip by the edit, before the run is read again and after.
        await screen.see("● 1 unsaved", "✘→✔ 2  claude", "✘→✔ 3  gpt")


async def test_a_trial_that_is_added_to_an_open_run_appears(opened: Opener, run: Path) -> None:
    results = run / "results.jsonl"
    record = json.loads(results.read_text().split("\n")[0])
    record |= {"itemId": record["itemId"].replace("trial-0", "trial-7"), "stimulus": "late", "trialIndex": 7}
    record["trajectory"]["stimulus"]["name"] = "late"
    async with opened(run) as screen:
        trial = screen.trial
        with results.open("a") as file:
            file.write(json.dumps(record) + "\n")
        await screen.until(lambda: len(screen.session.board.entries) == 21, "the new trial is there")
        await screen.judged()
        assert screen.trial == trial
        await screen.press("t")
        await screen.type("late")
        await screen.press("enter")
        await screen.judged()
        assert screen.trial[0] == "late"


async def test_graders_follow_a_given_spec_that_an_editor_replaces_and_the_unsaved_edit_stays(
    opened: Opener, run: Path
) -> None:
    spec = run / "eval.yaml"
    async with opened(run, spec=spec) as screen:
        await _mend(screen)
        await screen.press("2")
        assert screen.pattern == r"def divide\b"
        other = run / "eval.yaml.new"
        other.write_text(spec.read_text().replace(r"'def divide\b'", r"'def split\b'"))
        other.replace(spec)
        await screen.until(
            lambda: screen.session.spec is not None and "split" in screen.session.spec.document.text, "it is read"
        )
        await screen.judged()
        await screen.press("2")
        assert screen.pattern == r"def split\b"
        await screen.press("1")
        assert screen.pattern == MENDED
        await screen.see("● 1 unsaved")


@pytest.mark.parametrize(("key", "shown"), [("x", "either quote"), ("s", "as it is")])
async def test_what_was_found_for_graders_that_were_read_anew_meanwhile_is_not_put_into_them(
    opened: Opener, run: Path, key: str, shown: str
) -> None:
    spec = run / "eval.yaml"
    async with opened(run, spec=spec) as screen:
        await screen.press(key)
        await screen.see(shown)
        spec.write_text(spec.read_text().replace(r"'def divide\b'", r"'def split\b'"))
        screen.triage.changed(screen.session.receive(SpecFound(read_target(spec, given=True))))
        await screen.press("enter")
        assert "the graders were read anew meanwhile, ask again" in screen.footer
        assert screen.session.state.unsaved == 0


async def test_boxes_over_a_run_that_is_read_anew_meanwhile_lead_nowhere_but_stay(opened: Opener, run: Path) -> None:
    async with opened(run) as screen:
        await screen.press("2", "m")
        await screen.see("1 match · 1 context")
        screen.triage.changed(screen.session.reread())
        await screen.judged()
        await screen.press("enter")
        assert "the run was read anew meanwhile: ask again" in screen.footer
        await screen.press("t")
        await screen.type("fix")
        await screen.see("fix-divide-by-zero · trial 1")
        screen.triage.changed(screen.session.reread())
        await screen.judged()
        await screen.type("-")
        await screen.see("fix-divide-by-zero · trial 1")


async def test_a_conflict_in_a_given_spec_brings_its_other_graders_into_view(opened: Opener, run: Path) -> None:
    spec = run / "eval.yaml"
    async with opened(run, spec=spec) as screen:
        await _mend(screen)
        await _ask_to_save(screen)
        spec.write_text(spec.read_text().replace(r"'def divide\b'", r"'def split\b'"))
        theirs = spec.read_bytes()
        await screen.press("enter")
        await screen.see("Nothing was written.")
        await screen.press("r")
        await screen.see("1 line changes", "enter write the file")
        await screen.press("enter")
        await _box_is_closed(screen)
        assert spec.read_bytes() == theirs.replace(OLD_LINE, NEW_LINE)
        await screen.judged()
        await screen.press("2")
        assert screen.pattern == r"def split\b"
        assert screen.session.state.unsaved == 0
