"""A new spec from what a run has recorded, for runs whose spec is not at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vally_tui.errors import SpecEditRefused, SpecUnreadable
from vally_tui.grading.model import GraderConfig
from vally_tui.spec import render
from vally_tui.spec.document import parse_spec
from vally_tui.spec.edit import as_mapping, same
from vally_tui.spec.nodes import plain


def new_spec_text(eval_name: str, stimuli: Sequence[tuple[Mapping[str, object], Sequence[GraderConfig]]]) -> str:
    """The text of a spec with these stimuli; reading it again gives exactly these values.

    Each stimulus is its recorded mapping (``name``, ``prompt`` or ``turns``, whatever else it has, its own ``graders``
    left out) and the graders that it is to have. Raises SpecEditRefused for what no readable spec can hold.
    """
    made = [
        {
            **{key: value for key, value in stimulus.items() if key != "graders"},
            "graders": list(map(as_mapping, graders)),
        }
        for stimulus, graders in stimuli
    ]
    spec = {"name": eval_name, "stimuli": made}
    try:
        text = "\n".join([*render.block_lines(spec), ""])
        read = plain(parse_spec(text, None).root)
    except RecursionError as error:
        raise SpecEditRefused("the recorded stimuli are nested too deeply for a spec") from error
    except SpecUnreadable as error:
        raise SpecEditRefused(f"the recorded stimuli cannot be written as a spec: {error}") from error
    if not same(read, spec):
        raise SpecEditRefused("the recorded stimuli hold values that YAML would not give back unchanged")
    return text


def grader_text(config: GraderConfig) -> str:
    """One grader as YAML from column 0, as a person would write it, for an editor."""
    try:
        return "\n".join([*render.block_lines(as_mapping(config)), ""])
    except RecursionError as error:
        raise SpecEditRefused("the grader's config is nested too deeply to be written") from error
