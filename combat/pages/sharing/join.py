"""The page that a link opens, and the way back out."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from characters.access import answer_portrait
from characters.views.buttons import posted_from
from combat.models import Seat, ShareLink
from combat.play.campaigns.roster import find_kept
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import with_article
from combat.sharing.access import (
    SEAT_REMOVED,
    SEATS,
    SeatEnded,
    find_seat,
    find_seats,
    for_visitors,
    was_removed,
)
from combat.sharing.guests import LEFT, pass_on
from combat.sharing.links import (
    MAX_LENGTH,
    Arrival,
    clean_name,
    find_link,
    leave_seat,
    open_combatants,
    take_seat,
)
from combat.sharing.ready import READY, find_offers, find_wanted, play_ready
from cosmos_site.base.errors import status_of

from .forms import SeatForm
from .join_view import view_picks

NEW, WATCH = "new", "watch"  # in place of a combatant: the guest makes a character, or only watches


PAGE = "combat/sharing/join/join.html"
NOT_HERE = "No free character of this link has that portrait."


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The page a link opens: choose a name, a face, a free character or just to watch, and join.

    The GM may have removed someone who came by this link: they are told so, or led to a newer seat.
    """
    link, status = find_link(token), 200
    if link is None:
        return render(request, "combat/sharing/join/join_gone.html", status=404)
    held = request.session.get(SEATS, {})
    if was_removed(link, request.user, held):
        if find_seat(link.encounter_id, request.user, held):
            return redirect("table", link.encounter_id)
        raise SeatEnded(SEAT_REMOVED)
    if request.method == "POST":
        try:
            return _enter(request, link)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = status_of(refused)
    return render(request, PAGE, _find_join_page(request, link, token), status=status)


@require_http_methods(["GET", "HEAD"])
def show_portrait(request: HttpRequest, token: str, digest: str) -> HttpResponse:
    """The portrait of a character that a player's link offers."""
    link = find_link(token)
    if link is None or link.kind != ShareLink.PLAY or link.moves:
        raise Http404(NOT_HERE)
    kept = find_kept(link.encounter, open_combatants(link.encounter)).values()
    return answer_portrait(next((sheet for sheet in kept if sheet.portrait == digest), None), digest)


def _enter(request: HttpRequest, link: ShareLink) -> HttpResponse:
    person = request.user if isinstance(request.user, User) else None
    if person and link.encounter.owner_id == person.pk:
        return redirect("table", link.encounter_id)
    archetype = find_wanted(link.encounter, request.POST.get("combatant", ""))
    old = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    seat, secret = take_seat(link, read_arrival(request.POST), person, old)
    _bring_sheets(request, seat)
    _tell_new_name(request, seat)
    if person is None:
        request.session.cycle_key()  # so a session planted before is useless
    request.session[SEATS] = {**request.session.get(SEATS, {}), str(seat.encounter_id): secret}
    if archetype and seat.kind == ShareLink.PLAY:
        try:
            play_ready(seat, person, archetype)
        except Refused as refused:  # they have their seat: the table says what to do next
            messages.warning(request, refused.message)
    if request.POST.get("combatant") == NEW and seat.kind == ShareLink.PLAY:
        return redirect(f"{reverse('new_character')}?for={seat.encounter_id}")
    return redirect("table", seat.encounter_id)


def _tell_new_name(request: HttpRequest, seat: Seat) -> None:
    """Say it to a guest whose name another one at the table has, so that theirs got a number."""
    wanted = clean_name(request.POST.get("name", ""))
    begin, _, number = seat.name.rpartition(" ")
    if seat.user_id is None and begin == wanted[: MAX_LENGTH - 4] and number.isdecimal():
        text = f"There is {with_article(wanted)} already: you are {seat.name}."
        messages.info(request, f"{text} To change that, leave and join under another name.")


def read_arrival(posted: QueryDict) -> Arrival:
    """What the form asks for; one list offers characters, a new one, and just to watch."""
    wanted = posted.get("combatant", "")
    combatant = "" if wanted in (NEW, WATCH) or wanted.startswith(READY) else wanted
    return Arrival(posted.get("name", ""), combatant, posted.get("face", ""), wanted == WATCH)


def _bring_sheets(request: HttpRequest, seat: Seat) -> None:
    """Give this browser the characters it made at this table before."""
    held, left, here = (
        request.session.get(SEATS, {}),
        dict(request.session.get(LEFT, {})),
        str(seat.encounter_id),
    )
    pass_on([secrets[here] for secrets in (held, left) if here in secrets], seat)
    if left.pop(here, ""):
        request.session[LEFT] = left


def _find_join_page(request: HttpRequest, link: ShareLink, token: str) -> dict[str, Any]:
    """The values of the page, with the seat at this table that would be given up; and what was typed."""
    held = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    offers = link.kind == ShareLink.PLAY and not link.moves
    picks = view_picks(link.encounter, token) if offers else None
    typed = _find_typed(request, held)
    return {
        "link": link,
        "encounter": link.encounter,
        "system": find_system(link.encounter.system),
        "picks": picks,
        "ready": find_offers(link.encounter, picks.names) if picks else (),
        "form": SeatForm(watches=link.kind == ShareLink.WATCH, **typed),
        "moves": link.moves,
        "held": held,
        "typed": typed,
        "picked": picks is not None and typed["combatant"] in {pick.id for pick in picks.free},
    }


def _find_typed(request: HttpRequest, held: Seat | None) -> dict[str, str]:
    """What a refused form held; a face that someone has already stays chosen."""
    posted = {name: request.POST.get(name, "")[:MAX_LENGTH] for name in ("name", "face", "combatant")}
    if request.method == "POST":
        return posted
    return {**posted, "face": held.face if held else ""}


@posted_from("table", "Leave with the button at the top of the table.")
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Give up the visitor's seat."""
    held = dict(request.session.get(SEATS, {}))
    seat = find_seat(pk, request.user, held)
    if seat:
        with suppress(Refused):  # the table was deleted meanwhile
            leave_seat(seat)
        messages.success(request, f"You left {seat.encounter.name}. Its link brings you back.")
    secret = held.pop(str(pk), "") if seat else ""  # that of a removed seat stays: it keeps them out
    if secret:
        request.session[SEATS] = held
    if seat and secret and seat.sheets.exists():
        request.session[LEFT] = {**request.session.get(LEFT, {}), str(pk): secret}
    return redirect("home")


OPEN = ("fight", "prep")  # phases of tables that someone wants to get back to, the first one first


@require_safe
def open_my_seat(request: HttpRequest) -> HttpResponse:
    """Lead to the newest seat at a fight that runs, else at one that is prepared, else home."""
    seats = [seat for seat in find_seats(request) if seat.encounter.phase in OPEN]
    seats.sort(key=lambda seat: OPEN.index(seat.encounter.phase))
    return redirect("table", seats[0].encounter_id) if seats else redirect("home")
