"""Everyday walks: how people go and reach in a game whose text says no more than how far.

A game that counts more, such as ground, decks or a side of the body, writes its own over the same pieces
(`bodies.py`, `core/space/paths.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..basics.words import say_number
from ..commands.commands import Field, first_open, name_goals
from ..map import bodies
from ..map.starts import leads_out
from ..space import (
    Point,
    Reach,
    away_from,
    check_goal,
    distance,
    find_turns,
    map_of,
    on_ground,
    path_length,
    read_points,
    squares_around,
    towards,
)
from ..space.grid import Grid, make_grid
from ..space.paths import Way, cut_short, find_paths, find_reached, has_walls, is_open, stop_short
from ..space.rays.sight import check_lines, draw_lines
from ..state.state import Combatant, State, present
from .spots import find_middle
from .ways import Arm, find_doorway, find_next_way, find_shut

FAR = 1000.0  # meters: where those who go away from someone are headed
SLACK = 0.01  # meters


def find_targets(
    state: State,
    actor: str,
    check: Callable[[State, str], object],
    *,
    label: str = "Target",
    friends: bool = False,
) -> Field:
    """A field for whom an action is on: enemies first, or with `friends` the own side, the nearest first.

    `check` refuses someone, by id; the refused are grayed out with the reason.
    """
    combatant = state[actor]
    others = [one for one in present(state) if friends or one.id != actor]
    others.sort(key=lambda one: ((one.side == combatant.side) is not friends, distance(one.at, combatant.at)))
    options = tuple(
        Choice(
            one.id,
            one.name,
            f"{say_number(distance(one.at, combatant.at))} m",
            why_refused(check, state, one.id),
        )
        for one in others
    )
    return Field("target", label, "target", options, first_open(options))


class Approach(msgspec.Struct, frozen=True):
    """A deed on the way to an enemy: a "walk" to a goal of `find_path`, or a "door" or a "way" by its id."""

    deed: str
    goal: str


class Walks(msgspec.Struct, frozen=True, kw_only=True):
    """How people walk: round walls, to zones, people, places of the map, or away from someone.

    `find_meters` tells how far a walk of someone leads now, `cell` is the side of a square of the map, and
    `gap` the distance at which one stands next to another; all in meters.
    """

    find_meters: Callable[[State, Combatant], float]
    cell: float = 1.0
    gap: float = 1.0

    def find_grid(self, state: State) -> Grid:
        """The squares of the map."""
        return make_grid(map_of(state.scene), self.cell, hexes=False)

    def find_arm(self, state: State) -> Arm:
        """How far someone reaches for a door."""
        return Arm(self.find_grid(state), self.gap)

    def check_hand(self, state: State, one: Combatant, other: Combatant, meters: float) -> None:
        """Refused("out_of_range") unless another is within so many meters and no wall is between."""
        if distance(one.at, other.at) > meters + SLACK:
            raise Refused("out_of_range", f"Come within {meters:g} m of {other.name}.")
        bodies.check_open(state, self.find_grid(state), one, other)

    def check_shot(self, state: State, one: Combatant, other: Combatant, meters: float) -> None:
        """Refused unless another is within so many meters ("out_of_range") and in sight ("bad_target")."""
        away = distance(one.at, other.at)
        if away > meters + SLACK:
            text = f"Too far: {other.name} is {say_number(away)} m away, come within {meters:g} m."
            raise Refused("out_of_range", text)
        lines = draw_lines(
            map_of(state.scene), self.find_grid(state), bodies.body_of(one), bodies.body_of(other)
        )
        check_lines(lines, one.name, other.name)

    def find_path(self, state: State, who: str, to: str, *, far: bool = False) -> tuple[Point, ...]:
        """The path to zone:ID, near:COMBATANT, away:COMBATANT or points "x,y; x,y" in meters.

        With `far`, and away from someone, it ends where the walk does. Refused if that is nowhere or too far.
        """
        combatant, most = state[who], self.find_meters(state, state[who])
        kind, path = to.partition(":")[0], self._find_whole(state, combatant, to)
        if far or kind == "away":
            path = cut_short(path, path_length, _shorten, most)
        meters = path_length(path)
        if meters < SLACK:
            raise Refused("bad_value", f"{combatant.name} is there already: choose another place.")
        if meters > most + SLACK:
            text = f"That way is {say_number(meters)} m, and {combatant.name} has {most:g} m: go less far."
            raise Refused("out_of_range", text)
        if kind in ("near", "zone") or far:
            return bodies.end_in_room(state, combatant, path, self.cell)
        bodies.check_room(state, combatant, path[-1], self.cell)
        return path

    def _find_whole(self, state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
        """The path to a goal, however far it is."""
        kind, _, name = to.partition(":")
        path = (combatant.at, *self._find_goals(state, combatant, to))
        other = state[name] if kind == "near" else None
        return bodies.lead_round(state, combatant, path, make_way=self._make_way, other=other, gap=self.gap)

    def _make_way(self, state: State, combatant: Combatant) -> Way:
        return Way(self.find_grid(state), meters=bodies.meters_of(combatant))

    def _find_goals(self, state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
        kind, _, name = to.partition(":")
        if kind == "near":
            goal = bodies.find_beside(combatant, state[name], self.gap)
        elif kind == "zone":
            zone, size = check_goal(state.scene, name), bodies.meters_of(combatant)
            middle = find_middle(state.scene, zone, self.find_grid(state), size)
            goal = bodies.find_spot(state, combatant, middle, self.cell, self.cell)
        elif kind == "away":
            there = away_from(combatant.at, state[name].at, FAR)
            size = bodies.meters_of(combatant)
            goal = stop_short(
                map_of(state.scene), self.find_grid(state), combatant.at, goal=there, meters=size
            )
        else:
            return tuple(on_ground(state.scene, point) for point in read_points(to))
        return (on_ground(state.scene, goal),)

    def find_approach(self, state: State, who: str, foes: Sequence[Combatant]) -> Approach | None:
        """What brings someone nearer to one of some enemies, the nearest of them first; None for nothing.

        To the first whom a walk leads to, else through a door or by a way to another deck. Nobody is sent out
        of the drawn place.
        """
        combatant = state[who]
        if foes and (step := self._find_step(state, combatant, foes[0].at)):
            return step
        for foe in foes:
            if self._leads_on(state, combatant, f"near:{foe.id}", foe.at):
                return Approach("walk", f"near:{foe.id}")
        if door := find_shut(state, who, self.find_arm(state)):
            return Approach("door", door.id)
        for foe in foes:
            if walk := self._go_to_door(state, combatant, foe.at):
                return walk
        return next(filter(None, (self._find_step(state, combatant, foe.at) for foe in foes[1:])), None)

    def _find_step(self, state: State, combatant: Combatant, goal: Point) -> Approach | None:
        """The next deed on the ways to the deck of a goal; None on that deck, and if none leads there."""
        step = find_next_way(state, combatant, goal, self.find_arm(state))
        if step is None:
            return None
        if step.is_near:
            return Approach("way" if step.trip.way.open else "door", step.trip.way.id)
        start = step.trip.start
        if self._leads_on(state, combatant, _name_place(start), start):
            return Approach("walk", _name_place(start))
        door = find_shut(state, combatant.id, self.find_arm(state))
        return Approach("door", door.id) if door else self._go_to_door(state, combatant, start)

    def _go_to_door(self, state: State, combatant: Combatant, goal: Point) -> Approach | None:
        """The walk to the first shut door on the way to a goal."""
        place = find_doorway(state, combatant, goal, self._make_way(state, combatant))
        if place is None or not self._leads_on(state, combatant, _name_place(place), place):
            return None
        return Approach("walk", _name_place(place))

    def _leads_on(self, state: State, combatant: Combatant, to: str, goal: Point) -> bool:
        """Whether a walk leads on to a goal, as far as it goes, within the drawn place."""
        try:
            path = self.find_path(state, combatant.id, to, far=True)
        except Refused:
            return False
        return not leads_out(state.scene, path, lambda: self._find_whole(state, combatant, to), goal)

    def find_reach(self, state: State, who: str) -> tuple[Reach, ...]:
        """The squares of the map that a walk reaches."""
        combatant, most = state[who], self.find_meters(state, state[who])
        free = bodies.find_free(state, combatant, squares_around(state.scene, combatant.at, most))
        way = self._make_way(state, combatant)
        paths = find_paths(map_of(state.scene), way, combatant.at, goals=free, most=most / self.cell)
        costs = ((path, path_length(path)) for path in paths)
        return tuple(
            Reach(path[-1], round(meters, 1), turns=find_turns(path), left=most - meters)
            for path, meters in costs
            if meters <= most + SLACK
        )

    def find_fields(self, state: State, who: str) -> tuple[Field, ...]:
        """The form of a walk: zones, and next to or away from others, each with its distance; or a tap."""
        combatant = state[who]

        def describe(place: Point) -> str:
            return f"{say_number(distance(combatant.at, place))} m"

        goals = name_goals(state, combatant, describe)
        reached = self._find_reached(state, combatant, tuple(goal.value for goal in goals))
        options = tuple(
            goal
            if goal.value in reached
            else replace(goal, refused=why_refused(partial(self.find_path, far=True), state, who, goal.value))
            for goal in goals
        )
        return (
            Field("to", "Where to", "place", options=options, value=first_open(options)),
            Field("far", "As far as it goes", "flag", value="true"),
        )

    def _find_reached(self, state: State, combatant: Combatant, goals: tuple[str, ...]) -> frozenset[str]:
        """The zones and people to whom a detour leads: one search for all, since each alone is dear."""
        battle_map, way = map_of(state.scene), self._make_way(state, combatant)
        places = dict[str, Point]()
        for goal in goals if has_walls(battle_map) else ():
            kind, _, name = goal.partition(":")
            if kind == "near" and bodies.SIZE not in combatant.marks and bodies.SIZE not in state[name].marks:
                places[goal] = state[name].at
            elif kind == "zone":
                places[goal] = self._find_goals(state, combatant, goal)[0]
        there = {
            goal: place
            for goal, place in places.items()
            if not is_open(battle_map, way.grid, combatant.at, place, way.meters)
        }
        reached = find_reached(battle_map, way, combatant.at, there.values())
        return frozenset(goal for goal, place in there.items() if place in reached)


def _name_place(at: Point) -> str:
    return f"{at.x:g},{at.y:g}"


def _shorten(leg: tuple[Point, ...], meters: float) -> tuple[Point, ...]:
    """The first meters of a straight leg."""
    return leg[0], towards(leg[0], leg[1], meters)
