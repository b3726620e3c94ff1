"""Where somebody can go: asked once when a token is taken up, and for a place it is held over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.display.ways import find_consequences, find_ways
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from .questions import check_plays, read_known_fields
from .table import MAX_LENGTH


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_ways(request: HttpRequest, pk: int) -> JsonResponse:
    """The places a combatant can go to now; with `do` and `to`, what that way would bring."""
    return answer_ways(request, find_context(request, pk))


def answer_ways(request: HttpRequest, context: ViewerContext) -> JsonResponse:
    """The same of any table, such as that of a branch."""
    actor = request.GET.get("fighter", "")
    check_plays(context, actor)
    if "do" not in request.GET:
        found = find_ways(context, actor)
    else:
        try:
            action = context.system.action(request.GET["do"][:MAX_LENGTH])
            if not action.leads_there:
                raise Http404("That action leads nowhere.")
            found = find_consequences(context, action, read_known_fields(context, action, actor, request.GET))
        except Refused as refused:
            found = {"words": [], "provokes": [], "refused": refused.message}
    return JsonResponse(found)
