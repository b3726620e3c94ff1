"""Where someone can go: requested when a token is picked up, and for the place it is held over."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.display.map.paths import find_consequences, find_paths
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from ..table.doing import MAX_LENGTH
from ..table.questions import check_plays, read_known_fields


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_paths(request: HttpRequest, pk: int) -> JsonResponse:
    """The places a combatant can go to now; with `do` and `to`, the consequences of that path."""
    return answer_paths(request, find_context(request, pk))


def answer_paths(request: HttpRequest, context: ViewerContext) -> JsonResponse:
    """The same for any table, such as a branch's."""
    actor = request.GET.get("combatant", "")
    check_plays(context, actor)
    if "do" not in request.GET:
        found = find_paths(context, actor)
    else:
        try:
            action = context.system.action(request.GET["do"][:MAX_LENGTH])
            if not action.leads_there:
                raise Http404("That action leads nowhere.")
            found = find_consequences(context, action, read_known_fields(context, action, actor, request.GET))
        except Refused as refused:
            found = {"words": [], "provokes": [], "refused": refused.message}
    return JsonResponse(found)
