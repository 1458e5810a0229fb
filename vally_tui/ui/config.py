"""The person's own configuration and where it is kept; never anything from a run or a spec directory.

``config.toml`` may hold ``theme = "…"`` and a table ``[keys]`` with command ids. What is wrong in it is told, not raised.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from msgspec import Struct

from vally_tui.ui.commands import DEFAULT_KEYMAP, Keymap, keymap

FILE = "config.toml"


class Config(Struct, frozen=True):
    """What the person has chosen."""

    theme: str | None = None
    keymap: Keymap = DEFAULT_KEYMAP
    faults: tuple[str, ...] = ()


def config_path() -> Path:
    """Where the configuration is looked up."""
    return Path(platformdirs.user_config_dir("vally-tui", appauthor=False)) / FILE


def read_config(path: Path | None = None) -> Config:
    """The configuration; defaults, with the fault, where it cannot be read."""
    path = path or config_path()
    try:
        # What is no file, such as a FIFO, would be waited for.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            values = tomllib.loads(file.read().decode())
    except FileNotFoundError:
        return Config()
    except OSError as error:
        return Config(faults=(f"{path} cannot be read: {error.strerror}",))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Config(faults=(f"{path} cannot be read: {error}",))
    return _config(values, path)


def _config(values: Mapping[str, object], path: Path) -> Config:
    faults = [f"{path}: {key} is no setting; theme and keys are" for key in values if key not in ("theme", "keys")]
    theme, keys = values.get("theme"), values.get("keys", {})
    if theme is not None and not isinstance(theme, str):
        faults.append(f"{path}: theme must be a name")
    if not isinstance(keys, dict):
        faults.append(f"{path}: keys must be a table")
        keys = {}
    chosen = keymap(keys)
    faults += [f"{path}: {fault}" for fault in chosen.faults]
    return Config(theme if isinstance(theme, str) else None, chosen, tuple(faults))
