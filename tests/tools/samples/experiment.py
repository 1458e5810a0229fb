"""One eval in two variants, without and with skills: the same stimuli, three trials each, a results file a variant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from tests.tools.samples.agent import Action, Create, Edit, Say, View
from tests.tools.samples.run import Files, Run, Spec, Trial, Unfinished
from tests.tools.samples.vally import Say as Judge

GPT = "gpt-5.1"
WITHOUT, WITH = "skills=none,model=gpt-5.1", "skills=with-skills,model=gpt-5.1"

SPEC = Spec(
    path="/home/dev/orders/evals/experiment/eval.yaml",
    text=r"""name: orders-with-and-without-skills
description: Do the house rules, given as skills, change what the agent writes?
version: "1.0"
type: capability
defaults: { runs: 3, timeout: 5m, executor: copilot-sdk, model: gpt-5.1 }
scoring:
  threshold: 0.8
  weights: { prompt: 2, typed-fields: 1.5 } # by grader type, and by name

stimuli:
  - name: parameterize-query
    prompt: find_orders in src/orders.py builds its SQL from user input. Make it safe.
    tags: { priority: p0, area: security }
    graders:
      - type: diff-contains
        name: passes-parameters
        config:
          # one question mark for each parameter
          pattern: '(?m)^\+.*execute\([^)]*\?'
      - type: diff-not-contains
        name: no-sql-in-f-strings
        config: { pattern: '(?im)^\+.*f"select' }
      - type: prompt
        name: safe-against-injection
        config: { scoring: binary, prompt: "Can a customer name still change the statement?" }

  - name: type-the-config
    prompt: |
      src/config.ts reads JSON without types. Give it an interface and turn on strict mode.
    tags: { priority: p1, area: types }
    graders:
      - type: diff-contains
        name: strict-mode
        config: { value: '"strict": true' }
      - type: diff-contains
        name: typed-fields
        config: { pattern: '(?ms)^\+export interface \w+ \{.*^\+  port: number;' }
      - type: diff-not-contains
        name: no-any
        config: { pattern: '(?m)^\+.*(:|\bas)\s*any\b' }
""",
)

_SELECT = "    rows = connection.execute(f\"SELECT id, total FROM orders WHERE customer = '{customer}'\")\n"
_ORDERS = {"src/orders.py": f"def find_orders(connection, customer):\n{_SELECT}    return rows.fetchall()\n"}
_CONFIG = {
    "src/config.ts": 'import { readFileSync } from "node:fs";\n\n'
    "export function load(path: string) {\n"
    '  return JSON.parse(readFileSync(path, "utf8"));\n'
    "}\n",
    "tsconfig.json": '{\n  "compilerOptions": {\n    "target": "es2023",\n    "module": "nodenext"\n  }\n}\n',
}
FIXTURES = {"parameterize-query": _ORDERS, "type-the-config": _CONFIG}

_SAFE = Judge(True, "The name is passed as a parameter and can no longer change the statement.")
_UNSAFE = Judge(False, "The statement is still put together from text; doubled quotes are no parameter.")


def _query(new: str, says: str) -> list[Action]:
    return [View("src/orders.py"), Edit("src/orders.py", _SELECT, new), Say(says)]


_QUESTION_MARK = _query(
    '    sql = "SELECT id, total FROM orders WHERE customer = ?"\n    rows = connection.execute(sql, (customer,))\n',
    "The customer is passed as a parameter now.",
)
_IN_PLACE = _query(
    '    rows = connection.execute("SELECT id, total FROM orders WHERE customer = ?", (customer,))\n',
    "find_orders passes the customer as a parameter.",
)
_NAMED = _query(
    "    rows = connection.execute(\n"
    '        "SELECT id, total FROM orders WHERE customer = :customer",\n'
    '        {"customer": customer},\n'
    "    )\n",
    "find_orders uses the named parameter :customer.",
)
_ESCAPED = _query(
    '    safe = customer.replace("\'", "\'\'")\n'
    "    rows = connection.execute(f\"SELECT id, total FROM orders WHERE customer = '{safe}'\")\n",
    "Quotes in the customer name are doubled, so the statement is safe.",
)

_STRICT = Edit("tsconfig.json", '    "target": "es2023",\n', '    "strict": true,\n    "target": "es2023",\n')
_LOAD = "export function load(path: string) {\n"
_PARSE = '  return JSON.parse(readFileSync(path, "utf8"));\n'


def _typed(interface: str, cast: str, result: str = "Config") -> list[Action]:
    return [
        View("src/config.ts"),
        Edit("src/config.ts", _LOAD, f"{interface}export function load(path: string): {result} {{\n"),
        Edit("src/config.ts", _PARSE, f'  return JSON.parse(readFileSync(path, "utf8")){cast};\n'),
        _STRICT,
        Say("The config has types, and strict mode is on."),
    ]


_INTERFACE = _typed("export interface Config {\n  host: string;\n  port: number;\n}\n\n", " as Config")
_ALIAS = _typed("export type Config = { host: string; port: number };\n\n", " as Config")
_ANY = _typed("export interface Config {\n  host: string;\n  port: number;\n  [key: string]: any;\n}\n\n", " as Config")
_SEPARATE: list[Action] = [
    Create("src/config-types.ts", "export interface Config {\n  host: string;\n  port: number;\n}\n"),
    Edit(
        "src/config.ts",
        _LOAD,
        'import type { Config } from "./config-types.js";\n\n' + _LOAD.replace(") {", "): Config {"),
    ),
    _STRICT,
    Say("The interface is in src/config-types.ts; strict mode is on."),
]


def _variant(
    variant: str,
    start: datetime,
    queries: Sequence[tuple[Sequence[Action], Judge]],
    configs: Sequence[Sequence[Action] | None],
) -> Files:
    run = Run(SPEC, FIXTURES, start, runs=3, variant=variant)
    for index, (actions, judge) in enumerate(queries):
        run.record(Trial("parameterize-query", GPT, actions, {"prompt": judge}, index=index))
    for index, done in enumerate(configs):
        trial = Trial("type-the-config", GPT, done or [], index=index)
        run.record(trial if done else Unfinished(trial, {"message": "The model refused the request (429)."}, 61_000))
    run.summary()
    return {f"{variant}/{path}": content for path, content in run.files().items()}


def files() -> Files:
    """The experiment's folder: the spec, and one folder a variant."""
    without = _variant(
        WITHOUT,
        datetime(2026, 10, 20, 8, 0, 0, 5_000, UTC),
        [(_ESCAPED, _UNSAFE), (_QUESTION_MARK, _SAFE), (_ESCAPED, _UNSAFE)],
        [_ANY, _ALIAS, None],
    )
    with_skills = _variant(
        WITH,
        datetime(2026, 10, 20, 8, 0, 0, 11_000, UTC),
        [(_IN_PLACE, _SAFE), (_NAMED, _SAFE), (_IN_PLACE, _SAFE)],
        [_INTERFACE, _SEPARATE, _INTERFACE],
    )
    return {"eval.yaml": SPEC.text.encode(), **without, **with_skills}
