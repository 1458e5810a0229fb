"""All panes with made-up data, to look at: ``python -m tests.ui.demo_app [--shot FILE.svg] [--size 120x36]``."""

# ruff: noqa: W293  (a context line of a diff begins with a blank, also where it is empty)

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
from typing import ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

import vally_tui.ui
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import FileKind
from vally_tui.grading.model import Spans
from vally_tui.triage.views_model import (
    EditView,
    EmptyView,
    FileRow,
    FooterView,
    GraderMark,
    GraderRow,
    GroupRow,
    Highlight,
    Hint,
    Layers,
    Mark,
    Note,
    PaneTitleView,
    Tally,
    TitleView,
    Tone,
    TrialColumns,
    TrialRow,
    TurnTab,
    Word,
)
from vally_tui.ui.render.themes import THEMES, variable_defaults
from vally_tui.ui.widgets.diff_pane import DiffPane
from vally_tui.ui.widgets.files_pane import FilesPane
from vally_tui.ui.widgets.footer_line import FooterLine
from vally_tui.ui.widgets.graders_pane import GradersPane
from vally_tui.ui.widgets.layout import COLUMN_CLASSES, ROW_CLASSES
from vally_tui.ui.widgets.title_line import TitleLine
from vally_tui.ui.widgets.trials_pane import TrialsPane

_W = TypeVar("_W", bound=Widget)

DIFF = '''diff --git a/src/calc.py b/src/calc.py
index 3f1c2ab..9d04e77 100644
--- a/src/calc.py
+++ b/src/calc.py
@@ -1,7 +1,10 @@
 """Four operations on numbers."""
 
-def divide(a, b):
-    return a / b
+def divide(a: float, b: float) -> float:
+    """Divide a by b; b must not be zero."""
+    if b == 0:
+        raise ValueError("cannot divide by zero")
+    return a / b
 
 
 def multiply(a, b):
@@ -31,3 +34,6 @@ def main(argv):
     op, left, right = argv[1:4]
-    print(OPS[op](float(left), float(right)))
+    try:
+        print(OPS[op](float(left), float(right)))
+    except ValueError as error:
+        sys.exit(f"calc: {error}")
 # done
diff --git a/tests/test_divide.py b/tests/test_divide.py
new file mode 100644
index 0000000..5d2e1aa
--- /dev/null
+++ b/tests/test_divide.py
@@ -0,0 +1,3 @@
+from src.calc import divide
+\tassert divide(1, 2)  # 二つに割る, zero
+
\\ No newline at end of file
'''

P, F, Q, R = Mark.PASS, Mark.FAIL, Mark.NO_EVIDENCE, Mark.RECORDED


def _spans(needle: str) -> Spans:
    pairs = []
    at = DIFF.find(needle)
    while at >= 0:
        pairs.append((at, at + len(needle)))
        at = DIFF.find(needle, at + 1)
    return Spans.of(*pairs)


def _group(name: str, tally: str, *, failed: bool = True) -> GroupRow:
    return GroupRow(name, (Word(tally, Tone.MUTED),), failed)


def _trial(number: int, label: str, mark: Mark, *strip: Mark, before: Mark | None = None) -> TrialRow:
    result = (Word("1 diff-contains  not found in turn 1", Tone.MUTED),) if mark is F else ()
    return TrialRow(number, str(number), label, mark, before, strip, result=result)


TRIALS: list[TrialRow | GroupRow] = [
    _group("fix-divide-by-zero", "3 of 4 failed"),
    _trial(1, "opus-4.5", F, F, P, P, P, R),
    _trial(2, "opus-4.5", P, P, P, P, P, R),
    _trial(3, "gpt-5.1", F, F, P, P, P, R),
    _trial(4, "gpt-5.1", F, F, P, P, P, R),
    _group("add-retry", "2 of 4 failed"),
    _trial(1, "opus-4.5", F, P, F),
    _trial(2, "opus-4.5", P, P, P),
    _trial(3, "gpt-5.1", F, F, F),
    _trial(4, "gpt-5.1", P, P, P),
    _group("rename-module", "2 no evidence"),
    _trial(1, "opus-4.5", P, P, P, P),
    _trial(2, "opus-4.5", P, P, P, P),
    _trial(3, "gpt-5.1", Q, P, Q, Q),
    _trial(4, "gpt-5.1", Q, P, Q, Q),
    _group("keep-secrets-out", "1 of 4 failed"),
    _trial(1, "opus-4.5", P, P, P, R),
    _trial(2, "opus-4.5", P, P, P, R),
    _trial(3, "gpt-5.1", F, F, P, R),
    _trial(4, "gpt-5.1", P, P, P, R),
    _group("answer-only", "2 of 4 failed"),
    _trial(1, "opus-4.5", P, P),
    _trial(2, "opus-4.5", F, F),
    _trial(3, "gpt-5.1", P, P),
    _trial(4, "gpt-5.1", F, F),
    _group("type-hints", "4 passed", failed=False),
    *(_trial(number, "opus-4.5", P, P, P, P) for number in range(1, 5)),
]

FLIPPED: list[TrialRow | GroupRow] = [
    _group("fix-divide-by-zero", "1 of 4 failed"),
    _trial(1, "opus-4.5", P, P, P, P, P, R, before=F),
    _trial(2, "opus-4.5", F, F, P, P, P, R, before=P),
    _trial(3, "gpt-5.1", P, P, P, P, P, R, before=F),
    _trial(4, "gpt-5.1", P, P, P, P, P, R, before=F),
    *TRIALS[5:],
]

NEAR = "raise ValueError("
GRADERS = (
    GraderRow(
        1,
        F,
        "diff-contains",
        "T1",
        "not found",
        r"raise ValueError\('",
        evidence=r"Pattern /raise ValueError\('/ not found in the diff of turn 1",
        finding=(
            Word("nearly", Tone.STRONG),
            Word(" src/calc.py:6 "),
            Word(NEAR, Tone.NEAR),
            Word(" then \" instead of '"),
            Word("   "),
            Word("x", Tone.KEY),
            Word(" why not", Tone.MUTED),
        ),
    ),
    GraderRow(2, P, "diff-contains", "T1", "2 matches", r"def divide\b"),
    GraderRow(3, P, "diff-contains", "T1", "5 matches", "(?i)zero"),
    GraderRow(4, P, "diff-not-contains", "Σ", "not found", r"secrets\."),
    GraderRow(5, R, "prompt", "Σ", "recorded pass", "minimal change", judged=False),
)

EDITED = GraderRow(
    1,
    P,
    "diff-contains",
    "T1",
    "1 match",
    r"raise ValueError\(\"",
    before=F,
    was=r"raise ValueError\('",
    edit=EditView(
        'raise ValueError\\("',
        19,
        outcome=(
            Word("+3 now pass", Tone.PASS, bold=True),
            Word(" · ", Tone.MUTED),
            Word("−1 now fail", Tone.FAIL, bold=True),
            Word(" · 18 same · 2 no evidence"),
            Word("  of 24 trials", Tone.MUTED, whole=True),
        ),
        example=(
            Word("now fail", Tone.FAIL, bold=True),
            Word("  trial 2   "),
            Word("raise ValueError('cannot divide by zero')", Tone.MUTED),
        ),
        flags=(("i", "any case", False), ("m", "^ $ at every line", False), ("s", ". takes newlines", False)),
    ),
)

LAYERS = Layers(
    (Highlight(2, _spans("def divide")), Highlight(3, _spans("zero"))),
    focused=1,
    near=(Highlight(1, _spans(NEAR)),),
)
EDIT_LAYERS = Layers(
    (Highlight(1, _spans(NEAR + '"')), Highlight(2, _spans("def divide")), Highlight(3, _spans("zero"))),
    focused=1,
    current=_spans(NEAR + '"')[0],
)

FILES = (
    FileRow(FileKind.MODIFIED, "src/calc.py", None, 9, 3, (GraderMark(2), GraderMark(3), GraderMark(1, near=True))),
    FileRow(FileKind.ADDED, "tests/test_divide.py", None, 14, 0, (GraderMark(2), GraderMark(3))),
    FileRow(FileKind.RENAMED, "src/operators.py", "src/ops.py"),
    FileRow(FileKind.DELETED, "notes/todo.md", None, 0, 6),
)

TABS = (TurnTab("0", "T0"), TurnTab("1", "T1", True, 23, 9), TurnTab("all", "Σ"))

HINTS = (
    Hint("f", "next failure"),
    Hint("tab", "pane"),
    Hint("n", "match"),
    Hint("]", "hunk"),
    Hint("e", "edit pattern", "edit"),
    Hint("x", "why not"),
    Hint("o", "prompt, output", "output"),
    Hint("\\", "filter"),
)

EMPTY = EmptyView(
    "Turn 1 of this trial has no recorded diff.",
    Q,
    ("turnDiffs holds turns 0 and 2. Vally fails a grader whose turn is missing; it never takes the whole run's.",),
    (
        Hint("R", "read the run again, if the directory was copied in part"),
        Hint("( )", "look at turn 0, turn 2 or the whole run"),
        Hint("o", "see the error that the trial recorded"),
    ),
    "or run this stimulus again: the diff cannot be made later",
)


class DemoApp(App[None]):
    """The triage screen's panes with made-up data."""

    CSS_PATH = Path(vally_tui.ui.__file__).with_name("app.tcss")
    HORIZONTAL_BREAKPOINTS = COLUMN_CLASSES
    VERTICAL_BREAKPOINTS = ROW_CLASSES
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "to_focused('cursor_down')", show=False),
        Binding("k,up", "to_focused('cursor_up')", show=False),
        Binding("pagedown", "to_focused('page_down')", show=False),
        Binding("pageup", "to_focused('page_up')", show=False),
        Binding("g", "to_focused('first')", show=False),
        Binding("G", "to_focused('last')", show=False),
        Binding("right", "to_focused('right')", show=False),
        Binding("left", "to_focused('left')", show=False),
        Binding("w", "wrap", show=False),
        Binding("z", "fold", show=False),
        Binding("T", "next_theme", show=False),
        Binding("q", "quit", show=False),
    ]

    def __init__(self, *, theme: str = "vally-dark", scene: str = "main") -> None:
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme
        self.scene = scene

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        yield TitleLine(id="title")
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield TrialsPane(id="trials")
                yield FilesPane(id="files")
            with Vertical(id="right"):
                yield GradersPane(id="graders")
                yield DiffPane(id="diff")
        yield FooterLine(id="footer")

    def on_mount(self) -> None:
        editing = self.scene == "edit"
        tallies = (Tally(F, 8), Tally(Q, 2), Tally(P, 14))
        place = (Word("✘ 1 of 8", Tone.FAIL, bold=True),)
        self._one(TitleLine).show(
            TitleView(
                "2026-11-28T09-14-03-112Z",
                tallies,
                24,
                spec="evals/eval.yaml",
                unsaved=int(editing),
                place=place if self.size.width <= 60 else (),
            )
        )
        self._one(FooterLine).show(FooterView(HINTS))
        self._show_left(editing)
        self._show_right(editing)
        self._one(GradersPane if editing else TrialsPane).focus()

    def _one(self, kind: type[_W]) -> _W:
        return self.query_one(kind)

    def _show_left(self, editing: bool) -> None:
        trials, files = self._one(TrialsPane), self._one(FilesPane)
        right = (Note("1/24", Tone.MUTED),) if self.size.width < 100 else ()
        trials.show_title(PaneTitleView("Trials", (Note("8 of 24 failed", Tone.MUTED),), right))
        rows = FLIPPED if editing else TRIALS
        trials.list.show(len(rows), rows.__getitem__, TrialColumns(), cursor=1)
        files.show_title(PaneTitleView("Files", (Note("4", Tone.MUTED), Note("+23 −9", Tone.MUTED))))
        files.list.show(len(FILES), FILES.__getitem__)

    def _show_right(self, editing: bool) -> None:
        graders, diff = self._one(GradersPane), self._one(DiffPane)
        notes = (Note("fix-divide-by-zero", rank=2), Note("trial 1", rank=0), Note("opus-4.5", rank=1))
        right = Note("editing", Tone.EDIT, 0) if editing else Note("1 of 5 failed", Tone.FAIL, 0)
        graders.show_title(PaneTitleView("Graders", notes, (right,)))
        graders.list.show((EDITED, *GRADERS[1:]) if editing else GRADERS, cursor=0)
        if self.scene == "empty":
            diff.show_title(
                PaneTitleView("Diff", (Note("turn 1"), Note("no evidence", Tone.WARN, joint="  ")), tabs=TABS)
            )
            diff.view.show_empty(EMPTY)
            return
        path, hunk, match = (
            Note("src/calc.py", rank=0, path=True),
            Note("hunk 1/2", Tone.MUTED, 2, "  "),
            Note("match 1/1" if editing else "near 1/1", Tone.MUTED, 1),
        )
        diff.show_title(PaneTitleView("Diff", (path, hunk, match), tabs=TABS))
        diff.view.show(DiffIndex.build(DIFF), EDIT_LAYERS if editing else LAYERS)
        diff.view.go_offset(DIFF.index(NEAR))

    def action_to_focused(self, name: str) -> None:
        action = getattr(self.focused, f"action_{name}", None)
        if action is not None:
            action()

    def action_wrap(self) -> None:
        self._one(DiffPane).view.toggle_wrap()

    def action_fold(self) -> None:
        self._one(DiffPane).view.toggle_folded()

    def action_next_theme(self) -> None:
        names = ["vally-dark", "vally-light", "ansi-dark", "nord"]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]


async def _shoot(app: DemoApp, size: tuple[int, int], keys: list[str], target: Path) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        target.write_text(app.export_screenshot(title="vally-tui"), encoding="utf8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shot", type=Path)
    parser.add_argument("--size", default="120x36")
    parser.add_argument("--theme", default="vally-dark")
    parser.add_argument("--scene", default="main", choices=["main", "edit", "empty"])
    parser.add_argument("--keys", default="")
    given = parser.parse_args()
    app = DemoApp(theme=given.theme, scene=given.scene)
    if given.shot is None:
        app.run()
        return
    width, height = map(int, given.size.split("x"))
    asyncio.run(_shoot(app, (width, height), given.keys.split(), given.shot))


if __name__ == "__main__":
    main()
