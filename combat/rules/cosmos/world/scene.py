"""The scene of an attack: distance, cover, concealment, height, flanking."""

from __future__ import annotations

from functools import cache

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by, remember_each
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.map.bodies import is_concealed
from combat.rules.core.space import Point, Scene, Zone, angle_between, distance, find_zone, metres_inside
from combat.rules.core.state.state import Combatant, Item, State, find_condition, has_condition, present

from ..book.tables import (
    CONCEALING_THINGS,
    COVER,
    COVER_OBJECTS,
    IN_THE_AIR,
    LIGHT_LEVELS,
    RANGE_STEPS,
    TERRAIN,
    Hint,
)
from ..environment.patches import base_id
from ..environment.surroundings import light_at, sees_through
from ..people.sheet import ability, is_able
from .sight_lines import TOTAL, find_between
from .touch import check_within, in_metres, is_within

FLANKING_ANGLE = 135  # degrees; RULING R27
HIGHER_RANGE_M = 10  # COS-POS-02
ORDER = tuple(COVER)  # from none to total


def is_melee(weapon: Item) -> bool:
    """Whether a weapon strikes at arm's length."""
    return bool(weapon.data["mode"] == "melee")


def has_trait(weapon: Item, trait: str) -> bool:
    """Whether a weapon has one of the book's traits."""
    return trait in weapon.data.get("traits", ())


def find_reach(combatant: Combatant, weapon: Item) -> int:
    """The melee reach in meters.  [COS-ATK-05]"""
    return int(weapon.data.get("reach_m") or 1) + ability(combatant, "reach_bonus_m")


def find_arms(combatant: Combatant) -> int:
    """[COS-ATK-05] The meters a combatant reaches in melee: with a weapon in hand, else 1 m."""
    held = (i for i in combatant.items if i.kind == "weapon" and i.place == "held" and is_melee(i))
    return max((find_reach(combatant, weapon) for weapon in held), default=1)


def is_higher(here: Point, there: Point) -> bool:
    """[COS-POS-01] Whether a place is at least 1 m above the other.  RULING R28."""
    return here.z >= there.z + 1


def find_range(here: Point, there: Point, weapon: Item) -> int:
    """The listed range in meters, with 10 m more from higher ground.  [COS-ATK-09] [COS-POS-02]"""
    higher = HIGHER_RANGE_M if is_higher(here, there) else 0
    return int(weapon.data.get("range_m") or 0) + higher


def range_penalty(
    state: State, attacker: Combatant, target: Combatant, weapon: Item, metres: float
) -> Modifier | None:
    """The penalty of a long shot over some meters; Refused("out_of_range") beyond reach.

    [COS-ATK-09]  RULING R28: to the listed range 0, to double -2, to four times -4.
    """
    listed = find_range(attacker.at, target.at, weapon)
    short = weapon.data["mode"] == "thrown" or state.options.get("range_bands") is False
    steps = RANGE_STEPS[:1] if short else RANGE_STEPS
    for step in steps:
        if metres <= step.times * listed + 0.01:
            if not step.modifier:
                return None
            return Modifier(say("term.range", metres=metres, listed=listed), step.modifier, step.rule)
    raise _too_far(weapon.name, steps[-1].times * listed, target, metres)


def check_reach(state: State, attacker: Combatant, target: Combatant, weapon: Item) -> None:
    """[COS-ATK-05] Refuse a melee attack on someone too far away, or behind a wall.  RULING R50"""
    check_within(state, attacker, target, weapon.name, find_reach(attacker, weapon))


def is_in_reach(state: State, attacker: Combatant, target: Combatant, weapon: Item) -> bool:
    """[COS-ATK-05] Whether a melee weapon reaches someone."""
    return is_within(state, attacker, target, find_reach(attacker, weapon))


def _too_far(weapon: str, most: int, target: Combatant, metres: float) -> Refused:
    text = f"Out of reach: {weapon} reaches {most} m, {target.name} is {in_metres(metres)} away."
    return Refused("out_of_range", text)


@cache
def worst(*levels: str) -> str:
    """The strongest of several levels of cover or concealment."""
    return max((level or "none" for level in levels), key=ORDER.index, default="none")


def find_cover(state: State, attacker: Combatant, target: Combatant, melee: bool) -> str:
    """[COS-DEF-03] Cover from the target's zone, against shots from outside it, and from the map.

    [COS-COVER-02] [COS-COVER-04] The content of the zone suggests it; the GM may override it. RULING R50: in
    melee only if the form says that the obstacle stands between.
    """
    drawn = find_between(state, attacker, target).cover.key
    if melee:
        return TOTAL if drawn == TOTAL else "none"
    return worst(drawn, _find_cover(state.scene, attacker.at, target.at))


@remember_each
def _find_cover(scene: Scene, here: Point, there: Point) -> str:
    zone = find_zone(scene, there)
    if zone is None or base_id(zone) == base_id(find_zone(scene, here)):
        return "none"
    return worst(zone.cover, *_suggested(COVER_OBJECTS, zone.terrain))


def find_concealment(state: State, target: Combatant, seer: Combatant | None = None) -> str:
    """[COS-COVER-07] [COS-COVER-09] Concealment by light and growth at the target, and in between.

    Poor light does not hamper the eyes of some species.
    """
    if seer and not find_between(state, seer, target).seen:
        return "total"
    return _find_concealment(state, target, seer)


def _look_with(state: State, target: Combatant, seer: Combatant | None) -> Seen:
    return (state.scene, target.at, *((seer.at, seer.sheet) if seer else ())), None


@remember_by(_look_with)
def _find_concealment(state: State, target: Combatant, seer: Combatant | None) -> str:
    zone = find_zone(state.scene, target.at)
    light = light_at(state, target.at)
    if seer and sees_through(seer, light, distance(seer.at, target.at)):
        light = "bright"
    tags = zone.terrain if zone else ()
    between = _find_obscured(state, seer.at, target.at) if seer else ()
    return worst(LIGHT_LEVELS[light].level, *_suggested(CONCEALING_THINGS, (*tags, *between)))


def _find_obscured(state: State, here: Point, there: Point) -> tuple[str, ...]:
    """[COS-COVER-07] [COS-COVER-09] The concealment on the straight line between two places.

    Growth does not hamper a combatant who stands in it and looks past its edge. Smoke and fog hamper
    everywhere.
    """
    return _find_tags(state.scene, here, there)


@remember_each
def _find_tags(scene: Scene, here: Point, there: Point) -> tuple[str, ...]:
    zones = [zone for zone in scene.zones if CONCEALING_THINGS.keys() & set(zone.terrain)]
    own = base_id(find_zone(scene, here)) if zones else ""
    return tuple(
        tag
        for zone in zones
        if metres_inside(zone, here, there) > 0.01
        for tag in zone.terrain
        if tag in IN_THE_AIR or base_id(zone) != own
    )


def _suggested(hints: dict[str, Hint], tags: tuple[str, ...]) -> list[str]:
    return [hints[tag].level for tag in tags if tag in hints]


def threatens(state: State, combatant: Combatant, target: Combatant) -> bool:
    """Whether a combatant could strike the target in melee from its place.

    RULING R27: the held, the pinned and those behind total cover from the target do not.
    """
    if (
        not is_able(combatant)
        or combatant.side == target.side
        or has_condition(combatant, "grappled", "pinned")
    ):
        return False
    reach = longest_reach(combatant)
    return (
        reach > 0
        and is_within(state, combatant, target, reach)
        and not _is_shielded(state, combatant, target)
    )


def _is_shielded(state: State, combatant: Combatant, target: Combatant) -> bool:
    """Whether total cover stands between two combatants in melee.  [COS-COVER-05]"""
    return find_between(state, combatant, target).cover.key == TOTAL


def longest_reach(combatant: Combatant) -> int:
    """[COS-ATK-05] The reach of the longest melee weapon in hand, in meters; 0 without one."""
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and is_melee(i)]
    return max((find_reach(combatant, weapon) for weapon in held), default=0)


def is_flanked(state: State, attacker: Combatant, target: Combatant, melee: bool = True) -> bool:
    """[COS-POS-03] Whether a second enemy threatens the target from the opposite side.

    RULING R27: an angle of 135 degrees or more, both conscious and within reach; only a shot (`melee` false)
    comes from farther away. An enemy that the GM conceals does not count.
    """
    if attacker.side == target.side or (melee and not threatens(state, attacker, target)):
        return False
    return any(
        other.id != attacker.id
        and other.side != target.side
        and threatens(state, other, target)
        and not is_concealed(state, other)
        and angle_between(target.at, attacker.at, other.at) >= FLANKING_ANGLE
        for other in present(state)
    )


def find_held(state: State, holder: str) -> list[Combatant]:
    """The combatants that this one holds.  [COS-COND-21]"""
    found = []
    for combatant in present(state):
        held = find_condition(combatant, "grappled")
        if held and held.by == holder:
            found.append(combatant)
    return found


def is_hazardous(zone: Zone) -> bool:
    """[COS-TERR-05] Whether a zone is hazardous terrain."""
    return any(TERRAIN[tag].hazardous for tag in zone.terrain if tag in TERRAIN)
