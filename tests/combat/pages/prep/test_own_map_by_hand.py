"""An own picture to the first roll, in a real browser, tap by tap."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.rules.core.space import map_of
from combat.rules.core.state.state import present
from tests.browser import SIZES, sign_in, skip_hints, wait_for_map
from tests.combat.pages.prep.test_own_map import draw_paper
from tests.combat.visit import state_of

pytestmark = pytest.mark.slow
MOST_TAPS = 10


class Hand:
    """A hand that counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, place: Locator) -> None:
        place.click()
        self.taps += 1

    def drag(self, place: Locator, across: int, down: int) -> None:
        """Drag a band by its corner, where nobody stands."""
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.85
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + across, y + down, steps=6)
        self.page.mouse.up()
        self.taps += 1


@pytest.mark.parametrize("size", SIZES)
def test_own_picture_to_the_first_roll_in_ten_taps(
    live_server: LiveServer, visitor: Page, gm: User, gm_client: Client, tmp_path: Path, size: str
) -> None:
    picture = tmp_path / "hall.png"
    picture.write_bytes(draw_paper(1200, 750).read())
    sign_in(visitor.context, live_server, gm_client)
    skip_hints(visitor.context)
    visitor.set_viewport_size(SIZES[size])
    visitor.goto(f"{live_server.url}/encounters/")
    hand, began = Hand(visitor), time.monotonic()

    visitor.set_default_timeout(8000)
    hand.tap(visitor.locator("a[href='/encounters/new/']:visible").first)
    with visitor.expect_file_chooser() as asked:
        hand.tap(visitor.get_by_label("Your picture or map file"))
    asked.value.set_files(picture)
    hand.taps += 1  # the file
    expect(visitor.locator("#start-picture")).to_contain_text("Your picture or map file")
    hand.tap(visitor.get_by_label("Who fights"))
    visitor.get_by_label("Who fights").fill("4 soldiers; 3 soldiers (allies)")
    create = visitor.locator("#start-go .btn-large")
    expect(create).to_contain_text("3 allies against 4")
    expect(create).not_to_contain_text("Docking")
    hand.tap(create)
    expect(visitor.locator(".prep-map image")).to_have_count(1)
    wait_for_map(visitor)
    made = Encounter.objects.get()
    with visitor.expect_response(lambda one: one.request.method == "POST" and one.url.endswith("/prep/")):
        hand.drag(visitor.locator(".start.is-ally path"), 40, 0)
    moved, _ = state_of(made.pk).scene.starts or ()
    assert moved.x > 0
    own = [one.at.x for one in present(state_of(made.pk)) if one.side == "allies"]
    assert all(moved.x <= x <= moved.x + moved.width for x in own)
    hand.tap(visitor.locator(".ready-bar").get_by_role("link", name="Go to table"))
    hand.tap(visitor.get_by_role("button", name="Roll initiative"))
    attack = visitor.locator("#turn-offer, #turn-lead").get_by_role("link").first
    hand.tap(attack)
    roll = visitor.get_by_role("button", name="Roll", exact=False).first
    hand.tap(roll)
    expect(visitor.locator("#turn-result .result, #turn-result .card").first).to_be_visible()
    seconds = time.monotonic() - began
    print(f"{size}: {hand.taps} taps, {seconds:.1f} s")  # noqa: T201 - for the one who reads it
    assert hand.taps <= MOST_TAPS, hand.taps
    made.refresh_from_db()
    assert made.phase == "fight"
    assert map_of(state_of(made.pk).scene).picture
