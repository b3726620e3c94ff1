"""What an action reaches over: asked while a template is laid on the map."""

from __future__ import annotations

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_http_methods

from combat.audience.secrecy import find_free, forget_unknown
from combat.display.areas import find_area, refuse
from combat.display.forms import prefilled, read_fields
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext

from .table import MAX_LENGTH


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_area(request: HttpRequest, pk: int) -> JsonResponse:
    """The shapes of an action as its form stands, and who is inside them, friends first."""
    context = find_context(request, pk)
    actor = request.GET.get("fighter", "")
    try:
        action = context.system.action(request.GET.get("do", "")[:MAX_LENGTH])
        check_asker(context, action, actor)
        usual = prefilled(action, context.obscured_state, actor)
        fields = {**usual, **read_fields(action, context.obscured_state, actor, request.GET)}
        known = forget_unknown(fields, find_free(action), context.full_state, context.viewer)
        found = find_area(context, action, known)
    except Refused as refused:
        found = refuse(refused.message)
    answer = JsonResponse(found)
    answer["Cache-Control"] = "no-store"
    return answer


def check_asker(context: ViewerContext, action: Action, actor: str) -> None:
    """Only those who could do it are told: the GM for what is theirs, else whoever plays the combatant."""
    if action.find_area is None:
        raise Http404("That action covers no area.")
    if action.who == "gm":
        if not context.viewer.is_gm:
            raise Http404("Only the GM can do that.")
    elif not context.viewer.plays(actor) or actor not in context.known_state.combatants:
        raise Http404("You don't control that combatant.")
