"""What holds for every test."""

import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Programs that tests start hear an interrupt, also where the tests themselves were started to ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
