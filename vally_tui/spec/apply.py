"""Applying edits to a spec's text: only what is edited changes, and that is proven by reading the text again.

Nothing is written to disk here; an edit that cannot be made so is refused and leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused, SpecUnreadable
from vally_tui.grading.model import UNSET
from vally_tui.spec.compose import SyntaxProblem, compose
from vally_tui.spec.document import SpecDocument, grader_path, parse_spec
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RemoveKey,
    RenameKey,
    ReplaceGrader,
    SetKey,
    Sharing,
    SpecEdit,
    is_as_before,
    same,
)
from vally_tui.spec.nodes import Content, MappingNode, Node, Path, ScalarNode, SequenceNode, chain, content, plain
from vally_tui.spec.places import Places
from vally_tui.spec.sharing import Sharer, rescued, sharers, unshared
from vally_tui.spec.splice import Splice, Splicer, spliced


class AppliedEdit(Struct, frozen=True):
    """The outcome of edits: text that was read again and says what was meant."""

    text: str
    document: SpecDocument


class _Plan(Struct, frozen=True):
    """How one edit is made: what stands at ``path`` gets the value ``new`` through ``splices``."""

    path: Path
    new: object
    """UNSET where only the new text tells (a grader replaced by text with aliases)."""
    splices: Callable[[Splicer, Content], list[Splice]]
    lost: Path | None = None
    """What is overwritten or removed, so that anchors inside it must move out."""
    removed: bool = False
    """Whether it goes for good, its own anchor included."""


class Application:
    """Edits being made one after the other; one that is refused leaves what was made before it."""

    def __init__(self, document: SpecDocument) -> None:
        self.document = document
        """With all edits made so far."""
        self._shifts = _Shifts()

    def make(self, edit: SpecEdit) -> None:
        """Make one more edit; raises SpecEditRefused with the reason."""
        try:
            self.document = _apply_one(self.document, self._shifts.now(edit))
        except RecursionError as error:
            raise SpecEditRefused("the new value is nested too deeply for a spec") from error
        self._shifts.note(edit)


def apply(document: SpecDocument, edits: Sequence[SpecEdit]) -> AppliedEdit:
    """Make edits, one after the other; raises SpecEditRefused with the reason, and then none is made."""
    application = Application(document)
    for edit in edits:
        application.make(edit)
    return AppliedEdit(application.document.text, application.document)


def others_changed(document: SpecDocument, edit: SpecEdit) -> tuple[Sharer, ...]:
    """Who else would change with an edit: where there is anyone, the edit needs a ``sharing``."""
    at: Path = _deepest(document, _wanted_path(edit))
    return sharers(document, at)


def _apply_one(document: SpecDocument, edit: SpecEdit) -> SpecDocument:
    plan = _plan(document, edit)
    nodes = _chain(document, plan.path)
    if Places(document.root).is_shared(nodes):
        _check_choice(document, edit, plan)
        if edit.sharing is Sharing.THIS_ONLY:
            document = unshared(document, plan.path)
            plan = _plan(document, edit)
    if plan.lost is not None:
        document = rescued(document, _chain(document, plan.lost)[-1], whole=plan.removed)
    target = content(_chain(document, plan.path)[-1])
    splicer = Splicer(document)
    text = spliced(document.text, plan.splices(splicer, target))
    try:
        return _proven(document, target, plan, text)
    except SpecEditRefused:
        # A block scalar that has come to stand last may need the line break that this text does not end in.
        if document.text.endswith("\n"):
            raise
        return _proven(document, target, plan, text + document.newline)


def _check_choice(document: SpecDocument, edit: SpecEdit, plan: _Plan) -> None:
    if edit.sharing is not None:
        return
    others = sharers(document, plan.path)
    shown = ", ".join(sharer.label for sharer in others[:5]) + (", …" if len(others) > 5 else "")
    raise SpecEditRefused(
        f"{shown or 'something else'} would change, too: choose this grader only, or all that share it"
    )


def _proven(document: SpecDocument, target: Content, plan: _Plan, text: str) -> SpecDocument:
    try:
        changed = parse_spec(text, document.path)
    except SpecUnreadable as error:
        raise SpecEditRefused(f"the edited text would not be read: {error}") from error
    new = plan.new
    if new is UNSET:
        new = plain(_chain(changed, plan.path)[-1])
        if not isinstance(new, dict):
            raise SpecEditRefused("a grader must be a mapping such as `type: diff-contains`")
    if not same(plain(document.root, {id(target): new}), plain(changed.root)):
        raise SpecEditRefused("the edit cannot be written there without changing something else; nothing was changed")
    return changed


def _plan(document: SpecDocument, edit: SpecEdit) -> _Plan:
    match edit:
        case SetKey():
            return _plan_set(document, edit)
        case RenameKey() | RemoveKey():
            return _plan_key(document, edit)
        case ReplaceGrader():
            return _plan_text(document, edit)
        case AddGrader():
            return _plan_add(document, edit)
        case RemoveGrader():
            return _plan_remove(document, edit)


def _plan_set(document: SpecDocument, edit: SetKey) -> _Plan:
    whole = (*grader_path(edit.grader), *edit.key)
    at = _deepest(document, whole)
    here = content(_chain(document, at)[-1])
    if at == whole:
        _check_old(here, edit.old, edit.key)
        return _Plan(at, edit.value, lambda splicer, node: splicer.replace(node, edit.value), lost=at)
    if edit.old is not UNSET:
        raise SpecEditRefused(f"the grader has no `{_dotted(edit.key)}` any more: read the spec again")
    step, value = whole[len(at)], _nested(whole[len(at) + 1 :], edit.value)
    if isinstance(here, ScalarNode) and here.value is None:
        return _Plan(at, {step: value}, lambda splicer, node: splicer.replace(node, {step: value}))
    if not isinstance(here, MappingNode) or not isinstance(step, str):
        raise SpecEditRefused(f"`{_dotted(edit.key[:-1])}` of the grader is no mapping, so nothing can be put into it")
    old = plain(here)
    assert isinstance(old, dict)
    return _Plan(at, {**old, step: value}, lambda splicer, node: splicer.add_entry(_mapping(node), step, value))


def _plan_key(document: SpecDocument, edit: RenameKey | RemoveKey) -> _Plan:
    whole = (*grader_path(edit.grader), *edit.key)
    _check_old(content(_chain(document, whole)[-1]), edit.old, edit.key)
    at, key = whole[:-1], whole[-1]
    old = plain(_chain(document, at)[-1])
    if not isinstance(old, dict):
        raise SpecEditRefused(f"`{_dotted(edit.key[:-1])}` of the grader is no mapping")
    place = list(old).index(key)
    if isinstance(edit, RemoveKey):
        rest = {other: value for other, value in old.items() if other != key}
        return _Plan(at, rest, lambda splicer, node: splicer.remove(_mapping(node), place), lost=whole, removed=True)
    to = edit.to
    if to in old:
        raise SpecEditRefused(f"the grader has a `{to}` already")
    renamed = {to if other == key else other: value for other, value in old.items()}
    return _Plan(at, renamed, lambda splicer, node: splicer.rename(_mapping(node), place, to))


def _plan_text(document: SpecDocument, edit: ReplaceGrader) -> _Plan:
    at = grader_path(edit.grader)
    node = _chain(document, at)[-1]
    _check_old(content(node), edit.old, ())
    value = grader_value(edit.text)
    if Places(document.root).in_flow(content(node)):
        if value is UNSET:
            raise SpecEditRefused("inside brackets a grader's text cannot use aliases of the spec")
        return _Plan(at, value, lambda splicer, node: splicer.replace(node, value), lost=at)
    return _Plan(at, value, lambda splicer, node: splicer.write_text(node, edit.text), lost=at)


def _plan_add(document: SpecDocument, edit: AddGrader) -> _Plan:
    whole = ("stimuli", edit.stimulus_index, "graders")
    at = _deepest(document, whole)
    here = content(_chain(document, at)[-1])
    if isinstance(here, MappingNode) and at != whole:
        return _plan_first(at, here, edit)
    if isinstance(here, ScalarNode) and here.value is None:
        return _Plan(at, [edit.value], lambda splicer, node: splicer.replace(node, [edit.value]))
    old = plain(here)
    if not isinstance(old, list):
        raise SpecEditRefused("the graders of this stimulus are no list")
    index = min(edit.index, len(old))
    new = [*old[:index], edit.value, *old[index:]]
    return _Plan(at, new, lambda splicer, node: splicer.add_item(_sequence(node), index, edit.value))


def _plan_first(at: Path, stimulus: MappingNode, edit: AddGrader) -> _Plan:
    old = plain(stimulus)
    assert isinstance(old, dict)
    graders = [edit.value]
    return _Plan(
        at, {**old, "graders": graders}, lambda splicer, node: splicer.add_entry(_mapping(node), "graders", graders)
    )


def _plan_remove(document: SpecDocument, edit: RemoveGrader) -> _Plan:
    *at, index = grader_path(edit.grader)
    _check_old(content(_chain(document, (*at, index))[-1]), edit.old, ())
    old = plain(_chain(document, tuple(at))[-1])
    assert isinstance(old, list) and isinstance(index, int)  # noqa: PT018 one fact: the grader is there
    rest = [*old[:index], *old[index + 1 :]]
    return _Plan(
        tuple(at), rest, lambda splicer, node: splicer.remove(_sequence(node), index), lost=(*at, index), removed=True
    )


def grader_value(text: str) -> object:
    """A grader's value from YAML of its own; UNSET where it uses aliases of the spec, so that only the spec tells.

    Raises SpecEditRefused with line and column for what is no YAML or no mapping.
    """
    try:
        root = compose(text)
    except SyntaxProblem as problem:
        if problem.unknown_alias:
            return UNSET
        line, begin = text.count("\n", 0, problem.offset) + 1, text.rfind("\n", 0, problem.offset) + 1
        raise SpecEditRefused(f"line {line}, column {problem.offset - begin + 1}: {problem.message}") from problem
    value = plain(root) if root is not None else None
    if not isinstance(value, dict):
        raise SpecEditRefused("a grader must be a mapping such as `type: diff-contains`")
    return value


def _check_old(node: Content, old: object, key: Path) -> None:
    if not is_as_before(plain(node), old, key):
        what = f"`{_dotted(key)}` of the grader" if key else "the grader"
        raise SpecEditRefused(f"{what} is not what it was when it was edited: read the spec again")


def _wanted_path(edit: SpecEdit) -> Path:
    match edit:
        case SetKey():
            return (*grader_path(edit.grader), *edit.key)
        case RenameKey() | RemoveKey():
            return (*grader_path(edit.grader), *edit.key[:-1])
        case ReplaceGrader():
            return grader_path(edit.grader)
        case AddGrader():
            return ("stimuli", edit.stimulus_index, "graders")
        case RemoveGrader():
            return grader_path(edit.grader)[:-1]


def _deepest(document: SpecDocument, path: Path) -> Path:
    """The longest part of a path that leads to something; at least the stimulus or grader itself must be there."""
    for length in range(len(path), 1, -1):
        if chain(document.root, path[:length]) is not None:
            return path[:length]
    return path


def _chain(document: SpecDocument, path: Path) -> list[Node]:
    nodes = chain(document.root, path)
    if nodes is None:
        raise SpecEditRefused(f"the spec has no `{_dotted(path)}`: read it again")
    return nodes


def _nested(path: Path, value: object) -> object:
    for step in reversed(path):
        value = {step: value}
    return value


def _mapping(node: Content) -> MappingNode:
    assert isinstance(node, MappingNode)
    return node


def _sequence(node: Content) -> SequenceNode:
    assert isinstance(node, SequenceNode)
    return node


def _dotted(path: Path) -> str:
    return ".".join(str(step + 1) if isinstance(step, int) else step for step in path)


class _Shifts:
    """How graders have moved in their lists through the edits so far."""

    def __init__(self) -> None:
        self._moves: dict[int, list[tuple[int, int]]] = {}

    def now(self, edit: SpecEdit) -> SpecEdit:
        """The edit with the places that its grader has by now."""
        if isinstance(edit, AddGrader):
            return replace(edit, index=self._index(edit.stimulus_index, edit.index))
        index = self._index(edit.grader.stimulus_index, edit.grader.index)
        return replace(edit, grader=replace(edit.grader, index=index))

    def note(self, edit: SpecEdit) -> None:
        """Remember what an edit moves."""
        if isinstance(edit, AddGrader):
            self._moves.setdefault(edit.stimulus_index, []).append((edit.index, 1))
        elif isinstance(edit, RemoveGrader):
            self._moves.setdefault(edit.grader.stimulus_index, []).append((edit.grader.index + 1, -1))

    def _index(self, stimulus: int, index: int) -> int:
        return index + sum(by for first, by in self._moves.get(stimulus, []) if index >= first)
