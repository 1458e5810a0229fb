"""From read arguments to the options that commands and screen are given. Owns no option's meaning."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import BinaryIO

from msgspec.structs import fields

from vally_tui.triage.options import MEGABYTE, Only, Options, ScreenOptions


def options_of(arguments: Namespace) -> Options:
    """What was asked for, but for what a single command knows."""
    return Options(
        runs=tuple(arguments.runs),
        spec=arguments.spec,
        run_dir=arguments.run_dir,
        stimuli=tuple(arguments.stimulus),
        models=tuple(arguments.model),
        only=Only(arguments.only) if arguments.only else None,
        timeout=arguments.timeout,
        node_level=arguments.node_level,
        # Beyond what fits a float there is no limit at all.
        max_diff=int(min(arguments.max_diff * MEGABYTE, sys.maxsize)),
        debug=arguments.debug,
    )


def screen_options(arguments: Namespace, records: BinaryIO | None) -> ScreenOptions:
    """What the screen is started with; ``records``: what "-" among the runs reads."""
    options = options_of(arguments)
    shared = {field.name: getattr(options, field.name) for field in fields(options)}
    return ScreenOptions(**shared, theme=arguments.theme, records=records)
