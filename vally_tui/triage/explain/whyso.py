"""Why a pattern is found, or what a pass is worth: the classes of line it was found in, doubts, and sharper patterns."""

from __future__ import annotations

from msgspec import Struct

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Question, Subject
from vally_tui.grading.model import Spans
from vally_tui.grading.pattern import Outcome
from vally_tui.triage.explain.ground import Ground
from vally_tui.triage.explain.model import Choice, Doubt, Explained, Finding, KindCount, Near
from vally_tui.triage.explain.probe import RESERVE, Probe
from vally_tui.triage.explain.sharpen import sharper
from vally_tui.triage.explain.whynot import KIND_WORDS, named

LOOKED_AT = 2000
"""Matches whose class of line is looked up; more are only counted."""
SPOTS = 3
ORDER = (
    *(LineKind.ADDED, LineKind.REMOVED, LineKind.CONTEXT, LineKind.SECTION, LineKind.HEADER, LineKind.HUNK_HEADER),
    *(LineKind.BINARY, LineKind.MARKER, LineKind.OTHER),
)
"""Classes of line, what says most about the agent's work first."""
NEVER_ADDED = {
    frozenset({LineKind.REMOVED}): ("removed-only", "only in lines that the agent removed"),
    frozenset({LineKind.CONTEXT}): ("context-only", "only in lines that the agent left as they were"),
    frozenset({LineKind.HEADER}): ("header-only", "only in file headers, such as a path"),
    frozenset({LineKind.SECTION}): ("section-only", "only in section headings behind @@"),
}
"""What is said where all matches are of one class."""


class Found(Struct, frozen=True):
    """Where a pattern was found."""

    count: int | None
    """All matches; None where they could not be counted in time."""
    kinds: tuple[KindCount, ...]

    @property
    def classes(self) -> frozenset[LineKind]:
        """The classes of line with a match."""
        return frozenset(kind.kind for kind in self.kinds)

    @property
    def times(self) -> str:
        """ "5 times"; more than could be counted is "many times"."""
        return "many times" if self.count is None else "once" if self.count == 1 else f"{self.count:,} times"


def by_kind(ground: Ground, spans: Spans) -> tuple[KindCount, ...]:
    """Matches counted by the most telling class of line that they have characters in."""
    counts: dict[LineKind, int] = {}
    first: dict[LineKind, dict[int, tuple[int, int]]] = {}
    for start, end in spans:
        kind = min(ground.kinds_within(start, end), key=ORDER.index)
        counts[kind] = counts.get(kind, 0) + 1
        rows = first.setdefault(kind, {})
        if len(rows) < SPOTS:
            rows.setdefault(ground.text.rfind("\n", 0, start), (start, end))
    return tuple(
        KindCount(kind, counts[kind], tuple(ground.spot(*span) for span in first[kind].values()))
        for kind in ORDER
        if kind in counts
    )


def about_found(question: Question, found: Found, aimed: frozenset[LineKind]) -> tuple[Finding, ...]:
    """The headline of a pattern that is found, and what that is worth."""
    name = named(question)
    weak = doubt_of_kinds(found.classes, aimed) if question.wants_match else None
    if weak is not None:
        code, where = weak
        sentence = f"{name} is found {found.times}, but {where}."
        first = Finding(code, sentence, found.kinds[0].spots[0], strength(found.classes))
        return (first, _stands_without(found.classes))
    spot = found.kinds[0].spots[0] if found.kinds else None
    told = found.kinds and question.subject is Subject.DIFF
    order = "" if found.count == 1 else "first "
    kind = f", {order}in {_article(found.kinds[0].kind)} line" if told else ""
    place = f" at {spot.place}" if spot else ""
    return (Finding("found", f"{name} is found {found.times}{kind}{place}.", spot),)


def _stands_without(classes: frozenset[LineKind]) -> Finding:
    if LineKind.REMOVED in classes:
        return Finding("would-stand", "This pass would stand if the agent had only deleted code.")
    if classes & {LineKind.CONTEXT, LineKind.SECTION}:
        return Finding("would-stand", "This pass would stand for any change near these lines.")
    return Finding("would-stand", "This pass would stand for any change to a file of that name.")


def doubt_of_kinds(classes: frozenset[LineKind], aimed: frozenset[LineKind]) -> tuple[str, str] | None:
    """(code, words) where a pattern was never found in an added line, and does not name another kind of line itself."""
    if not classes or LineKind.ADDED in classes or classes & aimed or classes <= {LineKind.OTHER, LineKind.BINARY}:
        return None
    return NEVER_ADDED.get(classes, ("never-added", "never in a line that the agent added"))


def strength(classes: frozenset[LineKind]) -> Doubt:
    """How weak a pass is whose pattern was found in these classes of line, none of them added."""
    # Lines that stay show at least where the agent worked; headers and removed lines are there whatever it wrote.
    return Doubt.WEAK if classes & {LineKind.CONTEXT, LineKind.SECTION} else Doubt.VACUOUS


def broken_by(question: Question, found: Found) -> Near | None:
    """The line that broke a restraint: the first in the most telling class of line."""
    if not found.kinds:
        return None
    spot = found.kinds[0].spots[0]
    return Near(spot, f"in {_article(spot.kind)} line" if question.subject is Subject.DIFF else "")


def _article(kind: LineKind) -> str:
    word = KIND_WORDS[kind]
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def sharper_choices(
    subject: Explained, question: Question, ground: Ground, found: Found, probe: Probe
) -> tuple[Choice, ...]:
    """Patterns that say what may have been meant, with the verdict that each gives here.

    For a restraint that fails only those that make it pass; for a weak pass all of them.
    """
    proposals = sharper(subject.config, question, ground, found.classes)
    answers = probe.ask(
        [(proposal.pattern, ground.key) for proposal in proposals], spans=SPOTS, count=True, reserve=RESERVE
    )
    choices: list[Choice] = []
    for proposal, answer in zip(proposals, answers, strict=True):
        if answer.outcome not in (Outcome.FOUND, Outcome.NOT_FOUND):
            continue
        passes = (answer.outcome is Outcome.FOUND) is question.wants_match
        if question.wants_match or passes:
            spots = tuple(ground.spot(*span) for span in answer.spans)
            choices.append(
                Choice(proposal.code, proposal.label, proposal.config, passes, count=answer.count or 0, spots=spots)
            )
    return tuple(choices)
