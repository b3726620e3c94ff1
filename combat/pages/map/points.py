"""Pointing at a place of the map: every open page shows it for a moment; nothing is stored."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from combat.audience.map_fog import find_known_runs
from combat.audience.rights import check_takes_part
from combat.display.shapes.scene_shapes import WHO
from combat.live import hub
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_decimal
from combat.rules.core.space.plane import Spot, plot, split_place
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import UNPROCESSABLE
from cosmos_site.base.forms import see_other

PAUSE_SECONDS = 2  # until the same person may point again
FARTHEST = 10_000  # meters
NO_PLACE = "A place is two numbers of meters, such as 9, 5."
TOO_MANY = 429
EVERYBODY = ("gm", "seat", "public")  # the kinds of pages that can show it


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def point_out(request: HttpRequest, pk: int) -> HttpResponse:
    """Point at x, y in meters of the picture. 403 for spectators, 422 for no place, 429 for too many."""
    context = find_context(request, pk)
    if request.method != "POST":
        return redirect("table", pk)
    check_takes_part(context.viewer)
    try:
        x, y = _read_place(request, context)
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    if not cache.add(f"point:{pk}:{context.asker}".replace(" ", "-"), 1, PAUSE_SECONDS):
        return JsonResponse({"refused": "You have just pinged: wait a moment."}, status=TOO_MANY)
    point = {"x": x, "y": y, "name": "GM" if context.seat is None else context.seat.name}
    hub.point(pk, _find_kinds(context, x, y), point)
    wants_page = "text/html" in request.headers.get("Accept", "")  # a form sent without a script
    return see_other("table", pk) if wants_page else JsonResponse(point)


def _read_place(request: HttpRequest, context: ViewerContext) -> Spot:
    """The posted place: x and y, or an item of a list."""
    if "place" in request.POST:
        return find_spot(context, request.POST["place"])
    return read_meters(request.POST.get("x", "")), read_meters(request.POST.get("y", ""))


def find_spot(context: ViewerContext, words: str) -> Spot:
    """The place of an item in a list of places: coordinates, or a combatant that the viewer knows of."""
    if not words.startswith(WHO):
        return read_spot(words)
    found = context.known_state.combatants.get(words.removeprefix(WHO))
    if found is None or found.gone:
        raise Refused("unknown", "That combatant isn't on the map now: choose another place.")
    return plot(found.at.x, found.at.y, context.system.space.has_hexes(context.known_state))


def read_spot(words: str) -> Spot:
    """A place from two coordinates with a comma or a space between them; Refused for anything else."""
    numbers = split_place(words[:50])
    if len(numbers) != 2:
        raise Refused("bad_value", NO_PLACE)
    return read_meters(numbers[0]), read_meters(numbers[1])


def read_meters(word: str) -> float:
    """A coordinate of a place, rounded to centimetres; Refused for anything else."""
    meters = read_decimal(word[:20])
    if meters is None or not abs(meters) <= FARTHEST:
        raise Refused("bad_value", NO_PLACE)
    return round(meters, 2)


def _find_kinds(context: ViewerContext, x: float, y: float) -> tuple[str, ...]:
    """The kinds of pages that show a point: only the GM's if the GM points where not all players know.

    Players point only at what they know, so their points are always shown: leaving one out would tell more.
    """
    is_shown = not context.viewer.is_gm or find_known_runs(context.full_state, [(x, y)])
    return EVERYBODY if is_shown else ("gm",)
