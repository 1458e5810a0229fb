"""What a pattern says by its syntax alone: that it can never match, what it aims at, what makes it slow. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vally_tui.diffs.model import LineKind
from vally_tui.triage.explain.soften import Form
from vally_tui.triage.regex_syntax import Kind, Syntax, Term, Terms, is_word, walk

_OPENERS = (
    *("diff --git ", "diff --cc ", "diff --combined ", "--- ", "@@ "),
    *("Binary files ", "Submodule ", "* Unmerged path "),
)
"""What the text of a diff begins with."""
_ROWS = (
    *_OPENERS,
    *(
        "+",
        "-",
        " ",
        "\\ No newline",
        "@@@ ",
        "index ",
        "new file mode ",
        "deleted file mode ",
        "old mode ",
        "new mode ",
    ),
    *("similarity index ", "dissimilarity index ", "rename from ", "rename to ", "copy from ", "copy to "),
    *("GIT binary patch", "literal ", "delta ", "mode "),
)
"""What a row of git's diff begins with."""
_HEADER = re.compile(
    r"diff --|\+\+\+ |--- |rename (?:from|to) |copy (?:from|to) |(?:new|deleted) file|(?:old|new) mode|index [0-9a-f]|"
    r"similarity index|Binary files|GIT binary patch|Submodule "
)


def never_matches(form: Form) -> str | None:
    """Why a pattern can be found in no diff at all, in one sentence; None where nothing says so."""
    reasons = [_never(terms, form.flags) for terms in form.syntax]
    return reasons[0] if reasons and all(reasons) else None


def _never(terms: Terms, flags: str) -> str | None:
    for position, term in enumerate(terms):
        if term.kind is Kind.START and "m" not in flags and _consumes(terms[:position]):
            return "^ without (?m) is only the very beginning of the diff, and something must stand before it"
        if term.kind is Kind.END and "m" not in flags and _consumes(terms[position + 1 :]):
            return "$ without (?m) is only the very end of the diff, and something must stand behind it"
    if not terms or terms[0].kind is not Kind.START:
        return None
    begins = _first_text(terms[1:], flags)
    if begins is None:
        return None
    fold = str.lower if "i" in flags else str
    rows = [fold(row) for row in (_ROWS if "m" in flags else _OPENERS)]
    if any(row.startswith(fold(begins)) or fold(begins).startswith(row) for row in rows):
        return None
    if "m" in flags:
        return f"no line of a diff begins with {begins!r}: lines of code begin with +, - or a blank"
    return f"^ without (?m) is only the very beginning of the diff, which is never {begins!r}"


def _consumes(terms: Terms) -> bool:
    """Whether something must be matched there."""
    return any(term.least and (term.kind in (Kind.CHAR, Kind.DOT, Kind.SET)) for term in terms)


def _first_text(terms: Terms, flags: str) -> str | None:
    """The plain text that a match must begin with, blanks that may stand before it left out; None where there is none."""
    position = 0
    while position < len(terms) and terms[position].source == r"\s" and terms[position].least == 0 and "m" not in flags:
        position += 1
    text = ""
    while position < len(terms) and terms[position].kind is Kind.CHAR and terms[position].least:
        text += terms[position].char
        if terms[position].quantifier:
            break
        position += 1
    return text or None


def aims(form: Form | None, literal: str | None = None) -> frozenset[LineKind]:
    """The classes of line other than added ones that a pattern names by their syntax, so that finding it there is meant."""
    if form is None:
        return frozenset()
    text = literal if literal is not None else " ".join(_literals(form.syntax))
    kinds = set()
    if _HEADER.search(text):
        kinds.add(LineKind.HEADER)
        kinds.add(LineKind.BINARY)
    if "@@" in text:
        kinds |= {LineKind.HUNK_HEADER, LineKind.SECTION}
    for terms in form.syntax:
        kinds |= _aims_by_sign(terms)
    return frozenset(kinds)


def _literals(syntax: Syntax) -> Iterator[str]:
    """The stretches of plain text, groups included."""
    for terms in syntax:
        text = ""
        for term in terms:
            if term.kind is Kind.CHAR:
                text += term.char
            else:
                yield text
                text = ""
                yield from _literals(term.options)
        yield text


def _aims_by_sign(terms: Terms) -> set[LineKind]:
    kinds: set[LineKind] = set()
    for position, term in enumerate(terms):
        before = terms[position - 1] if position else None
        if before is not None and before.kind is not Kind.START and not before.is_char("\n"):
            continue
        if before is None and not term.is_char("-"):
            continue
        if term.is_char("-") or (term.kind is Kind.SET and "-" in term.source):
            kinds.add(LineKind.REMOVED)
        if before is not None and (term.is_char(" ") or (term.kind is Kind.SET and " " in term.source)):
            kinds.add(LineKind.CONTEXT)
    return kinds


def anchors_without_m(form: Form) -> str | None:
    """ "^", "$" or "^ and $" where they stand without ``(?m)``; None where they do not."""
    if "m" in form.flags:
        return None
    kinds = {term.kind for term in walk(form.syntax)}
    used = [sign for sign, kind in (("^", Kind.START), ("$", Kind.END)) if kind in kinds]
    return " and ".join(used) or None


def path_dots(form: Form) -> tuple[str, ...]:
    """Pieces that look like a path or a file name with an unescaped dot, such as ``calc.py``."""
    found = []
    for terms in _sequences(form.syntax):
        for position, term in enumerate(terms):
            if term.kind is Kind.DOT and term.single and _in_file_name(terms, position):
                found.append(_around(terms, position))
    return tuple(dict.fromkeys(found))


_SUFFIXES = frozenset(
    re.findall(
        r"\w+",
        "c cc cpp cs css csproj go h html ini java js json jsx kt lock lua md mjs php py pyi rb rs sh sln sql swift tf toml "
        "ts tsx txt vue xml yaml yml env cfg bicep ps1 razor",
    )
)


def _in_file_name(terms: Terms, position: int) -> bool:
    before = position and terms[position - 1].is_char() and is_word(terms[position - 1].char)
    suffix = ""
    for term in terms[position + 1 :]:
        if not (term.is_char() and is_word(term.char)):
            break
        suffix += term.char
    return bool(before) and suffix in _SUFFIXES


def _around(terms: Terms, position: int) -> str:
    start = position
    while start and terms[start - 1].is_char() and (is_word(terms[start - 1].char) or terms[start - 1].char in "/-"):
        start -= 1
    end = position + 1
    while end < len(terms) and terms[end].is_char() and is_word(terms[end].char):
        end += 1
    return "".join(term.text for term in terms[start:end])


def _sequences(syntax: Syntax) -> Iterator[Terms]:
    for terms in syntax:
        yield terms
        for term in terms:
            yield from _sequences(term.options)


def dots_stop_at_lines(form: Form) -> bool:
    """Whether ``.*`` stands beside a written line end, or between anchors of a file's header and its code, without ``s``."""
    if "s" in form.flags:
        return False
    for terms in _sequences(form.syntax):
        for position, term in enumerate(terms):
            if term.kind is Kind.DOT and term.most is None:
                before = "".join(other.char for other in terms[:position] if other.kind is Kind.CHAR)
                behind = "".join(other.char for other in terms[position + 1 :] if other.kind is Kind.CHAR)
                if _HEADER.search(before) and _beyond_header(behind, terms[position + 1 :]):
                    return True
    return False


def _beyond_header(text: str, terms: Terms) -> bool:
    """Whether what follows can only stand in another row than the header."""
    signed = any(
        term.kind is Kind.START or (term.is_char("+") and position and terms[position - 1].is_char("\n"))
        for position, term in enumerate(terms)
    )
    return bool(signed) and "\n" not in text


def slow_shape(form: Form) -> str | None:
    """The repeated group that can take exponential time, as written: ``(a+)+`` and its kin; None where there is none."""
    for term in walk(form.syntax):
        if term.most is not None and term.most < 10:
            continue
        if any(_repeats_inside(option) for option in term.options) or _same_start(term):
            return term.text
    return None


def _repeats_inside(terms: Terms) -> bool:
    """Whether a repetition is all that an iteration must hold, so that one text can be cut up in many ways."""
    needed = [term for term in terms if term.least or term.most is None]
    if len(needed) != 1:
        return False
    only = needed[0]
    if only.most is None:
        return True
    return only.kind is Kind.GROUP and any(_repeats_inside(option) for option in only.options)


def _same_start(term: Term) -> bool:
    """Whether two alternatives of a repeated group take the same character: ``(a|a)*`` and ``(.|a)*``, not ``(.|\\n)*``."""
    singles = [option[0].text for option in term.options if len(option) == 1 and option[0].single]
    kinds = {option[0].kind for option in term.options if len(option) == 1 and option[0].single}
    if len(singles) != len(set(singles)):
        return True
    letters = {option[0].char for option in term.options if len(option) == 1 and option[0].kind is Kind.CHAR}
    return Kind.DOT in kinds and bool(letters - {"\n", "\r"})
