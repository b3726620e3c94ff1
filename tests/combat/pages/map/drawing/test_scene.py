"""The scene at the table: squares to tap, tokens to tap, environment to change."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import gather
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, combatant, load, read


@pytest.mark.slow
def test_map_marks_squares_only_while_a_form_asks_where_to(visit: Visit) -> None:
    assert not visit.page().all("path", class_="cell")
    assert not visit.page(do="attack").all("path", class_="cell")
    page = visit.page(do="move")
    cells = [link for link in page.all("a") if link["aria-label"].endswith(" m")]
    assert len(cells) == len(page.all("path", class_="cell")) > 20
    assert all(f"combatant={ZARA}&do=move&to=" in link["href"] for link in cells)


@pytest.mark.slow
def test_square_fills_the_form(visit: Visit) -> None:
    cell = next(link for link in visit.page(do="move").all("a") if link["aria-label"] == "10, 2: 7 m")
    page = visit.page(**dict(pair.split("=") for pair in cell["href"].replace("%2C", ",")[1:].split("&")))
    assert page.one("input", name="to-free")["value"] == "10,2"
    visit.do("move", combatant=ZARA, **{"to": "", "to-free": "10,2"})
    assert (combatant(visit.pk, ZARA).at.x, combatant(visit.pk, ZARA).at.y) == (10, 2)


def test_token_chooses_a_combatant_or_the_open_forms_target(visit: Visit) -> None:
    def tokens(**query: str) -> set[str]:
        links = [a for a in visit.page(**query).all("a") if a.attrs.get("tabindex") == "-1"]
        return {a["href"] for a in links if "&to=" not in a["href"]}

    assert tokens() == {f"?combatant={who}" for who in (ZARA, PIRATE, MARCUS)}
    chosen = tokens(do="attack")
    assert f"?combatant={ZARA}&do=attack&target={PIRATE}" in chosen
    assert f"?combatant={ZARA}" in chosen


@pytest.mark.slow
def test_surroundings_change_the_numbers_of_the_open_form(visit: Visit) -> None:
    """Dim light takes 2 from the attack, with its reason in the list."""
    before = visit.page(do="attack", target=PIRATE).one(id="odds-panel").text
    assert "Light concealment" not in before
    visit.do("set_setting", key="light", value="dim")
    after = visit.page(do="attack", target=PIRATE).one(id="odds-panel").text
    assert "Light concealment COVER-06 \N{MINUS SIGN}2" in after
    assert after != before


def test_open_scene_says_what_each_condition_does_now(visit: Visit) -> None:
    """The numbers are those of the attack's own form; closed, nothing is counted."""

    def find_odds() -> str:
        panel = visit.page(do="attack", target=PIRATE).one(id="odds-panel").text
        chance = re.search(r"\d+%", panel)
        assert chance
        return chance[0]

    bright = find_odds()
    visit.do("set_setting", key="light", value="dim")
    dim = find_odds()
    assert dim != bright
    line = visit.page(fold="surroundings").one("p", class_="scene-does").text
    assert line.split()[-2:] == [bright, dim]
    assert "Zara" in line
    assert bright not in visit.page().one("details", id="surroundings").text
    visit.do("set_setting", key="temperature", value="cold")
    lines = [one.text for one in visit.page(fold="surroundings").all("p", class_="scene-does")]
    assert lines[1] == "No usual attack or move changes now."


def test_tapping_the_map_in_the_browser(live_server: LiveServer, table: Browser, started: Encounter) -> None:
    page = table
    page.goto(f"{live_server.url}/encounters/{started.pk}/?do=move")
    page.evaluate("window.same = true")
    page.locator('svg a[aria-label="10, 2: 7 m"]').click()
    expect(page.locator("[name=to-free]")).to_have_value("10,2")
    page.locator("#surroundings > summary").click()
    page.locator("#set-light-dim").click()
    expect(page.locator(".table-bar .chip", has_text="Dim")).to_be_visible()
    expect(page.locator("#set-light-dim")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#surroundings")).to_have_attribute("open", "")
    expect(page.locator(".scene-line.differs .scene-does s")).to_be_visible()
    expect(page.locator("[name=to-free]")).to_have_value("10,2")
    page.locator("#form-move [name=dice][value=app]").click()
    expect(page.locator("#log")).to_contain_text("moves")
    assert page.evaluate("window.same"), "a tap must not load the page anew"


def test_tokens_are_drawn_alike_in_small_scenes_and_wide_ones(visit: Visit) -> None:
    """A token with room around it takes the same share of the picture, whatever the scene's size."""
    submit(visit.pk, Submission("set_map", {"map": {}}))
    for meters in (15, 150):
        zone = {"id": "all", "name": "All", "width": meters, "depth": meters}
        submit(visit.pk, Submission("set_scene", {"scene": {"zones": [zone]}}))
        for place, who in enumerate((ZARA, PIRATE, MARCUS)):
            submit(visit.pk, Submission("place", {"target": who, "x": meters * (1 + 3 * place) / 10, "y": 2}))
        page = visit.page(fold="board-plain")
        width = float(page.one("svg", class_="map")["viewbox"].split()[2])
        tokens = [g["transform"] for g in page.all("g", class_="token")]
        shares = {float(words.rpartition("scale(")[2].rstrip(")")) / width for words in tokens}
        assert len(tokens) == 3
        assert all(share == pytest.approx(1 / 30, rel=0.01) for share in shares)


@pytest.mark.slow
def test_there_is_room_to_draw_around_combatants_and_drawings(visit: Visit) -> None:
    def find_box(page: Page) -> list[float]:
        return [float(word) for word in page.one("svg", class_="map")["viewbox"].split()]

    submit(visit.pk, Submission("set_map", {"map": {}}))
    submit(visit.pk, Submission("set_scene", {"scene": {}}))
    for place, who in enumerate((ZARA, PIRATE, MARCUS)):
        submit(visit.pk, Submission("place", {"target": who, "x": 40 + 2 * place, "y": 2}))
    _, _, wide, tall = find_box(read(visit.get("scene/")))
    assert (wide >= 30, tall >= 16) == (True, True)
    zone = {"id": "all", "name": "All", "x": 40, "y": 0, "width": 60, "depth": 20}
    submit(visit.pk, Submission("set_scene", {"scene": {"zones": [zone]}}))
    table, (left, top, wide, tall) = (
        find_box(visit.page(fold="board-plain")),
        find_box(read(visit.get("scene/"))),
    )
    assert (left <= 35, top <= -5, left + wide >= 105, top + tall >= 25) == (True,) * 4
    assert (left < table[0], wide > table[2]) == (True, True)


@pytest.mark.slow
def test_board_names_those_outside_all_zones(bare: Encounter) -> None:
    """They would be nowhere on it: who is hidden, only for the GM."""
    for who in (PIRATE, MARCUS):
        submit(bare.pk, Submission("place", {"target": who, "x": 90, "y": 90}))
    submit(bare.pk, Submission("hide", {"target": PIRATE}))
    people = gather(load(bare.pk), ZARA, MARCUS)
    for client, names in ((people.gm, "Pirate, Marcus"), (people.player, "Marcus")):
        html = read(client.get(f"/encounters/{bare.pk}/")).one("div", class_="board-frame").text
        assert html.endswith(f"Outside all zones: {names}")
    for who in (PIRATE, MARCUS):
        submit(bare.pk, Submission("place", {"target": who, "x": 2, "y": 2}))
    assert "Outside all zones" not in people.gm.get(f"/encounters/{bare.pk}/").content.decode()
