"""The spec outside of the fields: as YAML, in the person's editor, read again."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from vally_tui.spec.new_spec import grader_text
from vally_tui.triage import update
from vally_tui.triage.edits import TypedText
from vally_tui.triage.saving import grader_in
from vally_tui.triage.session import Session
from vally_tui.triage.typed_text import source_of, with_config
from vally_tui.ui.screens.box_config import ConfigBox
from vally_tui.ui.screens.editing import no_grader
from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.grading.model import GraderConfig
    from vally_tui.ui.screens.triage import TriageScreen

SPEC_FILES = Handlers()


@SPEC_FILES.does("edit.config", unless=no_grader)
def edit_config(screen: TriageScreen) -> None:
    """The focused grader's whole config as YAML."""
    session = screen.session
    slot = session.state.slot
    assert slot is not None
    config, before = session.board.config(slot, session.state.edits), session.state.edits.texts.get(slot)
    shown, source = _text_to_edit(session, slot, config)
    screen.change(update.open_field(session.state, slot))

    def changed(now: GraderConfig, text: str) -> None:
        # The grader may have another slot by now, where the spec was read anew meanwhile.
        typing = session.state.typing_slot
        typed = before if text == shown or source is None else TypedText(source, text)
        if typing is not None:
            screen.change(update.edit_text(session.state, session.board, typing, now, typed))

    def closed(_: GraderConfig | None) -> None:
        screen.change(update.close_field(session.state))

    about = (session.board.slots[slot].stimulus or "", config.label)
    screen.app.push_screen(ConfigBox(screen.keymap, shown, about, changed), closed)


def _text_to_edit(session: Session, slot: int, config: GraderConfig) -> tuple[str, str | None]:
    """A grader's text as it is now, and as it stands in the spec; only its values where that has no text of it."""
    typed, source = session.state.edits.texts.get(slot), None
    if session.spec is not None:
        grader = grader_in(session.spec.document, session.board, slot, session.state)
        if grader is not None and grader.config == session.board.config(slot, session.state.saved):
            source = source_of(session.spec.document, grader)
    if source is None:
        return grader_text(config), None
    text = with_config(typed.text if typed is not None and typed.source == source else source, config)
    return (grader_text(config), None) if text is None else (text, source)


def _no_spec(screen: TriageScreen) -> str | None:
    return None if screen.session.spec is not None else "no spec was found for this run: start with -e SPEC"


@SPEC_FILES.does("spec.editor", unless=_no_spec)
def open_editor(screen: TriageScreen) -> None:
    """The spec in ``$VISUAL`` or ``$EDITOR`` at the focused grader's line; it is read again afterwards."""
    target = screen.session.spec
    assert target is not None
    command = editor_command(os.environ, target.path, grader_line(screen.session))
    fault = None
    try:
        # What fails must fail in here: the terminal is taken back only where the block ends well.
        with screen.app.suspend(), _interrupts_are_the_editor_s(screen):
            fault = _run(command)
    except SuspendNotSupported:
        screen.refuse("the program cannot give the terminal away here")
        return
    screen.app.refresh()
    if fault is not None:
        screen.refuse(f"{command[0]} cannot be started ({fault}): set $EDITOR")
        return
    screen.session.read_spec_again()


HEARD_AFTER = 0.5
"""Seconds after the editor's end until an interrupt ends the program again."""


def _run(command: list[str]) -> str | None:
    """Run a command to its end; why it cannot be started, where that is so."""
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        # A NUL character in the name.
        return str(error)
    return None


@contextmanager
def _interrupts_are_the_editor_s(screen: TriageScreen) -> Iterator[None]:
    """Meanwhile ctrl+c, which the terminal sends to both, does not end the program behind the editor."""
    loop = asyncio.get_running_loop()
    ends = loop.remove_signal_handler(signal.SIGINT)
    # A function, as what is ignored here would be ignored by the editor, too.
    before = signal.signal(signal.SIGINT, lambda *_: None)

    def restore() -> None:
        signal.signal(signal.SIGINT, before)
        if ends:
            loop.add_signal_handler(signal.SIGINT, screen.app.exit, 128 + signal.SIGINT)

    try:
        yield
    finally:
        # The loop hears only now of what was pressed meanwhile.
        loop.call_later(HEARD_AFTER, restore)


def editor_command(environment: dict[str, str] | os._Environ[str], path: Path, line: int) -> list[str]:
    """The words of the command that opens a file at a 1-based line, as most editors take it."""
    chosen = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    try:
        words = shlex.split(chosen) or ["vi"]
    except ValueError:
        words = [chosen]
    name = Path(words[0]).name
    if name in ("code", "codium", "cursor", "subl", "zed"):
        return [*words, *(["--goto"] if name in ("code", "codium", "cursor") else []), f"{path}:{line}"]
    return [*words, f"+{line}", str(path)]


def grader_line(session: Session) -> int:
    """The 1-based line of the spec at which the focused grader begins; 1 where it is not there."""
    slot = session.state.slot
    if session.spec is None or slot is None:
        return 1
    document = session.spec.document
    grader = grader_in(document, session.board, slot, session.state)
    if grader is not None:
        return grader.line
    stimulus = document.spec.stimulus(session.board.slots[slot].stimulus)
    return stimulus.line if stimulus is not None else 1


def _reading(screen: TriageScreen) -> str | None:
    return "the run is still being read" if screen.session.is_reading else None


@SPEC_FILES.does("run.reread", unless=_reading)
def reread(screen: TriageScreen) -> None:
    """Read the runs and the spec again; the cursor stays at its place of the evidence."""
    place = screen.diff.view.position.offset
    screen.changed(screen.session.reread())
    if place:
        screen.show_later((place, place))


# Unsaved edits are kept outside of the run and the spec as soon as they are made.
