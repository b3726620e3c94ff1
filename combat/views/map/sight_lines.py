"""Sight lines, ranges of weapons and distances: requested by the pointer."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.display.map.sight_lines import measure, view_lines
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import UNPROCESSABLE

from ..redirects import see_other
from ..table.questions import check_plays
from .points import find_spot


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_lines(request: HttpRequest, pk: int) -> JsonResponse:
    """The lines of sight of a combatant in words, and the rings of its weapons, in metres of the map."""
    context = find_context(request, pk)
    actor = request.GET.get("combatant", "")
    check_plays(context, actor)
    return JsonResponse(view_lines(context, actor))


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_distance(request: HttpRequest, pk: int) -> HttpResponse:
    """The distance `from` one place `to` another, as the game counts it; 422 for anything else."""
    return answer_distance(request, find_context(request, pk), see_other("table", pk))


def answer_distance(request: HttpRequest, context: ViewerContext, page: HttpResponse) -> HttpResponse:
    """The distance as data; a form sent without a script is redirected to its `page`, which says it."""
    try:
        start, end = (find_spot(context, request.GET.get(name, "")) for name in ("from", "to"))
    except Refused as refused:
        return JsonResponse({"refused": refused.message}, status=UNPROCESSABLE)
    found = measure(context, start, end)
    if "text/html" in request.headers.get("Accept", ""):
        messages.info(request, f"Measured: {found['words']}.")
        return page
    return JsonResponse(found)
