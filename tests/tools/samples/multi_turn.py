"""Stimuli with several prompts, whose graders look at one turn each.

Turn diffs stand inline and in sidecars; some are missing, malformed or failed, and some graders would pass in another
turn than theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from tests.tools.samples.agent import Action, Create, Edit, Say, View
from tests.tools.samples.run import Files, Kept, Run, Spec, Trial

OPUS, GPT = "claude-opus-4.6", "gpt-5.1"

SPEC = Spec(
    path="/home/dev/stockroom/evals/multi-turn/eval.yaml",
    text=r"""name: stockroom-conversations
description: What the agent does after each prompt of a conversation. Turns count from 0.
version: "1.0"
type: capability
defaults: { runs: 2, timeout: 10m, executor: copilot-sdk, model: claude-opus-4.6 }
scoring: { threshold: 1.0 }

stimuli:
  - name: code-then-docs
    turns:
      - Add a function total(items) to src/stock.py that sums quantity times price.
      - Now describe it in README.md. Leave the code as it is.
      - Check once more that README and code agree. If they do, change nothing.
    tags: { priority: p0 }
    graders:
      - type: diff-contains
        name: adds-total
        turn: 0
        config: &total { pattern: '(?m)^\+def total\(' }
      - type: diff-contains
        name: documents-total
        turn: 1
        config: { pattern: '(?m)^\+.*`total\(items\)`' }
      - type: diff-not-contains
        name: code-rests
        turn: 1
        config: { pattern: '(?m)^diff --git a/src/' }
      - type: diff-empty
        name: second-look-is-idempotent
        turn: 2
      - type: diff-contains # the whole run
        name: total-stays
        config: *total

  - name: validate-then-log
    turns:
      - Reject negative quantities in add().
      - Log every rejected item with logging.warning.
    graders:
      - { type: diff-contains, name: rejects, turn: 0, config: { pattern: 'raise ValueError' } }
      - { type: diff-contains, name: logs, turn: 1, config: { value: "logging.warning(" } }
      - { type: diff-not-contains, name: no-print, config: { value: "print(" } }

  - name: one-prompt
    prompt: Give Item a field `unit` that defaults to "piece".
    graders:
      # A single prompt is turn 0, so this is the diff of the whole run.
      - { type: diff-contains, name: adds-unit, turn: 0, config: { pattern: 'unit: str = ["'']piece' } }
      - { type: diff-not-contains, name: no-plan-file, config: { pattern: '(?m)^diff --git a/PLAN' } }
""",
)

_STOCK = '''"""What is in the stockroom."""

from dataclasses import dataclass


@dataclass
class Item:
    name: str
    quantity: int
    price: float


def add(stock, item):
    stock[item.name] = item
'''
_README = "# Stockroom\n\nKeeps items with their quantity and price.\n"
_FILES = {".gitignore": "__pycache__/\n*.log\n", "README.md": _README, "src/stock.py": _STOCK}
FIXTURES = dict.fromkeys(("code-then-docs", "validate-then-log", "one-prompt"), _FILES)

_END = "    stock[item.name] = item\n"
_TOTAL = Edit(
    "src/stock.py",
    _END,
    _END + "\n\ndef total(items):\n    return sum(item.quantity * item.price for item in items)\n",
)
_DOCS = Edit("README.md", "price.\n", "price.\n\n`total(items)` sums quantity times price over all items.\n")
_AGREE = [View("README.md"), Say("README and code agree. I changed nothing.")]


def _code_then_docs(run: Run) -> None:
    plain = [[_TOTAL, Say("total(items) is there.")], [_DOCS, Say("README describes it.")], _AGREE]

    def trial(model: str, index: int, turns: Sequence[Sequence[Action]], kept: Sequence[Kept]) -> None:
        run.trial(Trial("code-then-docs", model, turns, index=index, turns_kept=kept))

    trial(OPUS, 0, plain, [Kept.INLINE, Kept.INLINE, Kept.INLINE])
    early = [[_TOTAL, _DOCS, Say("total(items) is there, and README describes it already.")], [_AGREE[1]], _AGREE]
    trial(OPUS, 1, early, [Kept.SIDECAR, Kept.SIDECAR, Kept.SIDECAR])
    hint = Edit("README.md", "over all items.\n", "over all items. An empty list gives 0.\n")
    restless = [*plain[:2], [hint, Say("They agree. I added what an empty list gives.")]]
    trial(GPT, 0, restless, [Kept.INLINE, Kept.NEVER, Kept.INLINE])
    trial(GPT, 1, plain, [Kept.SIDECAR, Kept.MALFORMED, Kept.FAILED])


def _validate_then_log(run: Run) -> None:
    reject = Edit(
        "src/stock.py",
        _END,
        f"    if item.quantity < 0:\n        raise ValueError(item.name)\n{_END}",
    )
    top = "from dataclasses import dataclass\n"
    log = [
        Edit("src/stock.py", top, f"import logging\n{top}"),
        Edit(
            "src/stock.py",
            "        raise ValueError(item.name)\n",
            '        logging.warning("rejected %s: %d", item.name, item.quantity)\n        raise ValueError(item.name)\n',
        ),
    ]
    stepwise: list[list[Action]] = [
        [reject, Say("Negative quantities raise a ValueError.")],
        [*log, Say("Rejected items are logged.")],
    ]
    at_once: list[list[Action]] = [
        [reject, *log, Say("Rejected with a ValueError, and logged.")],
        [Say("The warning is in place already.")],
    ]
    run.trial(Trial("validate-then-log", OPUS, stepwise, turns_kept=[Kept.INLINE, Kept.SIDECAR]))
    run.trial(Trial("validate-then-log", OPUS, at_once, index=1, turns_kept=[Kept.INLINE, Kept.INLINE]))
    # The whole diff holds both, but neither an empty list nor no list says what a turn changed.
    run.trial(Trial("validate-then-log", GPT, stepwise, turns_kept=[Kept.NEVER, Kept.NEVER]))
    run.trial(Trial("validate-then-log", GPT, stepwise, index=1))


def _one_prompt(run: Run) -> None:
    unit = Edit("src/stock.py", "    price: float\n", '    price: float\n    unit: str = "piece"\n')
    done = [View("src/stock.py"), unit, Say('Item has a field unit with the default "piece".')]
    run.trial(Trial("one-prompt", OPUS, done))
    run.trial(Trial("one-prompt", OPUS, done, index=1, turns_kept=[Kept.NEVER]))
    asked: list[list[Action]] = [
        [Say("Shall I add the field at the end of Item?")],
        [unit, Say("Added at the end of Item.")],
    ]
    run.trial(
        Trial("one-prompt", GPT, asked, turns_kept=[Kept.INLINE, Kept.INLINE], nudges=["Yes. Go on without asking."])
    )
    plan = Create("PLAN.md", "1. add unit to Item\n")
    planned: list[list[Action]] = [[plan, Say("The plan is in PLAN.md.")], [unit, Say("Done as planned.")]]
    run.trial(
        Trial(
            "one-prompt",
            GPT,
            planned,
            index=1,
            turns_kept=[Kept.INLINE, Kept.GONE],
            nudges=["Yes. Go on without asking."],
        )
    )


def files() -> Files:
    """The run directory, with the spec beside the results."""
    run = Run(SPEC, FIXTURES, datetime(2026, 10, 15, 7, 41, 52, 840_000, UTC), runs=2)
    for stimulus in (_code_then_docs, _validate_then_log, _one_prompt):
        stimulus(run)
    run.summary()
    return {"eval.yaml": SPEC.text.encode(), **run.files()}
