"""Pages of the GM hear who comes and goes. No browser runs here: its event loop would stay."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.test import Client

from combat.live import hub
from combat.live.asking import Word
from combat.live.hub import Listener, StreamGrant
from combat.models import Encounter, ShareLink
from combat.sharing.links import Arrival, end_seat, open_lasting_link, take_seat
from tests.combat.cast import seat_named
from tests.combat.visit import load, read


def test_pages_of_the_gm_hear_who_comes_and_goes_by_the_stream(
    gm_client: Client,
    started: Encounter,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of the fight changes, so no page of players has to look again."""
    page = read(gm_client.get(f"/encounters/{started.pk}/share/"))
    assert page.one(id="stream")["sse-connect"] == f"/live/{started.pk}/"
    assert page.one(id="sharing")["hx-trigger"].startswith("sse:people, sse:changed")
    link, before = open_lasting_link(started, ShareLink.PLAY), load(started.pk).version

    async def hear() -> list[list[Word]]:
        loop = asyncio.get_running_loop()
        grants = [StreamGrant(started.pk, kind) for kind in ("gm", "seat", "public")]
        listening = [Listener(who, loop, lambda who: asyncio.sleep(0, "")) for who in grants]
        for one in listening:
            hub.add(one)
        await asyncio.to_thread(hub.tell_of_people, started.pk)
        await asyncio.sleep(0)
        for one in listening:
            hub.remove(one)
        return [one.points for one in listening]

    assert asyncio.run(hear()) == [[("people", "1")], [], []]
    told = list[int]()
    monkeypatch.setattr(hub, "tell_of_people", told.append)
    with django_capture_on_commit_callbacks(execute=True):
        take_seat(link, Arrival("Ada"), None)
        assert not told, "only once it is stored"
    with django_capture_on_commit_callbacks(execute=True):
        end_seat(seat_named("Ada"))
    assert told == [started.pk] * 2
    assert load(started.pk).version == before
