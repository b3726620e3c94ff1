"""Small things that pages say of what is chosen: who stands against whom, which game a form begins with."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Campaign
from combat.play.campaigns.campaigns import create_in_campaign
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.evenings import make_hero, prepare
from tests.combat.visit import SLUG, read


def test_campaign_counts_foes_also_where_no_hero_is(gm: User, gm_client: Client, campaign: Campaign) -> None:
    def find_sides() -> list[str]:
        page = read(gm_client.get(f"/campaigns/{campaign.pk}/"))
        return [one.text for one in page.all("span", class_="fight-sides")]

    made = create_in_campaign(campaign, gm, SLUG, "Later")
    assert find_sides() == ["nobody yet"]
    submit(made.pk, Submission("join", {"block": "pirate", "count": 5, "side": "foes"}))
    assert find_sides() == ["5 of the GM, nobody of the party yet"]
    made.delete()
    prepare(campaign, "Heroes", [make_hero(gm, "Vega")], 0)
    assert find_sides() == ["nobody against them yet"]


@pytest.mark.parametrize("game", ["cepheus", SLUG])
def test_an_item_begins_with_the_game_of_its_list(gm_client: Client, game: str) -> None:
    page = read(gm_client.get("/gear/", {"game": game}))
    address = next(one["href"] for one in page.all("a") if one["href"].startswith("/gear/own/new/"))
    assert address == f"/gear/own/new/?game={game}"
    form = read(gm_client.get(address))
    assert [one["value"] for one in form.all("input", name="game")][:1] == [game]


def test_what_is_not_understood_stands_first(gm: User, gm_client: Client, campaign: Campaign) -> None:
    made = create_in_campaign(campaign, gm, SLUG, "Notes")
    answer = gm_client.post(f"/encounters/{made.pk}/prep/", {"do": "read", "notes": "2 pirates; 1 glorb"})
    text = read(answer).one("div", id="understood").text
    assert text.index("Not understood") < text.index("2 understood")
    assert text.index("glorb") < text.index("Pirate")
