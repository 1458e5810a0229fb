"""The triage screen: its panes, which of them has the focus, and what is in view. State is the session's.

Commands come in by id and are done by the tables of moves.py and its siblings; drawing.py fills the panes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget

from vally_tui.diffs.model import FileKind
from vally_tui.grading.model import GraderConfig, Spans
from vally_tui.spec.journal import Journal
from vally_tui.triage import update
from vally_tui.triage.config_edit import field_text, with_turn
from vally_tui.triage.edit_view import next_turn
from vally_tui.triage.events import Changed
from vally_tui.triage.session import ANSWERED_SOON, Session
from vally_tui.triage.state import TriageState
from vally_tui.triage.tabs import Tab, tabs_of
from vally_tui.triage.views import awaits_matches
from vally_tui.triage.views_model import NO_LAYERS, Layers, Note, Tone
from vally_tui.ui import typeahead
from vally_tui.ui.commands import COMMANDS, Keymap
from vally_tui.ui.screens import drawing, editing, moves
from vally_tui.ui.screens.editing import EDITING
from vally_tui.ui.screens.explainer import Explainer
from vally_tui.ui.screens.filtering import Filtering
from vally_tui.ui.screens.footing import footer_of
from vally_tui.ui.screens.handlers import Handlers
from vally_tui.ui.screens.keeper import Keeper, tell_clashes
from vally_tui.ui.screens.linter import Linter
from vally_tui.ui.screens.matches import position_of, step_match
from vally_tui.ui.screens.pacing import Pace
from vally_tui.ui.screens.searching import SearchDone, Searching
from vally_tui.ui.typeahead import Turn
from vally_tui.ui.widgets.diff_pane import DiffPane, DiffView
from vally_tui.ui.widgets.files_pane import FileList, FilesPane
from vally_tui.ui.widgets.footer_line import FooterLine
from vally_tui.ui.widgets.graders_pane import GraderList, GradersPane
from vally_tui.ui.widgets.overlay import Overlay
from vally_tui.ui.widgets.pane import Pane
from vally_tui.ui.widgets.pane_title import PaneTitle
from vally_tui.ui.widgets.pattern_field import PatternField
from vally_tui.ui.widgets.prompt_line import PromptLine
from vally_tui.ui.widgets.row_list import RowList
from vally_tui.ui.widgets.title_line import TitleLine
from vally_tui.ui.widgets.trials_pane import TrialList, TrialsPane

BEHIND_FIRST_ROWS = 0.3
"""Seconds after which what only a key needs is imported in the background."""


def all_handlers() -> Handlers:
    """Every command's deed. Imports what only a key needs: the first rows do not wait for it."""
    from vally_tui.ui.screens.boxes import BOXES
    from vally_tui.ui.screens.explaining import EXPLAINING
    from vally_tui.ui.screens.linting import LINTING
    from vally_tui.ui.screens.saving import SAVING
    from vally_tui.ui.screens.spec_files import SPEC_FILES
    from vally_tui.ui.screens.suggesting import SUGGESTING

    return Handlers().join(moves.MOVES, BOXES, EDITING, SAVING, SPEC_FILES, EXPLAINING, SUGGESTING, LINTING)


class TriageScreen(Screen[None]):
    """The one main screen."""

    BINDINGS = [  # noqa: RUF012  (Textual reads it from the class)
        Binding(
            ",".join({",": "comma"}.get(key, key) for key in command.keys),
            f"command('{command.id}')",
            command.words,
            id=command.id,
            show=False,
        )
        for command in COMMANDS
    ]

    def __init__(
        self,
        session: Session,
        keymap: Keymap,
        *,
        run_name: str,
        key_repeats: Callable[[], bool],
        faults: Sequence[str] = (),
    ) -> None:
        """``faults``: what is wrong with the person's configuration.

        ``key_repeats``: whether the same key waits to act again.
        """
        super().__init__()
        self.session = session
        self.keymap = keymap
        self.run_name = run_name
        self.faults = tuple(faults)
        self.title_line = TitleLine(id="title")
        self.trials = TrialsPane(id="trials")
        self.files = FilesPane(id="files")
        self.graders = GradersPane(id="graders")
        self.diff = DiffPane(id="diff")
        self.trials.list.follow = self._follow_trial
        self.graders.list.follow = self._follow_grader
        self.files.list.follow = self._follow_file
        self.diff.view.follow = self._follow_diff
        self.footer = FooterLine(id="footer")
        self.field = PatternField(id="field")
        self.prompt = PromptLine(id="prompt")
        self.prompting: Filtering | Searching | None = None
        """What is typed in the prompt below the panes; None while it is closed."""
        self.keeper = Keeper(self, Journal.of_the_person())
        self.marks: Layers = NO_LAYERS
        self.explainer = Explainer(session)
        self.linter = Linter(session)
        self.waiting_box: Overlay[Any] | None = None
        """The box that waits for what a job finds."""
        self._show_span: tuple[int, int] | None = None
        self.current_match: tuple[int, int] | None = None
        self.asked_for = ""
        """The command that is being done."""
        self.chosen_flag: int | None = None
        self._wants_first_match = True
        self._wants_near = False
        self._typed_waits = False
        """Whether the field holds what the session does not know yet."""
        self.pace = Pace(self, key_repeats)
        self._first_rows = True
        """Whether no trial was drawn yet."""

    def compose(self) -> ComposeResult:
        """Two columns below the title, the footer last."""
        yield self.title_line
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield self.trials
                yield self.files
            with Vertical(id="right"):
                yield self.graders
                yield self.diff
        yield self.prompt
        yield self.footer
        yield self.field

    def on_mount(self) -> None:
        """Draw what is read so far."""
        self.trials.focus()
        self.pace.draw_now(~Changed.NOTHING)
        self.set_timer(BEHIND_FIRST_ROWS, lambda: threading.Thread(target=all_handlers, daemon=True).start())
        self.screen_layout_refresh_signal.subscribe(self, lambda _: self.place_field())
        self.watch(self.graders.list, "scroll_y", self.place_field, init=False)
        if self.faults:
            # The footer is drawn once more when the first pane has the focus.
            self.call_after_refresh(self.refuse, self.faults[0])

    def on_resize(self) -> None:
        """How much is said of the chosen grader depends on the height of the screen, not on that of its list."""
        self.graders.list.resized()
        self.graders.list.refresh_changed()

    def on_unmount(self) -> None:
        """Keep what is not saved."""
        self.take_typed()
        self.keeper.finish()

    # What has changed

    def changed(self, changed: Changed) -> None:
        """Draw these parts anew, soon."""
        self.pace.changed(changed)

    def take_jobs(self) -> None:
        """Take in what jobs have found."""
        if self.session.jobs:
            from vally_tui.ui.screens import explaining, linting, suggesting
        while self.session.jobs:
            job = self.session.jobs.popleft()
            self.explainer.take(job.token, job.value)
            explaining.take_explanation(self, job.token, job.value)
            suggesting.take_suggestions(self, job.value)
            linting.take_lint(self, job.token, job.value)

    def show_news(self, changed: Changed) -> None:
        """Draw the parts that changed, and see to what waits for them."""
        self.draw(changed)
        if self._first_rows and self.session.board.entries:
            self._first_rows = False
            self.call_after_refresh(self.session.rows_are_shown)
        if self.session.progress.done:
            self.keeper.offer()
        # What was read anew may have moved the edits.
        self.keeper.look()
        tell_clashes(self)

    def draw(self, changed: Changed) -> None:
        """Draw the parts that changed."""
        if not self.is_attached:
            return
        if changed & (
            Changed.TRIALS
            | Changed.VERDICTS
            | Changed.STATE
            | Changed.PROGRESS
            | Changed.TROUBLE
            | Changed.SPEC
            | Changed.JOB
        ):
            drawing.draw_title(self)
            drawing.draw_trials(self)
            drawing.draw_graders(self)
            self.call_after_refresh(self.place_field)
        if changed & (Changed.DOCUMENT | Changed.DOCUMENT_GROWN):
            if changed & Changed.DOCUMENT_GROWN and not changed & Changed.DOCUMENT:
                self.diff.view.grown()
            drawing.draw_document(self)
        elif changed & (Changed.PROGRESS | Changed.TRIALS) and self.session.document is None:
            drawing.draw_document(self)
        if changed & Changed.DOCUMENT and self.search is not None:
            self.search.again()
        if changed & (Changed.TRIALS | Changed.STATE) and isinstance(self.prompting, Filtering):
            self.prompting.show()
        if changed & (Changed.MATCHES | Changed.STATE | Changed.DOCUMENT | Changed.JOB):
            self._show_first_match()
            drawing.draw_matches(self)
            self._show_wanted_place()
        self.explainer.look()
        self.linter.look()
        # Why the last key did nothing stays until the next one, whatever comes in meanwhile.
        self.draw_footer(self.footer.view.refusal)

    def draw_footer(self, refusal: str = "") -> None:
        """The keys of the pane with the focus, or why the last one did nothing."""
        self.footer.show(footer_of(self, refusal))

    # Commands

    @cached_property
    def handlers(self) -> Handlers:
        """Which function does which command."""
        return all_handlers()

    def action_command(self, command: str) -> None:
        """Do a command, or say why it is not possible now."""
        self.take_typed()
        why = self.refusal(command)
        if why is not None:
            self.refuse(why)
            return
        self.asked_for = command
        if self.footer.view.refusal:
            self.draw_footer()
        self.handlers.deeds[command](self)

    def refusal(self, command: str) -> str | None:
        """Why a command is not possible now; None where it is."""
        if command not in self.handlers.deeds:
            return "not possible here"
        asks = self.handlers.refusals.get(command)
        return asks(self) if asks is not None else None

    def refuse(self, why: str) -> None:
        """Say why a command did nothing, in the footer's place until the next key."""
        self.draw_footer(why)

    # Panes

    @property
    def panes(self) -> tuple[tuple[str, Pane, Widget], ...]:
        """Name, pane and list of each pane that can be seen, in the order of tab."""
        every = (
            ("trials", self.trials, self.trials.list),
            ("graders", self.graders, self.graders.list),
            ("files", self.files, self.files.list),
            ("diff", self.diff, self.diff.view),
        )
        return tuple(pane for pane in every if pane[0] != "files" or (self.files.display and not self.list_opens))

    @property
    def active_name(self) -> str:
        """The pane with the focus."""
        return next((name for name, _, body in self.panes if body.has_focus), "trials")

    @property
    def active_list(self) -> RowList | DiffView:
        """The list of the pane with the focus."""
        lists: dict[str, RowList | DiffView] = {
            "trials": self.trials.list,
            "graders": self.graders.list,
            "files": self.files.list,
            "diff": self.diff.view,
        }
        return lists[self.active_name]

    def focus_pane(self, step: int) -> None:
        """Give the focus to the next or previous pane; where the trial list has no room it opens over the others."""
        names = [name for name, _, _ in self.panes]
        at = names.index(self.active_name) if self.active_name in names else 0
        if names[at] == "trials" and self.list_opens and not self.list_is_open:
            self.show_pane("trials")
        else:
            self.show_pane(names[(at + step) % len(names)])

    def show_pane(self, name: str) -> None:
        """Give the focus to a pane, and room where it has none."""
        self.make_room(name)
        next(pane for each, pane, _ in self.panes if each == name).focus()

    def make_room(self, name: str) -> None:
        """Give a pane the room that it has while it is looked at."""
        columns = self.query_one("#columns")
        columns.set_class(name == "trials" and self.list_opens, "-list")
        columns.set_class(name == "graders", "-graders")

    @property
    def list_opens(self) -> bool:
        """Whether the trial list has no place beside the other panes."""
        return any(self.has_class(name) for name in ("-tiny", "-small", "-low", "-flat"))

    @property
    def list_is_open(self) -> bool:
        """Whether the trial list is open over the other panes."""
        return self.list_opens and self.query_one("#columns").has_class("-list")

    def on_descendant_focus(self) -> None:
        """Other keys matter now."""
        self.draw_footer()

    def holds_keys(self, following: Turn | None) -> float:
        """Seconds for which the next key (None: any) may wait, as it is not yet known what the last one leads to."""
        top = self.app.screen
        asked = top if isinstance(top, Overlay) else self.prompting
        if asked is not None:
            return typeahead.LONGEST_LOOK if asked.holds_keys else 0
        is_for_evidence = following is None or moves.is_for_evidence(self, following)
        return typeahead.LONGEST if is_for_evidence and (moves.awaits_evidence(self) or self._awaits_place) else 0

    # What is in view

    def change(self, state: TriageState) -> None:
        """Make this the session's state and draw what follows from it."""
        before = self.session.state
        edited = state.edits is not before.edits
        if (state.trial, state.slot, state.tab) != (before.trial, before.slot, before.tab):
            # Whatever leads there, such as an undo.
            self.forget_place()
        self.changed(self.session.change(state))
        if edited:
            # Where the answer takes longer, the matches of before are dimmed.
            self.set_timer(ANSWERED_SOON, lambda: self.changed(Changed.MATCHES))
        self.keeper.look()

    def select_trial(self, key: int) -> None:
        """Bring a trial into view."""
        self.forget_place()
        self.change(update.select_trial(self.session.state, self.session.board, key))

    def select_slot(self, slot: int | None) -> None:
        """Focus a grader."""
        self.forget_place()
        self.change(update.focus_slot(self.session.state, self.session.board, slot))

    def select_tab(self, tab: Tab) -> None:
        """Open another of the trial's texts."""
        self.forget_place()
        self.change(update.select_tab(self.session.state, tab))

    def forget_place(self) -> None:
        """What is in view was chosen anew: its own first match is to be shown."""
        self.current_match = self._show_span = None
        self._wants_first_match, self._wants_near = True, False
        self.changed(Changed.MATCHES)

    def _stay(self) -> None:
        """The person went to a place: what is found later leads nowhere else."""
        self._wants_first_match = self._wants_near = False

    def _follow_trial(self, row: int) -> None:
        """The cursor of the trial list stands elsewhere."""
        key = self.trials.list.trial_at(row)
        if key in self.session.board.entries:
            self.select_trial(key)

    def _follow_grader(self, row: int) -> None:
        """The cursor of the grader list stands elsewhere."""
        state = self.session.state
        slots = self.session.board.slots_of(state.trial, state.edits) if state.trial is not None else ()
        if row < len(slots):
            self.select_slot(slots[row])

    def _follow_file(self, row: int) -> None:
        """The cursor of the file list stands elsewhere."""
        self._stay()
        self.diff.view.go_file(row)

    @on(RowList.Chosen)
    def _chosen(self, message: RowList.Chosen) -> None:
        """Enter goes one pane further; on a grader with a pattern it edits that."""
        message.stop()
        if isinstance(message.row_list, GraderList) and self.refusal("edit.pattern") is None:
            self.action_command("edit.pattern")
            return
        following = {TrialList: "graders", FileList: "diff", GraderList: "diff"}
        self.show_pane(following[type(message.row_list)])

    def _follow_diff(self) -> None:
        """The cursor of the diff stands elsewhere."""
        self._stay()
        position = self.diff.view.position
        if position.file is not None:
            self.files.list.move_to(position.file, say=False)
        drawing.draw_diff_title(self)

    @on(PaneTitle.TabChosen)
    def _tab_chosen(self, message: PaneTitle.TabChosen) -> None:
        state = self.session.state
        tabs = tabs_of(self.session.board, state.trial, state.edits) if state.trial is not None else ()
        for tab in tabs:
            if tab.label == message.key:
                self.select_tab(tab)

    # The field of the grader that is edited

    def open_field(self) -> None:
        """Open the field of the focused grader; it gets its place when the grader list has made room for it."""
        slot = self.session.state.typing_slot
        if slot is not None:
            text = field_text(self.session.board.config(slot, self.session.state.edits))
            self.field.open(text, self.graders.list.field_region())
            self.call_after_refresh(self.place_field)

    def place_field(self) -> None:
        """Keep the open field over the row that the grader list leaves free for it; close it where its grader is gone."""
        if self.field.display and editing.field_is_lost(self):
            editing.leave_field(self)
        elif self.field.display:
            self.field.place(self.graders.list.field_region())

    def redraw_graders(self) -> None:
        """Draw the graders now: a toggle below the field was chosen."""
        drawing.draw_graders(self)
        self.call_after_refresh(self.place_field)

    def with_next_turn(self, config: GraderConfig) -> GraderConfig:
        """The config looking at the next turn of the trial in view."""
        return with_turn(config, next_turn(self.session.board, self.session.state, config))

    @on(PatternField.Changed)
    def _typed(self, message: PatternField.Changed) -> None:
        if message.input is self.field:
            message.stop()
            if not self._typed_waits:
                # The character is on the screen before anything that follows from it.
                self._typed_waits = True
                self.call_after_refresh(self.take_typed)

    def take_typed(self) -> None:
        """Take in what was typed in the field since the last time."""
        if self._typed_waits:
            self._typed_waits = False
            self.draw_footer()
            editing.typed(self, self.field.value)

    @on(PatternField.Left)
    def _left_field(self, message: PatternField.Left) -> None:
        self.take_typed()
        slot = self.session.state.typing_slot
        editing.leave_field(self, elsewhere=message.elsewhere)
        if message.entered and slot is not None:
            self.changed(self.session.try_again(slot))

    @on(PatternField.FlagsAsked)
    def _flags_asked(self, message: PatternField.FlagsAsked) -> None:
        self.take_typed()
        editing.walk_flags(self, message.step)

    # The prompt below the panes

    @property
    def search(self) -> Searching | None:
        """The search in a pane while it is open."""
        return self.prompting if isinstance(self.prompting, Searching) else None

    @on(PromptLine.Heard)
    def _heard(self, message: PromptLine.Heard) -> None:
        message.stop()
        if self.prompting is not None:
            self.prompting.hear(message.said, message.text)

    @on(SearchDone)
    def _searched(self, message: SearchDone) -> None:
        message.stop()
        message.search.take(message.revision, message.finds)

    # Matches

    @property
    def walked(self) -> list[Spans]:
        """The matches that ``n`` walks: the focused grader's, else all."""
        layers = self.marks
        chosen = [each for each in layers.graders if layers.focused is None or each.number == layers.focused]
        return [each.spans for each in chosen]

    def walk_matches(self, direction: int) -> None:
        """To the next or previous match."""
        # What is drawn may be of the keys before.
        self.marks, view = drawing.layers_of(self), self.diff.view
        at = self.current_match or (view.position.offset - (direction > 0), view.position.offset)
        step = step_match(self.walked, at, direction)
        if step is None and awaits_matches(self.session.board, self.session.state):
            self.refuse("the focused grader's matches are still being looked for")
            return
        if step is None:
            self.refuse("the focused grader matches nothing here" if self.marks.focused else "no grader matches here")
            return
        self._stay()
        self.show_match(step.span)
        if step.wrapped:
            self.refuse(
                "past the last match: on from the first" if direction > 0 else "before the first: on from the last"
            )

    def show_match(self, span: tuple[int, int]) -> None:
        """Make a match the current one and show it."""
        self.current_match = span
        self.diff.view.go_offset(*span, say=False)
        self._follow_diff()
        drawing.draw_matches(self)

    def follow_matches(self) -> None:
        """Show the first match of the pattern that is typed, as soon as it is known."""
        self._wants_first_match, self._wants_near = True, False

    def _show_first_match(self) -> None:
        """Once evidence and matches of the selection are there, its first match is shown."""
        session = self.session
        document = session.document
        if not self._wants_first_match or document is None or document.key != session.evidence_key:
            return
        state = session.state
        if state.trial is None or state.slot is None or document.index is None:
            return
        found = session.board.in_view(state.trial, state.slot, state.edits)
        if found is None or found.stale:
            return
        self._wants_first_match = False
        if len(found.verdict.spans) and session.tab_of_slot(state.slot) == state.tab:
            self.current_match = found.verdict.spans[0]
            self.diff.view.go_offset(*self.current_match, say=False)
        else:
            # Where nothing matches, the near place is shown as soon as it is known.
            self._wants_near = True

    @property
    def _awaits_place(self) -> bool:
        """Whether the place that is to be shown first, the first match or a near one, is still looked for or to be drawn."""
        board, state, document = self.session.board, self.session.state, self.session.document
        if state.trial is None or state.slot is None or document is None or document.index is None:
            return False
        if self._wants_first_match:
            found = board.in_view(state.trial, state.slot, state.edits)
            return awaits_matches(board, state) or (found is not None and not found.stale)
        return self._wants_near and (self.explainer.is_looking or bool(self.explainer.highlight(1)))

    def show_later(self, span: tuple[int, int]) -> None:
        """Show a place of the evidence, as soon as that is in view."""
        self._show_span = span
        self._stay()
        self.changed(Changed.MATCHES)

    def _show_wanted_place(self) -> None:
        document = self.session.document
        if document is None or document.index is None or document.key != self.session.evidence_key:
            return
        near = self.marks.near
        if self._show_span is not None and document.index.covers(self._show_span[0]):
            span, self._show_span = self._show_span, None
        elif self._wants_near and near:
            span, self._wants_near = near[0].spans[0], False
        else:
            return
        self.diff.view.go_offset(*span, say=False)
        self._follow_diff()

    def place_notes(self) -> list[Note]:
        """File, hunk and match at the cursor, for the diff's title."""
        document = self.session.document
        if document is None or document.index is None:
            return []
        position, files = self.diff.view.position, document.index.files
        notes: list[Note] = []
        if position.file is not None and position.file < len(files):
            file = files[position.file]
            is_part = file.kind is FileKind.PART
            name = f"{file.path} of {len(files)}" if is_part else file.path or "(no name)"
            notes.append(Note(name, Tone.PLAIN, 0, path=not is_part))
            if not self.files.display and not is_part:
                notes.append(Note(f"file {position.file + 1}/{len(files)}", Tone.MUTED, 2, joint="  "))
            if position.hunk is not None:
                notes.append(Note(f"hunk {position.hunk + 1}/{len(file.hunks)}", Tone.MUTED, 3, joint="  "))
        elif document.index.notice:
            notes.append(Note(document.index.notice, Tone.WARN, 0))
        if document.index.disagreed:
            notes.append(Note(document.index.disagreed, Tone.WARN, 2))
        if self.marks.current is not None:
            which, of = position_of(self.walked, self.marks.current)
            notes.append(Note(f"match {which:,}/{of:,}", Tone.MUTED, 1))
        elif self.marks.near:
            notes.append(Note("near 1/1", Tone.MUTED, 1))
        return notes
