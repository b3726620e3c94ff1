"""The share page of an encounter, and the page that a link opens."""

from __future__ import annotations

from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .access import SEATS, find_seat, for_visitors, own_encounter
from .forms import read_number
from .models import Encounter, Seat, ShareLink
from .play import read_state
from .rules import find_system
from .rules.core.errors import Refused
from .rules.core.state import present
from .shapes import GM
from .sharing import assign, end_seat, find_link, make_link, open_fighters, revoke, take_seat
from .viewing import view_fighter, view_seating

HERE_MINUTES = 3
MOST_NUMBER = 10_000


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """Links, who is here, and whose fighter is whose."""
    encounter = own_encounter(request, pk)
    fresh: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        try:
            fresh = _change(request, encounter)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = 422 if refused.code == "bad_value" else 409
        else:
            if not fresh:
                return redirect("share", pk)
    return render(request, "combat/share.html", _context(encounter) | fresh, status=status)


def _change(request: HttpRequest, encounter: Encounter) -> dict[str, Any]:
    """Do what the posted form says; returns the fresh link to show, if one was made."""
    posted = request.POST
    do = posted.get("do", "")
    if do == "make":
        hours, uses = _number(posted.get("hours", "")), _number(posted.get("uses", ""))
        kind, name = posted.get("kind", ""), posted.get("name", "")
        link, token = make_link(encounter, kind, name, hours=hours, uses=uses)
        return _show(request, link, token)
    if do == "revoke":
        revoke(_link(encounter, posted.get("link", "")))
    elif do == "end":
        end_seat(_seat(encounter, posted.get("seat", "")))
    elif do == "assign":
        seat = _seat(encounter, posted["seat"]) if posted.get("seat") else None
        assign(encounter, posted.get("fighter", ""), seat)
    elif do == "move":
        seat = _seat(encounter, posted.get("seat", ""))
        link, token = make_link(encounter, seat.kind, f"{seat.name}, other device", uses=1, moves=seat)
        return _show(request, link, token)
    else:
        raise Refused("bad_value", "This page has no such action.")
    return {}


def _number(word: str) -> int:
    number = read_number(word.strip() or "0")
    if number is None or number > MOST_NUMBER:
        raise Refused("bad_value", f"Hours and uses are whole numbers up to {MOST_NUMBER}, or empty.")
    return number


def _link(encounter: Encounter, word: str) -> ShareLink:
    number = read_number(word)
    link = encounter.links.filter(pk=number).first() if number else None
    if link is None:
        raise Refused("unknown", "That link is not there any more.")
    return link


def _seat(encounter: Encounter, word: str) -> Seat:
    number = read_number(word)
    seat = encounter.seats.filter(pk=number, ended=None).first() if number else None
    if seat is None:
        raise Refused("unknown", "That seat is not there any more.")
    return seat


def _show(request: HttpRequest, link: ShareLink, token: str) -> dict[str, Any]:
    """A link as it is shown this one time: its address and the same as a QR code."""
    address = request.build_absolute_uri(reverse("join", args=[token]))
    return {"fresh": link, "address": address, "code": draw_code(address)}


def draw_code(address: str) -> SafeString:
    """A QR code as inline SVG without style attributes."""
    code = segno.make(address, error="m").svg_inline(
        svgclass="qr",
        lineclass=None,
        omitsize=True,
        light="white",
        dark="black",
        title="QR code of the link",
    )
    return mark_safe(code)  # noqa: S308  made by segno out of our own address


def _context(encounter: Encounter) -> dict[str, Any]:
    seats = list(encounter.seats.filter(ended=None))
    now = timezone.now()
    owners = {who: seat.pk for seat in seats for who in seat.fighters}
    system, state = find_system(encounter.system), read_state(encounter)
    present_now = present(state)
    views = {f.id: view_fighter(system, state, f, GM) for f in present_now}
    fighters = [{"id": f.id, "name": f.name, "seat": owners.get(f.id)} for f in present_now]
    here = [{"seat": s, "here": (now - s.seen).total_seconds() < HERE_MINUTES * 60} for s in seats]
    return {
        "encounter": encounter,
        "links": encounter.links.filter(revoked=None, moves=None),
        "people": here,
        "seats": [seat for seat in seats if seat.kind == ShareLink.PLAY],
        "fighters": fighters,
        "kinds": ShareLink.KINDS,
        "seating": view_seating(system, state, views),
        "slug": system.slug,
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The page a link opens: a name, an open character or just a look, and in."""
    link = find_link(token)
    if link is None:
        return render(request, "combat/join_gone.html", status=404)
    if request.method == "POST":
        try:
            return _enter(request, link)
        except Refused as refused:
            messages.warning(request, refused.message)
            return render(request, "combat/join.html", _join_context(request, link), status=409)
    return render(request, "combat/join.html", _join_context(request, link))


def _enter(request: HttpRequest, link: ShareLink) -> HttpResponse:
    person = request.user if isinstance(request.user, User) else None
    if person and link.encounter.owner_id == person.pk:
        return redirect("table", link.encounter_id)
    old = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    wanted = request.POST.get("fighter", "")
    seat, secret = take_seat(link, request.POST.get("name", ""), person, wanted, old)
    if person is None:
        request.session.cycle_key()  # a session planted before is of no use afterwards
    request.session[SEATS] = {**request.session.get(SEATS, {}), str(seat.encounter_id): secret}
    return redirect("table", seat.encounter_id)


def _join_context(request: HttpRequest, link: ShareLink) -> dict[str, Any]:
    """What the page offers, and the seat at this table that would be given up."""
    held = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    fighters = open_fighters(link.encounter) if link.kind == ShareLink.PLAY and not link.moves else []
    return {
        "link": link,
        "encounter": link.encounter,
        "fighters": fighters,
        "moves": link.moves,
        "held": held,
    }


@require_http_methods(["POST"])
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Give one's seat up."""
    held = dict(request.session.get(SEATS, {}))
    seat = find_seat(pk, request.user, held)
    if seat:
        end_seat(seat)
    if held.pop(str(pk), ""):
        request.session[SEATS] = held
    return redirect("home")
