"""Positions: zones and their links, or a map of squares or hexes; and who is hostile."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.words import Label, joined, say, say_people
from combat.rules.core.declaration.parts import Measured
from combat.rules.core.map.bodies import nearest
from combat.rules.core.space import (
    Point,
    Scene,
    Zone,
    count_steps,
    find_across,
    find_height,
    find_links,
    find_rise,
    find_zone,
    find_zone_id,
    map_of,
    on_ground,
    zone_named,
)
from combat.rules.core.space.grid import make_grid
from combat.rules.core.state.state import Combatant, State, present

from ..book.options import HEXES, SQUARES, ZONES, find_option
from ..book.tables import TOUCH_METERS, ZONE_METERS

NEUTRAL = "neutral"  # a side without enemies
AWAY = {"same zone": "in the same zone", "no way": "where no way leads"}


def has_hexes(state: State) -> bool:
    """Whether the map has hexes.  [SS-MAP-04]"""
    return state.scene.settings.get("positioning", ZONES) == HEXES


def is_map(state: State) -> bool:
    """Whether the fight is on a map, in meters.  [SS-MAP-01]"""
    return state.scene.settings.get("positioning", ZONES) in (SQUARES, HEXES)


def zone_of(state: State, combatant: Combatant) -> Zone | None:
    """The zone a combatant stands in; None outside all of them."""
    return _zone_at(state.scene, combatant.at)


@remember_each
def _zone_at(scene: Scene, at: Point) -> Zone | None:
    return find_zone(scene, at)


def zone_id(state: State, combatant: Combatant) -> str:
    """The id of that zone; empty outside all of them."""
    zone = zone_of(state, combatant)
    return zone.id if zone else ""


def find_neighbours(scene: Scene, here: str) -> dict[str, int]:
    """The zones next to a zone, each with the steps to it.  [SS-ZONE-02]  RULING R41"""
    return find_links(scene).get(here, {})


def count_zones(state: State, one: Combatant, other: Combatant) -> int | None:
    """Zone steps between two combatants; None if no path leads there.  [SS-ZONE-02]"""
    return _count_zones(state.scene, one.at, other.at, False)


def count_zones_of_fire(state: State, one: Combatant, other: Combatant) -> int | None:
    """Zone steps of what one combatant shoots or throws at another; None if a floor is between.

    [SS-ZONE-06]  RULING R50: on one deck by links, from deck to deck by open holes only.
    """
    return _count_zones(state.scene, one.at, other.at, True)


@remember_each
def _count_zones(scene: Scene, one: Point, other: Point, hits: bool) -> int | None:
    here, there = _zone_at(scene, one), _zone_at(scene, other)
    if here is there:
        return 0
    return count_steps(scene, here.id if here else "", there.id if there else "", hits)


def describe_way(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance of a zone from a combatant: in steps, or in meters on a map.

    [SS-ZONE-05] [SS-MAP-01]
    """
    if is_map(state):
        return f"{count_meters(state, combatant.at, zone.centre)} m"
    steps = count_steps(state.scene, zone_id(state, combatant), zone.id)
    if steps is None:
        return "no way there"
    return f"{steps} zone{'s' if steps > 1 else ''}"


def measure(state: State, a: Point, b: Point) -> Measured:
    """The distance between the middles of two cells on a map, else in steps between zones.

    [SS-MAP-04] [SS-MAP-05] [SS-ZONE-02]
    """
    if not is_map(state):
        is_outside = find_zone(state.scene, a) is None or find_zone(state.scene, b) is None
        words = "outside all zones" if is_outside else describe_steps(_count_zones(state.scene, a, b, False))
        return Measured(words, a, b)
    grid = make_grid(map_of(state.scene), 1.0, has_hexes(state))
    start, end = (on_ground(state.scene, grid.find_middle(grid.find_cell(place))) for place in (a, b))
    return Measured(f"{count_meters(state, start, end)} m", start, end)


def describe_steps(steps: int | None) -> str:
    """A number of steps between zones, in words."""
    if not steps:
        return "no way" if steps is None else "same zone"
    return "1 zone" if steps == 1 else f"{steps} zones"


def count_cells(state: State, a: Point, b: Point) -> int:
    """Cells of 1 m between two cells of the map, over the ground.  [SS-MAP-04] [SS-MAP-05]  RULING R45"""
    dx = round(b.x) - round(a.x) if a.shift == b.shift else round(find_across(a, b))
    dy = round(b.y) - round(a.y)
    if has_hexes(state):
        return (abs(dx) + abs(dy) + abs(dx + dy)) // 2
    return _join(state, abs(dx), abs(dy))


def _join(state: State, one: int, other: int) -> int:
    """The meters of two ways across each other: diagonals as 1 m, or every second one as 2."""
    long, short = max(one, other), min(one, other)
    return long + short // 2 if find_option(state, "diagonal") == "five_ten_alternate" else long


def count_meters(state: State, a: Point, b: Point) -> int:
    """Meters between two places of the map for reach and range; a meter up counts as one along.

    [SS-MAP-04] [SS-MAP-05] RULING R45
    """
    along = count_cells(state, a, b)
    return along if a.z == b.z else _join(state, along, round(abs(a.z - b.z)))


def count_between(state: State, one: Combatant, other: Combatant) -> int:
    """Meters between the nearest cells of two combatants.  [SS-MAP-04]  RULING R45"""
    return count_meters(state, *nearest(one, other, hexes=has_hexes(state)))


def is_near(state: State, one: Combatant, other: Combatant, meters: int = TOUCH_METERS) -> bool:
    """Whether two combatants are within `meters` on a map, or in the same zone.  [SS-OTHER-12]"""
    if is_map(state):
        return count_between(state, one, other) <= meters
    return count_zones(state, one, other) == 0


def melee_reach(state: State) -> int:
    """Reach of melee on a map, in meters.  RULING R17"""
    return int(find_option(state, "map_melee_reach_m"))


def in_melee(state: State, one: Combatant, other: Combatant) -> bool:
    """Whether melee reaches: the same zone, or next to each other on a map. [SS-RANGE-01]"""
    return is_near(state, one, other, melee_reach(state))


def count_range(state: State, one: Combatant, other: Combatant) -> int:
    """The range of a shot in steps of a zone or 5 m.  [SS-RANGE-03] [SS-RANGE-04] [SS-ZONE-06]

    Refused("out_of_range") if no path leads from one zone to the other.
    """
    if is_map(state):
        return in_fives(state, count_between(state, one, other))
    steps = count_zones_of_fire(state, one, other)
    if steps is None and one.at.shift != other.at.shift:
        text = f"A floor is between {one.name} and {other.name}: go to where it is open, or to their deck."
        raise Refused("out_of_range", text)
    if steps is None:
        text = f"Out of reach: no way leads from {one.name} to {other.name} (the GM can link their zones)."
        raise Refused("out_of_range", text)
    return steps


def in_fives(state: State, meters: int) -> int:
    """Meters in whole fives, or rounded up if the table has it so.  RULING R19"""
    if find_option(state, "range_rounding") == "up":
        return -(-meters // ZONE_METERS)
    return meters // ZONE_METERS


def is_within(state: State, one: Combatant, other: Combatant, zones: int, meters: int) -> bool:
    """Whether a target is in range: in zones, or in meters on a map. [SS-ZONE-06]"""
    if is_map(state):
        return count_between(state, one, other) <= meters
    steps = count_zones_of_fire(state, one, other)
    return steps is not None and steps <= zones


def describe_distance(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, in words."""
    if is_map(state):
        return f"{count_between(state, one, other)} m"
    return describe_steps(count_zones(state, one, other))


def describe_range_to(state: State, one: Combatant, other: Combatant) -> str:
    """The range of a shot at someone, as the end of a sentence: "2 zones away"."""
    if is_map(state):
        return describe_way_to(state, one, other)
    words = describe_steps(count_zones_of_fire(state, one, other))
    return {**AWAY, "no way": "behind a floor"}.get(words, f"{words} away")


def describe_way_to(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, as the end of a sentence: "2 zones away"."""
    words = describe_distance(state, one, other)
    return AWAY.get(words, f"{words} away")


def are_enemies(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are on sides that fight each other."""
    return one.side != other.side and NEUTRAL not in (one.side, other.side)


def has_ground(zone: Zone | None, ground: str) -> bool:
    """Whether a zone has one of the book's properties."""
    return zone is not None and ground in zone.terrain


def find_level(scene: Scene, zone: Zone | None) -> float:
    """The height of a zone for downward shots: its own, or 1 more if it is only marked elevated."""
    if zone is None:
        return 0.0
    is_only_marked = has_ground(zone, "elevated") and not find_rise(scene, zone)
    return find_height(scene, zone) + is_only_marked


def warn_of_zones(state: State, scene: Scene) -> tuple[Label, ...]:
    """Warnings for new or resized zones more than 5 m across: split them. [SS-ZONE-03]  RULING R41

    And for people whose zone is gone, as no path leads to them.
    """
    if scene.settings.get("positioning", ZONES) != ZONES:
        return ()
    lost = find_lost(state, scene)
    stranded = (say("log.outside_zones", listed=say_people(lost), n=len(lost)),) if lost else ()
    return (*_warn_of_size(state, scene), *stranded)


def find_lost(state: State, scene: Scene) -> list[str]:
    """Who leaves all zones by a change of the scene; nobody, if it has starts: all go to those."""
    if not scene.zones or (scene.starts and scene.starts != state.scene.starts):
        return []
    return [
        one.id
        for one in present(state)
        if not one.inside and zone_of(state, one) and not find_zone(scene, one.at)
    ]


def _warn_of_size(state: State, scene: Scene) -> tuple[Label, ...]:
    told = {(zone.id, zone.width, zone.depth) for zone in state.scene.zones}
    large = [
        zone
        for zone in scene.zones
        if max(zone.width, zone.depth) > ZONE_METERS and (zone.id, zone.width, zone.depth) not in told
    ]
    if len(large) > 1:
        names = joined([zone.name for zone in large])
        return (say("log.zones_too_large", zones=names, most=ZONE_METERS),)
    return tuple(
        say("log.zone_too_large", zone=zone.name, width=zone.width, depth=zone.depth, most=ZONE_METERS)
        for zone in large
    )


def find_goal_zone(state: State, name: str) -> Zone:
    """The zone that a command names, by itself or by a spot of it; Refused("unknown") if there is none."""
    zone = zone_named(state.scene, find_zone_id(state.scene, name))
    if zone is None:
        raise Refused("unknown", "That zone is not in the scene: choose another.")
    return zone
