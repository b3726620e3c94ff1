"""Who holds a pointer: each a colour of their own, for an evening; and the order of pinned actions."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from combat.audience.changes import find_players
from combat.audience.viewer import Viewer
from combat.models import Encounter, Seat, ShareLink
from combat.sharing import pens
from combat.sharing.pens import LENT, find_ink, find_ink_of, lend_pens, take_pens
from combat.sharing.viewer_context import ViewerContext
from tests.combat.cast import Cast, come
from tests.combat.visit import load


def inks(pk: int) -> dict[str, int | None]:
    return {seat.name: find_ink_of(seat) for seat in find_players(pk)}


def test_each_gets_a_colour_of_their_own_for_an_evening(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk = started.pk
    come(started, ShareLink.PLAY, "Ida")
    seats = {seat.name: seat.pk for seat in find_players(pk)}
    with time_machine.travel(timezone.now(), tick=False) as clock:
        lend_pens(pk, [seats["Otto"]])
        assert inks(pk) == {"Pia": None, "Otto": 1, "Ida": None}
        clock.shift(timedelta(hours=1))
        lend_pens(pk, list(seats.values()))
        assert inks(pk) == {"Pia": 2, "Otto": 1, "Ida": 3}
        clock.shift(LENT - timedelta(hours=1, seconds=1))
        assert inks(pk) == {"Pia": 2, "Otto": 1, "Ida": 3}
        clock.shift(timedelta(seconds=1))
        assert inks(pk) == {"Pia": 2, "Otto": None, "Ida": 3}
        take_pens(pk, seats["Ida"])
        assert inks(pk) == {"Pia": 2, "Otto": None, "Ida": None}
        monkeypatch.setattr(pens, "INKS", 2)
        lend_pens(pk, list(seats.values()))
        assert sorted(ink or 0 for ink in inks(pk).values()) == [1, 1, 2]
        assert inks(pk)["Pia"] == 2
        take_pens(pk)
        assert set(inks(pk).values()) == {None}


def test_the_gm_has_a_colour_and_players_who_hold_a_pointer(cast: Cast, started: Encounter) -> None:
    pia = Seat.objects.get(name="Pia")

    def find(viewer: Viewer, seat: Seat | None) -> int | None:
        return find_ink(ViewerContext(load(started.pk), viewer, seat))

    assert (find(Viewer("gm"), None), find(Viewer("seat"), pia), find(Viewer("seat"), None)) == (
        0,
        None,
        None,
    )
    lend_pens(started.pk, [pia.pk])
    pia.refresh_from_db()
    assert (find(Viewer("gm"), pia), find(Viewer("seat"), pia), find(Viewer("spectator"), pia)) == (
        0,
        1,
        None,
    )
    pia.pen_until = None
    assert find(Viewer("seat"), pia) is None
    pia.pen, pia.pen_until = 0, timezone.now() + LENT
    assert find(Viewer("seat"), pia) is None
