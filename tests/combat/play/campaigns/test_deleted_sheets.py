"""Sheets that are deleted while their characters fight are named when sheets are updated."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter, Seat, ShareLink
from combat.play.campaigns.roster import bring, bring_to_seat
from combat.play.writing.encounter_service import create_encounter
from tests.combat.cast import come_by_account
from tests.combat.play.campaigns.test_roster import SHEET, SLUG
from tests.combat.visit import read


@pytest.fixture
def fight(gm: User) -> Encounter:
    return create_encounter(gm, SLUG, "The alley")


def read_page(client: Client, fight: Encounter) -> str:
    return " ".join(read(client.get(f"/encounters/{fight.pk}/home/")).one("main").text.split())


@pytest.mark.parametrize("erased", [False, True])
def test_deleted_sheet_is_named_and_comes_back(
    gm: User, gm_client: Client, fight: Encounter, erased: bool
) -> None:
    ada, bo = (character_service.create(gm, SLUG, name, SHEET) for name in ("Ada", "Bo"))
    for one in (ada, bo):
        bring(fight, gm, str(one.pk), side="allies", zone="", by="gm")
    assert "was deleted" not in read_page(gm_client, fight)
    character_service.delete(ada)
    if erased:
        Character.objects.filter(pk=ada.pk).delete()
    told = read_page(gm_client, fight)
    assert "The sheet was deleted after Ada joined: nothing can be written to it." in told
    assert ("can restore it" in told) is not erased
    assert "deleted after Bo" not in told
    assert "None of your characters" not in told
    if not erased:
        character_service.restore(ada)
        assert "was deleted" not in read_page(gm_client, fight)


def test_player_reads_of_their_own_deleted_sheet_alone(gm: User, fight: Encounter) -> None:
    player = come_by_account(fight, ShareLink.PLAY, "rhea")
    rhea = User.objects.get(username="rhea")
    mine, theirs = (character_service.create(who, SLUG, who.username, SHEET) for who in (rhea, gm))
    bring(fight, gm, str(theirs.pk), side="allies", zone="", by="gm")
    bring_to_seat(fight, Seat.objects.get(user=rhea), rhea, str(mine.pk))
    for one in (mine, theirs):
        character_service.delete(one)
    told = read_page(player, fight)
    assert "deleted after rhea joined" in told
    assert "deleted after gm" not in told
