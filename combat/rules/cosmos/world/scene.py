"""The scene of an attack: distance, cover, concealment, height, flanking."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say
from combat.rules.core.map.bodies import is_concealed
from combat.rules.core.space import Point, Scene, Zone, angle_between, find_zone
from combat.rules.core.space.clouds import is_crossed
from combat.rules.core.state.state import Combatant, Item, Scalar, State, present

from ..book.options import find_option
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
from ..characters.conditions import KINDS
from ..characters.sheet import is_able
from ..environment import base_id, find_around, sees_through
from .heights import span
from .sight_lines import TOTAL, check_within, find_between, in_meters, is_within, lie_between

FLANKING_ANGLE = 135  # degrees; RULING R27
HIGHER_RANGE_M = 10  # COS-POS-02
ORDER = tuple(COVER)  # from none to total


def is_melee(weapon: Item) -> bool:
    """Whether a weapon strikes at arm's length."""
    return bool(weapon.data["mode"] == "melee")


def find_reach(combatant: Combatant, weapon: Item) -> int:
    """The melee reach in meters.  [COS-ATK-05]"""
    return int(weapon.data.get("reach_m") or 1) + int(combatant.sheet["abilities"].get("reach_bonus_m", 0))


def find_arms(combatant: Combatant) -> int:
    """The meters a combatant reaches in melee: with a weapon in hand, else 1 m. [COS-ATK-05]"""
    held = (i for i in combatant.items if i.kind == "weapon" and i.place == "held" and is_melee(i))
    return max((find_reach(combatant, weapon) for weapon in held), default=1)


def is_higher(here: Point, there: Point) -> bool:
    """Whether a place is at least 1 m above the other. [COS-POS-01]  RULING R28."""
    return here.z >= there.z + 1


def find_range(here: Point, there: Point, weapon: Item) -> int:
    """The listed range in meters, with 10 m more from higher ground.  [COS-ATK-09] [COS-POS-02]"""
    higher = HIGHER_RANGE_M if is_higher(here, there) else 0
    return int(weapon.data.get("range_m") or 0) + higher


def range_penalty(
    state: State, attacker: Combatant, target: Combatant, weapon: Item, meters: float
) -> Modifier | None:
    """The penalty of a long shot over some meters; Refused("out_of_range") beyond reach.

    [COS-ATK-09]  RULING R28: to the listed range 0, to double -2, to four times -4.
    """
    listed = find_range(attacker.at, target.at, weapon)
    short = weapon.data["mode"] == "thrown" or not find_option(state, "range_bands")
    steps = RANGE_STEPS[:1] if short else RANGE_STEPS
    for step in steps:
        if meters <= step.times * listed + 0.01:
            if not step.modifier:
                return None
            return Modifier(say("term.range", metres=meters, listed=listed), step.modifier, step.rule)
    raise _too_far(weapon.name, steps[-1].times * listed, target, meters)


def check_reach(state: State, attacker: Combatant, target: Combatant, weapon: Item) -> None:
    """Refuse a melee attack on someone too far away, or behind a wall. [COS-ATK-05]  RULING R50"""
    check_within(state, attacker, target, what=weapon.name, meters=find_reach(attacker, weapon))


def _too_far(weapon: str, most: int, target: Combatant, meters: float) -> Refused:
    text = f"Out of reach: {weapon} reaches {most} m, {target.name} is {in_meters(meters)} away."
    return Refused("out_of_range", text)


def worst(*levels: str) -> str:
    """The strongest of several levels of cover or concealment."""
    return max((level or "none" for level in levels), key=ORDER.index, default="none")


class Aspect(msgspec.Struct, frozen=True):
    """How a target looks from a place: meters from edge to edge, cover, concealment without the weather.

    `rain` is the concealment by weather, `plain` that of all together if it depends on nobody's eyes.

    `light` is that at the target; eyes that it does not hamper from `away` meters, middle to middle, find
    only the concealment `by_growth`.
    """

    meters: float
    away: float
    cover: str
    seen: bool
    light: str
    by_light: str
    by_growth: str
    rain: str
    plain: str


@remember_each
def look_at(scene: Scene, here: Point, there: Point, sizes: tuple[Scalar, Scalar], melee: bool) -> Aspect:
    """How someone looks to a seer, for a blow or a shot: their places, and their sizes in tenths of a meter.

    [COS-DEF-03] [COS-COVER-02] [COS-COVER-04] The content of the target's zone suggests cover against shots
    from outside it; the GM may override it. RULING R50: in melee only the map gives cover, if it blocks every
    line.
    """
    between, around = lie_between(scene, here, sizes[0], there, sizes[1]), find_around(scene, there)
    drawn, light, seen = between.cover.key, around.light, between.seen
    full = TOTAL if drawn == TOTAL else "none"
    cover = full if melee else worst(drawn, _find_cover(scene, here, there))
    by_growth = _find_growth(scene, here, there)
    by_light = worst(LIGHT_LEVELS[light].level, by_growth)
    rain = "none" if melee else around.weather.concealment  # [COS-XENV-07]  RULING R48
    away = span(here, there)
    plain = "" if seen and light != "bright" else worst(by_light if seen else "total", rain)
    return Aspect(
        between.meters,
        away,
        cover,
        seen=seen,
        light=light,
        by_light=by_light,
        by_growth=by_growth,
        rain=rain,
        plain=plain,
    )


def _find_cover(scene: Scene, here: Point, there: Point) -> str:
    zone = find_zone(scene, there)
    if zone is None or base_id(zone) == base_id(find_zone(scene, here)):
        return "none"
    return worst(zone.cover, *_suggested(COVER_OBJECTS, zone.terrain))


def conceal(aspect: Aspect, seer: Combatant) -> str:
    """The concealment of what a combatant looks at; poor light does not hamper the eyes of some species."""
    if not aspect.seen:
        return "total"
    if aspect.light == "bright" or not sees_through(seer, aspect.light, aspect.away):
        return aspect.by_light
    return worst(LIGHT_LEVELS["bright"].level, aspect.by_growth)


def _find_growth(scene: Scene, here: Point, there: Point) -> str:
    """Concealment by growth and by what is in the air, at a place and on the way to it."""
    tags = (*find_around(scene, there).tags, *_find_tags(scene, here, there))
    return worst("none", *_suggested(CONCEALING_THINGS, tags))


def _find_tags(scene: Scene, here: Point, there: Point) -> tuple[str, ...]:
    """The concealment on the straight line between two places. [COS-COVER-07] [COS-COVER-09]

    Growth does not hamper a combatant who stands in it and looks past its edge. Smoke and fog hamper
    everywhere.
    """
    zones = [zone for zone in scene.zones if CONCEALING_THINGS.keys() & set(zone.terrain)]
    own = base_id(find_zone(scene, here)) if zones else ""
    return tuple(
        tag
        for zone in zones
        if is_crossed(scene, zone, here, there)
        for tag in zone.terrain
        if tag in IN_THE_AIR or base_id(zone) != own
    )


def _suggested(hints: dict[str, Hint], tags: tuple[str, ...]) -> list[str]:
    return [hints[tag].level for tag in tags if tag in hints]


def threatens(state: State, combatant: Combatant, target: Combatant) -> bool:
    """Whether a combatant could strike the target in melee from its place.

    RULING R27: the held, the pinned and those behind total cover from the target do not.
    """
    if combatant.side == target.side or not is_able(combatant):
        return False
    reach = longest_reach(combatant)
    if not reach or KINDS.loses(combatant, "threat"):
        return False
    between = find_between(state, combatant, target)
    return between.cover.key != TOTAL and is_within(state, combatant, target, reach)  # COS-COVER-05


def longest_reach(combatant: Combatant) -> int:
    """The reach of the longest melee weapon in hand, in meters; 0 without one. [COS-ATK-05]"""
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and is_melee(i)]
    return max((find_reach(combatant, weapon) for weapon in held), default=0)


def is_flanked(state: State, attacker: Combatant, target: Combatant, melee: bool = True) -> bool:
    """Whether a second enemy threatens the target from the opposite side. [COS-POS-03]

    RULING R27: an angle of 135 degrees or more, both conscious and within reach; only a shot (`melee` false)
    comes from farther away. An enemy that the GM conceals does not count.
    """
    if attacker.side == target.side:
        return False
    for other in state.combatants.values():
        if (
            other.side != target.side
            and other.id != attacker.id
            and not other.gone
            and angle_between(target.at, attacker.at, other.at) >= FLANKING_ANGLE
            and threatens(state, other, target)
            and not is_concealed(state, other)
        ):
            return not melee or threatens(state, attacker, target)  # most fail on the cheap tests above
    return False


def find_held(state: State, holder: str) -> list[Combatant]:
    """The combatants that this one holds.  [COS-COND-21]"""
    return [
        combatant
        for combatant in present(state)
        if any(held.kind == "grappled" and held.by == holder for held in combatant.conditions)
    ]


def is_hazardous(zone: Zone) -> bool:
    """Whether a zone is hazardous terrain. [COS-TERR-05]"""
    return any(TERRAIN[tag].hazardous for tag in zone.terrain if tag in TERRAIN)
