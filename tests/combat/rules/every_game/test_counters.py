"""An item that spends a counter: each attack takes one, and an empty one refuses it, also in its odds."""

from __future__ import annotations

import random

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.gm.counters import without_spent
from combat.rules.core.odds.odds import brief_chance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Counter, State, replace
from tests.combat.rules.games import demo_fights, every_game


def find_shot(system: System) -> tuple[State, Command]:
    """The first attack of the demo fights with an item of the attacker, which spends Charges."""
    for moment in demo_fights(system):
        found = moment.step.command
        actor = moment.before.combatants.get(str(found.get("actor", "")))
        weapon = str(found.get("weapon", ""))
        if moment.step.name == "attack" and actor and weapon in [item.id for item in actor.items]:
            items = tuple(
                replace(item, data={**item.data, "spends": "charges"}) if item.id == weapon else item
                for item in actor.items
            )
            armed = replace(actor, items=items, counters=(Counter("n1", "Charges", 2, 1),))
            state = replace(moment.before, combatants={**moment.before.combatants, actor.id: armed})
            return state, read_command(find_action(system, "attack"), found)
    pytest.skip("no demo attacks with an item")


def count(state: State, who: str, left: int, to: str = "all") -> State:
    """The state with so many charges left."""
    counters = (Counter("n1", "Charges", 2, left, to=to),)
    changed = replace(state.combatants[who], counters=counters)
    return replace(state, combatants={**state.combatants, who: changed})


@every_game
def test_attack_spends_a_counter_and_an_empty_one_refuses_it(system: System) -> None:
    if "attack" not in system.actions.by_name:
        return
    state, command = find_shot(system)
    who, action = command.actor, find_action(system, "attack")
    done = run(system, state, action, command, AutoDriver(random.Random(1)))
    assert isinstance(done, Done)
    assert done.state.combatants[who].all_counters[0].left == 0
    assert isinstance(done.facts[0].event, e.CounterSet)
    assert without_spent(state, who) is state
    empty = count(state, who, 0)
    for secret, told in ((False, True), (True, False)):
        now = count(state, who, 0, "gm" if secret else "all")
        with pytest.raises(Refused) as refused:
            run(system, now, action, command, AutoDriver(random.Random(1)))
        assert ("Charges" in refused.value.message) == told
        with pytest.raises(Refused, match="use something else"):
            brief_chance(system, now, action, command)
    weapon = getattr(command, "weapon", "")
    assert weapon not in [item.id for item in without_spent(empty, who).combatants[who].items]
