"""Saving, shown before it is done: what would change, whom it is for, and what stands in its way.

The box plans and writes on a thread, so that a large spec never holds up a key. Nothing is written but by ``enter``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType
from textual.widget import Widget

from vally_tui.diffs.index import DiffIndex
from vally_tui.errors import VallyTuiError
from vally_tui.spec.edit import Sharing
from vally_tui.spec.preview import unified_diff
from vally_tui.spec.rebase import Rebase
from vally_tui.spec.save import Conflict, Saved
from vally_tui.triage.saving import Placed, SavePlan
from vally_tui.triage.spec_target import SpecTarget
from vally_tui.triage.views_model import Hint, Phrase, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import wrap_words
from vally_tui.ui.widgets.diff_pane import DiffView
from vally_tui.ui.widgets.line_list import BLANK, Line, LineList, heading, text_line
from vally_tui.ui.widgets.overlay import Overlay

MOST_DIFF_ROWS = 16


class SaveJob(Struct, frozen=True):
    """What the box may do; every function is called on a thread and may raise VallyTuiError."""

    plan: Callable[[Mapping[int, Sharing]], SavePlan]
    write: Callable[[SavePlan], Saved | Conflict]
    reread: Callable[[SavePlan], tuple[SpecTarget, Rebase]]
    """The spec as it is on disk now, and how the edits of a plan fit there."""


class SavedText(Struct, frozen=True):
    """The outcome of the box: this plan was written."""

    plan: SavePlan
    saved: Saved


class ReadAgain(Struct, frozen=True):
    """The outcome of the box: the spec was read again, and the edits shall be put on top of it."""

    target: SpecTarget


class Elsewhere(Struct, frozen=True):
    """The outcome of the box: what this plan makes shall be saved as another file."""

    plan: SavePlan


Outcome = SavedText | ReadAgain | Elsewhere


class SaveBox(Overlay[Outcome]):
    """Shows the change of the spec and writes it."""

    DEFAULT_CSS = """
    SaveBox LineList { height: auto; }
    SaveBox DiffView { margin: 0 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab,shift+tab", "other_change", show=False)]

    def __init__(
        self,
        keymap: Keymap,
        job: SaveJob,
        target: SpecTarget,
        effects: Mapping[int, Phrase],
        copy: Callable[[str, str], None],
    ) -> None:
        """``effects``: slot -> what its edit does to the trials; ``copy`` takes a text and what to call it."""
        super().__init__(keymap, "save")
        self.head, self.diff = LineList(), DiffView()
        self.between, self.own, self.tail = LineList(), DiffView(), LineList()
        self._tail: tuple[Line, ...] = ()
        self._rows: dict[DiffView, int] = {}
        """The height of each diff."""
        self._job, self._target, self._effects, self._copy = job, target, effects, copy
        self._plan: SavePlan | None = None
        self._sharing: dict[int, Sharing] = {}
        self._conflict: tuple[SpecTarget, Rebase] | None = None
        self._fault: str | None = None
        self._busy = True

    def content(self) -> Iterable[Widget]:
        """What changes in words, the change itself, below it the person's own in a conflict, what is promised."""
        yield self.head
        yield self.diff
        yield self.between
        yield self.own
        yield self.tail

    def opened(self) -> None:
        """Begin to plan."""
        super().opened()
        for view in (self.diff, self.own):
            self.watch(view, "scroll_y", self._say_more, init=False)
        self._work(self._make_plan)

    def fill(self) -> None:
        """The rows for what is known now."""
        refused = self._conflict is not None or self._fault is not None
        self.frame.set_class(refused, "-refused")
        if self._conflict is not None:
            self._fill_conflict(*self._conflict)
        elif self._fault is not None:
            self._show(
                "Not saved",
                [heading("Nothing was written.", Tone.WARN), *self._wrapped(self._fault)],
                "",
                [],
                [Hint("w", "save elsewhere"), *_BACK] if self._plan is not None and self._plan.applied else _BACK,
            )
        elif self._plan is None:
            self._show("Save", [text_line(Word("Working out the change …", Tone.MUTED))], "", [], _BACK)
        else:
            self._fill_plan(self._plan)

    # The plan

    def _fill_plan(self, plan: SavePlan) -> None:
        head: list[Line] = []
        for placed in plan.placed:
            head += self._change_lines(placed)
        for unplaced in plan.unplaced:
            head.append(text_line(Word("▲ ", Tone.WARN), Word(unplaced.reason), Word("  not saved", Tone.MUTED)))
        if plan.refusal is not None:
            head += [BLANK, *self._wrapped(plan.refusal)]
        tail: list[Line] = []
        keys: list[Hint] = []
        if plan.undecided:
            tail.append(text_line("This value is shared through an anchor. Choose whom the edit is for:"))
            keys = [Hint("t", "this grader only"), Hint("a", "all that share it")]
        elif plan.applied is not None and not plan.diff:
            tail.append(text_line("The file says all of it already: nothing has to be written."))
            keys = [Hint("enter", "take it as saved")]
        elif plan.applied is not None:
            lines = _changed_lines(plan)
            tail += [
                text_line(
                    f"{lines} line{'s' * (lines != 1)} change{'s' * (lines == 1)}; ",
                    Word("comments, quotes and all other bytes stay as they are.", Tone.MUTED),
                ),
                text_line(
                    Word("u ", Tone.KEY), Word("outside the field undoes the edit, also after saving.", Tone.MUTED)
                ),
            ]
            if not self._target.given:
                # Else the run is red again at the next start, as if nothing had been saved.
                tail += self._wrapped("The run keeps its recorded graders: -e judges it by this file.")
            keys = [Hint("enter", "write the file"), Hint("y", "copy this change")]
        count = len(plan.placed)
        self._show(
            "Save", head, plan.diff, tail, [*keys, *_BACK], f"{count} edit{'s' * (count != 1)} to {self._target.shown}"
        )

    def _change_lines(self, placed: Placed) -> list[Line]:
        change = placed.change
        lines = [
            text_line(
                Word(change.stimulus or "no stimulus", Tone.STRONG),
                Word(f" · grader {placed.number} · {placed.keys}"),
            )
        ]
        effect = self._effects.get(change.slot)
        if effect:
            lines.append(text_line(*effect))
        if placed.differs:
            words = "the spec had another value here than the run was made with"
            lines.append(text_line(Word("▲ ", Tone.WARN), Word(words)))
        if placed.sharers:
            names = ", ".join(sharer.label for sharer in placed.sharers[:6])
            more = f" and {len(placed.sharers) - 6} more" if len(placed.sharers) > 6 else ""
            choice = self._sharing.get(change.slot)
            said = "" if choice is None else "  this only" if choice is Sharing.THIS_ONLY else "  changed for all"
            lines.append(text_line(Word("shared with ", Tone.MUTED), Word(names + more), Word(said, Tone.KEY)))
        return lines

    # The conflict

    def _fill_conflict(self, now: SpecTarget, rebased: Rebase) -> None:
        shown = self._target.shown
        head = [
            text_line(
                Word("▲ ", Tone.WARN),
                Word(f"Read at {_clock(self._target.read_at)}, changed since. ", bold=True),
                "Nothing was written.",
            )
        ]
        disk = _without_names(unified_diff(self._target.document.text, now.document.text, shown, context=1))
        own = _without_names(unified_diff(now.document.text, rebased.document.text, shown, context=1))
        tail = [
            text_line(Word("▲ ", Tone.WARN), Word(conflict.reason or "an edit does not fit any more"))
            for conflict in rebased.conflicts
        ] or [text_line("Both can stand: what you edited is still there as it was.")]
        tail.append(text_line(Word("The file is never overwritten with what was read before.", Tone.MUTED)))
        keys = [
            Hint("r", "put the edit on top"),
            Hint("w", "save elsewhere"),
            *_BACK,
            Hint("y", "copy your change"),
            Hint("tab", "read the other one"),
        ]
        head += [BLANK, heading("On disk since then")]
        self._show("Not saved", head, disk, tail, keys, f"{shown} has changed on disk", own)

    # Keys

    def move(self, action: str) -> None:
        """The keys for moving read the change; enter writes it."""
        if action != "choose":
            getattr(self.own if self.own.has_focus else self.diff, f"action_{action}")()

    def key_enter(self) -> None:
        """Write, once."""
        plan = self._plan
        if self._busy or self._conflict is not None or plan is None or plan.applied is None:
            return
        self._writes = True
        self._work(lambda: self._write(plan))

    def action_other_change(self) -> None:
        """In a conflict: the keys for moving read the other one of the two changes."""
        (self.diff if self.own.has_focus or not self.own.display else self.own).focus()

    def key_t(self) -> None:
        """The edit is for this grader only."""
        self._choose_sharing(Sharing.THIS_ONLY)

    def key_a(self) -> None:
        """The edit is for all that share the value."""
        self._choose_sharing(Sharing.ALL)

    def key_r(self) -> None:
        """Take the spec as it is on disk, with the edits on top."""
        if self._conflict is not None:
            self.dismiss(ReadAgain(self._conflict[0]))

    def key_w(self) -> None:
        """Save the text as another file, where this one could not be written."""
        refused = self._conflict is not None or self._fault is not None
        if refused and self._plan is not None and self._plan.applied is not None:
            self.dismiss(Elsewhere(self._plan))

    def key_y(self) -> None:
        """Copy the change."""
        if self._plan is not None and self._plan.diff:
            self._copy(self._plan.diff, "the change")

    def _choose_sharing(self, sharing: Sharing) -> None:
        plan = self._plan
        if self._busy or plan is None:
            return
        self._sharing |= {placed.change.slot: sharing for placed in plan.placed if placed.sharers}
        self._work(self._make_plan)

    # On a thread

    def _work(self, work: Callable[[], object]) -> None:
        self._busy = True

        def run() -> None:
            try:
                found = work()
            except VallyTuiError as error:
                found = error
            self.post_message(self.Found(found))

        self.run_worker(run, thread=True, exit_on_error=False)

    def _make_plan(self) -> SavePlan:
        return self._job.plan(dict(self._sharing))

    def _write(self, plan: SavePlan) -> object:
        outcome = self._job.write(plan)
        if isinstance(outcome, Conflict):
            return self._job.reread(plan)
        return SavedText(plan, outcome)

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """What the thread has come to."""
        message.stop()
        self._busy = self._writes = False
        match message.value:
            case SavePlan() as plan:
                self._plan = plan
            case SavedText() as saved:
                self.dismiss(saved)
                return
            case VallyTuiError() as error:
                self._fault = str(error)
            case (SpecTarget() as target, Rebase() as rebased):
                self._conflict = (target, rebased)
        if self._leaves:
            self.dismiss(None)
        else:
            self.fill()

    # Drawing

    def _show(
        self,
        title: str,
        head: Sequence[Line],
        diff: str,
        tail: Sequence[Line],
        keys: Sequence[Hint],
        about: str = "",
        own: str = "",
    ) -> None:
        """``own``: the person's change below the other one, in a conflict."""
        self.show_title(title, about)
        self.show_keys(*keys)
        self.head.show([*head, *([BLANK] if diff and not own else [])])
        self._tail = tuple(tail)
        for view, text in ((self.diff, diff), (self.own, own)):
            view.display = bool(text)
            if text:
                view.show(DiffIndex.build(text))
        self.between.display = bool(own)
        self._say_more()
        self._fit_diffs()
        if diff:
            self.diff.focus()

    def _say_more(self) -> None:
        """The rows below the diffs: how much of each is out of view there, and what follows."""
        self.between.show([self._more_below(self.diff), heading("Your edit")] if self.own.display else [])
        last = self.own if self.own.display else self.diff
        self.tail.show([*([self._more_below(last)] if last.display else []), *self._tail])

    def _more_below(self, view: DiffView) -> Line:
        """The row below a diff, which says how many of its rows are below the view."""
        below = view.document.row_count - self._rows.get(view, 0) - view.scroll_offset.y
        return Line(right=(Word(f"↓ {below} more", Tone.MUTED),)) if below > 0 else BLANK

    def _fit_diffs(self) -> None:
        """Give the box and its diffs the rows that they need, as far as there are so many; each gets half at least."""
        wanted = [view.document.row_count if view.display else 0 for view in (self.diff, self.own)]
        most = MOST_DIFF_ROWS if not self.own.display else sum(wanted)
        words = self.head.count + self.between.count + self.tail.count
        self.fit(words + min(sum(wanted), most))
        room = max(self.rows_inside - words, 2)
        own = min(wanted[1], max(room // 2, room - wanted[0]))
        self._rows = {self.diff: max(min(wanted[0], room - own), 1), self.own: own}
        for view, rows in self._rows.items():
            view.styles.height = rows
        self._say_more()

    def _wrapped(self, text: str) -> list[Line]:
        return [text_line(line) for line in wrap_words(text, self.text_width)]


_BACK = [Hint("esc", "back, keep the edit")]


def _changed_lines(plan: SavePlan) -> int:
    """Lines of the new text that are not in the old one, at least those that went."""
    index = DiffIndex.build(plan.diff)
    return max(index.added, index.removed)


def _without_names(diff: str) -> str:
    """A unified diff without its two rows of file names, which a heading says."""
    return "".join(f"{row}\n" for row in diff.split("\n")[2:-1])


def _clock(seconds: float) -> str:
    return time.strftime("%H:%M", time.localtime(seconds))
