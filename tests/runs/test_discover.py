import os
from io import BytesIO
from pathlib import Path

import pytest

from vally_tui.errors import RunUnreadable, UsageError
from vally_tui.runs.discover import Discovery, discover, newest_run_below

OLD, NEW = "2026-07-02T06-21-49-309Z", "2026-07-03T05-50-48-420Z"


def put(path: Path) -> Path:
    """A results file and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    return path


def names(found: Discovery) -> list[str]:
    assert found.errors == ()
    return [source.name for source in found.sources]


def skipped(found: Discovery) -> list[str]:
    return [f"{Path(issue.file).name}: {issue.message}" for issue in found.issues]


def error_of(found: Discovery) -> str:
    assert found.sources == ()
    (error,) = found.errors
    return str(error)


def test_a_run_directory(tmp_path: Path) -> None:
    results = put(tmp_path / OLD / "results.jsonl")
    (source,) = discover([str(tmp_path / OLD)]).sources
    assert (source.results, source.folder, source.name) == (results, tmp_path / OLD, OLD)
    assert (source.variant, source.experiment, source.from_stdin) == (None, None, False)
    assert source.shown == str(results)


def test_a_results_file_is_called_by_its_folder_and_any_other_file_by_its_own_name(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    put(tmp_path / "single-run.jsonl")
    found = discover([str(tmp_path / OLD / "results.jsonl"), str(tmp_path / "single-run.jsonl")])
    assert names(found) == [OLD, "single-run.jsonl"]
    assert [source.folder for source in found.sources] == [tmp_path / OLD, tmp_path]


def test_the_current_directory_has_its_real_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / OLD / "results.jsonl")
    monkeypatch.chdir(tmp_path / OLD)
    (source,) = discover(["."]).sources
    assert (source.name, source.shown) == (OLD, "./results.jsonl")


def test_an_experiment_is_its_variants(tmp_path: Path) -> None:
    put(tmp_path / NEW / "with-skills" / "results.jsonl")
    put(tmp_path / NEW / "baseline" / "results.jsonl")
    found = discover([str(tmp_path / NEW)])
    assert names(found) == ["baseline", "with-skills"]
    assert [(source.variant, source.experiment) for source in found.sources] == [
        ("baseline", NEW),
        ("with-skills", NEW),
    ]


def test_a_folder_with_an_equals_sign_is_a_variant_whatever_it_is_in(tmp_path: Path) -> None:
    put(tmp_path / "my-experiment" / "skills=on,model=x" / "results.jsonl")
    (source,) = discover([str(tmp_path)]).sources
    assert (source.variant, source.experiment) == ("skills=on,model=x", "my-experiment")


def test_a_parent_of_runs_holds_them_in_order(tmp_path: Path) -> None:
    put(tmp_path / NEW / "results.jsonl")
    put(tmp_path / OLD / "results.jsonl")
    put(tmp_path / "wrapped" / "deep" / "results.jsonl")
    assert names(discover([str(tmp_path)])) == [OLD, NEW, "deep"]


def test_runs_of_one_name_are_told_apart_by_their_parents(tmp_path: Path) -> None:
    put(tmp_path / OLD / "main" / "results.jsonl")
    put(tmp_path / NEW / "main" / "results.jsonl")
    put(tmp_path / NEW / "other" / "results.jsonl")
    assert names(discover([str(tmp_path)])) == [f"{OLD}/main", f"{NEW}/main", "other"]


def test_results_in_session_logs_are_what_the_agent_worked_on_and_no_run(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    put(tmp_path / OLD / "executor-session-logs" / "e" / "artifacts" / "results.jsonl")
    put(tmp_path / "node_modules" / "x" / "results.jsonl")
    assert names(discover([str(tmp_path)])) == [OLD]


def test_a_run_is_read_once_however_often_it_is_given(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    found = discover([str(tmp_path), str(tmp_path / OLD)])
    assert names(found) == [OLD]
    assert skipped(found) == ["results.jsonl: passed over, since it was found before and is read once"]


def test_links_are_not_followed_and_what_they_hide_is_told(tmp_path: Path) -> None:
    put(tmp_path / "runs" / OLD / "results.jsonl")
    put(tmp_path / "elsewhere" / "results.jsonl")
    (tmp_path / "runs" / "loop").symlink_to(".")
    (tmp_path / "runs" / "latest").symlink_to(OLD)
    (tmp_path / "runs" / "hidden").symlink_to("../elsewhere")
    (tmp_path / "runs" / "linked").mkdir()
    (tmp_path / "runs" / "linked" / "results.jsonl").symlink_to(tmp_path / "elsewhere" / "results.jsonl")
    found = discover([str(tmp_path / "runs")])
    assert names(found) == [OLD]
    assert skipped(found) == [
        "hidden: passed over, since it is a link to a folder elsewhere: give that folder as a RUN",
        "results.jsonl: passed over, since it is a link to a file elsewhere: give that file as a RUN",
    ]


def test_a_linked_run_that_is_given_itself_is_opened(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    (tmp_path / "latest").symlink_to(OLD)
    assert names(discover([str(tmp_path / "latest")])) == ["latest"]


def test_a_fifo_or_a_folder_where_results_should_be_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / "results.jsonl")
    (tmp_path / "b" / "results.jsonl").mkdir(parents=True)
    found = discover([str(tmp_path)])
    assert names(found) == [OLD]
    assert skipped(found) == [
        "results.jsonl: passed over, since it is a FIFO, not a regular file",
        "results.jsonl: passed over, since it is a directory, not a regular file",
    ]


def test_a_deep_tree_is_walked_without_recursion(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(300):
        folder = folder / "d"
    folder.mkdir(parents=True)
    put(folder / "results.jsonl")
    assert len(discover([str(tmp_path)]).sources) == 1


def test_too_many_folders_are_not_all_looked_into_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vally_tui.runs.discover.MOST_FOLDERS", 2)
    put(tmp_path / "a" / "results.jsonl")
    put(tmp_path / "b" / "results.jsonl")
    found = discover([str(tmp_path)])
    assert names(found) == ["a"]
    assert "has more than 2 folders; not all were looked into" in found.issues[0].message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("absent", "absent is not there"),
        ("empty", "empty holds no results.jsonl: give a run directory, a folder of runs or a JSONL file"),
        ("pipe", "pipe is a FIFO, not a regular file; pipe its records to standard input and give - instead"),
        ("eval.yaml", "eval.yaml is a spec, not a run: pass it with --eval-spec"),
        ("a\0b", "'a\\x00b' is no path of this system"),
    ],
)
def test_a_run_that_cannot_be_read_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    os.mkfifo("pipe")
    Path("eval.yaml").touch()
    found = discover([name])
    assert error_of(found) == text
    assert isinstance(found.errors[0], RunUnreadable)


def test_the_other_runs_are_found_all_the_same(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    found = discover([str(tmp_path / "absent"), str(tmp_path / OLD)])
    assert [source.name for source in found.sources] == [OLD]
    assert len(found.errors) == 1


def test_an_unreadable_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a" / "results.jsonl")
    (tmp_path / "locked").mkdir()
    real = os.scandir

    def refusing(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = discover([str(tmp_path)])
    assert names(found) == ["a"]
    assert skipped(found) == ["locked: passed over, since it cannot be read (Permission denied)"]


def test_standard_input_is_kept_privately_and_deleted(tmp_path: Path) -> None:
    found = discover(["-"], stdin=BytesIO(b'{"type":"trial-result"}\n'))
    (source,) = found.sources
    assert (source.name, source.shown, source.from_stdin) == ("standard input", "standard input", True)
    assert source.results.read_bytes() == b'{"type":"trial-result"}\n'
    assert source.folder.stat().st_mode & 0o077 == 0
    assert os.listdir(source.folder) == ["results.jsonl"]
    found.close()
    assert not source.folder.exists()


def test_standard_input_once_only() -> None:
    found = discover(["-", "-"], stdin=BytesIO(b""))
    found.close()
    assert [str(error) for error in found.errors] == ["standard input was given twice: give - once"]
    assert len(found.sources) == 1


def test_closed_standard_input_is_said_so() -> None:
    assert error_of(discover(["-"])) == "standard input is closed: pipe the records to it, or give a path"


def test_run_dir_is_where_sidecars_are_looked_up(tmp_path: Path) -> None:
    put(tmp_path / "results.jsonl")
    (tmp_path / "copy").mkdir()
    (source,) = discover([str(tmp_path / "results.jsonl")], str(tmp_path / "copy")).sources
    assert source.folder == tmp_path / "copy"
    found = discover(["-"], str(tmp_path / "copy"), BytesIO(b""))
    assert found.sources[0].folder == tmp_path / "copy"
    found.close()


def test_run_dir_with_a_folder_of_several_runs_is_wrong_usage(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    put(tmp_path / NEW / "results.jsonl")
    found = discover([str(tmp_path)], str(tmp_path))
    assert error_of(found).endswith("holds 2 runs, but --run-dir serves one only: give that run")
    assert isinstance(found.errors[0], UsageError)


def test_a_run_dir_that_is_no_directory_is_wrong_usage(tmp_path: Path) -> None:
    put(tmp_path / "results.jsonl")
    found = discover([str(tmp_path)], str(tmp_path / "absent"))
    assert error_of(found).endswith(
        "absent is no directory: --run-dir names the folder that holds the recorded sidecars"
    )
    assert isinstance(found.errors[0], UsageError)


def test_the_newest_run_is_the_one_with_the_latest_time_in_its_name(tmp_path: Path) -> None:
    put(tmp_path / NEW / "results.jsonl")
    put(tmp_path / OLD / "results.jsonl")
    assert newest_run_below(tmp_path) == tmp_path / NEW


def test_the_newest_experiment_is_opened_with_all_its_variants(tmp_path: Path) -> None:
    put(tmp_path / OLD / "results.jsonl")
    put(tmp_path / "exp" / NEW / "a" / "results.jsonl")
    put(tmp_path / "exp" / NEW / "b" / "results.jsonl")
    assert newest_run_below(tmp_path) == tmp_path / "exp" / NEW


def test_a_folder_without_a_time_counts_by_its_results(tmp_path: Path) -> None:
    os.utime(put(tmp_path / "mine" / "results.jsonl"), (2_000_000_000, 2_000_000_000))
    put(tmp_path / NEW / "results.jsonl")
    assert newest_run_below(tmp_path) == tmp_path / "mine"


def test_no_run_below_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert newest_run_below(tmp_path / "absent") is None
    assert newest_run_below(tmp_path) is None
