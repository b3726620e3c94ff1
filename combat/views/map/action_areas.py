"""The area of an action: requested while its template is moved over the map."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.display.map.action_areas import find_area, refuse
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from ..table.doing import MAX_LENGTH
from ..table.questions import check_plays, read_known_fields


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_area(request: HttpRequest, pk: int) -> JsonResponse:
    """The shapes of an action as its form stands, and who is inside them, allies first."""
    context = find_context(request, pk)
    actor = request.GET.get("combatant", "")
    try:
        action = context.system.action(request.GET.get("do", "")[:MAX_LENGTH])
        check_asker(context, action, actor)
        found = find_area(context, action, read_known_fields(context, action, actor, request.GET))
    except Refused as refused:
        found = refuse(refused.message)
    return JsonResponse(found)


def check_asker(context: ViewerContext, action: Action, actor: str) -> None:
    """Raise unless the viewer could do the action: the GM for the GM's own, else who plays the combatant."""
    if action.find_area is None:
        raise Http404("That action covers no area.")
    if action.who == "gm":
        if not context.viewer.is_gm:
            raise Http404("Only the GM can do that.")
    else:
        check_plays(context, actor)
