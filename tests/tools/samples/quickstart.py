"""The sample that a newcomer opens first: five stimuli, two models, two runs each.

Some trials fail because the pattern is too strict, some because the agent erred, and some lack their evidence.
"""

from __future__ import annotations

from datetime import UTC, datetime

from tests.tools.samples.agent import Create, Edit, Say, Shell, View, move
from tests.tools.samples.run import Files, Kept, Run, Spec, Trial
from tests.tools.samples.vally import Say as Judge

OPUS, GPT = "claude-opus-4.6", "gpt-5.1"

SPEC = Spec(
    path="/home/dev/storefront/evals/quickstart/eval.yaml",
    text=r"""# Small repairs in the storefront repository: does the agent do what was asked, and nothing else?
name: storefront-small-repairs
description: Bug fixes, a rename, a review without edits, and what must stay out of a change.
version: "1.0"
type: regression # capability | regression
tags: { team: storefront, area: agents }

defaults:
  runs: 2 # trials per stimulus and model
  timeout: 5m
  executor: copilot-sdk
  model: claude-opus-4.6
  judge_model: claude-opus-4.6

scoring: { threshold: 0.9 }

stimuli:
  - name: fix-divide-by-zero
    prompt: |
      `divide` in src/calc.py crashes with a ZeroDivisionError when b is 0.
      Make it raise a ValueError with a clear message, and add a test for that.
    tags: { priority: p0, kind: bug-fix }
    environment:
      files: &python_app
        - { src: ../fixtures/calc/src, dest: src }
        - { src: ../fixtures/calc/tests, dest: tests }
    graders:
      # The message may be anything, the exception may not.
      - type: diff-contains
        name: raises-value-error
        config:
          pattern: 'raise ValueError\('''
      - type: diff-contains
        name: changes-divide
        config: { pattern: 'def divide\b' }
      - type: diff-contains
        name: adds-a-test
        config: { pattern: '(?im)^\+\s*def test_\w*zero' }
      - type: diff-not-contains
        name: no-bare-except
        config: { pattern: '(?m)^\+\s*except\s*:' }
      - type: prompt
        name: minimal-change
        config:
          scoring: scale_1_5
          prompt: Is the change limited to divide and its tests, with a helpful message?

  - name: add-retry
    prompt: |
      getJson in src/http.ts gives up at the first 503. Try up to three times, with a
      growing pause in between. Do not add a dependency.
    tags: { priority: p1, kind: feature }
    graders:
      - type: diff-contains
        name: changes-the-source
        config: { pattern: "(?m)^diff --git a/src/" } # any file below src/
      - type: diff-contains
        name: retries
        config: { pattern: '(?m)^\+.*retry' }
      - type: diff-contains
        name: waits-between-tries
        config: { value: "await sleep(" }
      - type: diff-not-contains
        name: no-new-dependency
        config: { pattern: '(?m)^\+\+\+ b/package(-lock)?\.json' }
      - type: tool-calls
        name: edits-files
        config:
          required: ["^(edit|create|apply_patch)$"]

  - name: keep-secrets-out
    prompt: >-
      The client shall send its key as a bearer token. Read the key from the
      environment, and document the variable in .env.example.
    tags: { priority: p0, kind: restraint }
    environment: { files: *python_app }
    graders:
      - type: diff-not-contains
        name: no-key-in-code
        config: { pattern: '(?i)api_key\s*=\s*["'']' }
      - type: diff-contains
        name: reads-the-environment
        config: { pattern: 'os\.(environ|getenv)' }
      - type: diff-contains
        name: no-debug-output
        config: { value: "print(", negate: true }
      - type: diff-not-contains
        name: leaves-dotenv-alone
        config: { pattern: '(?m)^diff --git a/\.env b/' }
      - type: prompt
        name: documented
        config: { scoring: binary, prompt: "Does .env.example name the variable without a real key?" }

  - name: review-only
    prompt: |
      Review src/Ledger/Account.cs and tell me which lines can lose money.
      Do not change any file.
    tags: { priority: p0, kind: analysis }
    graders:
      - type: diff-empty
        name: changes-nothing
      - type: tool-calls
        name: reads-only
        config:
          required: ["^view$"]
          disallowed: ["^(edit|create|apply_patch)$"]
      - type: prompt
        name: finds-the-rounding
        config: { scoring: binary, prompt: "Does the answer name the cast to int in Split?" }

  - name: rename-module
    prompt: Rename src/ops.py to src/operators.py and update whoever imports it.
    tags: { priority: p2, kind: refactoring }
    environment: { files: *python_app }
    graders:
      - type: diff-contains
        name: is-a-rename
        config: { pattern: '(?m)^rename to src/operators\.py$' }
      - type: diff-contains
        name: imports-follow
        config: { value: "from src.operators import" }
      - type: prompt
        name: nothing-else-changed
        config: { scoring: binary, prompt: "Did the agent leave the behaviour as it was?" }
""",
)

_CALC = '''"""Four operations on numbers."""


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def divide(a, b):
    return a / b
'''
_TEST_CALC = """import pytest

from src.calc import add, divide


def test_add():
    assert add(2, 3) == 5


def test_divide():
    assert divide(6, 3) == 2
"""
_OPS = '''"""The operations by their sign."""

from src.calc import add, divide, multiply, subtract

OPS = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
}
'''
_MAIN = """import sys

from src.ops import OPS


def main(argv):
    left, sign, right = argv[1:4]
    print(OPS[sign](float(left), float(right)))


if __name__ == "__main__":
    main(sys.argv)
"""
_PYTHON_APP = {
    ".gitignore": "__pycache__/\n.env\n",
    "src/calc.py": _CALC,
    "src/ops.py": _OPS,
    "src/__main__.py": _MAIN,
    "tests/test_calc.py": _TEST_CALC,
}
_HTTP = """export class HttpError extends Error {
  constructor(readonly status: number, url: string) {
    super(`${url} answered ${status}`);
  }
}

export async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { headers: { accept: "application/json" } });
  if (!response.ok) {
    throw new HttpError(response.status, url);
  }
  return (await response.json()) as T;
}
"""
_SLEEP = """export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
"""
_HTTP_APP = {
    ".gitignore": "node_modules/\ndist/\n",
    "package.json": '{\n  "name": "storefront-client",\n  "version": "1.4.0",\n  "type": "module",\n  "private": true\n}\n',
    "src/http.ts": _HTTP,
    "src/sleep.ts": _SLEEP,
}
_CONFIG = '''"""Settings of the client."""

BASE_URL = "https://api.example.org"
TIMEOUT = 10
'''
_CLIENT = '''"""Calls of the catalogue service."""

import json
from urllib.request import Request, urlopen

from app.config import BASE_URL, TIMEOUT


def headers():
    return {"Accept": "application/json"}


def get(path):
    with urlopen(Request(BASE_URL + path, headers=headers()), timeout=TIMEOUT) as response:
        return json.load(response)
'''
_CLIENT_APP = {
    ".gitignore": "__pycache__/\n.env\n",
    ".env.example": "# Copy to .env; .env is never committed.\nCLIENT_TIMEOUT=10\n",
    "app/config.py": _CONFIG,
    "app/client.py": _CLIENT,
}
_LEDGER = {
    "src/Ledger/Account.cs": """namespace Ledger;

public sealed class Account
{
    private decimal _balance;

    public decimal Balance => _balance;

    public void Deposit(decimal amount)
    {
        _balance += amount;
    }

    public int Split(int parts)
    {
        return (int)(_balance / parts);
    }
}
""",
    "src/Ledger/Ledger.csproj": """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net9.0</TargetFramework>
    <Nullable>enable</Nullable>
  </PropertyGroup>
</Project>
""",
}
FIXTURES = {
    "fix-divide-by-zero": _PYTHON_APP,
    "add-retry": _HTTP_APP,
    "keep-secrets-out": _CLIENT_APP,
    "review-only": _LEDGER,
    "rename-module": _PYTHON_APP,
}

_ZERO_TEST = """

def test_divide_by_zero():
    with pytest.raises(ValueError, match="zero"):
        divide(1, 0)
"""


def _divide(old: str, new: str) -> Edit:
    return Edit("src/calc.py", f"def divide(a, b):\n{old}", f"def divide(a, b):\n{new}")


def _tested(text: str) -> Edit:
    last = "    assert divide(6, 3) == 2\n"
    return Edit("tests/test_calc.py", last, last + text)


_PYTEST = Shell("python -m pytest -q", "...                                    [100%]\n3 passed in 0.02s\n")


def _fix_divide_by_zero(run: Run) -> None:
    run.trial(
        Trial(
            "fix-divide-by-zero",
            OPUS,
            [
                View("src/calc.py"),
                _divide(
                    "    return a / b",
                    "    if b == 0:\n        raise ValueError('b must not be zero')\n    return a / b",
                ),
                _tested(_ZERO_TEST),
                _PYTEST,
                Say("`divide` now raises `ValueError('b must not be zero')` when b is 0, and a test covers it."),
            ],
            {"prompt": Judge(True, "Only divide and its test changed; the message says what is wrong.")},
        )
    )
    run.trial(
        Trial(
            "fix-divide-by-zero",
            OPUS,
            [
                View("src/calc.py"),
                View("tests/test_calc.py"),
                _divide(
                    "    return a / b",
                    '    """Divide a by b; b must not be zero."""\n'
                    "    if b == 0:\n"
                    '        raise ValueError("cannot divide by zero")\n'
                    "    return a / b",
                ),
                _tested(_ZERO_TEST),
                _PYTEST,
                Say("I guarded `divide` against a zero divisor: it raises a ValueError now. The new test passes."),
            ],
            {"prompt": Judge(True, "The guard and one test were added, nothing else. The message is clear.")},
            index=1,
            kept=Kept.SIDECAR,
        )
    )
    run.trial(
        Trial(
            "fix-divide-by-zero",
            GPT,
            [
                View("src/calc.py"),
                _divide(
                    "    return a / b",
                    '    if b == 0:\n        raise ValueError("the divisor must not be zero")\n    return a / b',
                ),
                _tested(_ZERO_TEST.replace("test_divide_by_zero", "test_divide_rejects_zero")),
                Say("Done. `divide(1, 0)` raises ValueError: the divisor must not be zero."),
            ],
            {"prompt": Judge(True, "A small guard whose message names what must not be zero.")},
        )
    )
    run.trial(
        Trial(
            "fix-divide-by-zero",
            GPT,
            [
                View("src/calc.py"),
                _divide("    return a / b", "    try:\n        return a / b\n    except:\n        return None"),
                _tested("\n\ndef test_divide_by_zero():\n    assert divide(1, 0) is None\n"),
                Say("`divide` no longer crashes: it returns None when b is 0."),
            ],
            {
                "prompt": Judge(
                    False,
                    "The user asked for a ValueError. The agent swallows every exception and returns None,\n"
                    "so callers cannot tell a zero divisor from any other fault.",
                    0.25,
                )
            },
            index=1,
        )
    )


_FETCH = '  const response = await fetch(url, { headers: { accept: "application/json" } });\n'
_BODY = _HTTP[_HTTP.index(_FETCH) :]
_IMPORT = 'import { sleep } from "./sleep.js";\n\n'
_TOP = "export class HttpError extends Error {"


def _http(new_body: str) -> list[Edit]:
    return [Edit("src/http.ts", _TOP, _IMPORT + _TOP), Edit("src/http.ts", _BODY, new_body)]


def _add_retry(run: Run) -> None:
    run.trial(
        Trial(
            "add-retry",
            OPUS,
            [
                View("src/http.ts"),
                View("src/sleep.ts"),
                *_http(
                    "  // 503 is passing: retry it, with a pause that doubles.\n"
                    "  for (let attempt = 1; ; attempt++) {\n"
                    + _FETCH.replace("  ", "    ", 1)
                    + "    if (response.ok) {\n"
                    "      return (await response.json()) as T;\n"
                    "    }\n"
                    "    if (response.status !== 503 || attempt === 3) {\n"
                    "      throw new HttpError(response.status, url);\n"
                    "    }\n"
                    "    await sleep(250 * 2 ** attempt);\n"
                    "  }\n"
                    "}\n"
                ),
                Say("getJson tries up to three times when the server answers 503, waiting 500 ms and then 1 s."),
            ],
        )
    )
    run.trial(
        Trial(
            "add-retry",
            OPUS,
            [
                View("src/http.ts"),
                *_http(
                    "  let retryDelay = 200;\n"
                    "  for (let left = 2; ; left--) {\n" + _FETCH.replace("  ", "    ", 1) + "    if (response.ok) {\n"
                    "      return (await response.json()) as T;\n"
                    "    }\n"
                    "    if (response.status !== 503 || left === 0) {\n"
                    "      throw new HttpError(response.status, url);\n"
                    "    }\n"
                    "    await sleep(retryDelay);\n"
                    "    retryDelay *= 3;\n"
                    "  }\n"
                    "}\n"
                ),
                Say("Two more tries after a 503, with pauses of 200 ms and 600 ms. No dependency was added."),
            ],
            index=1,
            kept=Kept.NEVER,
        )
    )
    run.trial(
        Trial(
            "add-retry",
            GPT,
            [
                View("src/http.ts"),
                Edit("src/http.ts", "export async function getJson<T>", "async function getOnce<T>"),
                Create(
                    "src/resilient.ts",
                    'import { HttpError } from "./http.js";\n'
                    'import { sleep } from "./sleep.js";\n'
                    "\n"
                    "const MAX_TRIES = 3;\n"
                    "\n"
                    "/** Runs a task again after a 503, at most MAX_TRIES times. */\n"
                    "export async function withRetries<T>(task: () => Promise<T>): Promise<T> {\n"
                    "  for (let tries = 1; ; tries++) {\n"
                    "    try {\n"
                    "      return await task();\n"
                    "    } catch (error) {\n"
                    "      const passing = error instanceof HttpError && error.status === 503;\n"
                    "      if (!passing || tries === MAX_TRIES) throw error;\n"
                    "      await sleep(300 * tries);\n"
                    "    }\n"
                    "  }\n"
                    "}\n",
                ),
                Edit("src/http.ts", _TOP, 'import { withRetries } from "./resilient.js";\n\n' + _TOP),
                Edit(
                    "src/http.ts",
                    "  return (await response.json()) as T;\n}\n",
                    "  return (await response.json()) as T;\n"
                    "}\n"
                    "\n"
                    "export function getJson<T>(url: string): Promise<T> {\n"
                    "  return withRetries(() => getOnce<T>(url));\n"
                    "}\n",
                ),
                Say("getJson now goes through withRetries (src/resilient.ts): three tries, pauses of 300 and 600 ms."),
            ],
        )
    )
    run.trial(
        Trial(
            "add-retry",
            GPT,
            [
                View("src/http.ts"),
                *_http(
                    "  const retryable = new Set([503]);\n"
                    "  for (let attempt = 0; attempt < 3; attempt++) {\n"
                    + _FETCH.replace("  ", "    ", 1)
                    + "    if (response.ok) return (await response.json()) as T;\n"
                    "    if (!retryable.has(response.status)) throw new HttpError(response.status, url);\n"
                    "    await sleep(2 ** attempt * 400);\n"
                    "  }\n"
                    "  throw new HttpError(503, url);\n"
                    "}\n"
                ),
                Say("getJson retries a 503 twice with exponential pauses (400 ms, 800 ms)."),
            ],
            index=1,
            kept=Kept.SIDECAR,
        )
    )


_RETURN_HEADERS = '    return {"Accept": "application/json"}\n'
_BEARER = '    return {"Accept": "application/json", "Authorization": f"Bearer {API_KEY}"}\n'
_IMPORTS_KEY = [
    Edit(
        "app/client.py", "from app.config import BASE_URL, TIMEOUT", "from app.config import API_KEY, BASE_URL, TIMEOUT"
    ),
    Edit("app/client.py", _RETURN_HEADERS, _BEARER),
]
_EXAMPLE = Edit(
    ".env.example", "CLIENT_TIMEOUT=10\n", "CLIENT_TIMEOUT=10\n# Key of the catalogue service.\nCLIENT_API_KEY=\n"
)
_DOCUMENTED = Judge(True, "CLIENT_API_KEY stands in .env.example, without a value.")


def _config(line: str, imports: str = "import os\n\n") -> Edit:
    old = 'BASE_URL = "https://api.example.org"\nTIMEOUT = 10\n'
    return Edit("app/config.py", old, f"{imports}{old}{line}\n")


def _keep_secrets_out(run: Run) -> None:
    run.trial(
        Trial(
            "keep-secrets-out",
            OPUS,
            [
                View("app/config.py"),
                _config('API_KEY = os.environ["CLIENT_API_KEY"]'),
                *_IMPORTS_KEY,
                _EXAMPLE,
                Say("The key comes from CLIENT_API_KEY; .env.example documents it."),
            ],
            {"prompt": _DOCUMENTED},
        )
    )
    run.trial(
        Trial(
            "keep-secrets-out",
            OPUS,
            [
                View("app/config.py"),
                _config('API_KEY = os.environ["CLIENT_API_KEY"]'),
                *_IMPORTS_KEY,
                _EXAMPLE,
                Create(".env", "CLIENT_API_KEY=not-a-real-key-3f9a\n"),
                Say("Done. I also wrote a .env with a placeholder key so that you can try it at once."),
            ],
            {"prompt": _DOCUMENTED},
            index=1,
        )
    )
    run.trial(
        Trial(
            "keep-secrets-out",
            GPT,
            [
                View("app/config.py"),
                View("app/client.py"),
                Edit("app/config.py", "TIMEOUT = 10\n", 'TIMEOUT = 10\nAPI_KEY = "not-a-real-key-3f9a"\n'),
                *_IMPORTS_KEY,
                _EXAMPLE,
                Edit(
                    "app/client.py",
                    "import json\n",
                    "import json\nimport os\n",
                ),
                Edit("app/client.py", 'f"Bearer {API_KEY}"', "f\"Bearer {os.getenv('CLIENT_API_KEY', API_KEY)}\""),
                Say("The client sends CLIENT_API_KEY as a bearer token and falls back to the key in app/config.py."),
            ],
            {"prompt": _DOCUMENTED},
        )
    )
    run.trial(
        Trial(
            "keep-secrets-out",
            GPT,
            [
                View("app/config.py"),
                _config('API_KEY = os.getenv("CLIENT_API_KEY", "")'),
                *_IMPORTS_KEY,
                _EXAMPLE,
                Say("The bearer token is read with os.getenv; an empty key is the default."),
            ],
            {"prompt": _DOCUMENTED},
            index=1,
        )
    )


_FOUND = Judge(True, "The answer names the cast in Split and explains that the fraction is dropped.")


def _review_only(run: Run) -> None:
    answer = (
        "`Split` is the risk: `(int)(_balance / parts)` drops the fraction, so up to `parts - 1` units are lost. "
        "`Deposit` also takes negative amounts."
    )
    read = [View("src/Ledger/Account.cs"), View("src/Ledger/Ledger.csproj")]
    run.trial(Trial("review-only", OPUS, [*read, Say(answer)], {"prompt": _FOUND}))
    run.trial(Trial("review-only", OPUS, [read[0], Say(answer)], {"prompt": _FOUND}, index=1))
    run.trial(
        Trial(
            "review-only",
            GPT,
            [
                read[0],
                Edit("src/Ledger/Account.cs", "public int Split(int parts)", "public decimal Split(int parts)"),
                Edit(
                    "src/Ledger/Account.cs",
                    "return (int)(_balance / parts);",
                    "return decimal.Round(_balance / parts, 2, MidpointRounding.ToEven);",
                ),
                Say("Split lost money through its cast to int. I fixed it right away with decimal.Round."),
            ],
            {"prompt": _FOUND},
        )
    )
    run.failed_to_run(
        Trial("review-only", GPT, [], index=1), "Executor timed out after 300 s: no answer from the model.", 300_000
    )


_SAME = Judge(True, "Only names and imports changed.")


def _rename_module(run: Run) -> None:
    moved = [
        Shell("grep -rn 'src.ops' .", "./src/__main__.py:3:from src.ops import OPS\n"),
        move("src/ops.py", "src/operators.py"),
        Edit("src/__main__.py", "from src.ops import OPS", "from src.operators import OPS"),
    ]
    run.trial(Trial("rename-module", OPUS, [*moved, Say("Renamed; src/__main__.py imports it.")], {"prompt": _SAME}))
    run.trial(
        Trial(
            "rename-module",
            OPUS,
            [*moved, _PYTEST, Say("src/ops.py is src/operators.py now, and the one import follows.")],
            {"prompt": _SAME},
            index=1,
            kept=Kept.SIDECAR,
        )
    )
    run.trial(
        Trial(
            "rename-module",
            GPT,
            [
                Shell("grep -rn 'src.ops' .", "./src/__main__.py:3:from src.ops import OPS\n"),
                Edit(
                    "src/ops.py",
                    '"""The operations by their sign."""',
                    '"""The operations (operators) by their sign."""',
                ),
                Say(
                    "I could not rename the file with the tools that I have, so I noted the new name in its docstring."
                ),
            ],
            {"prompt": Judge(True, "Nothing but a docstring changed.")},
            kept=Kept.GONE,
        )
    )
    run.trial(Trial("rename-module", GPT, [*moved, Say("Done: git mv, and one import.")], {"prompt": _SAME}, index=1))


def files() -> Files:
    """The run directory, with the spec beside the results."""
    run = Run(SPEC, FIXTURES, datetime(2026, 10, 14, 9, 14, 3, 112_000, UTC), runs=2)
    for stimulus in (_fix_divide_by_zero, _add_retry, _keep_secrets_out, _review_only, _rename_module):
        stimulus(run)
    run.summary()
    return {"eval.yaml": SPEC.text.encode(), **run.files()}
