"""Ways of a move: where it leads, what it costs, and who may strike as it begins."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Literal

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Command, Field, folded_field, name_places
from combat.rules.core.gm.ways import Trip, find_all_trips, find_landing, has_ways
from combat.rules.core.map.bodies import find_free, find_other_at
from combat.rules.core.map.moving import Course
from combat.rules.core.space import (
    Point,
    Reach,
    Zone,
    find_height,
    find_turns,
    find_zone,
    on_ground,
    squares_around,
)
from combat.rules.core.space.decks import CLIMBED
from combat.rules.core.state.state import Combatant, State, find_item, is_played, present, replace

from ..book import tables
from ..book.options import find_option
from ..book.tables import EASIEST, HARDEST, POOL_METERS
from ..fight.aim import Attack, check_attack, mean_damage
from ..world.economy import find_most_actions, find_rate
from ..world.paths import (
    are_in_the_way,
    count_cost,
    find_cells,
    find_clear,
    find_each,
    find_landing_cells,
    find_paid,
    find_path,
    find_route,
    has_edges,
    is_over_edge,
    measure_drop,
    shorten,
    stop_before_edge,
)
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
from ..world.sight_lines import find_grid, find_hostiles
from .mover import MOVER, name_walk

NOBODY = "none"
WAY = "way:"  # before the id of a way to another deck that is left by
WAY_RULE = "SS-OTHER-04"


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Move to another zone or over the map. [SS-OTHER-04] [SS-OTHER-05] [SS-OTHER-06]

    `to` is zone:ID; on a map also near:COMBATANT, away:COMBATANT or points "x,y; x,y" in meters, or empty to
    gain meters only. `how` names the way of moving, `difficulty` a check the GM asks for; `jump` drops down
    to a lower zone, or over an edge of a map; `far` goes as far as the pool allows.
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
    MOVER.check(state, find_border_course(state, command, find_path(state, combatant, command.to)[-1]))


def find_border_course(state: State, command: Move, spot: Point) -> Course:
    """The course of someone who crosses a border to a spot of the next zone; a jump may lead down.

    [SS-ZONE-05] [SS-FALL-04]
    """
    combatant, down = state[command.actor], count_meters_down(state, command)
    way = name_walk(combatant, command.jump and down > 0)
    how = command.how[:40] or "how.moves"
    return Course(command.actor, (combatant.at, spot), way, "SS-ZONE-05", how, meters=0.0)


def count_meters_down(state: State, command: Move) -> float:
    """How far down the ground of the zone of a move is, in meters; below 0: up."""
    goal = find_goal_zone(state, split_goal(command.to)[1])
    return measure_drop(state[command.actor].at.z, find_height(state.scene, goal))


def split_goal(to: str) -> tuple[str, str]:
    """The kind and the id of a goal, such as zone:ID."""
    kind, _, name = to.partition(":")
    return kind, name


def count_moves(state: State, command: Move) -> int:
    """The Moves that a border takes: 1, or 2 into difficult ground. [SS-ZONE-05] [SS-OTHER-07]

    RULING R41: a link may count for more than one. RULING R50: a way to another deck counts by its length,
    unless one jumps down.
    """
    goal, here = find_goal_zone(state, split_goal(command.to)[1]), zone_id(state, state[command.actor])
    jumps = command.jump and count_meters_down(state, command) > 0
    trips = find_trips_between(state, state[command.actor], goal) if has_ways(state) and not jumps else []
    if trips:
        return min(count_way_moves(state, trip) for trip in trips)
    steps = find_neighbours(state.scene, here).get(goal.id, 1)
    return steps * (2 if has_ground(goal, "difficult") else 1)


def find_trips_between(state: State, combatant: Combatant, goal: Zone) -> list[Trip]:
    """The open ways from someone's zone to another."""
    here = zone_of(state, combatant)
    return [
        trip
        for trip in find_all_trips(state, combatant.at)
        if trip.way.open
        and not trip.way.blind
        and find_zone(state.scene, trip.start) == here
        and find_zone(state.scene, trip.end) == goal
    ]


def count_way_moves(state: State, trip: Trip) -> int:
    """The Moves that a way to another deck takes: one for each 5 m of its length. [SS-OTHER-04]

    Twice as many onto difficult ground [SS-OTHER-07], and by a house rule for what is climbed; at most all
    Moves of a turn.  RULING R50
    """
    is_slow = trip.way.kind in CLIMBED and bool(find_option(state, "slow_ladders"))
    is_slow = is_slow or has_ground(find_zone(state.scene, trip.end), "difficult")
    moves = max(1, ceil(trip.meters / POOL_METERS)) * (2 if is_slow else 1)
    most = find_most_actions(state)
    return min(moves, most, find_rate(state, "move") or most)


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
    """The path of a move over the map; that of a jump ends at the foot of the edge."""
    combatant = state[command.actor]
    if command.jump:
        return _find_jump(state, command)
    if command.to.startswith("away:"):
        cells = find_clear(state, combatant, find_cells(state, find_path(state, combatant, command.to)))
        return shorten(state, combatant, (cells[0], stop_before_edge(state, cells)[-1]))
    path = _find_route(state, combatant, command.to)
    if command.far and not are_in_the_way(state) and len(path) == 2:
        path = shorten(state, combatant, path)
    elif command.far:
        path = find_paid(state, combatant, path)
    is_free_to_stop = command.far or command.to.startswith("near:")
    return _stop_alone(state, combatant, path) if is_free_to_stop else path


def _find_route(state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
    """The path to the goal of a move; next to someone, to a side of theirs that is free.  RULING R51"""
    path, (kind, name) = find_route(state, combatant, to), split_goal(to)
    if kind != "near" or find_other_at(state, combatant, path[-1]) is None:
        return path
    beside = find_landing(state, combatant, on_ground(state.scene, state[name].at), find_grid(state))
    if beside is None:
        return path
    try:
        return find_route(state, combatant, f"{beside.x:g},{beside.y:g}")
    except Refused:
        return path


def _stop_alone(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A path up to its last cell where nobody else stands.  RULING R51"""
    cells = find_cells(state, path)
    free = (n for n in range(len(cells), 1, -1) if find_other_at(state, combatant, cells[n - 1]) is None)
    most = next(free, 1)
    return path if most == len(cells) else cells[:most]


def _find_jump(state: State, command: Move) -> tuple[Point, ...]:
    """The cells of a jump, straight over an edge or into an open hole; Refused if there is none.

    [SS-FALL-04]  RULING R45
    """
    combatant = state[command.actor]
    cells = find_cells(state, find_path(state, combatant, command.to))
    clear = find_clear(state, combatant, cells, floats=True)
    landed = find_landing_cells(state, clear)
    if not landed:
        raise Refused("out_of_range", "No edge or open hole is straight that way: walk.")
    if len(clear) < len(cells) and landed == clear:
        raise Refused("out_of_range", "Something is in the way: a jump leads straight.")
    return landed


def check_walk(state: State, command: Move) -> tuple[Point, ...]:
    """Refuse a path to nowhere, or longer than the rest of the pool. [SS-MAP-06] [SS-MAP-07] [SS-FREE-06]"""
    combatant = state[command.actor]
    path = lead(state, command)
    cost, left = count_cost(state, combatant, path), combatant.budget.get("metres", 0)
    if len(find_cells(state, path)) == 1:
        if command.far and not left:
            raise Refused("no_budget", f"No meters are left: a Move adds {POOL_METERS}.")
        raise Refused("not_allowed", "That is where they are already: choose another place.")
    if cost > left:
        away = f"it takes {cost} m, {combatant.name} has {left} m left"
        raise Refused("out_of_range", f"Too far: {away}. A Move adds {POOL_METERS} m.")
    MOVER.check(state, find_map_course(state, command, path))
    return path


def find_map_course(state: State, command: Move, path: tuple[Point, ...]) -> Course:
    """The course of a path over the map, with its cost in meters. [SS-MAP-07]"""
    combatant = state[command.actor]
    grounds = tuple(on_ground(state.scene, point) for point in path)
    way, how = name_walk(combatant, command.jump), command.how[:40] or "how.moves"
    cost, meters = count_cost(state, combatant, path), len(find_cells(state, path)) - 1
    return Course(command.actor, grounds, way, "SS-MAP-07", how, float(cost), float(meters))


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The cells that the pool pays for with an action's meters. [SS-MAP-04] [SS-MAP-05] [SS-MAP-08]"""
    return _find_cells_within(state, state[who], POOL_METERS)


def find_free_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The cells that the pool pays for as it is. [SS-MAP-06] [SS-FREE-06]"""
    return _find_cells_within(state, state[who], 0)


def _find_cells_within(state: State, combatant: Combatant, more: int) -> tuple[Reach, ...]:
    """The cells that the pool with so many `more` meters pays for; none off a map, or without meters."""
    left = combatant.budget.get("metres", 0) + more
    if not is_map(state) or not left:
        return ()
    middle = Point(float(round(combatant.at.x)), float(round(combatant.at.y)))
    around = squares_around(state.scene, middle, 1.5 * left)
    free = find_free(state, combatant, around, hexes=has_hexes(state))
    paths = find_each(state, replace(combatant, at=middle), free, left)
    costs = ((way, count_cost(state, combatant, way)) for way in paths)
    falls = has_edges(state)
    return tuple(
        Reach(way[-1], float(cost), turns=find_turns(way), left=left - cost)
        for way, cost in costs
        if cost <= left and not (falls and is_over_edge(state, way))
    )


def find_choosers(state: State, options: tuple[Choice, ...]) -> tuple[str, ...]:
    """Who chooses the enemy that strikes.  RULING R43

    A single enemy's player, else the players of a common side; the GM for opponents, and for enemies of
    several sides.
    """
    enemies = [state[who] for who in dict.fromkeys(option.value.partition("/")[0] for option in options)]
    if len(enemies) == 1:
        return (enemies[0].id,)
    players = tuple(enemy.id for enemy in enemies if is_played(state, enemy))
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


def far_fields(state: State) -> tuple[Field, ...]:
    """On a map only, as zones have no pool: how far, and a jump where an edge is."""
    far = folded_field("far", "As far as the pool allows", "flag", rule="SS-MAP-07")
    return (far, jump_field()) if has_edges(state) else (far,)


def jump_field() -> Field:
    """The question whether to drop down on purpose."""
    return folded_field("jump", "Drop down on purpose", "flag", rule="SS-FALL-04")


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
