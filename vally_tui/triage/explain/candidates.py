"""The configs that a grader may have been meant as, each with what it changes. Pure; the engine says which of them help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.graders import Question, Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pattern import Pattern, folded, literal, regex
from vally_tui.triage.explain import typo
from vally_tui.triage.explain.configs import with_pattern, with_turn, with_value
from vally_tui.triage.explain.readings import Reading, readings_of_literal, readings_of_regex
from vally_tui.triage.explain.soften import (
    COST,
    OF_DIFFS,
    WIDER,
    Form,
    Soft,
    applicable,
    bare,
    form_of,
    soften,
)
from vally_tui.triage.regex_syntax import Terms, chars

TURN_COST = 40
TYPO_COST = 24
MISSPELT = 3
"""Stretches of a pattern that may be misspelt; one with more of them means something else."""
PART_COST = 60
"""What is cut off the pattern makes it say less than all relaxations do."""


class Candidate(Struct, frozen=True):
    """A config that is to be tried."""

    code: str
    label: str
    cost: int
    config: GraderConfig
    pattern: Pattern
    key: EvidenceKey
    """The text that it looks at."""
    wider: bool = False
    near: str = ""
    """How the place differs from what was wanted, to follow an excerpt."""


NEAR_WORDS = {
    Soft.QUOTES: "but for the quotes",
    Soft.CASE: "in another case",
    Soft.LINES: "with ^ and $ at lines",
    Soft.SPELLING: "as git quotes paths",
    Soft.PREFIX: "but for a/, b/",
    Soft.COLUMN: "behind the sign column",
    Soft.BLANKS: "with other blanks",
    Soft.SPACING: "with other blanks",
    Soft.DOTALL: "across lines",
    Soft.SIGN: "in another kind of line",
    Soft.ANYWHERE: "in another kind of line",
}


class Candidates:
    """Makes candidates for one grader on one trial."""

    def __init__(self, config: GraderConfig, question: Question, key: EvidenceKey) -> None:
        assert question.pattern is not None
        self.config = config
        self.key = key
        self.pattern = question.pattern
        self.form = form_of(question.pattern)
        """The pattern as it is written; None where it cannot be looked into."""
        self._folds = question.subject is not Subject.DIFF
        """Whether a plain text may be found in any case."""
        self._barred = frozenset() if question.subject is Subject.DIFF else OF_DIFFS
        self.softs = self._applicable(self.form) if self.form is not None else ()
        self.readings = _readings(question.pattern)

    def softened(self) -> list[Candidate]:
        """Each relaxation on its own."""
        return [self.combined(frozenset({soft})) for soft in self.softs]

    def read(self) -> list[Candidate]:
        """Each other reading as it is."""
        return [self.combined(frozenset(), reading) for reading in self.readings]

    def bases(self) -> list[Reading | None]:
        """What relaxations can be put together on: what is written (None), then its other readings."""
        return [None, *self.readings] if self.form is not None else list(self.readings)

    def softs_of(self, reading: Reading | None) -> frozenset[Soft]:
        """All relaxations that apply to a base."""
        return frozenset(self.softs if reading is None else self._applicable(reading.form))

    def _applicable(self, form: Form) -> tuple[Soft, ...]:
        return tuple(soft for soft in applicable(form) if soft not in self._barred)

    def combined(self, softs: frozenset[Soft], reading: Reading | None = None) -> Candidate:
        """These relaxations together, on top of a reading."""
        ordered = sorted(softs, key=COST.__getitem__)
        code = "+".join([*([reading.code] if reading else []), *(soft.name.lower() for soft in ordered)])
        label = ", ".join([*([reading.label] if reading else []), *ordered])
        cost = (reading.cost if reading else 0) + sum(COST[soft] for soft in ordered)
        near = " and ".join(
            dict.fromkeys([*([reading.label] if reading else []), *(NEAR_WORDS[soft] for soft in ordered)])
        )
        base = reading.form if reading else self.form
        assert base is not None
        exact = reading.literal if reading and not softs else None
        return self._made(code, label, cost, soften(base, softs), exact=exact, wider=bool(softs & WIDER), near=near)

    def respelt(self, text: str) -> list[Candidate]:
        """The pattern with those of its plain stretches mended that are only nearly in ``text``."""
        if self.form is None or len(self.form.syntax) != 1:
            return []
        terms, distance = _respelt(self.form.syntax[0], text, fold="i" in self.form.flags)
        if not distance:
            return []
        form = replace(self.form, syntax=(terms,))
        return [self._made("typo", "spelt otherwise", TYPO_COST + distance, form, near="spelt otherwise")]

    def part(self, code: str, label: str, form: Form, extra: int) -> Candidate:
        """A part of the pattern."""
        return self._made(code, label, PART_COST + extra, bare(form), wider=True)

    def elsewhere(self, turns: Iterable[int | None]) -> list[Candidate]:
        """The same pattern in other evidence of the trial; None: the whole run's."""
        made = []
        for extra, turn in enumerate(turns):
            where = "the whole run" if turn is None else f"turn {turn}"
            config = with_turn(self.config, turn)
            key = replace(self.key, turn=turn)
            code = "whole-run" if turn is None else "other-turn"
            made.append(Candidate(code, where, TURN_COST + extra, config, self.pattern, key, near=f"in {where}"))
        return made

    def in_messages(self) -> list[Candidate]:
        """For the output the same pattern in all messages, which hold more than the last text."""
        if self.key.subject is not Subject.OUTPUT:
            return []
        config = replace(self.config, type=self.config.type.replace("output-", "transcript-"))
        key = replace(self.key, subject=Subject.TRANSCRIPT)
        words = "in all messages"
        return [Candidate("in-messages", words, TURN_COST, config, self.pattern, key, near=words)]

    def _made(
        self,
        code: str,
        label: str,
        cost: int,
        form: Form,
        *,
        exact: str | None = None,
        wider: bool = False,
        near: str = "",
    ) -> Candidate:
        any_case = self._folds and "i" in form.flags
        flags_said = {"i"} if self._folds else set()
        if exact is None and self.pattern.kind != "regex" and set(form.flags) <= flags_said and _plain(form):
            exact = "".join(term.char for term in form.syntax[0])
        if exact:
            text = with_value(self.config, exact, any_case=any_case)
            pattern = folded(exact) if any_case else literal(exact)
            return Candidate(code, label, cost, text, pattern, self.key, wider, near)
        config = with_pattern(self.config, form.whole)
        return Candidate(code, label, cost, config, regex(form.whole), self.key, wider, near)


def distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The cheapest of those that come to the same config."""
    kept: dict[tuple[Pattern, EvidenceKey], Candidate] = {}
    for candidate in sorted(candidates, key=lambda candidate: candidate.cost):
        kept.setdefault((candidate.pattern, candidate.key), candidate)
    return list(kept.values())


def _plain(form: Form) -> tuple[Terms, ...] | None:
    """The syntax of the text that a form matches, where it matches just one."""
    if len(form.syntax) != 1 or not all(term.is_char() for term in form.syntax[0]):
        return None
    return (form.syntax[0],)


def _readings(pattern: Pattern) -> tuple[Reading, ...]:
    if pattern.kind == "literal":
        return readings_of_literal(pattern.source)
    return readings_of_regex(pattern.source, pattern.flags)


def _respelt(terms: Terms, text: str, *, fold: bool) -> tuple[Terms, int]:
    """The terms with their plain stretches mended after ``text``, and how many edits that takes."""
    # Only ASCII keeps its length when its case is folded, so that places in the one are places in the other.
    folded = fold and text.isascii()
    searched = text.lower() if folded else text
    stretches = _stretches(terms)
    words = ["".join(term.char for term in stretch) if plain else "" for plain, stretch in stretches]
    wanted = [word.lower() if folded else word for word in words]
    absent = [number for number, word in enumerate(wanted) if word and word not in searched]
    if len(absent) > MISSPELT:
        return terms, 0
    made = [stretch for _, stretch in stretches]
    distance = 0
    for number in absent:
        found = typo.nearest(wanted[number], searched)
        mended = text[found.start : found.end] if found is not None else ""
        # What only lacks an end of the word is a part of the pattern, and offered as such.
        if found is not None and mended not in words[number]:
            made[number] = chars(mended)
            distance += found.distance
    return tuple(term for stretch in made for term in stretch), distance


def _stretches(terms: Terms) -> list[tuple[bool, Terms]]:
    """The terms in stretches of plain characters of one line (True), and all others one by one."""
    stretches: list[tuple[bool, Terms]] = []
    position = 0
    while position < len(terms):
        end = position
        while end < len(terms) and terms[end].is_char() and terms[end].char != "\n":
            end += 1
        stretches.append((end > position, terms[position : max(end, position + 1)]))
        position = max(end, position + 1)
    return stretches
