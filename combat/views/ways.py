"""Where somebody can go: asked once when a token is taken up, and for a place it is held over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.audience.secrecy import find_free, forget_unknown
from combat.display.forms import prefilled, read_fields
from combat.display.ways import find_consequences, find_ways
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from .table import MAX_LENGTH


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_ways(request: HttpRequest, pk: int) -> JsonResponse:
    """The places a combatant can go to now; with `do` and `to`, what that way would bring."""
    return answer_ways(request, find_context(request, pk))


def answer_ways(request: HttpRequest, context: ViewerContext) -> JsonResponse:
    """The same of any table, such as that of a branch."""
    actor = request.GET.get("fighter", "")
    if not context.viewer.plays(actor) or actor not in context.known_state.combatants:
        raise Http404("You don't control that combatant.")
    if "do" not in request.GET:
        found = find_ways(context, actor)
    else:
        try:
            action = context.system.action(request.GET["do"][:MAX_LENGTH])
            if action.find_reach is None:
                raise Http404("That action leads nowhere.")
            usual = prefilled(action, context.obscured_state, actor)
            fields = {**usual, **read_fields(action, context.obscured_state, actor, request.GET)}
            known = forget_unknown(fields, find_free(action), context.full_state, context.viewer)
            found = find_consequences(context, action, known)
        except Refused as refused:
            found = {"words": [], "provokes": [], "refused": refused.message}
    answer = JsonResponse(found)
    answer["Cache-Control"] = "no-store"
    return answer
