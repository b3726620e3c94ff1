"""The effect on Hit Points when the GM ends a condition or revives a combatant."""

from __future__ import annotations

from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..characters.conditions import KINDS

OF_HP = {*KINDS.tagged("of HP")}  # the conditions that 0 HP or less bring


OUT = KINDS.ended_by("revival")  # what a revival by the GM ends


def find_least(combatant: Combatant) -> dict[str, int]:
    """The HP with which someone comes back: 1, or more if they have more."""
    return {"hp": max(1, combatant.tracks["hp"])}


def death_border(combatant: Combatant) -> int:
    """The lowest HP of the living. [COS-DEATH-11]  RULING R18, R41: minus Might without drugs."""
    return -int(combatant.sheet["attributes"]["MIG"])


def other_outcomes(before: Combatant, after: Combatant) -> tuple[Label, ...]:
    """Another outcome than going down, for the odds: death. [COS-DEATH-11]"""
    dies = has_condition(after, "dead") and not has_condition(before, "dead")
    return ("condition.dead",) if dies else ()


def revive(context: RuleContext, before: Combatant) -> None:
    """Revive a combatant whose HP the GM has raised from those of the dead to those of the living."""
    hp = context.state[before.id].tracks["hp"]
    if hp > before.tracks["hp"] and hp >= death_border(before):
        remove_conditions(context, before.id, "dead", why="why.alive_again")
        follow_hp(context, before)


def follow_hp(context: RuleContext, before: Combatant) -> None:
    """Restore the conditions of 0 HP or less after the GM ended one, so that the state stays valid.

    [COS-STATE-19] [COS-STATE-20] [COS-DEATH-11] Conditions that follow from HP come back. [COS-DEATH-09] A
    combatant no longer dying is stable. [COS-DEATH-10] One no longer dead wakes above 0 HP.
    """
    combatant = context.state[before.id]
    ended = OF_HP & ({held.kind for held in before.conditions} - {held.kind for held in combatant.conditions})
    if not ended or has_condition(combatant, "dead"):
        return
    hp = combatant.tracks["hp"]
    if hp > 0:
        if "dead" in ended:
            remove_conditions(context, combatant.id, "unconscious", why="why.above_0_hp", rule="COS-DEATH-10")
        return
    if hp < death_border(combatant):
        add_condition(context, combatant.id, "dead")
    elif not has_condition(combatant, "dying", "stable"):
        add_condition(context, combatant.id, "stable" if "dying" in ended else "dying")
    if not has_condition(combatant, "unconscious"):
        add_condition(context, combatant.id, "unconscious", rule="COS-STATE-20")
