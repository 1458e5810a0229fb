"""The preview of a save is a unified diff that git would accept."""

import subprocess
from pathlib import Path

from vally_tui.spec.preview import unified_diff


def test_the_changed_line_is_shown_with_its_neighbours() -> None:
    old = "".join(f"line {n}\n" for n in range(10))
    assert unified_diff(old, old.replace("line 5", "LINE 5"), "eval.yaml") == (
        "--- a/eval.yaml\n+++ b/eval.yaml\n@@ -3,7 +3,7 @@\n line 2\n line 3\n line 4\n-line 5\n+LINE 5\n line 6\n"
        " line 7\n line 8\n"
    )


def test_equal_texts_have_no_diff() -> None:
    assert unified_diff("a\r\n", "a\r\n", "eval.yaml") == ""


def test_git_applies_it_to_texts_with_crs_separators_and_no_last_newline(tmp_path: Path) -> None:
    old = "a\r\nb\u2028c\x85\x0b\r\nd\r"
    new = "a\r\nB\u2028c\x85\x0b\r\nd\re"
    (tmp_path / "eval.yaml").write_bytes(old.encode())
    diff = unified_diff(old, new, "eval.yaml")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff.encode(), check=True)
    assert (tmp_path / "eval.yaml").read_bytes() == new.encode()
