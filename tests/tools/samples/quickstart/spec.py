"""The spec of the quickstart sample, as its author wrote it."""

from __future__ import annotations

from tests.tools.samples.run import Spec

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
