"""A command's cost in the turn, for the button: the same as when it is played."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import (
    AutoDriver,
    Done,
    Spending,
    describe_spending,
    find_action,
    run,
    spending_of,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from tests.combat.rules.cosmos.figures import CosmosStage, lone
from tests.combat.rules.games import demo_fights, every_game
from tests.combat.rules.stage import Stage


def price(stage: Stage, name: str, actor: str, **fields: Any) -> tuple[Spending, str]:
    """A command's cost, and the words for it."""
    action = find_action(stage.system, name)
    paid = spending_of(stage.system, stage.state, action, read_command(action, {"actor": actor, **fields}))
    return paid, describe_spending(stage.system, paid)


def alone() -> tuple[CosmosStage, str]:
    stage, ada = lone()
    stage.begin()
    return stage, ada


def test_a_move_says_when_it_takes_the_standard_action() -> None:
    stage, ada = alone()
    assert price(stage, "move", ada, to="5,0") == (Spending({"move": 1}), "1 Move")
    stage.do("move", ada, to="5,0")
    paid, words = price(stage, "move", ada, to="9,0")
    assert (paid, words) == (Spending({"standard": 1}, traded=True), "takes 1 Standard instead")


def test_the_price_depends_on_what_the_form_says() -> None:
    stage, ada = alone()
    assert price(stage, "climb", ada, obstacle="low")[1] == "1 Move"
    assert price(stage, "climb", ada, obstacle="high")[1] == "1 Standard"
    assert price(stage, "full_move", ada, to="15,0")[1] == "1 Standard + 1 Move + 3 Quick"
    assert price(stage, "concentrate", ada)[1] == ""
    with pytest.raises(Refused):
        price(stage, "move", ada, to="500,0")


def test_without_trading_a_command_is_refused_instead() -> None:
    stage, ada = alone()
    stage.do("move", ada, to="5,0", untraded=True)
    no = stage.refused("move", ada, to="9,0", untraded=True)
    assert no.message == "No Move left this turn; Moving needs 1 Move."
    with pytest.raises(Refused):
        stage.odds("move", ada, to="9,0", untraded=True)
    stage.do("move", ada, to="9,0")
    assert stage[ada].budget["standard"] == 0


def find_commands(system: System, state: State) -> Iterator[tuple[Action, Command]]:
    """Every action of every combatant, empty and with its form as it opens."""
    for combatant in present(state):
        for action in system.actions.by_name.values():
            filled = {f.name: f.value for f in action.find_fields(state, combatant.id) if f.value}
            for words in ({}, filled) if filled else ({},):
                with contextlib.suppress(Refused):
                    yield action, read_command(action, {"actor": combatant.id, **words})


def count_spent(done: Done, who: str) -> dict[str, int]:
    """The payment made in a command."""
    spent: dict[str, int] = {}
    for event in (fact.event for fact in done.facts):
        if isinstance(event, e.BudgetSpent) and event.who == who:
            for pool, points in event.pools.items():
                spent[pool] = spent.get(pool, 0) + points
    return spent


@every_game
def test_the_price_is_what_is_spent_in_the_demo(system: System) -> None:
    found = 0
    for moment in demo_fights(system)[::2]:
        for action, command in find_commands(system, moment.before):
            try:
                done = run(system, moment.before, action, command, AutoDriver(random.Random(1)))
            except Refused:
                continue
            assert isinstance(done, Done)
            spent = count_spent(done, command.actor)
            assert spending_of(system, moment.before, action, command).pools == spent, action.name
            found += bool(spent)
    assert found
