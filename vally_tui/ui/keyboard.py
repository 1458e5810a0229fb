"""What the terminal sends: keys, mouse and pasted text, read as Textual reads them, but for two things that end it there.

Bytes that are no UTF-8, as other encodings and broken lines send them, become U+FFFD. Any other error of reading is the
program's, and is reported as such: Textual would print every local value.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import partial

from textual.drivers import linux_driver


def _lenient(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), "replace")


# Textual's reader makes its decoder itself, a strict one.
vars(linux_driver)["getincrementaldecoder"] = _lenient


class Keyboard(linux_driver.LinuxDriver):
    """Textual's driver whose reader goes on whatever comes."""

    def _run_input_thread(self) -> None:
        """Read until the end; what goes wrong goes where the errors of all threads go."""
        self.run_input_thread()
