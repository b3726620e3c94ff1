"""What someone would see from a place of the map, while they are carried there before a fight."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from combat.display.map.scene import CLEAR, view_line
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sides import find_able
from combat.rules.core.space import Point, find_zone, on_ground, plan_distance
from combat.rules.core.state.state import Combatant, present
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import UNPROCESSABLE

from ..map.previews import read_meters


@for_visitors
@require_safe
def show_sight(request: HttpRequest, pk: int) -> HttpResponse:
    """The line from a place (`x`, `y` in meters) to the nearest enemy of `who`; 422 for what is no place."""
    context = find_gm_context(request, pk)
    try:
        x, y = (read_meters(request.GET.get(name, "")) for name in ("x", "y"))
        found = find_sight(context, request.GET.get("who", ""), Point(x, y))
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    return JsonResponse(found)


def find_sight(context: ViewerContext, who: str, at: Point) -> dict[str, Any]:
    """The zone of a place, and whom someone would have as the nearest enemy there: how far, seen or not."""
    system, state = context.system, context.known_state
    one = next((one for one in present(state) if one.id == who), None)
    if one is None:
        raise Refused("unknown", "That combatant is gone: reload the page.")
    there = replace(one, at=on_ground(state.scene, at))
    zone = find_zone(state.scene, there.at)
    found: dict[str, Any] = {"place": zone.name if zone else ""}
    enemies = [other for other in find_able(system, state) if _is_enemy(system.tactics.neutral, one, other)]
    if not enemies:
        return found
    nearest = min(enemies, key=lambda other: plan_distance(there.at, other.at))
    moved = replace(state, combatants={**state.combatants, who: there})
    line = view_line(system, moved, there, nearest)
    seen = "in sight" if line.words in ("", CLEAR) else line.words[:1].lower() + line.words[1:]
    return {**found, "to": nearest.id, "seen": line.seen, "words": f"{line.far} to {line.name}, {seen}"}


def _is_enemy(neutral: tuple[str, ...], one: Combatant, other: Combatant) -> bool:
    sides = {one.side, other.side}
    return len(sides) == 2 and sides.isdisjoint(neutral)
