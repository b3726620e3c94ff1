"""Pinning actions to the top of a combatant's list, and unpinning them."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from combat.rules.core.basics.errors import Refused
from combat.sharing.access import find_context, for_visitors
from combat.sharing.pins import change_pins, keep_pins


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def pin_action(request: HttpRequest, pk: int) -> HttpResponse:
    """Pin or unpin an action for the viewer, in all fights of this game."""
    context = find_context(request, pk)
    if request.method != "POST":
        return redirect("table", pk)
    if context.viewer.is_spectator:
        raise PermissionDenied("Spectators can't act.")
    who = request.POST.get("combatant", "")
    query = f"?{urlencode({'combatant': who})}" if who in context.known_state.combatants else ""
    answer = HttpResponseRedirect(reverse("table", args=[pk]) + query, status=303)
    slug, pinned = context.encounter.system, request.POST.get("do") == "pin"
    try:
        keep_pins(answer, slug, change_pins(context.pins, slug, request.POST.get("action", ""), pinned))
    except Refused as refused:
        messages.warning(request, refused.message)
    return answer
