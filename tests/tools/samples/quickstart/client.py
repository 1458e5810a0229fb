"""A TypeScript and a Python client of some service: retries to be added, and a key that must not get into the code."""

from __future__ import annotations

from tests.tools.samples.agent import Create, Edit, Say, View
from tests.tools.samples.quickstart.spec import GPT, OPUS
from tests.tools.samples.run import Kept, Trial
from tests.tools.samples.vally import Say as Judge

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
HTTP_APP = {
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
CATALOGUE_APP = {
    ".gitignore": "__pycache__/\n.env\n",
    ".env.example": "# Copy to .env; .env is never committed.\nCLIENT_TIMEOUT=10\n",
    "app/config.py": _CONFIG,
    "app/client.py": _CLIENT,
}
_FETCH = '  const response = await fetch(url, { headers: { accept: "application/json" } });\n'
_BODY = _HTTP[_HTTP.index(_FETCH) :]
_IMPORT = 'import { sleep } from "./sleep.js";\n\n'
_TOP = "export class HttpError extends Error {"


def _http(new_body: str) -> list[Edit]:
    return [Edit("src/http.ts", _TOP, _IMPORT + _TOP), Edit("src/http.ts", _BODY, new_body)]


ADD_RETRY = (
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
    ),
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
    ),
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
    ),
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
    ),
)
"""The second has no diff; the third fails since the pattern knows "retry" only."""
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


KEEP_SECRETS_OUT = (
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
    ),
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
    ),
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
    ),
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
    ),
)
"""The second wrote an ignored file that no diff shows; the third put a key into the code."""
