"""Patterns that ask for less than what was written: only added lines, no headers, whole words, other folders. Pure."""

from __future__ import annotations

from msgspec import Struct

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Question
from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pattern import Pattern, regex
from vally_tui.triage.explain.configs import with_pattern
from vally_tui.triage.explain.ground import Ground
from vally_tui.triage.explain.soften import Form, form_of
from vally_tui.triage.regex_syntax import Kind, escape, is_word, parse, written

_ADDED = r"^\+(?!\+\+ )"
"""The beginning of an added line that is no header of a file; a line of code that begins with ``++ `` is taken for one."""
_CODE = r"^[+-](?![+-]{2} )"
_FOLDERS = 3
_ASIDE = ("test", "spec", "doc", "example", "fixture", "__tests__")


class Proposal(Struct, frozen=True):
    """A pattern that asks for less."""

    code: str
    label: str
    config: GraderConfig
    pattern: Pattern


def sharper(
    config: GraderConfig, question: Question, ground: Ground, classes: frozenset[LineKind]
) -> tuple[Proposal, ...]:
    """What may have been meant by a pattern that was found in these classes of line."""
    form = None if question.pattern is None else form_of(question.pattern)
    if form is None or not ground.is_diff:
        return ()
    made = [("only-added", "only added lines", scoped(form, _ADDED))]
    if question.wants_match and LineKind.REMOVED in classes:
        made.append(("only-code", "only code, no headers", scoped(form, _CODE)))
    if not question.wants_match:
        made.append(("whole-word", "only the whole word", _whole_words(form)))
        made += [
            ("not-in-folder", f"leave {folder} out", _outside_of(form, folder))
            for folder in _folders(ground)[:_FOLDERS]
        ]
    return tuple(
        Proposal(code, label, with_pattern(config, changed.whole), regex(changed.whole))
        for code, label, changed in made
        if changed is not None and changed.source != form.source
    )


def scoped(form: Form, line: str) -> Form | None:
    """The pattern behind the beginning of a line, which ``line`` tells; None where it names the line's beginning itself."""
    if len(form.syntax) == 1 and form.syntax[0][:1] and form.syntax[0][0].kind is Kind.START:
        return _signed(form, line)
    if any(term.kind is Kind.START for terms in form.syntax for term in terms):
        return None
    flags = _with(form.flags, "m")
    between = "[^\\n]*" if "s" in flags else ".*"
    return _parsed(f"{line}{between}{_grouped(form)}", flags)


def _signed(form: Form, line: str) -> Form | None:
    """A pattern that begins with ``^\\+`` or ``^[+-]``, without the headers of files."""
    terms = form.syntax[0]
    if len(terms) > 2 and (terms[1].is_char("+") or (terms[1].kind is Kind.SET and "+" in terms[1].source)):
        if terms[2].is_char("+"):
            return None
        return _parsed(line + written((terms[2:],)), _with(form.flags, "m"))
    return None


def _whole_words(form: Form) -> Form | None:
    """The pattern between word boundaries, where its ends are letters."""
    if len(form.syntax) != 1 or not form.syntax[0]:
        return None
    terms = form.syntax[0]
    first, last = terms[0].is_char() and is_word(terms[0].char), terms[-1].is_char() and is_word(terms[-1].char)
    if not (first or last):
        return None
    return _parsed(("\\b" if first else "") + written((terms,)) + ("\\b" if last else ""), form.flags)


def _outside_of(form: Form, folder: str) -> Form | None:
    """The pattern in an added line of any file that is not below ``folder``."""
    added = scoped(form, _ADDED)
    if added is None:
        return None
    until = r"(?:(?!^diff --git )[^])*?"
    return _parsed(f'^diff --git "?a/(?!{escape(folder)}){until}{added.source}', added.flags)


def _folders(ground: Ground) -> list[str]:
    """The outermost folders of changed files that a restraint may not be about: tests, documents, examples."""
    tops = {path.split("/")[0] + "/" for file in ground.index.files if (path := file.path) and "/" in path}
    return sorted(top for top in tops if top.lower().startswith(_ASIDE))


def _grouped(form: Form) -> str:
    return form.source if len(form.syntax) == 1 else f"(?:{form.source})"


def _with(flags: str, letter: str) -> str:
    return flags if letter in flags else flags + letter


def _parsed(source: str, flags: str) -> Form | None:
    syntax = parse(source)
    return None if syntax is None else Form(syntax, flags)
