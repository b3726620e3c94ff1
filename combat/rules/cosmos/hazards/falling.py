"""Falls: their dice, the save, and the effect of gravity."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, form_about, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    has_condition,
)
from combat.rules.core.turn.turns import add_condition

from ..body.damage import hurt
from ..dice import default_tn, save
from ..environment import gravity_of, is_in_water
from ..world.acting import gm
from ..world.heights import FALL_M

METERS_PER_DIE = 3  # COS-HAZ-01
MAX_FALL_DICE = 20  # COS-HAZ-02
MAX_FALL_M = 10_000
LANDINGS = (Choice("hard", "hard ground"), Choice("water", "water"), Choice("soft", "something soft"))


class Fall(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fall of `metres` onto hard ground, water or something soft."""

    target: str
    metres: int
    landing: Literal["hard", "water", "soft"] = "hard"


def count_fall_dice(state: State, combatant: Combatant, meters: float, landing: str = "hard") -> int:
    """1d6 per 3 m [COS-HAZ-01], at most 20 [COS-HAZ-02], half onto water or soft ground. [COS-HAZ-04]

    None in zero gravity. [COS-ENV-03]  RULING R44.
    """
    if gravity_of(state, combatant) == "zero":
        return 0
    dice = min(MAX_FALL_DICE, int(round(meters, 3) // METERS_PER_DIE))  # decimals do not add up exactly
    return dice // 2 if landing != "hard" else dice


def fall(context: RuleContext, command: Fall) -> Then | None:
    """A combatant falls at the GM's command; Refused for an impossible height. [COS-HAZ-01]"""
    if not 1 <= command.metres <= MAX_FALL_M:
        raise Refused("bad_value", f"A fall is 1 to {MAX_FALL_M} m.")
    return drop_down(context, command.target, command.metres, command.landing)


def drop_down(context: RuleContext, who: str, meters: float, landing: str = "hard") -> Then | None:
    """A Coordination save for half; then gravity changes the damage. [COS-HAZ-03]  RULING R44."""
    combatant = context.state[who]
    dice = count_fall_dice(context.state, combatant, meters, landing)
    context.emit(e.Said("log.falls", combatant.id, args={"metres": meters}), "COS-HAZ-01")
    if dice:
        return Then(_catch_oneself, combatant.id, dice)
    if gravity_of(context.state, combatant) == "zero":
        context.emit(e.Said("log.no_fall"), "COS-ENV-03")
    return None


def come_down(context: RuleContext, who: str, start: Point) -> None:
    """Let someone fall who was flung, or jumped, from a place 3 m or more above. [COS-HAZ-01]

    Water softens it. [COS-HAZ-04]  RULING R32 R60
    """
    state, fallen = context.state, context.state[who]
    meters = round(start.z - fallen.at.z, 3)
    if meters < FALL_M or has_condition(fallen, "dead") or gravity_of(state, fallen) == "zero":  # COS-ENV-03
        return
    step = drop_down(context, who, meters, "water" if is_in_water(state, fallen.at) else "hard")
    while step is not None:
        step = step.step(context, *step.args)


def _catch_oneself(context: RuleContext, who: str, dice: int) -> Then:
    good = save(
        context, who, "COO", target=default_tn(context.state), rule="COS-HAZ-03", why="roll.land_well"
    )
    return Then(_land, who, dice, good)


def _land(context: RuleContext, who: str, dice: int, good: bool) -> None:
    """Deal the damage; armor does not help, and a hurt combatant falls prone.  RULING R44."""
    notation = f"{dice}d6"
    roll = context.roll(notation, by=who, rule="COS-HAZ-01", why="roll.fall")
    terms = fall_terms(context.state, context.state[who], notation, rolled=roll.total, good=good)
    lost = hurt(context, who, add_up(terms), why="why.fall", rule="COS-HAZ-01", terms=terms, roll=roll)
    if lost and not has_condition(context.state[who], "prone"):
        add_condition(context, who, "prone", rule="COS-HAZ-01")


def fall_terms(state: State, combatant: Combatant, notation: str, rolled: int, good: bool) -> Modifiers:
    """Half after a save [COS-HAZ-03]; half in low [COS-ENV-07] and double in high gravity. [COS-ENV-11]"""
    terms, gravity = (
        [Modifier(say("term.fall", dice=notation), rolled, "COS-HAZ-01")],
        gravity_of(state, combatant),
    )
    if good:
        terms.append(Modifier("term.save_half", rolled // 2 - rolled, "COS-HAZ-03"))
    now = add_up(terms)
    if gravity == "low":
        terms.append(Modifier("term.low_gravity_half", now // 2 - now, "COS-ENV-07"))
    elif gravity == "high":
        terms.append(Modifier("term.high_gravity_double", now, "COS-ENV-11"))
    return tuple(terms)


fall_fields = form_about(
    number_field("metres", "Height (m)", 6, low=1, high=MAX_FALL_M, rule="COS-HAZ-01"),
    Field("landing", "Onto", "choice", options=LANDINGS, value="hard", rule="COS-HAZ-04"),
)


ACTIONS = (gm("fall", fall, fields=fall_fields),)
