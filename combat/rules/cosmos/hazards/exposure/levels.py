"""Hazards with levels: the save against radiation and toxic air, and the effect of a failure."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import system_of
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    State,
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turn.turns import add_condition

from ...body.damage import hurt
from ...book.records import HazardLevel
from ...book.tables import hazard_levels
from ...dice import save
from ...environment import read_setting
from ..protection import hazard_terms

HAZARDS = {  # the names of harm, for rolls and losses
    "radiation": "why.radiation",
    "toxic": "why.toxic_air",
    "heat": "why.heat",
    "cold": "why.cold",
}
SAVE_RULES = {"radiation": "COS-HAZ-15", "toxic": "COS-HAZ-18"}
HARM_RULES = {"radiation": "COS-HAZ-16", "toxic": "COS-HAZ-19"}


def find_level(state: State, kind: str) -> HazardLevel | None:
    """The level of the scene's radiation or air; None if it is harmless.  RULING R43."""
    if kind == "radiation":
        level = read_setting(state, "radiation", "none")
        return None if level == "none" else hazard_levels().get(f"radiation_{level}")
    air = read_setting(state, "air", "normal")
    return None if air == "normal" else hazard_levels().get(air)


def face_level(context: RuleContext, who: str, level: HazardLevel) -> None:
    """The save against radiation or toxic air, and the effect of a failure. [COS-HAZ-15] [COS-HAZ-18]

    Damage or a condition; armor does not help. [COS-HAZ-19] Rest alone does not heal radiation damage.
    [COS-HAZ-16]
    """
    plus = hazard_terms(context.state, context.state[who], level.hazard)
    what = HAZARDS[level.hazard]
    why = say("roll.level", what=what, level=f"level.{level.level}")
    rule, harm = SAVE_RULES[level.hazard], HARM_RULES[level.hazard]
    if save(context, who, level.save, target=level.tn, rule=rule, why=why, plus=plus):
        return
    if level.damage != "0":
        roll = context.roll(level.damage, by=who, rule=harm, why=why)
        terms = (name_dice(what, level.damage, roll.total, harm),)
        lost = hurt(context, who, roll.total, why=what, rule=harm, terms=terms, roll=roll)
        if level.hazard == "radiation":
            irradiate(context, who, lost)
    weaken(context, who, level, harm)


def weaken(context: RuleContext, who: str, level: HazardLevel, rule: str) -> None:
    """Give the condition of a level; if there are two, the GM picks. [COS-HAZ-19]  RULING R43."""
    combatant = context.state[who]
    kinds = [kind.lower() for kind in (level.condition, level.or_condition) if kind]
    left = [kind for kind in kinds if not has_condition(combatant, kind, "dead")]
    if len(left) > 1:
        options = tuple(
            Choice(kind, system_of(context).characters.describe_condition(kind).label) for kind in left
        )
        question = f"The air harms {combatant.name}: which condition?"
        left = [context.ask(GM, question, options, rule=rule, default=left[0])]
    for kind in left:
        add_condition(context, who, kind, rule=rule)


def irradiate(context: RuleContext, who: str, points: int) -> None:
    """Mark `points` HP as lost to radiation: rest does not restore them. [COS-HAZ-16]"""
    held = find_condition(context.state[who], "irradiated")
    if not points or has_condition(context.state[who], "dead"):
        return
    if held is None:
        add_condition(context, who, "irradiated", level=points)
    else:
        more = replace(held, level=held.level + points)
        context.emit(e.ConditionChanged(who, more), "COS-HAZ-16")


def name_dice(what: str, dice: str, total: int, rule: str) -> Modifier:
    """The dice of a harm as a term of the loss."""
    return Modifier(say("term.rolled_for", what=what, dice=dice), total, rule)
