"""Pages for characters that join a fight, and for what they bring back from it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.guests import visitor_of
from combat.play.after.downtime import begin_downtime, find_downtimes, find_parties
from combat.play.campaigns.late_joins import JOINS_LATE
from combat.play.campaigns.roster import (
    bring,
    bring_all_back,
    bring_back,
    bring_to_seat,
    find_lost,
    find_returns,
    read_side,
)
from combat.play.handing_out import hand_all
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.locking import locked
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import see_other
from cosmos_site.base.htmx import is_htmx, lead_on

from ..table.rows import view_known
from ..table.submissions import read_gifts
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
    if "end" in request.GET and is_htmx(request):
        return _update_sheets(request, context)
    if "close" in request.GET and request.method == "POST":
        return _close_fight(request, context)
    status = 200
    if request.method == "POST":
        try:
            who, chosen = request.POST.get("character", ""), request.POST.getlist("change")
            done = bring_back(
                context.encounter,
                context.full_state,
                person,
                character_id=who,
                chosen=chosen,
                runs=context.viewer.is_gm,
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
    lost = find_lost(context.known_state, None if context.viewer.is_gm else context.viewer.seats)
    shown = {"encounter": context.encounter, "returns": returns, "runs": context.viewer.is_gm, "lost": lost}
    return render(request, "combat/prep/roster/take_home.html", shown, status=status)


def _close_fight(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Hand out what is set out, then update the selected sheets: all of it or nothing. The report follows."""
    person, posted, pk = visitor_of(request), request.POST, context.encounter.pk
    usual = find_returns(context.encounter, context.full_state, person, runs=True)
    chosen = "sheets" in posted  # else their list has not come yet: all are updated, as the bar says
    left = {str(one.character.pk) for one in usual if chosen and one.usual}.difference(
        posted.getlist("sheet")
    )
    claim: dict[str, Any] = {"version": posted.get("version"), "by": context.name, "grant": context.grant}
    try:
        with locked(pk):
            hand_all(pk, read_gifts(posted), money=posted.get("money", ""), needed=False, **claim)
            done = _write_sheets(request, find_context(request, pk), left)
            submit(pk, Submission("close_fight", {}, by=context.name, grant=context.grant))
    except Refused as refused:
        shown = {"refused": refused.message}
        return render(request, "combat/prep/roster/not_closed.html", shown, status=status_of(refused))
    sheets = f": {done} sheet{'s' if done > 1 else ''} updated" if done else ""
    messages.success(request, f"The fight is closed{sheets}.")
    return lead_on(request, see_other("report", pk))


def _write_sheets(request: HttpRequest, context: ViewerContext, left: set[str]) -> int:
    """Write what usually goes to sheets, but for those left out; how many sheets that were."""
    person, state = visitor_of(request), context.full_state
    found = find_returns(context.encounter, state, person, runs=True)
    usual = {str(one.character.pk): [change.token for change in one.usual] for one in found}
    wanted = {who: changes for who, changes in usual.items() if changes and who not in left}
    return len(bring_all_back(context.encounter, state, person, wanted, runs=True)) if wanted else 0


def _update_sheets(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """The sheets of all characters in one list, for the end of a fight: what is selected is written."""
    person, runs, status = visitor_of(request), context.viewer.is_gm, 200
    shown: dict[str, Any] = {"encounter": context.encounter}
    if request.method == "POST":
        wanted = {who: request.POST.getlist(f"change-{who}") for who in request.POST.getlist("sheet")}
        try:
            shown["done"] = bring_all_back(
                context.encounter, context.full_state, person, chosen=wanted, runs=runs
            )
        except Refused as refused:
            shown["refused"], status = refused.message, status_of(refused)
    looks = {who: one.look for who, one in view_known(context).items()}
    returns = find_returns(context.encounter, context.full_state, person, runs)
    returns.sort(key=lambda one: one.character.name.casefold())
    shown["can_update"] = any(one.usual for one in returns)
    shown["sheets"] = [(looks.get(one.combatant.id), one) for one in returns]
    return render(request, "combat/prep/roster/end_sheets.html", shown, status=status)
