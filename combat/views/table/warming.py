"""Get ready for the first pages: the games, their data, their pictures and their templates.

It calls the functions of requests, with the demo fights played in memory. It reads the database and writes
nothing to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from combat.audience.viewer import GM
from combat.display.home.board import play_steps
from combat.display.home.pictures import view_demos
from combat.models import Encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import State, encode
from combat.sharing.viewer_context import ViewerContext

from .table import render_table

NOT_STORED = 0  # the number of an encounter that is in memory alone


def warm_home() -> Iterator[None]:
    """Import the games and draw their demo fights, in short pieces."""
    for slug in SYSTEMS:
        find_system(slug)
        yield
        view_demos(slug)
        yield


def warm_tables() -> Iterator[None]:
    """Play and draw a fight of every game, in short pieces."""
    for slug in SYSTEMS:
        yield from warm_table(slug)


def warm_table(slug: str) -> Iterator[None]:
    """Play the demo of a game; draw its first turn, the form of an attack, and the end."""
    system, state, turns = find_system(slug), None, 0
    demo = system.demo.make_first()
    for state, _ in play_steps(system, (*demo.setup, *demo.script)):
        yield
        turns += state.phase == "fight"
        if turns == 1:
            draw_table(slug, state)
            yield
            draw_table(slug, state, do="attack")
            yield
    if state:
        draw_table(slug, state)


def draw_table(slug: str, state: State, **query: str) -> bytes:
    """The table of a state that is not stored, as its GM sees it."""
    encounter = Encounter(pk=NOT_STORED, system=slug, name="Demo", state=encode(state), phase=state.phase)
    request = HttpRequest()
    request.method, request.path = "GET", reverse("table", args=[NOT_STORED])
    request.META |= {"SERVER_NAME": "localhost", "SERVER_PORT": "80"}
    request.GET = QueryDict(urlencode(query))
    request.session, request.user = SessionStore(), AnonymousUser()
    return render_table(request, ViewerContext(encounter, GM, decoded=state)).content
