"""A tree of nodes becomes an EvalSpec. Takes what is well-formed, notes what is not, raises only for what is no spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from vally_tui.grading.model import NO_WEIGHTS, UNSET, GraderConfig, Weights
from vally_tui.spec.model import EvalSpec, GraderAddress, SpecGrader, SpecIssue, SpecStimulus
from vally_tui.spec.nodes import AliasNode, Content, MappingNode, Node, SequenceNode, child, children, content, plain


class NotASpec(Exception):
    """A readable text that holds no eval; the text says why."""


def interpret(root: Node | None, path: Path | None, line_of: Callable[[int], int]) -> EvalSpec:
    """What a spec's tree says; ``line_of`` gives the 1-based line of an offset. Raises NotASpec."""
    if root is None:
        raise NotASpec("is empty: an eval spec has `name` and `stimuli`")
    top = content(root)
    if not isinstance(top, MappingNode):
        raise NotASpec("is no mapping with `name` and `stimuli`: is it an eval spec?")
    stimuli = child(top, "stimuli")
    if stimuli is None or not isinstance(content(stimuli), SequenceNode):
        raise NotASpec("has no list `stimuli`: is it an eval spec?")
    return _Interpreter(top, path, line_of).spec(stimuli)


class _Interpreter:
    def __init__(self, top: MappingNode, path: Path | None, line_of: Callable[[int], int]) -> None:
        self._top = top
        self._path = path
        self._line_of = line_of
        self._issues: list[SpecIssue] = []
        self._shared = _Sharing(top)

    def spec(self, stimuli: Node) -> EvalSpec:
        """The whole spec."""
        shared = self._shared.on_the_way([self._top, stimuli])
        found = tuple(self._stimuli(stimuli, shared))
        self._note_repeated_names(found)
        scoring = child(self._top, "scoring")
        threshold = _number(_plain_child(scoring, "threshold"))
        weights = self._weights(scoring)
        name = self._name(self._top, "the eval")
        return EvalSpec(self._path, name, found, threshold, weights, tuple(sorted(self._issues, key=lambda i: i.line)))

    def _stimuli(self, stimuli: Node, shared: bool) -> Iterator[SpecStimulus]:
        for index, (_, node) in enumerate(children(content(stimuli))):
            inner = content(node)
            if not isinstance(inner, MappingNode):
                self._note(node, f"stimulus {index + 1} is no mapping, so it cannot be used")
                continue
            name = self._name(inner, f"stimulus {index + 1}")
            if name is None and inner.entry("name") is None:
                self._note(node, f"stimulus {index + 1} has no name, so no recorded trial can belong to it")
            graders = tuple(self._graders(inner, name, index, shared or self._shared.on_the_way([node])))
            yield SpecStimulus(name, index, _prompts(inner), graders, self._line(node))

    def _graders(self, stimulus: MappingNode, name: str | None, index: int, shared: bool) -> Iterator[SpecGrader]:
        graders = child(stimulus, "graders")
        if graders is None or plain(graders) is None:
            return
        inner = content(graders)
        if not isinstance(inner, SequenceNode):
            self._note(graders, f"the graders of {name or 'this stimulus'} are no list, so they cannot be used")
            return
        shared = shared or self._shared.on_the_way([graders])
        ordinals: dict[str, int] = {}
        for place, (_, node) in enumerate(children(inner)):
            config = self._config(node, name, place)
            identity = repr((config.name, config.type, config.turn))
            ordinal = ordinals.get(identity, 0)
            ordinals[identity] = ordinal + 1
            address = GraderAddress(name, index, place, config.name, config.type, config.turn, ordinal)
            yield SpecGrader(config, address, self._line(node), shared or self._shared.inside(node))

    def _config(self, node: Node, stimulus: str | None, place: int) -> GraderConfig:
        what = f"grader {place + 1} of {stimulus or 'this stimulus'}"
        value = plain(node)
        if not isinstance(value, dict):
            self._note(node, f"{what} is no mapping, so it cannot be judged")
            return GraderConfig("")
        kind = value.get("type")
        if not isinstance(kind, str):
            self._note(node, f"{what} has no `type` that is a text, so it cannot be judged")
        name = self._name(content(node), what)
        written = (value.get(key, UNSET) for key in ("config", "turn", "scope"))
        return GraderConfig(kind if isinstance(kind, str) else "", name, *written)

    def _name(self, node: Content, what: str) -> str | None:
        name = _plain_child(node, "name")
        if name is None or isinstance(name, str):
            return name
        self._note(node, f"the name of {what} is no text: put it in quotes")
        return None

    def _weights(self, scoring: Node | None) -> Weights:
        written = _plain_child(scoring, "weights")
        if not isinstance(written, dict):
            return NO_WEIGHTS
        numbers = {key: _number(value) for key, value in written.items()}
        return Weights({key: value for key, value in numbers.items() if value is not None})

    def _note_repeated_names(self, stimuli: tuple[SpecStimulus, ...]) -> None:
        seen: set[str] = set()
        for stimulus in stimuli:
            if stimulus.name in seen:
                message = f"a second stimulus is called {stimulus.name!r}; recorded trials belong to the first"
                self._issues.append(SpecIssue(stimulus.line, message))
            elif stimulus.name is not None:
                seen.add(stimulus.name)

    def _note(self, node: Node, message: str) -> None:
        self._issues.append(SpecIssue(self._line(node), message))

    def _line(self, node: Node) -> int:
        return self._line_of(node.outer)


class _Sharing:
    """Which nodes are used in more than one place."""

    def __init__(self, root: Node) -> None:
        self._targets: set[int] = set()
        self._inside: dict[int, bool] = {}
        self._collect(root)

    def on_the_way(self, nodes: list[Node]) -> bool:
        """Whether any of these is an alias, or what an alias stands for."""
        return any(isinstance(node, AliasNode) or id(node) in self._targets for node in nodes)

    def inside(self, node: Node) -> bool:
        """Whether the node or anything in it is shared."""
        if self.on_the_way([node]):
            return True
        known = self._inside.get(id(node))
        if known is None:
            known = any(self.inside(member) for _, member in children(content(node)))
            self._inside[id(node)] = known
        return known

    def _collect(self, node: Node) -> None:
        if isinstance(node, AliasNode):
            self._targets.add(id(node.target))
            return
        for _, member in children(node):
            self._collect(member)


def _prompts(stimulus: MappingNode) -> int:
    if _plain_child(stimulus, "prompt") is not None:
        return 1
    turns = child(stimulus, "turns")
    inner = content(turns) if turns is not None else None
    return len(inner.items) if isinstance(inner, SequenceNode) else 0


def _plain_child(node: Node | None, key: str) -> object:
    found = child(node, key) if node is not None else None
    return plain(found) if found is not None else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
