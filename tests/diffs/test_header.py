from __future__ import annotations

import pytest

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import FileDiff, FileKind


def only_file(text: str) -> FileDiff:
    (file,) = DiffIndex.build(text).files
    return file


def test_rename_lines_are_trusted_before_all_others() -> None:
    file = only_file(
        "diff --git a/x b/y\nsimilarity index 90%\nrename from one b/two\nrename to three\n"
        "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n"
    )
    assert (file.kind, file.path, file.old_path) == (FileKind.RENAMED, "three", "one b/two")


def test_old_git_wrote_rename_old_and_rename_new() -> None:
    file = only_file("diff --git a/x b/y\nsimilarity index 100%\nrename old x\nrename new y\n")
    assert (file.kind, file.path, file.old_path) == (FileKind.RENAMED, "y", "x")


def test_the_names_of_both_sides_are_trusted_before_the_git_line() -> None:
    file = only_file("diff --git a/wrong b/wrong\n--- a/right\n+++ b/right\n@@ -1 +1 @@\n-a\n+b\n")
    assert file.path == "right"


def test_different_names_without_rename_lines_are_no_rename() -> None:
    file = only_file("diff --git a/one b/two\n--- a/one\n+++ b/two\n@@ -1 +1 @@\n-a\n+b\n")
    assert (file.kind, file.path, file.old_path) == (FileKind.MODIFIED, "two", "one")


@pytest.mark.parametrize("line", ["deleted file mode 100755\n", ""])
def test_a_file_without_a_new_side_is_deleted(line: str) -> None:
    file = only_file(f"diff --git a/f b/f\n{line}--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    assert (file.kind, file.path, file.old_path) == (FileKind.DELETED, "f", None)


def test_a_file_that_was_empty_is_not_new() -> None:
    file = only_file("diff --git a/f b/f\nindex e69de29..257cc56 100644\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n")
    assert (file.kind, file.old_mode, file.new_mode) == (FileKind.MODIFIED, "100644", "100644")


def test_an_added_name_is_found_when_the_git_line_cannot_be_divided() -> None:
    file = only_file("diff --git a/x y b/z w\nnew file mode 100644\n--- /dev/null\n+++ b/z w\n@@ -0,0 +1 @@\n+a\n")
    assert (file.kind, file.path) == (FileKind.ADDED, "z w")


def test_a_name_that_cannot_be_told_is_unknown() -> None:
    file = only_file("diff --git a/one two b/three four\nold mode 100644\nnew mode 100755\n")
    assert (file.kind, file.path) == (FileKind.MODE, None)


def test_a_mode_change_with_an_edit_is_an_edit() -> None:
    header = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"
    assert only_file(header).kind is FileKind.MODE
    edited = only_file(header + "index 7898192..6178079\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n")
    assert (edited.kind, edited.old_mode, edited.new_mode) == (FileKind.MODIFIED, "100644", "100755")


def test_the_epoch_is_a_missing_file_only_where_the_side_is_empty() -> None:
    epoch = "1970-01-01 00:00:00.000000000 +0000"
    new = only_file(f"--- old/f\t{epoch}\n+++ new/f\t2026-01-02 03:04:05.000000000 +0000\n@@ -0,0 +1 @@\n+a\n")
    assert (new.kind, new.path) == (FileKind.ADDED, "new/f")
    both = only_file(f"--- old/f\t{epoch}\n+++ new/f\t{epoch}\n@@ -1 +1 @@\n-a\n+b\n")
    assert (both.kind, both.path, both.old_path) == (FileKind.MODIFIED, "new/f", "old/f")


def test_a_binary_file_in_a_git_header_is_one_entry() -> None:
    file = only_file("diff --git a/i b/i\nindex 7898192..6178079 100644\nBinary files a/i and b/i differ\n")
    assert (file.kind, file.path, file.binary) == (FileKind.MODIFIED, "i", True)


@pytest.mark.parametrize(
    ("line", "kind", "path", "old_path"),
    [
        ("Binary files old/i and new/i differ", FileKind.MODIFIED, "new/i", "old/i"),
        ("Binary files a/i and b/i differ", FileKind.MODIFIED, "i", None),
        ("Binary files /dev/null and b/i differ", FileKind.ADDED, "i", None),
        ("Binary files a/i and /dev/null differ", FileKind.DELETED, "i", None),
        ("Binary file i.png has changed", FileKind.MODIFIED, "i.png", None),
        ("Submodule sub 1111111..2222222:", FileKind.SUBMODULE, "sub", None),
        ("Submodule a b 1111111...2222222 (new submodule)", FileKind.SUBMODULE, "a b", None),
        ("Submodule sub contains modified content", FileKind.SUBMODULE, "sub", None),
        ("* Unmerged path x y", FileKind.UNMERGED, "x y", None),
    ],
)
def test_some_lines_are_a_whole_entry(line: str, kind: FileKind, path: str, old_path: str | None) -> None:
    file = only_file(f"{line}\nprose\n")
    assert (file.kind, file.path, file.old_path, file.rows) == (kind, path, old_path, 1)


def test_the_log_of_a_submodule_belongs_to_it() -> None:
    assert only_file("Submodule sub 1111111..2222222:\n  > added\n  < taken back\nprose\n").rows == 3


def test_the_mode_of_a_merge_is_the_new_one() -> None:
    file = only_file("diff --cc f\nindex 1111111,2222222..3333333\nmode 100644,100644..100755\n")
    assert (file.kind, file.path, file.new_mode) == (FileKind.COMBINED, "f", "100755")
