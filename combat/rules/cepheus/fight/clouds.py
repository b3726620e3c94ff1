"""Smoke and aerosol from grenades: each cloud is a zone while it lasts."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from combat.rules.core.basics.names import make_id
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Piece, Point, Zone, lay_zone, map_of, on_ground, put_on_deck
from combat.rules.core.space.clouds import fill, keep_level
from combat.rules.core.space.paths import has_walls
from combat.rules.core.space.rays.area_shapes import Shape, is_inside, make_cloud
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, replace
from combat.rules.core.turn.turns import is_shared

from ..body.hits import Onward, chain, put_off
from ..book.options import SMOKE, THICK_SMOKE, find_option
from ..book.tables import Grenade, grenades
from ..world.scene import AEROSOL, find_crossed
from ..world.senses import SMOKE_DM
from ..world.sight_lines import find_grid

CLOUD = "cloud:"  # mark of the fight, followed by the id of a zone: the last round of the cloud


class Raised(msgspec.Struct, frozen=True, tag=True):
    """A cloud from a grenade of this name around a place, of a radius in meters, for n rounds."""

    name: str
    terrain: str
    radius_m: float
    x: float
    y: float
    rounds: int
    z: float = 0.0


def raise_cloud(context: RuleContext, by: str, row: Grenade, at: Point, onward: Onward = ()) -> Then | None:
    """Raise smoke or aerosol around a place, mostly for 1D6 x 3 rounds, in a square as wide as its circle.
    [CE-COND-04]

    RULING R84: to the end of the last round.
    """
    roll = context.roll(row.rounds_dice, by=by, rule="CE-COND-04", why=say("roll.lasts", item=row.name))
    raised = Raised(
        name=row.name.removesuffix(" grenade"),
        terrain=_find_terrain(row),
        radius_m=row.radius_m,
        x=at.x,
        y=at.y,
        z=at.z,
        rounds=roll.total * row.rounds_times,
    )
    if is_shared(context.state):
        put_off(context, by, raised)
        return chain(None, onward)
    return take_cloud(context, raised, onward)


def take_cloud(context: RuleContext, raised: Raised, onward: Onward) -> Then | None:
    """Add the cloud: at once, or [CE-ROUND-05] at the end of a shared count.  RULING R33"""
    radius = raised.radius_m
    drawn = map_of(context.state.scene)
    at = put_on_deck(drawn, Point(raised.x, raised.y, raised.z))
    state, taken = context.state, {zone.id for zone in context.state.scene.zones}
    zone = Zone(
        id=make_id(f"cloud {state.round} ", "", len(taken) + 1, taken),
        name=raised.name,
        x=at.x - radius,
        y=at.y - radius,
        width=2 * radius,
        depth=2 * radius,
        terrain=(raised.terrain,),
        parts=find_parts(context.state, at, radius),
        patch=True,
    )
    scene = replace(state.scene, zones=(lay_zone(drawn.decks, zone), *state.scene.zones))
    context.emit(e.SceneSet(scene), "CE-COND-04")
    context.emit(e.Marked("", f"{CLOUD}{zone.id}", state.round + raised.rounds), "CE-COND-04", e.GM_ONLY)
    context.emit(e.Said("log.cloud", args={"item": zone.name, "n": raised.rounds}), "CE-COND-04")
    return chain(None, onward)


def make_shape(state: State, at: Point, half: float) -> Shape:
    """What a cloud around a place would fill, as its form draws it. [CE-COND-04]"""
    at = on_ground(state.scene, at)
    return make_cloud(at, half, find_parts(state, at, half) or (_find_square(at, half),))


def is_in_cloud(state: State, cloud: Shape, combatant: Combatant) -> bool:
    """Whether a cloud covers someone."""
    return is_inside(cloud, map_of(state.scene), find_grid(state), body_of(combatant))


def find_parts(state: State, at: Point, half: float) -> tuple[Piece, ...] | UnsetType:
    """The parts of its square that a cloud fills: up to walls, and to ground too high or low. [CE-COND-04]

    RULING R93
    """
    scene, square = state.scene, (_find_square(at, half),)
    stops = find_option(state, "walls_stop_blasts") and has_walls(map_of(scene))
    filled = fill(map_of(scene), find_grid(state), at, half) if stops else square
    level = keep_level(scene, filled, at, half)
    return level if stops or level != square else UNSET


def _find_square(at: Point, half: float) -> Piece:
    return Piece(at.x - half, at.y - half, 2 * half, 2 * half)


def _find_terrain(row: Grenade) -> str:
    """The terrain of smoke from a grenade, as thick as its DM says. [CE-COND-05]"""
    if row.laser_damage:
        return AEROSOL
    return THICK_SMOKE if row.attack_dm <= SMOKE_DM[THICK_SMOKE][0] else SMOKE


def end_clouds(context: RuleContext, ended: int) -> None:
    """Remove clouds after their last round.  RULING R84"""
    marks = context.state.marks.items()
    over = [key for key, last in marks if key.startswith(CLOUD) and int(last) <= ended]
    if not over:
        return
    gone = {key.removeprefix(CLOUD) for key in over}
    scene = context.state.scene
    kept = tuple(zone for zone in scene.zones if zone.id not in gone)
    context.emit(e.SceneSet(replace(scene, zones=kept)), "CE-COND-04")
    for key in over:
        context.emit(e.Marked("", key, None), "CE-COND-04", e.GM_ONLY)
    context.emit(e.Said("log.cloud_gone"), "CE-COND-04")


def count_aerosol(state: State, combatant: Combatant, target: Combatant) -> int:
    """The points that aerosol on the line of fire takes off the damage of a laser."""
    if not find_crossed(state, combatant.at, target.at, AEROSOL):
        return 0
    return min(row.laser_damage for row in grenades().values())
