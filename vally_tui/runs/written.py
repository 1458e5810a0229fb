"""Which files the recorded tool calls of a trial wrote, so that a diff's blind spots can be named. Reads no files.

A guess from the names of tools and arguments that are in use; shell commands are not understood, so a file that is not
named here may have been written all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from vally_tui.runs.shapes import read_json

_WRITING_TOOL = re.compile(r"edit|write|create|insert|replace|patch|delete|remove|rename|move", re.IGNORECASE)
_PATH_KEYS = (
    "path",
    "file_path",
    "filePath",
    "filepath",
    "filename",
    "file",
    "target_file",
    "notebook_path",
    "new_path",
)
_PATCH_KEYS = ("input", "patch", "patch_text")
# In real runs the agent works in a temporary folder of this name, which is not the recorded working directory.
_WORKSPACE = re.compile(r".*/vally-eval-[^/]+/(.+)", re.DOTALL)
_PATCH_FILE = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\r?$", re.MULTILINE)


def written_paths(events: Iterable[Mapping[str, object]], work_dir: str | None) -> tuple[str, ...]:
    """The written paths, each once, in the order of their first writing.

    A path below ``work_dir``, or below Vally's temporary workspace, becomes relative to it, with ``/``; any other stays
    as it was recorded.
    """
    found = dict.fromkeys(_relative(path, work_dir) for event in events for path in _paths_of(event))
    return tuple(found)


def _paths_of(event: Mapping[str, object]) -> Iterator[str]:
    data = event.get("data")
    if event.get("type") != "tool_call" or not isinstance(data, dict):
        return
    tool, arguments = data.get("toolName"), data.get("arguments")
    if not isinstance(tool, str) or not _WRITING_TOOL.search(tool):
        return
    if isinstance(arguments, str):
        yield from _patched(arguments)
        arguments = read_json(arguments.encode("utf-8", "surrogatepass"))
    if not isinstance(arguments, dict):
        return
    for key in _PATH_KEYS:
        path = arguments.get(key)
        if isinstance(path, str) and path:
            yield path
    for key in _PATCH_KEYS:
        patch = arguments.get(key)
        if isinstance(patch, str):
            yield from _patched(patch)


def _patched(patch: str) -> Iterator[str]:
    return (match[1] for match in _PATCH_FILE.finditer(patch))


def _relative(path: str, work_dir: str | None) -> str:
    plain = path.replace("\\", "/")
    if work_dir is not None:
        root = work_dir.replace("\\", "/").rstrip("/") + "/"
        if plain.startswith(root):
            return plain[len(root) :]
    workspace = _WORKSPACE.fullmatch(plain)
    return workspace[1] if workspace else path
