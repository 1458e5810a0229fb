import pytest

from vally_tui.runs.written import written_paths


def call(tool: object, arguments: object) -> dict[str, object]:
    return {"type": "tool_call", "data": {"toolName": tool, "arguments": arguments}}


@pytest.mark.parametrize(
    ("tool", "arguments", "paths"),
    [
        ("edit", {"path": "src/a.py", "old_str": "x"}, ("src/a.py",)),
        ("create", {"path": "/w/dist/out.js"}, ("dist/out.js",)),
        ("Write", {"file_path": "/elsewhere/x"}, ("/elsewhere/x",)),
        ("create_file", {"filePath": "a b.txt"}, ("a b.txt",)),
        ("str_replace_editor", '{"path": "from-text.py"}', ("from-text.py",)),
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\r\n"},
            ("a.py", "b.py"),
        ),
        ("apply_patch", "*** Delete File: c.py\n", ("c.py",)),
        ("view", {"path": "src/a.py"}, ()),
        ("bash", {"command": "echo > x"}, ()),
        ("edit", {"path": 5}, ()),
        ("edit", None, ()),
        (None, {"path": "x"}, ()),
    ],
)
def test_paths_that_a_tool_call_wrote(tool: object, arguments: object, paths: tuple[str, ...]) -> None:
    assert written_paths([call(tool, arguments)], "/w") == paths


def test_windows_paths_below_the_working_directory() -> None:
    assert written_paths([call("edit", {"path": "C:\\w\\src\\a.py"})], "C:\\w") == ("src/a.py",)


def test_paths_below_the_temporary_workspace_of_a_run() -> None:
    path = "C:\\Users\\dev~1\\AppData\\Local\\Temp\\vally-eval-wSHv06\\src\\a.tsp"
    assert written_paths([call("edit", {"path": path})], "C:\\other") == ("src/a.tsp",)


def test_each_path_once_in_the_order_of_writing() -> None:
    calls = [call("edit", {"path": path}) for path in ("b", "a", "b")]
    assert written_paths(calls, None) == ("b", "a")


def test_other_events_write_nothing() -> None:
    assert (
        written_paths([{"type": "tool_result", "data": {"toolName": "edit", "arguments": {"path": "a"}}}, {}], None)
        == ()
    )
