"""The table of a game's actions: words from a file, procedures from code."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.table import ActionTable, find_command, load_actions
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS, TABLE
from combat.rules.core.gm.decisions import Rename, rename
from combat.rules.core.state.state import State
from tests.combat.rules.games import every_game
from tests.combat.rules.stage import Stage

WORDS = """
[group.Act.wave]
label = "Wave"
rule = "TINY-STR-01"
cost = "Free"
text = "A hand goes up."
brief = "Hello"

[group.GM.name]
label = "Give a name"
"""


def make_table(folder: Path, words: str = WORDS) -> ActionTable:
    path = folder / "actions.toml"
    path.write_text(words, encoding="utf-8")
    return load_actions(path)


def wave(context: RuleContext, command: Command) -> None:
    """Do nothing."""


def stop(state: State, actor: str) -> None:
    raise Refused("not_allowed", "Not now.")


def pass_by(state: State, actor: str) -> None:
    """Never refuse."""


def test_an_action_has_its_words_from_the_file(tmp_path: Path) -> None:
    action = make_table(tmp_path).act("wave", wave)
    assert (action.name, action.label, action.group) == ("wave", "Wave", "Act")
    assert (action.rule, action.cost, action.text) == ("TINY-STR-01", "Free", "A hand goes up.")
    assert (action.brief, action.find_brief) == ("Hello", None)
    assert (action.who, action.on_turn, action.type) == ("seat", True, Command)


def test_an_action_of_the_gm_waits_for_no_turn(tmp_path: Path) -> None:
    action = make_table(tmp_path).gm("name", rename)
    assert (action.who, action.on_turn, action.type, action.text) == ("gm", False, Rename, "")


def test_the_first_check_that_refuses_greys_an_action(tmp_path: Path, duel: Stage) -> None:
    table, state = make_table(tmp_path), duel.state
    table.act("wave", wave).check_now(state, "f1")
    for checks in ((stop,), (pass_by, stop), (stop, pass_by)):
        with pytest.raises(Refused, match="Not now"):
            table.act("wave", wave, *checks).check_now(state, "f1")


def test_a_procedure_inside_another_one_says_what_it_takes() -> None:
    @wraps(rename)
    def around(context: RuleContext, command: Any) -> None:
        rename(context, command)

    assert find_command(around) is Rename


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("[group.Act]\nwave = { }", "wave.*label"),
        ('[group.Act]\nwave = { label = "Wave", odd = 1 }', "odd"),
    ],
)
def test_a_file_with_a_slip_is_refused(tmp_path: Path, words: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        make_table(tmp_path, words)


def test_a_procedure_without_a_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"actions\.toml: no action is called bow: .*\[group\.…\]"):
        make_table(tmp_path).act("bow", wave)


@every_game
def test_every_row_of_a_game_is_an_action(system: System) -> None:
    path = system.folder / "actions.toml"
    if path.exists():
        assert load_actions(path).rows.keys() == system.actions.by_name.keys()


def test_every_row_of_the_core_is_an_action() -> None:
    assert TABLE.rows.keys() == GM_ACTIONS.keys() | SEAT_ACTIONS.keys()


def test_actions_of_several_modules_come_in_the_order_of_their_rows(tmp_path: Path) -> None:
    table = make_table(tmp_path)
    assert [*table.collect((table.gm("name", rename),), (table.act("wave", wave),))] == ["wave", "name"]


def test_a_row_without_a_procedure_is_refused(tmp_path: Path) -> None:
    table = make_table(tmp_path)
    with pytest.raises(DataError, match=r"actions\.toml: no code does name: "):
        table.collect((table.act("wave", wave),))
