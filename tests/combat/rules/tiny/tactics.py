"""Tactics: how the app plays a combatant."""

from __future__ import annotations

from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Command
from combat.rules.core.gm.ways import TakeWay, UseDoor
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, State, has_condition, present
from tests.combat.rules.tiny.fight import Strike, check_strike
from tests.combat.rules.tiny.move import Move
from tests.combat.rules.tiny.world import WALKS


def suggest(state: State, actor: str) -> tuple[str, Command] | None:
    """Strike a foe within reach, else come near."""
    combatant = state[actor]
    others = [one for one in present(state) if one.side != combatant.side and not has_condition(one, "down")]
    foes = [one for one in others if not is_concealed_from(state, combatant, one)]
    foes.sort(key=lambda one: distance(one.at, combatant.at))
    if has_condition(combatant, "down"):
        return None
    for foe in foes if combatant.budget.get("act") else ():
        strike = Strike(actor=actor, target=foe.id)
        if allows(check_strike, state, strike):
            return "strike", strike
    return come_near(state, combatant, foes)


def come_near(state: State, combatant: Combatant, foes: list[Combatant]) -> tuple[str, Command] | None:
    """A step, a door or a way toward a foe, if something is left to pay for it."""
    approach, who = WALKS.find_approach(state, combatant.id, foes), combatant.id
    if approach is None or not any(combatant.budget.values()):
        return None
    if approach.deed == "door":
        return ("door", UseDoor(actor=who, door=approach.goal)) if combatant.budget.get("act") else None
    if approach.deed == "way":
        return "way", TakeWay(actor=who, way=approach.goal)
    return "move", Move(actor=who, to=approach.goal, far=True)
