"""Climbing: obstacles of 1 m, 2 m and more, and the roll."""

from __future__ import annotations

import itertools
from math import ceil
from typing import Literal, NoReturn

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Command, Field, Preview, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.space import (
    Point,
    map_of,
    on_ground,
    path_length,
    plan_distance,
    ship_distance,
    towards,
)
from combat.rules.core.space.paths import is_filled, is_open
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.turn.turns import spend

from ..characters.conditions import KINDS
from ..characters.sheet import find_speed
from ..dice import DICE, check_terms, default_tn, did_succeed, roll_check, table_terms
from ..world.acting import act
from ..world.heights import (
    FREE_STEP_M,
    HIGH_M,
    LOW_M,
    MEDIUM_M,
    NO_WAY,
    Path,
    count_low,
    greatest_height,
    name_obstacle,
    part_at_decks,
)
from ..world.sight_lines import find_grid
from .cost import LOW_OBSTACLE_M, check_cost, pay_move
from .moving import MOVER, Steps
from .paths import check_may_move, find_goal, place_field

FARTHEST_M = 3  # 1 m to the foot of the obstacle and the 2 m of COS-TERR-09 over it
MEDIUM_TN = 11  # COS-TERR-11
CLIMBS = {"low": "COS-ACT-12", "medium": "COS-TERR-10", "high": "COS-TERR-12"}


class Climb(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Climb an obstacle: low (1 m), medium (2 m) or high (3 m and more, `metres` up)."""

    obstacle: Literal["low", "medium", "high"]
    to: str = ""
    metres: int = 3
    tn: int = 0


def climb(context: RuleContext, command: Climb) -> Then:
    """Climb an obstacle. [COS-ACT-12] [COS-TERR-10] [COS-TERR-12]"""
    who = command.actor
    find_climb(context.state, command)
    if command.obstacle == "low":
        pay_move(context, who, "Climbing up", "COS-ACT-12")
    elif command.obstacle == "medium":
        pay_move(context, who, "Climbing", "COS-TERR-10")
    else:
        spend(context, who, {"standard": 1}, on="Climbing", rule="COS-TERR-12")
    return Then(_go_over, command)


def _go_over(context: RuleContext, command: Climb) -> None:
    """Roll, and end on the far side after a success."""
    who, path = command.actor, find_climb(context.state, command)
    if command.obstacle != "low" and not _climbs(context, command):
        return
    MOVER.carry(context, Steps(who, path, "climb", CLIMBS[command.obstacle], "how.climbs"))


def check_may_climb(state: State, actor: str) -> None:
    """Refuse to climb while prone, or unable to move at all. [COS-COND-28] [COS-COND-29]

    The prone crawl, or stand up first.
    """
    check_may_move(state, actor)
    KINDS.check(state[actor], "climb")


def check_climb(command: Climb) -> None:
    """Refuse impossible heights and target numbers.  [COS-TERR-08] [COS-TERR-10] [COS-TERR-12]"""
    if command.obstacle == "high" and not HIGH_M <= command.metres <= 60:
        raise Refused("bad_value", "A high obstacle is 3 to 60 m.")
    if command.tn and not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60, or 0 for the rules' own.")


def find_climb(state: State, command: Climb) -> tuple[Point, ...]:
    """The path of a climb over the obstacle next to the combatant; cut short towards a person or a zone.

    [COS-TERR-08] [COS-ACT-12] Refused if the path leads higher than the obstacle, through a wall or a shut
    door, or farther than Speed; a hole of 3 m or more is climbed down from beside it.  RULING R49 R60
    """
    check_may_climb(state, command.actor)
    check_climb(command)
    combatant = state[command.actor]
    if not command.to:
        return (combatant.at, combatant.at)
    whole = find_goal(state, command.actor, command.to)
    path = whole
    most = {"low": LOW_M, "medium": MEDIUM_M}.get(command.obstacle, command.metres)
    if len(part_at_decks(state.scene, whole)) > 1:
        path = _find_descent(state, combatant, whole, most)
    else:
        if ":" in command.to:
            path = (whole[0], on_ground(state.scene, towards(whole[0], whole[-1], farthest_climb(combatant))))
        _check_obstacle(state, command, path, whole, most)
    MOVER.check(state, Steps(combatant.id, path, "climb", over=most))
    return path


def _check_obstacle(state: State, command: Climb, path: Path, whole: Path, most: float) -> None:
    """Refuse a path too high or too long."""
    combatant = state[command.actor]
    if path_length(path) > farthest_climb(combatant) + 0.01:
        _refuse_length(combatant)
    _check_height(state, path, most)
    if _falls_short(state, path, whole):
        _refuse_length(combatant)
    # The obstacle itself costs no meters, since the action pays for it: COS-MOVE-02
    free = LOW_OBSTACLE_M * count_low(state.scene, path)
    check_cost(state, command.actor, path, find_speed(state, combatant) + free)


def _find_descent(state: State, combatant: Combatant, path: Path, most: float) -> Path:
    """The path down through an open hole, from beside it to the deck below.  RULING R49 R60

    Nobody climbs up through one: there is nothing to hold on to.
    """
    (*_, over), (below, *_) = part_at_decks(state.scene, path)[:2]
    if ship_distance(over, below) > 0.01:
        _refuse_length(combatant)  # as for anything that far: a deck that nobody knows may be there
    if below.z > over.z:
        raise Refused("out_of_range", NO_WAY)
    drop = over.z - below.z
    if drop > most:
        _refuse_height(drop, max(HIGH_M, ceil(drop)))
    battle_map, grid, large = map_of(state.scene), find_grid(state), meters_of(combatant)
    far = plan_distance(path[0], over)
    if far > farthest_climb(combatant) + 0.01 or not is_open(battle_map, grid, path[0], over, large, True):
        _refuse_length(combatant, "the hole")
    if is_filled(battle_map, grid, below, large):
        raise Refused("out_of_range", "Something stands below: climb down elsewhere.")
    check_cost(state, combatant.id, (path[0], over), find_speed(state, combatant))
    return (path[0], below)


def farthest_climb(combatant: Combatant) -> float:
    """The meters along the ground that a climb covers: to the obstacle and over it.  RULING R49"""
    return FARTHEST_M + meters_of(combatant) / 2


def _falls_short(state: State, path: tuple[Point, ...], whole: tuple[Point, ...]) -> bool:
    """Whether the obstacle on a path begins beyond the end of a climb."""
    return greatest_height(state, path) <= FREE_STEP_M < greatest_height(state, whole)


def _check_height(state: State, path: tuple[Point, ...], most: float) -> None:
    highest = greatest_height(state, path)
    if highest > most:
        _refuse_height(highest, climb_height(state, path))


def _refuse_length(combatant: Combatant, what: str = "it") -> NoReturn:
    covers = f"{farthest_climb(combatant):g} m"
    raise Refused("out_of_range", f"A climb covers {covers}: move next to {what} first.")


def _refuse_height(highest: float, meters: int) -> NoReturn:
    kind = name_obstacle(highest)
    needs = f"{kind}, {meters} m" if kind == "high" else kind
    raise Refused("out_of_range", f"That way is {highest:g} m up or down: choose {needs}.")


def climb_height(state: State, path: tuple[Point, ...]) -> int:
    """The whole meters to climb on a path, at least those of a high obstacle."""
    parts = part_at_decks(state.scene, path)
    drops = [abs(one[-1].z - other[0].z) for one, other in itertools.pairwise(parts)]
    return max(HIGH_M, ceil(max(drops or [greatest_height(state, path)])))


def _climbs(context: RuleContext, command: Climb) -> bool:
    """Athletics TN 11 [COS-TERR-11]; 14 or more for high ones. [COS-TERR-13]  RULING R49."""
    rule, tn = find_climb_target(context.state, command)
    terms = climb_terms(context.state, command, rule)
    roll_check(context, command.actor, terms, target=tn, rule=rule, what="Athletics", why="roll.climb")
    return did_succeed(context)


def find_climb_target(state: State, command: Climb) -> tuple[str, int]:
    """The rule and the target number of a climb: higher obstacles are harder.  RULING R49."""
    if command.obstacle == "medium":
        return "COS-TERR-11", command.tn or MEDIUM_TN
    more = 3 * max(0, (command.metres - 3) // 2)
    return "COS-TERR-13", command.tn or default_tn(state) + more


def climb_terms(state: State, command: Climb, rule: str) -> Modifiers:
    """Might and half Athletics, gear and the table's own modifier."""
    combatant = state[command.actor]
    terms = check_terms(state, combatant, "MIG", skill_name="Athletics", rule=rule)
    return (*terms, *climbing_gear(combatant, rule), *table_terms(command, rule))


def preview_climb(state: State, command: Climb) -> Preview:
    """The sums of a climb; a low obstacle needs no roll."""
    find_climb(state, command)
    if command.obstacle == "low":
        return Preview(notes=("note.no_roll",))
    rule, tn = find_climb_target(state, command)
    terms = climb_terms(state, command, rule)
    return Preview(terms, (Modifier("term.target_number", tn, rule),), "against.tn", DICE)


def climbing_gear(combatant: Combatant, rule: str) -> Modifiers:
    """The bonus of the best climbing gear.  RULING R5: gear helps checks."""
    kits = [i for i in combatant.items if i.data.get("athletics_climb")]
    best = max(kits, key=lambda kit: int(kit.data["athletics_climb"]), default=None)
    return (Modifier(best.name, int(best.data["athletics_climb"]), rule),) if best else ()


def climb_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of climbing."""
    kinds = (
        Choice("low", "Low, 1 m: no roll, stay on top"),
        Choice("medium", "Medium, 2 m: Athletics 11"),
        Choice("high", "High, 3 m or more: Athletics 14+"),
    )
    return (
        Field("obstacle", "Obstacle", "choice", options=kinds, value="medium", rule="COS-TERR-10"),
        number_field("metres", "Height (m)", 3, low=1, high=60),
        number_field("tn", "TN, 0: default", 0, low=0, high=40),
        place_field(state, actor, f"where a success ends, up to {FARTHEST_M} m away", required=False),
    )


ACTIONS = (act("climb", climb, check_may_climb, fields=climb_fields, preview=preview_climb),)
