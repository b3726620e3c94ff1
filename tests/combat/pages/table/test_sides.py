"""Before a fight the GM sees each side, its places and its gear."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from tests.combat.cast import come
from tests.combat.rules.cepheus.figures import sheet
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


def test_vehicle_is_not_said_to_have_nothing_in_hand(gm: User, gm_client: Client) -> None:
    bay = create_encounter(gm, "cepheus", "Bay")
    submit(bay.pk, Submission("join", {"block": "core_ground_car", "name": "Courier car", "side": "enemies"}))
    submit(bay.pk, Submission("join", {"sheet": sheet("777777"), "name": "Ada", "side": "allies"}))
    foes, heroes = Visit(gm_client, bay.pk).page().all("li", class_="card")[:2]
    assert foes.text == "Enemies 1 combatant Courier car open ground"
    assert heroes.text == "Allies 1 combatant Ada open ground Unarmed Strike"
