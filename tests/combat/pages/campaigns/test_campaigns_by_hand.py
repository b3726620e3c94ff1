"""A campaign and its packs on a phone, with names of one long word."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from characters.services import character_service
from combat.play.campaigns.campaigns import add_members, create_campaign, create_in_campaign, set_rules
from combat.play.campaigns.handouts import create_handout
from combat.play.campaigns.roster import bring
from combat.play.packs.keeping import keep_pack
from combat.play.packs.making import find_offers, make_pack
from tests.browser import find_overflow
from tests.combat.play.packs.world import SHEET
from tests.combat.visit import SLUG

pytestmark = pytest.mark.slow


def test_long_names_make_no_page_of_a_campaign_wider(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    campaign = create_campaign(gm, "C" * 100)
    hero = character_service.create(gm, SLUG, "H" * 60, SHEET)
    guard = character_service.create(gm, SLUG, "G" * 60, SHEET, npc=True, kind="K" * 60)
    add_members(campaign, [hero.pk])
    add_members(campaign, [guard.pk], npc=True)
    create_handout(campaign, "L" * 60, "T" * 300, None)
    fight = create_in_campaign(campaign, gm, SLUG, "E" * 100)
    bring(fight, gm, str(hero.pk), side="", zone="", by="gm")
    words = {
        "name": "P" * 100,
        "author": "A" * 100,
        "license": "L" * 100,
        "release": "R" * 30,
        "about": "D" * 200,
    }
    offered = {offer.value for offers in find_offers(campaign).values() for offer in offers}
    pack = keep_pack(gm, make_pack(campaign, offered, words))
    visitor.set_viewport_size({"width": 360, "height": 740})
    for address in (
        "/",
        "/campaigns/",
        f"/campaigns/{campaign.pk}/",
        f"/campaigns/{campaign.pk}/pack/",
        "/packs/",
        f"/packs/{pack.pk}/?campaign={campaign.pk}",
        "/characters/npcs/",
        f"/encounters/{fight.pk}/home/",
        f"/encounters/{fight.pk}/notes/",
    ):
        visitor.goto(f"{live_server.url}{address}")
        assert find_overflow(visitor) == [], address


def test_house_rules_fold_on_a_phone_and_count_what_changes(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    campaign = create_campaign(gm, "The long haul")
    set_rules(campaign, SLUG, [("max_attacks", 2)])
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(f"{live_server.url}/campaigns/{campaign.pk}/rules/{SLUG}/")
    folds = visitor.locator(".house-rules details")
    assert [fold.get_attribute("open") is not None for fold in folds.all()] == [True, *[False] * 5]
    save = visitor.get_by_role("button", name="Save")
    expect(save).to_have_text("Save house rules")
    row = visitor.locator("#rule-max_attacks")
    row.get_by_label("2").focus()
    visitor.keyboard.press("ArrowRight")
    expect(save).to_have_text("Save 1 change")
    visitor.get_by_role("searchbox").fill("listed range")
    other = visitor.locator("#rule-range_bands")
    expect(other).to_be_visible()
    other.locator("label", has_text="no").click()
    expect(save).to_have_text("Save 2 changes")
    other.locator(".rule-what").press("Enter")
    expect(other.locator(".rule-odds")).to_have_count(2)
    save.click()
    expect(visitor.locator("#rules")).to_be_visible()
    campaign.refresh_from_db()
    assert campaign.options[SLUG] == {"range_bands": False}
    assert complaints == []
