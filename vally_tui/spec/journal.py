"""Unsaved edits, kept on disk so that a crash or a lost terminal does not lose them. Knows no screen.

One private file (0600) for each key, outside runs and specs, replaced as a whole at each record. The text is ASCII
JSON, so that lone surrogates survive. A file that cannot be read is kept beside as ``.corrupt``, never deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import platformdirs
from msgspec import Struct
from msgspec.structs import fields

from vally_tui.errors import SaveRefused
from vally_tui.grading.model import UNSET
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RemoveKey,
    RenameKey,
    ReplaceGrader,
    SetKey,
    Sharing,
    SpecEdit,
)
from vally_tui.spec.model import GraderAddress

_VERSION = 1
_KINDS: dict[str, type[SpecEdit]] = {
    kind.__name__: kind for kind in (SetKey, RenameKey, RemoveKey, ReplaceGrader, AddGrader, RemoveGrader)
}


class Entry(Struct, frozen=True):
    """What was journalled under a key."""

    edits: tuple[SpecEdit, ...]
    digest: str | None
    """Digest of the spec's text that the edits were made for; None where there was no spec."""


class Journal:
    """The journal files in one directory, which is made when something is recorded first."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @classmethod
    def of_the_person(cls) -> Journal:
        """The journal in the person's state directory (``$XDG_STATE_HOME/vally-tui`` on Linux)."""
        return cls(Path(platformdirs.user_state_dir("vally-tui", appauthor=False)) / "journal")

    def record(self, key: str, edits: Sequence[SpecEdit], digest: str | None = None) -> None:
        """Keep these edits, instead of what was kept under the key; none clears it. Raises SaveRefused.

        ``key`` says what the edits belong to: the absolute path of a spec, or of a run without one.
        """
        if not edits:
            self.clear(key)
            return
        held = {"version": _VERSION, "key": key, "digest": digest, "edits": [_to_json(edit) for edit in edits]}
        path = self._path(key)
        try:
            data = json.dumps(held, ensure_ascii=True, indent=1).encode("ascii")
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            _replace_private(path, data)
        except (OSError, TypeError, ValueError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise SaveRefused(f"unsaved edits are not kept for a crash ({why}): {path} cannot be written") from error

    def pending(self, key: str) -> Entry | None:
        """The edits that were kept under a key and never saved; None where there are none. Never raises.

        What cannot be read is put aside as ``.corrupt`` and counts as none.
        """
        path = self._path(key)
        try:
            with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
                return _entry(json.loads(file.read()), key)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            with contextlib.suppress(OSError):
                os.replace(path, path.with_suffix(".corrupt"))
            return None

    def clear(self, key: str) -> None:
        """Forget what was kept under a key, after it was saved or taken back. Never raises."""
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def _path(self, key: str) -> Path:
        name = hashlib.sha256(key.encode("utf-8", "surrogatepass"))
        return self._directory / f"{name.hexdigest()[:32]}.json"


def _replace_private(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.stem}-{secrets.token_hex(4)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        # Also on ctrl+c: no half-written file stays behind.
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _to_json(edit: SpecEdit) -> dict[str, object]:
    written: dict[str, object] = {"edit": type(edit).__name__}
    for one in fields(edit):
        value = getattr(edit, one.name)
        if isinstance(value, GraderAddress):
            value = {part.name: getattr(value, part.name) for part in fields(value) if _is_set(value, part.name)}
        if value is not UNSET:
            written[one.name] = value
    return written


def _is_set(value: object, name: str) -> bool:
    return getattr(value, name) is not UNSET


def _entry(held: Mapping[str, Any], key: str) -> Entry:
    """Raises KeyError, TypeError, ValueError or AttributeError for what was not written by ``record``."""
    if held["version"] != _VERSION or held["key"] != key:
        raise ValueError("another version, or another key")
    digest = held["digest"]
    if not isinstance(digest, str | None):
        raise TypeError("the digest is no text")
    return Entry(tuple(_from_json(edit) for edit in held["edits"]), digest)


def _from_json(held: Mapping[str, Any]) -> SpecEdit:
    parts: dict[str, Any] = {name: value for name, value in held.items() if name != "edit"}
    if "grader" in parts:
        parts["grader"] = GraderAddress(**{"turn": UNSET, **_checked(parts["grader"])})
    if "key" in parts:
        parts["key"] = tuple(parts["key"])
        if not all(isinstance(step, str | int) for step in parts["key"]):
            raise TypeError("a key is no text")
    if parts.get("sharing") is not None:
        parts["sharing"] = Sharing(parts["sharing"])
    return _KINDS[held["edit"]](**_checked(parts))


def _checked(parts: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parts, if those that are used as texts and numbers are such."""
    texts, numbers = ("stimulus", "name", "type", "to", "text"), ("stimulus_index", "index", "ordinal")
    if not all(isinstance(parts.get(name), str | None) for name in texts):
        raise TypeError("not a text")
    if not all(isinstance(parts.get(name), int | None) for name in numbers):
        raise TypeError("not a number")
    return parts
