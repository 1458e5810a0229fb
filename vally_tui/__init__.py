"""Triage failed Vally evals in the terminal. Holds the version and imports nothing."""

__version__ = "0.1.0"
