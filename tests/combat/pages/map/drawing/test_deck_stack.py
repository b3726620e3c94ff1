"""Decks in the editor: a stack beside the map, ways drawn once, what is refused; each change is one step."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from msgspec import to_builtins
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import map_of
from tests.browser import find_on_map
from tests.combat.pages.map.drawing.test_drawing import done, draw, visit
from tests.combat.play.scenes.test_foundry import make_scene, wall
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.visit import PIRATE, ZARA, Visit, load, read, refusal, state_of

__all__ = ["visit"]  # the fixture


def fields_of(visit: Visit, deck: str) -> dict[str, Any]:
    """What the form of a deck sends if nothing is changed."""
    page = read(visit.get("scene/"))
    form = page.fields(page.one("form", inside=page.one(id=f"{deck}-fold")))
    return {name: value for name, value in form.items() if name not in ("csrfmiddlewaretoken", "do", "was")}


def test_a_stack_is_made_named_ordered_and_undone(visit: Visit) -> None:
    assert "One deck." in visit.get("scene/").content.decode()
    assert not read(visit.get("scene/")).all("input", value="way")
    steps = load(visit.pk).steps
    low, high = done(visit, "deck_above").decks
    assert (low.name, high.name, high.height, load(visit.pk).steps) == ("Deck 1", "Deck 2", 3, steps + 1)
    page = read(visit.get("scene/"))
    assert page.one("input", value="way")
    assert page.one("path", class_="deck-shade")
    decks = done(visit, "deck_save", **{**fields_of(visit, "deck2"), "name": "Bridge", "height": "4.5"}).decks
    assert (decks[1].name, decks[1].height) == ("Bridge", 4.5)
    assert [deck.height for deck in done(visit, "deck_down", deck="deck2").decks] == [4.5, 0]
    assert [deck.height for deck in done(visit, "undo").decks] == [0, 4.5]
    shift = decks[1].shift
    assert done(visit, "deck_right", deck="deck2").decks[1].shift == shift - 1
    (way,) = done(visit, "draw", kind="way", points="3,2", drawn="1").ways
    assert (way.kind, way.x1, way.x2) == ("ladder", 3, 3 + shift - 1)


def test_people_move_with_an_aligned_deck_and_back_in_one_undo(visit: Visit) -> None:
    done(visit, "deck_above")
    high = done(visit, "draw", kind="zone", points="40,2; 46,6").decks[1]
    inside = done(visit, "deck_save", **{**fields_of(visit, "deck2"), "x": "35", "width": "20"}).decks[1]
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": 42, "y": 3}))
    ours, steps = state_of(visit.pk)[ZARA].at, load(visit.pk).steps
    assert (inside.x, high.y) == (35, inside.y)
    done(visit, "deck_lower", deck="deck2")
    assert (state_of(visit.pk)[PIRATE].at.x, state_of(visit.pk)[PIRATE].at.y) == (42, 4)
    assert state_of(visit.pk)[ZARA].at == ours, "only the people of that deck"
    assert load(visit.pk).steps == steps + 1
    done(visit, "deck_save", **{**fields_of(visit, "deck2"), "y": "0.5"})
    assert state_of(visit.pk)[PIRATE].at.y == 4, "what is drawn stays, so do they"
    done(visit, "undo")
    done(visit, "undo")
    assert state_of(visit.pk)[PIRATE].at.y == 3


def test_a_deck_is_aligned_by_one_square_of_its_map(visit: Visit) -> None:
    done(visit, "deck_above")
    drawn = to_builtins(map_of(state_of(visit.pk).scene))
    submit(visit.pk, Submission("set_map", {"map": {**drawn, "cell": 2.5}}))
    before = map_of(state_of(visit.pk).scene).decks[1]
    for do, across, down in (("deck_right", 2.5, 0), ("deck_lower", 0, 2.5), ("deck_higher", 0, -2.5)):
        now = done(visit, do, deck="deck2").decks[1]
        assert (before.shift - now.shift, now.y - before.y) == (across, down), do
        before = now


@pytest.mark.slow
def test_the_form_of_a_way_makes_it_a_shaft_with_an_opening(visit: Visit) -> None:
    done(visit, "deck_above")
    (way,) = done(visit, "draw", kind="way", points="4,2; 7,4").ways
    assert (way.kind, way.hole and way.hole[2:]) == ("shaft", (3, 2))
    page = read(visit.get("scene/?edit=ways:way1"))
    form = page.fields(page.one("form", id="shape"))
    for name in ("csrfmiddlewaretoken", "was"):
        form.pop(name)
    (hatch,) = done(visit, "save", **{**form, "kind": "hatch", "name": "Keel hatch", "open": ""}).ways
    assert (hatch.kind, hatch.name, hatch.open, hatch.hole) == ("hatch", "Keel hatch", False, way.hole)
    wrong = draw(visit, "save", **{**form, "hole_x": ""})
    assert "left, top, width and depth" in refusal(wrong)
    assert not done(visit, "remove", shape="ways:way1").ways


def test_saving_a_deck_as_it_is_changes_nothing_and_says_so(visit: Visit) -> None:
    done(visit, "deck_above")
    steps, before = load(visit.pk).steps, state_of(visit.pk)
    answer = draw(visit, "deck_save", **fields_of(visit, "deck2"))
    assert answer.status_code == 200, refusal(answer)
    assert [str(one) for one in get_messages(answer.wsgi_request)] == ["Nothing has changed."]
    assert (load(visit.pk).steps, state_of(visit.pk)) == (steps, before)


@pytest.mark.slow
def test_what_no_stack_can_be_is_refused(visit: Visit) -> None:
    done(visit, "deck_above")
    before = state_of(visit.pk).scene
    tries: list[tuple[str, dict[str, Any], str]] = [
        ("deck_remove", {"deck": "deck1"}, "move them first"),
        ("deck_up", {"deck": "deck2"}, "highest deck already"),
        ("deck_over", {"deck": "deck2"}, "Draw a way to the deck below"),
        ("deck_up", {"deck": "deck9"}, "no longer there"),
        ("deck_save", {**fields_of(visit, "deck2"), "x": "0"}, "less than 1 m apart"),
        ("draw", {"kind": "way", "points": "500,2"}, "inside one of them"),
    ]
    for do, fields, why in tries:
        found = draw(visit, do, **fields)
        assert found.status_code in (404, 409, 422), do
        assert why in refusal(found), do
    assert state_of(visit.pk).scene == before
    assert not done(visit, "deck_remove", deck="deck2").decks


@pytest.mark.slow
def test_a_way_is_tapped_on_the_map_and_decks_have_keys(table: Browser, started: Encounter) -> None:
    table.goto(table.url.split("?")[0] + "scene/")
    table.get_by_role("button", name="Add deck above").click()
    upper = table.get_by_role("group", name=re.compile("Decks")).get_by_role(
        "button", name=re.compile("Deck 2")
    )
    expect(upper).to_be_visible()
    table.get_by_role("radio", name="Way to a deck").check()
    table.mouse.click(*find_on_map(table, 5.2, 3.1))
    expect(table.get_by_role("heading", name="Selected")).to_be_visible()
    (way,) = map_of(state_of(started.pk).scene).ways
    assert (way.x1, way.y1) == (5, 3)
    upper.focus()
    upper.press("PageUp")
    expect(upper).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_two_files_become_two_decks(visit: Visit) -> None:
    def send(**more: Any) -> Any:
        file = SimpleUploadedFile("room.dd2vtt", json.dumps(make_file()).encode())
        found = draw(visit, "import", file=file, metres="1", **more)
        assert found.status_code == 200, refusal(found)
        told.append(" ".join(str(one) for one in get_messages(found.wsgi_request)))
        return map_of(state_of(visit.pk).scene)

    told: list[str] = []
    first = send()
    both = send(deck="on")
    low, high = both.decks
    assert (low.height, high.height, high.y) == (0, 3, low.y)
    assert len(both.walls) == 2 * len(first.walls)
    upper = [wall for wall in both.walls if wall.id.startswith("deck2-")]
    assert [wall.x1 - high.shift for wall in upper] == [wall.x1 for wall in first.walls]
    assert [zone.height for zone in state_of(visit.pk).scene.zones] == [0, 3]
    assert both.picture == first.picture
    assert "one picture under all decks" in told[1]


def test_levels_of_a_file_become_decks_of_the_scene(visit: Visit) -> None:
    levels = [
        {"_id": "a", "name": "Hold", "elevation": {"bottom": 0}},
        {"_id": "b", "name": "Bridge", "elevation": {"bottom": 10}},
    ]
    raw = json.dumps(make_scene(levels=levels, walls=[wall(0, 0, 8, 0, levels=["b"])], tokens=[])).encode()
    file = SimpleUploadedFile("ship.json", raw)
    low, high = done(visit, "import", file=file, metres="1").decks
    assert [(deck.name, deck.height) for deck in (low, high)] == [("Hold", 0), ("Bridge", 2)]
    scene = state_of(visit.pk).scene
    assert [(zone.name, zone.height) for zone in scene.zones] == [("Hold", 0), ("Bridge", 2)]
    assert [one.x1 > low.x + low.width for one in map_of(scene).walls] == [True]
    again = draw(visit, "import", file=SimpleUploadedFile("ship.json", raw), metres="1", deck="on")
    assert again.status_code == 200, refusal(again)
    names = [deck.name for deck in map_of(state_of(visit.pk).scene).decks]
    assert names == ["Hold", "Bridge", "Hold", "Bridge"]
