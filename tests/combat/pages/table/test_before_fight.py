"""Before the fight: the one button first, and who is surprised as faces by side and group."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import has_condition
from tests.browser import find_barriers, find_overflow, skip_hints
from tests.combat.visit import demo_fight, read, state_of

SLUGS = ("cosmos", "cepheus", "starshock", "guardians")


@pytest.mark.parametrize("slug", SLUGS)
def test_every_person_can_be_chosen(gm: User, gm_client: Client, slug: str) -> None:
    fight = demo_fight(gm, slug)
    page = read(gm_client.get(f"/encounters/{fight.pk}/"))
    boxes = [one for one in page.all("input", inside=page.one("details", id="surprise")) if one["name"]]
    asked = {one["value"] for one in boxes if one["name"] in ("surprised", "aware")}
    if slug == "starshock":  # its seats are the players' alone
        assert asked < set(state_of(fight.pk).combatants)
    else:
        assert asked == set(state_of(fight.pk).combatants)
    for together in page.all("input", inside=page.one("details", id="surprise")):
        assert set(together["data-ticks"].split()) <= set(state_of(fight.pk).combatants)


def test_a_group_is_surprised_by_one_tap(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight = demo_fight(gm)
    submit(fight.pk, Submission("join", {"block": "street_thug", "count": 20}, by="gm"))
    skip_hints(visitor.context)
    for width, height in ((390, 844), (1440, 900)):
        visitor.set_viewport_size({"width": width, "height": height})
        visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
        button = visitor.get_by_role("button", name="Roll initiative").bounding_box()
        fold = visitor.locator("#surprise > summary").bounding_box()
        assert button
        assert fold
        assert button["y"] < fold["y"]
        visitor.locator("#surprise > summary").click()
        assert find_overflow(visitor) == []
    assert find_barriers(visitor, "#surprise") == []
    group = visitor.locator(".surprise-all", has_text="(20)")
    group.locator("input").check()
    visitor.locator(".surprise-one input[value=f23]").uncheck()
    expect(group.locator("input")).not_to_be_checked()
    visitor.get_by_role("button", name="Roll initiative").click()
    expect(visitor.get_by_role("button", name="Next turn")).to_be_visible()
    state = state_of(fight.pk)
    assert sum(has_condition(one, "surprised") for one in state.combatants.values()) == 19
