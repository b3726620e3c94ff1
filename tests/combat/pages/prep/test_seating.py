"""The seating order: set with buttons, the keyboard or by dragging; whose turn it is, and the direction."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.parts import Seating
from tests.browser import put_numbers_first
from tests.combat.cast import Place, come
from tests.combat.markup import Page
from tests.combat.visit import Visit, demo_fight, load, play, read, state_of

RINGS = [slug for slug in SYSTEMS if find_system(slug).turn.seating]


@pytest.fixture(params=RINGS)
def ring(request: pytest.FixtureRequest, gm: User) -> Encounter:
    """The demo fight of a game with a seating order, before initiative."""
    return demo_fight(gm, request.param)


@pytest.fixture
def table(gm_client: Client, ring: Encounter) -> Visit:
    """The GM at its table, with JavaScript off."""
    return Visit(gm_client, ring.pk, htmx=False)


def seating_of(ring: Encounter) -> Seating:
    """The game's declaration of its seating order."""
    seating = find_system(ring.system).turn.seating
    assert seating
    return seating


def names(ring: Encounter) -> list[str]:
    """The present seating order."""
    state = state_of(ring.pk)
    return [state.combatants[who].name for who in seating_of(ring).find(state)]


def shown(page: Page) -> list[str]:
    """The seats a page shows."""
    return [re.sub(r"^\w ", "", item.text) for item in page.all("li", inside=page.one("ol", class_="seats"))]


def press(table: Visit, page: Page, button: str) -> Page:
    """Press a button of a seat as a browser without scripts does."""
    pressed = page.one("button", id=button)
    (form,) = [form for form in page.all("form") if pressed.is_in(form)]
    posted = {**page.fields(form), pressed["name"]: pressed["value"]}
    answer = table.client.post(form["action"], posted)
    assert answer.status_code == 303
    return read(table.client.get(answer["Location"]))


@pytest.mark.slow
@pytest.mark.parametrize("where", ["prep/", "share/", ""])
def test_seats_move_by_their_buttons_and_lead_back(table: Visit, ring: Encounter, where: str) -> None:
    first, second, third = names(ring)
    page = read(table.client.get(table.here + where))
    assert shown(page) == [first, second, third]
    who = seating_of(ring).find(state_of(ring.pk))
    page = press(table, page, f"down-{who[0]}")
    assert shown(page) == names(ring) == [second, first, third]
    page = press(table, page, f"up-{who[2]}")
    assert shown(page) == names(ring) == [second, third, first]
    assert load(ring.pk).steps == len(find_system(ring.system).demo.make_first().setup) + 2


@pytest.mark.slow
def test_the_ends_of_the_row_go_no_further(table: Visit, ring: Encounter) -> None:
    page, who = table.page(), seating_of(ring).find(state_of(ring.pk))
    for button in (f"up-{who[0]}", f"down-{who[-1]}"):
        assert page.one("button", id=button)["aria-disabled"] == "true"
        assert page.one("button", id=button)["type"] == "button"
    said = table.refused(seating_of(ring).move, 409, target=who[0], after=who[0])
    assert said


def test_players_end_their_own_turn_and_nobody_elses(ring: Encounter) -> None:
    system = find_system(ring.system)
    play(ring.pk, system.demo.make_first().script[:1])
    state = state_of(ring.pk)
    acting, waiting = state.order[:2]
    late = Place(come(ring, ShareLink.PLAY, "Otto", waiting), ring.pk, htmx=False)
    assert late.post(system.actions.advance, target=waiting).status_code == 409
    assert late.post(system.actions.advance, target=acting).status_code == 403
    assert late.post(system.actions.advance, whole="true").status_code == 403
    assert state_of(ring.pk) == state
    Place(come(ring, ShareLink.PLAY, "Pia", acting), ring.pk, htmx=False).do(system.actions.advance)
    assert state_of(ring.pk).active == waiting


@pytest.mark.slow
def test_those_who_act_together_are_all_named(table: Visit, ring: Encounter) -> None:
    system = find_system(ring.system)
    for step in system.demo.make_first().script:
        play(ring.pk, (step,))
        if state_of(ring.pk).sharing:
            break
    state = state_of(ring.pk)
    acting = [state.combatants[who].name for who in (state.active, *state.sharing)]
    assert len(acting) > 1
    page = table.page()
    assert f"{', '.join(acting)} act" in page.one("p", class_="clock").text
    rows = [row for row in page.all("li", class_="row") if row["aria-current"] == "true"]
    assert [any(name in row.text for name in acting) for row in rows] == [True] * len(acting)
    watcher = Place(come(ring, ShareLink.WATCH, "Wim"), ring.pk).page()
    assert f"{', '.join(acting)} act" in watcher.one("p", class_="clock").text
    table.do(system.actions.advance, target=state.sharing[0])
    assert state_of(ring.pk).active == state.active
    table.do(system.actions.advance, whole="true")
    assert not {state.active, *state.sharing} & {state_of(ring.pk).active}


# ---- In a browser ----


@pytest.mark.slow
def test_seats_by_keyboard_and_by_dragging(
    live_server: LiveServer, visitor: Browser, ring: Encounter
) -> None:
    browser, (first, second, third) = visitor, names(ring)
    browser.goto(f"{live_server.url}/encounters/{ring.pk}/")
    browser.locator("#seats > summary").click()
    seats = browser.locator("#seats .seats > li > span")
    expect(seats).to_have_text([first, second, third])
    seat, mark = (browser.locator(f"#seats {one}").first.bounding_box() for one in ("li", ".mark"))
    assert seat
    assert mark
    assert seat["y"] <= mark["y"] < seat["y"] + seat["height"], "each token stands in its line"
    browser.get_by_role("button", name=f"{first} down").focus()
    browser.keyboard.press("Enter")
    expect(seats).to_have_text([second, first, third])
    expect(browser.get_by_role("button", name=f"{first} down")).to_be_focused()
    browser.keyboard.press("Enter")
    expect(seats).to_have_text([second, third, first])
    expect(browser.get_by_role("button", name=f"{first} down")).to_be_focused()
    rows = browser.locator("#seats .seats > li")
    rows.nth(2).drag_to(rows.nth(0))
    expect(seats).to_have_text([first, second, third])
    rows.nth(0).drag_to(rows.nth(1))
    expect(seats).to_have_text([second, first, third])
    assert names(ring) == [second, first, third]


@pytest.mark.slow
def test_the_way_round_the_table_is_told(live_server: LiveServer, visitor: Browser, ring: Encounter) -> None:
    browser, system, seating = visitor, find_system(ring.system), seating_of(ring)
    play(ring.pk, system.demo.make_first().script[:1])
    way = seating.find_way(state_of(ring.pk))
    put_numbers_first(browser)
    browser.goto(f"{live_server.url}/encounters/{ring.pk}/")
    clock = browser.locator(".clock")
    expect(clock).to_contain_text(way)
    expect(clock).to_contain_text(f"{names(ring)[0]}'s turn")
    while state_of(ring.pk).round == 1:
        before = browser.locator("#table").get_attribute("data-version") or ""
        everybody = browser.get_by_role("button", name="End side's turn")
        (everybody if everybody.count() else browser.get_by_role("button", name="Next turn")).click()
        expect(browser.locator("#table")).not_to_have_attribute("data-version", before)
    turned = seating.find_way(state_of(ring.pk))
    assert turned != way
    expect(clock.get_by_text(turned, exact=True)).to_be_visible()
    expect(browser.locator("#live")).to_contain_text(turned)
    expect(browser.locator("#log li").filter(has_text=f"({turned})").first).to_be_visible()
