"""Roads with two lanes: which zones they are, and where vehicles stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .plane import OUTDOORS, ROOM, Point, Spot, Zone

LONG_ROAD = 3  # a zone so many times wider than deep is a road for vehicles, whatever its name
TWO_LANES = 5.0  # meters: a narrower road has no lanes
PAVED = "concrete"
ROADS = re.compile(r"\b(road|street|bridge|highway)s?\b")
ON_LAND = re.compile(r"\b(road|street|highway)s?\b")  # a bridge may be that of a ship
RIGHT_HAND, LEFT_HAND = 0.75, 0.25  # how far across a road the middles of its lanes are, facing along it


def has_lanes(zone: Zone) -> bool:
    """Whether a zone is a road of two lanes, by its name, its ground and its size."""
    short, long = sorted((zone.width, zone.depth))
    names = ROADS if zone.kind == OUTDOORS else ON_LAND
    is_paved = (zone.floor or PAVED) == PAVED and zone.kind != ROOM
    return is_paved and names.search(zone.name.lower()) is not None and TWO_LANES <= short < long


def find_heading(zone: Zone) -> float | None:
    """The direction along a road in degrees clockwise from the top of the map; None for other zones."""
    if has_lanes(zone):
        return 90 if zone.width > zone.depth else 0
    return 90 if zone.width >= LONG_ROAD * zone.depth else None


def find_lane_spots(zone: Zone, step: float) -> Iterator[Point]:
    """Spots in the middle of the lanes of a road, `step` meters apart, those of the right lane first."""
    if not has_lanes(zone):
        return
    for share in (RIGHT_HAND, LEFT_HAND):
        for number in range(int(max(zone.width, zone.depth) / step)):
            yield Point(*zone.unplot(*_find_spot(zone, share, (number + 0.5) * step)), zone.height)


def _find_spot(zone: Zone, share: float, along: float) -> Spot:
    """The spot at this share across a road and so many meters along it, in its own coordinates."""
    if zone.width > zone.depth:
        return zone.x + along, zone.y + zone.depth * share
    return zone.x + zone.width * share, zone.y + along
