"""Fills the panes of the triage screen from its session. Owns which view goes where, nothing of how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vally_tui.grading.graders import Subject
from vally_tui.grading.model import NO_SPANS, Absence, Absent
from vally_tui.triage import views
from vally_tui.triage.edit_view import edit_view
from vally_tui.triage.tabs import tabs_of
from vally_tui.triage.views_files import file_row, files_title, marks_by_file
from vally_tui.triage.views_model import (
    NO_LAYERS,
    EmptyView,
    GraderMark,
    GraderRow,
    GroupRow,
    Highlight,
    Hint,
    Layers,
    Mark,
    Note,
    PaneTitleView,
    Tone,
    TrialRow,
    TurnTab,
)

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen


MOST_ERROR = 300
"""Characters of a trial's recorded error that the empty evidence view says; the trial's facts say all."""


def draw_title(screen: TriageScreen) -> None:
    """The first row."""
    session = screen.session
    progress = session.progress
    reading = "" if progress.done else f"reading {progress.share * 100:.0f} %"
    count = len(session.board.entries)
    so_far = "" if progress.done else f"{count:,} trial{'s' * (count != 1)} so far"
    screen.title_line.show(
        views.title_view(
            session.board,
            session.state,
            run=screen.run_name,
            spec=session.spec.shown if session.spec is not None else "",
            spec_differs=session.spec_differs,
            progress=reading,
            note=so_far,
            trouble=session.trouble,
            doubts=session.doubting.counts(session.board, session.state.edits),
            placed=screen.list_opens,
        )
    )


def draw_trials(screen: TriageScreen, *, follow: bool = True) -> None:
    """The trial list; ``follow``: the cursor goes to the trial in view."""
    session = screen.session
    board, rows = session.board, session.rows
    wide = screen.trials.list.size.width >= 70

    def row_at(index: int) -> TrialRow | GroupRow:
        row = rows.rows[index]
        if row < 0:
            return views.group_row(board, session.state, rows.groups[~row])
        return views.trial_row(board, session.state, row, rows, with_result=wide, doubting=session.doubting)

    state = session.state
    cursor = rows.row_of(state.trial) if follow and state.trial is not None else None
    screen.trials.list.empty = _no_trials(screen)
    screen.trials.list.show(
        len(rows.rows),
        row_at,
        views.trial_columns(board, wide=wide, grouped=rows.grouped, focused=state.slot is not None),
        cursor=cursor,
        keys=rows.rows,
        version=(board, board.version, rows, session.doubting.version, wide, *views.trial_row_needs(state)),
    )
    screen.trials.show_title(views.trials_title(board, state, rows))


def _no_trials(screen: TriageScreen) -> EmptyView:
    session = screen.session
    if not session.progress.done:
        return EmptyView("Reading the run")
    if session.state.filter.terms:
        return EmptyView("No trial fits the filter", steps=(Hint("\\", "change the filter"),))
    return EmptyView("No trials", steps=(Hint("!", "what could not be read"),))


def draw_graders(screen: TriageScreen) -> None:
    """The graders of the trial in view."""
    session = screen.session
    board, state = session.board, session.state
    rows = list(views.grader_rows(board, state))
    cursor = None
    if state.trial is not None and state.slot is not None:
        slots = board.slots_of(state.trial, state.edits)
        if state.slot in slots:
            cursor = slots.index(state.slot)
            rows[cursor] = open_field(screen, rows[cursor], state.slot)
        rows = [screen.explainer.explained(row, state.trial, slot) for row, slot in zip(rows, slots, strict=True)]
        rows = screen.linter.marked(rows, slots)
    screen.graders.list.empty = None if rows else EmptyView(_no_graders(screen))
    screen.graders.list.show(rows, cursor=cursor)
    screen.graders.show_title(views.graders_title(board, state, session.doubting, placed=screen.list_opens))


def _no_graders(screen: TriageScreen) -> str:
    if screen.session.state.trial is not None:
        return "no graders recorded"
    return "none" if screen.session.progress.done else "none yet"


def draw_document(screen: TriageScreen) -> None:
    """The evidence in view, and its files."""
    session = screen.session
    document = session.document
    view = screen.diff.view
    if document is None or document.key != session.evidence_key:
        view.show_empty(_waiting(screen))
    elif document.index is None:
        view.show_empty(_absent(screen, document.absent))
    elif not document.text:
        view.show_empty(_empty_text(screen) if document.key.subject is not Subject.DIFF else _empty_diff(screen))
    else:
        view.show(document.index)
    draw_matches(screen)


def draw_files(screen: TriageScreen) -> None:
    """The files of the evidence in view."""
    session = screen.session
    document = session.document
    if document is None or document.key != session.evidence_key or document.index is None:
        turn = session.state.tab.turn
        of_turn = "" if turn is None else f" for turn {turn}"
        why = f"none recorded{of_turn}" if document is not None and document.absent is not None else None
        if session.state.trial is None and session.progress.done:
            why = "none"
        screen.files.list.set_rows(0)
        screen.files.show_title(files_title(None, why, session.state.tab.subject))
        return
    index = document.index
    marks: dict[int, tuple[GraderMark, ...]] = marks_by_file(index, screen.marks.graders, screen.marks.near)
    screen.files.list.show(
        len(index.files),
        lambda number: file_row(index, number, marks.get(number, ())),
        cursor=screen.diff.view.position.file,
        focused=screen.marks.focused,
    )
    screen.files.show_title(files_title(index, None, document.key.subject))


def draw_matches(screen: TriageScreen) -> None:
    """Everything that is marked in the evidence."""
    screen.marks = layers_of(screen)
    screen.diff.view.set_layers(screen.marks)
    draw_files(screen)
    draw_diff_title(screen)


def layers_of(screen: TriageScreen) -> Layers:
    """The matches of all graders, the focused one and its current match."""
    session = screen.session
    state = session.state
    if state.trial is None:
        return NO_LAYERS
    found = views.highlights(session.board, state, soon=session.answers_soon)
    focused = None
    if state.slot is not None:
        slots = session.board.slots_of(state.trial, state.edits)
        focused = slots.index(state.slot) + 1 if state.slot in slots else None
    finds = screen.search.finds.spans if screen.search is not None else NO_SPANS
    find = screen.search.current if screen.search is not None else None
    near = screen.explainer.highlight(focused) if focused else ()
    return Layers(found, focused, _current(screen, found, focused), near, finds, find)


def _current(screen: TriageScreen, found: Sequence[Highlight], focused: int | None) -> tuple[int, int] | None:
    """The current match, as long as it is one: another pattern, or the same text read anew, may match elsewhere."""
    walked = (each.spans for each in found if focused is None or each.number == focused)
    return screen.current_match if any(screen.current_match in spans for spans in walked) else None


def draw_diff_title(screen: TriageScreen) -> None:
    """Which file, hunk and match the cursor is at, and the turn tabs."""
    session = screen.session
    notes: list[Note] = []
    document = session.document
    if document is not None and document.key == session.evidence_key:
        if document.absent is not None:
            notes = [Note("no evidence", Tone.WARN, 0)]
            if session.state.tab.subject is Subject.DIFF:
                turn = session.state.tab.turn
                notes.insert(0, Note("whole run" if turn is None else f"turn {turn}", Tone.PLAIN, 1))
        elif document.index is not None and document.text:
            notes = screen.place_notes()
        else:
            notes = [Note("empty", Tone.MUTED, 0)]
    screen.diff.show_title(PaneTitleView(_PANE_NAMES[session.state.tab.subject], tuple(notes), tabs=_tabs(screen)))


_PANE_NAMES = {Subject.DIFF: "Diff", Subject.OUTPUT: "Output", Subject.TRANSCRIPT: "Messages"}


def _tabs(screen: TriageScreen) -> tuple[TurnTab, ...]:
    session = screen.session
    state = session.state
    if state.trial is None:
        return ()
    tabs = tabs_of(session.board, state.trial, state.edits)
    marks = {tab: Mark.NO_EVIDENCE if session.tab_lacks(tab) else None for tab in tabs}
    return views.turn_tabs(tabs, state, marks, _counts(screen))


def _counts(screen: TriageScreen) -> tuple[int, int] | None:
    document = screen.session.document
    if document is None or document.index is None or document.key != screen.session.evidence_key:
        return None
    if document.key.subject is not Subject.DIFF:
        return None
    return document.index.added, document.index.removed


def _waiting(screen: TriageScreen) -> EmptyView:
    session = screen.session
    if session.state.trial is None:
        if session.progress.done:
            return _nothing_read(screen)
        share = session.progress.share
        issues = session.board.issues
        lines = tuple(
            f"{issue.file}:{issue.line}: {issue.message}" if issue.line else issue.message for issue in issues[:3]
        )
        return EmptyView(
            "Reading the run",
            sentences=lines,
            aside="The first failing trial opens as soon as it is judged.",
            progress=share,
            progress_note=f"{share * 100:.0f} % of the run",
        )
    return EmptyView("")


def _nothing_read(screen: TriageScreen) -> EmptyView:
    issues = screen.session.board.issues
    sentences = tuple(f"{issue.file}: {issue.message}" for issue in issues[:4]) or ("The run holds no trial.",)
    steps = (Hint("!", "all that could not be read"), Hint("R", "read the run again"), Hint("q", "quit"))
    return EmptyView("Nothing to triage", Mark.NO_EVIDENCE, sentences, steps)


def _absent(screen: TriageScreen, absent: Absent | None) -> EmptyView:
    message = absent.message if absent is not None else ""
    head, _, rest = message.partition(": ") if len(message) < 400 else (message, "", "")
    first, dot, tail = head.partition(". ")
    headline, sentence = (first + ".", f"{tail}{': ' + rest if rest else ''}") if dot else (head, rest)
    if not dot and head.endswith(")") and " (" in head:
        # What the record holds instead is the second thing to say.
        headline, _, held = head[:-1].rpartition(" (")
        sentence = f"{held}: {rest}"
    else:
        sentence = _capital(sentence)
    sentences = tuple(part for part in (_error_of(screen), sentence) if part)
    if absent is not None and absent.reason is Absence.TURN_MISSING:
        sentences += ("Vally fails a grader whose turn is missing; it never takes the diff of the whole run instead.",)
    steps = [Hint("R", "read the run again, if it was copied in part")]
    steps += _other_texts(screen)
    steps.append(Hint("o", "see what the trial recorded"))
    is_diff = screen.session.state.tab.subject is Subject.DIFF
    aside = "or run this stimulus again: the diff cannot be made later" if is_diff else ""
    if absent is not None and absent.reason is Absence.NO_TRAJECTORY:
        aside = ""
    return EmptyView(_capital(headline), Mark.NO_EVIDENCE, sentences, tuple(steps), aside)


def _other_texts(screen: TriageScreen) -> tuple[Hint, ...]:
    """The way to the other tabs, where there are any."""
    return (Hint("( )", "look at another of its texts"),) if len(_tabs(screen)) > 1 else ()


def _error_of(screen: TriageScreen) -> str:
    """What was recorded as the error of the trial in view."""
    key = screen.session.state.trial
    error = screen.session.board.entries[key].trial.error if key is not None else None
    return f"Its recorded error: {error[:MOST_ERROR]}{'…' * (len(error) > MOST_ERROR)}" if error else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _empty_diff(screen: TriageScreen) -> EmptyView:
    turn = screen.session.state.tab.turn
    what = "this run" if turn is None else f"turn {turn}"
    return EmptyView(
        "The diff is empty",
        None,
        (f"The agent changed nothing in the workspace during {what}, as far as git can see.",),
        (*_other_texts(screen), Hint("o", "see what the agent said and did")),
        "Files that .gitignore covers never appear in a diff.",
    )


def _empty_text(screen: TriageScreen) -> EmptyView:
    said = "The output is empty" if screen.session.state.tab.subject is Subject.OUTPUT else "There are no messages"
    sentence = "The agent ended without a text of its own, as far as the record shows."
    return EmptyView(said, None, (sentence,), (Hint("o", "see what the agent did"),))


def open_field(screen: TriageScreen, row: GraderRow, slot: int) -> GraderRow:
    """A grader's row with its field open, where it is."""
    session = screen.session
    if session.state.typing_slot != slot:
        return row
    return replace(
        row, edit=edit_view(session.board, session.state, slot, screen.field.cursor_position, screen.chosen_flag)
    )
