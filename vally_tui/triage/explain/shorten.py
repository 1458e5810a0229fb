"""How much of a pattern is found: its longest beginning, its longest end, its longest word. Asks the engine in few batches.

It rests on this: where a beginning of a sequence is found, every shorter beginning of it is found too.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from vally_tui.grading.pattern import Pattern, regex
from vally_tui.triage.explain.probe import Probe
from vally_tui.triage.explain.soften import Form
from vally_tui.triage.regex_syntax import Kind, Syntax, Term, Terms, chars, is_word, weight, written

_PROBES = 9
"""Cuts that are tried in one batch."""
_ALTERNATIVES = 6
"""Alternatives that are looked into."""
_DEPTH = 4
"""Groups inside groups that are looked into."""
_SHORTEST_WORD = 3
_PART_OF_WORD = 4
"""Characters of a word that are near enough to the whole of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pattern that is found."""

    form: Form
    wants: str = ""
    """The next piece of the pattern, for a beginning: a word, blanks, a character, a class; with its quantifier."""


def pattern_of(form: Form) -> Pattern:
    """The form as the engine takes it."""
    return regex(form.whole)


def longest_beginning(form: Form, probe: Probe, key: Hashable) -> Part | None:
    """The longest beginning of a pattern that is found; None where nothing telling is."""
    best: Part | None = None
    for terms in form.syntax[:_ALTERNATIVES]:
        part = _beginning(terms, form.flags, probe, key)
        if weight(part.form.syntax) and (best is None or weight(part.form.syntax) > weight(best.form.syntax)):
            best = part
    return best


def _beginning(terms: Terms, flags: str, probe: Probe, key: Hashable) -> Part:
    cut = _longest(terms, (), flags, probe, key)
    cut, rest = _at_word(terms, cut), terms[cut:]
    inside = _inside(terms, cut, flags, probe, key)
    if inside is not None:
        return inside
    return Part(Form((terms[:cut],), flags), _next_piece(terms, cut) if rest else "")


def _longest(terms: Terms, before: Terms, flags: str, probe: Probe, key: Hashable) -> int:
    """How many terms are found behind ``before``, which is found."""
    low, high = 0, len(terms) + 1
    while high - low > 1:
        step = max((high - low) // (_PROBES + 1), 1)
        cuts = list(range(low + step, high, step))[:_PROBES]
        found = probe.found([pattern_of(Form(((*before, *terms[:cut]),), flags)) for cut in cuts], key)
        for cut, is_found in zip(cuts, found, strict=True):
            if not is_found:
                high = cut
                break
            low = cut
    return low


def _inside(terms: Terms, cut: int, flags: str, probe: Probe, key: Hashable) -> Part | None:
    """The longest beginning that ends inside the group at ``cut``."""
    path: Terms = terms[:cut]
    group = terms[cut] if cut < len(terms) else None
    opened: list[Term] = []
    wants = ""
    for _ in range(_DEPTH):
        if group is None or not _can_be_entered(group):
            break
        best: tuple[int, int, Terms] | None = None
        for option in group.options[:_ALTERNATIVES]:
            length = _longest_in(option, path, (*opened, group), flags, probe, key)
            length = _at_word(option, length)
            told = weight((option[:length],))
            if best is None or told > best[0]:
                best = told, length, option
        if best is None or not best[0]:
            break
        _, length, option = best
        wants = _next_piece(option, length)
        opened.append(replace(group, options=(option[:length],), quantifier=""))
        group = option[length] if length < len(option) else None
        if length == len(option):
            break
    return Part(Form((_nested(path, opened),), flags), wants) if opened and wants else None


def _can_be_entered(term: Term) -> bool:
    return bool(term.options) and term.least > 0 and not term.source.startswith(("(?!", "(?<"))


def _longest_in(option: Terms, path: Terms, opened: Sequence[Term], flags: str, probe: Probe, key: Hashable) -> int:
    """Like ``_longest``, inside groups that are not closed yet: each beginning closes them."""
    low, high = 0, len(option) + 1
    while high - low > 1:
        step = max((high - low) // (_PROBES + 1), 1)
        cuts = list(range(low + step, high, step))[:_PROBES]
        forms = [
            Form((_nested(path, [*opened[:-1], replace(opened[-1], options=(option[:cut],), quantifier="")]),), flags)
            for cut in cuts
        ]
        found = probe.found([pattern_of(form) for form in forms], key)
        for cut, is_found in zip(cuts, found, strict=True):
            if not is_found:
                high = cut
                break
            low = cut
    return low


def _nested(path: Terms, opened: Sequence[Term]) -> Terms:
    """``path``, then each opened group inside the one before it, at its end."""
    inner: Terms = ()
    for group in reversed(opened):
        inner = (replace(group, options=((*group.options[0], *inner),)),)
    return (*path, *inner)


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
    low, high = 0, len(terms) + 1
    while high - low > 1:
        step = max((high - low) // (_PROBES + 1), 1)
        cuts = list(range(low + step, high, step))[:_PROBES]
        found = probe.found([pattern_of(Form((terms[len(terms) - cut :],), form.flags)) for cut in cuts], key)
        for cut, is_found in zip(cuts, found, strict=True):
            if not is_found:
                high = cut
                break
            low = cut
    start = len(terms) - low
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


def all_beginnings(syntax: Syntax) -> list[str]:
    """Every beginning of each alternative, at the outermost level."""
    return [written((terms[:cut],)) for terms in syntax for cut in range(len(terms) + 1)]
