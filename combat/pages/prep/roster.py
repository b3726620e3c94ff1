"""Pages for characters that join a fight, and for what they bring back from it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.guests import visitor_of
from combat.play.after.downtime import begin_downtime, find_downtimes, find_parties
from combat.play.people.late_joins import JOINS_LATE
from combat.play.people.roster import bring, bring_back, bring_to_seat, find_returns, read_side
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.sharing.access import find_context, for_visitors
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import see_other

from .forms import DowntimeForm


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def bring_character(request: HttpRequest, pk: int) -> HttpResponse:
    """Add the user's own character: the GM's anywhere, a player's on the characters' side."""
    context, person = find_context(request, pk), visitor_of(request)
    if request.method != "POST":
        messages.info(request, "Choose a character here to bring in.")
        return redirect("prep" if context.viewer.is_gm else "table", pk)
    chosen = request.POST.get("character", "")
    try:
        if context.viewer.is_gm:
            side, zone = read_side(request.POST), request.POST.get("zone", "")
            joined = bring(
                context.encounter, person, chosen, side=side, zone=zone, by=context.name, grant=context.grant
            )
        elif context.seat and context.viewer.is_seated:
            joined = bring_to_seat(context.encounter, context.seat, person, chosen)
        else:
            raise PermissionDenied("Spectators can't act.")
    except Refused as refused:
        messages.warning(request, refused.message)
    else:
        if not joined:
            messages.info(request, JOINS_LATE)
    return see_other("prep" if context.viewer.is_gm else "table", pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spend_downtime(request: HttpRequest) -> HttpResponse:
    """Downtime for the user's characters: who takes part, and what is under way already."""
    person, sent = person_of(request), request.POST if request.method == "POST" else None
    parties = find_parties(person)
    form = DowntimeForm(parties, sent, picked=request.GET.getlist("who"))
    if request.method == "POST":
        made = form.carry_out(lambda said: begin_downtime(person, said["who"]))
        if made:
            return see_other("table", made.pk)
    shown = {"form": form if parties else None, "under_way": find_downtimes(person)}
    return render(request, "combat/prep/roster/downtime.html", shown, status=form.status)


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def take_home(request: HttpRequest, pk: int) -> HttpResponse:
    """The changes of the fight to characters, item by item, to write to their sheets or not."""
    context, person = find_context(request, pk), visitor_of(request)
    status = 200
    if request.method == "POST":
        try:
            who, chosen = request.POST.get("character", ""), request.POST.getlist("change")
            done = bring_back(
                context.encounter, context.full_state, person, who, chosen, context.viewer.is_gm
            )
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            messages.success(
                request, f"{possessive(done.name)} sheet is updated. Undo it from the sheet's history."
            )
            return see_other("take_home", pk)
    returns = find_returns(context.encounter, context.full_state, person, context.viewer.is_gm)
    shown = {"encounter": context.encounter, "returns": returns, "runs": context.viewer.is_gm}
    return render(request, "combat/prep/roster/take_home.html", shown, status=status)
