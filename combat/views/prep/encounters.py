"""The list of encounters."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from combat.audience.rights import find_open_seats
from combat.display.forms.fields import NewEncounterForm
from combat.models import Encounter, ShareLink
from combat.play.demo import make_demo_fight, open_demo_fight
from combat.play.people.campaigns import find_last_game
from combat.play.writing.encounter_service import create_encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.sharing.access import person_of
from cosmos_site.base.errors import status_of

from ..redirects import see_other

PER_PAGE = 20
MAX_LENGTH = 60  # of a search


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_encounters(request: HttpRequest) -> HttpResponse:
    """The encounters that the user owns or runs as a co-GM, and the form for a new one."""
    last = find_last_game(Encounter.objects.filter(owner=person_of(request), demo=False))
    form = NewEncounterForm(request.POST if request.method == "POST" else None, initial={"system": last})
    status = 200
    if request.method == "POST":
        try:
            for name in ("demo", "fresh"):
                if name in request.POST:
                    return _open_demo(request, request.POST[name], fresh=name == "fresh")
            if form.is_valid():
                return _create(request, form)
            status = 422
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    return render(
        request, "combat/prep/encounters.html", {"form": form, **_find_mine(request)}, status=status
    )


def _create(request: HttpRequest, form: NewEncounterForm) -> HttpResponse:
    said = form.cleaned_data
    return see_other("prep", create_encounter(person_of(request), said["system"], said["name"]).pk)


def _find_mine(request: HttpRequest) -> dict[str, Any]:
    """A page of the encounters that the user runs, with their games.

    A search keeps names with all its words.
    """
    archived, q = request.GET.get("show") == "archived", request.GET.get("q", "").strip()[:MAX_LENGTH]
    user = person_of(request)
    helped = find_open_seats().filter(user=user, kind=ShareLink.CO_GM).values("encounter")
    mine = Encounter.objects.filter(Q(owner=user) | Q(pk__in=helped), archived=archived)
    for word in q.split():
        mine = mine.filter(name__icontains=word)
    page = Paginator(mine.select_related("campaign").defer("start", "state"), PER_PAGE).get_page(
        request.GET.get("page")
    )
    kept = {"show": "archived" if archived else "", "q": q}
    return {
        "page": page,
        "rows": [(encounter, find_system(encounter.system)) for encounter in page],
        "archived": archived,
        "q": q,
        "query": urlencode({name: value for name, value in kept.items() if value}),
        "is_searched": bool(q) or page.paginator.num_pages > 1,
    }


def _open_demo(request: HttpRequest, value: str, *, fresh: bool) -> HttpResponse:
    """Open the demo fight of a game by its short name; others by their number after a slash."""
    slug, _, number = value.partition("/")
    if slug not in SYSTEMS or number not in map(str, ("", *range(1, len(find_system(slug).demo.make_all())))):
        raise Http404
    open_fight = make_demo_fight if fresh else open_demo_fight
    return see_other("table", open_fight(person_of(request), slug, int(number or 0)).pk)
