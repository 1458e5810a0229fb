"""Which JavaScript the patterns may use: that of the Node that Vally runs on. Owns the question, not the answer's use."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import Literal

NodeLevel = Literal[20, 24]
"""20: Node 20 and 22. 24: Node 24 and later, with inline modifiers ``(?i:…)`` and duplicate group names."""

NEWEST: NodeLevel = 24

_FIRST_WITH_MODIFIERS = 23
_VERSION = re.compile(r"v(\d+)\.")


class NodeQuestion:
    """``node --version``, asked without waiting, so that other things can start meanwhile."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        path = shutil.which("node")
        if path is None or not os.path.isabs(path):
            # A relative entry in PATH would run whatever lies in the current directory.
            return
        try:
            self._process = subprocess.Popen(
                [path, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
            )
        except OSError:
            self._process = None

    def answer(self, timeout: float = 3.0) -> NodeLevel:
        """The level of that Node; the newest when there is none or it says nothing in time."""
        if self._process is None:
            return NEWEST
        try:
            said, _ = self._process.communicate(timeout=timeout)
        except (subprocess.TimeoutExpired, OSError):
            self._process.kill()
            self._process.wait()
            return NEWEST
        return level_of(said)


def level_of(version: str) -> NodeLevel:
    """The level for what ``node --version`` printed, such as "v22.1.0"; the newest when it cannot be read."""
    found = _VERSION.match(version.strip())
    if found is not None and int(found[1]) < _FIRST_WITH_MODIFIERS:
        return 20
    return NEWEST


def detect_node_level(setting: str = "auto") -> NodeLevel:
    """The level for ``auto``, ``20`` or ``24``; ``auto`` runs ``node --version`` where there is a node on the PATH."""
    if setting == "auto":
        return NodeQuestion().answer()
    return 20 if setting == "20" else NEWEST
