"""How the files of a diff read: as text for people, and as JSON objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vally_tui.cli.output import JsonObject, Output, Tone, inert
from vally_tui.cli.wrapping import cells, padded
from vally_tui.diffs.model import FileDiff
from vally_tui.runs.model import LoadIssue
from vally_tui.triage.file_lists import FileList, FilesStep, TrialFiles

_KIND_CELLS = 10
_PATH_CELLS = 48


def file_objects(trial: TrialFiles) -> Iterator[JsonObject]:
    """An object for each diff and file of a trial; all keys are always there."""
    for own in trial.lists:
        for file in own.files:
            yield {
                "itemId": trial.trial.item_id,
                "stimulus": trial.trial.stimulus,
                "trialIndex": trial.trial.trial_index,
                "turn": own.turn,
                "path": file.path,
                "oldPath": file.old_path,
                "kind": file.kind.value if file.kind is not None else None,
                "added": file.added,
                "removed": file.removed,
                "hunks": len(file.hunks),
                "binary": file.binary,
                "notice": file.notice,
            }


class FilesText:
    """Prints trial after trial what its diffs change."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._run: object = None

    def issue(self, issue: LoadIssue) -> None:
        """Issues are on standard error."""

    def step(self, step: FilesStep, shown: Sequence[TrialFiles]) -> None:
        """Print these trials."""
        if step.source is not self._run:
            self._run = step.source
            self._out.line(self._out.toned(inert(step.source.name), Tone.STRONG))
            self._out.line(self._out.toned(inert(step.source.shown), Tone.MUTED))
            self._out.line()
        for trial in shown:
            self._print_trial(trial)

    def end(self) -> None:
        """Everything is printed."""

    def _print_trial(self, trial: TrialFiles) -> None:
        own = trial.trial
        index = f"trial {own.trial_index}" if own.trial_index is not None else None
        words = [own.stimulus or "(no stimulus)", index, own.model]
        self._out.line(self._out.toned("  ".join(inert(word) for word in words if word), Tone.STRONG))
        for diff in trial.lists:
            self._print_diff(diff, named=len(trial.lists) > 1)
        self._out.line()

    def _print_diff(self, diff: FileList, *, named: bool) -> None:
        if named:
            self._out.line("  whole run" if diff.turn is None else f"  turn {diff.turn}")
        indent = "    " if named else "  "
        said = diff.absent.message if diff.absent is not None else diff.notice
        if said is not None:
            self._out.line(f"{indent}{inert(said)}")
        elif not diff.files:
            self._out.line(f"{indent}nothing was changed")
        width = min(_PATH_CELLS, max((cells(_path(file)) for file in diff.files), default=0))
        for file in diff.files:
            self._print_file(file, indent, width)

    def _print_file(self, file: FileDiff, indent: str, width: int) -> None:
        kind = padded(file.kind.value if file.kind is not None else "", _KIND_CELLS)
        plus, minus = f"+{file.added}".rjust(6), f"−{file.removed}".rjust(6)
        counts = "  binary" if file.binary else self._out.toned(plus, Tone.PASS) + self._out.toned(minus, Tone.FAIL)
        self._out.line(f"{indent}{kind} {padded(_path(file), width)} {counts}")
        if file.notice:
            self._out.line(self._out.toned(f"{indent}  ▲ {inert(file.notice)}", Tone.WARN))


def _path(file: FileDiff) -> str:
    new = inert(file.path) if file.path is not None else "(no path)"
    return new if file.old_path is None else f"{inert(file.old_path)} → {new}"
