"""What follows from Hit Points when the GM ends a condition or brings somebody back from death."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, has_condition
from combat.rules.core.turns import add_condition, remove_conditions

OF_HP = frozenset({"dead", "dying", "stable", "unconscious"})  # what 0 HP and less bring with them


def death_border(fighter: Combatant) -> int:
    """[COS-DEATH-11] The lowest HP somebody lives with.  RULING R18, R41: minus Might without drugs."""
    return -int(fighter.sheet["attributes"]["MIG"])


def revive(context: RuleContext, before: Combatant) -> None:
    """Healed by decision, from HP that may be those of the dead to such as the living have: alive again."""
    hp = context.state[before.id].tracks["hp"]
    if hp > before.tracks["hp"] and hp >= death_border(before):
        remove_conditions(context, before.id, "dead", why="why.alive_again")
        follow_hp(context, before)


def follow_hp(context: RuleContext, before: Combatant) -> None:
    """The conditions of 0 HP and less after one of them was ended: the state stays a possible one.

    [COS-STATE-19] [COS-STATE-20] [COS-DEATH-11] What HP bring comes back. [COS-DEATH-09] Who is
    no longer dying is stable. [COS-DEATH-10] Who is dead no more wakes above 0 HP.
    """
    fighter = context.state[before.id]
    ended = OF_HP & ({held.kind for held in before.conditions} - {held.kind for held in fighter.conditions})
    if not ended or has_condition(fighter, "dead"):
        return
    hp = fighter.tracks["hp"]
    if hp > 0:
        if "dead" in ended:
            remove_conditions(context, fighter.id, "unconscious", why="why.above_0_hp", rule="COS-DEATH-10")
        return
    if hp < death_border(fighter):
        add_condition(context, fighter.id, "dead")
    elif not has_condition(fighter, "dying", "stable"):
        add_condition(context, fighter.id, "stable" if "dying" in ended else "dying")
    if not has_condition(fighter, "unconscious"):
        add_condition(context, fighter.id, "unconscious", rule="COS-STATE-20")
