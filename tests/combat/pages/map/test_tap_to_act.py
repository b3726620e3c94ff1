"""Tap to act: the card of a foe, for whom it is and what it tells, and the map that fills the middle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import find_barriers, find_on_map, find_tile
from tests.combat.cast import Cast, gather
from tests.combat.pages.map.test_map_sight import CRATE, set_map
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, state_of
from tests.typed import sure

CARD = f"foe/?combatant={ZARA}&target={PIRATE}"


@pytest.fixture
def cast(started: Encounter, bare: Encounter) -> Cast:
    """Zara, whose turn it is, ten meters from the pirate with a crate between them; Pia plays her."""
    set_map(started.pk, obstacles=[CRATE])
    return gather(started, ZARA, MARCUS)


def test_card_says_how_far_how_covered_and_how_likely(visit: Visit) -> None:
    set_map(visit.pk, obstacles=[CRATE])
    card = visit.client.get(visit.here + CARD).content.decode()
    tile = visit.page().one("a", id="act-attack")
    chance = next(word for word in tile.text.split() if word.endswith("%"))
    assert f"<span>{chance}</span>" in card, "the same chance as on the tile of the attack"
    assert "10 m" in card
    assert "Heavy cover: 16 of 16 lines cross the crate" in card
    assert f"?combatant={ZARA}&amp;do=attack&amp;target={PIRATE}" in card


def test_only_the_gm_s_card_leads_to_health_and_conditions(cast: Cast, started: Encounter) -> None:
    cards = {
        role: cast[role].get(f"/encounters/{started.pk}/{CARD}").content.decode() for role in ("gm", "player")
    }
    assert "row=quick" in cards["gm"]
    assert "Pirate" in cards["player"]
    assert "row=quick" not in cards["player"]


def test_card_says_why_nobody_can_attack_now(visit: Visit) -> None:
    submit(visit.pk, Submission("next_turn", {}))
    card = visit.client.get(visit.here + CARD).content.decode()
    assert "do=attack" not in card
    assert "%" not in card


def test_nobody_is_told_of_who_is_hidden(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    assert cast.player.get(f"/encounters/{started.pk}/{CARD}").status_code == 404
    assert cast.gm.get(f"/encounters/{started.pk}/{CARD}").status_code == 200


def test_player_reads_a_foes_health_as_their_row_shows_it(cast: Cast, started: Encounter) -> None:
    card = cast.player.get(f"/encounters/{started.pk}/{CARD}").content.decode()
    assert "Healthy" in card
    assert "80" not in card, "a number is for those on their side"


def test_foes_are_first_in_the_list_of_targets(visit: Visit) -> None:
    submit(visit.pk, Submission("join", {"block": "pirate", "name": "Late pirate"}))
    page = visit.page(combatant=ZARA, do="attack")
    options, state = page.all("input", inside=page.one(id="do-target")), state_of(visit.pk)
    who = [one["value"] for one in options]
    sides = [state[one].side == state[ZARA].side for one in who if one]
    assert len(sides) == 3
    assert sides == sorted(sides)


def test_path_names_the_place_it_leads_to(visit: Visit) -> None:
    zone = state_of(visit.pk).scene.zones[0]
    where = {"combatant": ZARA, "do": "move", "to": f"{zone.x + 2:g},{zone.y + 2:g}"}
    found = visit.client.get(f"{visit.here}paths/", where).json()
    assert found["place"] == zone.name
    nowhere = visit.client.get(f"{visit.here}paths/", {**where, "to": f"zone:{zone.id}"}).json()
    assert nowhere.get("place", "") == ""


def test_map_first_is_the_map_and_a_tap_acts(table: Browser, started: Encounter) -> None:
    set_map(started.pk, obstacles=[CRATE])
    table.reload()
    box = sure(table.locator("svg.map").bounding_box())
    assert (box["width"], box["height"]) >= (800, 780)
    assert find_barriers(table) == []
    check_places(table)
    check_log(table)
    check_foe(table)
    check_window(table)
    check_ground(table)


def check_places(table: Browser) -> None:
    """One key shows the list of all places, Escape hides it."""
    zones = table.locator("#places .zone")
    expect(zones.first).to_be_hidden()
    table.keyboard.press("l")
    expect(zones.first).to_be_visible()
    assert find_barriers(table, "#places") == []
    table.keyboard.press("Escape")
    expect(zones.first).to_be_hidden()


def check_log(table: Browser) -> None:
    """It is one line, which opens over the map."""
    assert sure(table.locator("#log").bounding_box())["height"] <= 56
    table.get_by_role("button", name="Open", exact=True).click()
    expect(table.get_by_role("link", name="Full log")).to_be_visible()
    assert sure(table.locator("#log").bounding_box())["height"] > 400
    table.keyboard.press("Escape")
    expect(table.get_by_role("link", name="Full log")).to_be_hidden()


def check_foe(table: Browser) -> None:
    card, token = table.locator(".map-card"), table.locator(f'[data-token="{PIRATE}"] > .mark')
    token.click()
    expect(card).to_contain_text("%")
    assert find_barriers(table, ".map-card") == []
    table.keyboard.press("Escape")
    expect(card).to_have_count(0)
    table.locator(f'a:has(> [data-token="{ZARA}"])').focus()
    table.keyboard.press("ArrowRight")
    expect(table.locator(f'a:has(> [data-token="{PIRATE}"])')).to_be_focused()
    table.keyboard.press("Enter")
    expect(card).to_contain_text("Pirate")
    card.get_by_role("link", name="Options").click()
    expect(find_tile(table, "target")).to_have_value(PIRATE)
    expect(card).to_have_count(0)
    table.keyboard.press("Escape")
    expect(table.locator("#do-target")).to_have_count(0)


def check_window(table: Browser) -> None:
    """A tap on one's own, or e on any token, opens the window of health and conditions, and no move."""
    window, foe = table.locator(".row-card .quick-head"), table.locator(f'a:has(> [data-token="{PIRATE}"])')
    table.locator(f'[data-token="{MARCUS}"] > .mark').click()
    expect(window).to_contain_text("Marcus")
    expect(table.locator(".action-form")).to_have_count(0)
    table.keyboard.press("Escape")
    expect(window).to_have_count(0)
    foe.focus()
    table.keyboard.press("e")
    expect(window).to_contain_text("Pirate")
    table.keyboard.press("Escape")
    expect(window).to_have_count(0)
    foe.locator(".mark").click()
    table.locator(".map-card .card-quick").click()
    expect(window).to_contain_text("Pirate")
    expect(table.locator(".map-card")).to_have_count(0)
    table.keyboard.press("Escape")
    expect(window).to_have_count(0)


def check_ground(table: Browser) -> None:
    table.mouse.click(*find_on_map(table, 4, 5))
    card = table.locator(".map-card")
    expect(card).to_contain_text("2 m of 10")
    card.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)
    table.mouse.click(*find_on_map(table, 4, 5))
    expect(card).to_contain_text("2 m of 10")
    table.keyboard.press("Enter")
    expect(table.locator("#log")).to_contain_text("Zara moves 2 m")
