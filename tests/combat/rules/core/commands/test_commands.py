"""Guards and commands: who may act, and how a command is read."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

import msgspec
import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, add_up, without_zeros
from combat.rules.core.commands.commands import (
    Action,
    ActionTable,
    Command,
    Field,
    command_data,
    find_command,
    find_label,
    find_refusal,
    load_actions,
    no_fields,
    read_command,
)
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS, TABLE
from combat.rules.core.gm.decisions import Rename, rename
from combat.rules.core.gm.scene import SetScene
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from tests.combat.rules.core.commands.test_context import request_roll, seat
from tests.combat.rules.games import every_game
from tests.combat.rules.stage import Script, Stage

# ---------------------------------------------------------------- guards and commands


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("far", "From afar"),  # as its form calls it
        ("metres", "Size on the map"),  # as all games call it, though its form does not
        ("at_round", "At which round"),  # its form goes before all games
        ("side_door", "Side door"),
    ],
)
def test_field_is_called_as_in_its_form_or_else_by_its_name(name: str, label: str) -> None:
    fields = (Field("near", "Close by"), Field("far", "From afar"), Field("metres", ""))
    assert find_label(name, (*fields, Field("at_round", "At which round"))) == label


def test_who_is_not_there_cannot_act(duel: Stage) -> None:
    assert duel.refused("guard", "f9").code == "unknown"
    duel.do("remove", target="f2")
    assert duel.refused("guard", "f2").code == "unknown"


def test_out_of_turn_is_refused_by_name(duel: Stage) -> None:
    refused = duel.refused("guard", "f2")
    assert (refused.code, refused.message) == ("not_your_turn", "It is not Bo's turn.")


def test_shared_turns_let_several_act(duel: Stage) -> None:
    duel.state = e_fold(duel, e.TurnShared("f2", {"act": 1, "step": 1}))
    duel.do("guard", "f2")
    duel.do("guard", "f1")
    assert duel.refused("guard", "f3").code == "not_your_turn"


def e_fold(stage: Stage, event: e.Event) -> State:
    context = seat(stage)
    context.emit(event)
    return context.state


def test_before_and_after_a_fight_nobody_acts(duel: Stage) -> None:
    duel.do("end_fight")
    assert duel.refused("guard", "f1").code == "not_allowed"


def test_obstacles_come_before_the_command(duel: Stage) -> None:
    duel.edit("f1", budget={"act": 0, "step": 1})
    assert duel.refused("guard", "f1").message == "No act is left this turn."
    refusal = find_refusal(duel.system.action("guard"), duel.state, "f1")
    assert refusal is not None
    assert refusal.code == "no_budget"
    assert find_refusal(duel.system.action("move"), duel.state, "f1") is None


def test_unknown_actions_are_refused(duel: Stage) -> None:
    with pytest.raises(Refused, match="Tiny Duel has no action “dance”"):
        find_action(duel.system, "dance")
    assert find_action(duel.system, "note").who == "gm"


def test_commands_are_read_from_words(duel: Stage) -> None:
    action, command = duel.system.read("strike", {"actor": "f1", "target": "f2", "strikes": "2"})
    assert command == msgspec.convert({"actor": "f1", "target": "f2", "strikes": 2}, action.type)
    assert command_data(command) == {"actor": "f1", "target": "f2", "strikes": 2}
    assert command_data(Command()) == {}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "“Target” is missing"),
        ({"target": "f2", "strikes": "many"}, "“Strikes” must be a whole number"),
        ({"target": "f2", "speed": 3}, "“speed” is no field of it"),
        ({"target": ["f2"]}, "“Target” must be text"),
    ],
)
def test_commands_that_cannot_be_read_are_refused(duel: Stage, data: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match="Strike: ") as caught:
        duel.system.read("strike", data)
    assert caught.value.code == "bad_value"
    assert message in caught.value.message


def test_command_data_is_what_json_gives_back(duel: Stage) -> None:
    action = find_action(duel.system, "set_scene")
    zones = [{"id": "a", "name": "A", "terrain": []}, {"id": "b", "name": "B"}]
    command = read_command(action, {"scene": {"zones": zones}})
    data = command_data(command)
    assert isinstance(command, SetScene)
    assert isinstance(data["scene"]["zones"], list)
    assert read_command(action, data) == command


def test_plain_actions_have_no_form(duel: Stage) -> None:
    action = Action(name="x", label="X", group="", type=Command, run=lambda context, command: None)
    assert action.find_fields(duel.state, "f1") == no_fields(duel.state, "f1") == ()
    assert find_refusal(action, duel.state, "f1") is None
    assert Field("to", "Where to").required


def test_a_script_leaves_nothing_over(duel: Stage) -> None:
    with pytest.raises(AssertionError, match="left over"):
        duel.do("guard", "f1", dice=[(3,)])
    with pytest.raises(AssertionError, match="no answer left"):
        Script([]).answer(seat(duel), request_roll())


def test_terms_add_up() -> None:
    terms = (Modifier("A", 2), Modifier("B", 0), Modifier("C", -3))
    assert add_up(terms) == -1
    assert without_zeros(terms) == (terms[0], terms[2])


# The table of a game's actions: words from a file, procedures from code.


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


def test_actions_of_several_modules_come_in_order_of_their_rows(tmp_path: Path) -> None:
    table = make_table(tmp_path)
    assert [*table.collect((table.gm("name", rename),), (table.act("wave", wave),))] == ["wave", "name"]


def test_a_row_without_a_procedure_is_refused(tmp_path: Path) -> None:
    table = make_table(tmp_path)
    with pytest.raises(DataError, match=r"actions\.toml: no code does name: "):
        table.collect((table.act("wave", wave),))
