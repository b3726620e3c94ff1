"""The ground of a stage of the board: the hazards of its zone, and a few of the things that give cover there.

A stage is as large as `WIDE` by `DEEP` meters of a map; its zone can have any size.
"""

from __future__ import annotations

from collections.abc import Mapping

from combat.rules.core.space import SMOKE, Obstacle, Zone
from combat.rules.core.space.battle_map import THINGS

from .land import ICONS, PLATE, HazardView, LandView, find_hazards
from .things import CRATE, ThingsView, view_things

KEY = "board"  # begins the ids of its patterns
WIDE, DEEP = 12.0, 9.0  # meters
EDGE = 0.5  # meters from the upper and the lower edge of a stage to that of a hazard
OUTLINE = f"M{-WIDE:g} {EDGE:g}h{3 * WIDE:g}v{DEEP - 2 * EDGE:g}h{-3 * WIDE:g}z"  # some stages are wider
PUFFS = ((2.0, 2.5), (6.0, 1.8), (10.0, 2.6), (3.0, 6.6), (7.4, 6.0), (10.2, 6.8))
BOXES = ((0.4, 7.0, 2.4, 1.5), (9.2, 0.5, 2.2, 1.6))  # of things: corner, width, depth


def view_ground(zones: tuple[Zone, ...], looks: Mapping[str, str]) -> LandView:
    """The hazards of zones, each once; `looks` are a game's terrains, each with what it looks like."""
    kinds = dict.fromkeys(kind for zone in zones for kind in find_hazards(zone, looks))
    signs = tuple(_view_hazard(kind, number) for number, kind in enumerate(kinds))
    return LandView(
        KEY,
        hazards=tuple(one for one in signs if one.look != SMOKE),
        clouds=tuple(one for one in signs if one.look == SMOKE),
    )


def _view_hazard(kind: str, number: int) -> HazardView:
    spot = EDGE + PLATE + 2 * PLATE * number, EDGE + PLATE
    return HazardView(kind, OUTLINE, ICONS[kind], spot, PUFFS if kind == SMOKE else ())


def view_cover(zone: Zone, looks: Mapping[str, str]) -> tuple[ThingsView, ...]:
    """Two of the things that a zone says give cover there: those of its ground, else crates."""
    kinds = [look for look in (looks.get(terrain, "") for terrain in zone.terrain) if look in THINGS]
    if zone.cover not in ("", "none"):
        kinds = kinds or [CRATE]
    pairs = zip((*kinds, *kinds), BOXES, strict=False)
    return view_things(tuple(Obstacle(kind, "", *box, kind=kind) for kind, box in pairs), ())
