"""Trials whose diff is not where it should be: sidecars of all kinds, and turn diffs of the wrong shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.tools.samples.agent import Json
from tests.tools.samples.hostile import diffs
from tests.tools.samples.hostile.records import EMPTY, contains, trial
from tests.tools.samples.run import Files, Link
from tests.tools.samples.vally import Say

_RETRY = [contains("retry")]


def sidecars() -> Files:
    """The files in diffs/; two of them are links, one of which leads out of the run."""
    plain = diffs.plain().encode()
    return {
        "diffs/plain.diff": plain,
        "diffs/link-inside.diff": Link("plain.diff"),
        "diffs/link-outside.diff": Link("../../quickstart/eval.yaml"),
        "diffs/latin-1.diff": diffs.latin_1(),
        "diffs/bom.diff": b"\xef\xbb\xbf" + plain,
        "diffs/utf-16.diff": diffs.plain().encode("utf-16"),
        "diffs/empty.diff": b"",
    }


def trials() -> list[Json]:
    """One trial a way of keeping a diff; Vally had the plain diff in each."""
    return [*_sidecars(), *_both(), *_turn_diffs()]


def _sidecars() -> list[Json]:
    paths: dict[str, Any] = {
        "sidecar-there": "diffs/plain.diff",
        "sidecar-with-backslash": "diffs\\plain.diff",
        "sidecar-link-inside": "diffs/link-inside.diff",
        "sidecar-link-outside": "diffs/link-outside.diff",
        "sidecar-above-the-run": "../quickstart/eval.yaml",
        "sidecar-above-with-backslash": "..\\quickstart\\eval.yaml",
        "sidecar-absolute": "/etc/hostname",
        "sidecar-on-a-drive": "C:\\Windows\\win.ini",
        "sidecar-on-a-share": "\\\\server\\share\\x.diff",
        "sidecar-gone": "diffs/gone.diff",
        "sidecar-is-a-folder": "diffs",
        "sidecar-below-a-file": "diffs/plain.diff/x.diff",
        "sidecar-without-name": "",
        "sidecar-with-nul": "diffs/pl\x00ain.diff",
        "sidecar-name-too-long": "diffs/" + "x" * 300 + ".diff",
        "sidecar-is-a-number": 12,
        "sidecar-is-results": "results.jsonl",
        "sidecar-not-utf-8": "diffs/latin-1.diff",
        "sidecar-with-bom": "diffs/bom.diff",
        "sidecar-utf-16": "diffs/utf-16.diff",
    }
    return [trial(name, _RETRY, judged=diffs.plain(), diffPath=path) for name, path in paths.items()]


def _both() -> list[Json]:
    plain = diffs.plain()
    return [
        trial("inline-and-sidecar-differ", [EMPTY, *_RETRY], diff="", diffPath="diffs/plain.diff"),
        trial("null-and-sidecar", _RETRY, judged=plain, diff=None, diffPath="diffs/plain.diff"),
        trial("number-and-sidecar", _RETRY, diff=12, diffPath="diffs/plain.diff"),
        trial("sidecar-is-empty", [EMPTY], judged="", diffPath="diffs/empty.diff"),
        trial("diff-is-a-list", _RETRY, diff=plain.split("\n")),
    ]


def _turn_diffs() -> list[Json]:
    plain = diffs.plain()
    good = {"turn": 0, "diff": plain}
    odd_numbers: list[Any] = [{"turn": turn, "diff": plain} for turn in (1.0, "0", True, -1)]
    outside = [{"turn": 0, "diffPath": "../quickstart/eval.yaml"}, {"turn": 1, "diffPath": "diffs/gone.diff"}]
    return [
        _conversation("turns-are-an-object", {"0": plain, "1": plain}, absent=(0, 1)),
        _conversation("turn-twice", [good, {"turn": 1, "diff": plain}, {"turn": 1, "diff": ""}], absent=(1,)),
        _conversation("turn-numbers", [*odd_numbers, {"diff": plain}], absent=(0,)),
        _conversation(
            "turns-failed",
            [{"turn": 0, "error": "git exited with 128"}, {"turn": 1, "status": "failed", "diff": plain}],
            absent=(0, 1),
        ),
        _conversation(
            "turns-malformed", [{"turn": 0}, {"turn": 1, "diff": ["retry"]}, None, 7, "retry"], absent=(0, 1)
        ),
        _conversation("turns-outside-and-gone", outside, absent=(0, 1)),
    ]


def _conversation(name: str, turn_diffs: Any, absent: Sequence[int]) -> Json:
    """A stimulus with two prompts and a grader for each; ``absent`` says which turns have no usable diff."""
    graders = [contains("retry", turn=0), contains("retry", turn=1)]
    said = {turn: Say(False, f"No diff is available for turn {turn} of this run.") for turn in absent}
    made = trial(name, graders, said=said, diff=diffs.plain(), turnDiffs=turn_diffs)
    stimulus = made["trajectory"]["stimulus"]
    del stimulus["prompt"]
    stimulus["turns"] = ["Add a retry.", "Is it there?"]
    return made
