"""The commands and their keys."""

from collections import Counter

from vally_tui.ui.commands import BY_ID, COMMANDS, DEFAULT_KEYMAP, key_sign, key_table, keymap


def test_no_key_has_two_commands() -> None:
    counts = Counter(key for command in COMMANDS for key in command.keys)
    assert [key for key, count in counts.items() if count > 1] == []


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(COMMANDS)


def test_defaults_have_no_faults() -> None:
    assert DEFAULT_KEYMAP.faults == ()
    assert DEFAULT_KEYMAP.command_of()["f"] == "trial.next-failing"


def test_a_chosen_key_is_taken_from_its_default_command() -> None:
    chosen = keymap({"trial.next-failing": "n"})
    assert chosen.command_of()["n"] == "trial.next-failing"
    assert "f" not in chosen.command_of()
    assert chosen.faults == ("match.next has lost its only key to trial.next-failing",)


def test_a_key_given_twice_stays_with_the_first() -> None:
    chosen = keymap({"trial.next-failing": "x1", "match.next": ["x1", "n"]})
    assert chosen.keys["match.next"] == ("n",)
    assert chosen.faults == ("x1 is given to both trial.next-failing and match.next; trial.next-failing keeps it",)


def test_unknown_commands_and_wrong_values_are_told() -> None:
    chosen = keymap({"nope": "a", "quit": 3})
    assert chosen.faults == (
        "'nope' is no command; the palette (ctrl+p) lists them",
        "the keys of quit must be a text or a list of texts",
    )
    assert chosen.keys["quit"] == ("q", "ctrl+q")


def test_keys_are_shown_in_signs() -> None:
    assert [key_sign(key) for key in ("ctrl+s", "left", "f")] == ["^s", "←", "f"]


def test_the_table_names_every_command() -> None:
    table = key_table()
    assert all(command.row in table or command.words in table for command in COMMANDS)
