"""Where the app on a phone starts: at this browser's seat."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from combat.sharing.access import find_seats

OPEN = ("fight", "prep")  # phases of tables that someone wants to get back to, the first one first


@require_safe
def open_my_seat(request: HttpRequest) -> HttpResponse:
    """Lead to the newest seat at a fight that runs, else at one that is prepared, else home."""
    seats = [seat for seat in find_seats(request) if seat.encounter.phase in OPEN]
    seats.sort(key=lambda seat: OPEN.index(seat.encounter.phase))
    return redirect("table", seats[0].encounter_id) if seats else redirect("home")
