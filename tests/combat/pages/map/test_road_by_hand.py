"""A chase in a real browser: a stretch of the road is tapped and driven, on a laptop and on a phone."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser import SIZES
from tests.combat.pages.map.test_road import CAR, ROAD, begin_chase
from tests.combat.visit import play, state_of


@pytest.mark.parametrize(("size", "road"), [(SIZES["wide"], "road-wide"), (SIZES["narrow"], "road-tall")])
def test_tapped_stretch_is_driven_and_the_cards_follow(
    live_server: LiveServer, visitor: Page, gm: User, size: ViewportSize, road: str
) -> None:
    chase = begin_chase(gm)
    play(chase.pk, ROAD.script[1:3])
    visitor.set_viewport_size(size)
    visitor.goto(f"{live_server.url}/encounters/{chase.pk}/")
    if road == "road-tall":
        visitor.locator(".tabs label", has_text="Scene").click()
    visitor.locator(f".{road} a[aria-label^='100 m,']").click()
    visitor.get_by_role("button", name=re.compile(r"^Drive (100 m|1 Minor action)")).click()
    expect(visitor.locator(".road-ways")).to_have_count(0)
    expect(visitor.locator(".car-card").first).to_contain_text("leads by 130 m")
    assert state_of(chase.pk)[CAR].at.x == 160
