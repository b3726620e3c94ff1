"""The page of a fight that its GM still prepares: its name, its day, and who plays in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from characters.faces import KEYS, find_looks
from combat.audience.changes import find_players
from combat.models import Encounter, Seat
from combat.play.writing.encounter_service import read_state
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.aliases import real_face, real_name
from combat.rules.core.state.state import Combatant, State, present
from cosmos_site.base.forms import is_htmx, lead_on, see_other

from .links import touch_seat

MAX_PEOPLE = 24
CLOSED = "The GM still prepares this fight: wait until they let you in."
FORBIDDEN = 403
WAITS = "waits"  # in the address: the page of a closed fight asks whether it has opened


@dataclass(frozen=True)
class Waiter:
    """Someone who plays in a closed fight: their name, their own character's, and a drawn face, of either."""

    name: str
    character: str
    face: str
    is_you: bool


@dataclass(frozen=True)
class ClosedFight:
    """What players know of a fight before their GM lets them in."""

    pk: int
    name: str
    system: System
    planned: date | None
    people: tuple[Waiter, ...]


def view_closed(encounter: Encounter, seat: Seat | None = None) -> ClosedFight:
    """A closed fight as someone at a seat, or with a link, knows it."""
    system, state, mine = find_system(encounter.system), read_state(encounter), seat.pk if seat else 0
    seats = list(find_players(encounter.pk)[:MAX_PEOPLE])
    seats.sort(key=lambda one: one.pk != mine)
    people = tuple(_view_waiter(system, state, one, is_you=one.pk == mine) for one in seats)
    return ClosedFight(encounter.pk, encounter.name, system, planned=encounter.planned, people=people)


def _view_waiter(system: System, state: State, seat: Seat, *, is_you: bool) -> Waiter:
    hero = _find_hero(state, seat)
    faces = [seat.face, *([real_face(hero), find_looks(system, hero)[0]] if hero else [])]
    face = next((one for one in faces if one in KEYS), "")
    return Waiter(seat.name, real_name(hero) if hero else "", face, is_you)


def _find_hero(state: State, seat: Seat) -> Combatant | None:
    """The first player character of a seat; whom else the GM gave them is no part of the party."""
    return next((one for one in present(state) if one.pc and one.id in seat.combatants), None)


def show_closed(request: HttpRequest, encounter: Encounter, seat: Seat | None = None) -> HttpResponse:
    """The page of a closed fight; open pages of its table are led there, and it waits for the GM."""
    if seat:
        touch_seat(seat)
    if is_htmx(request) and WAITS in request.GET:
        return HttpResponse(status=204)
    if is_htmx(request):
        return lead_on(request, see_other("table", encounter.pk))
    shown = {"closed": view_closed(encounter, seat), "waits": seat is not None}
    return render(request, "combat/sharing/closed.html", shown, status=FORBIDDEN)


def is_waiting(request: HttpRequest) -> bool:
    """Whether the page of a closed fight asks, which is now open."""
    return WAITS in request.GET and is_htmx(request)
