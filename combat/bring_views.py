"""Pages for characters that join a fight, and for what they bring home from it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from .access import find_visit, for_visitors, person_of
from .bringing import bring, bring_back, bring_to_seat, find_returns
from .downtime import begin_downtime, find_downtimes, find_parties
from .redirects import see_other
from .rules.core.errors import Refused
from .views import status_of


@for_visitors
@login_required
@require_http_methods(["POST"])
def bring_character(request: HttpRequest, pk: int) -> HttpResponse:
    """One's own character joins: for the GM anywhere, for a player on the characters' side."""
    visit, person = find_visit(request, pk), person_of(request)
    chosen = request.POST.get("character", "")
    try:
        if visit.viewer.is_gm:
            side, zone = request.POST.get("side", ""), request.POST.get("zone", "")
            bring(visit.encounter, person, chosen, side=side, zone=zone, by=visit.name)
        elif visit.seat and visit.viewer.role == "seat":
            bring_to_seat(visit.encounter, visit.seat, person, chosen)
        else:
            raise PermissionDenied("Watching does not change the fight.")
    except Refused as refused:
        messages.warning(request, refused.message)
    return see_other("prep" if visit.viewer.is_gm else "table", pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spend_downtime(request: HttpRequest) -> HttpResponse:
    """Days between fights for one's characters: who spends them, and what is under way already."""
    person, status = person_of(request), 200
    picked = request.POST.getlist("who") if request.method == "POST" else request.GET.getlist("who")
    if request.method == "POST":
        try:
            return see_other("table", begin_downtime(person, picked).pk)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    context = {"parties": find_parties(person), "picked": picked, "under_way": find_downtimes(person)}
    return render(request, "combat/downtime.html", context, status=status)


@for_visitors
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def take_home(request: HttpRequest, pk: int) -> HttpResponse:
    """What the fight did to one's characters, to be written onto their sheets or not."""
    visit, person = find_visit(request, pk), person_of(request)
    status = 200
    if request.method == "POST":
        try:
            done = bring_back(visit.encounter, person, request.POST.get("character", ""))
        except Refused as refused:
            messages.warning(request, refused.message)
            status = 409
        else:
            messages.success(request, f"{done.name}'s sheet is up to date. Its history can undo that.")
            return see_other("take_home", pk)
    context = {"encounter": visit.encounter, "returns": find_returns(visit.encounter, person)}
    return render(request, "combat/take_home.html", context, status=status)
