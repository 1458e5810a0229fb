"""Large diffs made on the spot: every shape that could make an index slow, in any size. Each function returns a text.

The same arguments give the same text.
"""

from __future__ import annotations

from collections.abc import Callable

_WORDS = ("if", "else", "for", "while", "return", "import", "class", "lambda", "raise", "row", "file", "hunk", "diff")


def code(number: int) -> str:
    """A line that looks like code, of 20 to 75 characters, told by its number."""
    seed = number * 40_503 + 12_345
    words = [_WORDS[(seed >> shift) % len(_WORDS)] for shift in range(0, 15 + 3 * (number % 6), 3)]
    return "    " * (number % 4) + " ".join(words)


def git_header(path: str) -> str:
    """The header of a changed file."""
    return f"diff --git a/{path} b/{path}\nindex 83db48f..bf269f4 100644\n--- a/{path}\n+++ b/{path}\n"


def hunk(start: int, rows: int, heading: str = "") -> str:
    """A hunk of ``rows`` rows: context, removed, added, added, and so on; old and new side begin at ``start``."""
    signs = [" -++"[number % 4] for number in range(rows)]
    body = "".join(f"{sign}{code(start * 7 + number)}\n" for number, sign in enumerate(signs))
    old, new = sum(sign in " -" for sign in signs), sum(sign in " +" for sign in signs)
    return f"@@ -{start},{old} +{start},{new} @@{heading}\n{body}"


def many_files(files: int, rows: int = 75, hunks: int = 3) -> str:
    """``files`` changed files; with the defaults about 10 KB each, so 5,000 of them are about 50 MB."""
    return "".join(
        git_header(f"src/part{number % 89}/file{number}.py")
        + "".join(hunk(1 + 500 * place, rows, f" def f{place}():") for place in range(hunks))
        for number in range(files)
    )


def one_hunk(rows: int) -> str:
    """One file with one hunk."""
    return git_header("one.py") + hunk(1, rows)


def many_hunks(hunks: int) -> str:
    """One file with many short hunks."""
    return git_header("many.py") + "".join(hunk(1 + 20 * place, 4) for place in range(hunks))


def long_row(characters: int) -> str:
    """One file with one changed line of that length."""
    row = "0123456789abcdef" * (characters // 16)
    return git_header("min.js") + f"@@ -1,3 +1,3 @@\n first\n-{row}\n+{row[::-1]}\n last\n"


def renames(files: int) -> str:
    """Renamed files without hunks."""
    return "".join(
        f"diff --git a/old/{n}.txt b/new/{n}.txt\nsimilarity index 100%\nrename from old/{n}.txt\nrename to new/{n}.txt\n"
        for n in range(files)
    )


def plain_like_body(files: int) -> str:
    """Plain diffs whose hunks end in rows that look like the header which follows."""
    return "".join(f"--- a/f{n}\n+++ b/f{n}\n@@ -1,2 +1,2 @@\n same\n--- x\n+++ y\n" for n in range(files))


def binary_patch(rows: int) -> str:
    """A binary patch of that many rows, then a text file."""
    row = "z" + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$"[:65] + "\n"
    header = "diff --git a/i.bin b/i.bin\nindex 83db48f..bf269f4 100644\nGIT binary patch\n"
    return header + f"literal {52 * rows}\n" + row * rows + "\n" + git_header("t") + "@@ -1 +1 @@\n-a\n+b\n"


def surplus_rows(rows: int) -> str:
    """A hunk whose header tells of two rows, with ``rows`` more behind them."""
    return git_header("f") + "@@ -1 +1 @@\n-x\n+y\n" + "".join(f"+{code(n)}\n" for n in range(rows))


def open_hunk(rows: int) -> str:
    """A hunk whose header asks for more rows than the text has."""
    return git_header("f") + "@@ -1,999999999 +1,999999999 @@\n" + "".join(f" {code(n)}\n" for n in range(rows))


def no_diff(rows: int) -> str:
    """Text that is no diff."""
    return "".join(f"{code(n)}\n" for n in range(rows))


def false_openers(rows: int) -> str:
    """Text that is no diff, but each line begins as if a file did."""
    return "--- not a header\nBinary files are not here\n@@ nor a hunk\n" * (rows // 3)


def hunk_headers(rows: int) -> str:
    """One file with nothing but hunk headers."""
    return git_header("f") + "@@ -1 +1 @@\n" * rows


def blank_rows(rows: int) -> str:
    """A hunk and nothing but blank lines behind it."""
    return git_header("f") + "@@ -1 +1 @@\n-x\n+y\n" + "\n" * rows


def marker_rows(rows: int) -> str:
    """A hunk with nothing but markers in it."""
    return git_header("f") + "@@ -1 +1 @@\n" + "\\ No newline at end of file\n" * rows


def ambiguous_git_line(characters: int) -> str:
    """A ``diff --git`` line that can be divided in very many ways."""
    line = "diff --git " + "://" * (characters // 6) + " x" * (characters // 4)
    return f"{line}\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"


def ambiguous_binary_line(characters: int) -> str:
    """A ``Binary files`` line that can be divided in very many ways."""
    return "Binary files a" + " and b" * (characters // 6) + " differ\n"


def open_quotes(characters: int) -> str:
    """Header names with a quote that never ends."""
    name = '"' + "\\\\a" * (characters // 3)
    return f"diff --git {name} {name}\n--- {name}\n+++ {name}\n@@ -1 +1 @@\n-x\n+y\n"


def long_numbers(digits: int) -> str:
    """A hunk header with numbers of that many digits."""
    number = "9" * digits
    return git_header("f") + f"@@ -{number},{number} +{number},{number} @@\n-x\n+y\n"


SHAPES: dict[str, Callable[[int], str]] = {
    shape.__name__: shape
    for shape in (
        many_files,
        one_hunk,
        many_hunks,
        long_row,
        renames,
        plain_like_body,
        binary_patch,
        surplus_rows,
        open_hunk,
        no_diff,
        false_openers,
        hunk_headers,
        blank_rows,
        marker_rows,
        ambiguous_git_line,
        ambiguous_binary_line,
        open_quotes,
        long_numbers,
    )
}
"""All of them by name; the argument is a size."""
