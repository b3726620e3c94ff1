"""The GM pushes and removes things of the map from the table, and a drag that puts spends no move."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules.core.space import map_of
from tests.combat.cast import Cast, Place, gather
from tests.combat.visit import MARCUS, ZARA, Visit, combatant, state_of

CRATE = {"id": "o1", "name": "Crate", "x": 4, "y": 4}
WALL = {"id": "w1", "x1": 12, "y1": 0, "x2": 12, "y2": 2}


@pytest.fixture
def crated(started: Encounter, bare: Encounter) -> Encounter:
    """A fight with a crate on its map, and Zara beside it."""
    submit(started.pk, Submission("change_map", {"obstacles": [CRATE], "walls": [WALL]}))
    submit(started.pk, Submission("place", {"target": ZARA, "x": 5.5, "y": 4.5}))
    return started


def spots(pk: int) -> list[tuple[float, float]]:
    return [(thing.x, thing.y) for thing in map_of(state_of(pk).scene).obstacles]


def test_gm_pushes_and_removes_a_thing_and_undo_brings_it_back(crated: Encounter, gm_client: Client) -> None:
    visit = Visit(gm_client, crated.pk)
    visit.do("push_thing", thing="o1", way="left")
    assert spots(crated.pk) == [(3, 4)]
    visit.do("remove_thing", thing="o1")
    assert spots(crated.pk) == []
    undo(crated.pk)
    undo(crated.pk)
    assert spots(crated.pk) == [(4, 4)]


@pytest.mark.parametrize(
    ("do", "fields", "told"),
    [
        ("push_thing", {"thing": "o1", "way": "right"}, "Zara stands there"),
        ("push_thing", {"thing": "o1", "way": "north"}, "Choose a way"),
        ("push_thing", {"thing": "o1"}, "Choose a way"),
        ("push_thing", {"thing": "o9", "way": "left"}, "no longer on the map"),
        ("remove_thing", {"thing": "x" * 999}, "no longer on the map"),
        ("remove_thing", {}, "no longer on the map"),
    ],
    ids=str,
)
def test_wrong_push_says_why_and_changes_nothing(
    crated: Encounter, gm_client: Client, do: str, fields: dict[str, str], told: str
) -> None:
    visit = Visit(gm_client, crated.pk)
    answer = visit.post(do, **fields)
    assert 400 <= answer.status_code < 500
    assert told in answer.content.decode()
    assert spots(crated.pk) == [(4, 4)]


def test_only_the_gm_has_things_to_push(crated: Encounter) -> None:
    cast: Cast = gather(crated, ZARA, MARCUS)
    for role in ("player", "watcher"):
        place = Place(cast[role], crated.pk)
        assert not place.page().all("rect", class_="thing-grip")
        assert Visit(cast[role], crated.pk).post("remove_thing", thing="o1").status_code in (403, 409, 422)
    assert spots(crated.pk) == [(4, 4)]
    assert Place(cast.gm, crated.pk).page().all("rect", class_="thing-grip")


@pytest.mark.slow
def test_thing_goes_in_two_taps_and_a_drag_can_put(visitor: Page, address: str, crated: Encounter) -> None:
    """A tap on the crate and one on Remove; with the switch a drag of who acts spends nothing."""
    submit(crated.pk, Submission("place", {"target": ZARA, "x": 9.5, "y": 4.5}))
    visitor.add_init_script("localStorage.setItem('tools', 'open')")
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(address)
    crate = visitor.locator(".thing-grip")
    crate.click()
    visitor.get_by_role("button", name="Push Crate left").click()
    expect(crate).to_have_attribute("x", "3")
    crate.click()
    visitor.locator(".map-card").get_by_role("button", name="Remove").click()
    expect(crate).to_have_count(0)
    before = combatant(crated.pk, ZARA)
    switch = visitor.get_by_role("button", name="Drag puts, without a move")
    switch.focus()
    visitor.keyboard.press("Enter")
    expect(switch).to_have_attribute("aria-pressed", "true")
    visitor.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    box = visitor.locator(f'[data-token="{ZARA}"]').bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visitor.mouse.move(x, y)
    visitor.mouse.down()
    visitor.mouse.move(x + 40, y + 60, steps=4)
    expect(visitor.locator(".carry")).to_contain_text("spends no move")
    visitor.mouse.up()
    expect(visitor.locator("#log-lines")).to_contain_text("Zara")
    visitor.wait_for_function("() => !document.querySelector('.htmx-request')")
    after = combatant(crated.pk, ZARA)
    assert after.at != before.at
    assert after.budget == before.budget
