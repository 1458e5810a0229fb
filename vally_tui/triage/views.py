"""From the board and the state to what the panes show; plain values, one function a pane. Draws nothing."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from vally_tui.grading.graders import DIFF_EMPTY, NEGATIVE_TYPES, Faults, Question, subject_of
from vally_tui.grading.model import GraderConfig, State, Verdict
from vally_tui.triage.board import Board, Current, Entry
from vally_tui.triage.config_edit import is_negated
from vally_tui.triage.doubting import Doubting
from vally_tui.triage.explain.model import Doubt
from vally_tui.triage.filter import Sort
from vally_tui.triage.standing import Standing
from vally_tui.triage.state import TriageState
from vally_tui.triage.tabs import WHOLE_RUN_SIGN, Tab, tab_of
from vally_tui.triage.trial_list import Group, TrialList, failing_count, worst
from vally_tui.triage.views_model import (
    GraderRow,
    GroupRow,
    Highlight,
    Mark,
    Note,
    PaneTitleView,
    Phrase,
    Position,
    Tally,
    TitleView,
    Tone,
    TrialColumns,
    TrialRow,
    TurnTab,
    Word,
)

MARKS = {
    Standing.FAILED: Mark.FAIL,
    Standing.ERROR: Mark.ERROR,
    Standing.NO_EVIDENCE: Mark.NO_EVIDENCE,
    Standing.PENDING: Mark.PENDING,
    Standing.UNGRADED: Mark.RECORDED,
    Standing.SKIPPED: Mark.SKIPPED,
    Standing.PASSED: Mark.PASS,
}
WORDS = {standing: standing.value for standing in Standing}


def mark_of(verdict: Verdict) -> Mark:
    """The sign of a grader's verdict; a recorded fail is a fail, a recorded pass only recorded."""
    match verdict.state:
        case State.PASS:
            return Mark.PASS
        case State.FAIL:
            return Mark.FAIL
        case State.NO_EVIDENCE:
            return Mark.NO_EVIDENCE
        case State.PENDING:
            return Mark.PENDING
        case State.RECORDED:
            return Mark.FAIL if verdict.passed is False else Mark.RECORDED
        case State.UNRECORDED:
            return Mark.RECORDED
    return Mark.ERROR


def result_of(verdict: Verdict, asked: object, *, counted: bool = True) -> str:
    """The verdict in one or two words; matches are counted in trials that were in view only, so a list does not say."""
    match verdict.state:
        case State.NO_EVIDENCE:
            return "no evidence"
        case State.INVALID:
            return "invalid"
        case State.TIMEOUT:
            return "too slow"
        case State.ERROR:
            return "error"
        case State.PENDING:
            return "waiting"
        case State.UNRECORDED:
            return "not recorded"
        case State.RECORDED:
            return "recorded error" if verdict.passed is None else f"recorded {'pass' if verdict.passed else 'fail'}"
    if not isinstance(asked, Question) or asked.pattern is None:
        return "empty" if verdict.passed else "not empty"
    if verdict.passed is not asked.wants_match:
        return "not found"
    if not (counted and verdict.match_count):
        return "found"
    return "1 match" if verdict.match_count == 1 else f"{verdict.match_count:,} matches"


def scope_of(config: GraderConfig, asked: object) -> str:
    """The turn that a grader looks at, as it is written; Σ for the whole run."""
    turn = asked.turn if isinstance(asked, Question) else None
    return WHOLE_RUN_SIGN if turn is None else f"T{turn}"


def type_of(config: GraderConfig) -> str:
    """The type as the grader list shows it; where ``negate`` turns its sense round, that stands before it."""
    if config.type == DIFF_EMPTY or subject_of(config.type) is None:
        return config.type
    return config.type if is_negated(config) is (config.type in NEGATIVE_TYPES) else f"not {config.type}"


def pattern_of(config: GraderConfig) -> str:
    """What a person tells a grader by: its pattern or value, else its name."""
    if isinstance(config.config, dict):
        for key in ("pattern", "value", "substring"):
            text = config.config.get(key)
            if isinstance(text, str):
                return text
    return config.name or ""


def names_of(config: GraderConfig) -> tuple[str, ...]:
    """What a heading calls a grader: its name where it has one, its type, its pattern; each once."""
    return tuple(dict.fromkeys(part for part in (config.name, type_of(config), pattern_of(config)) if part))


# Title line


def title_view(
    board: Board,
    state: TriageState,
    *,
    run: str,
    spec: str = "",
    spec_differs: bool = False,
    progress: str = "",
    note: str = "",
    trouble: str | None = None,
    doubts: Counter[Doubt] | None = None,
    placed: bool = False,
) -> TitleView:
    """The first row: the run, its tallies (worst first, adding up to all trials), what to look at, the spec.

    ``placed``: which trial is in view is said here, as there is no trial list.
    """
    tallies = tuple(Tally(MARKS[standing], board.tally[standing]) for standing in Standing if board.tally[standing])
    issues = len(board.issues)
    notices: tuple[str, ...] = ("nothing can be judged again",) if trouble else ()
    notices += (f"{issues} load issue{'s' * (issues != 1)}",) if issues else ()
    notices += tuple(_doubted(doubt, doubts[doubt]) for doubt in Doubt if doubts and doubts[doubt])
    place = _place(board, state) if placed else None
    return TitleView(
        run, tallies, len(board.entries), progress, note, notices, spec, spec_differs, state.unsaved, place
    )


def _doubted(doubt: Doubt, count: int) -> str:
    """``4 passes are vacuous``."""
    return f"{count:,} pass{'es are' if count != 1 else ' is'} {doubt}"


def _place(board: Board, state: TriageState) -> Position | None:
    """Which trial is in view, of those that stand as it does."""
    if state.trial is None:
        return None
    standing = board.standing(state.trial, state.edits, state.saved)
    before = takewhile(lambda key: key != state.trial, board.entries)
    number = 1 + sum(board.standings.get(key, Standing.PENDING) is standing for key in before)
    return Position(MARKS[standing], number, board.tally[standing])


# Trials


def trials_title(board: Board, state: TriageState, rows: TrialList) -> PaneTitleView:
    """What the trial list's title says: what is shown, else how many failed."""
    total = len(board.entries)
    notes: list[Note] = []
    if state.filter.terms:
        notes.append(Note(f"{len(rows.keys):,} of {total:,} shown", Tone.PLAIN, 0))
        notes.append(Note(state.filter.written, Tone.MUTED, 1))
    elif _is_refused(board, state):
        notes.append(Note("last valid pattern", Tone.MUTED, 0))
    elif total:
        failed = board.tally[Standing.FAILED]
        text = f"{failed:,} of {total:,} failed" if failed else _calm(board, total)
        notes.append(Note(text, Tone.MUTED, 0))
    if state.sort is not Sort.STIMULUS:
        notes.append(Note(f"by {state.sort}", Tone.MUTED, 2))
    place = rows.place_of(state.trial) if state.trial is not None else None
    right = (Note(f"{place + 1:,}/{len(rows.keys):,}", Tone.MUTED, 1),) if place is not None else ()
    return PaneTitleView("Trials", tuple(notes), right)


def _is_refused(board: Board, state: TriageState) -> bool:
    """Whether the list is of the last valid pattern of the focused grader."""
    if state.trial is None or state.slot is None:
        return False
    return board.current(state.trial, state.slot, state.edits).refused


def _calm(board: Board, total: int) -> str:
    passed = board.tally[Standing.PASSED]
    return f"all {total:,} passed" if passed == total else f"{passed:,} of {total:,} passed"


def group_row(board: Board, state: TriageState, group: Group) -> GroupRow:
    """The heading of a stimulus or run, with the worst of its tallies."""
    counts = failing_count(board, group)
    bad = worst(counts)
    total = group.total
    if bad is not None:
        of = f" of {total}" if bad is Standing.FAILED else ""
        words: Phrase = (Word(f"{counts[bad]}{of} {WORDS[bad]}", Tone.PLAIN),)
    elif not total:
        words = (Word("no trials" if group.run in board.read else "not read yet", Tone.MUTED),)
    else:
        standing, count = next(iter(counts.items()))
        words = (Word(f"{count} {WORDS[standing]}", Tone.MUTED),)
    return GroupRow(group.name, words, counts.get(Standing.FAILED, 0) > 0 or bad is not None, group.level)


def trial_columns(board: Board, *, wide: bool = False, grouped: bool = True, focused: bool = False) -> TrialColumns:
    """Column widths that fit all trials.

    ``wide``: names of stimuli have a column; ``grouped``: one is in a trial's row only where the stimulus has one trial;
    ``focused``: some grader is.
    """
    strip = board.most_graders or 1
    label = max((len(model or "") for model in board.model_names), default=0) if len(board.model_names) > 1 else 0
    stimuli = board.trials_by_stimulus
    most, named = max(map(len, stimuli.values()), default=1), 0
    if wide:
        named = max(
            (len(name or "no stimulus") for name, keys in stimuli.items() if not grouped or len(keys) == 1), default=0
        )
        named += label + 3 if label and not grouped else 0
    return TrialColumns(max(len(str(most)), 2), label, strip, named, focused or bool(board.flipped))


def trial_row_needs(state: TriageState) -> tuple[object, ...]:
    """What of the state decides how a trial's row looks, beside the board, the order and the doubts."""
    return state.edits, state.saved, state.slot, state.typing_slot


def trial_row(
    board: Board,
    state: TriageState,
    key: int,
    rows: TrialList,
    *,
    with_result: bool = False,
    doubting: Doubting | None = None,
) -> TrialRow:
    """One trial in the list; ``doubting`` knows the doubts about its passes."""
    entry = board.entries[key]
    slots = board.slots_of(key, state.edits)
    currents = [board.current(key, slot, state.edits) for slot in slots]
    sole = rows.grouped and len(board.trials_by_run_and_stimulus(entry.run).get(entry.trial.stimulus, ())) == 1
    mark = MARKS[board.standing(key, state.edits, state.saved)]
    before = _before(board, state, key, slots, mark)
    # While one types the strip stays as it was; afterwards it says what the pattern has come to.
    signs = [
        current if not current.refused or slot == state.typing_slot else _own(board, state, key, slot)
        for slot, current in zip(slots, currents, strict=True)
    ]
    strip = [mark_of(sign.verdict) for sign in signs]
    for number, slot in enumerate(slots if doubting is not None else ()):
        if strip[number] is Mark.PASS and doubting is not None and doubting.of(board, key, slot, state.edits):
            strip[number] = Mark.DOUBTFUL
    return TrialRow(
        key,
        "" if sole else str(board.numbers[key]),
        _label(board, entry, sole=sole, grouped=rows.grouped),
        mark,
        before,
        tuple(strip),
        _column(board, state, key, before),
        _first_result(board, state, key, slots, currents) if with_result else (),
        sole,
        any(current.refused for current in currents),
    )


def _label(board: Board, entry: Entry, *, sole: bool, grouped: bool) -> str:
    model = (entry.trial.model or "") if len(board.model_names) > 1 else ""
    if grouped and not sole:
        return model
    stimulus = entry.trial.stimulus or "no stimulus"
    return stimulus if sole or not model else f"{stimulus} · {model}"


def _before(board: Board, state: TriageState, key: int, slots: Sequence[int], mark: Mark) -> Mark | None:
    """The mark that a trial had before its flips, where they change it."""
    flips = [board.flip(key, slot, state.edits, state.saved) for slot in slots]
    if not any(flips):
        return None
    passed = [
        flip[0] if flip else board.current(key, slot, state.edits).verdict.passed
        for slot, flip in zip(slots, flips, strict=True)
    ]
    before = Mark.FAIL if any(value is False for value in passed) else Mark.PASS
    return before if before is not mark else None


def _column(board: Board, state: TriageState, key: int, before: Mark | None) -> Word | None:
    """The focused grader's verdict on a trial, or that it flipped."""
    slot = state.slot
    if slot is None or slot not in board.slots_of(key, state.edits):
        return None
    flip = board.flip(key, slot, state.edits, state.saved)
    if flip is not None:
        return Word("now pass" if flip[1] else "now fail", Tone.PASS if flip[1] else Tone.FAIL, bold=True)
    current = board.current(key, slot, state.edits)
    return Word(result_of(current.verdict, board.asked(slot, state.edits), counted=False), Tone.MUTED)


def _first_result(
    board: Board, state: TriageState, key: int, slots: Sequence[int], currents: Sequence[Current]
) -> Phrase:
    for number, (slot, current) in enumerate(zip(slots, currents, strict=True), 1):
        if current.verdict.passed is False:
            config, asked = board.config(slot, state.edits), board.asked(slot, state.edits)
            where = f" in turn {asked.turn}" if isinstance(asked, Question) and asked.turn is not None else ""
            return (
                Word(f"{number} {config.name or type_of(config)}", Tone.MUTED),
                Word(f"  {result_of(current.verdict, asked, counted=False)}", Tone.MUTED, whole=True),
                Word(where, Tone.MUTED, whole=True),
            )
    return ()


# Graders


def graders_title(
    board: Board, state: TriageState, doubting: Doubting | None = None, *, placed: bool = False
) -> PaneTitleView:
    """Which trial's graders these are, how many failed, and how many passes are doubtful.

    ``placed``: there is no trial list, so that the stimulus is said here first.
    """
    if state.trial is None:
        return PaneTitleView("Graders")
    entry = board.entries[state.trial]
    trial = entry.trial
    notes = [
        Note(trial.stimulus or "no stimulus", Tone.PLAIN, 1 if placed else 2),
        Note(f"trial {board.numbers[trial.key]}", Tone.PLAIN, 0),
    ]
    if trial.model:
        notes.append(Note(trial.model, Tone.PLAIN, 3 if placed else 1))
    if state.typing_slot is not None:
        return PaneTitleView("Graders", tuple(notes), (Note("editing", Tone.EDIT, 0),))
    doubted = _doubted_here(board, state, state.trial, doubting) if doubting is not None else ()
    return PaneTitleView("Graders", tuple(notes), (*_graders_tally(board, state, state.trial), *doubted))


def _doubted_here(board: Board, state: TriageState, key: int, doubting: Doubting) -> tuple[Note, ...]:
    slots = board.slots_of(key, state.edits)
    found = [doubting.of(board, key, slot, state.edits) for slot in slots]
    counts = Counter(finding.doubt for finding in found if finding is not None)
    return tuple(Note(f"{counts[doubt]} {doubt}", Tone.WARN, 3) for doubt in Doubt if counts[doubt])


def _graders_tally(board: Board, state: TriageState, key: int) -> tuple[Note, ...]:
    verdicts = board.verdicts(key, state.edits)
    failed = sum(1 for verdict in verdicts if verdict.passed is False and not verdict.broken)
    broken = sum(1 for verdict in verdicts if verdict.broken)
    if failed:
        return (Note(f"{failed} of {len(verdicts)} failed", Tone.FAIL, 0),)
    if broken:
        return (Note(f"{broken} of {len(verdicts)} could not be judged", Tone.WARN, 0),)
    passed = sum(1 for verdict in verdicts if verdict.passed)
    if verdicts and passed == len(verdicts):
        return (Note(f"all {passed} passed", Tone.PASS, 0),)
    return (Note(f"{passed} of {len(verdicts)} passed", Tone.MUTED, 0),) if verdicts else ()


def grader_rows(board: Board, state: TriageState) -> tuple[GraderRow, ...]:
    """The graders of the trial in view."""
    if state.trial is None:
        return ()
    slots = board.slots_of(state.trial, state.edits)
    return tuple(_grader_row(board, state, state.trial, slot, number) for number, slot in enumerate(slots, 1))


def _grader_row(board: Board, state: TriageState, key: int, slot: int, number: int) -> GraderRow:
    config = board.config(slot, state.edits)
    asked = board.asked(slot, state.edits)
    verdict = shown_verdict(board, state, key, slot).verdict
    refused = board.current(key, slot, state.edits).refused
    flip = None if refused else board.flip(key, slot, state.edits, state.saved)
    return GraderRow(
        number,
        mark_of(verdict),
        type_of(config),
        scope_of(config, asked),
        result_of(verdict, asked),
        pattern_of(config),
        name=config.name if config.name and config.name != pattern_of(config) else "",
        before=None if flip is None else Mark.PASS if flip[0] else Mark.FAIL,
        judged=asked is not None,
        notice=_notice(board, state, key, slot, flip),
        was=_was(board, state, slot),
        evidence=_evidence(verdict),
    )


def shown_verdict(board: Board, state: TriageState, key: int, slot: int) -> Current:
    """The verdict with its match count where that is known, else without."""
    detailed = board.in_view(key, slot, state.edits)
    if detailed is not None and not detailed.stale:
        return detailed
    return _own(board, state, key, slot)


def _own(board: Board, state: TriageState, key: int, slot: int) -> Current:
    """The verdict of the pattern asked for now, also where that is invalid or was stopped."""
    current, asked = board.current(key, slot, state.edits), board.asked(slot, state.edits)
    settled = board.settled(key, slot, asked) if current.refused and asked is not None else None
    return current if settled is None else Current(settled)


def _evidence(verdict: Verdict) -> str:
    return "\n".join((verdict.evidence or "", *verdict.notices)).strip("\n")


def _notice(board: Board, state: TriageState, key: int, slot: int, flip: tuple[bool, bool] | None) -> Phrase:
    """Drift: judging the recorded config again does not give the recorded verdict."""
    if flip is None or not board.is_as_recorded(slot, state.edits, state.saved):
        return ()
    return (Word(f"recorded {'pass' if flip[0] else 'fail'}, now {'pass' if flip[1] else 'fail'}", Tone.WARN),)


def _was(board: Board, state: TriageState, slot: int) -> str | None:
    now, before = board.config(slot, state.edits), board.config(slot, state.saved)
    return pattern_of(before) if now != before else None


# Evidence


def turn_tabs(
    tabs: Sequence[Tab], state: TriageState, marks: dict[Tab, Mark | None], counts: tuple[int, int] | None
) -> tuple[TurnTab, ...]:
    """The tabs as the pane's title shows them; none where there is only one. ``counts`` are of the current one."""
    if len(tabs) < 2:
        return ()
    return tuple(
        TurnTab(
            tab.label,
            tab.label,
            tab == state.tab,
            counts[0] if counts and tab == state.tab else None,
            counts[1] if counts and tab == state.tab else None,
            marks.get(tab),
        )
        for tab in tabs
    )


def highlights(board: Board, state: TriageState, *, soon: bool = False) -> tuple[Highlight, ...]:
    """The matches of each grader that was judged on the evidence in view.

    ``soon``: the answer to the last edit may come any moment. Until then the matches of before stay as they are, so that
    nothing flickers.
    """
    if state.trial is None:
        return ()
    layers = []
    for number, slot in enumerate(board.slots_of(state.trial, state.edits), 1):
        asked = board.asked(slot, state.edits)
        if asked is None or tab_of(board, state.trial, slot, state.edits) != state.tab:
            continue
        found = board.in_view(state.trial, slot, state.edits)
        if found is not None and found.verdict.spans:
            broken = found.verdict.state is State.FAIL
            waits = soon and not board.is_refused(state.trial, slot, asked)
            stale = isinstance(asked, Faults) or (found.stale and not waits)
            layers.append(Highlight(number, found.verdict.spans, broken, stale))
    return tuple(layers)


def awaits_matches(board: Board, state: TriageState) -> bool:
    """Whether the focused grader's matches on the trial in view are still being looked for."""
    if state.trial is None or state.slot is None or not board.entries[state.trial].trial.has_trajectory:
        return False
    asked = board.asked(state.slot, state.edits)
    if not isinstance(asked, Question) or board.is_refused(state.trial, state.slot, asked):
        return False
    found = board.in_view(state.trial, state.slot, state.edits)
    return found is None or found.stale
