from vally_tui.diffs.index import DiffIndex
from vally_tui.ui.render.document import PlainText
from vally_tui.ui.render.folds import context_folds, fold_words, heights, notices, payload_folds
from vally_tui.ui.render.row_map import Fold

CONTEXT = """diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,9 +1,9 @@
 one
 two
 three

-old
+new
 six
 seven
"""

SHORT = """diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,9 +1,9 @@
-old
+new
"""

BINARY = (
    "diff --git a/x.bin b/x.bin\nnew file mode 100644\nindex 0000000..1111111\nGIT binary patch\nliteral 300\n"
    + "zcmZ?wbhEHbRAx|MU|?WiU=Ux1aNw{10RRsv0eAoa\n" * 6
    + "\nliteral 0\nHcmV?d00001\n\n"
)


def test_a_stretch_of_context_is_folded_and_a_short_one_is_not() -> None:
    assert context_folds(DiffIndex.build(CONTEXT)) == [Fold(4, 4, "context")]


def test_a_hunk_that_disagrees_with_its_header_has_its_notice_below_it() -> None:
    index = DiffIndex.build(SHORT)
    assert [(notice.row, notice.text) for notice in notices(index)] == [(3, index.files[0].hunks[0].notice)]


def test_a_long_binary_payload_is_folded_to_its_first_rows() -> None:
    (fold, *_) = payload_folds(DiffIndex.build(BINARY))
    assert (fold.row, fold.what) == (5, "binary payload")
    assert fold_words(fold) == f"… {fold.count} rows of binary payload"


def test_wrapped_heights_count_cells_not_characters() -> None:
    document = PlainText("12345678901\n一二三四五\n\na\tb")
    assert list(heights(document, 10)) == [2, 1, 1, 1]
    assert list(heights(document, 5)) == [3, 3, 1, 3]  # a tab wider than the row has one to itself


def test_plain_text_has_a_row_for_each_line_and_none_behind_the_last_newline() -> None:
    text = "a\nbb\r\x0b\u2028c\n\nd\n"
    document = PlainText(text)
    assert [text[line.start : line.end] for line in document.rows(0, 99)] == ["a", "bb\r\x0b\u2028c", "", "d"]
    assert [document.row_of(offset) for offset in (0, 1, 2, 8, 9)] == [0, 0, 1, 1, 2]
    assert PlainText("").row_count == 0
    assert PlainText("x").row_count == 1
    assert PlainText("\n").row_count == 1
