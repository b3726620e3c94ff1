"""Plans on a phone: a tap behind a shut door, a tap on an enemy with the weapon put away, and typed dice."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import find_item
from tests.browser import choose_tile, find_barriers, find_on_map, find_overflow, find_tile
from tests.combat.pages.every_page.test_phone_turn import sit_down
from tests.combat.pages.map.test_foe_card import find_foe
from tests.combat.pages.map.test_way_out import BESIDE, DOOR, WALLS, find_wall, lay
from tests.combat.pages.table.test_plans import disarm
from tests.combat.visit import MARCUS, PIRATE, ZARA, begun, load, state_of
from tests.typed import sure


@pytest.mark.slow
def test_one_tap_does_the_whole_plan(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User, gm_client: Client
) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    visit, who, gun = disarm(gm, gm_client, "cosmos")
    assert who == ZARA
    lay(visit.pk, BESIDE, DOOR)
    sit_down(page, live_server, load(visit.pk), who)
    scene = page.locator(".tabs label", has_text="Scene")
    scene.click()
    page.mouse.click(*find_on_map(page, 7, 4))
    card = page.locator(".map-card")
    expect(card).to_contain_text("Cargo door is shut")
    expect(card.locator(".plan > li > b")).to_have_text(["Open Cargo door", "Move 3.6 m"])
    assert find_barriers(page, ".map-card") == []
    go = card.get_by_role("button", name="Open Cargo door, then move")
    expect(go).to_contain_text("1 Move + 1 Standard")
    go.click()
    expect(card).to_have_count(0)
    page.wait_for_function("() => !document.querySelector('.carry')")
    expect(page.locator("#log")).to_contain_text("Cargo door")
    assert find_wall(visit.pk, "d1").open
    at = state_of(visit.pk)[ZARA].at
    assert (at.x, at.y) == (7, 4)

    give_back(visit.pk)
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": 9, "y": 5}))
    page.reload()
    scene.click()
    check_bar(page)
    page.locator(".map-choice").get_by_label("Close").click()
    expect(page.locator(".map-choice")).to_have_count(0)
    page.locator(f'[data-token="{PIRATE}"]').first.dispatch_event("click")
    plan = card.get_by_role("button", name="Draw Pistol, then attack")
    expect(plan).to_contain_text("%")
    expect(card.get_by_role("button", name="Pistol carried")).to_have_attribute("aria-pressed", "true")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert find_overflow(page) == []
        expect(plan).to_be_in_viewport(ratio=1)
    plan.click()
    expect(page.locator("#turn")).to_contain_text("Zara attacks Pirate")
    expect(page.locator("#h-turn")).to_be_in_viewport()
    assert find_item(state_of(visit.pk)[ZARA], gun.id).place == "held"

    submit(visit.pk, Submission("give_budget", {"target": ZARA, "pool": "standard", "left": 1}))
    page.reload()
    scene.click()
    page.locator(f'[data-token="{PIRATE}"]').first.dispatch_event("click")
    check_typed_dice(page)
    page.locator(f'[data-token="{PIRATE}"]').first.dispatch_event("click")
    check_refusal(page, visit.pk)
    assert errors == []


def check_refusal(page: Browser, pk: int) -> None:
    """What a page is told that is behind covers no button of the map."""
    shot = page.locator(".map-card").get_by_role("button", name="Attack · ")
    expect(shot).to_be_visible()
    page.evaluate("document.getElementById('stream').remove()")  # so that it stays behind
    submit(pk, Submission("give_budget", {"target": ZARA, "pool": "standard", "left": 0}))
    shot.click()
    expect(page.locator("#notice")).to_be_visible()
    page.locator(".tabs label", has_text="Scene").click()
    bottom = page.locator("#notice").evaluate("(one) => one.getBoundingClientRect().bottom")
    assert bottom < sure(page.locator(".map-frame").bounding_box())["y"] + 60


def check_large_letters(page: Browser) -> None:
    """With letters twice as large a map to pick a square on is left above the card, which can be closed."""
    letters = page.context.new_cdp_session(page)
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '32px'")
    for width in (390, 360, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert find_overflow(page) == [], width
        card, frame = (sure(page.locator(name).bounding_box()) for name in (".map-card", ".map-frame"))
        assert card["y"] - frame["y"] > 130, width
        expect(page.locator(".map-card").get_by_label("Close")).to_be_in_viewport(ratio=1)
        expect(page.locator(".map-card .btn-primary")).to_be_in_viewport(ratio=0.6)
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": 16}})
    letters.detach()
    page.set_viewport_size({"width": 390, "height": 844})


# The button below the map has the words of the form's own, once its answer is there
SAYS_THE_SAME = """() => {
  const words = document.querySelector("#roll-app")?.firstChild.textContent.trim();
  return words && document.querySelector(".map-choice [data-mirror] > button").textContent.includes(words);
}"""


def give_back(pk: int) -> None:
    """Her whole turn again."""
    for pool in ("standard", "move"):
        submit(pk, Submission("give_budget", {"target": ZARA, "pool": pool, "left": 1}))


def check_bar(page: Browser) -> None:
    """What the bar below the map names is what the form behind the other tab has chosen, both ways."""
    turn, bar = page.locator(".tabs label", has_text="Turn"), page.locator(".map-choice")
    page.locator(f'[data-token="{PIRATE}"]').first.dispatch_event("click")
    page.locator(".map-card").get_by_role("link", name="Options").click()
    target = find_tile(page, "target")
    expect(target).to_have_value(PIRATE)
    page.locator(".tabs label", has_text="Scene").click()
    expect(bar).to_contain_text("Pirate, 2")
    expect(bar.locator("[data-mirror] > button")).to_contain_text("Draw Pistol, then attack")
    page.locator(f"[data-token={MARCUS}]").first.dispatch_event("click")
    expect(bar).to_contain_text("Marcus")
    expect(target).to_have_value(MARCUS)
    turn.click()
    choose_tile(page.locator("#form-attack"), "target", PIRATE)
    expect(bar).to_contain_text("Pirate")
    expect(bar).not_to_contain_text("Marcus")
    page.locator("#form-attack .tile-one", has_text="Unarmed").click()
    page.locator(".tabs label", has_text="Scene").click()
    expect(bar).to_contain_text("Unarmed strike")
    expect(bar.locator("[data-mirror] > button")).not_to_contain_text("Draw Pistol")
    page.wait_for_function(SAYS_THE_SAME)


def check_typed_dice(page: Browser) -> None:
    """Digits that stand in the form are not thrown away by a tap below the map."""
    bar, roll = page.locator(".map-choice"), page.locator(".map-choice [data-mirror] > button")
    page.locator(".map-card").get_by_role("link", name="Options").click()
    page.get_by_text("I rolled…").click()
    page.locator("[data-die]").first.fill("7")
    expect(page.locator("#roll-app")).to_be_hidden()
    page.locator(".tabs label", has_text="Scene").click()
    expect(roll).to_have_count(0)
    bar.get_by_text("To the typed dice").click()
    expect(page.locator("[data-die]").first).to_have_value("7")
    page.locator("[data-die]").first.fill("")
    page.locator(".tabs label", has_text="Scene").click()
    expect(roll).to_contain_text("Roll")
    bar.get_by_label("Close").click()
    expect(bar).to_have_count(0)


@pytest.mark.slow
def test_a_tap_on_an_enemy_and_one_on_the_button_attack(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User, gm_client: Client
) -> None:
    """On a phone, in other texts, upright and on its side; the odds stand on the button before."""
    for slug, size in (("cepheus", (390, 844)), ("guardians", (844, 390))):
        pk = begun(gm, slug).pk
        submit(pk, Submission("set_map", {"map": {"walls": [*WALLS, DOOR]}}))
        who = state_of(pk).active
        foe = find_foe(pk, who)
        for number, one in enumerate((who, foe)):
            submit(pk, Submission("place", {"target": one, "x": 12 + number, "y": 6}))
        sit_down(page, live_server, load(pk), who)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.locator(".tabs label", has_text="Scene").click()
        page.locator(f'[data-token="{foe}"]').first.dispatch_event("click")
        button = page.locator(".map-card .btn-primary")
        expect(button).to_contain_text("%")
        expect(button).to_be_in_viewport(ratio=1)
        assert find_overflow(page) == []
        if slug == "cepheus":
            check_large_letters(page)
        before = load(pk).steps
        button.click()
        expect(page.locator("#h-turn")).to_be_in_viewport()
        expect(page.locator(".map-card")).to_have_count(0)
        page.wait_for_function("() => !document.querySelector('.htmx-request')")
        assert load(pk).steps > before or load(pk).open_command, slug
