"""Trials whose diffs, names and outputs are hard to read, to draw and to match in."""

from __future__ import annotations

from tests.tools.samples.agent import Json
from tests.tools.samples.hostile import diffs
from tests.tools.samples.hostile.records import EMPTY, contains, lacks, literal, trial
from tests.tools.samples.vally import Say

_BANNER: dict[str, str | bytes] = {"src/banner.py": "# banners\n"}


def _added(text: str) -> str:
    return diffs.of(_BANNER, {"src/banner.py": f"# banners\n{text}"})


def trials() -> list[Json]:
    """One trial a kind of text."""
    return [*_drawn(), *_cut(), *_files(), *_odd_diffs()]


def _drawn() -> list[Json]:
    return [
        trial(
            "escape-sequences",
            [contains(r"\x1b\["), literal("\x1b]0;"), lacks(r"\x07", name="no-bell"), contains("\x9b")],
            diff=_added(diffs.ESCAPES),
            output="\x1b]0;owned\x07 Done.\x1b[8m hidden\x1b[0m \x00 \x9b2J",
        ),
        trial(
            "bidi-and-invisible",
            [contains(r"[\u202a-\u202e]"), lacks("\u200b"), contains(r"(?i)admin\b")],
            diff=_added(diffs.BIDI),
        ),
        trial(
            "[bold red]looks like markup[/]",
            [contains(r"\[/\]"), literal("[00]"), lacks("z [b")],
            diff=_added(diffs.MARKUP),
            model="[red]gpt[/red]",
        ),
        trial(
            "lone-surrogates \udcb2",
            [literal("\ud83c"), contains("party\udcb2"), contains(r"\ud83c\udf89"), lacks(r"\udcb2")],
            diff=_added('party = "🎉"\n').replace("party", "party\udcb2"),
            output="half an emoji: \ud83d",
        ),
        trial(
            "tabs-and-wide",
            [contains(r"(?m)^\+\tone"), contains("四$"), contains("(?m)十$"), contains("^.$")],
            diff=_added(diffs.WIDE),
        ),
    ]


def _cut() -> list[Json]:
    return [
        trial(
            "line-separators",
            [
                contains("(?m)^carriage return$"),
                contains(r"(?m)newline\r$"),
                contains("next.line"),
                contains("line.separator"),
                contains(r"end\n\\ No newline"),
            ],
            diff=_added(diffs.SEPARATORS),
        ),
        trial("long-line", [literal('needle("at the end")'), contains(r"(?m)^\+.*;$")], diff=_added(diffs.MINIFIED)),
        trial(
            "content-like-headers",
            [contains("(?m)^--- old sql$"), contains("(?m)^diff --git a/x b/x$"), contains("(?m)^@@ -1 \\+1 @@$")],
            diff=diffs.headers_as_content(),
        ),
    ]


def _files() -> list[Json]:
    return [
        trial(
            "odd-paths",
            [
                contains("party"),
                contains("说明"),
                contains(r"\\350\\257\\264"),
                lacks(r"(?m)^diff --git a/src b/x b/y\.py b/src b/x b/y\.py$"),
            ],
            diff=diffs.of({"keep": ""}, diffs.PATHS),
        ),
        trial(
            "renames-and-modes",
            [contains("(?m)^similarity index 100%$"), contains("(?m)^new mode 100755$"), lacks("(?m)^deleted file")],
            diff=diffs.shapes(),
        ),
        trial(
            "binary-patch", [contains("GIT binary patch"), lacks("(?m)^Binary files")], diff=diffs.binary("--binary")
        ),
        trial("binary-notice", [contains("GIT binary patch"), contains("(?m)^Binary files")], diff=diffs.binary()),
        trial("combined-diff", [contains("(?m)^@@@ "), contains(r"(?m)^\+\+<<<<<<<")], diff=diffs.combined()),
    ]


def _odd_diffs() -> list[Json]:
    plain = diffs.plain()
    return [
        trial("empty-diff", [EMPTY, contains("retry"), lacks("retry")], diff=""),
        trial("blank-diff", [EMPTY, contains(r"^\s+$")], diff=" \n\t\n"),
        trial("coloured-diff", [contains(r"(?m)^\+.*retry"), contains("retry")], diff=diffs.coloured()),
        trial("cut-diff", [contains("def run"), contains("retry")], diff=plain[: plain.index("retry")]),
        trial("wrong-counts", [contains("retry")], diff=plain.replace("@@ -1,2 +1,2 @@", "@@ -1,9 +1,1 @@")),
        trial(
            "no-diff-at-all",
            [contains("retry"), EMPTY],
            diff="I have added a retry to app.py.\nNothing else changed.\n",
        ),
        trial(
            "windows-line-ends",
            [contains("(?m)retry\\(\\)$"), contains("(?m)retry\\(\\)\\r$")],
            diff=plain.replace("\n", "\r\n"),
        ),
        trial(
            "verdicts-have-drifted",
            [contains("never there"), contains("retry"), contains("def run")],
            said={
                0: Say(True, "Pattern /never there/ found in workspace diff"),
                1: Say(False, "Pattern /retry/ not found in workspace diff"),
            },
            diff=plain,
        ),
    ]
