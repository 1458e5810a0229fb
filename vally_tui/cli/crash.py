"""What is left of an error that nobody foresaw: a report that can be pasted into an issue. Holds no text of any run."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from vally_tui import __version__


def write_report(error: BaseException) -> Path | None:
    """Write where the error happened, but not its message, which may quote evidence; None where nothing can be written."""
    text = report_text(error)
    for folder in (_state_folder(), Path(tempfile.gettempdir())):
        try:
            return _written(folder, text)
        except OSError:
            continue
    return None


def report_text(error: BaseException) -> str:
    """Versions, the command without its arguments, and the frames of an error and of what caused it."""
    lines = [
        f"vally-tui {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        "The messages of errors are left out, as they may quote a run; --debug shows them.",
    ]
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        lines.append("")
        lines.append(f"{type(cause).__module__}.{type(cause).__qualname__} at")
        frames = traceback.extract_tb(cause.__traceback__)
        lines.extend(f"  {frame.filename}:{frame.lineno} {frame.name}: {frame.line}" for frame in frames)
        cause = cause.__cause__ or cause.__context__
    return "\n".join(lines) + "\n"


def _state_folder() -> Path:
    # Imported here, as it is needed for this only.
    import platformdirs

    return platformdirs.user_state_path("vally-tui")


def _written(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%f")
    path = folder / f"error-{now}-{os.getpid()}.txt"
    with open(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", errors="replace"
    ) as file:
        file.write(text)
    return path
