"""Areas that people aim at a place, such as that of a grenade: where it bursts, and whom it catches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..basics.words import say_number
from ..commands.commands import Command, Field, first_open
from ..space import Point, distance, map_of, on_ground, read_points
from ..space.grid import Grid
from ..space.rays.area_shapes import Measure, Shape, is_inside
from ..space.rays.sight import stop_flight
from ..state.state import Combatant, State, present
from .bodies import body_of, is_concealed_from

SLACK = 0.01  # meters


class Throw(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action on an area around `at`: near:COMBATANT or "x,y" in meters."""

    at: str


def find_aim(state: State, at: str) -> Point:
    """The place of near:COMBATANT or "x,y" in meters."""
    kind, _, who = at.partition(":")
    return state[who].at if kind == "near" else on_ground(state.scene, read_points(at)[0])


def find_inside(state: State, grid: Grid, shape: Shape, measure: Measure = distance) -> list[Combatant]:
    """Everyone inside a shape, friend or foe, but for those whom a wall protects; `measure` counts meters."""
    battle_map = map_of(state.scene)
    return [one for one in present(state) if is_inside(shape, battle_map, grid, body_of(one), measure)]


class Areas(msgspec.Struct, frozen=True, kw_only=True):
    """Circles that people throw as far as `meters`: walls stop the flight and protect those behind them.

    `find_area`, `find_caught` and `find_fields` are the `area`, `caught` and `fields` of an action whose
    command is a `Throw`.
    """

    # The squares of the map: `find_grid` of the walks.
    find_grid: Callable[[State], Grid]
    # How far it is thrown, and how far it reaches from its middle, in meters.
    meters: float
    radius: float
    # Who is never caught, such as the dead.
    spares: Callable[[Combatant], bool] = lambda combatant: False

    def find_middle(self, state: State, command: Throw) -> Point:
        """Where it bursts: where it is aimed, or in front of a wall on the way; Refused beyond its range."""
        start, aim = state[command.actor].at, find_aim(state, command.at)
        if distance(start, aim) > self.meters + SLACK:
            away = f"{say_number(distance(start, aim))} m away"
            raise Refused("out_of_range", f"Too far: it reaches {self.meters:g} m, that is {away}.")
        stop = stop_flight(map_of(state.scene), self.find_grid(state), start, aim)
        return aim if stop == aim else on_ground(state.scene, stop)

    def find_area(self, state: State, command: Throw) -> tuple[Shape, ...]:
        """What it fills."""
        return (Shape("circle", self.find_middle(state, command), self.radius),)

    def find_caught(self, state: State, command: Throw) -> tuple[str, ...]:
        """Everyone whom it catches, friend or foe, in the order of joining."""
        (circle,) = self.find_area(state, command)
        inside = find_inside(state, self.find_grid(state), circle)
        return tuple(one.id for one in inside if not self.spares(one))

    def find_fields(self, state: State, actor: str) -> tuple[Field, ...]:
        """The form: near whom, the nearest enemies first, or a place."""
        combatant = state[actor]
        others = [one for one in present(state) if one.id != actor and not self.spares(one)]
        others.sort(key=lambda one: (one.side == combatant.side, distance(one.at, combatant.at)))

        def offer(one: Combatant) -> Choice:
            away, at = f"{say_number(distance(one.at, combatant.at))} m", f"near:{one.id}"
            return Choice(at, f"on {one.name}", away, why_refused(self._try, state, actor, at))

        options = tuple(map(offer, others))
        return (Field("at", "Where", "place", options, first_open(options), help="or x,y in meters"),)

    def _try(self, state: State, actor: str, at: str) -> Point:
        return self.find_middle(state, Throw(actor=actor, at=at))

    def find_best(self, state: State, actor: str, foes: Sequence[Combatant]) -> tuple[Throw, int] | None:
        """The throw that catches the most of some foes and no friend, and how many; for the app's own play.

        None if each would catch a friend or none; it knows nothing of foes who are concealed.
        """
        combatant, best = state[actor], None
        for foe in foes:
            throw = Throw(actor=actor, at=f"near:{foe.id}")
            if why_refused(self.find_middle, state, throw):
                continue
            caught = [state[who] for who in self.find_caught(state, throw)]
            known = [one for one in caught if not is_concealed_from(state, combatant, one)]
            hit = sum(one.side != combatant.side for one in known)
            if hit == len(known) and hit > (best[1] if best else 0):
                best = throw, hit
        return best
