"""Specs of real projects: every one is read, and an edit of one pattern changes one line of it.

Needs VALLY_TUI_REAL_DATA, a directory with ``specs/``; the comparison with the npm package ``yaml`` also
VALLY_TUI_NPM_YAML, a directory in which that package was installed.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from vally_tui.spec.apply import apply
from vally_tui.spec.compose import compose
from vally_tui.spec.document import SpecDocument, grader_path, parse_spec
from vally_tui.spec.edit import SetKey, same
from vally_tui.spec.model import SpecGrader
from vally_tui.spec.nodes import ScalarNode, chain, plain

DATA = os.environ.get("VALLY_TUI_REAL_DATA")
NPM = os.environ.get("VALLY_TUI_NPM_YAML")
FILES = sorted(path for path in Path(DATA or ".").glob("specs/*/*") if path.suffix in (".yaml", ".yml")) if DATA else []

pytestmark = pytest.mark.skipif(not FILES, reason="VALLY_TUI_REAL_DATA is not set")

DUMP = """
const YAML = require('yaml'), fs = require('fs')
for (const file of fs.readFileSync(0, 'utf8').split('\\n'))
  console.log(JSON.stringify(YAML.parse(fs.readFileSync(file, 'utf8'))))
"""


def specs() -> Iterator[SpecDocument]:
    """Those files that are specs; some are experiments and settings."""
    for path in FILES:
        text = path.read_bytes().decode()
        if "\nstimuli:" in text:
            yield parse_spec(text, path)


def patterns(document: SpecDocument) -> Iterator[tuple[SpecGrader, str]]:
    """The graders of a spec with a text in their config that stands on one line and is theirs alone."""
    for grader in (grader for stimulus in document.spec.stimuli for grader in stimulus.graders if not grader.shared):
        for key in ("pattern", "value", "substring"):
            nodes = chain(document.root, (*grader_path(grader.address), "config", key))
            node = nodes[-1] if nodes else None
            if isinstance(node, ScalarNode) and isinstance(node.value, str):
                if "\n" not in document.text[node.start : node.end]:
                    yield grader, key
                break


def test_every_file_is_read_and_its_text_is_its_bytes() -> None:
    graders = 0
    for path in FILES:
        data = path.read_bytes()
        text = data.decode()
        assert compose(text) is not None
        assert text.encode() == data
    for document in specs():
        assert document.spec.issues == ()
        graders += sum(len(stimulus.graders) for stimulus in document.spec.stimuli)
    assert graders > 1000


def test_editing_one_pattern_changes_exactly_one_line() -> None:
    edited = 0
    for document in specs():
        grader, key = next(patterns(document), (None, ""))
        if grader is None:
            continue
        assert isinstance(grader.config.config, dict)
        old = grader.config.config[key]
        assert isinstance(old, str)
        new = f'(?i){old}|it\'s \\S+ "x"'
        after = apply(document, [SetKey(grader.address, ("config", key), new, old)])
        before_lines, after_lines = document.text.split("\n"), after.text.split("\n")
        assert len(before_lines) == len(after_lines)
        assert sum(one != other for one, other in zip(before_lines, after_lines, strict=True)) == 1
        back = after.document.spec.stimuli[grader.address.stimulus_index].graders[grader.address.index]
        assert back.config.config == {**grader.config.config, key: new}
        edited += 1
    assert edited > 50


@pytest.mark.skipif(NPM is None, reason="VALLY_TUI_NPM_YAML is not set")
def test_every_file_gives_the_values_that_npm_yaml_gives() -> None:
    names = "\n".join(map(str, FILES))
    done = subprocess.run(["node", "-e", DUMP], cwd=NPM, input=names, capture_output=True, text=True, check=True)
    theirs = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(theirs) == len(FILES)
    for path, value in zip(FILES, theirs, strict=True):
        root = compose(path.read_bytes().decode())
        assert root is not None
        assert same(plain(root), value), path
