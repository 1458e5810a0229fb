"""Unified diff text becomes files, hunks and lines, each with its place in the text."""
