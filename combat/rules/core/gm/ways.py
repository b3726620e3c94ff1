"""Doors and ways between decks: the base of each game's own actions. The game sets the cost.

Lifts, shafts and hatches shut and lock as doors do.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from itertools import chain, pairwise, product
from math import ceil, dist, hypot, inf

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..basics.words import say_number
from ..commands.commands import Command, Field, Precondition, first_open
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..map.bodies import find_takers, find_unseen, has_room, is_concealed, meters_of, nearest, stand_in
from ..map.moving import Course, fall_through
from ..space import (
    LIFT,
    BattleMap,
    Deck,
    Passage,
    Point,
    Scene,
    Spot,
    Wall,
    map_of,
    on_ground,
    plan_distance,
    ship_distance,
    towards,
    unplot,
)
from ..space.barriers import barriers_of, find_nearest
from ..space.battle_map import DOOR, is_hidden_at
from ..space.decks import CLIMBED, DOWN, GALLERY, LIFT_WAY, UP, find_deck, find_ends, find_known_ends
from ..space.grid import Grid
from ..space.paths import Way, find_cells_on, find_way, is_filled, is_open, open_doors, stop_short
from ..state import events as e
from ..state.state import Combatant, State, present
from .battle_map import find_covers, name_door, tell_door

UNSEEN_END = "you have not seen yet where it leads"
NEAR_CELLS = 2  # cells around the end of a move where someone comes to stand
FAR_M = 10.0  # meters around a place where someone comes to rest who has no choice
IN_THE_WAY_M = 0.25  # anyone this near to a door stands in it
INWARD = 0.1  # share of the way from a door's end to its middle
BEFORE_M = 0.1  # the ground this far before a door is where it stands


class TakeWay(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a way to another deck, by its id."""

    way: str


class Trip(msgspec.Struct, frozen=True):
    """A way from where someone stands: its near and its far end, and its length in meters.

    On a map as players may know it a blind way ends where it begins, and has no length.
    """

    way: Passage
    start: Point
    end: Point

    @property
    def meters(self) -> float:
        """The length of the way: on the plan of the ship, and up or down."""
        return round(hypot(ship_distance(self.start, self.end), self.end.z - self.start.z), 1)

    @property
    def leads_up(self) -> bool:
        """Whether the far end is above."""
        return self.way.blind == UP if self.way.blind else self.end.z > self.start.z


class Step(msgspec.Struct, frozen=True):
    """What leads to another deck next: the way, and whether it is within reach."""

    trip: Trip
    is_near: bool


def find_trips(state: State, who: str, arm: Arm) -> tuple[Trip, ...]:
    """The ways within someone's reach, in the order of the map; none for someone inside a carrier."""
    if not map_of(state.scene).decks or state[who].inside:
        return ()
    return tuple(trip for trip in find_all_trips(state, state[who].at) if _is_near(state, who, trip, arm))


def find_all_trips(state: State, at: Point) -> list[Trip]:
    """All ways that people take from the deck of a place, near and far; none that the GM conceals."""
    battle_map = map_of(state.scene)
    here, found = find_deck(battle_map.decks, at.x, at.y), []
    for way in battle_map.ways:
        if way.blind:
            found += _find_blind(state, way, here)
            continue
        ends = find_ends(battle_map.decks, way)
        if way.kind == GALLERY or ends is None or here not in ends:
            continue
        low, high = (on_ground(state.scene, Point(x, y)) for x, y in ((way.x1, way.y1), (way.x2, way.y2)))
        if not any(is_hidden_at(battle_map.hidden, end.x, end.y) for end in (low, high)):
            found.append(Trip(way, low, high) if here == ends[0] else Trip(way, high, low))
    return found


def _find_blind(state: State, way: Passage, here: Deck | None) -> list[Trip]:
    """A way whose far end players do not know, from the deck of its near end."""
    x, y = find_known_ends(way)[0]
    if way.kind == GALLERY or find_deck(map_of(state.scene).decks, x, y) != here:
        return []
    start = on_ground(state.scene, Point(x, y))
    return [Trip(way, start, start)]


def is_blind(state: State, way: str) -> bool:
    """Whether players do not know where a way of this state leads."""
    return any(one.blind for one in map_of(state.scene).ways if one.id == way)


def find_blind_trips(state: State, combatant: Combatant, up: bool) -> tuple[Trip, ...]:
    """The ways up or down from someone's deck that lead where they do not know, the nearest first; no locked
    ones."""
    trips = (one for one in find_all_trips(state, combatant.at) if one.way.blind and one.leads_up == up)
    open_to = (one for one in trips if not one.way.locked)
    return tuple(sorted(open_to, key=lambda one: dist(_spot(combatant.at), _spot(one.start))))


def _is_near(state: State, who: str, trip: Trip, arm: Arm) -> bool:
    at, start = state[who].at, trip.start
    far = max(plan_distance(at, start), abs(at.z - start.z))
    return far <= arm.meters + meters_of(state[who]) / 2 + 0.01 and (
        far < 0.01 or is_open(map_of(state.scene), arm.grid, at, b=start)
    )


Fits = Callable[[Point], bool]


def anywhere(place: Point) -> bool:
    """What asks nothing of a place."""
    return True


def check_trip(state: State, who: str, way: str, arm: Arm) -> Trip:
    """The trip by a way as it is drawn, whoever stands at its far end; Refused if it is out of reach or shut,
    or if no place there is known to be free."""
    trip = next((trip for trip in find_trips(state, who, arm) if trip.way.id == way), None)
    if trip is None:
        raise Refused("out_of_range", "That way is not within reach: move next to it first.")
    if not trip.way.open:
        how = "locked: the GM can unlock it" if trip.way.locked else "shut: open it first"
        raise Refused("not_allowed", f"{name_way(trip.way)} is {how}.")
    combatant = state[who]
    if trip.way.blind or find_landing(state, combatant, trip.end, arm.grid, find_unseen(state, combatant)):
        return trip
    is_wide = find_landing(state, combatant, trip.end, arm.grid, state.combatants) is not None
    why = "people stand in the way" if is_wide else f"{combatant.name} has no room"
    raise Refused("not_allowed", f"{name_way(trip.way)}: {why} at its other end.")


def find_rest(
    state: State,
    combatant: Combatant,
    end: Point,
    grid: Grid,
    beside: Container[str] = (),
    fits: Fits = anywhere,
) -> Point:
    """Where someone comes to rest who moved to an end: there, or at the nearest place with room that also
    `fits`; without one, at one that does not; the end if there is none. A large body needs room between walls
    as well."""
    meters, takers = meters_of(combatant), find_takers(state, combatant, beside, grid.hexes)
    is_tight = meters > 0 and is_filled(map_of(state.scene), grid, end, meters)
    if has_room(combatant, end, takers, grid) and not is_tight and fits(end):
        return end
    tries = ((fits, 0.0), (fits, FAR_M), (anywhere, FAR_M))
    found = (find_landing(state, combatant, end, grid, beside, which, far) for which, far in tries)
    return next((at for at in found if at), end)


def find_landing(
    state: State,
    combatant: Combatant,
    end: Point,
    grid: Grid,
    beside: Container[str] = (),
    fits: Fits = anywhere,
    far: float = 0.0,
) -> Point | None:
    """A free place where someone comes out, lands or is put: the end itself, else the nearest one at about
    its height where the whole body has room, and that `fits`; None if all are taken.

    Those who may stay `beside` them, by id, take no room. It is at most `far` meters away, else two cells and
    the bodies.
    """
    battle_map, meters = map_of(state.scene), meters_of(combatant)
    takers = find_takers(state, combatant, beside, grid.hexes)
    for place in chain((end,), _list_around(end, grid, combatant, takers, far)):
        spot = on_ground(state.scene, place)
        if spot.shift != end.shift or abs(spot.z - end.z) > LIFT:
            continue
        is_free = has_room(combatant, spot, takers, grid) and not is_filled(battle_map, grid, spot, meters)
        if is_free and fits(spot) and is_open(battle_map, grid, end, b=spot):
            return spot
    return None


def _list_around(
    end: Point, grid: Grid, combatant: Combatant, takers: Iterable[Combatant], far: float
) -> Iterator[Point]:
    """The places around an end, the nearest first: cells; for a large body half cells, to fit between
    walls."""
    meters = meters_of(combatant)
    bodies = (meters + max((meters_of(other) for other in takers), default=0.0)) / 2
    step = grid.cell / 2 if meters > grid.cell and not grid.hexes else grid.cell
    most = ceil(max(far, NEAR_CELLS * grid.cell + bodies) / step)
    middle = grid.find_middle(grid.find_cell(end))
    for x, y in _list_steps(most):
        yield Point(round(middle.x + x * step, 6), round(middle.y + y * step, 6))


@cache
def _list_steps(most: int) -> list[tuple[int, int]]:
    """The steps across and along to all cells around one, the nearest first."""
    counts = sorted(range(-most, most + 1), key=lambda n: (abs(n), -n))
    return sorted(product(counts, counts), key=lambda one: hypot(*one))


def has_ways(state: State) -> bool:
    """Whether the scene has ways between decks."""
    return bool(map_of(state.scene).ways)


def name_way(way: Passage) -> str:
    """The name of a way at the start of a sentence."""
    return way.name or f"The {way.kind}"


def check_any_way(find_arm: FindArm) -> Precondition:
    """A check that refuses if no way is within reach."""

    def check(state: State, who: str) -> None:
        if not find_trips(state, who, find_arm(state)):
            raise Refused("not_allowed", "No way to another deck is within reach: move next to one first.")

    return check


def form_of_ways(
    find_arm: FindArm, check: Callable[[State, str, str], object] | None = None
) -> Callable[[State, str], tuple[Field, ...]]:
    """The form of a game's action: the ways within reach, where they lead, and how long they are.

    `check` refuses a way, by its id, that the game does not let someone take; else `check_trip` does.
    """

    def find_fields(state: State, who: str) -> tuple[Field, ...]:
        arm = find_arm(state)
        ask = check or (lambda state, who, way: check_trip(state, who, way, arm))
        trips = find_trips(state, who, arm)
        options = tuple(_make_choice(state, who, trip, ask) for trip in trips)
        unseen = UNSEEN_END if any(trip.way.blind for trip in trips) else ""
        return (Field("way", "Way", "choice", options=options, value=first_open(options), help=unseen),)

    return find_fields


def _make_choice(state: State, who: str, trip: Trip, check: Callable[[State, str, str], object]) -> Choice:
    deck = find_deck(map_of(state.scene).decks, trip.end.x, trip.end.y)
    label = f"{trip.way.name or trip.way.kind.capitalize()} {UP if trip.leads_up else DOWN}"
    away = ""
    if not trip.way.blind:
        label += f" to {deck.name if deck else 'another deck'}"
        away = f"{say_number(trip.meters)} m"
    return Choice(trip.way.id, label, away, refused=why_refused(check, state, who, trip.way.id))


def find_course(state: State, who: str, trip: Trip, rule: str) -> Course:
    """The course of someone who takes a way to another deck: as on stairs, in a lift, or climbed."""
    kind = trip.way.kind
    way = "ladder" if kind in CLIMBED else "lift" if kind == LIFT_WAY else "way"
    path = (state[who].at, trip.end)
    return Course(who, path, way, rule, f"how.way_{kind}", cost=trip.meters, meters=trip.meters)


# ---------------------------------------------------------------- on the way to someone


def find_next_way(state: State, combatant: Combatant, goal: Point, arm: Arm) -> Step | None:
    """What leads from a deck to that of a goal: the nearest of the ways with the fewest further ones.

    It starts at a free place, so that nobody walks onto another. None on the same deck, and where no way
    leads there; locked ways lead nowhere.
    """
    trip = next(iter(find_ways_to(state, combatant, goal)), None)
    if trip is None or _is_near(state, combatant.id, trip, arm):
        return Step(trip, True) if trip else None
    free = find_landing(state, combatant, trip.start, arm.grid)
    return Step(msgspec.structs.replace(trip, start=free or trip.start), False)


def find_ways_to(state: State, combatant: Combatant, goal: Point) -> tuple[Trip, ...]:
    """All ways that lead on to the deck of a goal, by how many follow, then by how near they are."""
    decks = map_of(state.scene).decks
    here, there = find_deck(decks, combatant.at.x, combatant.at.y), find_deck(decks, goal.x, goal.y)
    if here is None or there is None or here == there:
        return ()
    far = _count_ways(state, there.id)
    trips = [one for one in find_all_trips(state, combatant.at) if not (one.way.locked or one.way.blind)]
    led = [
        (far[end.id], dist(_spot(combatant.at), _spot(trip.start)), n)
        for n, trip in enumerate(trips)
        if (end := find_deck(decks, trip.end.x, trip.end.y)) and end.id in far
    ]
    return tuple(trips[n] for _, _, n in sorted(led))


def _spot(at: Point) -> tuple[float, float]:
    return at.x, at.y


def _count_ways(state: State, goal: str) -> dict[str, int]:
    """The fewest ways from each deck to one, by deck."""
    battle_map = map_of(state.scene)
    joined = [
        ends
        for way in battle_map.ways
        if not (way.locked or way.blind)
        and way.kind != GALLERY
        and (ends := find_ends(battle_map.decks, way))
    ]
    found, edge = {goal: 0}, {goal}
    for steps in range(1, len(battle_map.decks)):
        both = [pair for low, high in joined for pair in ((low, high), (high, low))]
        edge = {there.id for here, there in both if here.id in edge} - found.keys()
        found |= dict.fromkeys(edge, steps)
    return found


# Doors of the battle map for combatants: the base of each game's own door action. The game sets the cost.
# Only the GM can open a locked door, or a secret one that is shut. A request for a secret door, or for one
# in a hidden area, gets the same answer as for no door at all.


class UseDoor(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a door by its id: a shut door opens, an open one shuts."""

    door: str


class Arm(msgspec.Struct, frozen=True):
    """A game's reach for doors: the cells of its map, and the reach in meters."""

    grid: Grid
    meters: float


FindArm = Callable[[State], Arm]


def find_doors(state: State, who: str, arm: Arm) -> tuple[Wall, ...]:
    """The doors within someone's reach, in the order of the map; none for someone inside a carrier."""
    if state[who].inside:
        return ()
    battle_map = map_of(state.scene)
    doors = [wall for wall in battle_map.walls if wall.kind == DOOR and (wall.open or not wall.secret)]
    if battle_map.ways:
        doors += find_covers(battle_map)
    return tuple(door for door in doors if _is_near_door(state.scene, door, state[who], arm))


def has_doors(state: State) -> bool:
    """Whether the doors of the scene are those of its map: it has walls or decks, or hides parts of itself.

    A map that is only a picture, and a scene without one, has doors that only people's words know.
    """
    battle_map = map_of(state.scene)
    return bool(battle_map.walls or battle_map.decks or battle_map.fog or battle_map.hidden)


def _find_cell(combatant: Combatant, door: Wall, grid: Grid) -> Point:
    """The middle of the cell of a combatant that is nearest to a door."""
    spot = _unplot(grid, find_nearest((door.x1, door.y1, door.x2, door.y2), grid.plot(combatant.at)))
    return nearest(combatant, stand_in(combatant, spot), grid.cell, grid.hexes)[0]


def _unplot(grid: Grid, spot: Spot) -> Point:
    return Point(*unplot(*spot)) if grid.hexes else Point(*spot)


def _is_near_door(scene: Scene, door: Wall, combatant: Combatant, arm: Arm) -> bool:
    """Whether a door is near and known, with nothing in between that stops movement.

    It is as high as the ground before it, and no farther up or down than along.
    """
    at = _find_cell(combatant, door, arm.grid)
    battle_map, spot = map_of(scene), arm.grid.plot(at)
    there = find_nearest((door.x1, door.y1, door.x2, door.y2), spot)
    if _count_rise(scene, arm.grid, at, there) > arm.meters + 0.01:
        return False
    if is_hidden_at(battle_map.hidden, (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2):
        return False
    return _measure_to(battle_map, door, spot) <= arm.meters + 0.01


def _measure_to(battle_map: BattleMap, door: Wall, spot: Spot) -> float:
    """The meters from a spot to a door; infinite if something that stops movement is in between.

    At its very end a door meets walls, so the look goes a little nearer to its middle.
    """
    x, y = find_nearest((door.x1, door.y1, door.x2, door.y2), spot)
    inner = x + ((door.x1 + door.x2) / 2 - x) * INWARD, y + ((door.y1 + door.y2) / 2 - y) * INWARD
    plan = barriers_of(battle_map)
    crossed = plan.index.cross(spot, inner, plan.free)
    is_barred = any(plan.index.barriers[number].id != door.id for number in crossed)
    return inf if is_barred else hypot(x - spot[0], y - spot[1])


def _count_rise(scene: Scene, grid: Grid, at: Point, there: Spot) -> float:
    """The meters up or down from a place to the ground on its side of a spot of the picture."""
    end = _unplot(grid, there)
    before = towards(end, at, min(BEFORE_M, plan_distance(end, at)))
    return abs(on_ground(scene, before).z - at.z)


def check_door(state: State, who: str, door_id: str, arm: Arm) -> Wall:
    """The door with this id; Refused if it is out of reach, locked, or cannot be shut."""
    door = next((door for door in find_doors(state, who, arm) if door.id == door_id), None)
    if door is None:
        raise Refused("out_of_range", "That door is not within reach: move next to one first.")
    if door.locked:
        raise Refused("not_allowed", f"{name_door(door)} is locked: the GM can unlock it.")
    if door.open and (other := _find_between(state, door, state[who].at.z, arm)):
        raise Refused("not_allowed", f"{other.name} stands in the doorway: wait until it is clear.")
    return door


def _find_between(state: State, door: Wall, height: float, arm: Arm) -> Combatant | None:
    """Someone who stands in an open door at this height; concealed combatants do not count."""
    for combatant in present(state):
        spot = arm.grid.plot(_find_cell(combatant, door, arm.grid))
        meters = _measure_to(map_of(state.scene), door, spot)
        if (
            meters < IN_THE_WAY_M
            and not is_concealed(state, combatant, arm.grid.hexes)
            and abs(combatant.at.z - height) <= arm.meters
        ):
            return combatant
    return None


def check_any_door(find_arm: FindArm) -> Precondition:
    """A check that refuses if no door is within reach."""

    def check(state: State, who: str) -> None:
        if not find_doors(state, who, find_arm(state)):
            raise Refused("not_allowed", "No door is within reach: move next to one first.")

    return check


def leave_door(context: RuleContext, who: str, door_id: str, is_open: bool, rule: str) -> None:
    """Open or shut a door and log who did; nothing if it is so already, locked or gone."""
    battle_map = map_of(context.state.scene)
    doors = (wall for wall in battle_map.walls if wall.kind == DOOR)
    door = next((wall for wall in (*doors, *find_covers(battle_map)) if wall.id == door_id), None)
    if door is None or door.locked or door.open == is_open:
        return
    context.emit(e.DoorSet(door_id, is_open, False), rule, e.GM_ONLY)
    tell_door(context, door, "", who)
    fall_through(context, system_of(context).turn.mover)


def door_fields(state: State, who: str, arm: Arm) -> tuple[Field, ...]:
    """The doors within reach, each with what the action would do."""
    doors = find_doors(state, who, arm)
    numbers = {d.id: n for n, d in enumerate((w for w in map_of(state.scene).walls if w.kind == DOOR), 1)}
    options = tuple(
        _make_door_choice(state, who, door=door, number=numbers.get(door.id, 0), arm=arm) for door in doors
    )
    return (Field("door", "Door", "choice", options=options, value=first_open(options)),)


def form_of_doors(find_arm: FindArm) -> Callable[[State, str], tuple[Field, ...]]:
    """The form of a game's door action: the doors within reach."""
    return lambda state, actor: door_fields(state, actor, find_arm(state))


def _make_door_choice(state: State, who: str, door: Wall, number: int, arm: Arm) -> Choice:
    name = door.name or f"door {number}"
    if name.startswith("The "):  # a way without a name of its own
        name = f"the {name.removeprefix('The ')}"
    label = f"{'Shut' if door.open else 'Open'} {name}"
    return Choice(door.id, label, refused=why_refused(check_door, state, who, door.id, arm))


def find_shut(state: State, who: str, arm: Arm) -> Wall | None:
    """A shut door within reach that someone could open, for automatic play."""
    return next((door for door in find_doors(state, who, arm) if not (door.open or door.locked)), None)


def find_doorway(state: State, combatant: Combatant, goal: Point, way: Way) -> Point | None:
    """The place before the first shut door on the way to a goal; None if no door there can be opened.

    The way never leads to a door that is locked, secret, or in a hidden area.
    """
    battle_map = map_of(state.scene)
    opened = open_doors(battle_map)
    if opened is None:
        return None
    try:
        path = (find_cells_on if way.snaps else find_way)(opened, way, combatant.at, goal)
    except Refused:
        return None
    for a, b in pairwise(path or ()):
        if not is_open(battle_map, way.grid, a, b, way.meters, way.floats):
            return a if way.snaps else stop_short(battle_map, way.grid, a, goal=b, meters=way.meters)
    return None
