"""Before a fight the GM sees each side, its places and its gear."""

from __future__ import annotations

from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import come
from tests.combat.visit import ZARA, Visit


def test_sides_name_everybody_with_place_and_gear(gm_client: Client, prepared: Encounter) -> None:
    submit(prepared.pk, Submission("join", {"block": "pirate", "count": 3, "side": "pirates", "group": True}))
    page = Visit(gm_client, prepared.pk).page()
    crew, pirates = page.all("li", class_="card", inside=page.one("ul", class_="sides"))
    assert "Crew 2 combatants" in crew.text
    assert "Zara Loading ramp" in crew.text
    assert "Pirates 4 combatants" in pirates.text
    assert "Sword" in pirates.text
    assert "× 3" in pirates.text


def test_sides_are_only_the_gms_and_end_when_the_fight_begins(visit: Visit, prepared: Encounter) -> None:
    player = come(prepared, ShareLink.PLAY, "Otto", ZARA)
    assert 'class="sides"' not in player.get(f"/encounters/{prepared.pk}/").text
    assert not visit.page().all("ul", class_="sides")
