"""What stands under a grader that is edited: field, effect on all trials or the error, an example, the flags."""

from msgspec.structs import replace

from vally_tui.grading.graders import DIFF_TYPES, Faults, turn_of
from vally_tui.grading.model import GraderConfig, State
from vally_tui.runs.evidence import turns_of
from vally_tui.triage.board import Board
from vally_tui.triage.config_edit import (
    FLAGS,
    field_text,
    flags_of,
    is_any_case,
    is_negated,
    takes_text_only,
    text_key,
    with_any_case,
    with_field_text,
    with_flag,
    with_negation,
    with_other_key,
    with_turn,
)
from vally_tui.triage.effect import Flips
from vally_tui.triage.pattern_fault import PatternFault, pattern_fault
from vally_tui.triage.state import TriageState
from vally_tui.triage.trial_list import flips_of
from vally_tui.triage.views_model import EditView, Phrase, Tone, Word

FLAG_WORDS = {"i": "any case", "m": "^ $ at every line", "s": ". takes newlines"}
LITERAL, NEGATE, TURN = "v", "n", "t"
_SEPARATOR = Word(" · ", Tone.MUTED)


def edit_view(board: Board, state: TriageState, slot: int, caret: int, chosen_flag: int | None) -> EditView:
    """The rows under the head of the slot whose field is open."""
    config = board.config(slot, state.edits)
    text = field_text(config)
    error = error_of(board, state, slot)
    fault = pattern_fault(text, error) if error is not None and text_key(config) == "pattern" else None
    flips = flips_of(board, slot, state)
    outcome = _error_phrase(error, fault) if error is not None else effect_phrase(board, state, slot)
    if _is_stopped(board, state, slot):
        outcome = (*outcome, Word("  enter", Tone.KEY, rank=1), Word(" tries it again", Tone.MUTED, rank=1))
    example = _last_valid(board, state, slot) if error is not None else _example(board, flips)
    boxes = tuple((key, *_box(config, key)) for key in flag_keys(config))
    return EditView(text, caret, fault.at if fault else None, outcome, example, boxes, chosen_flag, error is not None)


def flag_keys(config: GraderConfig) -> tuple[str, ...]:
    """The toggles under the field, in their order."""
    if takes_text_only(config.type):
        return ("i", LITERAL, NEGATE)
    return (*FLAGS, LITERAL, NEGATE, *((TURN,) if config.type in DIFF_TYPES else ()))


def _box(config: GraderConfig, key: str) -> tuple[str, bool]:
    """What a toggle says, and whether it is set."""
    is_pattern = text_key(config) == "pattern"
    if key == LITERAL:
        return "plain text", not is_pattern
    if key == NEGATE:
        return "must not match", is_negated(config)
    if key == TURN:
        turn = turn_of(config.turn)
        return "whole run" if turn is None else f"turn {turn}", turn is not None
    if takes_text_only(config.type):
        return FLAG_WORDS[key], is_any_case(config)
    return FLAG_WORDS[key], is_pattern and key in flags_of(field_text(config))


def toggled(board: Board, state: TriageState, slot: int, key: str) -> GraderConfig:
    """The slot's config with one of the toggles turned; the turn goes on to the next one of the trial in view."""
    config = board.config(slot, state.edits)
    if key == LITERAL:
        return with_other_key(config)
    if key == NEGATE:
        return with_negation(config, not is_negated(config))
    if key == TURN:
        return with_turn(config, next_turn(board, state, config))
    if takes_text_only(config.type):
        return with_any_case(config, not is_any_case(config))
    text = field_text(config)
    return with_field_text(config, with_flag(text, key, key not in flags_of(text)))


def next_turn(board: Board, state: TriageState, config: GraderConfig) -> int | None:
    """The turn after the config's among those of the trial in view: whole run, turn 0, turn 1 and so on."""
    turns = turns_of(board.entries[state.trial].trial) if state.trial is not None else ()
    choices: list[int | None] = [None, *(turns or (0,))]
    now = turn_of(config.turn)
    return choices[(choices.index(now) + 1) % len(choices)] if now in choices else None


def error_of(board: Board, state: TriageState, slot: int) -> str | None:
    """Why the config in the field cannot be judged: V8's words, or what is wrong with the config."""
    asked = board.asked(slot, state.edits)
    if isinstance(asked, Faults):
        return "; ".join(asked.sentences)
    if asked is None or state.trial is None:
        return None
    verdict = board.settled(state.trial, slot, asked)
    if verdict is None:
        return None
    if verdict.state is State.INVALID and asked.pattern is not None:
        return (verdict.evidence or "").removeprefix(f"Invalid regex pattern: {asked.pattern.written}. Error: ")
    if verdict.state is not State.TIMEOUT:
        return None
    # The pattern itself stands in the field.
    written = asked.pattern.written if asked.pattern is not None else ""
    return (verdict.evidence or "").removeprefix(f"{written} ")


def _is_stopped(board: Board, state: TriageState, slot: int) -> bool:
    asked = board.asked(slot, state.edits)
    verdict = None if asked is None or state.trial is None else board.settled(state.trial, slot, asked)
    return verdict is not None and verdict.state is State.TIMEOUT


def effect_phrase(board: Board, state: TriageState, slot: int) -> Phrase:
    """What the edit of a slot does to its trials; of a grader that is not judged again, that nobody knows it yet."""
    if board.asked(slot, state.edits) is None:
        kind = board.config(slot, state.edits).type
        return (Word(f"{kind} is not judged again: its effect shows in the next run", Tone.MUTED),)
    return flips_phrase(flips_of(board, slot, state))


def flips_phrase(flips: Flips) -> Phrase:
    """``+3 now pass · −1 now fail · 18 same · 2 no evidence of 24 trials``.

    Where room is lacking the total goes first, then what stays as it is, and what is still to come last.
    """
    words: list[Word] = []
    for count, sign, name, tone in (
        (len(flips.now_pass), "+", "now pass", Tone.PASS),
        (len(flips.now_fail), "−", "now fail", Tone.FAIL),
    ):
        words += [Word(f"{sign}{count:,} {name}", tone if count else Tone.MUTED, bold=count > 0), _SEPARATOR]
    del words[-1]
    for count, name, rank in (
        (flips.same, "same", 4),
        (flips.no_evidence, "no evidence", 3),
        (flips.unrecorded, "not recorded", 2),
        (flips.waiting, "waiting", 1),
    ):
        if count or name == "same":
            words += [replace(_SEPARATOR, rank=rank), Word(f"{count:,} {name}", rank=rank)]
    words.append(Word(f"  of {flips.total:,} trial{'s' * (flips.total != 1)}", Tone.MUTED, rank=5))
    return tuple(words)


def _error_phrase(error: str, fault: PatternFault | None) -> Phrase:
    """What is wrong, then where, then what to do: where, which the field shows too, goes first where room is lacking."""
    words = [Word("! ", Tone.FAIL, bold=True), Word(error, Tone.FAIL, bold=True)]
    if fault is not None:
        words += [Word(f"  at character {fault.at + 1}", rank=2), Word(f": {fault.advice}", Tone.MUTED, rank=1)]
    return tuple(words)


def _last_valid(board: Board, state: TriageState, slot: int) -> Phrase:
    last = board.last_good(slot)
    pattern = getattr(last, "pattern", None)
    if pattern is None:
        return ()
    return (Word("the verdicts are those of  ", Tone.MUTED), Word(pattern.written, Tone.MUTED))


def _example(board: Board, flips: Flips) -> Phrase:
    """The first trial that now fails, else the first that now passes."""
    keys, words, tone = (
        (flips.now_fail, "now fail", Tone.FAIL) if flips.now_fail else (flips.now_pass, "now pass", Tone.PASS)
    )
    if not keys:
        return ()
    trial = board.entries[keys[0]].trial
    where = f"  trial {board.numbers[trial.key]}" + (f" · {trial.model}" if trial.model else "")
    return (Word(words, tone, bold=True), Word(where), Word(f"  {trial.stimulus or ''}", Tone.MUTED))
