from __future__ import annotations

import pytest

from vally_tui.diffs.names import Name, pair_of_git_line, pair_of_words, parse_name, strip_prefixes, unquote


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("plain.txt", "plain.txt"),
        ('"tab\\there"', "tab\there"),
        ('"quote\\" and \\\\"', 'quote" and \\'),
        ('"\\346\\274\\242.txt"', "漢.txt"),
        ('"latin\\351"', "latin\udce9"),
        ('"bell\\a\\b\\f\\n\\r\\v"', "bell\a\b\f\n\r\v"),
        ('"漢 raw"', "漢 raw"),
        ('"never closed', '"never closed'),
        ('"closed" twice"', '"closed" twice"'),
        ("", ""),
    ],
)
def test_quoted_names_are_decoded_as_git_writes_them(written: str, name: str) -> None:
    assert unquote(written) == name


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("a/f.txt", Name("a/f.txt")),
        ("a/my file.txt\t", Name("a/my file.txt")),
        ("old/f\t2026-01-02 03:04:05.000000000 +0000", Name("old/f")),
        ("old/f\t1970-01-01 00:00:00.000000000 +0000", Name("old/f", epoch=True)),
        ("old/f\t1969-12-31 19:00:00.000000000 -0500", Name("old/f", epoch=True)),
        ("old/f\t1970-01-01 00:00:00 +0200", Name("old/f")),
        ("old/f\t9999-99-99 99:99:99 +9999", Name("old/f")),
        ("old/f\t0001-01-01 00:00:00 +2300", Name("old/f")),
        ('"old/a b"\t1970-01-01 00:00:00.000000000 +0000', Name("old/a b", epoch=True)),
        ("trunk/f.txt\t(revision 1)", Name("trunk/f.txt")),
        ("/dev/null", Name("/dev/null")),
    ],
)
def test_a_time_stamp_is_no_part_of_a_name(field: str, name: Name) -> None:
    assert parse_name(field) == name


@pytest.mark.parametrize(
    ("old", "new", "stripped"),
    [
        ("a/f", "b/f", ("f", "f")),
        ("b/f", "a/f", ("f", "f")),
        ("i/f", "w/f", ("f", "f")),
        ("1/old/f", "2/new/f", ("old/f", "new/f")),
        ("w/f.txt", "w/f.txt", ("w/f.txt", "w/f.txt")),
        ("a/f", "f", ("f", "f")),
        ("old/f.py", "new/f.py", ("f.py", "f.py")),
        ("src://x y.py", "dst://x y.py", ("x y.py", "x y.py")),
        ("one.txt", "two.txt", ("one.txt", "two.txt")),
        ("/dev/null", "b/f", ("/dev/null", "f")),
        ("a/f", "/dev/null", ("f", "/dev/null")),
    ],
)
def test_under_a_git_header_prefixes_go_where_both_sides_show_one(
    old: str, new: str, stripped: tuple[str, str]
) -> None:
    assert strip_prefixes(old, new, git=True) == stripped


@pytest.mark.parametrize(
    ("old", "new", "stripped"),
    [
        ("a/f", "b/g", ("f", "g")),
        ("old/f.txt", "new/f.txt", ("old/f.txt", "new/f.txt")),
        ("i/f", "w/f", ("f", "f")),
        ("c/f", "w/g", ("c/f", "w/g")),
    ],
)
def test_a_plain_diff_keeps_its_directories(old: str, new: str, stripped: tuple[str, str]) -> None:
    assert strip_prefixes(old, new, git=False) == stripped


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("a/f b/f", ("a/f", "b/f")),
        ("my file.sh my file.sh", ("my file.sh", "my file.sh")),
        ("a/x b/y.sh b/x b/y.sh", ("a/x b/y.sh", "b/x b/y.sh")),
        ('"a/\\303\\251" "b/\\303\\251"', ("a/é", "b/é")),
        ('"a/\\303\\251" b/e.txt', ("a/é", "b/e.txt")),
        ('a/e.txt "b/\\303\\251"', ("a/e.txt", "b/é")),
        ("a/f.sh f.sh", ("a/f.sh", "f.sh")),
        ("a/one file.sh one file.sh", ("a/one file.sh", "one file.sh")),
        ("a/one two b/three four", None),
        ("nothing", None),
        ("", None),
    ],
)
def test_a_git_line_is_divided_only_where_that_is_sure(line: str, pair: tuple[str, str] | None) -> None:
    assert pair_of_git_line(line) == pair


def test_names_that_hold_the_word_between_them_are_told_by_their_equal_ends() -> None:
    assert pair_of_words("old/this and that and new/this and that", " and ") == (
        "old/this and that",
        "new/this and that",
    )
