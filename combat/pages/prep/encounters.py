"""The list of encounters, and the page of a new one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from combat.models import Encounter
from combat.play.demo import make_demo_fight, open_demo_fight
from combat.play.people.campaigns import find_last_game
from combat.play.writing.encounter_service import create_encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import see_other
from cosmos_site.base.htmx import is_htmx

from .forms import StartForm
from .listing import read_choice, view_list

LOOK, LOOKS = "encounters", ("list", "pictures")  # how the list is shown, remembered by the session


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_encounters(request: HttpRequest) -> HttpResponse:
    """The encounters that the user owns or runs as a co-GM; a demo fight is opened here."""
    status = 200
    if request.method == "POST":
        try:
            for name in ("demo", "fresh"):
                if name in request.POST:
                    return _open_demo(request, request.POST[name], fresh=name == "fresh")
            raise Refused("unknown", "This page has no such action.")
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    shown = view_list(person_of(request), read_choice(request.GET), request.GET.get("page"))
    if request.GET.get("look") in LOOKS:
        request.session[LOOK] = request.GET["look"]
    shown["look"] = request.session.get(LOOK, LOOKS[0])
    template = "found" if is_htmx(request) else "encounters"
    return render(request, f"combat/prep/list/{template}.html", shown, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_encounter(request: HttpRequest) -> HttpResponse:
    """The form for a new encounter; its people can be typed at once and are read on the next page."""
    person, status = person_of(request), 200
    last = find_last_game(Encounter.objects.filter(owner=person, demo=False))
    form = StartForm(request.POST if request.method == "POST" else None, initial={"system": last})
    if request.method == "POST":
        status = 422
        try:
            if form.is_valid():
                said = form.cleaned_data
                made = create_encounter(person, said["system"], said["name"])
                answer = see_other("prep", made.pk)
                if said["notes"]:
                    answer["Location"] += f"?{urlencode({'notes': said['notes']})}#people"
                return answer
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    return render(request, "combat/prep/list/new.html", {"form": form}, status=status)


def _open_demo(request: HttpRequest, value: str, *, fresh: bool) -> HttpResponse:
    """Open the demo fight of a game by its short name; others by their number after a slash."""
    slug, _, number = value.partition("/")
    if slug not in SYSTEMS or number not in map(str, ("", *range(1, len(find_system(slug).demo.make_all())))):
        raise Http404
    open_fight = make_demo_fight if fresh else open_demo_fight
    return see_other("table", open_fight(person_of(request), slug, int(number or 0)).pk)
