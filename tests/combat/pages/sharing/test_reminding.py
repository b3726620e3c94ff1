"""The GM reminds a player who waits or is waited for: their own open pages are called, nobody else's.

No browser runs here: its event loop would stay.
"""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from combat.live import asking, hub
from combat.live.asking import Word
from combat.live.hub import Listener, StreamGrant
from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import Arrival, open_lasting_link, take_seat
from combat.sharing.reminders import ANSWER, CHOOSE, PAUSE_SECONDS
from tests.combat.cast import ROLES, Cast, seat_named
from tests.combat.markup import Page as Markup
from tests.combat.pages.sharing.test_share_page import share
from tests.combat.visit import PIRATE, ZARA, read, refusal

Told = list[tuple[int, str]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """Whom a reminder reached, with its reason."""
    found: Told = []
    monkeypatch.setattr(hub, "remind", lambda pk, seat, words: found.append((seat, words["reason"])))
    cache.clear()
    return found


def ask_zara(started: Encounter) -> None:
    """A question waits for Zara: the dice of an attack."""
    fields = {"actor": ZARA, "target": PIRATE, "weapon": f"{ZARA}-1"}
    assert submit(started.pk, Submission("attack", fields, typed=True)).waiting


def find_offers(page: Markup) -> list[str]:
    return [one.text for one in page.all("button", name="do", value="remind")]


def test_who_has_no_character_is_reminded_once_in_a_while(
    gm_client: Client, prepared: Encounter, told: Told
) -> None:
    link = open_lasting_link(prepared, ShareLink.PLAY)
    take_seat(link, Arrival("Ada"), None)
    take_seat(link, Arrival("Bo", ZARA), None)
    assert find_offers(read(share(gm_client, prepared.pk))) == ["Remind Ada"]
    ada = seat_named("Ada").pk
    answer = share(gm_client, prepared.pk, "remind", seat=ada)
    assert (answer.status_code, answer["Location"]) == (302, f"/encounters/{prepared.pk}/share/#people")
    assert "Reminded" in gm_client.get(answer["Location"]).content.decode()
    again = share(gm_client, prepared.pk, "remind", seat=ada)
    assert (again.status_code, "just now" in refusal(again)) == (429, True)
    assert again["Retry-After"] == str(PAUSE_SECONDS)
    wrong = share(gm_client, prepared.pk, "remind", seat=seat_named("Bo").pk)
    assert (wrong.status_code, "Nobody waits for Bo" in refusal(wrong)) == (409, True)
    assert told == [(ada, CHOOSE)]


def test_who_has_no_page_open_cannot_be_reminded(gm_client: Client, prepared: Encounter, told: Told) -> None:
    take_seat(open_lasting_link(prepared, ShareLink.PLAY), Arrival("Ada"), None)
    Seat.objects.update(seen=timezone.now() - timedelta(minutes=9))
    assert find_offers(read(share(gm_client, prepared.pk))) == []
    answer = share(gm_client, prepared.pk, "remind", seat=seat_named("Ada").pk)
    assert (answer.status_code, "no page open" in refusal(answer)) == (409, True)
    assert not told


def test_who_is_asked_is_reminded(cast: Cast, started: Encounter, told: Told) -> None:
    assert find_offers(read(share(cast.gm, started.pk))) == []
    ask_zara(started)
    page = read(share(cast.gm, started.pk))
    assert find_offers(page) == ["Remind Pia"]
    assert "a question waits" in page.one("li", id=f"seat-of-{seat_named('Pia').pk}").text
    answer = share(cast.gm, started.pk, "remind", seat=seat_named("Pia").pk)
    assert told == [(seat_named("Pia").pk, ANSWER)]
    assert "Reminded" in cast.gm.get(answer["Location"]).content.decode()
    room = cast.gm.get(f"/encounters/{started.pk}/share/full/").content.decode()
    assert "a question waits" not in room
    assert "Remind" not in room


def test_only_the_owner_reminds(cast: Cast, started: Encounter, told: Told) -> None:
    ask_zara(started)
    for role in set(ROLES) - {"gm"}:
        answer = share(cast[role], started.pk, "remind", seat=seat_named("Pia").pk)
        assert answer.status_code in (302, 404, 410), role
    for seat in ("", "0", "x", str(2**70)):
        assert share(cast.gm, started.pk, "remind", seat=seat).status_code == 409, seat
    assert not told


def test_reminder_reaches_one_seats_pages_by_stream_and_asking() -> None:
    grants = [
        StreamGrant(7, "gm"),
        StreamGrant(7, "seat", seat=3),
        StreamGrant(7, "seat", seat=4),
        StreamGrant(7, "public", seat=5),
        StreamGrant(7, "seat", seat=3, token=2),
    ]

    async def hear() -> list[list[Word]]:
        loop = asyncio.get_running_loop()
        listening = [Listener(who, loop, lambda who: asyncio.sleep(0, "")) for who in grants]
        for one in listening:
            hub.add(one)
        hub.remind(7, 3, {"title": "Hey", "reason": CHOOSE})
        await asyncio.sleep(0)
        for one in listening:
            hub.remove(one)
        return [one.points for one in listening]

    heard = asyncio.run(hear())
    word = ("reminded", json.dumps({"title": "Hey", "reason": CHOOSE}))
    assert heard == [[], [word], [], [], []], "programs get stamps alone"
    found = {who.seat: asking.find_points(7, who.kind, 0, who.seat)[0] for who in grants[:4]}
    assert {seat for seat, words in found.items() if word in words} == {3}
