"""Smoke and aerosol from grenades: each cloud is a zone while it lasts."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from combat.rules.core.basics.naming import make_id
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Piece, Point, Zone, map_of
from combat.rules.core.space.clouds import fill
from combat.rules.core.space.paths import has_walls
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, replace
from combat.rules.core.turn.turns import is_shared

from ..body.hits import Onward, chain, put_off
from ..book.options import SMOKE, THICK_SMOKE, find_option
from ..book.records import Grenade
from ..book.tables import grenades
from ..world.scene import AEROSOL, find_crossed
from ..world.senses import SMOKE_DM
from ..world.sight_lines import find_grid

CLOUD = "cloud:"  # mark of the fight, followed by the id of a zone: the last round of the cloud


class Raised(msgspec.Struct, frozen=True, tag=True):
    """A cloud from a kind of grenade around a place in meters, for n rounds."""

    load: str
    x: float
    y: float
    rounds: int


def raise_cloud(context: RuleContext, by: str, load: str, at: Point, onward: Onward = ()) -> Then | None:
    """Raise smoke or aerosol around a place for 1D6 x 3 rounds, in a square as wide as its circle.
    [CE-COND-04]

    RULING R84: to the end of the last round.
    """
    row = grenades()[load]
    roll = context.roll(row.rounds_dice, by=by, rule="CE-COND-04", why=say("roll.lasts", item=row.name))
    raised = Raised(load, at.x, at.y, roll.total * row.rounds_times)
    if is_shared(context.state):
        put_off(context, by, raised)
        return chain(None, onward)
    return take_cloud(context, raised, onward)


def take_cloud(context: RuleContext, raised: Raised, onward: Onward) -> Then | None:
    """Add the cloud: at once, or [CE-ROUND-05] at the end of a shared count.  RULING R33"""
    row, at, rounds = grenades()[raised.load], Point(raised.x, raised.y), raised.rounds
    state, taken = context.state, {zone.id for zone in context.state.scene.zones}
    zone = Zone(
        id=make_id(f"cloud {state.round} ", "", len(taken) + 1, taken),
        name=row.name.removesuffix(" grenade"),
        x=at.x - row.radius_m,
        y=at.y - row.radius_m,
        width=2 * row.radius_m,
        depth=2 * row.radius_m,
        terrain=(_find_terrain(row),),
        parts=_find_parts(context, at, row.radius_m),
    )
    scene = replace(state.scene, zones=(zone, *state.scene.zones))
    context.emit(e.SceneSet(scene), "CE-COND-04")
    context.emit(e.Marked("", f"{CLOUD}{zone.id}", state.round + rounds), "CE-COND-04", e.GM_ONLY)
    context.emit(e.Said("log.cloud", args={"item": zone.name, "n": rounds}), "CE-COND-04")
    return chain(None, onward)


def _find_parts(context: RuleContext, at: Point, half: float) -> tuple[Piece, ...] | UnsetType:
    """The parts of its square that a cloud fills on a map with walls. [CE-COND-04]  RULING R93"""
    drawn = map_of(context.state.scene)
    stops = find_option(context.state, "walls_stop_blasts")
    return fill(drawn, find_grid(context.state), at, half) if stops and has_walls(drawn) else UNSET


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
