"""Conditions of the GM's own in a real browser: made, given and read on a phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.campaigns.campaigns import create_campaign
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import is_acting
from tests.browser import check_looks, skip_hints
from tests.combat.visit import PIRATE, SLUG, begun, demo_fight, state_of

pytestmark = pytest.mark.slow


def test_gm_makes_a_condition_and_gives_it(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    fight, campaign = begun(gm, SLUG), create_campaign(gm, "The long haul")
    Encounter.objects.filter(pk=fight.pk).update(campaign=campaign)
    assert not is_acting(state_of(fight.pk), PIRATE)  # whose turn under way would not count
    skip_hints(visitor.context)
    here = f"{live_server.url}/encounters/{fight.pk}/?combatant={PIRATE}&row=condition"
    visitor.goto(here)
    visitor.locator("#own-conditions > summary").click()
    visitor.locator("#own-name").fill("Cursed")
    visitor.locator("#own-conditions .own-look > summary").click()
    visitor.get_by_role("radio", name="Mind").check()
    visitor.locator("#own-conditions").get_by_label("Attack", exact=True).fill("-2")
    visitor.locator("#own-turns").fill("3")
    visitor.locator("#own-note").fill("Touched the idol.")
    visitor.locator("#own-note").press("Enter")
    listed = visitor.locator("#own-conditions .block-list")
    expect(listed).to_contain_text("\u22122 Attack. Touched the idol.")
    expect(visitor.locator("#own-name")).to_have_value("")
    listed.get_by_role("button", name="Add Cursed for 3 turns").click()
    row = visitor.locator(f"#row-{PIRATE}")
    expect(row.locator(f"#conditions-{PIRATE}")).to_contain_text("Cursed")
    row.locator(f"#conditions-{PIRATE}").click()
    expect(visitor.locator(f"#chips-{PIRATE}")).to_contain_text("Touched the idol.")
    expect(visitor.locator("#log-lines")).to_contain_text("Pirate: Cursed (3 turns).")
    assert complaints == []


def test_pages_of_own_conditions_have_no_barriers(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight, campaign = demo_fight(gm, SLUG), create_campaign(gm, "The long haul")
    Encounter.objects.filter(pk=fight.pk).update(campaign=campaign)
    submit(fight.pk, Submission("define_condition", {"name": "Cursed", "changes": {"attack": -2}}))
    own = state_of(fight.pk).all_own_conditions[0].id
    skip_hints(visitor.context)
    check_looks(
        visitor, f"{live_server.url}/encounters/{fight.pk}/?combatant={PIRATE}&row=condition&own={own}"
    )
    check_looks(visitor, f"{live_server.url}/campaigns/{campaign.pk}/conditions/{SLUG}/")
