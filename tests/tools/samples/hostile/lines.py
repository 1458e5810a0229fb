"""Lines of results.jsonl that are no trial, or are one only in part: torn, malformed, mistyped, unknown, too deep."""

from __future__ import annotations

from tests.tools.samples.agent import Json
from tests.tools.samples.hostile import diffs
from tests.tools.samples.hostile.records import EVAL, EVAL_FILE, MODEL, contains, trial
from tests.tools.samples.run import line

BOM = b"\xef\xbb\xbf"
TORN = b'{"type":"trial-result","itemId":"' + EVAL_FILE.encode() + b"::main::gpt-5.1::still-being-writ"
"""The last line, without its end: Vally is still writing it."""


def between() -> list[bytes]:
    """What stands between the trials, in its order."""
    return [
        b"\n",
        b"   \t\n",
        b'{"type":"trial-result","itemId":"cut in the middle of the fi\n',
        b"2026-10-21 06:30:00 WARN not a record at all\n",
        b'[1,2,3]\n42\nnull\n"trial-result"\n',
        line({"type": "progress", "done": 3, "total": 40}),
        line({"type": "Trial-Result", "stimulus": "wrong-case"}),
        line({"type": 7}),
        line({"type": "\x1b[2J\x1b]0;owned\x07[red]unknown[/]"}),
        b"{}\n",
        b'{"type":"trial-result","durationMs":NaN}\n',
        b'{"type":"trial-result","stimulus":"caf\xe9","model":"not UTF-8","status":"success"}\n',
        b'{"type":"trial-result","stimulus":"first","stimulus":"key-twice","model":"gpt-5.1","status":"success"}\n',
        b'{"type":"trial-result","stimulus":"too-deep","status":"success","x":' + b"[" * 1_500 + b"]" * 1_500 + b"}\n",
        b'{"type":"trial-result","stimulus":"big-number","status":"success","durationMs":' + b"9" * 5_000 + b"}\n",
        b'{"type":"trial-result","stimulus":"infinite-score","status":"success",'
        b'"gradeResult":{"passed":true,"score":1e999,"details":[]}}\n',
        b'{"type":"trial-result","stimulus":"ends-with-cr","status":"success"}\r\n',
    ]


def mistyped() -> list[Json]:
    """Records in which every field has some wrong type, and ways in which a trial did not end well."""
    plain = diffs.plain()
    twice = trial("same-item-twice", [contains("retry")], diff=plain)
    return [
        {
            "type": "trial-result",
            "itemId": 17,
            "stimulus": ["a"],
            "model": None,
            "variant": {},
            "status": "flaky",
            "durationMs": "fast",
            "trialIndex": 1.5,
            "totalTrials": -1,
            "gradeResult": "passed",
            "trajectory": [],
        },
        _top(
            "half-mistyped",
            {
                "trajectory": {
                    "stimulus": {"name": 5, "prompt": 7, "graders": {}},
                    "events": "none",
                    "output": [],
                    "diff": 12,
                }
            },
        ),
        _top(
            "mistyped-details",
            {
                "gradeResult": {
                    "passed": "yes",
                    "score": "1",
                    "evidence": 3,
                    "details": [None, 3, {"name": 4, "passed": "true", "score": None}],
                }
            },
        ),
        _top(
            "mistyped-graders",
            {
                "trajectory": {
                    "stimulus": {"graders": [None, "diff-empty", {"type": 5}, {"type": "diff-empty", "name": 9}]},
                    "diff": "",
                }
            },
        ),
        _top("error-as-object", {"status": "error", "error": {"message": "The executor died.", "code": 137}}),
        _top("error-without-message", {"status": "error", "error": {"code": 137, "cause": ["\x1b[31m"]}}),
        _top("error-as-number", {"status": "error", "error": 5}),
        _top("error-with-lines", {"status": "error", "error": "Traceback:\n  line 1\n\x1b]0;owned\x07  line 2"}),
        _top("was-skipped", {"status": "skipped", "skipReason": "needs a network"}),
        _top("was-cancelled", {"status": "cancelled"}),
        twice,
        twice,
        {"status": "success", "trajectory": None, "gradeResult": None},
    ]


def _top(stimulus: str, more: Json) -> Json:
    head = {"type": "trial-result", "itemId": f"{EVAL_FILE}::main::{MODEL}::{stimulus}::trial-0"}
    return {**head, "evalName": EVAL, "stimulus": stimulus, "model": MODEL, "status": "success", **more}


def summaries() -> list[Json]:
    """A summary that cannot be read, and one that can; the last one counts."""
    one = {"name": EVAL, "evalFilePath": EVAL_FILE, "variant": "main", "model": MODEL, "passed": False}
    return [
        {"type": "run-summary", "passed": "no", "evals": "none"},
        {"type": "run-summary", "passed": False, "hadExecutionErrors": True, "evals": [None, one]},
    ]
