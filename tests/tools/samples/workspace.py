"""Real git workspaces: a fixture is committed, an agent's actions are done, and git says what changed.

Owns running git in a way that no configuration of the machine can alter. Knows nothing of Vally's formats.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

# Every setting that shapes `git diff` is given here, so that the text is the same on every machine.
_SETTINGS = {
    "core.abbrev": "7",
    "core.autocrlf": "false",
    "core.compression": "0",  # binary patches hold deflated bytes, and libraries differ in how they deflate
    "core.fileMode": "true",
    "core.quotePath": "true",
    "core.safecrlf": "false",
    "core.symlinks": "true",
    "commit.gpgSign": "false",
    "diff.algorithm": "myers",
    "diff.context": "3",
    "diff.indentHeuristic": "true",
    "diff.interHunkContext": "0",
    "diff.mnemonicPrefix": "false",
    "diff.noprefix": "false",
    "diff.renames": "true",
    "diff.suppressBlankEmpty": "false",
    "gc.auto": "0",
    "init.defaultBranch": "main",
    "merge.conflictStyle": "merge",
}
_IDENTITY = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (
        ("NAME", "Eval Fixture"),
        ("EMAIL", "fixture@example.invalid"),
        ("DATE", "2026-01-05T09:00:00Z"),
    )
}


class Workspace:
    """A git repository in a temporary directory; paths are relative to it and have ``/``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._git("init", "--quiet", "--template=")

    def write(self, path: str, text: str | bytes) -> None:
        """Write a file, with its folders; the text goes in as UTF-8, its line ends untouched."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace the one place where ``old`` stands in a file; anything but one place is a mistake of the sample."""
        text = (self.root / path).read_bytes().decode()
        if text.count(old) != 1:
            raise ValueError(f"{path}: {old!r} is there {text.count(old)} times, not once")
        self.write(path, text.replace(old, new))

    def move(self, old: str, new: str) -> None:
        """Rename a file."""
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    def delete(self, path: str) -> None:
        """Remove a file."""
        (self.root / path).unlink()

    def make_executable(self, path: str) -> None:
        """Set the mode that git records as 100755."""
        (self.root / path).chmod(0o755)

    def link(self, path: str, target: str) -> None:
        """Make a symbolic link."""
        (self.root / path).symlink_to(target)

    def commit(self) -> None:
        """Commit everything as it is."""
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message", "fixture")

    def diff(self, since: str = "HEAD", *options: str) -> str:
        """What changed since a commit, as text with its line ends; see ``diff_bytes``."""
        return self.diff_bytes(since, *options).decode("utf-8", "replace")

    def diff_bytes(self, since: str = "HEAD", *options: str) -> bytes:
        """What git prints of the changes since a commit, new files included and ignored files left out."""
        self._git("add", "--all")
        return self._git("diff", "--no-color", "--no-ext-diff", "--abbrev=7", *options, "--cached", since)

    def conflict(self, ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
        """The combined diff of a merge that both sides made impossible."""
        self._git("checkout", "--quiet", "-b", "theirs")
        self._change(theirs)
        self._git("checkout", "--quiet", "-b", "ours", "main")
        self._change(ours)
        self._git("merge", "--quiet", "--no-edit", "theirs", may_fail=True)
        return self._git("diff", "--no-color", "--no-ext-diff", "--abbrev=7").decode("utf-8", "replace")

    def _change(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            self.write(path, text)
        self.commit()

    def _git(self, *arguments: str, may_fail: bool = False) -> bytes:
        settings = [word for key, value in _SETTINGS.items() for word in ("-c", f"{key}={value}")]
        done = subprocess.run(
            ["git", *settings, *arguments], cwd=self.root, env=self._environment(), capture_output=True, check=False
        )
        if done.returncode and not may_fail:
            raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace').strip()}")
        return done.stdout

    def _environment(self) -> dict[str, str]:
        return _IDENTITY | {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.root),
            "LC_ALL": "C",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
        }


@contextmanager
def workspace(files: Mapping[str, str | bytes]) -> Iterator[Workspace]:
    """A workspace with these files committed; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="sample-run-") as folder:
        made = Workspace(Path(folder))
        for path, text in files.items():
            made.write(path, text)
        made.commit()
        yield made
