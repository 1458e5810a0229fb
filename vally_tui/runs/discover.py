"""Which results files the RUN arguments mean. Reads folders and standard input, and no file beyond its first record.

Below a folder every ``results.jsonl`` is a run, but those in session logs and in folders of tools, which hold copies of
what the agent worked on. Links to folders are not followed; what is passed over for that is an issue.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.errors import RunUnreadable, UsageError
from vally_tui.runs.files import Refusal, not_regular, open_regular, refusal
from vally_tui.runs.model import IssueKind, LoadIssue, RunSource
from vally_tui.runs.peek import may_hold_records
from vally_tui.runs.words import shown_path

RESULTS = "results.jsonl"
STDIN = "-"
STDIN_NAME = "standard input"
MOST_FOLDERS = 100_000
"""Folders that are looked into below one RUN."""
_PASSED_OVER = frozenset({"executor-session-logs", "node_modules", ".git"})
_SPEC_SUFFIXES = (".yaml", ".yml")
_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}(?:-[0-9]+)?Z?", re.ASCII)


class Discovery(Struct, frozen=True):
    """What the RUN arguments mean; ``close`` it when no record is read any more."""

    sources: tuple[RunSource, ...]
    """Each results file once, in the order of the arguments, below a folder by path."""
    issues: tuple[LoadIssue, ...]
    """What was passed over."""
    errors: tuple[RunUnreadable | UsageError, ...]
    """One for each RUN that gives nothing; the others can be read all the same."""
    spool: tempfile.TemporaryDirectory[str] | None = None
    """The private folder that holds what came on standard input."""

    def close(self) -> None:
        """Delete what came on standard input."""
        if self.spool is not None:
            self.spool.cleanup()


def discover(paths: Sequence[str], run_dir: str | None = None, stdin: BinaryIO | None = None) -> Discovery:
    """The runs that ``paths`` mean: run directories, experiments, parents of runs, JSONL files, and ``-``.

    ``run_dir`` is the folder of sidecars instead of the run's own; it can serve one run only. ``stdin`` is read to its end
    where ``-`` is among the paths. Never raises for what is or is not on the disk.
    """
    if run_dir is not None and not os.path.isdir(run_dir):
        message = f"{shown_path(run_dir)} is no directory: --run-dir names the folder that holds the recorded sidecars"
        return Discovery((), (), (UsageError(message),))
    search = _Search(run_dir, stdin)
    for path in paths:
        search.add(path)
    return search.finished()


def newest_run_below(base: Path) -> Path | None:
    """The newest run directory or experiment below a folder, by the time in its name, else the time of its results."""
    search = _Search(None, None)
    found = [(_age(base, results), _run_root(base, results)) for results in search.below(str(base))]
    return max(found)[1] if found else None


class _Search:
    def __init__(self, run_dir: str | None, stdin: BinaryIO | None) -> None:
        self._run_dir = run_dir
        self._stdin = stdin
        self._sources: list[RunSource] = []
        self._seen: set[tuple[int, int]] = set()
        self._issues: list[LoadIssue] = []
        self._errors: list[RunUnreadable | UsageError] = []
        self._spool: tempfile.TemporaryDirectory[str] | None = None

    def finished(self) -> Discovery:
        named = _named(self._sources)
        return Discovery(named, tuple(self._issues), tuple(self._errors), self._spool)

    def add(self, path: str) -> None:
        """Find the runs of one RUN argument."""
        try:
            found = self._runs_of(path)
        except (RunUnreadable, UsageError) as error:
            self._errors.append(error)
            return
        for source in found:
            self._take(source)

    def _runs_of(self, path: str) -> list[RunSource]:
        if path == STDIN:
            return [self._spooled()]
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            raise RunUnreadable(_cannot(path, refusal(error).why)) from error
        why = not_regular(mode)
        if why is None:
            return [self._file(path)]
        if not why.startswith("is a directory"):
            raise RunUnreadable(_cannot(path, f"{why}; pipe its records to standard input and give - instead"))
        results = list(self.below(path))
        if not results:
            raise RunUnreadable(
                f"{shown_path(path)} holds no {RESULTS}: give a run directory, a folder of runs or a JSONL file"
            )
        if self._run_dir is not None and len(results) > 1:
            raise UsageError(
                f"{shown_path(path)} holds {len(results)} runs, but --run-dir serves one only: give that run"
            )
        return [self._file(result) for result in results]

    def _file(self, path: str) -> RunSource:
        if path.endswith(_SPEC_SUFFIXES):
            raise RunUnreadable(f"{shown_path(path)} is a spec, not a run: pass it with --eval-spec")
        results = Path(path)
        variant, experiment = _variant(results)
        folder = Path(self._run_dir) if self._run_dir is not None else results.parent
        return RunSource(results, folder, "", path, variant, experiment)

    def _spooled(self) -> RunSource:
        """Standard input as a file, so that records can be read again at their places."""
        if self._spool is not None:
            raise RunUnreadable("standard input was given twice: give - once")
        if self._stdin is None:
            raise RunUnreadable("standard input is closed: pipe the records to it, or give a path")
        self._spool = tempfile.TemporaryDirectory(prefix="vally-tui-")
        results = Path(self._spool.name, RESULTS)
        try:
            with results.open("xb") as file:
                shutil.copyfileobj(self._stdin, file, 1 << 20)
        except OSError as error:
            raise RunUnreadable(f"standard input cannot be kept in {results.parent}: {error.strerror}") from error
        folder = Path(self._run_dir) if self._run_dir is not None else results.parent
        return RunSource(results, folder, "", STDIN_NAME, from_stdin=True)

    def _take(self, source: RunSource) -> None:
        file = open_regular(source.results)
        if isinstance(file, Refusal):
            self._errors.append(RunUnreadable(_cannot(source.shown, file.why)))
            return
        with file:
            status = os.fstat(file.fileno())
            why = _no_results(file)
        if why is not None:
            self._errors.append(RunUnreadable(_cannot(source.shown, why)))
            return
        identity = (status.st_dev, status.st_ino)
        if identity in self._seen:
            self._pass_over(source.shown, "was found before and is read once")
            return
        self._seen.add(identity)
        self._sources.append(source)

    def below(self, base: str) -> Iterator[str]:
        """The paths of all results files below a folder: its own first, then by path; no folder is entered twice."""
        pending, looked_into = [base], 0
        while pending:
            folder = pending.pop()
            looked_into += 1
            if looked_into > MOST_FOLDERS:
                self._pass_over(
                    base, f"has more than {MOST_FOLDERS} folders; not all were looked into: give a deeper one"
                )
                return
            folders = []
            for entry in self._entries(folder):
                if entry.name == RESULTS and self._is_run(entry.path, base, direct=folder == base):
                    yield entry.path
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry)
                elif entry.is_symlink():
                    self._look_at_link(entry.path, base)
            pending.extend(entry.path for entry in reversed(folders) if entry.name not in _PASSED_OVER)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._pass_over(folder, refusal(error).why)
            return []

    def _is_run(self, path: str, base: str, *, direct: bool) -> bool:
        try:
            why = not_regular(os.stat(path).st_mode)
        except OSError as error:
            why = refusal(error).why
        if why is None and not direct and not _resolves_below(path, base):
            why = "is a link to a file elsewhere: give that file as a RUN"
        if why is not None:
            self._pass_over(path, why)
        return why is None

    def _look_at_link(self, path: str, base: str) -> None:
        """Say that a linked folder was passed over, where it holds a run that is not found otherwise."""
        if os.path.isfile(os.path.join(path, RESULTS)) and not _resolves_below(path, base):
            self._pass_over(path, "is a link to a folder elsewhere: give that folder as a RUN")

    def _pass_over(self, path: str, why: str) -> None:
        self._issues.append(LoadIssue(IssueKind.SKIPPED_PATH, path, None, f"passed over, since it {why}"))


def _cannot(path: str, why: str) -> str:
    return f"{shown_path(path)} {why}"


def _no_results(file: BinaryIO) -> str | None:
    """Why a file is no results file; None for one that holds a record or has just begun."""
    try:
        if may_hold_records(file):
            return None
    except OSError as error:
        return refusal(error).why
    return "holds not one record: give a results file (JSON Lines), a run directory or a folder of runs"


def _resolves_below(path: str, base: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(base))


def _variant(results: Path) -> tuple[str | None, str | None]:
    """The variant and the experiment of a results file, where its folders look like an experiment's.

    An experiment's variants are folders in one with a time for a name; other tools nest them otherwise, but a name with
    ``=`` is a variant's.
    """
    parts = Path(os.path.abspath(results)).parent.parts
    if results.name != RESULTS or len(parts) < 2:
        return None, None
    parent, folder = parts[-2:]
    timed = _TIMESTAMP.fullmatch(parent) is not None and _TIMESTAMP.fullmatch(folder) is None
    return (folder, parent) if timed or "=" in folder else (None, None)


def _named(sources: Sequence[RunSource]) -> tuple[RunSource, ...]:
    """The sources with the shortest end of their path that tells them apart as their name."""
    paths = [_name_parts(source) for source in sources]
    names = ["/".join(parts) for parts in paths]
    for length in range(max(map(len, paths), default=0), 0, -1):
        ends = [parts[-length:] for parts in paths]
        counts = Counter(ends)
        once = {end for end in ends if counts[end] == 1}
        names = ["/".join(end) if end in once else name for end, name in zip(ends, names, strict=True)]
    return tuple(replace(source, name=name) for source, name in zip(sources, names, strict=True))


def _name_parts(source: RunSource) -> tuple[str, ...]:
    if source.from_stdin:
        return (STDIN_NAME,)
    path = Path(os.path.abspath(source.results))
    return path.parent.parts if path.name == RESULTS else path.parts


def _age(base: Path, results: str) -> str:
    """When a run began, in the form of a run directory's name, which sorts by time."""
    named = [part for part in Path(results).relative_to(base).parts if _TIMESTAMP.fullmatch(part)]
    if named:
        return named[-1]
    try:
        changed = os.stat(results).st_mtime
    except OSError:
        return ""
    return datetime.fromtimestamp(changed, UTC).strftime("%Y-%m-%dT%H-%M-%S")


def _run_root(base: Path, results: str) -> Path:
    folder = Path(results).parent
    while folder != base and not _TIMESTAMP.fullmatch(folder.name):
        folder = folder.parent
    return folder if folder != base else Path(results).parent
