"""Title line, footer and pane titles: what is dropped, in which order, at which width."""

import pytest
from msgspec.structs import replace

from tests.ui.render.looks import DARK
from vally_tui.triage.views_model import (
    FooterView,
    Hint,
    Mark,
    Note,
    PaneTitleView,
    Position,
    Tally,
    TitleView,
    Tone,
    TurnTab,
)
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.footer_line import footer_strip
from vally_tui.ui.widgets.pane_title import fitting_tabs, title_strip
from vally_tui.ui.widgets.title_line import run_names, title_line_strip

TITLE = TitleView(
    "2026-11-28T09-14-03-112Z",
    (Tally(Mark.FAIL, 8), Tally(Mark.NO_EVIDENCE, 2), Tally(Mark.PASS, 14)),
    24,
    spec="evals/eval.yaml",
    unsaved=1,
)


def title(width: int, view: TitleView = TITLE) -> str:
    return title_line_strip(view, width, DARK).text


def test_at_120_columns_everything_is_said() -> None:
    text = " 2026-11-28T09-14-03-112Z   ✘ 8 failed   ? 2 no evidence   ✔ 14 passed   of 24 trials"
    assert title(120) == text + "evals/eval.yaml  ● 1 unsaved ".rjust(120 - len(text))


DIFFERS = replace(TITLE, spec_differs=True)


def test_that_the_spec_differs_from_the_record_is_said_where_nothing_has_to_go_for_it_but_parts_of_names() -> None:
    assert title(160, DIFFERS).endswith("  evals/eval.yaml  differs from the record  ● 1 unsaved ")
    assert title(140, DIFFERS).endswith("  evals/eval.yaml  differs  ● 1 unsaved ")
    at_120 = " 2026-11-28T09-14-03  ✘ 8 failed  ? 2 no evidence  ✔ 14 passed  of 24 trials"
    assert title(120, DIFFERS) == at_120 + "eval.yaml  differs  ● 1 unsaved ".rjust(120 - len(at_120))
    assert title(100, DIFFERS).endswith("  eval.yaml  differs  ● 1 unsaved ")
    assert title(80, DIFFERS).endswith("14 passed" + "spec differs  ● ".rjust(18))
    crowded = replace(TITLE, notices=("3 load issues",))
    assert title(84, replace(crowded, spec_differs=True)) == title(84, crowded)


def test_at_80_columns_the_total_the_spec_and_the_milliseconds_go() -> None:
    assert title(80) == " 2026-11-28T09-14-03  ✘ 8 failed  ? 2 no evidence  ✔ 14 passed" + "● ".rjust(18)


def test_at_60_columns_the_words_go_and_the_place_comes() -> None:
    view = TitleView(TITLE.run, TITLE.tallies, 24, place=Position(Mark.FAIL, 1, 8))
    assert title(60, view) == " 11-28T09-14  ✘ 8  ? 2  ✔ 14" + "✘ 1 of 8 ".rjust(32)


def test_at_40_columns_the_place_stays() -> None:
    view = TitleView("quickstart", TITLE.tallies, 24, place=Position(Mark.FAIL, 1, 8))
    assert title(40, view) == " quickstart  ✘ 8  ? 2  ✔ 14" + "✘ 1 of 8 ".rjust(13)


def test_a_tally_of_none_is_left_out_and_one_trial_is_not_trials() -> None:
    view = TitleView("run", (Tally(Mark.FAIL, 0), Tally(Mark.PASS, 1)), 1)
    assert title(120, view).rstrip() == " run   ✔ 1 passed   of 1 trial"


def test_a_run_without_trials_says_so() -> None:
    assert title(120, TitleView("run", total=0, spec="x.yaml")).startswith(" run   no trials  ")


def test_several_errors_are_errors() -> None:
    assert title(120, TitleView("run", (Tally(Mark.ERROR, 1),))).rstrip() == " run   ! 1 error"
    assert title(120, TitleView("run", (Tally(Mark.ERROR, 1_234),))).rstrip() == " run   ! 1,234 errors"


def test_while_the_run_is_read_the_progress_is_said() -> None:
    view = TitleView(
        "run", total=14, progress="reading 58 %", progress_note="14 trials so far", notices=("2 load issues",)
    )
    assert title(120, view).rstrip() == " run   … reading 58 %   14 trials so far   ▲ 2 load issues"


def test_a_long_run_name_loses_its_front() -> None:
    view = TitleView("a-very-long-run-directory-name-that-goes-on-and-on", TITLE.tallies)
    assert title(60, view).startswith(" …")
    assert title(60, view).endswith("on-and-on  ✘ 8  ? 2  ✔ 14 ")


def test_a_time_stamp_has_shorter_forms() -> None:
    assert run_names("2026-11-28T09-14-03-112Z") == ("2026-11-28T09-14-03-112Z", "2026-11-28T09-14-03", "11-28T09-14")
    assert run_names("nightly") == ("nightly", "nightly", "nightly")


@pytest.mark.parametrize("width", [0, 1, 8, 20, 40, 60, 80, 100, 140, 200])
def test_the_title_has_exactly_its_width(width: int) -> None:
    view = TitleView("\x1b[31m" + "一" * 40, TITLE.tallies, 24, notices=("x" * 50,), spec="s" * 90, unsaved=3)
    assert title_line_strip(view, width, DARK).cell_length == width


HINTS = (Hint("f", "next failure"), Hint("e", "edit pattern", "edit"), Hint("o", "prompt, output", "output"))


def footer(width: int, refusal: str = "") -> str:
    return footer_strip(FooterView(HINTS, refusal=refusal), width, DARK).text


def test_the_footer_has_keys_and_words_and_help_at_the_right() -> None:
    text = " f next failure  e edit pattern  o prompt, output"
    assert footer(120) == text + "? help  q quit ".rjust(120 - len(text))


def test_below_100_columns_words_are_short_and_quit_goes() -> None:
    assert footer(60) == " f next failure  e edit  o output                    ? help "


def test_hints_are_left_out_whole_from_the_right() -> None:
    assert footer(42) == " f next failure  e edit  o output  ? help "
    assert footer(41) == " f next failure  e edit           ? help "
    assert footer(40).strip() == "? help"


def test_a_refusal_stands_in_the_footers_place() -> None:
    assert footer(80, "nothing was edited yet").startswith(" ▲ nothing was edited yet  ")


def test_never_more_than_eight_hints() -> None:
    many = FooterView(tuple(Hint(str(number), "x") for number in range(20)))
    assert footer_strip(many, 200, DARK).text.count(" x") == 8


def pane(width: int, view: PaneTitleView, *, active: bool = False, counts: bool = True) -> str:
    tabs = fitting_tabs(view.tabs, width, counts=counts)
    return title_strip(view, (), tabs, width, DARK, Ground.BACKGROUND, active=active).text


GRADERS = PaneTitleView(
    "Graders",
    (Note("fix-divide-by-zero", rank=2), Note("trial 1", rank=0), Note("opus-4.5", rank=1)),
    (Note("1 of 5 failed", Tone.FAIL, 0),),
)


def test_a_pane_title_has_its_notes_left_and_its_result_right() -> None:
    left = "─ Graders  fix-divide-by-zero · trial 1 · opus-4.5 "
    assert pane(82, GRADERS) == left + "─" * (82 - len(left) - 16) + " 1 of 5 failed ─"


def test_the_active_panes_rule_is_heavy() -> None:
    text = pane(30, PaneTitleView("Trials", (Note("8 of 24 failed"),)), active=True)
    assert text == "━ Trials  8 of 24 failed ━━━━━"


def test_notes_go_whole_by_rank() -> None:
    assert pane(60, GRADERS) == "─ Graders  trial 1 · opus-4.5 " + "─" * 14 + " 1 of 5 failed ─"
    assert pane(40, GRADERS) == "─ Graders  trial 1 ───── 1 of 5 failed ─"


TABS = (
    TurnTab("0", "T0"),
    TurnTab("1", "T1", True, 23, 9),
    TurnTab("2", "T2", mark=Mark.NO_EVIDENCE),
    TurnTab("a", "Σ"),
)


def test_tabs_stand_at_the_right_and_the_current_one_in_brackets() -> None:
    view = PaneTitleView("Diff", (Note("src/calc.py", rank=0, path=True),), tabs=TABS)
    assert pane(82, view).endswith("─  T0 [T1 +23 −9] T2 ?  Σ  ")
    assert pane(82, view, counts=False).endswith("─  T0 [T1] T2 ?  Σ  ")


def test_a_long_path_is_shortened_in_its_middle_before_the_tabs() -> None:
    path = Note("packages/server/src/routes/administration/users.ts", rank=0, path=True)
    view = PaneTitleView("Diff", (path, Note("hunk 1/2", rank=2, joint="  ")), tabs=TABS[:2])
    assert pane(46, view, counts=False) == "─ Diff  packages/server/…/users.ts ─  T0 [T1] "


def test_of_very_many_turns_those_near_the_current_one_are_shown() -> None:
    many = tuple(TurnTab(str(turn), f"T{turn}", turn == 50) for turn in range(100))
    shown = [tab.label for tab, _ in fitting_tabs(many, 60, counts=True)]
    assert shown == ["T47", "T48", "T49", "T50", "T51", "T52"]


@pytest.mark.parametrize("width", [0, 1, 5, 12, 20, 40, 80, 160])
def test_a_pane_title_has_exactly_its_width(width: int) -> None:
    view = PaneTitleView("Diff", (Note("\x1b]0;一" * 20, rank=0), Note("x" * 30)), (Note("y" * 30, rank=0),), TABS)
    for each in (view, PaneTitleView("Diff", view.notes, view.right)):
        tabs = fitting_tabs(each.tabs, width, counts=True)
        assert title_strip(each, (), tabs, width, DARK, Ground.SURFACE, active=True).cell_length == width
