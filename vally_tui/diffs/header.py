"""The header lines of a file in a diff: which lines belong to it, and what they say of names, kind and modes.

Owns the reading of names (quotes, prefixes, time stamps) and the order in which sources are trusted: rename and copy
lines, then ``---``/``+++``, then the ``diff --git`` line. Refuses to look at hunk bodies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vally_tui.diffs.model import FileKind
from vally_tui.diffs.names import NULL, Name, pair_of_git_line, pair_of_words, parse_name, strip_prefixes, unquote

_MODE = re.compile(r"[0-7]{5,6}")
_INDEX_MODE = re.compile(r"[0-9a-f,.]+ ([0-7]{5,6})")
_WORDS = (
    "index ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "mode ",
    "rename from ",
    "rename to ",
    "rename old ",
    "rename new ",
    "copy from ",
    "copy to ",
    "similarity index ",
    "dissimilarity index ",
)
_ALSO = {"rename old ": "rename from ", "rename new ": "rename to "}
_BINARY = re.compile(r"Binary files (.*) differ")
_BINARY_HG = re.compile(r"Binary file (.*) has changed")
_BLANKS_BEFORE_HUNK = 3
_FIRST_WORDS = frozenset(word.split(" ", 1)[0] for word in _WORDS) | {"---", "+++", "Binary"}


@dataclass(slots=True)
class HeaderLines:
    """The raw lines of one header, each without its word, its line end and one CR."""

    opener: str
    """The first line whole; empty for a header that begins with ``---``."""
    end: int
    """Offset behind the header."""
    rows: int
    words: dict[str, str] = field(default_factory=dict)
    old: str | None = None
    """What stands behind ``--- ``."""
    new: str | None = None
    """What stands behind ``+++ ``."""
    binary: bool = False


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What a header says of its file."""

    kind: FileKind
    path: str | None
    old_path: str | None
    """None where it equals ``path`` or is unknown."""
    old_mode: str | None = None
    new_mode: str | None = None
    binary: bool = False


def read_header(text: str, start: int) -> HeaderLines:
    """The header lines that begin at offset ``start``, which is a ``diff …`` or a ``--- `` line."""
    plain = text.startswith("--- ", start)
    if plain:
        lines = HeaderLines("", start, 0)
    else:
        opener, after = _line(text, start)
        lines = HeaderLines(opener, after, 1)
    while lines.end < len(text) and _take(text, lines):
        pass
    _take_blanks_before_hunk(text, lines)
    return lines


def _line(text: str, start: int) -> tuple[str, int]:
    """The line at ``start`` without its line end and one CR, and the offset of the next line."""
    end = text.find("\n", start)
    if end < 0:
        end = after = len(text)
    else:
        after = end + 1
    return text[start:end].removesuffix("\r"), after


def _take(text: str, lines: HeaderLines) -> bool:
    """Move over the next line if it continues the header."""
    if text[lines.end] in "@\n":
        return False
    line, after = _line(text, lines.end)
    if line.split(" ", 1)[0] not in _FIRST_WORDS or not _note(text, after, line, lines):
        return False
    lines.end = after
    lines.rows += 1
    return True


def _note(text: str, after: int, line: str, lines: HeaderLines) -> bool:
    """Keep what ``line`` says; False when it does not belong to this header."""
    if line.startswith("--- "):
        return _note_old(text, after, line[4:], lines)
    if line.startswith("+++ "):
        if lines.old is None or lines.new is not None:
            return False
        lines.new = line[4:]
        return True
    if not lines.opener or lines.new is not None:
        return False
    if line.startswith("Binary files "):
        lines.binary = True
        return True
    word = next((word for word in _WORDS if line.startswith(word)), None)
    if word is not None:
        lines.words.setdefault(_ALSO.get(word, word), line[len(word) :])
    return word is not None


def _note_old(text: str, after: int, name: str, lines: HeaderLines) -> bool:
    if lines.old is not None or lines.binary or not (text.startswith("+++ ", after) or after >= len(text)):
        return False
    lines.old = name
    return True


def _take_blanks_before_hunk(text: str, lines: HeaderLines) -> None:
    """Blank lines between ``+++`` and ``@@`` belong to the header."""
    if lines.new is None:
        return
    position = lines.end
    for blanks in range(_BLANKS_BEFORE_HUNK + 1):
        if text.startswith("@@", position):
            lines.end = position
            lines.rows += blanks
            return
        if text.startswith("\n", position):
            position += 1
        elif text.startswith("\r\n", position):
            position += 2
        else:
            return


def facts(lines: HeaderLines, first_hunk: tuple[int, int, int, int] | None) -> HeaderFacts:
    """What the header says. ``first_hunk``: old start and count, new start and count of the first hunk, if there is one."""
    if lines.opener.startswith(("diff --cc ", "diff --combined ")):
        return _combined(lines)
    if not lines.opener:
        return _plain(lines, first_hunk)
    return _git(lines, first_hunk is not None)


def _combined(lines: HeaderLines) -> HeaderFacts:
    path = unquote(lines.opener.split(" ", 2)[2])
    modes = lines.words.get("mode ", "").rpartition("..")[2]
    return HeaderFacts(FileKind.COMBINED, path, None, None, _mode(modes), lines.binary)


def _plain(lines: HeaderLines, first_hunk: tuple[int, int, int, int] | None) -> HeaderFacts:
    old, new = parse_name(lines.old or ""), parse_name(lines.new or "")
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
    words = lines.words
    old_mode, new_mode = _modes(words)
    kind = _git_kind(lines, old_mode, new_mode, has_hunks)
    old, new = _git_paths(lines)
    path = old if kind is FileKind.DELETED else new
    other = None if kind in (FileKind.ADDED, FileKind.DELETED) or old == path else old
    return HeaderFacts(kind, path, other, old_mode, new_mode, lines.binary)


def _git_kind(lines: HeaderLines, old_mode: str | None, new_mode: str | None, has_hunks: bool) -> FileKind:
    words = lines.words
    if "new file mode " in words or _is_null(lines.old):
        return FileKind.ADDED
    if "deleted file mode " in words or _is_null(lines.new):
        return FileKind.DELETED
    if "rename from " in words or "rename to " in words:
        return FileKind.RENAMED
    if "copy from " in words or "copy to " in words:
        return FileKind.COPIED
    only_mode = "new mode " in words and not has_hunks and not lines.binary
    return FileKind.MODE if only_mode and old_mode != new_mode else FileKind.MODIFIED


def _is_null(field_text: str | None) -> bool:
    return field_text is not None and parse_name(field_text).path == NULL


def _git_paths(lines: HeaderLines) -> tuple[str | None, str | None]:
    """Old and new path, by the order of trust."""
    for word in ("rename", "copy"):
        source, target = lines.words.get(f"{word} from "), lines.words.get(f"{word} to ")
        if source is not None and target is not None:
            return unquote(source), unquote(target)
    old, new = _field(lines.old), _field(lines.new)
    if old is not None and new is not None and NULL not in (old.path, new.path):
        return strip_prefixes(old.path, new.path, git=True)
    pair = pair_of_git_line(lines.opener.removeprefix("diff --git "))
    if pair is not None:
        return strip_prefixes(*pair, git=True)
    return _lone_path(old, new)


def _field(raw: str | None) -> Name | None:
    return None if raw is None else parse_name(raw)


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
    if "new file mode " in words:
        return None, _mode(words["new file mode "])
    if "deleted file mode " in words:
        return _mode(words["deleted file mode "]), None
    if "old mode " in words or "new mode " in words:
        return _mode(words.get("old mode ", "")), _mode(words.get("new mode ", ""))
    both = _INDEX_MODE.fullmatch(words.get("index ", ""))
    return (both[1], both[1]) if both else (None, None)


def _mode(raw: str) -> str | None:
    return raw if _MODE.fullmatch(raw) else None


def binary_entry(line: str) -> HeaderFacts | None:
    """A line that alone states a binary difference (GNU diff, Mercurial); None if ``line`` is none."""
    gnu = _BINARY.fullmatch(line)
    if gnu is None:
        hg = _BINARY_HG.fullmatch(line)
        return HeaderFacts(FileKind.MODIFIED, unquote(hg[1]), None, binary=True) if hg else None
    pair = pair_of_words(gnu[1], " and ")
    if pair is None:
        return None
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
