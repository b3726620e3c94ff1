"""A player's turn on small phones and on one that lies on its side."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from characters.services.character_service import create
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS
from combat.rules.core.declaration.book import step
from tests.browser import find_overflow, sign_in
from tests.characters.conftest import SHEET
from tests.combat.pages.every_page.test_phone import IS_ON_TOP
from tests.combat.pages.every_page.test_phone_turn import begin_turn, sit_down
from tests.combat.visit import DEMO, MARCUS, PIRATE, PISTOL, SLUG, ZARA, begun, play_step
from tests.typed import sure

WINDOWS: list[ViewportSize] = [
    {"width": width, "height": height} for width, height in ((390, 844), (375, 553), (320, 568), (844, 390))
]
FORMS = "#turn-offer a.action[href*='do=attack'], #turn-offer a.action"


@pytest.mark.parametrize("slug", SYSTEMS)
def test_open_form_keeps_its_button_in_sight(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User, slug: str
) -> None:
    made, who = begin_turn(gm, slug)
    sit_down(page, live_server, made, who)
    names = page.locator("#turn-offer .usual a.action").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('href'))"
    )
    for number, name in enumerate(names[:3]):  # opened on another phone each, which then takes every size
        page.set_viewport_size(WINDOWS[number])
        page.goto(f"{live_server.url}/encounters/{made.pk}/{name}")
        for window in (*WINDOWS[number:], *WINDOWS[:number]):
            page.set_viewport_size(window)
            expect(page.locator("#roll-app"), f"{name}, {window}").to_be_in_viewport(ratio=1)
            assert page.evaluate(IS_ON_TOP), f"{name}, {window}"
            assert find_overflow(page) == [], f"{name}, {window}"


def test_map_in_ones_own_turn_has_a_slim_head(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    """It is the head of the turn, with the health and the actions left, and ends the turn from there."""
    sit_down(page, live_server, started, ZARA)
    page.locator(".tabs label", has_text="Scene").click()
    seen = ("#h-turn", "#vitals > summary .num", "#turn-state > .pips-big", ".turn-head .btn")
    for window in (WINDOWS[0], WINDOWS[2], WINDOWS[3]):
        page.set_viewport_size(window)
        plan = sure(page.locator(".map-frame > svg.map").bounding_box())
        for one in seen:
            expect(page.locator(one).first, f"{one}, {window}").to_be_in_viewport(ratio=1)
            box = sure(page.locator(one).first.bounding_box())
            assert box["y"] + box["height"] <= plan["y"], f"{one}, {window}"
        assert plan["height"] >= min(288, window["height"] - 60), window
        expect(page.locator("#turn-offer"), str(window)).to_be_hidden()
        assert find_overflow(page) == [], window
    page.locator("#vitals > summary").click()
    expect(page.locator("#numbers")).to_be_visible()
    page.locator("#vitals > summary").click()
    page.get_by_role("button", name="End turn").click()  # first it says what is left
    page.get_by_role("button", name="End turn").click()
    expect(page.locator("#turn-head.is-yours")).to_have_count(0)
    expect(page.locator("#h-turn")).not_to_be_in_viewport()
    expect(page.locator("#h-scene")).to_be_in_viewport()


def test_phone_on_its_side_has_the_past_beside_the_actions(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    sit_down(page, live_server, started, ZARA)
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, faces=(9, 8)))
    page.set_viewport_size({"width": 844, "height": 390})
    page.reload()
    for seen in ("#h-turn", ".result-sum", ".result-word", ".usual .action", "#vitals > summary"):
        expect(page.locator(seen).first, seen).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="End turn").click(trial=True)
    result, act = (sure(page.locator(name).first.bounding_box()) for name in (".result", ".usual .action"))
    assert result["x"] + result["width"] <= act["x"]
    tabs = sure(page.locator(".tabs").bounding_box())
    assert (tabs["x"], tabs["y"], tabs["height"]) == (0, 0, 390)
    assert tabs["width"] < 80
    for tab in ("Combatants", "Scene", "Log", "Turn"):
        page.locator(".tabs label", has_text=tab).click()
        assert find_overflow(page) == [], tab


def test_faces_of_the_form_say_whom_it_aims_at_and_how_likely(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    """At each size all in sight; the chosen face, the large number, the map and the button say the same."""
    sit_down(page, live_server, started, ZARA)
    page.locator("#act-attack").click()
    for size in ({"width": 390, "height": 844}, {"width": 1440, "height": 900}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for value, name in ((PIRATE, "Pirate"), (MARCUS, "Marcus")):
            face = page.locator(f".tile-one:has([value={value}])")
            expect(face).to_contain_text(name)
            expect(face.locator(".mark")).to_be_in_viewport(ratio=1)
            face.click()
            told = face.locator(".tile-odds")
            expect(page.locator("#roll-app")).to_contain_text(f"Roll · {told.text_content()}")
            expect(page.locator(".odds-main .big").last).to_have_text(told.text_content() or "none")
            expect(page.locator("#roll-app")).to_be_in_viewport(ratio=1)
    expect(page.locator(".token-chance.is-chosen")).to_have_text(told.text_content() or "none")
    expect(page.locator(".foe-mark"), "an open form has its own mark").to_have_count(0)
    expect(page.locator(".token-chance")).to_have_count(2)


def test_filled_button_marks_its_target_on_the_map(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    """And nobody else, until a form is open or the turn is another's."""
    sit_down(page, live_server, started, ZARA)
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator(".action-first").get_attribute("data-aims-at") == PIRATE
    mark, foe = page.locator(".foe-mark"), page.locator(f"[data-token={PIRATE}]")
    expect(mark).to_have_count(1)
    round_mark, token = sure(mark.bounding_box()), sure(foe.locator(".mark").bounding_box())
    assert round_mark["x"] < token["x"] < token["x"] + token["width"] < round_mark["x"] + round_mark["width"]
    page.locator("#act-attack").click()
    expect(page.locator("#roll-app")).to_be_visible()
    expect(mark).to_have_count(0)
    page.keyboard.press("Escape")
    expect(mark).to_have_count(1)
    submit(started.pk, Submission("next_turn", {}))
    page.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(page.locator("#h-turn")).not_to_have_text("Your turn")
    expect(mark).to_have_count(0)


def test_end_of_a_fight_on_its_side_covers_nobody(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User
) -> None:
    """The button to the report stands at the edge: the tabs are at the side there."""
    sit_down(page, live_server, begun(gm, SLUG, steps=len(DEMO.script)), ZARA)
    page.set_viewport_size({"width": 844, "height": 390})
    acts = sure(page.locator(".end-acts").bounding_box())
    assert acts["y"] + acts["height"] == 390
    own = sure(page.locator(".end .health").first.bounding_box())
    assert own["y"] + own["height"] <= acts["y"]


def test_result_with_many_conditions_leaves_the_actions_in_sight(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    """The first of what happened stands on the card, and Why has it all."""
    sit_down(page, live_server, started, ZARA)
    play_step(started.pk, step("shock", (3, 5), (4, 4), target=ZARA))
    page.set_viewport_size({"width": 375, "height": 553})
    page.reload()
    expect(page.locator(".result-more")).to_have_text(", and 2 more")
    expect(page.locator(".result-rest").first).to_be_hidden()
    act, tabs = (sure(page.locator(name).first.bounding_box()) for name in (".usual .action", ".tabs"))
    assert act["y"] < tabs["y"] - 20, "some of the first action"
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".result-rest").first).to_be_visible()


def test_sheet_lists_gear_import_fit_with_letters_twice_as_large(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    sheet = create(started.owner, SLUG, "Ana of the long and winding name", SHEET)
    owner = Client()
    owner.force_login(started.owner)
    sign_in(page.context, live_server, owner)
    letters = page.context.new_cdp_session(page)
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    pages = (f"characters/{sheet.pk}/", "characters/", "characters/import/", "gear/", "gear/own/new/")
    for address in pages:
        page.goto(f"{live_server.url}/{address}")
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 844})
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide == width, (address, width, find_overflow(page))
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    page.locator(".tabs label", has_text="Combatants").click()
    figure = page.locator("#rows .health .num").first
    lines = "(one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    assert figure.evaluate(lines) < 1.5, "80 / 80 stays in one line"
    assert find_overflow(page) == []
