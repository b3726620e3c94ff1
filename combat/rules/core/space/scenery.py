"""How zones look: their floors, and whether they are rooms. No rule reads any of it."""

from __future__ import annotations

from .plane import Zone

FLOORS = ("deck", "tile", "grating", "concrete", "soil", "grass", "water", "void")
ROOM, OUTDOORS = "room", "outdoors"
ZONE_KINDS = (ROOM, OUTDOORS)
OUTSIDE = frozenset(("soil", "grass", "water"))  # floors under the open sky unless the zone is a room


def is_outdoors(zone: Zone) -> bool:
    """Whether a zone lies under the open sky: as it says, or else as its floor suggests."""
    return zone.kind == OUTDOORS or (zone.kind != ROOM and zone.floor in OUTSIDE)
