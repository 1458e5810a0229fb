"""The header lines of a file in a diff: which lines belong to it, and what they say of names, kind and modes.

Owns the reading of names (quotes, prefixes, time stamps) and the order in which sources are trusted: rename and copy
lines, then ``---``/``+++``, then the ``diff --git`` line. Refuses to look at hunk bodies.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct, field

from vally_tui.diffs.model import FileKind
from vally_tui.diffs.names import NULL, Name, pair_of_git_line, pair_of_words, parse_name, strip_prefixes, unquote

_MODE = re.compile(r"[0-7]{5,6}")
_INDEX_MODE = re.compile(r"[0-9a-f,.]+ ([0-7]{5,6})")
_LINE = re.compile(
    r"(---|\+\+\+|index|(?:old|new|new file|deleted file) mode|mode|(?:rename|copy) (?:from|to)|rename (?:old|new)"
    r"|(?:dis)?similarity index|Binary files) ([^\n]*)(?:\n|\Z)"
)
_USUAL = re.compile(
    r"diff --git [^\n]*\nindex [0-9a-f]+\.\.[0-9a-f]+(?: ([0-7]{5,6}))?\n"
    r"--- a/([^\n\r\t\"]++)\n\+\+\+ b/([^\n\r\t\"]++)\n(?=@@)"
)
USUAL_ROWS = 4
_OLD_SPELLING = {"rename old": "rename from", "rename new": "rename to"}
_BLANKS = re.compile(r"(?:\r?\n){1,3}(?=@@)")
_BINARY = re.compile(r"Binary files (.*) differ")
_BINARY_HG = re.compile(r"Binary file (.*) has changed")


class HeaderLines(Struct):
    """The raw lines of one header, each without its word, its line end and one CR."""

    opener: str
    """The first line whole; empty for a header that begins with ``---``."""
    end: int
    """Offset behind the header."""
    rows: int
    words: dict[str, str] = field(default_factory=dict)
    """What stands behind each word; the first time counts."""
    old: Name | None = None
    """The name behind ``--- ``."""
    new: Name | None = None
    """The name behind ``+++ ``."""
    binary: bool = False


class HeaderFacts(NamedTuple):
    """What a header says of its file."""

    kind: FileKind
    path: str | None
    old_path: str | None
    """None where it equals ``path`` or is unknown."""
    old_mode: str | None = None
    new_mode: str | None = None
    binary: bool = False


def usual_header(text: str, start: int) -> tuple[int, HeaderFacts] | None:
    """End and facts of a header in git's usual form, at a glance: index line, ``--- a/…``, ``+++ b/…``, then a hunk.

    It has ``USUAL_ROWS`` rows. None for any other; ``read_header`` and ``facts`` say the same of this one, only later.
    """
    found = _USUAL.match(text, start)
    if found is None:
        return None
    mode, old, new = found.groups()
    return found.end(), HeaderFacts(FileKind.MODIFIED, new, None if old == new else old, mode, mode)


def read_header(text: str, start: int) -> HeaderLines:
    """The header lines that begin at offset ``start``, which is a ``diff …`` or a ``--- `` line."""
    if text.startswith("--- ", start):
        lines = HeaderLines("", start, 0)
    else:
        end = text.find("\n", start)
        end, after = (end, end + 1) if end >= 0 else (len(text), len(text))
        lines = HeaderLines(text[start:end].removesuffix("\r"), after, 1)
    while (found := _LINE.match(text, lines.end)) and _belongs(text, found, lines):
        lines.end = found.end()
        lines.rows += 1
    if lines.new is not None and (blanks := _BLANKS.match(text, lines.end)):
        lines.end = blanks.end()
        lines.rows += blanks[0].count("\n")
    return lines


def _belongs(text: str, found: re.Match[str], lines: HeaderLines) -> bool:
    """Keep what a line says; False when it does not belong to this header."""
    word, said = found[1], found[2].removesuffix("\r")
    if word == "---":
        ends = found.end()
        if lines.old or lines.binary or not (text.startswith("+++ ", ends) or ends == len(text)):
            return False
        lines.old = parse_name(said)
    elif word == "+++":
        if lines.old is None or lines.new:
            return False
        lines.new = parse_name(said)
    elif lines.old or not lines.opener:
        return False
    elif word == "Binary files":
        lines.binary = True
    else:
        lines.words.setdefault(_OLD_SPELLING.get(word, word), said)
    return True


def facts(lines: HeaderLines, first_hunk: tuple[int, int, int, int] | None) -> HeaderFacts:
    """What the header says. ``first_hunk``: old start and count, new start and count of the first hunk, if there is one."""
    if lines.opener.startswith(("diff --cc ", "diff --combined ")):
        return _combined(lines)
    if not lines.opener:
        return _plain(lines, first_hunk)
    return _git(lines, first_hunk is not None)


def _combined(lines: HeaderLines) -> HeaderFacts:
    path = unquote(lines.opener.split(" ", 2)[2])
    modes = lines.words.get("mode", "").rpartition("..")[2]
    return HeaderFacts(FileKind.COMBINED, path, None, None, _mode(modes), lines.binary)


def _plain(lines: HeaderLines, first_hunk: tuple[int, int, int, int] | None) -> HeaderFacts:
    old, new = lines.old or Name(""), lines.new or Name("")
    old_null, new_null = old.path == NULL, new.path == NULL
    if first_hunk is not None:
        # GNU diff -N names a missing file with the time 0; a real file may have that time too, but not an empty side.
        old_null = old_null or (old.epoch and first_hunk[:2] == (0, 0))
        new_null = new_null or (new.epoch and first_hunk[2:] == (0, 0))
    old_path, new_path = strip_prefixes(old.path, new.path, git=False)
    if old_null and not new_null:
        return HeaderFacts(FileKind.ADDED, new_path, None)
    if new_null and not old_null:
        return HeaderFacts(FileKind.DELETED, old_path, None)
    return HeaderFacts(FileKind.MODIFIED, new_path, old_path if old_path != new_path else None)


def _git(lines: HeaderLines, has_hunks: bool) -> HeaderFacts:
    old_mode, new_mode = _modes(lines.words)
    kind = _git_kind(lines)
    if kind is FileKind.MODIFIED and "new mode" in lines.words and not has_hunks and not lines.binary:
        kind = FileKind.MODE
    old, new = _git_paths(lines)
    if kind is FileKind.DELETED:
        return HeaderFacts(kind, old, None, old_mode, new_mode, lines.binary)
    other = None if kind is FileKind.ADDED or old == new else old
    return HeaderFacts(kind, new, other, old_mode, new_mode, lines.binary)


def _git_kind(lines: HeaderLines) -> FileKind:
    words = lines.words
    if "new file mode" in words or _is_null(lines.old):
        return FileKind.ADDED
    if "deleted file mode" in words or _is_null(lines.new):
        return FileKind.DELETED
    if "rename from" in words or "rename to" in words:
        return FileKind.RENAMED
    return FileKind.COPIED if "copy from" in words or "copy to" in words else FileKind.MODIFIED


def _is_null(name: Name | None) -> bool:
    return name is not None and name.path == NULL


def _git_paths(lines: HeaderLines) -> tuple[str | None, str | None]:
    """Old and new path, by the order of trust."""
    for word in ("rename", "copy"):
        source, target = lines.words.get(f"{word} from"), lines.words.get(f"{word} to")
        if source is not None and target is not None:
            return unquote(source), unquote(target)
    old, new = lines.old, lines.new
    if old is not None and new is not None and NULL not in (old.path, new.path):
        return strip_prefixes(old.path, new.path, git=True)
    pair = pair_of_git_line(lines.opener.removeprefix("diff --git "))
    if pair is not None:
        return strip_prefixes(*pair, git=True)
    return _lone_path(old, new)


def _lone_path(old: Name | None, new: Name | None) -> tuple[str | None, str | None]:
    """The path when only one side is named and the ``diff --git`` line cannot be divided."""
    if new is not None and new.path != NULL:
        path = strip_prefixes(NULL, new.path, git=True)[1]
    elif old is not None and old.path != NULL:
        path = strip_prefixes(old.path, NULL, git=True)[0]
    else:
        return None, None
    return path, path


def _modes(words: dict[str, str]) -> tuple[str | None, str | None]:
    """Old and new mode as far as the header tells them."""
    if "new file mode" in words:
        return None, _mode(words["new file mode"])
    if "deleted file mode" in words:
        return _mode(words["deleted file mode"]), None
    if "old mode" in words or "new mode" in words:
        return _mode(words.get("old mode", "")), _mode(words.get("new mode", ""))
    both = _INDEX_MODE.fullmatch(words.get("index", ""))
    return (both[1], both[1]) if both else (None, None)


def _mode(raw: str) -> str | None:
    return raw if _MODE.fullmatch(raw) else None


def binary_entry(line: str) -> HeaderFacts | None:
    """A line that alone states a binary difference (GNU diff, Mercurial); None if ``line`` is none."""
    gnu = _BINARY.fullmatch(line)
    if gnu is None:
        hg = _BINARY_HG.fullmatch(line)
        return HeaderFacts(FileKind.MODIFIED, unquote(hg[1]), None, binary=True) if hg else None
    if " and " not in gnu[1]:
        return None
    pair = pair_of_words(gnu[1], " and ")
    if pair is None:
        return HeaderFacts(FileKind.MODIFIED, None, None, binary=True)
    old, new = strip_prefixes(*pair, git=False)
    if pair[0] == NULL:
        return HeaderFacts(FileKind.ADDED, new, None, binary=True)
    if pair[1] == NULL:
        return HeaderFacts(FileKind.DELETED, old, None, binary=True)
    return HeaderFacts(FileKind.MODIFIED, new, old if old != new else None, binary=True)


_SUBMODULE = re.compile(r"Submodule (.+?) (?:[0-9a-f]{4,64}\.{2,3}[0-9a-f]{4,64}(?:[ :(].*)?|contains .*)")


def submodule_entry(line: str) -> HeaderFacts | None:
    """The line ``Submodule PATH a...b`` of ``git diff --submodule``; None if ``line`` is none."""
    found = _SUBMODULE.fullmatch(line)
    return HeaderFacts(FileKind.SUBMODULE, found[1], None) if found else None


def unmerged_entry(line: str) -> HeaderFacts | None:
    """The line ``* Unmerged path P``; None if ``line`` is none."""
    prefix = "* Unmerged path "
    return HeaderFacts(FileKind.UNMERGED, unquote(line[len(prefix) :]), None) if line.startswith(prefix) else None
