"""Ways between decks for combatants: the base of each game's own action. The game sets the cost.

Lifts, shafts and hatches shut and lock as doors do: `doors.py` opens them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import dist, hypot

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..basics.words import say_number
from ..commands.commands import Check, Command, Field, first_open
from ..commands.context import RuleContext
from ..map.bodies import find_taken, is_clear, meters_of
from ..space import Passage, Point, map_of, name_zone, on_ground, plan_distance, ship_distance
from ..space.battle_map import is_hidden_at
from ..space.decks import GALLERY, find_deck, find_ends
from ..space.paths import is_filled, is_open
from ..state import events as e
from ..state.state import Combatant, State
from .doors import Arm, FindArm

LANDING = (0, 1, -1, 2, -2)  # cells around the far end where someone comes out


class TakeWay(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a way to another deck, by its id."""

    way: str


class Trip(msgspec.Struct, frozen=True):
    """A way from where someone stands: its near and its far end, and its length in meters."""

    way: Passage
    start: Point
    end: Point

    @property
    def meters(self) -> float:
        """The length of the way: on the plan of the ship, and up or down."""
        return round(hypot(ship_distance(self.start, self.end), self.end.z - self.start.z), 1)


class Step(msgspec.Struct, frozen=True):
    """What leads to another deck next: the way, and whether it is within reach."""

    trip: Trip
    is_near: bool


def find_trips(state: State, who: str, arm: Arm) -> tuple[Trip, ...]:
    """The ways within someone's reach, in the order of the map; none for someone inside a carrier."""
    if not map_of(state.scene).decks or state[who].inside:
        return ()
    return tuple(trip for trip in _find_all(state, state[who].at) if _is_near(state, who, trip, arm))


def _find_all(state: State, at: Point) -> list[Trip]:
    """The ways of a deck that people take, seen from a place on it; none that the GM conceals."""
    battle_map = map_of(state.scene)
    here, found = find_deck(battle_map.decks, at.x, at.y), []
    for way in battle_map.ways:
        ends = find_ends(battle_map.decks, way)
        if way.kind == GALLERY or ends is None or here not in ends:
            continue
        low, high = (on_ground(state.scene, Point(x, y)) for x, y in ((way.x1, way.y1), (way.x2, way.y2)))
        if not any(is_hidden_at(battle_map.hidden, end.x, end.y) for end in (low, high)):
            found.append(Trip(way, low, high) if here == ends[0] else Trip(way, high, low))
    return found


def _is_near(state: State, who: str, trip: Trip, arm: Arm) -> bool:
    at, start = state[who].at, trip.start
    far = max(plan_distance(at, start), abs(at.z - start.z))
    return far <= arm.meters + meters_of(state[who]) / 2 + 0.01 and (
        far < 0.01 or is_open(map_of(state.scene), arm.grid, at, b=start)
    )


def check_trip(state: State, who: str, way: str, arm: Arm) -> Trip:
    """The trip by a way, to a free place at its far end; Refused if it is out of reach, shut or blocked."""
    trip = next((trip for trip in find_trips(state, who, arm) if trip.way.id == way), None)
    if trip is None:
        raise Refused("out_of_range", "That way is not within reach: move next to it first.")
    if not trip.way.open:
        how = "locked: the GM can unlock it" if trip.way.locked else "shut: open it first"
        raise Refused("not_allowed", f"{name_way(trip.way)} is {how}.")
    end = _find_landing(state, state[who], trip, arm)
    if end is None:
        raise Refused("not_allowed", f"{name_way(trip.way)}: people stand in the way at its other end.")
    return msgspec.structs.replace(trip, end=end)


def _find_landing(state: State, combatant: Combatant, trip: Trip, arm: Arm) -> Point | None:
    """A free cell at the far end of a way, the nearest first; None if all are taken."""
    battle_map, grid, end = map_of(state.scene), arm.grid, trip.end
    column, row = grid.find_cell(end)
    cells = [grid.find_middle((column + x, row + y)) for x in LANDING for y in LANDING]
    taken = find_taken(state, combatant)
    for place in (end, *sorted(cells, key=lambda cell: plan_distance(cell, end))):
        spot = on_ground(state.scene, place)
        is_there = spot.shift == end.shift and not is_filled(battle_map, grid, spot, meters_of(combatant))
        if is_there and is_clear(spot, taken) and is_open(battle_map, grid, end, b=spot):
            return spot
    return None


def has_ways(state: State) -> bool:
    """Whether the scene has ways between decks."""
    return bool(map_of(state.scene).ways)


def name_way(way: Passage) -> str:
    """The name of a way at the start of a sentence."""
    return way.name or f"The {way.kind}"


def check_any_way(find_arm: FindArm) -> Check:
    """A check that refuses if no way is within reach."""

    def check(state: State, who: str) -> None:
        if not find_trips(state, who, find_arm(state)):
            raise Refused("not_allowed", "No way to another deck is within reach: move next to one first.")

    return check


def form_of_ways(find_arm: FindArm) -> Callable[[State, str], tuple[Field, ...]]:
    """The form of a game's action: the ways within reach, where they lead, and how long they are."""

    def find_fields(state: State, who: str) -> tuple[Field, ...]:
        arm = find_arm(state)
        options = tuple(_make_choice(state, who, trip, arm) for trip in find_trips(state, who, arm))
        return (Field("way", "Way", "choice", options=options, value=first_open(options)),)

    return find_fields


def _make_choice(state: State, who: str, trip: Trip, arm: Arm) -> Choice:
    deck = find_deck(map_of(state.scene).decks, trip.end.x, trip.end.y)
    up = "up" if trip.end.z > trip.start.z else "down"
    label = f"{trip.way.name or trip.way.kind.capitalize()} {up} to {deck.name if deck else 'another deck'}"
    away = f"{say_number(trip.meters)} m"
    return Choice(trip.way.id, label, away, refused=why_refused(check_trip, state, who, trip.way.id, arm))


def go_by_way(context: RuleContext, who: str, trip: Trip, rule: str) -> None:
    """Come out at the other end of a way, and say so; the game has taken the cost."""
    at = context.state[who].at
    deck = find_deck(map_of(context.state.scene).decks, trip.end.x, trip.end.y)
    zone = name_zone(context.state.scene, trip.end) or (deck.name if deck else "")
    how = f"how.way_{trip.way.kind}"
    context.emit(e.Moved(who, (at, trip.end), trip.meters, cost=trip.meters, how=how, zone=zone), rule)


# ---------------------------------------------------------------- on the way to someone


def find_next_way(state: State, combatant: Combatant, goal: Point, arm: Arm) -> Step | None:
    """What leads from a deck to that of a goal: the nearest of the ways with the fewest further ones.

    None on the same deck, and where no way leads there; locked ways lead nowhere.
    """
    trip = next(iter(find_ways_to(state, combatant, goal)), None)
    return Step(trip, _is_near(state, combatant.id, trip, arm)) if trip else None


def find_ways_to(state: State, combatant: Combatant, goal: Point) -> tuple[Trip, ...]:
    """All ways that lead on to the deck of a goal, by how many follow, then by how near they are."""
    decks = map_of(state.scene).decks
    here, there = find_deck(decks, combatant.at.x, combatant.at.y), find_deck(decks, goal.x, goal.y)
    if here is None or there is None or here == there:
        return ()
    far = _count_ways(state, there.id)
    trips = [trip for trip in _find_all(state, combatant.at) if not trip.way.locked]
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
        if not way.locked and way.kind != GALLERY and (ends := find_ends(battle_map.decks, way))
    ]
    found, edge = {goal: 0}, {goal}
    for steps in range(1, len(battle_map.decks)):
        both = [pair for low, high in joined for pair in ((low, high), (high, low))]
        edge = {there.id for here, there in both if here.id in edge} - found.keys()
        found |= dict.fromkeys(edge, steps)
    return found
