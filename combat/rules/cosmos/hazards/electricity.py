"""Electricity: live wires, electrified water, arcs and lightning."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, anybody
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.space import Point, on_ground, plan_distance, read_points
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    has_condition,
    present,
)

from ..body.damage import armor_terms, count_damage, hurt, shield_terms, stun, worn_armor
from ..book.traits import has_tag
from ..dice import save
from ..environment import find_around
from ..world.acting import find_places, gm
from ..world.sight_lines import find_inside, is_stopped
from .protection import energy_terms

TOUCH_DICE = "2d6"  # COS-HAZ-09
ARC_DICE = "3d6"  # COS-HAZ-11
ARC_M = 6
ARC_HALF_M = 0.75
STUN_TN = 14  # RULING R45


class Shock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Electricity: a touch of `target`, the water around it, or an arc between two places.

    `start` and `to` are near:COMBATANT or "x,y" in meters.
    """

    kind: Literal["touch", "water", "arc"] = "touch"
    target: str = ""
    start: str = ""
    to: str = ""


def shock(context: RuleContext, command: Shock) -> Then:
    """A touch deals 2d6 [COS-HAZ-09], an arc 3d6 to all in a line of 6 m. [COS-HAZ-11]  RULING R45."""
    hit = find_shocked(context.state, command)
    if not hit:
        raise Refused("bad_target", "No one is in the way of that arc.")
    arc = command.kind == "arc"
    return Then(discharge, hit, ARC_DICE if arc else TOUCH_DICE, "COS-HAZ-11" if arc else "COS-HAZ-09")


def find_shocked(state: State, command: Shock) -> tuple[str, ...]:
    """The combatants that the current reaches: an arc all on its line, but not at its start. [COS-HAZ-11]"""
    if command.kind == "arc":
        start, goal = find_place(state, command.start), find_place(state, command.to)
        return tuple(combatant.id for combatant in find_inside(state, make_arc(state, start, goal)))
    victim = state[command.target]
    if command.kind == "touch":
        return (victim.id,)
    if not _is_wet(state, victim):
        raise Refused("bad_target", f"{victim.name} is not in the water.")
    return _find_in_pool(state, victim)


def find_place(state: State, words: str) -> Point:
    """The place that near:COMBATANT or "x,y" in meters names."""
    kind, _, who = words.partition(":")
    return state[who].at if kind == "near" else on_ground(state.scene, read_points(words)[0])


def find_arc(state: State, command: Shock) -> tuple[Shape, ...]:
    """The line of an arc; a touch has none, and water fills its own zone."""
    if command.kind != "arc":
        return ()
    return (make_arc(state, find_place(state, command.start), find_place(state, command.to)),)


def make_arc(state: State, start: Point, goal: Point) -> Shape:
    """The line of an arc: 6 m long, 75 cm to each side; walls end it. [COS-HAZ-11]  RULING R45 R50"""
    if plan_distance(start, goal) < 0.01:
        raise Refused("bad_value", "Give the arc a direction.")
    return Shape("line", start, ARC_M, towards=goal, wide=ARC_HALF_M, is_stopped=is_stopped(state))


def _is_wet(state: State, combatant: Combatant) -> bool:
    around = find_around(state.scene, combatant.at)
    return "water" in around.tags or around.underwater


def _find_in_pool(state: State, victim: Combatant) -> tuple[str, ...]:
    """Everyone in the same water; they count as touching. [COS-HAZ-12]"""
    zones = [z for z in state.scene.zones if {"water", "underwater"} & set(z.terrain)]
    here = {z.id for z in zones if _lies_in(z, victim.at)}
    wet = [f for f in present(state) if _is_wet(state, f) and not has_condition(f, "dead")]
    if not here:
        return tuple(f.id for f in wet)
    return tuple(f.id for f in wet if here & {z.id for z in zones if _lies_in(z, f.at)})


def _lies_in(zone: object, place: Point) -> bool:
    x, y, w, d = (getattr(zone, key) for key in ("x", "y", "width", "depth"))
    return bool(x <= place.x <= x + w and y <= place.y <= y + d)


def discharge(context: RuleContext, hit: tuple[str, ...], dice: str, rule: str) -> Then:
    """Roll the damage of a current and apply it to the victims in turn."""
    roll = context.roll(dice, by=GM, rule=rule, why="roll.electricity")
    return Then(_electrocute, hit, roll)


def _electrocute(context: RuleContext, left: tuple[str, ...], roll: Roll) -> Then | None:
    """A touch also stuns; a Might save avoids only that. [COS-HAZ-10]  RULING R45."""
    who, rest = left[0], left[1:]
    electrify(context, who, roll)
    touched = roll.rule == "COS-HAZ-09" and not has_condition(context.state[who], "dead")
    if touched:
        plus = energy_terms(context.state[who], "energy")
        if not save(context, who, "MIG", target=STUN_TN, rule="COS-HAZ-10", why="roll.avoid_stun", plus=plus):
            stun(context, who)
    return Then(_electrocute, rest, roll) if rest else None


def electrify(context: RuleContext, who: str, roll: Roll) -> None:
    """Deal the damage of a current to one victim."""
    armor = electric_armor(context.state, context.state[who])
    terms = (Modifier(say("term.electricity", dice=roll.dice), roll.total, roll.rule), *armor)
    lost = count_damage(context.state, roll.total, armor)
    hurt(context, who, lost, why="why.electricity", rule=roll.rule, terms=terms, roll=roll)


def electric_armor(state: State, combatant: Combatant) -> Modifiers:
    """Armor against electricity: metal does not help. [COS-HAZ-13]  RULING R45."""
    worn = worn_armor(combatant)
    if worn is None or not has_tag(worn.data, "metal"):
        return armor_terms(state, combatant, "energy")
    return (Modifier(say("term.metal", item=worn.name), 0, "COS-HAZ-13"), *shield_terms(combatant))


class Lightning(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A random strike among `targets`, or among all."""

    targets: tuple[str, ...] = ()


def strike_lightning(context: RuleContext, command: Lightning) -> Then:
    """Lightning hits a random combatant for 3d6, as an arc. [COS-XENV-08]  RULING R48."""
    names = command.targets or tuple(f.id for f in present(context.state))
    chosen = [context.state[who] for who in dict.fromkeys(names)]
    living = tuple(f.id for f in chosen if not has_condition(f, "dead"))
    if not living:
        raise Refused("bad_target", "There is no one left to strike.")
    return Then(_strike_one, living)


def _strike_one(context: RuleContext, living: tuple[str, ...]) -> Then:
    roll = context.roll(f"1d{len(living)}", by=GM, rule="COS-XENV-08", why="roll.lightning", look="faces")
    who = living[roll.total - 1]
    context.emit(e.Said("log.lightning", who), "COS-XENV-08")
    return Then(discharge, (who,), ARC_DICE, "COS-XENV-08")


def shock_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The fields of a shock: a touch, water, or an arc between two places."""
    kinds = (
        Choice("touch", "Touch: 2d6 and stunned"),
        Choice("water", "In the water: everyone in it"),
        Choice("arc", "Arc: 3d6 along 6 m"),
    )
    places = find_places(state)
    return (
        Field("kind", "How", "choice", options=kinds, value="touch", rule="COS-HAZ-09"),
        anybody(state),
        Field(
            "start", "Arc from", "place", options=places, value="", help="or x,y in meters", required=False
        ),
        Field(
            "to", "Arc towards", "place", options=places, value="", help="or x,y in meters", required=False
        ),
    )


def lightning_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The possible targets of lightning."""
    people = tuple(Choice(f.id, f.name) for f in present(state))
    return (Field("targets", "Among", "many", people, help="blank: all", required=False),)


ACTIONS = (
    gm("shock", shock, fields=shock_fields, area=find_arc, caught=find_shocked),
    gm("lightning", strike_lightning, fields=lightning_fields),
)
