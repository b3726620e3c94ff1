"""Fire: its damage, and how to put it out."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    has_condition,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import armor_points, count_damage, hurt, shield_terms, worn_armor
from ..dice import check_terms, did_succeed, is_natural_2, roll_check
from ..environment import lay, tags_at
from ..world.acting import act
from .protection import suit_record

FIRE_DICE = "1d6"  # COS-HAZ-05
EXTINGUISH_TN = 11  # COS-HAZ-07
SQUARE_M = 2  # how far a fire spreads, in meters


def burn(context: RuleContext, who: str) -> None:
    """1d6 energy damage from flames; nobody burns twice in the same turn. [COS-HAZ-05]

    RULING R45.
    """
    if has_burned(context.state, who):
        return
    context.emit(e.Marked(who, "burned", _name_turn(context.state)), "COS-TERR-08", e.GM_ONLY)
    roll = context.roll(FIRE_DICE, by=who, rule="COS-HAZ-05", why="roll.fire")
    armor = fire_armor(context.state, context.state[who])
    lost = count_damage(context.state, roll.total, armor)
    terms = (Modifier(say("term.fire", dice=FIRE_DICE), roll.total, "COS-HAZ-05"), *armor)
    hurt(context, who, lost, why="why.fire", rule="COS-TERR-08", terms=terms, roll=roll)


def has_burned(state: State, who: str) -> bool:
    """Whether flames have already hurt a combatant this turn. [COS-TERR-08]"""
    return state[who].marks.get("burned") == _name_turn(state)


def _name_turn(state: State) -> str:
    return f"{state.clock}:{state.active}"


def fire_armor(state: State, combatant: Combatant) -> Modifiers:
    """Sealed or powered armor counts against fire, as does armor against energy [COS-DMG-03]. [COS-HAZ-08]"""
    worn, shields = worn_armor(combatant), shield_terms(combatant)
    if worn is None or not suit_record(worn):
        return shields
    return (Modifier(worn.name, -armor_points(state, worn), "COS-HAZ-08"), *shields)


def check_burning(state: State, actor: str) -> None:
    """Refuse to put out flames if the combatant does not burn or stands on burning ground."""
    combatant = state[actor]
    if not has_condition(combatant, "burning"):
        raise Refused("not_allowed", f"{combatant.name} is not on fire.")
    if "fire" in tags_at(state, combatant.at):
        raise Refused("not_allowed", "Leave the burning ground first.")


def extinguish(context: RuleContext, command: Command) -> Then:
    """Stop, drop and roll: a Standard Action, prone, Athletics against 11. [COS-HAZ-07]"""
    who = command.actor
    spend(context, who, {"standard": 1}, on="Stop, drop and roll", rule="COS-HAZ-07")
    if not has_condition(context.state[who], "prone"):
        add_condition(context, who, "prone", rule="COS-HAZ-07")
    return Then(_roll_in_dust, who)


def _roll_in_dust(context: RuleContext, who: str) -> None:
    """Two ones let the fire spread to the ground beside the combatant. [COS-HAZ-06]  RULING R45."""
    terms = check_terms(context.state, context.state[who], "COO", skill_name="Athletics", rule="COS-HAZ-07")
    roll = roll_check(
        context,
        who,
        terms,
        target=EXTINGUISH_TN,
        rule="COS-HAZ-07",
        what="Athletics",
        why="roll.put_out_the_flames",
    )
    if did_succeed(context):
        remove_conditions(context, who, "burning", why="why.put_out", rule="COS-HAZ-07")
    elif is_natural_2(roll):
        spread_fire(context, context.state[who].at)


def spread_fire(context: RuleContext, place: Point) -> None:
    """Set a square beside a place on fire. [COS-HAZ-06]  RULING R45."""
    for x, y in ((SQUARE_M, 0), (0, SQUARE_M), (-SQUARE_M, 0), (0, -SQUARE_M)):
        beside = on_ground(context.state.scene, Point(place.x + x, place.y + y))
        if abs(beside.z - place.z) <= SQUARE_M and "fire" not in tags_at(context.state, beside):
            lay(context, beside, SQUARE_M / 2, tag="fire", label="Flames", rule="COS-HAZ-06")
            context.emit(e.Said("log.fire_spreads"), "COS-HAZ-06")
            return


ACTIONS = (act("extinguish", extinguish, check_burning),)
