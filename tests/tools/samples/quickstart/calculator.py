"""A small Python calculator: a division to be mended, and a module to be renamed."""

from __future__ import annotations

from tests.tools.samples.agent import Edit, Say, Shell, View, move
from tests.tools.samples.quickstart.spec import GPT, OPUS
from tests.tools.samples.run import Kept, Trial
from tests.tools.samples.vally import Say as Judge

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
CALCULATOR = {
    ".gitignore": "__pycache__/\n.env\n",
    "src/calc.py": _CALC,
    "src/ops.py": _OPS,
    "src/__main__.py": _MAIN,
    "tests/test_calc.py": _TEST_CALC,
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

FIX_DIVIDE_BY_ZERO = (
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
    ),
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
    ),
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
    ),
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
    ),
)
"""Two fail since the pattern wants the other quote; the last one fails since the agent erred."""
_SAME = Judge(True, "Only names and imports changed.")
_MOVED = [
    Shell("grep -rn 'src.ops' .", "./src/__main__.py:3:from src.ops import OPS\n"),
    move("src/ops.py", "src/operators.py"),
    Edit("src/__main__.py", "from src.ops import OPS", "from src.operators import OPS"),
]
RENAME_MODULE = (
    Trial("rename-module", OPUS, [*_MOVED, Say("Renamed; src/__main__.py imports it.")], {"prompt": _SAME}),
    Trial(
        "rename-module",
        OPUS,
        [*_MOVED, _PYTEST, Say("src/ops.py is src/operators.py now, and the one import follows.")],
        {"prompt": _SAME},
        index=1,
        kept=Kept.SIDECAR,
    ),
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
            Say("I could not rename the file with the tools that I have, so I noted the new name in its docstring."),
        ],
        {"prompt": Judge(True, "Nothing but a docstring changed.")},
        kept=Kept.GONE,
    ),
    Trial("rename-module", GPT, [*_MOVED, Say("Done: git mv, and one import.")], {"prompt": _SAME}, index=1),
)
"""The third failed, and its sidecar is gone."""
