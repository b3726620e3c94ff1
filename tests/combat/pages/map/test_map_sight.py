"""What the map tells a person about a line, and the rings around the acting combatant."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import SIZES, sign_in
from tests.combat.cast import gather
from tests.combat.pages.map.test_map_moves import carry
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, state_of

CRATE = {"id": "o1", "name": "Crate", "x": 8.0, "y": 1.5, "width": 1.0, "depth": 1.5, "cover": "heavy"}
WALL = {"id": "w1", "x1": 9.0, "y1": -5.0, "x2": 9.0, "y2": 30.0}


def set_map(pk: int, **parts: Any) -> None:
    """Zara at 4, 2 and the pirate at 14, 2, with these parts of a map."""
    for who, x in ((ZARA, 4), (PIRATE, 14)):
        submit(pk, Submission("place", {"target": who, "x": x, "y": 2}))
    submit(pk, Submission("change_map", parts))


def lines(visit: Visit, who: str = ZARA) -> Any:
    """The answer to the pointer about lines and rings."""
    found = visit.client.get(f"{visit.here}lines/", {"combatant": who})
    assert found.status_code == 200
    return found.json()


def line_to(visit: Visit, other: str) -> Any:
    """The line from Zara to someone."""
    return next((one for one in lines(visit)["lines"] if one["id"] == other), None)


def test_line_counts_what_crosses_it_in_the_words_of_the_game(visit: Visit) -> None:
    set_map(visit.pk, obstacles=[CRATE])
    name, far, words = line_to(visit, PIRATE)["words"]
    assert (name, far) == ("Pirate", "10 m")
    assert words == "Heavy cover: 16 of 16 lines cross the crate"


def test_wall_leaves_no_line(visit: Visit) -> None:
    set_map(visit.pk, walls=[WALL])
    found = line_to(visit, PIRATE)
    assert not found["seen"]
    assert found["words"][-1] == "No line of sight"
    assert line_to(visit, MARCUS)["seen"]


def test_choice_of_a_target_says_the_cover(visit: Visit) -> None:
    """People without a pointer read it with the face of the target."""
    set_map(visit.pk, obstacles=[CRATE])
    page = visit.page(combatant=ZARA, do="attack")
    faces = page.all("label", class_="tile-one")
    (face,) = [one for one in faces if page.all("input", inside=one, name="target", value=PIRATE)]
    assert face["data-says"] == "Pirate, 10 m, heavy cover: 16 of 16 lines cross the crate"
    assert face.text.endswith("10 m, heavy cover: 16 of 16 lines cross the crate")


def test_rings_are_those_of_the_weapon(visit: Visit) -> None:
    rings = [(ring["metres"], ring["words"]) for ring in lines(visit)["rings"]]
    assert rings[:3] == [(30, "Pistol: 30 m"), (60, "60 m: −2"), (120, "120 m: −4")]


def test_lines_tell_nothing_of_the_hidden(visit: Visit, started: Encounter) -> None:
    cast = gather(started, ZARA, MARCUS)
    visit.client = cast.gm
    assert "Pirate" in cast.player.get(f"{visit.here}lines/?combatant={ZARA}").content.decode()
    submit(visit.pk, Submission("hide", {"target": PIRATE}))
    hidden = cast.player.get(f"{visit.here}lines/?combatant={ZARA}").content.decode()
    assert "Pirate" not in hidden
    assert PIRATE not in [one["id"] for one in json.loads(hidden)["lines"]]


# ---- In the browser ----

HIDDEN = """() => {
  const tip = document.querySelector(".map-tip").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("[data-token]")].map((one) => one.getBoundingClientRect());
  const isBeside = (one) => one.right <= tip.left || tip.right <= one.left;
  return boxes.filter((one) => !isBeside(one) && one.top < tip.bottom && tip.top < one.bottom).length;
}"""


@pytest.mark.slow
def test_carried_token_has_rings_and_pointed_target_has_a_line(table: Browser, started: Encounter) -> None:
    carry(table, ZARA, 10, 2)
    ring = table.locator(".ring").first
    expect(ring).to_have_attribute("r", "30")
    expect(ring).to_have_attribute("transform", "translate(10 2)")
    table.keyboard.press("Escape")
    expect(table.locator(".ring")).to_have_count(0)
    table.mouse.up()
    set_map(started.pk, obstacles=[CRATE])
    pirate = state_of(started.pk)[PIRATE].at
    submit(started.pk, Submission("place", {"target": MARCUS, "x": pirate.x + 2, "y": pirate.y + 3}))
    table.goto(f"{table.url}?combatant={ZARA}&do=attack")
    expect(table.locator(".map-tip")).to_contain_text("Heavy cover: 16 of 16 lines cross the crate")
    expect(table.locator(".sight-line")).to_have_count(1)
    assert table.evaluate(HIDDEN) == 0, "the words hide no token"
    table.locator(f'[data-token="{MARCUS}"]').hover()
    expect(table.locator(".map-tip")).to_contain_text("Marcus")
    table.mouse.move(5, 5)
    expect(table.locator(".map-tip")).to_contain_text("Pirate")


def test_tapped_a_token_that_opens_nothing_says_who_that_is(
    transactional_db: None, live_server: LiveServer, new_context: CreateContextCallback, started: Encounter
) -> None:
    cast = gather(started, ZARA, MARCUS)
    phone = new_context(viewport=SIZES["narrow"], has_touch=True)
    page = phone.new_page()
    for role, shown, head in (("player", ".map-card", "#h-turn"), ("watcher", ".map-tip", "#h-scene")):
        sign_in(phone, live_server, cast[role])
        page.goto(f"{live_server.url}/encounters/{started.pk}/")
        page.locator("label[for=tab-scene]").tap()
        address = page.url
        if role == "player":  # whose map opens near who acts
            page.locator("[data-map-view=whole]").tap()
        page.locator(f'[data-token="{PIRATE}"]').tap()
        tip = page.locator(shown)
        expect(tip, role).to_contain_text("Pirate")
        expect(tip).to_contain_text(page.locator(f"#row-{PIRATE} .health b").inner_text())
        assert page.url == address
        page.locator(head).tap()
        expect(tip).to_have_count(0)
