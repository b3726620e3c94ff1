"""Tactics: how the app plays a combatant."""

from __future__ import annotations

from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import distance
from combat.rules.core.state.state import State, has_condition, present
from tests.combat.rules.tiny.fight import Strike, check_strike
from tests.combat.rules.tiny.move import MOVES


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
    return MOVES.come_near(state, actor, foes)
