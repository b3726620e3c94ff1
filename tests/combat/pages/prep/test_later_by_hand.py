"""Reinforcements in a real browser: held back while preparing, there when their round begins."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.play.writing.encounter_service import Submission, submit
from tests.browser import AXE, check_looks, find_barriers, find_overflow, skip_hints, wait_for_map
from tests.combat.visit import PIRATE, SLUG, demo_fight, state_of

pytestmark = pytest.mark.slow


def test_gm_holds_back_starts_and_sees_them_arrive(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    fight = demo_fight(gm, SLUG)
    submit(fight.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "name": "Rook"}))
    skip_hints(visitor.context)
    table = f"{live_server.url}/encounters/{fight.pk}/"
    visitor.goto(f"{table}prep/?row={PIRATE}")
    visitor.locator("#row-later > summary").click()
    visitor.locator("#row-later-when").select_option("in a round")
    visitor.locator("#row-later-at_round").fill("2")
    visitor.locator("#row-later-at_round").press("Enter")
    expect(visitor.locator("#waiting")).to_contain_text("round 2")
    submit(fight.pk, Submission("start", {}))
    visitor.goto(table)
    waiting, rows = visitor.locator("#reserves"), visitor.locator("#rows > li")
    expect(waiting).to_contain_text("Arrives later (1)")
    there = rows.count()
    while state_of(fight.pk).round < 2:
        expect(visitor.locator("#table[data-fresh]")).to_have_count(0)
        shown = visitor.locator("#table").get_attribute("data-version") or ""
        visitor.keyboard.press("n")
        expect(visitor.locator("#table")).not_to_have_attribute("data-version", shown)
    expect(rows).to_have_count(there + 1)
    expect(waiting).to_have_count(0)
    expect(visitor.locator("#log-lines")).to_contain_text("Reinforcements: ")
    assert complaints == []


def test_pages_with_those_who_wait_are_open_to_everybody(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    fight = demo_fight(gm, SLUG)
    submit(fight.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "count": 3}))
    submit(fight.pk, Submission("hold_back", {"targets": [PIRATE], "when": "round", "at_round": 3}))
    skip_hints(visitor.context)
    here = f"{live_server.url}/encounters/{fight.pk}/"
    visitor.add_init_script(AXE)
    for page in ("prep/?reserve=r1", "prep/?row=f4", "forecast/?reserves=planned"):
        check_looks(visitor, f"{here}{page}")
    submit(fight.pk, Submission("start", {}))
    check_looks(visitor, here)


def test_first_who_wait_arrive_by_a_key(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight = demo_fight(gm, SLUG)
    submit(fight.pk, Submission("hold_back", {"targets": [PIRATE]}))
    submit(fight.pk, Submission("start", {}))
    skip_hints(visitor.context)
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    expect(visitor.locator("#reserves")).to_be_visible()
    visitor.keyboard.press("w")
    expect(visitor.locator("#log-lines")).to_contain_text("Reinforcements: ")
    assert PIRATE in state_of(fight.pk).order


def test_phone_names_those_outside_the_map_at_its_edge(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    fight = demo_fight(gm, SLUG)
    submit(fight.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "name": "Rook"}))
    plan = {"targets": [PIRATE], "when": "round", "at_round": 3, "edge": "east"}
    submit(fight.pk, Submission("hold_back", plan))
    submit(fight.pk, Submission("start", {}))
    while state_of(fight.pk)[state_of(fight.pk).active].name == "Rook":  # whose end of the map is theirs
        submit(fight.pk, Submission("next_turn"))
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": 360, "height": 740})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    visitor.locator("label[for=tab-scene]").click()
    wait_for_map(visitor)
    expect(visitor.locator(".map .ghost")).to_be_in_viewport()
    visitor.get_by_role("button", name="Show who acts", exact=True).click()
    name = visitor.locator(".map-edge", has_text="Pirate waits: round 3")
    expect(name).to_have_class("map-edge is-waiting is-right")
    expect(visitor.locator(".map .ghost")).not_to_be_in_viewport()
    assert find_overflow(visitor) == []
    assert find_barriers(visitor, only=("color-contrast", "nested-interactive", "target-size")) == []
    name.click()
    expect(name).to_have_count(0)
    expect(visitor.locator(".map .ghost")).to_be_in_viewport()
    assert complaints == []
