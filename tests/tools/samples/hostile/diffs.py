"""Diffs that are hard to read or dangerous to print, made by git from files that hold such text.

Invisible characters are written as escapes here, so that this file itself is harmless.
"""

from __future__ import annotations

from tests.tools.samples.workspace import workspace


def of(before: dict[str, str | bytes], after: dict[str, str | bytes], *options: str) -> str:
    """Git's diff between two states of some files; a file that is only in ``before`` stays as it is."""
    return of_bytes(before, after, *options).decode("utf-8", "replace")


def of_bytes(before: dict[str, str | bytes], after: dict[str, str | bytes], *options: str) -> bytes:
    """The same, as the bytes that git printed."""
    with workspace(before) as place:
        for path, text in after.items():
            place.write(path, text)
        return place.diff_bytes("HEAD", *options)


ESCAPES = (
    'CLEAR = "\x1b[2J\x1b[H"\n'
    'TITLE = "\x1b]0;title taken over\x07"\n'
    'CLIPBOARD = "\x1b]52;c;ZWNobyBoaQ==\x07"\n'
    'LINK = "\x1b]8;;http://example.invalid\x1b\\click\x1b]8;;\x1b\\"\n'
    'C1 = "\x9b31mred\x9b0m"\n'
    'BACK = "ok\x08\x08no\x7f"\n'
    'ALTERNATE = "\x1b[?1049h\x1b[?1003h"\n'
)
"""Clears the screen, sets the title, writes the clipboard, switches modes, if it is printed as it is."""

BIDI = (
    'if role != "user\u202e \u2066// only admins\u2069 \u2066":\n'
    '    name = "\u0430dmin"  # a Cyrillic first letter\n'
    '    zero = "a\u200bb\u200cc\u200dd\ufeffe\u2060f"\n'
    '    marks = "\u200f\u200e\u061c\u2067x\u2069"\n'
    '    stacked = "e\u0301\u0302\u0303\u0304\u0305\u0306"\n'
)
"""Shown in another order than it is, or not shown at all."""

MARKUP = (
    "[bold red]not bold[/bold red] [/] [/nothing]\n"
    "values = [00] + [true, false] + [0]\n"
    "ZLEXCOUNT z [b +\n"
    "[@click=app.quit]quit[/] [link=file:///etc/hostname]open[/link]\n"
    "{{ 7 * 7 }} ${HOME} $(id) %s %n <b>bold</b> &amp; \\[escaped]\n"
)
"""Text that looks like the markup of the program that shows it."""

SEPARATORS = (
    "carriage return and newline\r\n"
    "lone\rcarriage return\n"
    "form\x0cfeed and vertical\x0btab\n"
    "file\x1cgroup\x1drecord\x1eseparators\n"
    "next\x85line\n"
    "line\u2028separator and paragraph\u2029separator\n"
    "no newline at the end"
)
"""Each row has one ``\\n`` at most; everything else that cuts lines elsewhere stays inside of it."""

WIDE = (
    "\tone tab\t\ttwo tabs\n"
    "a\tb  c\td\n"
    "一二三四五六七八九十\n"
    "1一二三四五六七八九十\n"
    "ｆｕｌｌｗｉｄｔｈ ﾊﾝｶｸ 한국어\n"
    "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇹🇷 ☎️\n"
    "ambiguous: ─│┌ ± × ° § → ①\n"
    "नमस्ते العربية עברית ไทย\n"
)
"""Rows whose cells are not their characters."""

PATHS: dict[str, str | bytes] = {
    "docs/说明.md": "一\n",
    "assets/🎉 party.txt": "🎉\n",
    "with space/a b.txt": "x\n",
    'quo"te.txt': "x\n",
    "tab\there.txt": "x\n",
    "back\\slash.txt": "x\n",
    "src b/x b/y.py": "x\n",
    "[bold]/[i].txt": "x\n",
    "esc\x1b[31m.txt": "x\n",
    "a/" + "very-long-folder-name/" * 8 + "file.txt": "x\n",
}
"""Names that git quotes, that hold `` b/``, that are wide, and that are too long for a row."""

MINIFIED = "var a=[" + ",".join(f"{number}" for number in range(4_100)) + '];needle("at the end");\n'
"""One row of about 20,000 characters."""


def headers_as_content() -> str:
    """Removed and added rows that look like file headers, hunk headers and whole diffs."""
    before = "-- old sql\nSELECT 1;\n@@ -1 +1 @@\n-- a/x\n++ b/x\nend\n"
    after = "++ new sql\nSELECT 1;\ndiff --git a/x b/x\n@@ -9,9 +9,9 @@ not a hunk\n\\ No newline at end of file\nend\n"
    return of({"migrate.sql": before, "one.txt": "old\n"}, {"migrate.sql": after, "one.txt": "new\n"})


def shapes() -> str:
    """Renames, modes, an empty file, a symbolic link, a deleted file, and missing newlines at the end."""
    before: dict[str, str | bytes] = {
        "old name.txt": "same\nlines\n" * 4,
        "moved.py": "x = 1\n" * 9,
        "run.sh": "#!/bin/sh\n",
        "gone.txt": "bye",
        "end.txt": "no newline",
    }
    with workspace(before) as place:
        place.move("old name.txt", "new name.txt")
        place.move("moved.py", "lib/moved.py")
        place.write("lib/moved.py", "x = 1\n" * 9 + "y = 2\n")
        place.make_executable("run.sh")
        place.delete("gone.txt")
        place.write("empty.txt", "")
        place.write("end.txt", "still no newline")
        place.link("link", "run.sh")
        return place.diff()


def binary(*options: str) -> str:
    """A changed binary file: as a notice, or with ``--binary`` as a patch."""
    picture = b"\x89PNG\r\n\x1a\n\x00\x00" + bytes(range(256))
    return of({"icon.png": picture, "a.txt": "a\n"}, {"icon.png": picture[::-1], "a.txt": "b\n"}, *options)


def combined() -> str:
    """A merge in conflict: hunks with three ``@``."""
    base = {"menu.txt": "soup\nbread\nsalad\n"}
    with workspace(base) as place:
        return place.conflict({"menu.txt": "soup\nrye bread\nsalad\n"}, {"menu.txt": "soup\nwhite bread\nsalad\n"})


def plain() -> str:
    """A small ordinary diff, in which ``retry`` was added."""
    return of({"app.py": "def run():\n    pass\n"}, {"app.py": "def run():\n    retry()\n"})


def coloured() -> str:
    """The same with git's colours in it, as a terminal would have got it."""
    return of({"app.py": "def run():\n    pass\n"}, {"app.py": "def run():\n    retry()\n"}, "--color=always")


def latin_1() -> bytes:
    """A diff of a file that is not UTF-8."""
    return of_bytes({"cafe.txt": "caf\xe9\n".encode("latin-1")}, {"cafe.txt": "caf\xe9, retry\n".encode("latin-1")})
