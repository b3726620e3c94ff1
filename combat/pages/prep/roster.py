"""Pages for characters that join a fight, and for what they bring back from it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from characters.access import person_of
from characters.guests import visitor_of
from combat.play.campaigns.roster import (
    JOINS_LATE,
    bring,
    bring_all_back,
    bring_to_seat,
    find_gift,
    find_lost,
    find_returns,
    give_experience,
    read_side,
)
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.state.state import CLOSED
from combat.sharing.access import find_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.forms import is_htmx, see_other

from ..home.pictures import draw_picture
from ..table.rows import find_people
from .closing import close_fight, find_closing
from .returns import COLUMNS, view_rows

CHANGES = "change-"  # before the number of a sheet: its changes in a form


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


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def take_home(request: HttpRequest, pk: int) -> HttpResponse:
    """The changes of the fight to characters, item by item, to write to their sheets or not."""
    context = find_context(request, pk)
    if "end" in request.GET and is_htmx(request):
        return _update_sheets(request, context)
    if "close" in request.GET and request.method == "POST":
        return close_fight(request, context)
    status = 200
    if request.method == "POST":
        try:
            if "experience" in request.POST and context.viewer.is_gm:
                return _give_experience(request, context)
            done = _write_chosen(request, context)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
        else:
            messages.success(request, done)
            return see_other("take_home", pk)
    return render(request, "combat/prep/roster/take_home.html", _find_sheets(request, context), status=status)


def _write_chosen(request: HttpRequest, context: ViewerContext) -> str:
    """Write the changes that the page selected, of one or of all; what was done, in words. Raises Refused."""
    chosen = {
        key.removeprefix(CHANGES): changes
        for key, changes in request.POST.lists()
        if key.startswith(CHANGES) and changes
    }
    if not chosen:
        raise Refused("bad_value", "Nothing is selected: select changes first.")
    state, person = context.full_state, visitor_of(request)
    done = bring_all_back(context.encounter, state, person, chosen, runs=context.viewer.is_gm)
    if len(done) == 1:
        return f"{possessive(done[0].name)} sheet is updated. Undo it from the sheet's history."
    names = ", ".join(one.name for one in done)
    return f"{len(done)} sheets are updated: {names}. Undo each from its history."


def _find_sheets(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """What the page of the sheets shows: a row for each, whose sheets are gone, the picture of the end."""
    runs = context.viewer.is_gm
    returns = find_returns(context.encounter, context.full_state, visitor_of(request), runs)
    known, pk = find_people(context), context.encounter.pk
    rows = view_rows(context, returns, known)
    return {
        "encounter": context.encounter,
        "runs": runs,
        "rows": rows,
        "columns": COLUMNS.values(),
        "chosen": sum(row.chosen for row in rows),
        "asks": [(row.one.character, tile) for row in rows for tile in row.tiles if tile.asks],
        "lost": find_lost(context.known_state, None if runs else context.viewer.seats),
        "gives": [row.one.character.name for row in rows if row.one.gives],
        "rests": [row.one.character.pk for row in rows if row.one.is_own and not row.one.character.npc],
        "writes": any(tile.may for row in rows for tile in row.tiles),
        "picture": draw_picture(context.system, context.known_state, known, pk),
    }


def _give_experience(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """Give everyone of a fight the experience that the GM typed; raises Refused."""
    word = request.POST["experience"]
    done = give_experience(context.encounter, context.full_state, person_of(request), word)
    names = ", ".join(one.name for one in done)
    messages.success(request, f"Experience for {names}. Undo it from the history of a sheet.")
    return see_other("take_home", context.encounter.pk)


def _update_sheets(request: HttpRequest, context: ViewerContext) -> HttpResponse:
    """The sheets of all, or of a player, for the end of a fight: what is selected is written."""
    person, runs, status = visitor_of(request), context.viewer.is_gm, 200
    shown: dict[str, Any] = {"encounter": context.encounter, "runs": runs}
    if request.method == "POST":
        wanted = {who: request.POST.getlist(f"change-{who}") for who in request.POST.getlist("sheet")}
        try:
            shown["done"] = bring_all_back(
                context.encounter, context.full_state, person, chosen=wanted, runs=runs
            )
        except Refused as refused:
            shown["refused"], status = refused.message, status_of(refused)
    looks = {who: one.look for who, one in find_people(context).items()}
    returns = find_returns(context.encounter, context.full_state, person, runs)
    returns.sort(key=lambda one: one.character.name.casefold())
    shown["can_update"] = any(one.usual for one in returns)
    shown["gift"] = find_gift(context.encounter, returns) if runs else None
    closes = runs and CLOSED not in context.full_state.marks
    shown["closes"] = find_closing(context) if closes else None
    shown["sheets"] = [(looks.get(one.combatant.id), one) for one in returns]
    return render(request, "combat/prep/roster/end_sheets.html", shown, status=status)
