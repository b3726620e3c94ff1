"""Namesakes in one row, in a real browser: their name is read whole in the narrow list of a desk."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, submit
from tests.browser import skip_hints
from tests.combat.visit import SLUG, begun

pytestmark = pytest.mark.slow


def test_the_name_of_namesakes_is_whole_beside_their_states(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    fight = begun(gm, SLUG)
    fields = {"block": "street_thug", "name": "Street thug", "side": "enemies", "count": 12}
    submit(fight.pk, Submission("join", fields))
    visitor.set_viewport_size({"width": 1440, "height": 900})
    skip_hints(visitor.context)
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    name, states = (visitor.locator(f".row-fold {part}").first for part in (".row-main > span", ".row-note"))
    expect(name).to_have_text("Street thug × 12")
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth && one.clientWidth > 90")
    above, below = name.bounding_box(), states.bounding_box()
    assert above
    assert below
    assert below["y"] >= above["y"] + above["height"]
