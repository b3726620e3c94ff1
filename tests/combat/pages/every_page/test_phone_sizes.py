"""A player's turn on small phones and on one that lies on its side."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS
from combat.rules.core.declaration.demo import step
from tests.browser import find_overflow
from tests.combat.pages.every_page.test_phone import IS_ON_TOP
from tests.combat.pages.every_page.test_phone_turn import begin_turn, sit_down
from tests.combat.visit import DEMO, PIRATE, PISTOL, SLUG, ZARA, begun, play_step
from tests.typed import sure

SMALL = ((390, 844), (375, 553), (320, 568), (844, 390))
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
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        for name in names[:3]:
            page.goto(f"{live_server.url}/encounters/{made.pk}/{name}")
            expect(page.locator("#roll-app"), f"{name}, {width}").to_be_in_viewport(ratio=1)
            assert page.evaluate(IS_ON_TOP), f"{name}, {width}"
            assert find_overflow(page) == [], f"{name}, {width}"


def test_phone_on_its_side_has_what_happened_beside_what_can_be_done(
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


def test_line_of_the_form_says_whom_it_aims_at(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    sit_down(page, live_server, started, ZARA)
    page.locator("#act-attack").click()
    line, target = page.locator(".aim-line"), page.locator("#form-attack [name=target]")
    expect(line).to_contain_text("Pirate")
    expect(line.locator(".mark")).to_be_visible()
    expect(target).to_be_hidden()
    line.click()
    expect(target).to_be_visible()
    target.select_option("f3")
    expect(line).to_contain_text("Marcus")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(line).to_be_hidden()
    expect(target).to_be_visible()


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
