"""One triage session without a screen: opens runs, keeps board and state together, asks for what is to be judged.

Threads read and judge; what they find comes in through ``receive``, which like everything here is called on the one
thread that owns the session. ``post`` is how the threads reach that thread.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from vally_tui.errors import SpecUnreadable
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent, GraderConfig
from vally_tui.grading.pattern import FULL_LIMIT, ForgivingMatcher, TimeLimit
from vally_tui.runs.evidence import DEFAULT_MAX_BYTES
from vally_tui.runs.load import extended, load_run, resume_run, started_run
from vally_tui.runs.model import LoadIssue, Run, RunSource, Trial
from vally_tui.triage import asking, update
from vally_tui.triage.board import Board
from vally_tui.triage.carry import Carried, carry, carry_over_reading
from vally_tui.triage.document import Document, DocumentMore, DocumentReader
from vally_tui.triage.doubting import Doubted, Doubting
from vally_tui.triage.events import Changed, Event, Loaded, Progress
from vally_tui.triage.evidence import EvidenceStore, Whereabouts
from vally_tui.triage.explain.model import Spot
from vally_tui.triage.graders_of import scoring_of, stimuli_of
from vally_tui.triage.judge import EngineTrouble, JobDone, Judged, JudgedInView, JudgingService, is_of_engine
from vally_tui.triage.kept_rows import KeptRows
from vally_tui.triage.spec_compared import SpecCompared
from vally_tui.triage.spec_target import SpecFound, SpecTarget, found_target, read_target, recorded_evals
from vally_tui.triage.state import TriageState
from vally_tui.triage.tabs import Tab, tab_at, tab_of
from vally_tui.triage.text_filter import TextFound, looked_at, text_job
from vally_tui.triage.trial_list import TrialList
from vally_tui.triage.watch import ChangedOnDisk, Watch

AT_ONCE = 250
"""Trials that are put on the board in one go, so that no key waits for it."""
FIRST_ROWS = 1.0
"""Seconds that reading waits, at most, until what it read first is on the screen."""
ANSWERED_SOON = 0.15
"""Seconds in which an edit is answered on the trial in view, as a rule."""
TEXT_TOKEN = "text of the filter"
DOUBTS_TOKEN = "doubts about passes"


class Session:
    """Board, state and threads of one start of the program."""

    def __init__(
        self,
        sources: Sequence[RunSource],
        matcher: ForgivingMatcher,
        post: Callable[[Event], None],
        *,
        spec: SpecTarget | None = None,
        issues: Iterable[LoadIssue] = (),
        limit: TimeLimit = FULL_LIMIT,
        max_bytes: int = DEFAULT_MAX_BYTES,
        only: Callable[[Trial], bool] | None = None,
    ) -> None:
        """``issues``: what finding the runs has brought up; ``only`` says which trials are taken at all."""
        self.spec = spec
        self.spec_fault: str | None = None
        """Why a spec that was found cannot be read."""
        self.clashes: tuple[str, ...] = ()
        """Sentences about unsaved edits that a reading has found changed or gone on disk, for whoever tells them to take."""
        self._spec_waits: SpecFound | None = None
        """A reading of the spec that came in while a run was being read."""
        self.board = Board() if spec is None else Board(stimuli_of(spec.document.spec), scoring_of(spec.document.spec))
        self.state = TriageState()
        self.progress = Progress()
        self.trouble: str | None = None
        """Why nothing can be judged again, where that is so."""
        self.document: Document | None = None
        self.doubting = Doubting()
        self._doubts_wait = False
        self.jobs: deque[JobDone] = deque()
        """Jobs that are done, for whoever asked for them to take."""
        self.evidence = EvidenceStore(self._find, max_bytes)
        self._only = only
        self._post = post
        self._runs = [started_run(source) for source in sources]
        for source in sources:
            self.board.add_source(source)
        self._found_issues = tuple(issues)
        self.board.issues = list(issues)
        self._reader = DocumentReader(self.evidence, post)
        self.service = JudgingService(matcher, self.evidence, post, limit)
        self._loader: threading.Thread | None = None
        self._cancel_loading = threading.Event()
        self._shown = threading.Event()
        self._rows = KeptRows()
        self._compared = SpecCompared()
        self._trials_version = 0
        self._next_key = 0
        self._sought: tuple[int, str | None, int] | None = None
        """Run, stimulus and number of the trial that was in view before its run was read anew."""
        self._sought_slot: int | None = None
        self._edited_at = 0.0
        self._watch = Watch(post)

    def start(self) -> None:
        """Begin to read and to judge."""
        self.service.start()
        self._reader.start()
        self._load(resume=False)
        self._watch.watch(source.results for source in self.board.sources if not source.from_stdin)
        if self.spec is not None:
            self._watch.watch([self.spec.path])
        self._watch.start()

    def close(self) -> None:
        """End the threads; the engine is its owner's to close."""
        self._cancel_loading.set()
        self.service.close()
        self._reader.close()
        self._watch.close()

    @property
    def is_reading(self) -> bool:
        """Whether the runs are being read."""
        return self._loader is not None and self._loader.is_alive()

    def reread(self) -> Changed:
        """Read all runs and the spec again from their start; edits stay, and the trial in view is found again."""
        if self.is_reading:
            return Changed.NOTHING
        for run, source in enumerate(self.board.sources):
            self._drop_run(run)
            self._runs[run] = started_run(source)
        self.evidence.forget()
        self.progress = Progress()
        self._load(resume=False)
        if self.spec is not None:
            self._read_spec(self.spec)
        return Changed.TRIALS | Changed.DOCUMENT | Changed.STATE

    @property
    def spec_differs(self) -> bool:
        """Whether the spec's graders are others than the recorded ones; False while the runs are being read."""
        if self.spec is None or not self.progress.done:
            return False
        return self._compared.differs(self.board, self.spec.document.spec, self._trials_version)

    @property
    def is_judging(self) -> bool:
        """Whether some verdict is still wanted."""
        return not self.service.is_idle

    @property
    def answers_soon(self) -> bool:
        """Whether the last edit is so new that its answer may come any moment."""
        return time.monotonic() - self._edited_at < ANSWERED_SOON

    def rows_are_shown(self) -> None:
        """The first trials are on the screen: reading on takes nothing from them any more."""
        self._shown.set()

    @property
    def runs(self) -> Sequence[Run]:
        """The runs as far as they are read."""
        return self._runs

    @property
    def rows(self) -> TrialList:
        """The rows of the trial list, made anew only when something changed them."""
        return self._rows.of(self.board, self.state, self.doubting, self._trials_version)

    @property
    def rows_are_old(self) -> bool:
        """Whether the rows are to be made anew, soon."""
        return self._rows.are_old(self.board, self.state, self.doubting, self._trials_version)

    def receive(self, event: Event) -> Changed:
        """Take in what a thread has found; what that changes."""
        match event:
            case Loaded():
                return self._take_loaded(event)
            case Judged():
                slot = max(event.slot, ~event.slot)
                if slot not in self.board.slots:
                    # A grader of an earlier reading of the spec.
                    return Changed.NOTHING
                self.board.put(slot, event.asked, event.verdicts)
                return Changed.VERDICTS | self._trouble_over(event)
            case JudgedInView():
                return self._take_in_view(event)
            case Document():
                return self._take_document(event)
            case DocumentMore():
                return self._take_more(event)
            case JobDone():
                return self._take_job(event)
            case SpecFound():
                return self._take_spec(event)
            case ChangedOnDisk():
                return self._take_changed(event)
            case EngineTrouble():
                self.trouble = event.message
                self.board.keep_recorded(True)
                return Changed.TROUBLE | Changed.VERDICTS

    def change(self, state: TriageState) -> Changed:
        """Make this the state, and ask for what it needs."""
        before, self.state = self.state, state
        if state == before:
            return Changed.NOTHING
        changed = Changed.STATE
        if state.edits != before.edits:
            self._edited_at = time.monotonic()
            asking.ask_for_edits(self, before)
            changed |= Changed.VERDICTS
        if state.filter.text != before.filter.text:
            self._look_for_text()
        if (state.trial, state.tab) != (before.trial, before.tab):
            self._want_document()
            changed |= Changed.DOCUMENT
        if (state.trial, state.edits, state.slot) != (before.trial, before.edits, before.slot):
            asking.ask_for_view(self)
            changed |= Changed.MATCHES
        return changed

    def add_grader(self, stimulus: str | None, config: GraderConfig) -> Changed:
        """Add a grader to a stimulus and focus it."""
        slot = self.board.add_slot(stimulus, config)
        return self.change(update.add_slot(self.state, self.board, slot))

    def try_again(self, slot: int) -> Changed:
        """Judge a grader once more where its pattern was stopped; nothing but this runs such a pattern again."""
        asked = self.board.asked(slot, self.state.edits)
        if asked is None or not self.board.drop_stopped(slot, asked):
            return Changed.NOTHING
        asking.ask_again(self, slot, asked)
        asking.ask_for_view(self)
        return Changed.VERDICTS | Changed.MATCHES

    # Reading

    def _load(self, *, resume: bool) -> None:
        self._cancel_loading.clear()
        runs, key = list(self._runs), self._next_key

        def work() -> None:
            first = key
            for number, run in enumerate(runs):
                steps = (
                    resume_run(run, first_key=first, cancelled=self._cancel_loading.is_set)
                    if resume
                    else load_run(run.source, first_key=first, cancelled=self._cancel_loading.is_set)
                )
                for step in steps:
                    first += len(step.trials)
                    for part in step.parts(AT_ONCE):
                        self._post(Loaded(number, part))
                    if not step.last:
                        self._shown.wait(FIRST_ROWS)
                        # Once is enough, whatever became of the screen.
                        self._shown.set()

        self._loader = threading.Thread(target=work, name="reading runs", daemon=True)
        self._loader.start()

    def _take_loaded(self, event: Loaded) -> Changed:
        step = event.step
        if step.restarted:
            self._drop_run(event.run)
        # The trials are the board's; only what else a run says is kept here.
        run = self._runs[event.run] = extended(self._runs[event.run], replace(step, trials=()))
        trials = step.trials if self._only is None else tuple(trial for trial in step.trials if self._only(trial))
        self._next_key = max([self._next_key, *(trial.key + 1 for trial in step.trials)])
        added = self.board.add_trials(event.run, trials)
        self.board.issues = [*self._found_issues, *(issue for other in self._runs for issue in other.issues)]
        if step.last:
            self.board.finish_run(event.run, run)
        self._trials_version += 1
        self.progress = self._progress(event)
        if self.progress.done and self.spec is None:
            self._look_for_spec()
        asking.ask_for_new(self, added)
        found = self._find_sought(added)
        if self.progress.done and self._sought is not None:
            # The trial is gone: the first failure is in view again.
            self._sought, self.state = None, replace(self.state, chosen=False)
        if self.progress.done:
            found |= self._take_carried(carry_over_reading(self.board, self.state)) | self._take_waiting_spec()
        return Changed.TRIALS | Changed.PROGRESS | found

    def _drop_run(self, run: int) -> None:
        """Take a run off the board; the trial in view is remembered, to be found again."""
        entry = self.board.entries.get(self.state.trial) if self.state.trial is not None else None
        if entry is not None and entry.run == run:
            self._sought = (run, entry.trial.stimulus, self.board.numbers[entry.trial.key])
            self._sought_slot = self.state.slot
            self.document = None
            self.state = replace(self.state, trial=None, slot=None)
        self.evidence.forget({other.trial.key for other in self.board if other.run == run})
        self.board.remove_run(run)
        self._trials_version += 1

    def _find_sought(self, added: Sequence[int]) -> Changed:
        """Bring the trial back into view that was there before its run was read anew."""
        if self._sought is None or self.state.trial is not None:
            return Changed.NOTHING
        for key in added:
            entry = self.board.entries[key]
            if (entry.run, entry.trial.stimulus, self.board.numbers[key]) == self._sought:
                self._sought = None
                slot = self._sought_slot
                found = update.select_trial(self.state, self.board, key)
                if slot in self.board.slots_of(key, self.state.edits):
                    found = update.select_slot(found, self.board, slot)
                return self.change(found)
        return Changed.NOTHING

    def _progress(self, event: Loaded) -> Progress:
        done = event.step.last and event.run == len(self._runs) - 1
        return Progress(event.step.read, event.step.total, done)

    def settle(self, seconds: float | None = None) -> tuple[Changed, bool]:
        """Work out what the news means for the trials, for at most so long: what that changes, and whether all is done.

        Until the person moves, the first failure is brought into view.
        """
        done = self.board.settle(self.state.edits, self.state.saved, seconds)
        if self.state.chosen:
            return Changed.NOTHING, done
        return self.change(update.follow_first_failure(self.state, self.board)), done

    # The spec that edits are saved to

    def _look_for_spec(self) -> None:
        recorded = recorded_evals(entry.trial for entry in self.board)
        sources = tuple(self.board.sources)
        if recorded:
            threading.Thread(
                target=lambda: self._post(found_target(recorded, sources)), name="looking for the spec", daemon=True
            ).start()

    def _take_spec(self, found: SpecFound) -> Changed:
        if found.target is None and found.fault is None:
            return Changed.NOTHING
        self.spec_fault = found.fault
        if found.target is None:
            return Changed.SPEC
        before, self.spec = self.spec, found.target
        if before is None:
            self._watch.watch([found.target.path])
        if found.target.given and (before is None or before.document.digest != found.target.document.digest):
            if not self.progress.done and not self._cancel_loading.is_set():
                # The trials by which the edits find their graders again are not there yet.
                self.spec, self._spec_waits = before, found
                return Changed.NOTHING
            return Changed.SPEC | self._judge_by(found.target)
        return Changed.SPEC

    def _take_waiting_spec(self) -> Changed:
        found, self._spec_waits = self._spec_waits, None
        return Changed.NOTHING if found is None else self._take_spec(found)

    def target_is(self, target: SpecTarget) -> None:
        """From now on edits are saved to this spec, which says what was saved last."""
        self.spec = target
        self._watch.watch([target.path])

    def read_spec_again(self) -> None:
        """Read the spec again, where there is one."""
        if self.spec is not None:
            self._read_spec(self.spec)

    def _read_spec(self, target: SpecTarget) -> None:
        """Read the spec again on a thread."""

        def work() -> None:
            try:
                self._post(SpecFound(read_target(target.path, given=target.given)))
            except SpecUnreadable as error:
                self._post(SpecFound(None, str(error)))

        threading.Thread(target=work, name="reading the spec", daemon=True).start()

    def _judge_by(self, target: SpecTarget) -> Changed:
        """Take the graders of another reading of the spec; the edits are carried over to them."""
        old, state = self.board, self.state
        board = Board(stimuli_of(target.document.spec), scoring_of(target.document.spec), after=old)
        board.keep_recorded(self.trouble is not None)
        for run, source in enumerate(old.sources):
            board.add_source(source)
            board.add_trials(run, [entry.trial for entry in old if entry.run == run])
        board.summaries, board.read, board.issues = old.summaries, old.read, old.issues
        for slot in old.slots:
            self.service.forget(slot)
            self.service.forget(~slot)
        carried = carry(old, state, board)
        board.adopt(old, carried.slots)
        self.board, self.doubting = board, Doubting()
        self._trials_version += 1
        return Changed.TRIALS | self._take_carried(carried, anew=True)

    def _take_carried(self, carried: Carried, *, anew: bool = False) -> Changed:
        """Go on with edits that were carried over; ``anew``: to another board."""
        if carried.state == self.state and not anew:
            return Changed.NOTHING
        before, self.state = self.state, carried.state
        self.clashes += carried.clashes
        if anew:
            asking.ask_for_missing(self)
        else:
            asking.ask_for_edits(self, before)
        self.state = update.refocus(self.state, self.board)
        self._want_document()
        asking.ask_for_view(self)
        return Changed.STATE | Changed.VERDICTS | Changed.SPEC | Changed.DOCUMENT | Changed.MATCHES

    def _take_changed(self, event: ChangedOnDisk) -> Changed:
        """A file changed: what was added to a run is read, a replaced run or spec anew."""
        if not self.is_reading and any(source.results in event.paths for source in self.board.sources):
            self._load(resume=True)
        if self.spec is not None and self.spec.path in event.paths:
            self._read_spec(self.spec)
        return Changed.NOTHING

    # Judging

    def _take_in_view(self, event: JudgedInView) -> Changed:
        if event.slot not in self.board.slots:
            return Changed.NOTHING
        self.board.put_in_view(event.trial, event.slot, event.asked, event.verdict)
        if event.trial != self.state.trial:
            return Changed.VERDICTS
        return Changed.VERDICTS | Changed.MATCHES

    def _trouble_over(self, event: Judged) -> Changed:
        """Where V8's own verdicts come in it is there, whatever was said before."""
        if self.trouble is None or not any(is_of_engine(event.asked, verdict) for verdict in event.verdicts.values()):
            return Changed.NOTHING
        self.trouble = None
        self.board.keep_recorded(False)
        return Changed.TROUBLE

    # The evidence in view

    def _want_document(self) -> None:
        key = self.evidence_key
        if key is not None:
            self._reader.want(key)

    @property
    def evidence_key(self) -> EvidenceKey | None:
        """The evidence that is to be in view."""
        if self.state.trial is None:
            return None
        return self.state.tab.of(self.state.trial)

    def _take_document(self, document: Document) -> Changed:
        if document.key != self.evidence_key:
            return Changed.NOTHING
        self.document = document
        return Changed.DOCUMENT

    def _take_more(self, more: DocumentMore) -> Changed:
        if self.document is None or self.document.index is None or more.key != self.document.key:
            return Changed.NOTHING
        self.document.index.extend(more.sections)
        return Changed.DOCUMENT_GROWN

    def tab_of_slot(self, slot: int) -> Tab | None:
        """The tab of the text on which a slot of the trial in view is judged."""
        if self.state.trial is None:
            return None
        return tab_of(self.board, self.state.trial, slot, self.state.edits)

    def tab_of_spot(self, spot: Spot) -> Tab | None:
        """The tab of the text that a place of an explanation is in."""
        if self.state.trial is None:
            return None
        return tab_at(self.board.entries[self.state.trial], spot.subject, spot.turn)

    def tab_lacks(self, tab: Tab) -> bool:
        """Whether a tab of the trial in view is known to have no evidence; reads nothing for it."""
        if self.state.trial is None:
            return False
        return isinstance(self.evidence.known(tab.of(self.state.trial)), Absent)

    # Jobs

    def _look_for_text(self) -> None:
        text = self.state.filter.text
        if text is not None:
            self.service.ask(TEXT_TOKEN, text_job(text, looked_at(self.board, self.state.edits)))

    def look_for_doubts(self) -> None:
        """Look at the next passes, once everything is judged; what is found comes in as verdicts do."""
        if self._doubts_wait or not self.progress.done or self.is_judging:
            return
        job = self.doubting.next_job(self.board, self.state.edits)
        if job is not None:
            self._doubts_wait = True
            self.service.ask(DOUBTS_TOKEN, job, late=True)

    def _take_job(self, event: JobDone) -> Changed:
        if event.token == TEXT_TOKEN:
            if not isinstance(event.value, TextFound) or event.value.text != self.state.filter.text:
                return Changed.NOTHING
            self.state = replace(self.state, with_text=event.value.trials)
            return Changed.TRIALS | Changed.STATE
        if event.token == DOUBTS_TOKEN:
            self._doubts_wait = False
            before = self.doubting.version
            if isinstance(event.value, Doubted):
                self.doubting.take(event.value)
            self.look_for_doubts()
            return Changed.NOTHING if self.doubting.version == before else Changed.VERDICTS
        self.jobs.append(event)
        return Changed.JOB

    def _find(self, key: int) -> Whereabouts | None:
        entry = self.board.entries.get(key)
        return None if entry is None else (self.board.sources[entry.run], entry.trial, entry.single_turn)
