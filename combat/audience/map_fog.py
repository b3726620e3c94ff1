"""What someone may know of a battle map with fog, seen with the eyes of their side.

And the picture under it, without what lies in fog or in a hidden area.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot
from typing import Any

from django.utils.crypto import salted_hmac

from combat.audience.viewer import Viewer
from combat.rules import SYSTEMS, find_system
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.map import vision
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.map.vision import (
    Eyes,
    Known,
    find_known,
    find_player_sides,
    hide_fogged,
    is_spot_seen,
    keeps_secrets,
    make_observers,
)
from combat.rules.core.space import Area, Picture, Point, Scene, Spot, check_goal, map_of, name_spot
from combat.rules.core.space.battle_map import is_hidden_at
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.rays.fog import find_strips, holds
from combat.rules.core.state.state import Item, State

MAX_SAMPLES = 60  # between two spots of a line
ZONE_GOAL = "zone:"  # before the name of a zone in the goal of a command


def find_eyes(state: State) -> Eyes:
    """How combatants see on this map; without special sight in a game that is not installed here."""
    if state.system not in SYSTEMS:
        return Eyes(Grid(), lambda combatant: False)
    return find_system(state.system).find_eyes(state)


def find_sides(state: State, viewer: Viewer) -> tuple[str, ...]:
    """The sides whose eyes someone sees with: their own, or all players' sides for spectators."""
    own = {state.combatants[who].side for who in viewer.seats if who in state.combatants}
    return tuple(sorted(own)) or find_player_sides(state)


def find_unknown(state: State, viewer: Viewer) -> frozenset[str]:
    """The ids of the combatants that a viewer may not know of, including those who left."""
    if viewer.is_gm:
        return frozenset()
    return vision.find_unknown(state, find_eyes(state), find_sides(state, viewer)) - viewer.seats


def find_known_map(state: State, viewer: Viewer) -> Known | None:
    """The cells of the map that a viewer sees now, and those they know; None if they know the whole map."""
    if viewer.is_gm or not keeps_secrets(state.scene):
        return None
    return find_known(state, find_eyes(state), find_sides(state, viewer))


def knows_way(state: State, viewer: Viewer, line: Sequence[Spot]) -> bool:
    """Whether a viewer knows all the ground under a line over the plane."""
    known = find_known_map(state, viewer)
    if known is None:
        return True
    spots = [*line, *(spot for one, other in pairwise(line) for spot in _between(one, other))]
    return all(known.knows(*spot) for spot in spots)


def names_zone(fields: Mapping[str, Any]) -> bool:
    """Whether a command leads to a zone by its name."""
    return str(fields.get("to", "")).startswith(ZONE_GOAL)


def aim_at_known(fields: dict[str, Any], known: State) -> dict[str, Any]:
    """The fields of a command to a zone, with the middle of its known part, to which the pages lead.

    The rules would go to the middle of the whole zone, which may lie where nobody has looked.
    """
    zone = check_goal(known.scene, str(fields["to"]).removeprefix(ZONE_GOAL))
    actor = known.combatants.get(str(fields.get("actor")))
    middle = find_middle(known.scene, zone, find_eyes(known).grid, meters_of(actor) if actor else 0.0)
    return {**fields, "to": ZONE_GOAL + name_spot(zone.id, middle)}


def find_known_runs(state: State, line: Sequence[Spot]) -> list[list[Spot]]:
    """The pieces of a line over the map, as drawn, that lie where all players know the map."""
    hidden, known = map_of(state.scene).hidden, find_known_map(state, Viewer())

    def is_known(spot: Spot) -> bool:
        return not is_hidden_at(hidden, *spot) and (known is None or known.knows(*spot))

    runs: list[list[Spot]] = []
    before: Spot | None = None
    for spot in line:
        if not is_known(spot):
            before = None
            continue
        if before is None or not all(map(is_known, _between(before, spot))):
            runs.append([])
        runs[-1].append(spot)
        before = spot
    return runs


def _between(one: Spot, other: Spot) -> Iterable[Spot]:
    """Spots between two others, half a meter apart unless that makes more than MAX_SAMPLES."""
    steps = min(MAX_SAMPLES, ceil(2 * hypot(other[0] - one[0], other[1] - one[1])))
    for step in range(1, steps):
        yield one[0] + (other[0] - one[0]) * step / steps, one[1] + (other[1] - one[1]) * step / steps


def hide_fogged_scene(scene: Scene, state: State, viewer: Viewer) -> Scene:
    """The scene of a state without what lies in the fog."""
    known = find_known_map(state, viewer)
    return scene if known is None else hide_fogged(scene, find_eyes(state), known)


def find_ground(lying: Iterable[Item], state: State, viewer: Viewer) -> tuple[Item, ...]:
    """The things on the ground that a viewer sees now: no wall cuts them off from the cell they lie in."""
    known = find_known_map(state, viewer)
    if known is None:
        return tuple(lying)
    eyes = find_eyes(state)
    looking = make_observers(state, eyes, find_sides(state, viewer))

    def is_seen(at: Point) -> bool:
        cell = known.window.find_cell(eyes.grid.plot(at))
        return holds(known.window, known.seen, cell) and all(
            is_spot_seen(state, eyes, observer, at) for observer in looking
        )

    return tuple(item for item in lying if item.at and is_seen(item.at))


@dataclass(frozen=True)
class Clip:
    """A picture and its visible part: `shown` is the remaining box, with an address of its own.

    The rectangles in `clear` may be seen, except where those in `dark` overlap them; all in meters of the
    plane. A picture that is shown whole has neither.
    """

    whole: Picture
    shown: Picture
    clear: tuple[Area, ...] = ()
    dark: tuple[Area, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of it may be seen."""
        return self.shown == self.whole


def find_clip(state: State, viewer: Viewer) -> Clip | None:
    """What a viewer may see of the picture in a state with all its secrets; None for nothing at all."""
    whole = map_of(state.scene).picture
    if whole is None:
        return None
    dark = () if viewer.is_gm else tuple(a for a in map_of(state.scene).hidden if _overlap(whole, a))
    known = find_known_map(state, viewer)
    if known is None and not dark:
        return Clip(whole, whole)
    strips = find_strips(known.window, known.known) if known else (whole,)
    clear = tuple(part for strip in strips if (part := _overlap(whole, strip)))
    dark = tuple(part for area in dark if (part := _overlap(whole, area)))
    return _cut(whole, clear, dark) if clear else None


def _cut(whole: Picture, clear: tuple[Area, ...], dark: tuple[Area, ...]) -> Clip:
    """The visible part of the picture; its address can't be guessed and reveals nothing of the rest."""
    left, top = min(a.x for a in clear), min(a.y for a in clear)
    right, low = max(a.x + a.width for a in clear), max(a.y + a.depth for a in clear)
    word = repr((whole, clear, dark))
    digest = salted_hmac("combat.picture", word, algorithm="sha256").hexdigest()
    box = (round(number, 3) for number in (left, top, right - left, low - top))
    return Clip(whole, Picture(digest, *box), clear, dark)


def _overlap(one: Picture, other: Area | Picture) -> Area | None:
    """The part of a rectangle that lies on the picture; None for nothing."""
    left, top = max(one.x, other.x), max(one.y, other.y)
    right, low = min(one.x + one.width, other.x + other.width), min(one.y + one.depth, other.y + other.depth)
    return Area("", left, top, width=right - left, depth=low - top) if right > left and low > top else None


def find_shares(
    whole: Picture, areas: Iterable[Area | Picture]
) -> tuple[tuple[float, float, float, float], ...]:
    """Rectangles as shares of a picture: left, top, right, bottom, each from 0 to 1."""
    return tuple(
        (
            (area.x - whole.x) / whole.width,
            (area.y - whole.y) / whole.depth,
            (area.x + area.width - whole.x) / whole.width,
            (area.y + area.depth - whole.y) / whole.depth,
        )
        for area in areas
    )
