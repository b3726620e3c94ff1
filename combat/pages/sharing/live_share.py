"""What changes while people join: a part of the share page, and the code for a whole room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from combat.audience.changes import find_held
from combat.audience.fetching import find_open_seats
from combat.audience.viewer import Viewer
from combat.models import Seat, ShareLink
from combat.rules.core.state.state import State
from combat.sharing.access import find_owner_context, for_visitors
from combat.sharing.invitations import invite
from combat.sharing.links import find_lasting_link
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.htmx import is_htmx

from .gathering import make_tag, view_gathering


@never_cache
@for_visitors
@require_safe
def show_full(request: HttpRequest, pk: int) -> HttpResponse:
    """The code for a whole room: it shows only what everybody at the table may know."""
    context = find_owner_context(request, pk)
    shown = {**_find_full(request, context), "system": context.system}
    if is_htmx(request):
        return answer_live(request, "combat/sharing/share/full_live.html", shown)
    return render(request, "combat/sharing/share/full.html", shown)


def answer_live(request: HttpRequest, template: str, shown: dict[str, Any]) -> HttpResponse:
    """The part if it differs from what the page has seen; else 204."""
    if request.GET.get("seen") == shown["tag"]:
        return HttpResponse(status=204)
    return render(request, template, shown)


def _find_full(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    everyone = Viewer()
    shown = _find_shown(request, context, replace(context, viewer=everyone, seat=None).known_state, everyone)
    return {**shown, "tag": make_tag(context.encounter.name, shown["gathering"], shown["shown"])}


def find_live_part(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """The values of the live part: the players' link and the people who have come."""
    shown = _find_shown(request, context, context.known_state, context.viewer)
    return {**shown, "tag": make_tag(shown["gathering"], shown["shown"], shown["came"])}


def _find_shown(request: HttpRequest, context: ViewerContext, known: State, viewer: Viewer) -> dict[str, Any]:
    """The players' link, who came by it, and everyone at the table, as far as the viewer knows."""
    encounter = context.encounter
    seats, held = list(find_open_seats().filter(encounter=encounter)), find_held(encounter)
    link = find_lasting_link(encounter, ShareLink.PLAY)
    return {
        "encounter": encounter,
        "gathering": view_gathering(encounter, known, viewer, seats=seats, held=held, now=timezone.now()),
        "shown": invite(request, link) if link else None,
        "came": find_came(seats)[link.pk] if link else [],
    }


def find_came(seats: Iterable[Seat]) -> Mapping[int, list[str]]:
    """The names of the people who came by each link, by its number."""
    came: dict[int, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.link_id:
            came[seat.link_id].append(seat.name)
    return came
