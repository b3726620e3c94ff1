"""The effects of the surroundings on everyone in them: gravity, water, wind, rain, light; smoke and fire.

Scene conditions are `options.SETTINGS`; a zone may have its own gravity, water and air by its terrain tags.

A patch of smoke or fire changes parts of zones for a while. It covers the zones it touches: each gets a piece
with the same height, light and cover and one more terrain tag. The id of a piece is ZONE~PATCH-number. Where
no zone is drawn, a patch shows only if its middle is there. A patch confined by walls has
parts.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.names import make_id
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Piece, Point, Scene, Zone, find_zone, lay_zone, map_of
from combat.rules.core.space.clouds import keep_level
from combat.rules.core.space.decks import find_deck
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.ground import find_gap, find_gaps, is_walled, read_ground
from combat.rules.core.space.plane import FARTHEST, holds, keep_parts, piece_of
from combat.rules.core.space.rays.lights import find_brightest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, replace

from .book.options import WEATHER, Weather
from .book.tables import LIGHT_LEVELS, POOR_LIGHT
from .book.traits import has_tag

SURFACE_REACH_M = 1  # COS-ENV-01
PUSH_M = 3  # COS-ZG-02
TRAINED_ATHLETICS = 3  # RULING R47
TRAINED = "zero-g"  # a trait of the sheet  RULING R47
LOW_GRAVITY_M = 2  # COS-ENV-06
LADDER = tuple(reversed(LIGHT_LEVELS))  # from the darkest light to the brightest
CELL_M = 1.0
SEPARATOR = "~"
MAX_ZONES = 200


def read_setting(state: State, key: str, default: str) -> str:
    """A scene condition, or its default."""
    return state.scene.settings.get(key, default)


class Around(msgspec.Struct, frozen=True):
    """What surrounds a place: its terrain tags, gravity, water, weather and light."""

    tags: tuple[str, ...]
    gravity: str
    underwater: bool
    weather: Weather
    light: str


@remember_each
def find_around(scene: Scene, place: Point) -> Around:
    """What surrounds a place of a scene."""
    zone, settings = find_zone(scene, place), scene.settings
    tags = zone.terrain if zone else ()
    return Around(
        tags,
        "zero" if "zero-g" in tags else settings.get("gravity", "normal"),
        settings.get("water") == "underwater" or "underwater" in tags,
        weather=WEATHER[settings.get("weather", "fair")],
        light=_find_light(scene, place, (zone.light if zone else "") or settings.get("light", "bright")),
    )


def tags_at(state: State, place: Point) -> tuple[str, ...]:
    """The terrain tags of the zone at a place."""
    return find_around(state.scene, place).tags


def has_ability(combatant: Combatant, name: str) -> bool:
    """Whether the combatant's species has an ability."""
    return bool(combatant.sheet["abilities"].get(name))


# ---------------------------------------------------------------- gravity


def gravity_of(state: State, combatant: Combatant) -> str:
    """The gravity a combatant is in: zero, low, normal or high."""
    return find_around(state.scene, combatant.at).gravity


def has_zero_gravity(scene: Scene) -> bool:
    """Whether a scene has zero gravity anywhere."""
    return scene.settings.get("gravity") == "zero" or any("zero-g" in zone.terrain for zone in scene.zones)


def has_surface(state: State, place: Point) -> bool:
    """Whether there is something to push off from within 1 m. [COS-ENV-01] [COS-ZG-01]

    Zones are rooms unless tagged "open space"; a deck has a floor, and what walls surround has one too.
    Elsewhere the edges of rooms count, walls and things. A scene without zones and decks has surfaces
    everywhere. Smoke and flames are neither room nor space.
    """
    if read_setting(state, "surfaces", "metal") == "none":
        return False
    scene, zones = state.scene, read_ground(state.scene).zones
    built = map_of(scene)
    inside = next((zone for zone in reversed(zones) if holds(zone, place.x, place.y)), None)
    if inside and not is_open(inside):
        return True
    if not inside and (find_deck(built.decks, place.x, place.y) or is_walled(built, (place.x, place.y))):
        return True
    if not (zones or built.decks):
        return True
    rooms = [zone for zone in zones if not is_open(zone)]
    gaps = [*(_gap(zone, place) for zone in rooms), *find_gaps(built, (place.x, place.y))]
    return min(gaps, default=FARTHEST) <= SURFACE_REACH_M + 0.01


def is_open(zone: Zone) -> bool:
    """Whether a zone is open space, with nothing to hold on to."""
    return "open space" in zone.terrain


def _gap(zone: Zone, place: Point) -> float:
    """The meters from a place to the nearest edge of a zone; 0 inside."""
    return min(find_gap(part, (place.x, place.y)) for part in zone.parts or (piece_of(zone),))


def find_thruster(combatant: Combatant) -> Item | None:
    """A thruster pack with a charge left."""
    packs = (i for i in combatant.items if i.data.get("thrust_m"))
    return next((i for i in packs if int(i.marks.get("used", 0)) < int(i.data["charges"])), None)


def is_weightless(state: State, combatant: Combatant) -> bool:
    """Whether zero gravity hampers a combatant.

    [COS-ZG-04] Magnetic boots on metal cancel all of it.  RULING R47.
    """
    if find_around(state.scene, combatant.at).gravity != "zero":
        return False
    if not any(item.data.get("magnetic") for item in combatant.items):
        return True
    is_metal = read_setting(state, "surfaces", "metal") == "metal"
    return not (is_metal and has_surface(state, combatant.at))


def is_trained(combatant: Combatant) -> bool:
    """Training for zero gravity: the trait, or Athletics 3. [COS-ENV-02]  RULING R47."""
    athletics = int(combatant.sheet["skills"].get("Athletics", 0))
    return TRAINED in combatant.sheet["traits"] or athletics >= TRAINED_ATHLETICS


def find_push(state: State, combatant: Combatant) -> Modifier | None:
    """The replacement for Speed in zero gravity, in meters for a Move Action.

    [COS-ZG-02] A push goes 3 m whatever Speed is; a thruster pack takes its wearer farther.
    """
    if not is_weightless(state, combatant):
        return None
    pack = find_thruster(combatant)
    if pack:
        return Modifier(pack.name, int(pack.data["thrust_m"]), "COS-ENV-01")
    return Modifier("term.push", PUSH_M, "COS-ZG-02")


def is_heavy(state: State, combatant: Combatant) -> bool:
    """Whether high gravity affects a combatant; some species are used to it."""
    high = find_around(state.scene, combatant.at).gravity == "high"
    return high and not has_ability(combatant, "ignores_high_gravity_to_g")


# ---------------------------------------------------------------- water


def is_in_water(state: State, place: Point) -> bool:
    """Whether a fall to this place ends in water. [COS-HAZ-04]"""
    around = find_around(state.scene, place)
    return "water" in around.tags or around.underwater


def find_wet_weapon(state: State, combatant: Combatant, weapon: Item) -> str:
    """Why a weapon does not work here; empty if it does. [COS-XENV-03]  RULING R48."""
    if not find_around(state.scene, combatant.at).underwater or has_tag(weapon.data, "underwater"):
        return ""
    return f"{weapon.name} does not work under water: use one made for it."


# ---------------------------------------------------------------- modifiers


def speed_changes(state: State, combatant: Combatant) -> list[Modifier]:
    """The meters that the surroundings add to Speed. [COS-ENV-06]"""
    if gravity_of(state, combatant) == "low":
        return [Modifier("term.low_gravity", LOW_GRAVITY_M, "COS-ENV-06")]
    return []


def halving_causes(state: State, combatant: Combatant) -> list[tuple[Label, str]]:
    """The causes that halve movement here, as label and rule.  [COS-ENV-09] [COS-XENV-01] [COS-XENV-05]

    RULING R2: together they halve it once.
    """
    causes: list[tuple[Label, str]] = []
    around = find_around(state.scene, combatant.at)
    if around.gravity == "high" and is_heavy(state, combatant):
        causes.append(("term.high_gravity", "COS-ENV-09"))
    if around.underwater:
        causes.append(("term.under_water", "COS-XENV-01"))
    if around.weather.halves_movement:
        causes.append((around.weather.term, "COS-XENV-05"))
    return causes


def action_terms(state: State, combatant: Combatant, physical: bool) -> list[Modifier]:
    """The penalties of the surroundings on actions.  [COS-ENV-10]  RULING R40."""
    terms = []
    if physical and is_heavy(state, combatant):
        terms.append(Modifier("term.high_gravity", -2, "COS-ENV-10"))
    blinding = int(combatant.sheet["abilities"].get("bright_light_penalty", 0))
    if blinding and light_at(state, combatant.at) == "intense":
        terms.append(Modifier("term.intense_light", blinding, "R40"))
    return terms


def attack_terms(state: State, combatant: Combatant, melee: bool) -> list[Modifier]:
    """The penalties of the surroundings on attacks.  [COS-ATK-10]

    [COS-ENV-02] [COS-ENV-08] [COS-XENV-02] [COS-XENV-06]  RULING R47 R48.
    """
    terms, around = [], find_around(state.scene, combatant.at)
    gravity, weather = around.gravity, around.weather
    if gravity == "zero" and is_weightless(state, combatant) and not is_trained(combatant):
        terms.append(Modifier("term.zero_gravity_untrained", -2, "COS-ENV-02"))
    if gravity == "low" and not has_ability(combatant, "ignores_low_gravity_penalty"):
        terms.append(Modifier("term.low_gravity", -1, "COS-ENV-08"))
    if around.underwater:
        terms.append(Modifier("term.under_water", -4, "COS-XENV-02"))
    if weather.wind and not melee:
        terms.append(Modifier(weather.term, weather.wind, "COS-XENV-06"))
    return terms


# ---------------------------------------------------------------- light and eyes


def light_at(state: State, place: Point) -> str:
    """The light at a place: the zone's own, or the scene's. [COS-COVER-07] [COS-COVER-09]

    A lamp of the map that reaches the place may make it brighter.
    """
    return find_around(state.scene, place).light


def _find_light(scene: Scene, place: Point, around: str) -> str:
    drawn = map_of(scene)
    if not drawn.lights:
        return around
    return find_brightest(
        scene, make_grid(drawn, CELL_M, hexes=False), place, around=around, ladder=LADDER, usual="bright"
    )


def sees_through(combatant: Combatant, light: str, meters: float) -> bool:
    """Whether a combatant's eyes ignore this light: dimness, or darkness near enough."""
    if light == "dim" and has_ability(combatant, "low_light_vision"):
        return True
    return meters <= int(combatant.sheet["abilities"].get("darkvision_m", 0)) and light in POOR_LIGHT


# ---------------------------------------------------------------- patches


def base_id(zone: Zone | None) -> str:
    """The id of the zone a piece belongs to; for other zones, their own."""
    return zone.id.split(SEPARATOR)[0] if zone else ""


def lay(
    context: RuleContext,
    centre: Point,
    half: float,
    tag: str,
    label: str,
    rule: str,
    ends_at: int | None = None,
    parts: tuple[Piece, ...] = (),
) -> None:
    """Lay a square patch of `half` meters to each side over the scene, with an optional end by the clock.

    `parts` limits it to those of the square, and so does ground higher or lower than that.
    """
    state = context.state
    scene = state.scene
    patch = _name_patch(state, label.lower().replace(" ", "-"))
    level = find_level(scene, centre, half, parts)
    parts = parts if level == _find_square(centre, half) else level
    found = (
        _piece(zone, n, centre, half=half, tag=tag, label=label, patch=patch)
        for n, zone in enumerate(scene.zones)
    )
    ground = lay_zone(
        map_of(scene).decks,
        Zone(
            patch,
            label,
            centre.x - half,
            y=centre.y - half,
            width=2 * half,
            depth=2 * half,
            terrain=(tag,),
            patch=True,
        ),
    )
    whole = (piece_of(ground),)
    cut = (keep_parts(p, parts or whole) if p and (parts or p.parts) else p for p in found)
    pieces = [piece for piece in cut if piece]
    if parts:
        ground = replace(ground, parts=parts)
    under = () if find_zone(scene, centre) else (ground,)
    zones = (*under, *scene.zones, *pieces)[:MAX_ZONES]
    context.emit(e.SceneSet(replace(scene, zones=zones, map=UNSET)), rule, e.GM_ONLY)
    if ends_at is not None:
        context.emit(e.Marked("", f"patch:{patch}", ends_at), rule, e.GM_ONLY)


def find_level(scene: Scene, centre: Point, half: float, parts: tuple[Piece, ...] = ()) -> tuple[Piece, ...]:
    """What a square patch covers, or `parts` of it: not what lies higher or lower than `half` meters."""
    return keep_level(scene, parts or _find_square(centre, half), centre, half)


def _find_square(centre: Point, half: float) -> tuple[Piece, ...]:
    return (Piece(centre.x - half, centre.y - half, 2 * half, 2 * half),)


def _name_patch(state: State, label: str) -> str:
    """An id that no patch of the scene has, also not in the ids of its pieces."""
    zones = state.scene.zones
    taken = {zone.id.partition(SEPARATOR)[2].rpartition("-")[0] or zone.id for zone in zones}
    return make_id(label, "", state.made + len(zones), taken)


def _piece(zone: Zone, n: int, centre: Point, half: float, tag: str, label: str, patch: str) -> Zone | None:
    """The part of a zone under a patch; None if they do not overlap."""
    left, right = max(zone.x, centre.x - half), min(zone.x + zone.width, centre.x + half)
    low, high = max(zone.y, centre.y - half), min(zone.y + zone.depth, centre.y + half)
    if right - left < 0.1 or high - low < 0.1:
        return None
    return replace(
        zone,
        id=f"{base_id(zone)}{SEPARATOR}{patch}-{n}",
        name=f"{label} ({zone.name})"[:60],
        x=round(left, 3),
        y=round(low, 3),
        width=round(right - left, 3),
        depth=round(high - low, 3),
        terrain=(*zone.terrain, tag) if tag not in zone.terrain else zone.terrain,
    )


def clear(context: RuleContext, patch: str, rule: str) -> None:
    """Remove a patch from the scene."""
    scene = context.state.scene
    zones = tuple(zone for zone in scene.zones if not _is_of(zone, patch))
    context.emit(e.Marked("", f"patch:{patch}", None), rule, e.GM_ONLY)
    if zones != scene.zones:
        context.emit(e.SceneSet(replace(scene, zones=zones, map=UNSET)), rule, e.GM_ONLY)
        context.emit(e.Said("log.smoke_clears" if patch.startswith("smoke") else "log.flames_out"), rule)


def _is_of(zone: Zone, patch: str) -> bool:
    return zone.id == patch or zone.id.partition(SEPARATOR)[2].startswith(f"{patch}-")


def find_ending(state: State) -> dict[str, int]:
    """The patches that end by the clock, and when."""
    marks = ((key.partition(":")[2], at) for key, at in state.marks.items() if key.startswith("patch:"))
    return {patch: int(at) for patch, at in marks}
