"""A game's space: properties of places, distances and sight."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from ..basics.words import Label, say_number
from ..space import DARK, DIM, Point, Scene, Zone, distance
from ..space.rays.sight import Sighting
from ..space.rings import Measured, Ring
from ..state.state import Combatant, State

Words = tuple[tuple[str, str], ...]  # keys, each with its label


def describe_meters(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance from a combatant to the middle of a zone, in meters."""
    return f"{say_number(distance(combatant.at, zone.centre))} m"


def describe_straight(state: State, one: Combatant, other: Combatant) -> str:
    """The meters to someone along a straight line, in words."""
    return f"{say_number(distance(one.at, other.at))} m"


class Zones(msgspec.Struct, frozen=True, kw_only=True):
    """What a game says about zones, its named places."""

    # The usual side of a zone, in the unit of its scenes.
    side: int = 10
    # The distance of a zone from a combatant, in words.
    describe_way: Callable[[State, Combatant, Zone], str] = describe_meters
    # The distance to someone in words, as attacks count it.
    describe_far: Callable[[State, Combatant, Combatant], str] = describe_straight
    # Refuses the move to a place ("zone:ID") that the form starts with, once its guards have passed, wherever
    # the action `move` would. Without it pages have to try the move.
    check_way: Callable[[State, str, str], object] | None = None
    # Warnings for the GM about a scene that replaces the current one.
    find_warnings: Callable[[State, Scene], tuple[Label, ...]] = lambda state, scene: ()
    # The rule that makes steps between zones count, if the game has one.
    link_rule: str = ""
    # The rule that makes the GM's own properties of zones count, if the game has one.
    property_rule: str = ""
    # The settings with which a drawn scene of the library is played, where the GM has chosen none.
    drawn_settings: dict[str, str] = {}
    # The house rules of a kind of ground: it matters if one of them is on. Others always matter.
    terrain_options: Mapping[str, tuple[str, ...]] = {}
    # The kind of ground that has no gravity; empty where the game's text has none.
    weightless: str = ""


def measure_straight(state: State, a: Point, b: Point) -> Measured:
    """Meters along a straight line."""
    return Measured(f"{say_number(distance(a, b))} m", a, b)


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """The space of fights: properties of places, and how distances and sight work."""

    # The things that give cover in a zone.
    covers: Words = ()
    # The partial cover that a wall or an obstacle can give.
    wall_covers: Words = ()
    # The levels of light.
    lights: Words = ()
    # The kinds of ground.
    terrains: Words = ()
    # Whether combatants use the map's doors, by one action with the field `door`; else only the GM does.
    doors: bool = False
    # The unit of scenes.
    unit: str = "m"
    # The side of a battle map's square, in that unit.
    cell_meters: float = 1.0
    # Whether places are hexes now: x along the row, y from row to row (axial).
    has_hexes: Callable[[State], bool] = lambda state: False
    # The distance between two places.
    measure: Callable[[State, Point, Point], Measured] = measure_straight
    # How the map affects one combatant's sight of another, and cover.
    sight: Callable[[State, Combatant, Combatant], Sighting] | None = None
    # The distances around a combatant that matter for its weapons, the usual weapon first.
    rings: Callable[[State, Combatant], tuple[Ring, ...]] = lambda state, combatant: ()
    # What a game says about zones.
    zones: Zones = Zones()

    @property
    def zone_lights(self) -> Words:
        """The light that a zone can have: the game's levels; without any, only how dark it looks."""
        return self.lights or tuple((look, look.capitalize()) for look in (DIM, DARK))
