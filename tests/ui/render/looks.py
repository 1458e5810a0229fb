"""Looks for tests."""

from vally_tui.ui.render.styles import Look
from vally_tui.ui.render.themes import VALLY_DARK

VARIABLES = {**VALLY_DARK.to_color_system().generate(), **VALLY_DARK.variables}
DARK = Look(VARIABLES)
PLAIN = Look(VARIABLES, colours=False)
