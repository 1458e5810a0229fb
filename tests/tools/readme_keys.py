"""Puts the table of keys into the README: ``python -m tests.tools.readme_keys``; it is made from the commands."""

from __future__ import annotations

from pathlib import Path

from vally_tui.ui.commands import key_table

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- keys: made by `python -m tests.tools.readme_keys` -->\n", "<!-- end of keys -->\n"


def with_keys(text: str) -> str:
    """The README with today's keys."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n{key_table()}\n{END}{tail}"


if __name__ == "__main__":
    README.write_text(with_keys(README.read_text(encoding="utf-8")), encoding="utf-8")
