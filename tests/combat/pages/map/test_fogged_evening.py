"""A fogged evening on two decks, played from one phone: up a ladder into the unknown, a fight, and back."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import is_press, sign_in, skip_hints
from tests.combat.cast import come
from tests.combat.visit import MARCUS, PIRATE, ZARA, load, roll_fives, state_of

PHONE: ViewportSize = {"width": 390, "height": 844}
LOWER, UPPER = "Cargo deck", "Upper deck"


def show(phone: Browser, tab: str) -> None:
    phone.locator(".tabs label", has_text=tab).tap()


def decks(phone: Browser) -> list[str]:
    """The decks that the switch offers, the highest first."""
    return [one.inner_text().split()[0] for one in phone.locator("[data-deck]").all()]


def end_turn(phone: Browser) -> None:
    show(phone, "Turn")
    phone.get_by_role("button", name=re.compile("^End turn")).first.tap()


def pass_others(pk: int) -> None:
    """The GM ends the turns of all others until Zara acts."""
    while state_of(pk).active != ZARA:
        submit(pk, Submission("next_turn", {}))


def lay(gm_client: Client, pk: int) -> None:
    """A trader in fog: its crew in the hold, a pirate on the deck above."""
    chosen = {"do": "ready", "ready": "free_trader"}
    assert gm_client.post(f"/encounters/{pk}/scene/", chosen).status_code == 303
    for who, x, y in ((ZARA, 12, 6), (MARCUS, 4, 9), (PIRATE, 47, 6.5)):
        submit(pk, Submission("place", {"target": who, "x": x, "y": y}))
    submit(pk, Submission("change_map", {"look": {"fog": True, "remembers": True}}))


def open_phone(new_context: CreateContextCallback, live_server: LiveServer, encounter: Encounter) -> Browser:
    """A phone of the player who has joined as Zara."""
    context = new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    skip_hints(context)
    sign_in(context, live_server, come(encounter, ShareLink.PLAY, "Pia", ZARA))
    return context.new_page()


def go_back(phone: Browser, pk: int) -> None:
    """Down again: what was seen is remembered, and the way back is known with its length."""
    show(phone, "Scene")
    phone.get_by_role("button", name="To the deck below").tap()
    card = phone.locator(".map-card")
    expect(card).to_contain_text(f"Crew ladder down to {LOWER} 3 m")
    with phone.expect_response(is_press):
        card.get_by_role("button", name=re.compile("Go there|Crew ladder")).tap()
    expect(card).to_have_count(0)
    assert state_of(pk)[ZARA].at.x == 15
    assert decks(phone) == ["2", "1"]
    expect(phone.locator(".deck-way").filter(has_text=UPPER).first).to_be_attached()


@pytest.mark.slow
def test_a_fogged_evening_on_two_decks_is_played_from_one_phone(
    new_context: CreateContextCallback,
    live_server: LiveServer,
    gm_client: Client,
    started: Encounter,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    roll_fives(monkeypatch)
    pk, here = started.pk, f"/encounters/{started.pk}/"
    lay(gm_client, pk)
    phone = open_phone(new_context, live_server, started)
    phone.goto(f"{live_server.url}{here}")

    # She stands in the hold: a ladder and a hatch are in sight, and nothing of what lies above them
    show(phone, "Scene")
    ways = phone.locator(".deck-way")
    expect(ways.filter(has_text="?")).to_have_count(2)
    assert UPPER not in phone.content()
    assert "Pirate" not in phone.content()
    assert decks(phone) == ["1"]

    # The button leads past the nearer shut hatch to the ladder, and says what is not known
    phone.get_by_role("button", name="To the deck above").tap()
    card = phone.locator(".map-card")
    expect(card).to_contain_text("Crew ladder up")
    expect(card).to_contain_text("You have not seen yet where it leads.")
    card.get_by_role("button", name="Crew ladder up").tap()
    expect(card).to_have_count(0)
    expect(phone.locator("#scene, [data-map]").first).to_be_visible()
    phone.wait_for_function("() => document.querySelectorAll('[data-deck]').length === 2")
    assert state_of(pk)[ZARA].at.x == 45
    assert decks(phone) == ["2", "1"]
    expect(phone.locator("[data-deck]", has_text="2")).to_contain_text(UPPER)
    expect(ways.filter(has_text=LOWER).first).to_be_attached()

    # Up there is the pirate, who is attacked at once or in the next turn
    assert "Pirate" in phone.content()
    end_turn(phone)
    expect(phone.get_by_role("heading", name="Pirate's turn")).to_be_visible()
    pass_others(pk)
    phone.reload()
    show(phone, "Turn")
    before = load(pk).steps
    phone.locator("a.action", has_text="Attack").first.tap()
    phone.locator("#roll-app").tap()
    show(phone, "Log")
    expect(phone.locator("#log")).to_contain_text("Zara attacks Pirate")
    assert load(pk).steps == before + 1

    go_back(phone, pk)
