"""Commands that open a box over the triage screen, or leave it. What a box shows is its own module's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vally_tui.runs.model import LoadIssue
from vally_tui.runs.record_detail import read_detail
from vally_tui.triage import update
from vally_tui.triage.filter import NO_FILTER, Sort
from vally_tui.triage.goto import Kind, Target, graders, trial_with
from vally_tui.triage.labels import trial_label
from vally_tui.triage.views import MARKS, awaits_matches, names_of
from vally_tui.triage.views_facts import Paragraph, facts
from vally_tui.triage.views_issues import Trouble, troubles
from vally_tui.triage.views_model import Highlight, Mark, Note
from vally_tui.triage.views_stimuli import stimulus_table
from vally_tui.ui.render.themes import THEMES
from vally_tui.ui.screens.box_choice import ChoiceBox, Option
from vally_tui.ui.screens.box_facts import FactsBox
from vally_tui.ui.screens.box_goto import GotoBox
from vally_tui.ui.screens.box_help import CommandBox, command_choices, overview, theme_choices
from vally_tui.ui.screens.box_issues import IssuesBox
from vally_tui.ui.screens.box_matches import MatchesBox
from vally_tui.ui.screens.box_stimuli import StimuliBox
from vally_tui.ui.screens.copies import copies
from vally_tui.ui.screens.copying import copy_text
from vally_tui.ui.screens.drawing import layers_of
from vally_tui.ui.screens.filtering import Filtering
from vally_tui.ui.screens.handlers import Handlers
from vally_tui.ui.screens.searching import Searching

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

BOXES = Handlers()


def no_trial(screen: TriageScreen) -> str | None:
    """Why nothing can be told of a trial."""
    return None if screen.session.state.trial is not None else "there is no trial yet"


@BOXES.does("help")
def _help(screen: TriageScreen) -> None:
    known = screen.handlers.deeds
    box = CommandBox(
        screen.keymap,
        command_choices(screen.keymap, screen.refusal, known),
        title=("Help", "keys of the triage screen"),
        opened_by="help",
        overview=partial(overview, screen.keymap, screen.refusal, known),
    )
    screen.app.push_screen(box, partial(_run, screen))


@BOXES.does("palette")
def _palette(screen: TriageScreen) -> None:
    choices = command_choices(screen.keymap, screen.refusal, screen.handlers.deeds)
    choices += theme_choices(_themes(screen), screen.app.theme)
    box = CommandBox(screen.keymap, choices, title=("Commands", ""), opened_by="palette")
    screen.app.push_screen(box, partial(_run, screen))


@BOXES.does("trials.filter")
def _filter(screen: TriageScreen) -> None:
    _end_prompt(screen)
    screen.prompting = filtering = Filtering(screen)
    filtering.open()


@BOXES.does("pane.search")
def _search(screen: TriageScreen) -> None:
    if screen.search is not None and not screen.prompt.field.has_focus:
        screen.prompt.field.focus()
        return
    _end_prompt(screen)
    screen.prompting = searching = Searching(screen)
    searching.open()


def _end_prompt(screen: TriageScreen) -> None:
    if screen.search is not None:
        screen.search.end()


def _nothing_open(screen: TriageScreen) -> str | None:
    is_open = screen.search is not None or screen.list_is_open or _filter_holds(screen)
    return None if is_open else "nothing is open"


def _filter_holds(screen: TriageScreen) -> bool:
    """Whether escape in the trial list ends a filter."""
    return screen.active_name == "trials" and bool(screen.session.state.filter.terms)


@BOXES.does("leave", unless=_nothing_open)
def _leave(screen: TriageScreen) -> None:
    if screen.search is not None:
        screen.search.end()
    elif _filter_holds(screen):
        screen.change(update.set_filter(screen.session.state, NO_FILTER))
    else:
        screen.show_pane("diff")


def _themes(screen: TriageScreen) -> list[str]:
    """All themes, our own first."""
    own = [theme.name for theme in THEMES]
    return own + sorted(name for name in screen.app.available_themes if name not in own)


@BOXES.does("theme.next")
def _next_theme(screen: TriageScreen) -> None:
    names = _themes(screen)
    at = names.index(screen.app.theme) if screen.app.theme in names else -1
    screen.app.theme = names[(at + 1) % len(names)]


def _run(screen: TriageScreen, chosen: str | None) -> None:
    """Do what was chosen in help or palette."""
    if chosen is None:
        return
    kind, _, name = chosen.partition(":")
    if kind == "theme":
        screen.app.theme = name
    else:
        screen.action_command(chosen)


@BOXES.does("trial.facts", unless=no_trial)
def _facts(screen: TriageScreen) -> None:
    board, key = screen.session.board, screen.session.state.trial
    assert key is not None
    entry = board.entries[key]
    source, trial, number = board.sources[entry.run], entry.trial, board.numbers[key]

    def read() -> list[Paragraph] | LoadIssue:
        detail = read_detail(source, trial)
        return detail if isinstance(detail, LoadIssue) else facts(trial, source, detail, number=number)

    about = (Note(trial.stimulus or "no stimulus"), Note(f"trial {number}", rank=0), Note(trial.model or "", rank=2))
    screen.app.push_screen(FactsBox(screen.keymap, read, about=about, copy=partial(copy_text, screen.app)))


@BOXES.does("run.issues")
def _issues(screen: TriageScreen) -> None:
    faults = screen.faults
    box = IssuesBox(screen.keymap, lambda: troubles(screen.session, faults))
    screen.app.push_screen(box, partial(_go_to_trouble, screen))


def _go_to_trouble(screen: TriageScreen, trouble: Trouble | None) -> None:
    session = screen.session
    if trouble is None or trouble.trial is None or trouble.trial not in session.board.entries:
        return
    _show_trial(screen, trouble.trial)
    # It is another one where the spec was read anew while the box was open.
    if trouble.slot in session.board.slots_of(trouble.trial, session.state.edits):
        screen.select_slot(trouble.slot)


def _show_trial(screen: TriageScreen, key: int) -> None:
    """Bring a trial into view; a filter that hides it is taken away, or it would not be seen in the list."""
    if key not in screen.session.rows.keys:
        screen.change(update.set_filter(screen.session.state, NO_FILTER))
    screen.select_trial(key)


@BOXES.does("go.to", unless=no_trial)
def _go_to(screen: TriageScreen) -> None:
    session = screen.session
    board, state = session.board, session.state
    index = session.document.index if session.document is not None else None
    files = list(index.files) if index is not None else []

    def collect() -> list[Target]:
        stimuli = [Target(Kind.STIMULUS, name or "no stimulus", keys[0]) for name, keys in stimuli_now.items() if keys]
        paths = [Target(Kind.FILE, file.path or "(no name)", number) for number, file in enumerate(files)]
        trials = [Target(Kind.TRIAL, trial_label(board, key), key) for key in keys_now]
        return stimuli + paths + trials + graders(board, state)

    keys_now, stimuli_now = list(board.entries), dict(board.trials_by_stimulus)

    def mark(target: Target) -> Mark | None:
        # It may have gone while the box is open.
        is_there = target.kind is Kind.TRIAL and target.key in board.entries
        return MARKS[board.standing(target.key, state.edits, state.saved)] if is_there else None

    screen.app.push_screen(GotoBox(screen.keymap, collect, mark), partial(_go_to_target, screen))


def _go_to_target(screen: TriageScreen, target: Target | None) -> None:
    if target is None:
        return
    if target.kind is Kind.FILE:
        screen.diff.view.go_file(target.key)
        screen.show_pane("diff")
    elif target.kind is Kind.GRADER:
        if target.key in screen.session.board.slots:
            _show_grader(screen, target.key)
    elif target.key in screen.session.board.entries:
        _show_trial(screen, target.key)


def _show_grader(screen: TriageScreen, slot: int) -> None:
    key = trial_with(screen.session.board, screen.session.state, slot)
    if key is not None:
        _show_trial(screen, key)
        screen.select_slot(slot)
        screen.show_pane("graders")


def _no_matches(screen: TriageScreen) -> str | None:
    session = screen.session
    if session.state.slot is None:
        return "no grader is focused: press its number first"
    if _focused_layer(screen) is not None:
        return None
    if awaits_matches(session.board, session.state):
        return "the focused grader's matches are still being looked for"
    return "the focused grader has no match in the evidence in view"


def _focused_layer(screen: TriageScreen) -> Highlight | None:
    """The focused grader's matches as they are known now; what is drawn may be of the keys before."""
    marks = layers_of(screen)
    return next((each for each in marks.graders if each.number == marks.focused), None)


@BOXES.does("match.list", unless=_no_matches)
def _matches(screen: TriageScreen) -> None:
    session = screen.session
    board, state = session.board, session.state
    layer, document = _focused_layer(screen), session.document
    if layer is None or state.trial is None or state.slot is None or document is None or document.index is None:
        return
    config = board.config(state.slot, state.edits)
    found = board.in_view(state.trial, state.slot, state.edits)
    current = max(layer.spans.before(screen.current_match[0]) - 1, 0) if screen.current_match is not None else 0
    box = MatchesBox(
        screen.keymap,
        document.index,
        layer.spans,
        number=layer.number,
        about=names_of(config),
        total=found.verdict.match_count if found is not None else None,
        broken=layer.broken,
        current=max(current, 0),
    )

    def go(number: int | None) -> None:
        now = screen.session.document
        if number is not None and now is not None and now.key == document.key:
            screen.show_pane("diff")
            screen.show_match(layer.spans[number])
        elif number is not None:
            screen.refuse("the run was read anew meanwhile: ask again")

    screen.app.push_screen(box, go)


@BOXES.does("run.stimuli", unless=no_trial)
def _stimuli(screen: TriageScreen) -> None:
    board, state = screen.session.board, screen.session.state

    def go(key: int | None) -> None:
        if key is not None and key in board.entries:
            _show_trial(screen, key)

    screen.app.push_screen(StimuliBox(screen.keymap, lambda: stimulus_table(board, state)), go)


_ORDERS = {
    Sort.STIMULUS: ("s", "by stimulus", "as in the file, under headings"),
    Sort.FILE: ("l", "by line", "as in the file, without headings"),
    Sort.FAILED: ("f", "failed first", "then errors, no evidence, the others"),
    Sort.FLIPPED: ("d", "flipped first", "verdicts other than recorded or saved"),
    Sort.SCORE: ("c", "by score", "lowest first"),
    Sort.MODEL: ("m", "by model", "then by stimulus"),
    Sort.DURATION: ("t", "by duration", "longest first"),
}


@BOXES.does("trials.sort")
def _sort(screen: TriageScreen) -> None:
    options = [Option(sort, *words) for sort, words in _ORDERS.items()]
    box = ChoiceBox(
        screen.keymap,
        options,
        title=("Sort", "the trials"),
        opened_by="trials.sort",
        current=screen.session.state.sort,
        enter="sort",
    )

    def sort(chosen: str | None) -> None:
        if chosen is not None:
            screen.change(update.set_sort(screen.session.state, Sort(chosen)))

    screen.app.push_screen(box, sort)


@BOXES.does("copy")
def _copy(screen: TriageScreen) -> None:
    texts = copies(screen)
    options = [
        Option(each.id, each.key, each.words, preview=each.text or "", refusal=None if each.text else each.why)
        for each in texts
    ]
    current = next((option.id for option in options if option.refusal is None), "")
    box = ChoiceBox(screen.keymap, options, title=("Copy", ""), opened_by="copy", current=current, enter="copy")

    def copy(chosen: str | None) -> None:
        for each in texts:
            if each.id == chosen and each.text:
                copy_text(screen.app, each.text, each.words)

    screen.app.push_screen(box, copy)


@BOXES.does("quit")
def _quit(screen: TriageScreen) -> None:
    unsaved = screen.session.state.unsaved
    if not unsaved:
        screen.app.exit(0)
        return
    edits = f"{unsaved} edit{'s' * (unsaved != 1)}"
    options = [
        Option("save", "s", "save first", "shows the change before anything is written"),
        Option("leave", "d", "quit without saving", "kept, and offered at the next start"),
        Option("stay", "c", "stay", "back to the trials"),
    ]
    box = ChoiceBox(
        screen.keymap,
        options,
        title=("Quit", ""),
        opened_by="quit",
        finding=f"{edits} {'is' if unsaved == 1 else 'are'} not saved.",
    )

    def quit_or_save(chosen: str | None) -> None:
        if chosen == "save":
            screen.action_command("save")
        elif chosen == "leave":
            screen.app.exit(0)

    screen.app.push_screen(box, quit_or_save)
