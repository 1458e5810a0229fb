"""The sample that a newcomer opens first: five stimuli, two models, two runs each.

Some trials fail because the pattern is too strict, some because the agent erred, and some lack their evidence.
"""

from __future__ import annotations

from datetime import UTC, datetime

from tests.tools.samples.quickstart.calculator import CALCULATOR, FIX_DIVIDE_BY_ZERO, RENAME_MODULE
from tests.tools.samples.quickstart.client import ADD_RETRY, CATALOGUE_APP, HTTP_APP, KEEP_SECRETS_OUT
from tests.tools.samples.quickstart.ledger import LEDGER, REVIEW_ONLY
from tests.tools.samples.quickstart.spec import SPEC
from tests.tools.samples.run import Files, Run

FIXTURES = {
    "fix-divide-by-zero": CALCULATOR,
    "add-retry": HTTP_APP,
    "keep-secrets-out": CATALOGUE_APP,
    "review-only": LEDGER,
    "rename-module": CALCULATOR,
}


def files() -> Files:
    """The run directory, with the spec beside the results."""
    run = Run(SPEC, FIXTURES, datetime(2026, 10, 14, 9, 14, 3, 112_000, UTC), runs=2)
    run.record(*FIX_DIVIDE_BY_ZERO, *ADD_RETRY, *KEEP_SECRETS_OUT, *REVIEW_ONLY, *RENAME_MODULE)
    run.summary()
    return {"eval.yaml": SPEC.text.encode(), **run.files()}
