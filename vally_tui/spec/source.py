"""A grader's own text, moved to the left edge, for a person to edit; ReplaceGrader puts it back."""

from __future__ import annotations

from vally_tui.errors import SpecEditRefused
from vally_tui.spec import render
from vally_tui.spec.document import SpecDocument, grader_path
from vally_tui.spec.model import GraderAddress
from vally_tui.spec.nodes import chain, content, plain
from vally_tui.spec.places import Places


def grader_source(document: SpecDocument, address: GraderAddress) -> str:
    """The YAML of a grader from column 0 with its comments and quotes; lines end in LF, the last one, too.

    Behind an alias it is the text of what the alias stands for. Raises SpecEditRefused where there is no such grader.
    """
    nodes = chain(document.root, grader_path(address))
    if nodes is None:
        raise SpecEditRefused("the spec has no such grader any more: read it again")
    node = content(nodes[-1])
    end = node.end
    if not Places(document.root).in_flow(node):
        end = document.text.find("\n", node.end)
        end = len(document.text) if end < 0 else end
    first, *rest = document.text[node.start : end].replace("\r\n", "\n").split("\n")
    moved = _moved_left(rest, document.lines.column(node.start) - 1)
    if moved is None:
        return "\n".join([*render.block_lines(plain(node), node), ""])
    return "\n".join([first.rstrip("\r"), *moved, ""])


def _moved_left(lines: list[str], columns: int) -> list[str] | None:
    """The lines without so many leading spaces; None where one has content further left."""
    moved: list[str] = []
    for line in lines:
        bare = line.lstrip(" ")
        spaces = len(line) - len(bare)
        if spaces < columns and bare.rstrip("\r") and not bare.startswith("#"):
            return None
        moved.append(line[min(spaces, columns) :].rstrip("\r"))
    return moved
