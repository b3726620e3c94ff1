"""What a phone says and leaves out: folds, menus, hints, and refusals."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.audience.changes import read_pending
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import find_overflow, is_press
from tests.combat.pages.every_page.test_phone_turn import sit_down
from tests.combat.visit import DEMO, MARCUS, ZARA, begun, load, play, state_of
from tests.typed import sure

COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const map = box(document.querySelector("[data-map] > .map"));
  const isSeen = (one) => one.right > map.left && one.left < map.right
    && one.bottom > map.top && one.top < map.bottom;
  const people = [...document.querySelectorAll("[data-map] > .map [data-token]")].map(box).filter(isSeen);
  return [...document.querySelectorAll(".map-edge")].map(box).flatMap((edge) => people.filter((one) =>
    one.left < edge.right && one.right > edge.left && one.top < edge.bottom && one.bottom > edge.top)).length;
}"""


@pytest.fixture
def seat(live_server: LiveServer, page: Browser, started: Encounter) -> Browser:
    """Zara's turn on the phone of her player."""
    sit_down(page, live_server, started, ZARA)
    page.set_viewport_size({"width": 390, "height": 844})
    return page


HIGHEST = 300  # pixels from the top of a phone to the first tile of a turn
LAST = ".last-line > summary"
GAP = 40  # between the field of a search and what it finds


def test_first_turn_of_a_fight_begins_with_what_can_be_done(
    live_server: LiveServer, page: Browser, prepared: Encounter
) -> None:
    """Everybody's initiative is one line above it, and opens."""
    sit_down(page, live_server, prepared, ZARA)
    play(prepared.pk, DEMO.script[:1])
    for width, height in ((390, 844), (375, 553)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator(LAST), str(width)).to_contain_text("initiative")
        attack = sure(page.locator("#turn-offer .usual #act-attack").bounding_box())
        assert attack["y"] <= HIGHEST, width
    page.locator(LAST).click()
    expect(page.locator("article.result")).to_be_visible()


def test_all_actions_close_with_the_turn(seat: Browser, started: Encounter) -> None:
    seat.locator("label[for=all-actions]").click()
    expect(seat.locator("#turn-actions")).to_be_visible()
    submit(started.pk, Submission("adjust", {"target": MARCUS, "track": "hp", "by": -1}))
    seat.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(seat.locator("#turn-actions"), "in the same turn it stays open").to_be_visible()
    submit(started.pk, Submission("next_turn", {}))
    seat.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(seat.locator("#h-turn")).not_to_have_text("Your turn")
    for _ in range(2):
        submit(started.pk, Submission("next_turn", {}))
    seat.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(seat.locator("#h-turn")).to_have_text("Your turn")
    expect(seat.locator("#all-actions")).not_to_be_checked()
    expect(seat.locator("#turn-actions")).to_be_hidden()


def test_found_actions_leave_no_holes(table: Browser) -> None:
    table.locator("#filter").fill("move")
    groups = table.locator("#turn-actions .action-group:visible")
    expect(groups.filter(has_text="Move").first).to_be_visible()
    for group in groups.all():
        assert group.locator(".action:visible").count(), group.inner_text()
    table.locator("#filter").fill("xyzzy")
    expect(groups).to_have_count(0)
    expect(table.locator("[data-filter-none]")).to_be_visible()


def test_what_a_phone_finds_is_right_below_the_field(seat: Browser) -> None:
    seat.locator("#filter").fill("quick aim")
    field, found = (sure(seat.locator(name).bounding_box()) for name in ("#filter", "#act-quick_aim"))
    assert 0 <= found["y"] - field["y"] - field["height"] <= GAP
    seat.locator("#filter").fill("xyzzy")
    expect(seat.locator("[data-filter-none]")).to_be_visible()
    assert sure(seat.locator("#filter").bounding_box()) == field


def test_menu_of_a_phone_is_in_groups(seat: Browser) -> None:
    seat.get_by_role("button", name="Menu", exact=True).click()
    heads = seat.locator(".menu-head:visible")
    assert heads.count() >= 2
    assert len(set(heads.all_inner_texts())) == heads.count()
    for row in seat.locator("#site-nav :is(a, button):visible").all():
        box = row.bounding_box()
        assert box
        assert box["height"] >= 40, row.inner_text()


def test_knocked_out_read_that_first_and_hints_frame_controls(seat: Browser, started: Encounter) -> None:
    seat.context.clear_cookies(name="hints")
    submit(started.pk, Submission("give_condition", {"target": ZARA, "kind": "unconscious"}))
    seat.reload()
    expect(seat.locator(".down")).to_be_in_viewport(ratio=1)
    assert seat.evaluate("scrollY") == 0
    for framed in seat.locator(".is-hinted").all():
        assert framed.locator("a, button, input").count(), framed.inner_text()


def test_name_at_the_edge_of_a_map_covers_nobody_on_it(seat: Browser, started: Encounter) -> None:
    zara = state_of(started.pk)[ZARA].at
    for across, width, height in (
        (-3, 390, 844),
        (0, 390, 844),
        (3, 390, 844),
        (-3, 375, 553),
        (3, 375, 553),
    ):
        seat.set_viewport_size({"width": width, "height": height})
        submit(started.pk, Submission("place", {"target": MARCUS, "x": zara.x + across, "y": zara.y + 3}))
        seat.reload()
        seat.locator("label[for=tab-scene]").click()
        expect(seat.locator(".map-edge").first).to_be_visible()
        assert seat.evaluate(COVERED) == 0, (across, width)


def test_refused_field_is_in_sight(seat: Browser) -> None:
    seat.locator("#act-attack").click()
    seat.locator("#form-attack #fold > summary").click()
    seat.locator("#house").fill("many")
    seat.evaluate("scrollTo(0, document.body.scrollHeight)")
    seat.locator("#roll-app").click()
    expect(seat.locator("#notice.alert-warning")).to_be_visible()
    expect(seat.locator("#house")).to_be_in_viewport(ratio=1)
    expect(seat.locator("#house")).to_have_value("many")


def test_defense_without_a_chance_says_so_on_a_phone(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User
) -> None:
    """In words below its button, not only when a pointer rests on it."""
    made = begun(gm, "guardians")
    ines, rook = state_of(made.pk)[state_of(made.pk).active], state_of(made.pk)["f1"]
    submit(made.pk, Submission("give_condition", {"target": rook.id, "kind": "torso_wound"}))
    sit_down(page, live_server, made, rook.id)
    attack = {"actor": ines.id, "target": rook.id, "weapon": ines.items[0].id}
    submit(made.pk, Submission("attack", attack, faces=(10,)))
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    reason = page.locator(".answers small", has_text="Block: no chance with 0 ranks.")
    expect(reason).to_be_in_viewport(ratio=1)
    expect(page.locator(".answers input[value=block]")).to_be_disabled()
    expect(page.locator(".answers button[value=block]")).to_have_count(0)
    expect(page.locator(".answers button[value=dodge]")).to_be_enabled()
    expect(page.locator(".answers button[value=dodge]")).to_be_in_viewport(ratio=1)
    page.locator(".answers label", has_text="Let it through").click()
    expect(page.locator(".answers button[value=dodge]")).to_be_hidden()
    expect(page.locator(".answers button[value=none]")).to_be_in_viewport(ratio=1)
    with page.expect_response(is_press):
        page.locator(".answers button[value=none]").click()
    expect(page.locator(".answers")).to_have_count(0)
    waiting = sure(read_pending(load(made.pk)))
    assert [given.value for given in waiting.answers if given.kind == "choice"] == ["none"]
    assert find_overflow(page) == []
