"""What else an edit would change through anchors and aliases, and how a part gets a copy of its own.

Both changes of the text here keep every value of the document; that is proven by reading the text again.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused, SpecUnreadable
from vally_tui.spec.document import SpecDocument, parse_spec
from vally_tui.spec.edit import same
from vally_tui.spec.nodes import AliasNode, Content, Node, Path, chain, content, plain
from vally_tui.spec.places import Places, inside
from vally_tui.spec.splice import Splice, Splicer, spliced


class Sharer(Struct, frozen=True):
    """Another part of the spec that is written in the same place of the text."""

    label: str
    """``grader 2 of fix-divide``, else the way to it such as ``defaults.judge``; untrusted text."""
    stimulus_index: int | None
    """0-based; None where this is no part of a grader."""
    grader_index: int | None


def sharers(document: SpecDocument, path: Path) -> tuple[Sharer, ...]:
    """Who else has what stands at a path, in the order of the spec; empty where it is this one's alone."""
    nodes = chain(document.root, path)
    places = Places(document.root)
    if nodes is None or not places.is_shared(nodes):
        return ()
    found = {_sharer(document, other) for other in places.paths(content(nodes[-1])) if other != path}
    own = _sharer(document, path)
    if own in found:
        found.remove(own)
        found.add(replace(own, label=f"another part of {own.label}"))
    return tuple(sorted(found, key=_place))


def _place(sharer: Sharer) -> tuple[bool, int, int, str]:
    return sharer.stimulus_index is None, sharer.stimulus_index or 0, sharer.grader_index or 0, sharer.label


def unshared(document: SpecDocument, path: Path) -> SpecDocument:
    """The document with a copy of its own for what stands at a path.

    An alias on the way is replaced by a copy; where the way leads through an anchor that others use, the anchor moves
    to the first of them.
    """
    nodes = chain(document.root, path)
    assert nodes is not None
    splicer = Splicer(document)
    splices: list[Splice] = []
    for node in nodes:
        if isinstance(node, AliasNode):
            splices.append(splicer.put(node, plain(node), node.target, None))
            break
        aliases = splicer.places.aliases(node)
        if aliases:
            splices += [splicer.drop_anchor(node), _definition(splicer, aliases[0], node)]
    return _with(document, splices)


def rescued(document: SpecDocument, node: Node, *, whole: bool) -> SpecDocument:
    """The document with every anchor inside a node, that is used outside it, moved out to where it is used first.

    ``whole``: the node's own anchor, too, since the node is going.
    """
    splicer = Splicer(document)
    splices: list[Splice] = []
    for one in inside(node):
        if one is node and not whole:
            continue
        outside = (alias for alias in splicer.places.aliases(one) if not node.outer <= alias.start < node.end)
        first = next(outside, None)
        if first is not None:
            splices.append(_definition(splicer, first, one))
    return _with(document, splices) if splices else document


def _definition(splicer: Splicer, alias: AliasNode, node: Content) -> Splice:
    return splicer.put(alias, plain(node), node, node.anchor)


def _with(document: SpecDocument, splices: list[Splice]) -> SpecDocument:
    try:
        changed = parse_spec(spliced(document.text, splices), document.path)
    except SpecUnreadable as error:
        raise SpecEditRefused(f"the shared part cannot be copied: {error}") from error
    if not same(plain(document.root), plain(changed.root)):
        raise SpecEditRefused("the shared part cannot be copied without changing something else")
    return changed


def _sharer(document: SpecDocument, path: Path) -> Sharer:
    if path[:1] == ("stimuli",) and path[2:3] == ("graders",) and len(path) >= 4:
        stimulus_index, index = path[1], path[3]
        assert isinstance(stimulus_index, int) and isinstance(index, int)  # noqa: PT018 one fact
        stimulus = next((one for one in document.spec.stimuli if one.index == stimulus_index), None)
        name = stimulus.name if stimulus is not None and stimulus.name else f"stimulus {stimulus_index + 1}"
        return Sharer(f"grader {index + 1} of {name}", stimulus_index, index)
    return Sharer(".".join(map(str, path)), None, None)
