"""Edits, saves, undo, redo and changes from outside in any order: what the person typed last is there, or on disk.

A model keeps what each grader should be; the program is a session without a screen whose threads run at once.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from tests.runs.builders import line, record, source, trajectory
from tests.triage.builders import PlainMatcher
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.save import Conflict, save
from vally_tui.triage import config_edit, update
from vally_tui.triage import session as session_module
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.events import Event
from vally_tui.triage.graders_of import stimuli_of
from vally_tui.triage.journalled import entries_of, restored, unsaved_changes
from vally_tui.triage.saving import changes_of, plan_save, saved_by
from vally_tui.triage.session import Session
from vally_tui.triage.spec_target import SpecFound, read_target
from vally_tui.triage.watch import ChangedOnDisk

Graders = Mapping[str, GraderConfig]
"""By who they are, which only the model knows, in their order."""


class AtOnce:
    """A thread that has done its work when it is started."""

    def __init__(self, target: Callable[[], None], **_: object) -> None:
        self.start = target

    def is_alive(self) -> bool:
        return False


def contains(pattern: str) -> GraderConfig:
    return GraderConfig("diff-contains", config={"pattern": pattern})


def spec_text(graders: Graders, remark: str) -> str:
    text = f"# {remark}\nname: eval\nstimuli:\n  - name: fix-it\n    prompt: p\n    graders:"
    for who, grader in graders.items():
        values = ", ".join(f"{key}: {str(value).lower()}" for key, value in values_of(grader).items())
        text += f"\n      # before {who}\n      - type: {grader.type}   # of {who}\n        config: {{ {values} }}"
    return (text if graders else f"{text} []") + "\n"


def on_top(now: GraderConfig | None, before: GraderConfig | None, after: GraderConfig | None) -> GraderConfig | None:
    """What a person's change from ``before`` to ``after`` makes of what is there now, key by key."""
    if after == before:
        return now
    if now is None or before is None or after is None:
        return after
    old, own, other = ({"type": each.type, **values_of(each)} for each in (before, after, now))
    chosen = {key: own if own.get(key) != old.get(key) else other for key in {**old, **own, **other}}
    mixed = {key: values[key] for key, values in chosen.items() if key in values}
    return GraderConfig(str(mixed.pop("type")), config=mixed)


def values_of(grader: GraderConfig) -> dict[str, object]:
    assert isinstance(grader.config, dict)
    return grader.config


def alike(graders: Iterable[GraderConfig]) -> list[tuple[str, list[tuple[str, object]]]]:
    """The graders to be compared, whatever their order and that of their keys."""
    return sorted((each.type, sorted(values_of(each).items())) for each in graders)


def there(graders: Mapping[str, GraderConfig | None]) -> dict[str, GraderConfig]:
    return {who: grader for who, grader in graders.items() if grader is not None}


class Orders(RuleBasedStateMachine):
    """The graders are those of a spec that the person named."""

    def __init__(self) -> None:
        super().__init__()
        self._names = 0
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.spec = self.folder / "eval.yaml"
        self.results = self.folder / "results.jsonl"
        self.remark = "0"
        # What is on disk, what the program knows of it, and what the person has made of it.
        self.disk: dict[str, GraderConfig] = {f"g{n}": contains(f"base{n}") for n in range(3)}
        self.known: dict[str, GraderConfig] = dict(self.disk)
        self.mine: dict[str, GraderConfig] = dict(self.disk)
        self.past: list[dict[str, GraderConfig]] = []
        self.future: list[dict[str, GraderConfig]] = []
        self.write()
        self.results.write_bytes(self.record() * 2)
        self.news: list[Event] = []
        threads = SimpleNamespace(Thread=AtOnce, Event=threading.Event)
        self._patch = mock.patch.object(session_module, "threading", threads)
        self._patch.start()
        target = read_target(self.spec, given=True)
        self.session = Session([source(self.folder)], PlainMatcher(), self.news.append, spec=target)
        self.session.rows_are_shown()
        self.session.reread()
        self.drain()

    def teardown(self) -> None:
        self._patch.stop()
        self._folder.cleanup()

    # The program

    def drain(self, *, spec_first: bool = False) -> None:
        while self.news:
            if spec_first:
                self.news.sort(key=lambda event: not isinstance(event, SpecFound))
            self.session.receive(self.news.pop(0))
        self.session.settle()

    def write(self) -> None:
        self.spec.write_text(spec_text(self.disk, self.remark))

    def record(self) -> bytes:
        made = trajectory(diff="base0 base1 base2")
        made["stimulus"] = {"name": "fix-it", "prompt": "p", "graders": []}
        return line(record(stimulus="fix-it", trajectory=made))

    @property
    def slots(self) -> tuple[int, ...]:
        return self.session.board.slots_of(next(iter(self.session.board.entries)), self.session.state.edits)

    def slot_of(self, who: str) -> int:
        board, edits = self.session.board, self.session.state.edits
        return next(slot for slot in self.slots if board.config(slot, edits) == self.mine[who])

    def pick(self, number: int) -> str:
        return [*self.mine][number % len(self.mine)]

    def fresh(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def step(self) -> None:
        self.past.append(dict(self.mine))
        self.future.clear()

    # What the person does

    def typed(self, slot: int, who: str) -> None:
        board, state = self.session.board, self.session.state
        config = config_edit.with_field_text(board.config(slot, state.edits), self.fresh("typed"))
        self.session.change(update.edit_slot(state, board, slot, config))
        self.mine[who] = config

    @precondition(lambda self: self.mine)
    @rule(number=st.integers(0, 9), outside=st.booleans(), data=st.data())
    def type_in_the_field(self, number: int, outside: bool, data: st.DataObject) -> None:
        who = self.pick(number)
        slot = self.slot_of(who)
        self.session.change(update.open_field(self.session.state, slot))
        self.step()
        if data.draw(st.booleans()):
            self.typed(slot, who)
        if outside:
            self.change_outside(data.draw(st.sampled_from(OUTSIDE)), data.draw(st.integers(0, 9)))
            self.notice()
            if who not in self.mine:
                # It is gone and nothing was typed: the open field keeps it as a new one.
                self.mine[who] = self.session.board.config(self.session.state.typing_slot, self.session.state.edits)  # type: ignore[arg-type]
        now = self.session.state.typing_slot
        assert now is not None
        self.typed(now, who)
        self.session.change(update.close_field(self.session.state))

    @precondition(lambda self: self.mine)
    @rule(number=st.integers(0, 9), change=st.sampled_from(["negate", "type"]))
    def turn(self, number: int, change: str) -> None:
        who = self.pick(number)
        slot, config = self.slot_of(who), self.mine[who]
        if change == "negate":
            made = config_edit.with_negation(config, not config_edit.is_negated(config))
        else:
            made = replace(config, type="diff-contains" if config.type != "diff-contains" else "diff-not-contains")
        self.step()
        self.session.change(update.edit_slot(self.session.state, self.session.board, slot, made))
        self.mine[who] = made

    @rule()
    def add(self) -> None:
        self.step()
        who = self.fresh("new")
        self.mine[who] = contains(who)
        self.session.add_grader("fix-it", self.mine[who])

    @precondition(lambda self: self.mine)
    @rule(number=st.integers(0, 9))
    def remove(self, number: int) -> None:
        who = self.pick(number)
        slot = self.slot_of(who)
        self.step()
        self.session.change(update.remove_slot(self.session.state, self.session.board, slot))
        del self.mine[who]

    @rule()
    def undo(self) -> None:
        assert bool(self.session.state.past) == bool(self.past)
        if self.past:
            self.future.insert(0, self.mine)
            self.mine = self.past.pop()
            self.session.change(update.undo(self.session.state, self.session.board))

    @rule()
    def redo(self) -> None:
        assert bool(self.session.state.future) == bool(self.future)
        if self.future:
            self.past.append(self.mine)
            self.mine = self.future.pop(0)
            self.session.change(update.redo(self.session.state, self.session.board))

    @rule()
    def save(self) -> None:
        for _ in range(2):
            changes = changes_of(self.session.board, self.session.state)
            target = self.session.spec
            assert target is not None
            if not changes:
                break
            plan = plan_save(changes, target.document, "eval.yaml")
            assert plan.unplaced == ()
            assert plan.applied is not None
            before = self.spec.read_text().split("\n")
            outcome = save(target.path, target.document.digest, plan.applied.text)
            if isinstance(outcome, Conflict):
                self.notice()
                continue
            self.session.target_is(replace(target, document=plan.applied.document))
            self.session.change(saved_by(plan, self.session.state))
            self.check_written(before)
            self.disk = dict(self.mine)
            self.known = dict(self.mine)
        assert self.session.state.unsaved == 0

    def check_written(self, before: list[str]) -> None:
        found = read_target(self.spec, given=True).document
        written = found.spec.stimuli[0].configs if found.spec.stimuli else ()
        assert alike(written) == alike(self.mine.values())
        lines = self.spec.read_text().split("\n")
        assert lines[0] == f"# {self.remark}"
        # Comments stay, and so do whole lines of what was not edited.
        for who in self.mine:
            if any(text.endswith(f"# of {who}") for text in before):
                assert any(text.endswith(f"# of {who}") for text in lines)
                assert f"      # before {who}" in lines
        kept = alike(self.disk[who] for who in self.disk if self.mine.get(who) == self.disk[who])
        assert len([text for text in before if text in lines and "config" in text]) >= len(kept)

    # What others do

    def change_outside(self, how: str, number: int) -> None:
        if self.disk != self.known:
            self.notice()
        whos = [*self.disk]
        who = whos[number % len(whos)] if whos else None
        self.remark = self.fresh("remark")
        if how == "add":
            new = self.fresh("theirs")
            whos.insert(number % (len(whos) + 1), new)
            self.disk[new] = contains(new)
        elif who is not None and how == "pattern":
            self.disk[who] = config_edit.with_field_text(self.disk[who], self.fresh("theirs"))
        elif who is not None and how == "negate":
            self.disk[who] = config_edit.with_negation(self.disk[who], not config_edit.is_negated(self.disk[who]))
        elif who is not None and how == "remove":
            whos.remove(who)
        elif who is not None and how == "move":
            whos.remove(who)
            whos.append(who)
        self.disk = {each: self.disk[each] for each in whos}
        self.write()

    def notice(self) -> None:
        assert self.session.spec is not None
        self.session.receive(ChangedOnDisk((self.spec,)))
        self.drain()
        self.now_known()

    def now_known(self) -> None:
        """The model takes in what is on disk."""
        if self.session.spec is not None and self.disk == self.known:
            return

        def carried(step: dict[str, GraderConfig]) -> dict[str, GraderConfig]:
            whos = dict.fromkeys((*self.disk, *self.known, *step))
            return there({who: on_top(self.disk.get(who), self.known.get(who), step.get(who)) for who in whos})

        self.mine = carried(self.mine)
        typing = self.session.state.typing_slot is not None
        past, future = [carried(step) for step in self.past], [carried(step) for step in self.future]
        self.past = [
            step
            for place, step in enumerate(past)
            if (typing and place == len(past) - 1) or step != (past[place + 1] if place + 1 < len(past) else self.mine)
        ]
        self.future = [step for place, step in enumerate(future) if step != (future[place - 1] if place else self.mine)]
        self.known = dict(self.disk)

    @rule(how=st.sampled_from(["pattern", "negate", "add", "remove", "move", "remark"]), number=st.integers(0, 9))
    def spec_changes(self, how: str, number: int) -> None:
        self.change_outside(how, number)

    @rule()
    def spec_is_noticed(self) -> None:
        self.notice()

    @rule(spec_first=st.booleans(), more=st.booleans())
    def read_again(self, spec_first: bool, more: bool) -> None:
        if more:
            with self.results.open("ab") as file:
                file.write(self.record())
        self.session.reread()
        self.drain(spec_first=spec_first)
        self.now_known()

    @rule(how=st.sampled_from(["grows", "is made anew"]))
    def run_changes(self, how: str) -> None:
        if how == "grows":
            with self.results.open("ab") as file:
                file.write(self.record())
        else:
            self.results.write_bytes(self.record())
        self.session.receive(ChangedOnDisk((self.results,)))
        self.drain()

    # What holds

    @invariant()
    def every_grader_is_what_was_typed_last(self) -> None:
        board, edits = self.session.board, self.session.state.edits
        for key in board.entries:
            shown = [board.config(slot, edits) for slot in board.slots_of(key, edits)]
            assert alike(shown) == alike(self.mine.values())

    @invariant()
    def unsaved_is_what_differs_from_what_is_known_of_the_disk(self) -> None:
        assert bool(self.session.state.unsaved) == (there(self.mine) != there(self.known))
        assert bool(changes_of(self.session.board, self.session.state)) == (self.mine != self.known)

    @precondition(lambda self: self.disk == self.known)
    @invariant()
    def a_crash_loses_nothing(self) -> None:
        changes = unsaved_changes(self.session.board, self.session.state, given=True)
        board = Board(stimuli_of(read_target(self.spec, given=True).document.spec))
        trials = [entry.trial for entry in self.session.board]
        board.add_trials(board.add_source(source(self.folder)), trials)
        edits, lost = restored(board, NO_EDITS, entries_of(changes))
        assert lost == ()
        back = [board.config(slot, edits) for slot in board.slots_of(trials[0].key, edits)]
        assert alike(back) == alike(self.mine.values())


OUTSIDE = ["pattern", "negate", "add", "remove", "move", "remark"]

TestOrders: Any = Orders.TestCase
TestOrders.settings = settings(
    max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
