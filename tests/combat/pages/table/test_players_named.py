"""The GM's turn head and rows name who plays someone; nobody else's page does."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from combat.models import Seat, ShareLink
from tests.combat.cast import come
from tests.combat.visit import MARCUS, ZARA, begun, read


def test_the_gm_reads_who_plays_whom(gm: User, gm_client: Client) -> None:
    fight = begun(gm)
    player = come(fight, ShareLink.PLAY, "Nia Q", ZARA)
    here = f"/encounters/{fight.pk}/"
    page = read(gm_client.get(f"{here}?combatant={ZARA}"))
    assert "Nia Q" in page.one(id="turn-head").text
    assert "Nia Q" in page.one(id=f"row-{ZARA}").text
    assert "Nia Q" not in page.one(id=f"row-{MARCUS}").text
    for client in (player, come(fight, ShareLink.PLAY, "Otto", MARCUS), come(fight, ShareLink.WATCH, "Wim")):
        assert "Nia Q" not in read(client.get(here)).one(id="rows").text
    Seat.objects.filter(name="Nia Q").update(ended="2026-01-01T00:00:00Z")
    assert "Nia Q" not in read(gm_client.get(here)).one(id="rows").text
