"""The share page of an encounter, and the page that a link opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from characters.views.buttons import posted_from
from combat.display.shapes import FighterView
from combat.display.table_view import view_fighter, view_seating
from combat.models import Encounter, Seat, ShareLink
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_count
from combat.rules.core.state.state import present
from combat.sharing.access import SEATS, find_owner_context, find_seat, for_visitors
from combat.sharing.guests import LEFT, pass_on
from combat.sharing.invitations import Invitation, invite
from combat.sharing.links import (
    HERE,
    assign,
    end_seat,
    find_link,
    is_open,
    make_link,
    open_fighters,
    revoke,
    take_seat,
)
from combat.sharing.viewer_context import ViewerContext

MAX_NUMBER = 10_000
NEW = "new"  # in place of a combatant: who comes in makes a character of their own


@never_cache
@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """Links, who is here, and whose combatant is whose; `?link=` shows one of the links."""
    context = find_owner_context(request, pk)
    status = 200
    if request.method == "POST":
        try:
            made = _change(request.POST, context.encounter)
        except Refused as refused:
            messages.warning(request, refused.message)
            status = 422 if refused.code == "bad_value" else 409
        else:
            return redirect(reverse("share", args=[pk]) + (f"?link={made.pk}#link" if made else ""))
    return render(request, "combat/share.html", _find_page(request, context), status=status)


def _change(posted: QueryDict, encounter: Encounter) -> ShareLink | None:
    """Do what the posted form says; returns the fresh link to show, if one was made."""
    do = posted.get("do", "")
    if do == "make":
        hours, uses = _number(posted.get("hours", "")), _number(posted.get("uses", ""))
        return make_link(encounter, posted.get("kind", ""), posted.get("name", ""), hours=hours, uses=uses)[0]
    if do == "revoke":
        revoke(_link(encounter, posted.get("link", "")))
    elif do == "end":
        end_seat(_seat(encounter, posted.get("seat", "")))
    elif do == "assign":
        seat = _seat(encounter, posted.get("seat", "")) if posted.get("seat") else None
        assign(encounter, posted.getlist("fighter"), seat)
    elif do == "move":
        seat = _seat(encounter, posted.get("seat", ""))
        return make_link(encounter, seat.kind, f"{seat.name}, other device", uses=1, moves=seat)[0]
    else:
        raise Refused("bad_value", "This page has no such action.")
    return None


def _number(word: str) -> int:
    number = read_count(word.strip() or "0")
    if number is None or number > MAX_NUMBER:
        raise Refused("bad_value", f"Hours and uses are whole numbers up to {MAX_NUMBER}, or blank.")
    return number


def _link(encounter: Encounter, word: str) -> ShareLink:
    number = read_count(word)
    link = encounter.links.filter(pk=number).first() if number else None
    if link is None:
        raise Refused("unknown", "That link is gone: reload the page.")
    return link


def _seat(encounter: Encounter, word: str) -> Seat:
    number = read_count(word)
    seat = encounter.seats.filter(pk=number, ended=None).first() if number else None
    if seat is None:
        raise Refused("unknown", "That seat is gone: reload the page.")
    return seat


def _find_shown(request: HttpRequest, encounter: Encounter) -> Invitation | None:
    """The link that is asked for, as long as it lets people in."""
    number = read_count(request.GET.get("link", ""))
    links = encounter.links.select_related("moves__link")
    link = links.filter(pk=number).first() if number else None
    return invite(request, link) if link and is_open(link) else None


def _find_page(request: HttpRequest, context: ViewerContext) -> dict[str, Any]:
    """All that the page's template is given."""
    encounter = context.encounter
    seats = list(encounter.seats.filter(ended=None))
    now = timezone.now()
    system, state = context.system, context.known_state
    views = {f.id: view_fighter(system, state, f, context.viewer) for f in present(state)}
    return {
        "encounter": encounter,
        "shown": _find_shown(request, encounter),
        "is_asked": "link" in request.GET,
        "links": encounter.links.filter(revoked=None, moves=None),
        "people": [{"seat": s, "here": now - s.seen < HERE} for s in seats],
        "seats": [seat for seat in seats if seat.kind == ShareLink.PLAY],
        "hands": _view_hands(views.values(), seats, request.GET.get("hand", "")),
        "kinds": ShareLink.KINDS,
        "seating": view_seating(system, state, views),
        "slug": system.slug,
    }


def _view_hands(
    here: Iterable[FighterView], seats: Sequence[Seat], wanted: str
) -> dict[str, list[dict[str, Any]]]:
    """Who plays whom: player characters, whoever a player has or is to get; then the GM's others."""
    players = {who: seat.name for seat in seats for who in seat.fighters}
    rows = [
        {"id": f.id, "name": f.full_name, "player": players.get(f.id, ""), "is_wanted": f.id == wanted}
        for f in here
    ]
    at_hand = {f.id for f in here if f.pc or f.id in players or f.id == wanted}
    return {
        "players": [row for row in rows if row["id"] in at_hand],
        "others": [row for row in rows if row["id"] not in at_hand],
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
            return render(request, "combat/join.html", _find_join_page(request, link), status=409)
    return render(request, "combat/join.html", _find_join_page(request, link))


def _enter(request: HttpRequest, link: ShareLink) -> HttpResponse:
    person = request.user if isinstance(request.user, User) else None
    if person and link.encounter.owner_id == person.pk:
        return redirect("table", link.encounter_id)
    old = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    wanted = request.POST.get("fighter", "")
    makes_one = wanted == NEW
    wanted = "" if makes_one else wanted
    seat, secret = take_seat(link, request.POST.get("name", ""), person, wanted, old)
    _bring_sheets(request, seat)
    if person is None:
        request.session.cycle_key()  # a session planted before is of no use afterwards
    request.session[SEATS] = {**request.session.get(SEATS, {}), str(seat.encounter_id): secret}
    if makes_one and seat.kind == ShareLink.PLAY:
        return redirect(f"{reverse('new_character')}?for={seat.encounter_id}")
    return redirect("table", seat.encounter_id)


def _bring_sheets(request: HttpRequest, seat: Seat) -> None:
    """What this browser made at this table before is at hand again."""
    held, left, here = (
        request.session.get(SEATS, {}),
        dict(request.session.get(LEFT, {})),
        str(seat.encounter_id),
    )
    pass_on([secrets[here] for secrets in (held, left) if here in secrets], seat)
    if left.pop(here, ""):
        request.session[LEFT] = left


def _find_join_page(request: HttpRequest, link: ShareLink) -> dict[str, Any]:
    """What the page offers, and the seat at this table that would be given up."""
    held = find_seat(link.encounter_id, request.user, request.session.get(SEATS, {}))
    fighters = open_fighters(link.encounter) if link.kind == ShareLink.PLAY and not link.moves else []
    return {
        "link": link,
        "encounter": link.encounter,
        "game": find_system(link.encounter.system).name,
        "fighters": fighters,
        "moves": link.moves,
        "held": held,
    }


@posted_from("table", "Leave with the button at the top of the table.")
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Give one's seat up."""
    held = dict(request.session.get(SEATS, {}))
    seat = find_seat(pk, request.user, held)
    if seat:
        end_seat(seat)
        messages.success(request, f"You left {seat.encounter.name}. Its link brings you back.")
    secret = held.pop(str(pk), "")
    if secret:
        request.session[SEATS] = held
    if seat and secret and seat.sheets.exists():
        request.session[LEFT] = {**request.session.get(LEFT, {}), str(pk): secret}
    return redirect("home")
