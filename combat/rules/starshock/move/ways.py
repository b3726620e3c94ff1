"""Ways of a move: where it leads, what it costs, and who may strike as it begins."""

from __future__ import annotations

from functools import partial
from typing import Literal

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.forms import folded_field, name_places
from combat.rules.core.map.bodies import check_room, find_free
from combat.rules.core.space import Point, Reach, Zone, find_turns, on_ground, squares_around
from combat.rules.core.state.state import Combatant, State, find_item, present, replace

from ..book import tables
from ..book.options import find_option
from ..book.tables import EASIEST, HARDEST, POOL_METERS
from ..characters.conditions import KINDS
from ..fight.aim import Attack, check_attack, mean_damage
from ..hazards import count_fall_dice
from ..world.paths import count_cost, find_cells, find_paid, find_path, shorten
from ..world.place import (
    are_enemies,
    describe_distance,
    find_goal_zone,
    find_neighbours,
    has_ground,
    has_hexes,
    is_map,
    is_near,
    zone_id,
    zone_of,
)
from ..world.reach import find_hostiles
from ..world.wall_paths import are_in_the_way, find_clear, find_each, find_route

NOBODY = "none"
WAY = "way:"  # before the id of a way to another deck that is left by
WAY_RULE = "SS-OTHER-04"


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Move to another zone or over the map. [SS-OTHER-04] [SS-OTHER-05] [SS-OTHER-06]

    `to` is zone:ID; on a map also near:COMBATANT, away:COMBATANT or points "x,y; x,y" in meters, or empty to
    gain meters only. `how` names the way of moving, `difficulty` a check the GM asks for; `jump` drops down
    to a lower zone; `far` goes as far as the pool allows.
    """

    to: str = ""
    how: str = ""
    difficulty: int = 0
    using: Literal["dex", "str"] = "dex"
    jump: bool = False
    far: bool = False


def check_difficulty(command: Move) -> None:
    """Refuse impossible numbers; 0 means no check. [SS-OTHER-08]"""
    if command.difficulty and not EASIEST <= command.difficulty <= HARDEST:
        raise Refused("bad_value", f"A difficulty is {EASIEST} to {HARDEST}, or 0 for no check.")


def check_move(state: State, command: Move) -> None:
    """Refuse a goal that one Move does not reach; the prone cannot cross a border. [SS-OTHER-05]"""
    combatant, kind, name = state[command.actor], *split_goal(command.to)
    if kind != "zone":
        raise Refused("bad_value", "Choose the zone to move to; inside a zone use Free Move.")
    goal, here = find_goal_zone(state, name), zone_id(state, combatant)
    if goal.id == here:
        raise Refused("not_allowed", f"{combatant.name} is already there: use Free Move inside a zone.")
    if here and goal.id not in find_neighbours(state.scene, here):
        text = f"{goal.name} is not linked to {possessive(combatant.name)} zone: choose one that is."
        raise Refused("out_of_range", text)
    check_crossing(state, combatant)
    if command.jump:
        count_fall_dice(state, count_meters_down(state, combatant, goal), deliberate=True)


def count_meters_down(state: State, combatant: Combatant, goal: Zone) -> int:
    """How far down the ground of another zone is, in meters; below 0: up."""
    here = zone_of(state, combatant)
    return int((here.height if here else 0) - goal.height)


def check_crossing(state: State, combatant: Combatant) -> None:
    """RULING R21: The prone may crawl inside the zone, but not leave it."""
    if find_option(state, "prone_crawl") != "normal":
        KINDS.check(combatant, "crossing")


def split_goal(to: str) -> tuple[str, str]:
    """The kind and the id of a goal, such as zone:ID."""
    kind, _, name = to.partition(":")
    return kind, name


def count_moves(state: State, command: Move) -> int:
    """The Moves that a border takes: 1, or 2 into difficult ground. [SS-ZONE-05] [SS-OTHER-07]

    RULING R41: a link may count for more than one.
    """
    goal = find_goal_zone(state, split_goal(command.to)[1])
    steps = find_neighbours(state.scene, zone_id(state, state[command.actor])).get(goal.id, 1)
    return steps * (2 if has_ground(goal, "difficult") else 1)


def find_left_behind(state: State, command: Move) -> list[Combatant]:
    """The hostiles that a path leads away from; on a map, those left by more than 1 m. [SS-ZONE-07]

    A way to another deck leaves them all.
    RULING R45
    """
    combatant = state[command.actor]
    hostiles = find_hostiles(state, combatant)
    if not hostiles or not is_map(state) or command.to.startswith(WAY):
        return hostiles
    there = replace(combatant, at=on_ground(state.scene, lead(state, command)[-1]))
    return [foe for foe in hostiles if not is_near(state, there, foe)]


def count_burns(state: State, command: Move) -> int:
    """How often a path, by its cost in meters, lets a burning condition act."""
    return count_cost(state, state[command.actor], lead(state, command))


def lead(state: State, command: Move) -> tuple[Point, ...]:
    """The path of a move over the map."""
    combatant = state[command.actor]
    if command.to.startswith("away:"):
        cells = find_clear(state, combatant, find_cells(state, find_path(state, combatant, command.to)))
        return shorten(state, combatant, (cells[0], cells[-1]))
    path = find_route(state, combatant, command.to)
    if not command.far:
        return path
    if not are_in_the_way(state):
        return shorten(state, combatant, path)
    return find_paid(state, combatant, path)


def check_walk(state: State, command: Move) -> tuple[Point, ...]:
    """Refuse a path to nowhere, or longer than the rest of the pool. [SS-MAP-06] [SS-MAP-07] [SS-FREE-06]"""
    combatant = state[command.actor]
    if find_option(state, "prone_crawl") == "none":
        KINDS.check(combatant, "walking")
    path = lead(state, command)
    cost, left = count_cost(state, combatant, path), combatant.budget.get("metres", 0)
    if len(find_cells(state, path)) == 1:
        if command.far and not left:
            raise Refused("no_budget", f"No meters are left: a Move adds {POOL_METERS}.")
        raise Refused("not_allowed", "That is where they are already: choose another place.")
    if cost > left:
        away = f"it takes {cost} m, {combatant.name} has {left} m left"
        raise Refused("out_of_range", f"Too far: {away}. A Move adds {POOL_METERS} m.")
    check_room(state, combatant, path[-1], hexes=has_hexes(state))
    return path


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The cells that the pool pays for with an action's meters. [SS-MAP-04] [SS-MAP-05] [SS-MAP-08]"""
    if not is_map(state):
        return ()
    combatant = state[who]
    left = combatant.budget.get("metres", 0) + POOL_METERS
    middle = Point(float(round(combatant.at.x)), float(round(combatant.at.y)))
    around = squares_around(state.scene, middle, 1.5 * left)
    free = find_free(state, combatant, around, hexes=has_hexes(state))
    paths = find_each(state, replace(combatant, at=middle), free, left)
    costs = ((way, count_cost(state, combatant, way)) for way in paths)
    return tuple(
        Reach(way[-1], float(cost), turns=find_turns(way), left=left - cost)
        for way, cost in costs
        if cost <= left
    )


def find_choosers(state: State, options: tuple[Choice, ...]) -> tuple[str, ...]:
    """Who chooses the enemy that strikes.  RULING R43

    A single enemy's player, else the players of a common side; the GM for opponents, and for enemies of
    several sides.
    """
    enemies = [state[who] for who in dict.fromkeys(option.value.partition("/")[0] for option in options)]
    if len(enemies) == 1:
        return (enemies[0].id,)
    players = tuple(enemy.id for enemy in enemies if enemy.pc)
    one_side = len({enemy.side for enemy in enemies}) == 1
    return players if players and one_side else (GM,)


def find_hardest(state: State, options: tuple[Choice, ...]) -> str:
    """The free attack that tactics choose: the weapon with the highest damage."""

    def mean(option: Choice) -> float:
        enemy, _, weapon = option.value.partition("/")
        return mean_damage(str(find_item(state[enemy], weapon).data["damage"]))

    return max(options, key=mean).value


def find_free_attacks(state: State, mover: str) -> tuple[Choice, ...]:
    """Every enemy with every weapon it can use on the mover now."""
    found = []
    for enemy in find_hostiles(state, state[mover]):
        if find_option(state, "free_attacks_per_round") == 1 and enemy.marks.get("free_round") == state.round:
            continue
        for item in enemy.items:
            if item.kind == "weapon" and allows(
                check_attack, state, Attack(actor=enemy.id, target=mover, weapon=item.id)
            ):
                found.append(Choice(f"{enemy.id}/{item.id}", f"{enemy.name} with {item.name}"))
    return tuple(found)


def far_fields() -> tuple[Field, ...]:
    """On a map only: zones have no pool."""
    return (folded_field("far", "As far as the pool allows", "flag", rule="SS-MAP-07"),)


def zone_places(state: State, actor: str) -> tuple[Choice, ...]:
    """The zones next to the actor's; all zones from outside.  [SS-OTHER-05]"""
    here = zone_id(state, state[actor])
    near = find_neighbours(state.scene, here)
    zones = [z for z in state.scene.zones if z.id in near or (not here and z.id)]
    return tuple(Choice(f"zone:{z.id}", z.name, _ground(z.terrain)) for z in zones)


def _ground(terrain: tuple[str, ...]) -> str:
    return ", ".join(tables.GROUNDS[tag].name.lower() for tag in terrain if tag in tables.GROUNDS)


def map_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Named places of a map, with the distance in meters."""
    combatant, others = state[actor], (f for f in present(state) if f.id != actor)
    describe = partial(describe_distance, state, combatant)
    return name_places(state, others, describe, partial(are_enemies, combatant))
