"""Whom a combatant sees from where it stands, and how far its weapons carry: asked by the pointer."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.display.maps.lines import view_lines
from combat.sharing.access import find_context, for_visitors


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_lines(request: HttpRequest, pk: int) -> JsonResponse:
    """The lines of sight of a combatant in words, and the rings of its weapons, in metres of the map."""
    context = find_context(request, pk)
    actor = request.GET.get("fighter", "")
    if not context.viewer.plays(actor) or actor not in context.known_state.combatants:
        raise Http404("You don't control that combatant.")
    answer = JsonResponse(view_lines(context, actor))
    answer["Cache-Control"] = "no-store"
    return answer
