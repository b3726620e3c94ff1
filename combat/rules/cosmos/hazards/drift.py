"""Drifting in zero gravity: how it starts and how it continues.  RULING R47."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.system import system_of
from combat.rules.core.map.bodies import find_other_at, meters_of
from combat.rules.core.map.moving import Course
from combat.rules.core.space import (
    Point,
    away_from,
    find_stretches,
    is_straight,
    path_length,
    plan_distance,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.traits import has_tag
from ..characters.conditions import KINDS
from ..dice import check_terms, default_tn, did_succeed, roll_check, save
from ..environment import find_thruster, has_surface, has_zero_gravity, is_weightless
from ..world.heights import rest_at, settle
from ..world.scene import is_melee
from ..world.sight_lines import stop_at_walls

TURN_TN = 11  # COS-ZG-03
DRIFT_M = 1  # COS-ZG-06
THOUSAND = 1000  # a direction is stored in thousandths


def find_hold(state: State, combatant: Combatant) -> str:
    """Why a weightless combatant cannot move; empty if it can. [COS-ENV-01] [COS-ZG-05] [COS-ZG-07]"""
    if not is_weightless(state, combatant) or find_thruster(combatant):
        return ""
    if has_condition(combatant, "drifting"):
        return f"{combatant.name} drifts: catch hold of something first, or throw something away."
    if not has_surface(state, combatant.at):
        return f"Nothing within 1 m to push off from: {combatant.name} cannot move in zero gravity."
    return ""


def floats_on(state: State, combatant: Combatant, path: tuple[Point, ...]) -> bool:
    """Whether a path crosses zero gravity anywhere. [COS-ENV-01]  RULING R47."""
    if not has_zero_gravity(state.scene):
        return False
    if is_weightless(state, combatant):
        return True
    stretches = find_stretches(state.scene, path)
    return any(is_weightless(state, replace(combatant, at=stretch.middle)) for stretch in stretches)


def steer(context: RuleContext, who: str, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """The path after the checks at its bends: Coordination and Athletics against 11. [COS-ZG-03]

    After a failure the combatant goes straight on from there, up to the next wall. A thruster pack turns
    freely and uses a charge. [COS-ENV-01]
    """
    state, combatant = context.state, context.state.combatants[who]
    if not floats_on(state, combatant, path):
        return path
    pack = find_thruster(combatant)
    if pack:
        spend_charge(context, who, pack)
        return path
    bend = next((n for n in _find_bends(path) if is_weightless(state, replace(combatant, at=path[n]))), None)
    if bend is None or turns(context, who):
        return path
    left = path_length(path[bend:])
    goal = away_from(path[bend], path[bend - 1], left)
    goal = stop_at_walls(state, path[bend], goal, meters_of(combatant))
    return (*path[: bend + 1], settle(state.scene, goal))


def _find_bends(path: tuple[Point, ...]) -> list[int]:
    inner = range(1, len(path) - 1)
    return [
        n
        for n in inner
        if plan_distance(path[n - 1], path[n]) > 0.01 and not is_straight(path[n - 1 : n + 2])
    ]


def turns(context: RuleContext, who: str) -> bool:
    """Whether the check to change direction succeeds. [COS-ZG-03]"""
    terms = check_terms(context.state, context.state[who], "COO", skill_name="Athletics", rule="COS-ZG-03")
    roll_check(
        context, who, terms, target=TURN_TN, rule="COS-ZG-03", what="Athletics", why="roll.change_direction"
    )
    return did_succeed(context)


def spend_charge(context: RuleContext, who: str, pack: Item) -> None:
    """Use one of the charges of a thruster pack."""
    used = int(pack.marks.get("used", 0)) + 1
    context.emit(e.ItemChanged(who, replace(pack, marks={**pack.marks, "used": used}), ""), "COS-ENV-01")


def float_on(context: RuleContext, who: str, path: tuple[Point, ...]) -> None:
    """Set adrift a combatant who pushed off into the open. [COS-ZG-01] [COS-ZG-05]

    A drifter who flew on with a thruster pack goes where it took them.
    """
    combatant = context.state.combatants[who]
    remove_conditions(context, who, *KINDS.ended_by("pushing off"), why="why.moves_on")
    if not is_weightless(context.state, combatant) or len(path) < 2:
        return
    if find_thruster(combatant) is None and not has_surface(context.state, combatant.at):
        set_adrift(context, who, path[-2], goal=path[-1], rule="COS-ZG-05")


def set_adrift(context: RuleContext, who: str, start: Point, goal: Point, rule: str) -> None:
    """Set a combatant adrift, helpless, in the direction from `start` to `goal`. [COS-ZG-05]"""
    whole = plan_distance(start, goal) or 1.0
    marks = {
        "x": round((goal.x - start.x) / whole * THOUSAND),
        "y": round((goal.y - start.y) / whole * THOUSAND),
    }
    remove_conditions(context, who, *KINDS.ended_by("pushing off"), why="why.new_direction")
    add_condition(context, who, "drifting", rule=rule, marks=marks)


def drift(context: RuleContext, who: str) -> None:
    """Drift 1 m at the end of the turn, up to a wall or someone in the way. [COS-ZG-06]

    Outside of zero gravity, or with magnetic boots on metal, the drift ends.
    """
    combatant = context.state.combatants[who]
    held = find_condition(combatant, "drifting")
    if held is None or combatant.gone:
        return
    if not is_weightless(context.state, combatant):
        remove_conditions(context, who, "drifting", why="why.firm_ground", rule="COS-ZG-04")
        return
    x, y = int(held.marks.get("x", THOUSAND)), int(held.marks.get("y", 0))
    goal = Point(
        round(combatant.at.x + DRIFT_M * x / THOUSAND, 3), round(combatant.at.y + DRIFT_M * y / THOUSAND, 3)
    )
    free = stop_at_walls(context.state, combatant.at, goal, meters_of(combatant))
    meters = DRIFT_M if free == goal else round(plan_distance(combatant.at, free), 3)
    path = (combatant.at, *rest_at(context.state.scene, free))
    if meters < 0.01 or find_other_at(context.state, combatant, free):
        return
    course = Course(who, path, "drift", "COS-ZG-06", "how.drifts", meters=meters)
    system_of(context).turn.mover.go(context, course)


# ---------------------------------------------------------------- after an attack


def is_loose(state: State, combatant: Combatant, weapon: Item) -> bool:
    """Whether using a weapon here sets an unbraced combatant moving. [COS-ZG-09] [COS-ZG-10]

    Melee lacks footing, kinetic shots recoil; beams and recoilless weapons do not.
    """
    if not is_weightless(state, combatant) or has_condition(combatant, "braced", "drifting"):
        return False
    if is_melee(weapon):
        return True
    return weapon.data["type"] == "kinetic" and not has_tag(weapon.data, "recoilless")


Run = Callable[[RuleContext, Any], Then | None]


FindAim = Callable[[State, Any], Point]


def find_target(state: State, command: Any) -> Point:
    """The place of the target of a command."""
    return state[command.target].at


def with_recoil(run: Run, find_aim: FindAim = find_target) -> Run:
    """An attack, followed by the drift save where there is no gravity.  [COS-ENV-04]

    `find_aim` says where it goes.
    """

    @wraps(run)
    def act(context: RuleContext, command: Any) -> Then | None:
        before = context.state
        then = run(context, command)
        if not has_zero_gravity(before.scene):
            return then
        weapon = next((i for i in before[command.actor].items if i.id == command.weapon), None)
        if weapon is None or not is_loose(before, before[command.actor], weapon):
            return then
        return _before_recoil(command.actor, find_aim(before, command), is_melee(weapon), then)

    return act


def _before_recoil(who: str, aim: Point, melee: bool, then: Then | None) -> Then:
    if then is None:
        return Then(recoil, who, aim, melee)
    return Then(_carry_on, who, aim, melee, then.step, then.args)


def _carry_on(
    context: RuleContext,
    who: str,
    aim: Point,
    melee: bool,
    step: Callable[..., Then | None],
    args: tuple[Any, ...],
) -> Then:
    return _before_recoil(who, aim, melee, step(context, *args))


def recoil(context: RuleContext, who: str, aim: Point, melee: bool) -> None:
    """A Might save, or the attacker drifts away from the place attacked. [COS-ENV-04] [COS-ZG-09]
    [COS-ZG-10]"""
    combatant = context.state[who]
    if has_condition(combatant, "drifting", "dead"):
        return
    rule, why = ("COS-ZG-09", "roll.no_footing") if melee else ("COS-ZG-10", "roll.recoil")
    if save(context, who, "MIG", target=default_tn(context.state), rule="COS-ENV-04", why=why):
        return
    goal = away_from(combatant.at, aim, 1.0)
    set_adrift(context, who, combatant.at, goal=goal, rule=rule)
