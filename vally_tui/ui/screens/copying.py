"""Copying: to the terminal's clipboard, and to a file of ours for terminals that take no text. Owns no choice of text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import platformdirs
from textual.app import App

FILE = "copied.txt"
CLIPBOARD_BYTES = 70_000
"""More is not sent: terminals drop longer sequences without a word."""
TOAST_SECONDS = 3


def copied_path() -> Path:
    """Where the last copied text is kept."""
    return Path(platformdirs.user_state_dir("vally-tui", appauthor=False)) / FILE


def copy_text(app: App[Any], text: str, what: str) -> None:
    """Copies a text and says where it is now; ``what``: what it is, for that sentence."""
    data = well_formed(text).encode()
    sent = len(data) <= CLIPBOARD_BYTES
    if sent:
        # Past the program's own, which says that selected text was copied.
        App.copy_to_clipboard(app, data.decode())
    kept = _keep(data)
    toast(app, sentence(what, sent=sent, kept=kept))


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced, so that it can be encoded."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def sentence(what: str, *, sent: bool, kept: Path | None) -> str:
    """What became of a copied text."""
    if sent:
        return f"{what}: sent to the terminal's clipboard" + (f"; also in {kept}" if kept else "")
    if kept:
        return f"{what}: too long for a terminal's clipboard; written to {kept}"
    return f"{what}: too long for a terminal's clipboard, and {copied_path()} cannot be written"


def toast(app: App[Any], text: str) -> None:
    """Says that a thing is done; one toast at a time."""
    app.clear_notifications()
    app.notify(text, timeout=TOAST_SECONDS, markup=False)


def _keep(data: bytes) -> Path | None:
    """The file that holds the text now; None where it cannot be written."""
    path = copied_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # What is copied may be private; a link that stands there is not followed.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(data)
    except OSError:
        return None
    return path
