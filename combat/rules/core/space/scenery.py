"""How zones look: their floors, what lies on them, and whether they are rooms. No rule reads any of it."""

from __future__ import annotations

FLOORS = ("deck", "tile", "grating", "concrete", "soil", "grass", "water", "void")
VOID = "void"  # the floor on which nobody stands
SMOKE = "smoke"
HAZARDS = ("fire", "gas", "acid", "vacuum", "radiation", "electric", SMOKE)  # what can lie on a floor
DIM, DARK = "dim", "dark"  # how a zone looks in games without rules of light
ROOM, OUTDOORS = "room", "outdoors"
ZONE_KINDS = (ROOM, OUTDOORS)
OUTSIDE = frozenset(("soil", "grass", "water"))  # floors under the open sky unless the zone is a room
