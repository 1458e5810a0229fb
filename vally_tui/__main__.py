"""``python -m vally_tui``: the same program as the ``vally-tui`` script."""

from vally_tui.cli.main import run

if __name__ == "__main__":
    run()
