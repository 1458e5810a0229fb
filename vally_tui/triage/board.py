"""All trials that are open, their graders and every verdict so far. Facts only: what the person selects is in state.py.

The board is the one thing here that grows in place, since a run may hold 100,000 trials; it belongs to the thread of the
screen. Verdicts are kept by the question that they answer, so a late answer can never be taken for a newer one's, and an
undone edit has its verdicts at once.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from vally_tui.grading.graders import Faults, Question, ask
from vally_tui.grading.model import PENDING, GraderConfig, RecordedDetail, State, TrialGrade, Verdict
from vally_tui.grading.pairing import recorded_verdict
from vally_tui.grading.score import grade_trial
from vally_tui.runs.model import LoadIssue, Run, RunSource, RunSummary, Trial
from vally_tui.triage.edits import Edits
from vally_tui.triage.effect import Effect, Flips
from vally_tui.triage.graders_of import DEFAULT_SCORING, Graders, Origin, Scoring, StimulusGraders, graders_of
from vally_tui.triage.standing import Standing, standing_of

Asked = Question | Faults
"""What a slot's config comes to; its verdicts are kept under this."""

COLUMNS_KEPT = 12
"""Questions whose verdicts stay in memory for one slot: what was typed last, for undo."""


FEW = 500
"""Trials whose standings are worked out at once where somebody asks for them."""


class Slot(Struct, frozen=True):
    """One grader of a stimulus, shared by all trials that were recorded with the same config at the same position."""

    id: int
    stimulus: str | None
    position: int | None
    """0-based place among the stimulus's graders; None for a grader that was added here."""
    base: GraderConfig
    """The config as it was read, or with which it was added."""


class Entry(Struct, frozen=True):
    """A trial on the board."""

    trial: Trial
    run: int
    slots: tuple[int, ...]
    """Slots of the graders as read, shared between trials that have the same."""
    recorded: tuple[RecordedDetail | None, ...]
    """What was recorded for each of these slots."""
    origin: Origin
    single_turn: bool


FAILING = (Standing.FAILED, Standing.ERROR, Standing.NO_EVIDENCE)
"""The standings that ``f`` stops at."""

_NO_VERDICTS: dict[int, Verdict] = {}
_NO_ANSWER = (State.INVALID, State.TIMEOUT)
"""What a pattern comes to that V8 refuses or that was stopped: it says nothing about a trial."""


class _Lookup(Struct, frozen=True):
    """Where the verdicts of a slot stand."""

    asked: Asked | None
    column: dict[int, Verdict]
    before: dict[int, Verdict]
    """Those of the last question that was answered for all trials, where that is another one."""
    edited: bool


class Current(Struct, frozen=True):
    """A verdict as it is to be shown."""

    verdict: Verdict
    stale: bool = False
    """The verdict of the last question that was answered for all trials: the one asked now has none here."""
    refused: bool = False
    """Stale, and not for a moment: the pattern asked for now is invalid, was stopped or takes long."""


class Board:
    """The facts; see the module."""

    def __init__(
        self,
        spec: Mapping[str, StimulusGraders] | None = None,
        scoring: Scoring = DEFAULT_SCORING,
        *,
        after: "Board | None" = None,
    ) -> None:
        """``after``: the board that this one takes the place of; no slot has a number that a slot had there."""
        self._spec = spec
        self._next_slot: int = 0 if after is None else after._next_slot
        self.scoring = scoring
        self.sources: list[RunSource] = []
        self.summaries: dict[int, RunSummary] = {}
        self.read: set[int] = set()
        """The runs that were read to their end."""
        self.entries: dict[int, Entry] = {}
        """Trial key -> entry, in the order of reading."""
        self.slots: dict[int, Slot] = {}
        self.issues: list[LoadIssue] = []
        self.trials_by_stimulus: dict[str | None, list[int]] = {}
        self._by_run: dict[int, dict[str | None, list[int]]] = {}
        self.numbers: dict[int, int] = {}
        """Trial key -> its number within its stimulus and run, from 1."""
        self.models: dict[int, str | None] = {}
        """Trial key -> its model. Here too as it is asked of all trials at once: trials lie far apart in memory."""
        self.durations: dict[int, float] = {}
        """Trial key -> how long it took, in milliseconds; 0 where that is not known. Here for the same reason."""
        self.model_names: set[str | None] = set()
        self._recorded_lists: dict[tuple[str | None, int], Trial] = {}
        """Stimulus and identity of a list of recorded graders -> the first trial with it, which keeps the list alive."""
        self._in_view: dict[int, tuple[int, Asked, Verdict]] = {}
        self._slot_ids: dict[tuple[object, ...], int] = {}
        self._slot_trials: dict[int, list[int]] = {}
        self._judgeable: Counter[int] = Counter()
        """Slot -> how many of its trials have a trajectory."""
        self._added_slots: dict[str | None, list[int]] = {}
        """Stimulus -> slots that were made for it here, whether they are in the edits or undone."""
        self._shared: dict[tuple[str | None, str | None, int, Origin], tuple[tuple[int, ...], object]] = {}
        self._columns: dict[int, dict[Asked, dict[int, Verdict]]] = {}
        self._last_good: dict[int, Asked] = {}
        self._asked: dict[int, tuple[GraderConfig, Asked | None]] = {}
        self._interned: dict[tuple[object, ...], Verdict] = {}
        self.standings: dict[int, Standing] = {}
        """Trial key -> its standing, as far as it is worked out."""
        self.flipped: set[int] = set()
        """The trials with a verdict that differs from its baseline, as far as they are worked out."""
        self._dirty: dict[int, None] = {}
        """Trials whose standing is to be worked out."""
        self._lookups: dict[int, _Lookup] = {}
        self._lookups_for: Edits | None = None
        self._ordinals: dict[tuple[int, str | None], int] = {}
        self._baselines: dict[int, Callable[[int], bool | None]] = {}
        self._baselines_for: tuple[Edits, Edits] | None = None
        self._effects: dict[int, Effect] = {}
        self._outcomes: dict[tuple[object, ...], tuple[Standing, float | None]] = {}
        """What the verdicts of a trial come to: few of them are different, however many trials there are."""
        self.scores: dict[int, float | None] = {}
        """Trial key -> the plain mean of its graders' scores now; None where a score is not known."""
        self.keeps_recorded = False
        """Whether what was recorded stands where no verdict is known."""
        self.tally: Counter[Standing] = Counter()
        """Trials by standing, but for those that are still to be worked out."""
        self._tallies: dict[tuple[int, str | None], Counter[Standing]] = {}
        """The same by run and stimulus."""
        self.failing: set[int] = set()
        """The failing trials, as far as they are worked out."""
        self._first_failing: int | None = None
        self.version = 0
        """Grows with each change, so that views know when they are old."""

    # What is read

    def add_source(self, source: RunSource) -> int:
        """Open a run; its number."""
        self.sources.append(source)
        return len(self.sources) - 1

    def add_trials(self, run: int, trials: Iterable[Trial]) -> list[int]:
        """Put trials of a run on the board; their keys."""
        added = []
        for trial in trials:
            graders = graders_of(trial, self._spec)
            slots = self._slots_for(trial, graders)
            self.entries[trial.key] = Entry(trial, run, slots, graders.recorded, graders.origin, graders.single_turn)
            self.trials_by_stimulus.setdefault(trial.stimulus, []).append(trial.key)
            siblings = self._by_run.setdefault(run, {}).setdefault(trial.stimulus, [])
            self._ordinals.setdefault((run, trial.stimulus), len(self._ordinals))
            self._dirty[trial.key] = None
            siblings.append(trial.key)
            self.numbers[trial.key] = len(siblings)
            self.models[trial.key] = trial.model
            self.durations[trial.key] = trial.duration_ms or 0.0
            self.model_names.add(trial.model)
            self._know_list(trial)
            for slot in (*slots, *self._added_slots.get(trial.stimulus, ())):
                self._slot_trials[slot].append(trial.key)
                self._judgeable[slot] += trial.has_trajectory
            added.append(trial.key)
        self._effects.clear()
        self.version += 1
        return added

    def _know_list(self, trial: Trial) -> None:
        # The loader shares equal lists, so that their identity tells them apart.
        if trial.graders_known:
            self._recorded_lists.setdefault((trial.stimulus, id(trial.graders)), trial)

    def remove_run(self, run: int) -> None:
        """Take a run's trials off the board, since its file is read anew."""
        gone = {key for key, entry in self.entries.items() if entry.run == run}
        for key in gone:
            del self.entries[key], self.models[key], self.durations[key]
            standing = self.standings.pop(key, None)
            if standing is not None:
                self.tally[standing] -= 1
            self.flipped.discard(key)
            self._dirty.pop(key, None)
            self.scores.pop(key, None)
        self.failing -= gone
        self._first_failing = None
        self._effects.clear()
        self._tallies = {group: tally for group, tally in self._tallies.items() if group[0] != run}
        for keys in (*self.trials_by_stimulus.values(), *self._slot_trials.values()):
            keys[:] = [key for key in keys if key not in gone]
        for slot, keys in self._slot_trials.items():
            self._judgeable[slot] = sum(self.entries[key].trial.has_trajectory for key in keys)
        for columns in self._columns.values():
            for column in columns.values():
                for key in gone & column.keys():
                    del column[key]
        self.trials_by_stimulus = {name: keys for name, keys in self.trials_by_stimulus.items() if keys}
        self._by_run.pop(run, None)
        self._recorded_lists.clear()
        for entry in self:
            self._know_list(entry.trial)
        self.read.discard(run)
        self._in_view.clear()
        self.version += 1

    def trials_by_run_and_stimulus(self, run: int) -> Mapping[str | None, list[int]]:
        """The trials of a run by stimulus, both in the order of reading."""
        return self._by_run.get(run, {})

    def finish_run(self, run: int, finished: Run) -> None:
        """Keep what a run says besides its trials, and that it was read to its end."""
        self.read.add(run)
        if finished.summary is not None:
            self.summaries[run] = finished.summary
        self.version += 1

    def adopt(self, other: "Board", slots: Mapping[int, int | None]) -> None:
        """Take over the verdicts of another board with the same trials; ``slots``: slot there -> slot here."""
        for there, here in slots.items():
            if here is None:
                continue
            own = set(self._slot_trials[here])
            self._columns[here] = {
                asked: {key: self._intern(verdict) for key, verdict in column.items() if key in own}
                for asked, column in other._columns.get(there, {}).items()
            }
            if there in other._last_good:
                self._last_good[here] = other._last_good[there]

    def add_slot(self, stimulus: str | None, config: GraderConfig) -> int:
        """Make room for a grader that the person adds to a stimulus."""
        slot = Slot(self._new_slot(), stimulus, None, config)
        self.slots[slot.id] = slot
        self._slot_trials[slot.id] = list(self.trials_by_stimulus.get(stimulus, ()))
        self._judgeable[slot.id] = sum(self.entries[key].trial.has_trajectory for key in self._slot_trials[slot.id])
        self._added_slots.setdefault(stimulus, []).append(slot.id)
        return slot.id

    def _slots_for(self, trial: Trial, graders: Graders) -> tuple[int, ...]:
        # The loader shares equal grader tuples, so their identity is a quick key; the tuple is kept, so it stays one.
        quick = (trial.stimulus, trial.eval_name, id(graders.configs), graders.origin)
        known = self._shared.get(quick)
        if known is None:
            slots = tuple(
                self._slot_for(trial, position, config, graders.origin)
                for position, config in enumerate(graders.configs)
            )
            self._shared[quick] = known = (slots, graders.configs)
        return known[0]

    def _slot_for(self, trial: Trial, position: int, config: GraderConfig, origin: Origin) -> int:
        key = (trial.eval_name, trial.stimulus, position, origin, _identity(config))
        slot = self._slot_ids.get(key)
        if slot is None:
            slot = self._slot_ids[key] = self._new_slot()
            self.slots[slot] = Slot(slot, trial.stimulus, position, config)
            self._slot_trials[slot] = []
        return slot

    def _new_slot(self) -> int:
        self._next_slot += 1
        return self._next_slot - 1

    @property
    def slot_lists(self) -> "Iterator[tuple[str | None, str | None, tuple[int, ...]]]":
        """Stimulus, name of the eval and slots of each list of graders that trials were ever read with."""
        return ((of[0], of[1], slots) for of, (slots, _) in self._shared.items())

    @property
    def recorded_lists(self) -> "tuple[Trial, ...]":
        """The first trial with each list of graders that was recorded of a stimulus."""
        return tuple(self._recorded_lists.values())

    @property
    def most_graders(self) -> int:
        """The most graders that a trial was read with, for widths."""
        return max((len(slots) for slots, _ in self._shared.values()), default=0)

    # Graders under the person's edits

    def slots_of(self, key: int, edits: Edits) -> tuple[int, ...]:
        """The slots that a trial is judged by now."""
        entry = self.entries[key]
        if not edits.removed and not edits.added:
            return entry.slots
        kept = tuple(slot for slot in entry.slots if slot not in edits.removed)
        return kept + edits.added.get(entry.trial.stimulus, ())

    def config(self, slot: int, edits: Edits) -> GraderConfig:
        """The config of a slot now."""
        return edits.configs.get(slot, self.slots[slot].base)

    def asked(self, slot: int, edits: Edits) -> Asked | None:
        """What a slot asks now; None for a grader that is not judged again."""
        config = self.config(slot, edits)
        known = self._asked.get(slot)
        if known is None or known[0] is not config:
            self._asked[slot] = known = (config, ask(config))
        return known[1]

    def trials_of(self, slot: int) -> list[int]:
        """The trials that a slot applies to, in the order of reading."""
        return self._slot_trials[slot]

    # Verdicts

    def put(self, slot: int, asked: Asked, verdicts: Mapping[int, Verdict]) -> None:
        """Keep verdicts; the standings of their trials are to be worked out."""
        column = self._column(slot, asked)
        effect, fresh, others = self._effects.get(slot), [], False
        for key, verdict in verdicts.items():
            if key in self.entries:
                before = column.get(key, PENDING)
                if before.state is State.PENDING:
                    fresh.append(key)
                else:
                    others = others or (before.state, before.passed) != (verdict.state, verdict.passed)
                column[key] = self._intern(verdict)
                self._dirty[key] = None
        if effect is not None and (others or effect.asked != asked):
            # What is counted already has changed, or the baseline may have.
            del self._effects[slot]
        elif effect is not None:
            self._count(effect, slot, fresh)
        if asked != self._last_good.get(slot) and self._is_answered(slot, column):
            self._last_good[slot] = asked
            self._lookups.pop(slot, None)
            if effect is not None and effect.held:
                self._effects.pop(slot, None)
        self.version += 1

    def _count(self, effect: Effect, slot: int, keys: Iterable[int]) -> None:
        for key in keys:
            current = self.current(key, slot, effect.edits)
            if current.stale:
                effect.held = True
            else:
                effect.take(key, current.verdict)

    def flips(self, slot: int, edits: Edits, saved: Edits) -> Flips:
        """The effect of a slot's current config over all its trials; every trial is counted once."""
        asked, keys = self.asked(slot, edits), self._slot_trials[slot]
        effect = self._effects.get(slot)
        if effect is None or (effect.edits, effect.saved) != (edits, saved):
            effect = self._effects[slot] = Effect(asked, edits, saved, self._baseline_of(slot, edits, saved))
            self._count(effect, slot, keys if asked is None else self._answered(slot, asked))
        return effect.flips(len(keys))

    def _answered(self, slot: int, asked: Asked) -> list[int]:
        """The trials of a slot that have a verdict on a question, or will never be judged."""
        column = self._column(slot, asked)
        if self._judgeable[slot] == len(self._slot_trials[slot]):
            return list(column)
        return [key for key in self._slot_trials[slot] if key in column or not self.entries[key].trial.has_trajectory]

    def _is_answered(self, slot: int, column: Mapping[int, Verdict]) -> bool:
        """Whether every trial that can be judged has its verdict, and the pattern was good for some of them."""
        if len(column) < self._judgeable[slot]:
            return False
        states = {verdict.state for verdict in column.values()}
        return State.PENDING not in states and not states <= {*_NO_ANSWER}

    def current(self, key: int, slot: int, edits: Edits) -> Current:
        """The verdict of a slot on a trial as it is to be shown."""
        lookup = self._lookup(slot, edits)
        if lookup.asked is None or not self.entries[key].trial.has_trajectory:
            return Current(self._recorded_verdict(key, slot, edits))
        verdict = lookup.column.get(key, PENDING)
        # Only an edit keeps the verdicts of before: a pattern that is read as invalid is just that.
        lacks = verdict.state is State.PENDING or (lookup.edited and verdict.state in _NO_ANSWER)
        before = lookup.before.get(key) if lacks else None
        if before is not None:
            return Current(before, stale=True, refused=key in lookup.column)
        if self.keeps_recorded and verdict.state is State.PENDING and not lookup.edited:
            return Current(self._recorded_verdict(key, slot, edits))
        return Current(verdict)

    def keep_recorded(self, keeps: bool) -> None:
        """Whether what was recorded stands where no verdict is known, since nothing can be judged again."""
        if keeps is not self.keeps_recorded:
            self.keeps_recorded = keeps
            self.touch(self.entries)

    def _lookup(self, slot: int, edits: Edits) -> "_Lookup":
        """Where a slot's verdicts are found now; kept, since every trial asks for it."""
        if edits is not self._lookups_for:
            self._lookups.clear()
            self._lookups_for = edits
        known = self._lookups.get(slot)
        if known is None:
            asked = self.asked(slot, edits)
            columns = self._columns.get(slot, {})
            last = self._last_good.get(slot)
            before = columns.get(last, _NO_VERDICTS) if last is not None and last != asked else _NO_VERDICTS
            column = _NO_VERDICTS if asked is None else self._column(slot, asked)
            known = self._lookups[slot] = _Lookup(asked, column, before, slot in edits.configs)
        return known

    def _recorded_verdict(self, key: int, slot: int, edits: Edits) -> Verdict:
        return self._intern(recorded_verdict(self.config(slot, edits), self.recorded(key, slot)))

    def put_in_view(self, key: int, slot: int, asked: Asked, verdict: Verdict) -> None:
        """Keep a verdict with the places of its matches; only those of the trial in view are kept."""
        if verdict.state is not State.PENDING:
            self._in_view = {other: kept for other, kept in self._in_view.items() if kept[0] == key}
            if verdict.state not in _NO_ANSWER:
                self._in_view[slot] = (key, asked, verdict)
        self.put(slot, asked, {key: verdict})

    def in_view(self, key: int, slot: int, edits: Edits) -> Current | None:
        """The verdict with matches that was found last for a slot on the trial in view; None where there is none."""
        kept = self._in_view.get(slot)
        if kept is None or kept[0] != key:
            return None
        return Current(kept[2], stale=kept[1] != self.asked(slot, edits))

    def last_good(self, slot: int) -> Asked | None:
        """The last question of a slot that has verdicts for all trials."""
        return self._last_good.get(slot)

    def settled(self, key: int, slot: int, asked: Asked) -> Verdict | None:
        """The verdict of a slot's question on a trial; None where it is not known yet."""
        return self._columns.get(slot, {}).get(asked, {}).get(key)

    def drop_stopped(self, slot: int, asked: Asked) -> list[int]:
        """Forget the verdicts of searches that were stopped, since they are to be tried again; their trials."""
        column = self._columns.get(slot, {}).get(asked, {})
        stopped = [key for key, verdict in column.items() if verdict.state is State.TIMEOUT]
        for key in stopped:
            del column[key]
        if stopped:
            self._effects.pop(slot, None)
            self.touch(stopped)
        return stopped

    def known(self, slot: int, asked: Asked) -> Collection[Verdict]:
        """The verdicts of a slot's question that are known, whichever trials they are of."""
        return self._columns.get(slot, {}).get(asked, {}).values()

    def is_refused(self, key: int, slot: int, asked: Asked) -> bool:
        """Whether a question is known to be invalid or was stopped on a trial, so that it has no matches there."""
        verdict = self.settled(key, slot, asked)
        return verdict is not None and verdict.state in _NO_ANSWER

    def missing(self, slot: int, asked: Asked) -> list[int]:
        """The trials of a slot whose verdict is not known yet."""
        column = self._columns.get(slot, {}).get(asked, {})
        keys = self._slot_trials[slot]
        return [key for key in keys if key not in column] if column else list(keys)

    def judgeable(self, slot: int, keys: list[int]) -> list[int]:
        """Those of a slot's trials that have a trajectory, so that they can be judged."""
        if self._judgeable[slot] == len(self._slot_trials[slot]):
            return keys
        return [key for key in keys if self.entries[key].trial.has_trajectory]

    def recorded(self, key: int, slot: int) -> RecordedDetail | None:
        """What was recorded of a slot on a trial."""
        entry = self.entries[key]
        return entry.recorded[entry.slots.index(slot)] if slot in entry.slots else None

    def baseline(self, key: int, slot: int, edits: Edits, saved: Edits) -> bool | None:
        """What a flip is measured against: the saved config's verdict for an edited slot, else the recorded one."""
        return self._baseline_of(slot, edits, saved)(key)

    def _baseline_of(self, slot: int, edits: Edits, saved: Edits) -> Callable[[int], bool | None]:
        """The baseline of a slot by trial; kept, since every trial asks for it."""
        known_for = self._baselines_for
        if known_for is None or known_for[0] is not edits or known_for[1] is not saved:
            self._baselines.clear()
            self._baselines_for = (edits, saved)
        known = self._baselines.get(slot)
        if known is None:
            known = self._baselines[slot] = self._new_baseline(slot, edits, saved)
        return known

    def _new_baseline(self, slot: int, edits: Edits, saved: Edits) -> Callable[[int], bool | None]:
        before = self.config(slot, saved)
        if (slot not in edits.configs and slot not in saved.configs) or self.config(slot, edits) == before:
            return lambda key: _said(self.recorded(key, slot))
        if self.slots[slot].position is None and slot not in saved.configs:
            return lambda key: None
        asked = ask(before)
        if asked is None:
            return lambda key: self._recorded_verdict(key, slot, saved).passed
        columns = self._columns.setdefault(slot, {})
        return lambda key: columns.get(asked, _NO_VERDICTS).get(key, PENDING).passed

    def is_as_recorded(self, slot: int, edits: Edits, saved: Edits) -> bool:
        """Whether a slot has the config it began with, and no other was saved: then a flip is against the record."""
        return self.config(slot, edits) == self.config(slot, saved) == self.slots[slot].base

    def flip(self, key: int, slot: int, edits: Edits, saved: Edits) -> tuple[bool, bool] | None:
        """(before, now) where the current verdict of a slot on a trial differs from its baseline."""
        return self._flip(self.current(key, slot, edits), key, slot, edits, saved)

    def _flip(self, current: Current, key: int, slot: int, edits: Edits, saved: Edits) -> tuple[bool, bool] | None:
        passed = current.verdict.passed
        if passed is None or not self._differs(key, slot, current.verdict, edits, saved):
            return None
        return not passed, passed

    # Trials as a whole

    def verdicts(self, key: int, edits: Edits) -> tuple[Verdict, ...]:
        """The verdicts of a trial's graders, in their order."""
        return tuple(self.current(key, slot, edits).verdict for slot in self.slots_of(key, edits))

    def grade(self, key: int, edits: Edits) -> TrialGrade | None:
        """The current grade of a trial; None where it has no graders or no trajectory."""
        entry = self.entries[key]
        slots = self.slots_of(key, edits)
        if not slots or not entry.trial.has_trajectory:
            return None
        recorded = entry.trial.grade
        return grade_trial(
            [self.config(slot, edits) for slot in slots],
            self.verdicts(key, edits),
            recorded.details if recorded else (),
            recorded.score if recorded else None,
            self.scoring.weights,
        )

    def tally_of(self, run: int, stimuli: Iterable[str | None]) -> Counter[Standing]:
        """The trials of a run's stimuli by standing; those still to be worked out are waiting."""
        tally: Counter[Standing] = Counter()
        for stimulus in stimuli:
            of_stimulus = self._tallies.get((run, stimulus), Counter())
            tally.update(of_stimulus)
            lacking = len(self._by_run[run][stimulus]) - sum(of_stimulus.values())
            tally[Standing.PENDING] += lacking
        return tally

    def standing(self, key: int, edits: Edits, saved: Edits) -> Standing:
        """What a trial is in the lists."""
        if key in self._dirty or key not in self.standings:
            self._dirty.pop(key, None)
            self._work_out(key, edits, saved)
        return self.standings[key]

    def is_flipped(self, key: int, edits: Edits, saved: Edits) -> bool:
        """Whether some grader's verdict on a trial differs from its baseline."""
        self.standing(key, edits, saved)
        return key in self.flipped

    def touch(self, keys: Iterable[int]) -> None:
        """The standings of these trials are to be worked out anew: their graders have changed."""
        self._dirty.update(dict.fromkeys(keys))
        self.version += 1

    def settle_few(self, edits: Edits, saved: Edits) -> None:
        """Work out what is to be where that takes no time; where it does, it is for ``settle`` and comes later."""
        if len(self._dirty) <= FEW:
            self.settle(edits, saved)

    def settle(self, edits: Edits, saved: Edits, seconds: float | None = None) -> bool:
        """Work out the standings that are to be, for at most so long; whether all are done."""
        until = None if seconds is None else time.perf_counter() + seconds
        while self._dirty:
            for _ in range(min(100, len(self._dirty))):
                # The last ones first: a dict gives up its first entry only by passing over all that are gone.
                key, _ = self._dirty.popitem()
                self._work_out(key, edits, saved)
            self.version += 1
            if until is not None and time.perf_counter() > until:
                break
        return not self._dirty

    def _work_out(self, key: int, edits: Edits, saved: Edits) -> None:
        entry = self.entries[key]
        slots = self.slots_of(key, edits)
        verdicts = [self._shown(key, entry, slot, edits) for slot in slots]
        standing, self.scores[key] = self._outcome(entry.trial, slots, verdicts)
        before = self.standings.get(key)
        if before is not standing:
            self._restand(key, before, standing)
        if any(self._differs(key, slot, verdict, edits, saved) for slot, verdict in zip(slots, verdicts, strict=True)):
            self.flipped.add(key)
        else:
            self.flipped.discard(key)

    def _shown(self, key: int, entry: Entry, slot: int, edits: Edits) -> Verdict:
        """``current(…).verdict``, without making a ``Current`` for each of many trials."""
        verdict = self._lookup(slot, edits).column.get(key)
        if verdict is None or verdict.passed is None or verdict.state in _NO_ANSWER or not entry.trial.has_trajectory:
            return self.current(key, slot, edits).verdict
        return verdict

    def _differs(self, key: int, slot: int, verdict: Verdict, edits: Edits, saved: Edits) -> bool:
        """Whether a verdict that is shown is a flip."""
        if verdict.passed is None or verdict.unanswered:
            return False
        before = self._baseline_of(slot, edits, saved)(key)
        return before is not None and before != verdict.passed

    def _outcome(self, trial: Trial, slots: tuple[int, ...], verdicts: list[Verdict]) -> tuple[Standing, float | None]:
        """Standing and plain score. Verdicts are kept once each, so their identities tell what was worked out before."""
        of = (trial.status, trial.has_trajectory, *map(id, verdicts))
        known = self._outcomes.get(of)
        if known is None:
            grade = grade_trial([self.slots[slot].base for slot in slots], verdicts) if trial.has_trajectory else None
            known = self._outcomes[of] = (standing_of(trial, verdicts), grade.score if grade is not None else None)
        return known

    def _restand(self, key: int, before: Standing | None, standing: Standing) -> None:
        entry = self.entries[key]
        of_group = self._tallies.setdefault((entry.run, entry.trial.stimulus), Counter())
        for tally in (self.tally, of_group):
            if before is not None:
                tally[before] -= 1
            tally[standing] += 1
        self.standings[key] = standing
        if standing in FAILING:
            self.failing.add(key)
            if self._first_failing is not None and self.order_of(key) < self.order_of(self._first_failing):
                self._first_failing = key
        else:
            self.failing.discard(key)
            if key == self._first_failing:
                self._first_failing = None

    @property
    def first_failing(self) -> int | None:
        """The first failing trial in the order of runs and stimuli, as far as it is worked out."""
        if self._first_failing is None and self.failing:
            self._first_failing = min(self.failing, key=self.order_of)
        return self._first_failing

    def order_of(self, key: int) -> tuple[int, int, int]:
        """Sorts trials by run, stimulus and number, as the list shows them at first."""
        entry = self.entries[key]
        return entry.run, self._ordinals[entry.run, entry.trial.stimulus], self.numbers[key]

    def _column(self, slot: int, asked: Asked) -> dict[int, Verdict]:
        columns = self._columns.setdefault(slot, {})
        column = columns.get(asked)
        if column is None:
            column = columns[asked] = {}
            self._drop_old_columns(slot, columns, asked)
            self._lookups.pop(slot, None)
        return column

    def _drop_old_columns(self, slot: int, columns: dict[Asked, dict[int, Verdict]], asked: Asked) -> None:
        keep = {asked, self._last_good.get(slot), ask(self.slots[slot].base)}
        for old in list(columns):
            if len(columns) <= COLUMNS_KEPT:
                return
            if old not in keep:
                del columns[old]

    def _intern(self, verdict: Verdict) -> Verdict:
        key = (verdict.state, verdict.passed, verdict.score, verdict.evidence, verdict.match_count, verdict.notices)
        return self._interned.setdefault(
            key, Verdict(verdict.state, verdict.passed, verdict.score, verdict.evidence, verdict.match_count,
                         notices=verdict.notices)
        )  # fmt: skip

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())


def _said(detail: RecordedDetail | None) -> bool | None:
    """What a recorded result says of a grader; None where it is no verdict."""
    return detail.passed if detail is not None and detail.is_verdict else None


def _identity(config: GraderConfig) -> str:
    """A text that two configs share when they are equal, whatever their values are."""
    try:
        return repr((config.type, config.name, config.config, config.turn, config.scope))
    except RecursionError:
        # Too deep to be compared: a grader of its own.
        return f"deep config {id(config)}"
