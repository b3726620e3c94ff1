"""Hazardous ground: what it does on entering and at each turn begun in it."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Zone, find_zone
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    has_condition,
)

from ..world.scene import is_hazardous
from .fire import burn


def meet_hazards(context: RuleContext, who: str, zones: tuple[Zone, ...]) -> None:
    """[COS-TERR-08] Hazards act on entering, one time per turn.  RULING R49.

    [COS-TERR-07] Where a crossing can call for a save, the GM is told.
    """
    for zone in zones:
        if not is_hazardous(zone) or _is_only_weightless(zone):
            continue
        if "fire" in zone.terrain:
            burn(context, who)
        else:
            told = e.Said("log.in_hazard", who, args={"zone": zone.name})
            context.emit(told, "COS-TERR-07", e.GM_ONLY)


def _is_only_weightless(zone: Zone) -> bool:
    """RULING R47: zero gravity is hazardous ground, but its saves have their own moments."""
    return not is_hazardous(Zone("", "", terrain=tuple(t for t in zone.terrain if t != "zero-g")))


def start_inside(context: RuleContext, who: str) -> None:
    """[COS-TERR-08] The hazard of the zone a turn starts in; [COS-HAZ-05] flames on oneself."""
    zone = find_zone(context.state.scene, context.state[who].at)
    if zone:
        meet_hazards(context, who, (zone,))
    if has_condition(context.state[who], "burning") and not has_condition(context.state[who], "dead"):
        burn(context, who)
