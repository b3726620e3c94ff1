"""A fight before its GM lets players in: whom each sees waiting, and when a door has just opened."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import RequestFactory
from django.utils import timezone

from characters.faces import KEYS, find_looks
from combat.audience import doors
from combat.audience.viewer import Viewer
from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.state.state import present
from combat.sharing.access import was_removed
from combat.sharing.closed import WAITS, is_waiting, show_closed, view_closed
from combat.sharing.links import open_lasting_link
from tests.combat.cast import Cast, come, come_by_account
from tests.combat.visit import MARCUS, PIRATE, ZARA, state_of

HTMX = {"HX-Request": "true"}


def test_each_reads_themselves_first_and_the_heroes_of_all(cast: Cast, started: Encounter) -> None:
    """Whom else the GM gave someone is no hero of theirs."""
    come(started, ShareLink.PLAY, "Ida")
    submit(started.pk, Submission("join", {"block": "street_thug", "name": "Rex", "pc": True}))
    rex = [one.id for one in present(state_of(started.pk))][-1]
    Seat.objects.filter(name="Pia").update(combatants=[PIRATE, ZARA])
    Seat.objects.filter(name="Ida").update(combatants=[PIRATE])
    names = {"Pia": "Zara", "Otto": "Marcus", "Ida": ""}
    for me in ("Pia", "Otto", "Ida", ""):
        seat = Seat.objects.filter(name=me).first()
        fight = view_closed(started, seat)
        order = [me] * bool(me) + [name for name in names if name != me]
        assert [(one.name, one.character, one.is_you) for one in fight.people] == [
            (name, names[name], name == me) for name in order
        ]
        assert (fight.pk, fight.name, fight.system.slug) == (started.pk, started.name, started.system)
    assert rex not in (ZARA, MARCUS)


def test_who_chose_no_face_has_that_of_their_hero(cast: Cast, started: Encounter) -> None:
    come(started, ShareLink.PLAY, "Ida")
    state = state_of(started.pk)
    system = find_system(started.system)
    usual = [find_looks(system, state.combatants[who])[0] for who in (ZARA, MARCUS)]
    assert [one.face for one in view_closed(started).people] == [*usual, ""]
    other = next(face for face in sorted(KEYS) if face not in usual)
    Seat.objects.filter(name="Otto").update(face=other)
    assert [one.face for one in view_closed(started).people] == [usual[0], other, ""]


@pytest.mark.parametrize(
    ("asked", "headers", "waits"),
    [({WAITS: ""}, HTMX, True), ({}, HTMX, False), ({WAITS: ""}, {}, False), ({}, {}, False)],
)
def test_an_open_page_that_waits_stays_as_it_is(
    cast: Cast, started: Encounter, asked: dict[str, str], headers: dict[str, str], *, waits: bool
) -> None:
    """Another one that is open is led to the page where it waits."""
    request: Any = RequestFactory().get("/", asked, headers=headers)
    assert is_waiting(request) == waits
    if headers:
        answer = show_closed(request, started)
        assert answer.status_code == 204
        assert any(name.startswith("HX-") for name in answer.headers) != waits


def test_a_door_has_just_opened_for_a_while(db: None) -> None:
    with time_machine.travel(timezone.now(), tick=False):
        for ago, is_new in ((timedelta(0), True), (doors.LEADS_ON / 2, True), (doors.LEADS_ON, False)):
            assert doors.has_just_opened(Encounter(opened=timezone.now() - ago)) == is_new
    assert not doors.has_just_opened(Encounter(opened=None))
    for closed in (True, False):
        found = [
            doors.is_closed(Encounter(closed=closed), Viewer(role)) for role in ("gm", "seat", "spectator")
        ]
        assert found == [False, closed, closed]


def test_a_removal_holds_for_the_links_before_it(started: Encounter) -> None:
    """Until the GM lets them in by a newer one."""
    come_by_account(started, ShareLink.PLAY, "nia")
    nia, link = User.objects.get(username="nia"), open_lasting_link(started, ShareLink.PLAY)
    assert not was_removed(link, nia, {})
    for later, is_out in ((-1, False), (0, True), (1, True)):
        ended = link.created + timedelta(seconds=later)
        Seat.objects.filter(user=nia).update(removed=True, ended=ended)
        assert was_removed(link, nia, {}) == is_out
    assert not was_removed(link, User.objects.create_user("kim"), {})
