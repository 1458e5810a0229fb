"""A grader as the text that a person edits: with its comments and quotes where it stands in a spec. Writes nothing."""

from __future__ import annotations

from vally_tui.errors import SpecEditRefused, SpecUnreadable
from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.spec.apply import apply, grader_value
from vally_tui.spec.document import SpecDocument, parse_spec
from vally_tui.spec.edit import edits_between
from vally_tui.spec.model import SpecGrader
from vally_tui.spec.source import grader_source
from vally_tui.triage.edits import TypedText


def config_of(value: object) -> GraderConfig | None:
    """A grader from the mapping that a spec holds; None where it has no type."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return None
    name = value.get("name")
    return GraderConfig(
        value["type"],
        name if isinstance(name, str) else None,
        value.get("config", UNSET),
        value.get("turn", UNSET),
        value.get("scope", UNSET),
    )


def read_text(text: str) -> GraderConfig | None:
    """The grader that a text says; None where it says none, or only the whole spec tells."""
    try:
        return config_of(grader_value(text))
    except SpecEditRefused:
        return None


def source_of(document: SpecDocument, grader: SpecGrader) -> str | None:
    """The text of a spec's grader for a person to edit; None where others share a part of it, or it means less alone."""
    if grader.shared:
        return None
    try:
        source = grader_source(document, grader.address)
    except SpecEditRefused:
        return None
    return source if read_text(source) == grader.config else None


def with_config(text: str, config: GraderConfig) -> str | None:
    """A grader's text that says ``config``, changed no more than that takes; None where that cannot be done."""
    if read_text(text) == config:
        return text
    rows = [f"    {row}".rstrip() for row in text.split("\n")]
    try:
        document = parse_spec("\n".join(["stimuli:", "- graders:", f"  - {rows[0][4:]}", *rows[1:]]), None)
        grader = document.spec.stimuli[0].graders[0]
        changed = apply(document, edits_between(grader.address, grader.config, config)).document
        source = grader_source(changed, changed.spec.stimuli[0].graders[0].address)
    except (SpecEditRefused, SpecUnreadable, IndexError):
        return None
    return source if read_text(source) == config else None


def is_of(typed: TypedText, document: SpecDocument, grader: SpecGrader) -> bool:
    """Whether a grader still stands in the spec as it did when its text was typed over."""
    return source_of(document, grader) == typed.source
