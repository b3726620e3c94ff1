"""The emptiest view that writes, and the least that Django needs for an action, with equal middleware."""

import msgspec
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

from .models import Event, Row


def write_a_row(request: HttpRequest) -> HttpResponse:
    """Change one number, for a signed-in user."""
    assert request.user.is_authenticated
    with transaction.atomic():
        Row.objects.filter(pk=1).update(version=F("version") + 1)
    return HttpResponse(status=204)


def change_a_state(request: HttpRequest) -> HttpResponse:
    """Session, token, 20 KB of state read, changed and written, a row for the event, and a small page."""
    assert request.user.is_authenticated
    with transaction.atomic():
        row = Row.objects.select_for_update().get(pk=1)
        state = msgspec.json.decode(bytes(row.state))
        state["round"] += 1
        row.state, row.version = msgspec.json.encode(state), state["round"]
        row.save()
        Event.objects.create(row=row, number=row.version, record=b'{"name": "next_turn"}')
    return render(request, "speed.html", {"version": row.version})


urlpatterns = [
    path("empty/", write_a_row),
    path("floor/", change_a_state),
    path("", include("cosmos_site.urls")),
]
