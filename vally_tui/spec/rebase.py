"""Edits made for one text, put on top of another: for a spec that changed on disk, or a session that was taken up again.

A grader is found again by its stimulus' name and by what it was; an edit is clean where what it changes is still as it
was when the edit was made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import UNSET
from vally_tui.spec.apply import Application
from vally_tui.spec.document import SpecDocument, grader_path
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RemoveKey,
    RenameKey,
    ReplaceGrader,
    SetKey,
    SpecEdit,
    is_as_before,
    same,
)
from vally_tui.spec.model import GraderAddress, SpecGrader, SpecStimulus
from vally_tui.spec.nodes import Path, chain, plain


class Fit(StrEnum):
    """What became of an edit."""

    CLEAN = "clean"
    """It can be made in the new text."""
    DONE = "done"
    """The new text says already what it would have made."""
    CONFLICT = "conflict"
    """What it changes is something else now, or is gone."""


class Rebased(Struct, frozen=True):
    """One edit in view of another text."""

    edit: SpecEdit
    """With the address that its grader has in the other text; as it was where there is none."""
    fit: Fit
    reason: str | None = None
    """For a conflict: a sentence about what is there now."""


class Rebase(Struct, frozen=True):
    """All edits in view of another text."""

    edits: tuple[Rebased, ...]
    document: SpecDocument
    """The other text with all clean edits made."""

    @property
    def clean(self) -> tuple[SpecEdit, ...]:
        """The edits that can be made, in their order, ready for ``apply``."""
        return tuple(one.edit for one in self.edits if one.fit is Fit.CLEAN)

    @property
    def conflicts(self) -> tuple[Rebased, ...]:
        """The edits that cannot."""
        return tuple(one for one in self.edits if one.fit is Fit.CONFLICT)


def rebase(edits: Sequence[SpecEdit], new_document: SpecDocument) -> Rebase:
    """Find for each edit its grader in another document, and tell whether the edit still fits. Never raises."""
    application = Application(new_document)
    found: dict[tuple[int, int], SpecGrader | None] = {}
    rebased = tuple(_rebased(edit, new_document, application, found) for edit in edits)
    return Rebase(rebased, application.document)


def locate(
    document: SpecDocument, address: GraderAddress, fits: Callable[[SpecGrader], bool] | None = None
) -> SpecGrader | None:
    """The grader that an address of another text means; None where none or several could be meant.

    Taken is the only one of the same name and type; else, of those with the same name, type and turn, the only one that
    ``fits`` (is still as it was), or the one at the same ordinal; else an only one of the same type that fits.
    """
    stimulus = _stimulus(document, address.stimulus, address.stimulus_index)
    if stimulus is None:
        return None
    kin = [grader for grader in stimulus.graders if grader.address.type == address.type]
    named = [grader for grader in kin if address.name is not None and grader.address.name == address.name]
    if len(named) == 1:
        return named[0]
    alike = [grader for grader in kin if _is_alike(grader, address)]
    fitting = [grader for grader in alike if fits is not None and fits(grader)]
    if len(fitting) == 1:
        return fitting[0]
    for grader in fitting or alike:
        if grader.address.ordinal == address.ordinal:
            return grader
    fitting = [grader for grader in kin if fits is not None and fits(grader)]
    return fitting[0] if len(fitting) == 1 else None


def _rebased(
    edit: SpecEdit,
    document: SpecDocument,
    application: Application,
    found: dict[tuple[int, int], SpecGrader | None],
) -> Rebased:
    placed: SpecEdit
    if isinstance(edit, AddGrader):
        stimulus = _stimulus(document, edit.stimulus, edit.stimulus_index)
        if stimulus is None:
            return Rebased(edit, Fit.CONFLICT, f"the spec has no stimulus {edit.stimulus!r} any more")
        placed = replace(edit, stimulus_index=stimulus.index, index=min(edit.index, len(stimulus.graders)))
    else:
        # The first edit of a grader finds it for those that follow, whose old values are of their making.
        place = (edit.grader.stimulus_index, edit.grader.index)
        if place not in found:
            found[place] = locate(document, edit.grader, lambda grader: _is_as_before(document, grader, edit))
        grader = found[place]
        if grader is None:
            return _missing(edit)
        placed = replace(edit, grader=grader.address)
    try:
        application.make(placed)
    except SpecEditRefused as refusal:
        return _judged(placed, document, str(refusal))
    return Rebased(placed, Fit.CLEAN)


def _missing(edit: SetKey | RenameKey | RemoveKey | ReplaceGrader | RemoveGrader) -> Rebased:
    if isinstance(edit, RemoveGrader):
        return Rebased(edit, Fit.DONE)
    what = edit.grader.name or edit.grader.type
    return Rebased(edit, Fit.CONFLICT, f"{edit.grader.stimulus!r} has no such grader ({what}) any more")


def _judged(edit: SpecEdit, document: SpecDocument, refusal: str) -> Rebased:
    """An edit that was refused: done already, or a conflict with what is there now."""
    if isinstance(edit, SetKey | RemoveKey | RenameKey):
        now = _at(document, edit.grader, edit.key)
        if same(now, edit.value if isinstance(edit, SetKey) else UNSET):
            return Rebased(edit, Fit.DONE)
        if not is_as_before(now, edit.old, edit.key):
            shown = "gone" if now is UNSET else f"{now!r}"
            return Rebased(edit, Fit.CONFLICT, f"`{'.'.join(map(str, edit.key))}` is {shown} there now")
    return Rebased(edit, Fit.CONFLICT, refusal)


def _is_as_before(
    document: SpecDocument, grader: SpecGrader, edit: SetKey | RenameKey | RemoveKey | ReplaceGrader | RemoveGrader
) -> bool:
    key = () if isinstance(edit, RemoveGrader | ReplaceGrader) else edit.key
    return is_as_before(_at(document, grader.address, key), edit.old, key)


def _stimulus(document: SpecDocument, name: str | None, index: int) -> SpecStimulus | None:
    if name is not None:
        return document.spec.stimulus(name)
    unnamed = (one for one in document.spec.stimuli if one.name is None and one.index == index)
    return next(unnamed, None)


def _is_alike(grader: SpecGrader, address: GraderAddress) -> bool:
    own = grader.address
    return own.name == address.name and same(own.turn, address.turn)


def _at(document: SpecDocument, grader: GraderAddress, key: Path) -> object:
    nodes = chain(document.root, (*grader_path(grader), *key))
    return plain(nodes[-1]) if nodes is not None else UNSET
