"""Damage to diff texts, told by a seed: what truncation, models, mail and copy and paste do to them, and worse."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

LINES = (
    "diff --git a/x b/x",
    "diff --cc x",
    "index 1111111..2222222 100644",
    "--- a/x",
    "+++ b/x",
    "--- /dev/null",
    "+++ /dev/null",
    "@@ -1 +1 @@",
    "@@ -0,0 +1,2 @@ heading",
    "@@ -3,2 +3,2 @@\r",
    "@@@ -1,2 -1,2 +1,3 @@@",
    "@@ ... @@",
    "@@ -1,99999999999 +1 @@",
    "GIT binary patch",
    "literal 12",
    "zcmV-p0G$5-P6t4RVqppV9o",
    "Binary files a/x and b/x differ",
    "Submodule s 1111111..2222222:",
    "  > message",
    "* Unmerged path x",
    "\\ No newline at end of file",
    "rename from x",
    "old mode 100644",
    "new mode 100755",
    "-- ",
    "--",
    "",
    " ",
    "+",
    "-",
    "\r",
    "+added",
    "-removed",
    " context",
    "prose",
)
CHARACTERS = "\n\r\t\0 +-\\@\"'\ufeff\x0b\x0c\x1b\x85\u2028\ud800\U0001f6001,"


def mutate(text: str, other: str, random: Random) -> str:
    """``text`` with one to four damages; ``other``: a text whose parts may be put in."""
    for _ in range(random.randint(1, 4)):
        text = random.choice(_DAMAGES)(text, other, random)
    return text


def _drop_line(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    del lines[random.randrange(len(lines))]
    return "\n".join(lines)


def _repeat_line(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    place = random.randrange(len(lines))
    return "\n".join(lines[:place] + [lines[place]] * random.randint(2, 3) + lines[place + 1 :])


def _swap_lines(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def _put_line(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    lines.insert(random.randrange(len(lines) + 1), random.choice(LINES))
    return "\n".join(lines)


def _put_part(text: str, other: str, random: Random) -> str:
    lines, others = text.split("\n"), other.split("\n")
    first = random.randrange(len(others))
    place = random.randrange(len(lines) + 1)
    lines[place:place] = others[first : first + random.randint(1, 12)]
    return "\n".join(lines)


def _put_character(text: str, other: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice(CHARACTERS) + text[place + random.randint(0, 1) :]


def _change_digit(text: str, other: str, random: Random) -> str:
    heads = [place for place in range(len(text)) if text.startswith("\n@@", place)]
    if not heads:
        return text
    start = random.choice(heads)
    digits = [
        place for place in range(start, min(start + 24, len(text))) if text[place].isascii() and text[place].isdigit()
    ]
    if not digits:
        return text
    place = random.choice(digits)
    return text[:place] + random.choice("0123456789") + text[place + 1 :]


def _cut(text: str, other: str, random: Random) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] if random.random() < 0.7 else text[place:]


def _cut_line_start(text: str, other: str, random: Random) -> str:
    lines = text.split("\n")
    place = random.randrange(len(lines))
    lines[place] = lines[place][1:]
    return "\n".join(lines)


def _join(text: str, other: str, random: Random) -> str:
    return text + random.choice(("", "\n", "\n\n")) + other


def _carriage_returns(text: str, other: str, random: Random) -> str:
    return "\n".join(line + "\r" * (random.random() < 0.5) for line in text.split("\n"))


_DAMAGES: tuple[Callable[[str, str, Random], str], ...] = (
    _drop_line,
    _repeat_line,
    _swap_lines,
    _put_line,
    _put_part,
    _put_character,
    _change_digit,
    _cut,
    _cut_line_start,
    _join,
    _carriage_returns,
)
