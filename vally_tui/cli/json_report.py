"""Reports in JSON: an object a line, or one object with runs, trials and issues. Owns no trial's own keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from vally_tui.cli.output import JsonObject, JsonValue, Output, json_text
from vally_tui.runs.model import LoadIssue, RunSource

Item = TypeVar("Item")


class Part(Protocol):
    """What is told of a part of a run."""

    @property
    def source(self) -> RunSource:
        """The run."""
        ...

    @property
    def trials(self) -> Sequence[object]:
        """The trials in it that were asked for by stimulus and model."""
        ...

    @property
    def unknown_records(self) -> int:
        """Records of unknown type in it."""
        ...

    @property
    def last(self) -> bool:
        """Whether the run is read to its end."""
        ...

    @property
    def torn(self) -> bool:
        """Whether its last line is not finished yet."""
        ...


class JsonLines(Generic[Item]):
    """An object a line, in the order of the file, as soon as there is one."""

    def __init__(self, out: Output, objects_of: Callable[[Item], Iterable[JsonObject]]) -> None:
        """``objects_of`` gives the objects of one trial."""
        self._out = out
        self._objects_of = objects_of

    def issue(self, issue: LoadIssue) -> None:
        """Issues are on standard error only: standard output has nothing but these objects."""

    def step(self, step: Part, shown: Sequence[Item]) -> None:
        """Print these trials."""
        for trial in shown:
            for made in self._objects_of(trial):
                self._out.json_line(made)

    def end(self) -> None:
        """Everything is printed."""


class JsonDocument(Generic[Item]):
    """One object with runs, trials and issues, printed at the end."""

    def __init__(self, out: Output, objects_of: Callable[[Item], Iterable[JsonObject]]) -> None:
        """``objects_of`` gives the objects of one trial."""
        self._out = out
        self._objects_of = objects_of
        self._runs: list[JsonObject] = []
        self._trials: list[str] = []
        self._issues: list[JsonValue] = []
        self._source: RunSource | None = None

    def issue(self, issue: LoadIssue) -> None:
        """Keep an issue for the end."""
        self._issues.append(issue_object(issue))

    def step(self, step: Part, shown: Sequence[Item]) -> None:
        """Keep these trials for the end."""
        if step.source is not self._source:
            self._source = step.source
            self._runs.append(run_object(step.source))
        self._trials.extend(json_text(made) for trial in shown for made in self._objects_of(trial))
        self._runs[-1] |= _counted(self._runs[-1], step, len(shown))

    def end(self) -> None:
        """Print the object."""
        runs, issues = json_text(list(self._runs)), json_text(self._issues)
        self._out.write(f'{{"runs":{runs},"trials":[{",".join(self._trials)}],"issues":{issues}}}\n')


def source_object(source: RunSource) -> JsonObject:
    """Which run it is, for commands that do not count its trials."""
    return {
        "name": source.name,
        "path": source.shown,
        "variant": source.variant,
        "experiment": source.experiment,
    }


def run_object(source: RunSource) -> JsonObject:
    """What is known of a run before it is read."""
    return {
        **source_object(source),
        "trials": 0,
        "shown": 0,
        "unknownRecords": 0,
        "complete": False,
    }


def _counted(run: JsonObject, step: Part, shown: int) -> JsonObject:
    def more(key: str, number: int) -> int:
        before = run[key]
        assert isinstance(before, int)
        return before + number

    return {
        "trials": more("trials", len(step.trials)),
        "shown": more("shown", shown),
        "unknownRecords": more("unknownRecords", step.unknown_records),
        "complete": step.last and not step.torn,
    }


def issue_object(issue: LoadIssue) -> JsonObject:
    """What could not be read as it should be."""
    return {"kind": issue.kind.value, "file": issue.file or None, "line": issue.line, "message": issue.message}
