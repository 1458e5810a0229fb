"""How much of a pattern is found: its longest beginning, its longest end, its longest word. Asks the engine in few batches.

It rests on this: where a beginning of a sequence is found, every shorter beginning of it is found too.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.pattern import Pattern, regex
from vally_tui.triage.explain.probe import Probe
from vally_tui.triage.explain.soften import Form
from vally_tui.triage.regex_syntax import Kind, Term, Terms, chars, is_word, weight, written

_PROBES = 9
"""Cuts that are tried in one batch."""
_ALTERNATIVES = 6
"""Alternatives that are looked into."""
_DEPTH = 4
"""Groups inside groups that are looked into."""
_SHORTEST_WORD = 3
_PART_OF_WORD = 4
"""Characters of a word that are near enough to the whole of it."""


class Part(Struct, frozen=True):
    """A part of a pattern that is found."""

    form: Form
    wants: str = ""
    """The next piece of the pattern, for a beginning: a word, blanks, a character, a class; with its quantifier."""


def pattern_of(form: Form) -> Pattern:
    """The form as the engine takes it."""
    return regex(form.whole)


def longest_beginning(form: Form, probe: Probe, key: Hashable) -> Part | None:
    """The longest beginning of a pattern that is found; None where nothing telling is."""
    found = _Beginnings(form.flags, probe, key)
    parts = [found.longest(terms, lambda inner: inner, _DEPTH) for terms in form.syntax[:_ALTERNATIVES]]
    best = max(parts, key=lambda part: weight(part.form.syntax))
    return best if weight(best.form.syntax) else None


class _Beginnings:
    """Looks for beginnings in one text."""

    def __init__(self, flags: str, probe: Probe, key: Hashable) -> None:
        self._flags = flags
        self._probe = probe
        self._key = key

    def longest(self, terms: Terms, around: Callable[[Terms], Terms], depth: int) -> Part:
        """The longest beginning of ``terms`` that is found; ``around`` puts what stands before it, and groups, around it."""

        def form(cut: int) -> Form:
            return Form((around(terms[:cut]),), self._flags)

        cut = _at_word(terms, _most(len(terms), lambda cuts: self._found(map(form, cuts))))
        inside = self._inside(terms, cut, around, depth) if cut < len(terms) and depth else None
        return inside or Part(form(cut), _next_piece(terms, cut) if cut < len(terms) else "")

    def _inside(self, terms: Terms, cut: int, around: Callable[[Terms], Terms], depth: int) -> Part | None:
        """The longest beginning that ends inside the group at ``cut``; None where none reaches into it."""
        group = terms[cut]
        if not group.options or not group.least or group.source in ("(?!", "(?<!", "(?<="):
            return None

        def within(inner: Terms) -> Terms:
            return around((*terms[:cut], replace(group, options=(inner,), quantifier="")))

        before = weight((around(terms[:cut]),))
        parts = [self.longest(option, within, depth - 1) for option in group.options[:_ALTERNATIVES]]
        telling = [part for part in parts if part.wants and weight(part.form.syntax) > before]
        return max(telling, key=lambda part: weight(part.form.syntax), default=None)

    def _found(self, forms: Iterable[Form]) -> list[bool]:
        return self._probe.found([pattern_of(form) for form in forms], self._key)


def _most(total: int, found: Callable[[Sequence[int]], Sequence[bool]]) -> int:
    """The largest number up to ``total`` that ``found`` says yes to, where it says yes to all smaller ones and to 0."""
    low, high = 0, total + 1
    while high - low > 1:
        step = max((high - low) // (_PROBES + 1), 1)
        cuts = list(range(low + step, high, step))[:_PROBES]
        for cut, is_found in zip(cuts, found(cuts), strict=True):
            if not is_found:
                high = cut
                break
            low = cut
    return low


def _at_word(terms: Terms, cut: int) -> int:
    """A cut that does not leave only a scrap of a word."""
    if not _splits_word(terms, cut):
        return cut
    start = cut
    while start and terms[start - 1].is_char() and is_word(terms[start - 1].char):
        start -= 1
    return cut if cut - start >= _PART_OF_WORD else start


def _splits_word(terms: Terms, cut: int) -> bool:
    return 0 < cut < len(terms) and all(term.is_char() and is_word(term.char) for term in terms[cut - 1 : cut + 1])


def _next_piece(terms: Terms, cut: int) -> str:
    """What a pattern wants behind a cut: a whole word, or one term."""
    end = cut
    for belongs in (is_word, str.isspace):
        while end < len(terms) and terms[end].is_char() and belongs(terms[end].char):
            end += 1
        if end > cut:
            break
    return written((terms[cut : max(end, cut + 1)],))


def longest_end(form: Form, probe: Probe, key: Hashable) -> Part | None:
    """The longest end of a pattern that is found, beginning at a whole word; None where nothing telling is."""
    if len(form.syntax) != 1:
        return None
    terms = form.syntax[0]

    def found(lengths: Sequence[int]) -> list[bool]:
        ends = [Form((terms[len(terms) - length :],), form.flags) for length in lengths]
        return probe.found([pattern_of(end) for end in ends], key)

    start = len(terms) - _most(len(terms), found)
    while _splits_word(terms, start) or (start < len(terms) and _tells_nothing(terms[start])):
        start += 1
    part = Form((terms[start:],), form.flags)
    return Part(part) if 0 < start < len(terms) and weight(part.syntax) >= _SHORTEST_WORD else None


def _tells_nothing(term: Term) -> bool:
    return term.least == 0 or term.is_char(" \t\r\n") or term.kind in (Kind.END, Kind.LOOK)


def longest_word(form: Form, probe: Probe, key: Hashable) -> Part | None:
    """The longest word of a pattern that is found as a whole; None where none is."""
    words = sorted({word for terms in form.syntax for word in _words(terms)}, key=lambda word: (-len(word), word))[:12]
    parts = [Form((chars(word),), form.flags.replace("m", "").replace("s", "")) for word in words]
    found = probe.found([pattern_of(part) for part in parts], key) if parts else []
    return next((Part(part) for part, is_found in zip(parts, found, strict=True) if is_found), None)


def _words(terms: Terms) -> list[str]:
    words, word = [], ""
    for term in terms:
        if term.is_char() and is_word(term.char):
            word += term.char
            continue
        words.append(word)
        word = ""
        for option in term.options if term.least and not term.source.startswith(("(?!", "(?<!")) else ():
            words += _words(option)
    words.append(word)
    return [word for word in words if len(word) >= _SHORTEST_WORD and not word.isdigit()]
