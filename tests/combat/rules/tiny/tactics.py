"""Tactics: how the app plays a combatant."""

from __future__ import annotations

from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import distance
from combat.rules.core.state.state import State, has_condition, present
from tests.combat.rules.tiny.fight import REACH_M, Strike
from tests.combat.rules.tiny.move import Move


def suggest(state: State, actor: str) -> tuple[str, Command] | None:
    """Strike a foe within reach, else come near."""
    combatant = state[actor]
    others = [one for one in present(state) if one.side != combatant.side and not has_condition(one, "down")]
    foes = [one for one in others if not is_concealed_from(state, combatant, one)]
    if has_condition(combatant, "down") or not foes:
        return None
    foe = min(foes, key=lambda one: distance(one.at, combatant.at))
    if distance(foe.at, combatant.at) > REACH_M and any(combatant.budget.values()):
        return "move", Move(actor=actor, to=f"near:{foe.id}", far=True)
    return ("strike", Strike(actor=actor, target=foe.id)) if combatant.budget.get("act") else None
