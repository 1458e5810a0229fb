"""Why a pattern is not found: the smallest changes with which it would be, tried in the engine, and what was of no help."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent
from vally_tui.grading.pattern import Outcome, Pattern
from vally_tui.triage.explain.candidates import TYPO_COST, Candidate, Candidates, distinct
from vally_tui.triage.explain.ground import Ground
from vally_tui.triage.explain.model import Choice, Explained, Finding, Near
from vally_tui.triage.explain.probe import RESERVE, Probe
from vally_tui.triage.explain.readings import Reading
from vally_tui.triage.explain.shape import never_matches
from vally_tui.triage.explain.shorten import Part, longest_beginning, longest_end, longest_word, pattern_of
from vally_tui.triage.explain.soften import TRIED, Form, Soft, soften
from vally_tui.triage.regex_syntax import is_word, weight

CHOICES = 6
"""Choices that are offered at most."""
SPOTS = 3
"""Places that are shown of each."""
_PLACES = 40
"""Places of a beginning among which the nearest is looked for."""
_TELLING = 3
"""Letters of a part of a pattern from which on it says something."""
_FLAGS = {Soft.CASE: "i", Soft.LINES: "m", Soft.DOTALL: "s"}


class WhyNot(Struct, frozen=True):
    """What was found out."""

    findings: tuple[Finding, ...]
    choices: tuple[Choice, ...]
    in_vain: tuple[str, ...]
    near: Near | None


class Search:
    """One search for what would help; its parts are asked once, in the order of need."""

    def __init__(self, subject: Explained, question: Question, ground: Ground, probe: Probe) -> None:
        self._subject = subject
        self._question = question
        self._ground = ground
        self._probe = probe
        self._make = Candidates(subject.config, question, ground.key)
        self._refuted: set[tuple[Pattern, EvidenceKey]] = set()
        """What was looked for and is certainly not there."""
        self._began = False
        self._beginning: Part | None = None

    def all(self) -> WhyNot:
        """Everything that helps, and what does not."""
        stop = self._stop()
        singles = self._singles()
        helping = self._helping(singles)
        own = [candidate for candidate in helping if candidate.key == self._ground.key]
        helping += self._combined() if not own else []
        respelt = self._helping(self._make.respelt(self._ground.text))
        chosen = distinct([*helping, *respelt, *self._parts()])[:CHOICES]
        choices = self._measured(chosen)
        near = _nearest(stop if self._is_near(stop) else None, chosen, choices)
        return WhyNot(self._findings(stop, choices), tuple(choices), self._in_vain(singles, helping), near)

    def near(self) -> Near | None:
        """Only where it was nearly found, in few searches."""
        stop = self._stop()
        helping = distinct(self._helping(self._singles()))[:1]
        return _nearest(stop if self._is_near(stop) else None, helping, self._measured(helping))

    # What is tried

    def _singles(self) -> list[Candidate]:
        return distinct(
            [
                *self._make.softened(),
                *self._make.read(),
                *self._make.elsewhere(self._other_evidence()),
                *self._make.in_messages(),
            ]
        )

    def _other_evidence(self) -> list[int | None]:
        turn = self._question.turn
        if turn is None:
            return []
        others: list[int | None] = [None, *(other for other in self._subject.turns if other != turn)]
        held = [other for other in others if not self._lacks(other)]
        same = turn == 0 and self._subject.single_turn
        return [] if same else held[:12]

    def _lacks(self, turn: int | None) -> bool:
        return isinstance(self._probe.evidence.holds(replace(self._ground.key, turn=turn)), Absent)

    def _helping(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those with which the pattern is found."""
        answers = (
            self._probe.ask([(candidate.pattern, candidate.key) for candidate in candidates]) if candidates else []
        )
        pairs = zip(candidates, answers, strict=True)
        found = []
        for candidate, answer in pairs:
            if answer.outcome is Outcome.FOUND:
                found.append(candidate)
            elif answer.outcome is Outcome.NOT_FOUND:
                self._refuted.add((candidate.pattern, candidate.key))
        self._probe.content |= bool(found)
        return found

    def _is_refuted(self, candidate: Candidate) -> bool:
        return (candidate.pattern, candidate.key) in self._refuted

    def _combined(self) -> list[Candidate]:
        """The fewest relaxations that help together, on what is written or another reading of it."""
        bases = self._make.bases()
        everything = [(base, self._make.softs_of(base)) for base in bases]
        candidates = [self._make.combined(softs, base) for base, softs in everything]
        found = self._helping(candidates)
        for (base, softs), candidate in zip(everything, candidates, strict=True):
            if candidate in found:
                return [self._fewest(base, softs)]
        return []

    def _fewest(self, base: Reading | None, softs: frozenset[Soft]) -> Candidate:
        """What is left when every relaxation is taken out that is not needed, the farthest-going first."""
        while True:
            smaller = [(softs - {soft}, self._make.combined(softs - {soft}, base)) for soft in softs]
            found = self._helping([candidate for _, candidate in smaller])
            kept = [pair for pair in smaller if pair[1] in found]
            if not kept:
                return self._make.combined(softs, base)
            softs = min(kept, key=lambda pair: pair[1].cost)[0]

    def _parts(self) -> list[Candidate]:
        """Parts of the pattern that are found; they say less than the whole."""
        form = self._make.form
        if form is None:
            return []
        parts = [
            ("end-earlier", "end earlier", self._first_part(form)),
            ("begin-later", "begin later", longest_end(form, self._probe, self._ground.key)),
            ("only-the-word", "only the word", longest_word(form, self._probe, self._ground.key)),
        ]
        return [
            self._make.part(code, label, part.form, extra)
            for extra, (code, label, part) in enumerate(parts)
            if part is not None and _tells(part)
        ]

    def _first_part(self, form: Form) -> Part | None:
        if not self._began:
            self._began = True
            self._beginning = longest_beginning(form, self._probe, self._ground.key)
            loose = soften(form, frozenset({Soft.CASE}))
            if not _tells(self._beginning) and loose != form:
                in_any_case = longest_beginning(loose, self._probe, self._ground.key)
                self._beginning = in_any_case if _tells(in_any_case) else self._beginning
        return self._beginning

    # What is said

    def _stop(self) -> Near | None:
        """The place up to which the pattern matches, where that is more than a scrap of it."""
        form = self._make.form
        part = self._first_part(form) if form is not None else None
        if form is None or part is None or not part.wants or not _tells(part):
            return None
        answer = self._probe.ask([(pattern_of(part.form), self._ground.key)], spans=_PLACES)[0]
        if not answer.spans:
            return None
        spots = [self._ground.spot(*span) for span in answer.spans]
        spot = next((spot for spot in spots if spot.kind is LineKind.ADDED), spots[0])
        finds = _piece(self._ground.text, spot.end)
        words = f"then {_named(finds)} instead of {_named(_readable(part.wants))}"
        upto = part.form.source if part.form.flags == form.flags else part.form.whole
        return Near(spot, words, part.wants, finds, upto)

    def _is_near(self, stop: Near | None) -> bool:
        """Whether a beginning says enough to be called near: our rule, a quarter of what the whole pattern says."""
        form, part = self._make.form, self._beginning
        if stop is None or form is None or part is None:
            return False
        return weight(part.form.syntax) * 4 >= weight(form.syntax)

    def _measured(self, candidates: Sequence[Candidate]) -> list[Choice]:
        """The candidates as choices, with their places; one that the engine does not confirm is left out."""
        answers = self._probe.ask(
            [(candidate.pattern, candidate.key) for candidate in candidates], spans=SPOTS, count=True, reserve=RESERVE
        )
        return [
            Choice(
                candidate.code,
                candidate.label,
                candidate.config,
                passes=True,
                wider=candidate.wider,
                count=answer.count,
                spots=tuple(self._ground_of(candidate.key).spot(*span) for span in answer.spans),
            )
            for candidate, answer in zip(candidates, answers, strict=True)
            if answer.outcome is Outcome.FOUND
        ]

    def _ground_of(self, key: EvidenceKey) -> Ground:
        return self._ground if key == self._ground.key else Ground(key, self._probe.evidence)

    def _findings(self, stop: Near | None, choices: Sequence[Choice]) -> tuple[Finding, ...]:
        findings = [Finding("not-found", self._nowhere())]
        reason = never_matches(self._make.form) if self._make.form is not None and self._ground.is_diff else None
        if reason is not None:
            findings.append(Finding("never-matches", f"It can match in no diff: {reason}."))
        if stop is not None:
            upto, wants, finds = one_line(stop.upto or ""), _named(stop.wants), _named(stop.finds)
            sentence = f"It matches up to {upto} in {stop.spot.place}, then wants {wants}, finds {finds}."
            findings.append(Finding("stops", sentence, stop.spot))
        about = (finding for choice in choices if (finding := _about_kind(choice)) is not None)
        findings += [finding for finding, _ in zip(about, range(1), strict=False)]
        if not choices and self._ground.text:
            findings.append(self._nothing_near())
        return tuple(findings)

    def _nothing_near(self) -> Finding:
        if self._probe.exhausted:
            return Finding("nothing-near-in-time", "Nothing near it was found in the time that there was.")
        return Finding("nothing-near", f"Nothing in this {self._question.subject} comes near it.")

    def _nowhere(self) -> str:
        assert self._question.pattern is not None
        name = named(self._question)
        if not self._ground.text:
            return f"{name} is not found: {the_text(self._question)} is empty."
        rows = self._ground.rows
        of = f"this {self._question.subject}" if self._question.turn is None else the_text(self._question)
        return f"{name} is nowhere in the {rows:,} line{'s' * (rows != 1)} of {of}."

    def _in_vain(self, tried: Sequence[Candidate], helped: Sequence[Candidate]) -> tuple[str, ...]:
        used = {code for candidate in helped for code in candidate.code.split("+")}
        softs = [
            soft
            for soft in self._make.softs
            if soft.name.lower() not in used and self._is_refuted(self._make.combined(frozenset({soft})))
        ]
        flags = [_FLAGS[soft] for soft in softs if soft in _FLAGS]
        words = [f"flag{'s' * (len(flags) > 1)} {', '.join(flags)}"] if flags else []
        words += [TRIED[soft] for soft in softs if soft not in _FLAGS]
        refuted = [candidate for candidate in tried if self._is_refuted(candidate)]
        words += [candidate.label for candidate in refuted if candidate.code in ("as-regex", "as-literal", "yaml-escape")
                  and candidate.code not in used]  # fmt: skip
        own = self._question.turn
        words += [f"{candidate.label} instead of turn {own}" for candidate in refuted
                  if candidate.code in ("whole-run", "other-turn")]  # fmt: skip
        return tuple(dict.fromkeys(words))


def named(question: Question) -> str:
    """The pattern as sentences name it."""
    pattern = question.pattern
    assert pattern is not None
    written = one_line(pattern.written)
    return f"/{written}/" if pattern.kind == "regex" else f'"{written}"'


def one_line(text: str) -> str:
    """A text whose line ends and tabs are written as in JavaScript."""
    return text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")


def the_text(question: Question) -> str:
    """The evidence as sentences name it."""
    return f"the {question.subject}" if question.turn is None else f"the {question.subject} of turn {question.turn}"


def _tells(part: Part | None) -> bool:
    """Whether a part is more than a scrap: three letters, our rule."""
    return part is not None and weight(part.form.syntax) >= _TELLING


def _nearest(stop: Near | None, candidates: Sequence[Candidate], choices: Sequence[Choice]) -> Near | None:
    """The place of the best choice in the words of how it differs, or where the pattern stops if that tells more."""
    best = next((candidate for candidate in candidates if choices and candidate.config == choices[0].config), None)
    if best is None or not best.near or not choices[0].spots:
        return stop
    exact = best.cost < TYPO_COST and best.code != "quotes"
    return stop if stop is not None and not exact else Near(choices[0].spots[0], best.near)


def _about_kind(choice: Choice) -> Finding | None:
    """Where a choice is only found in lines that the agent did not add."""
    if choice.code.split("+")[-1] not in ("sign", "anywhere") or not choice.spots:
        return None
    kinds = list(dict.fromkeys(spot.kind for spot in choice.spots))
    if LineKind.ADDED in kinds or (choice.count or 0) > len(choice.spots):
        return None
    where = " and ".join(f"{KIND_WORDS[kind]} lines" for kind in kinds)
    return Finding("other-lines", f"What it wants stands only in {where}.", choice.spots[0])


KIND_WORDS = {
    LineKind.ADDED: "added",
    LineKind.REMOVED: "removed",
    LineKind.CONTEXT: "unchanged",
    LineKind.HEADER: "header",
    LineKind.HUNK_HEADER: "@@",
    LineKind.SECTION: "section heading",
    LineKind.MARKER: "end-of-file marker",
    LineKind.BINARY: "binary",
    LineKind.OTHER: "text",
}
"""The classes of line in sentences."""


def _piece(text: str, offset: int) -> str:
    """What stands at an offset: a word, a run of blanks, or one character; empty at the end of the text."""
    end = offset
    while end < len(text) and end - offset < 40 and is_word(text[end]):
        end += 1
    if end == offset:
        while end < len(text) and end - offset < 40 and text[end] in " \t":
            end += 1
    return text[offset : max(end, offset + 1)]


def _named(piece: str | None) -> str:
    """A piece of the text or of a pattern, in a sentence."""
    if not piece:
        return "the end of the text"
    if piece in ("\n", "\\n", "\r", "\\r"):
        return "the end of the line"
    if piece.isspace():
        return "a blank" if len(piece) == 1 else f"{len(piece)} blanks"
    return one_line(piece)


def _readable(wants: str) -> str:
    """A piece of a pattern without the backslash that only keeps it from meaning something else."""
    return wants[1:] if len(wants) == 2 and wants[0] == "\\" and not wants[1].isalnum() else wants
