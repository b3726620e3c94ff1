"""A move to a spot on another deck by one tap: its parts and their sum are shown, then all of it is done."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import Branch, Encounter, ShareLink
from combat.play.whatif.branches import unpack
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import find_on_map, sign_in, wait_for_map
from tests.combat.cast import come, gather
from tests.combat.rules.every_game.decks import HATCH, LADDER, make_ship, make_zones
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, begun, load, read, refusal, state_of

FAR = "30,6"  # on the upper deck, 2 m from where the ladder ends
SHOWN = """() => {
  const { x, width } = document.querySelector('.map').viewBox.baseVal;
  return [Math.round(x), Math.round(x + width)];
}"""


def lay(pk: int, who: str, at: tuple[float, float], *ways: dict[str, Any]) -> None:
    """The ship of the tests with these ways, and someone in its hold."""
    settings = dict(state_of(pk).scene.settings)
    if load(pk).system == "starshock":
        settings["positioning"] = "squares"
    submit(pk, Submission("set_scene", {"scene": {"zones": make_zones(), "settings": settings}}))
    submit(pk, Submission("set_map", {"map": make_ship(*ways)}))
    for n, other in enumerate(state_of(pk).combatants):
        submit(pk, Submission("place", {"target": other, "x": 12 + n, "y": 11}))
    submit(pk, Submission("place", {"target": who, "x": at[0], "y": at[1]}))


def ask(visit: Visit, who: str, across: str) -> Any:
    found = visit.client.get(f"{visit.here}paths/", {"combatant": who, "across": across})
    return found.json() if found.status_code == 200 else found


def price(client: Client, visit: Visit, who: str) -> Any:
    """What the map writes at the ways of someone's deck."""
    return client.get(f"{visit.here}paths/", {"combatant": who, "ways": "1"}).json()["ways"]


def begin(gm: User, client: Client, slug: str) -> tuple[Visit, str]:
    """A fight of a game, and who acts in it."""
    visit = Visit(client, begun(gm, slug).pk)
    who = state_of(visit.pk).active
    if slug == "starshock":
        visit.post(do="declare", combatant=who, actions="3")
    return visit, who


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "starshock", "guardians"])
def test_one_tap_leads_to_the_other_deck_as_the_card_says(gm: User, gm_client: Client, slug: str) -> None:
    visit, who = begin(gm, gm_client, slug)
    lay(visit.pk, who, (4, 6), LADDER)
    told, before = ask(visit, who, FAR), load(visit.pk).steps
    assert (told["refused"], told["head"]) == ("", "Quarters")
    assert told["parts"][0] == f"Ladder up to Quarters 3 {'yd' if slug == 'guardians' else 'm'}"
    visit.post(do="move_to_deck", combatant=who, to=FAR)
    state = state_of(visit.pk)
    assert load(visit.pk).steps == before + len(told["parts"])
    assert told["notes"] == []
    assert (state[who].at.x, state[who].at.y) == (30, 6)
    if slug == "guardians":  # the ladder takes the only action, and leaves yards for the rest
        assert told["parts"][1:] == ["Move on 2 yd"]
        assert told["whole"] == "In all 5 yd (Action 1)"
    visit.post(do="undo")
    assert load(visit.pk).steps > before


def test_the_sum_is_that_of_the_parts_and_says_what_it_takes(gm: User, gm_client: Client) -> None:
    visit, who = begin(gm, gm_client, "cepheus")
    lay(visit.pk, who, (4, 6), LADDER)
    told = ask(visit, who, FAR)
    assert told["parts"] == ["Ladder up to Quarters 3 m", "Move 2 m"]
    assert told["whole"] == "In all 5 m (Significant action 1)"  # it stands for two minor ones: one is left
    assert told["courses"][1] == [[28, 6], [30, 6]]
    assert told["label"] == "Go there: 5 m"


def test_next_deck_is_where_the_nearest_way_ends(gm: User, gm_client: Client) -> None:
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (4, 6), LADDER)
    told = ask(visit, who, "up")
    assert (told["to"], told["parts"]) == ([28, 6], ["Ladder up to Quarters 3 m"])
    visit.post(do="move_to_deck", combatant=who, to="28,6")
    assert state_of(visit.pk)[who].at.z == 3
    assert ask(visit, who, "down")["to"] == [4, 6]
    assert ask(visit, who, "up")["refused"] == "No deck is above this one."
    lay(visit.pk, who, (18, 1), {**HATCH, "locked": True})
    assert "No way leads there" in ask(visit, who, "up")["refused"]


def test_a_way_is_a_place_to_go_to_with_its_price_and_who_waits(gm: User, gm_client: Client) -> None:
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (8, 6), LADDER, {**HATCH, "locked": True})
    told = ask(visit, who, "way:ladder")
    assert told["parts"] == ["Move 4 m", "Ladder up to Quarters 3 m"]
    assert (told["whole"], told["notes"]) == ("In all 7 m (Standard 1, Move 1)", [])
    submit(visit.pk, Submission("place", {"target": "f2", "x": 30, "y": 6}))
    assert ask(visit, who, "way:ladder")["notes"] == ["You arrive 2 m from Pirate."]
    assert price(visit.client, visit, who) == {"ladder": "7 m · Pirate"}, "none for what is locked"
    assert "locked" in ask(visit, who, "way:hatch")["refused"]
    assert "does not begin on this deck" in ask(visit, who, "way:nowhere")["refused"]
    before = load(visit.pk).steps
    visit.post(do="move_to_deck", combatant=who, to="way:ladder")
    assert load(visit.pk).steps == before + 2
    assert state_of(visit.pk)[who].at.z == 3


@pytest.mark.parametrize("across", ["up", "40,2"])
def test_an_open_way_goes_before_a_nearer_shut_one(gm: User, gm_client: Client, across: str) -> None:
    """The shut one is opened where the open one is too far to be used in this turn."""
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (17, 2), HATCH, {**LADDER, "x1": 10, "x2": 34})
    told = ask(visit, who, across)
    assert "Hatch" not in f"{told['parts']} {told['notes']}"
    assert told["parts"][1] == "Ladder up to Quarters 3 m"
    lay(visit.pk, who, (17, 2), HATCH, {**LADDER, "x1": 4, "y1": 12, "x2": 28, "y2": 12})
    submit(visit.pk, Submission("change_map", {"walls": [{"id": "w", "x1": 8, "y1": 0, "x2": 8, "y2": 12}]}))
    told = ask(visit, who, across)
    assert told["parts"] == ["Move 1 m", "Open the hatch"]
    assert "needs 1 Move" in told["notes"][0]


@pytest.mark.parametrize("cell", [0, 1])
def test_a_way_between_squares_is_walked_to(gm: User, gm_client: Client, cell: float) -> None:
    """Of many squares near a ladder those beside it are tried, and its foot, not those that cost least."""
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (8, 6), {**LADDER, "x1": 13, "y1": 7, "x2": 37, "y2": 7})
    submit(visit.pk, Submission("change_map", {"look": {"cell": cell, "weather": "rain"}}))
    assert ask(visit, who, "up")["parts"][1] == "Ladder up to Quarters 3 m"


def test_branch_tries_the_whole_move_and_undoes_it(gm: User, gm_client: Client) -> None:
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (4, 6), LADDER)
    gm_client.post(f"{visit.here}whatif/", {"do": "begin", "step": str(load(visit.pk).steps)})
    branch, here = Branch.objects.get(), f"{visit.here}whatif/1/"
    page = read(gm_client.get(here))
    assert {one["data-step-deck"] for one in page.all("button") if one["data-step-deck"]} == {"up", "down"}
    told = gm_client.get(f"{here}paths/", {"combatant": who, "across": FAR}).json()
    assert told["parts"] == ["Ladder up to Quarters 3 m", "Move 2 m"]
    sent = {"do": "move_to_deck", "combatant": who, "to": FAR}
    assert gm_client.post(here, sent).status_code == 303
    branch.refresh_from_db()
    assert (branch.steps, unpack(branch.state)[who].at.x) == (2, 30)
    assert state_of(visit.pk)[who].at.x == 4, "the fight is as it was"
    refused = gm_client.post(here, {**sent, "to": "29,6"})
    assert (refused.status_code, "another deck" in refused.content.decode()) == (409, True)


def test_what_leads_nowhere_is_refused_with_its_reason(gm: User, gm_client: Client) -> None:
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (18, 1), {**HATCH, "locked": True})
    assert "No way leads there" in ask(visit, who, FAR)["refused"]
    assert "No way leads there" in refusal(visit.post(do="move_to_deck", combatant=who, to=FAR))
    lay(visit.pk, who, (18, 1), HATCH)
    before = load(visit.pk).steps
    assert ask(visit, who, FAR)["parts"][0] == "Open the hatch"
    assert "another deck" in ask(visit, who, "5,5")["refused"]
    assert ask(visit, who, "here").status_code == 422
    assert ask(visit, "f99", FAR).status_code == 404
    assert visit.post(do="move_to_deck", combatant=who, to="").status_code == 422
    assert load(visit.pk).steps == before


def test_players_move_only_their_own_and_by_the_ways_they_know(gm: User, gm_client: Client) -> None:
    encounter = begun(gm, "cosmos")
    visit = Visit(gm_client, encounter.pk)
    cast = gather(encounter, ZARA, MARCUS)
    lay(visit.pk, ZARA, (4, 6), LADDER)
    here = f"{visit.here}paths/"
    assert cast["player"].get(here, {"combatant": ZARA, "across": FAR}).json()["parts"]
    assert cast["other"].get(here, {"combatant": ZARA, "across": FAR}).status_code == 404
    sent = {"do": "move_to_deck", "combatant": ZARA, "to": FAR}
    assert cast["other"].post(visit.here, sent).status_code == 404
    assert state_of(visit.pk)[ZARA].at.z == 0
    assert cast["other"].get(here, {"combatant": ZARA, "ways": "1"}).status_code == 404
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": 30, "y": 6}))
    assert price(cast["player"], visit, ZARA) == {"ladder": "3 m · Pirate"}
    submit(visit.pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    assert price(cast["player"], visit, ZARA) == {"ladder": "3 m"}, "a hidden one waits unseen"
    hidden = [{"id": "a", "x": 22, "y": -2, "width": 24, "depth": 16}]
    submit(visit.pk, Submission("change_map", {"hidden": hidden}))
    assert price(cast["player"], visit, ZARA) == {}
    told = cast["player"].get(here, {"combatant": ZARA, "across": FAR}).json()
    assert "another deck" in told["refused"], "as where no deck is"


@pytest.mark.slow
def test_tap_on_another_deck_tells_the_sum_and_button_goes_there(table: Browser, started: Encounter) -> None:
    who = state_of(started.pk).active
    lay(started.pk, who, (4, 6), LADDER)
    table.reload()
    table.get_by_role("button", name="All", exact=True).click()
    table.mouse.click(*find_on_map(table, 30, 6))
    card = table.locator(".map-card")
    expect(card.locator(".plan > li > b")).to_have_text(["Ladder up to Quarters 3 m", "Move 2 m"])
    expect(card).to_contain_text("In all 5 m")
    expect(table.locator(".carry .carry-way")).to_have_count(2)
    card.get_by_role("button", name="Close").click()
    table.mouse.move(*find_on_map(table, 4, 6))  # the same by dragging
    table.mouse.down()
    table.mouse.move(*find_on_map(table, 30, 6), steps=4)
    expect(table.locator(".carry")).to_contain_text("Another deck: drop to see the way there.")
    table.mouse.up()
    expect(card).to_contain_text("In all 5 m")
    card.get_by_role("button", name="Close").click()
    table.locator('[data-way="ladder"]').first.dispatch_event("click")  # and by a tap on the way itself
    expect(card).to_contain_text("In all 3 m")
    card.get_by_role("button", name="Close").click()
    table.get_by_role("button", name="To the deck above").press("Enter")  # and by keys, to the way's end
    expect(card).to_contain_text("In all 3 m")
    table.keyboard.press("Escape")
    table.mouse.click(*find_on_map(table, 30, 6))
    card.get_by_role("button", name="Go there: 5 m").click()
    expect(card).to_have_count(0)
    expect(table.locator("#log")).to_contain_text("Quarters")
    state = state_of(started.pk)
    assert (state[who].at.x, state[who].at.y) == (30, 6)


@pytest.mark.slow
def test_a_phone_goes_along_to_the_other_deck(
    new_context: CreateContextCallback, live_server: LiveServer, started: Encounter
) -> None:
    who = state_of(started.pk).active
    lay(started.pk, who, (4, 6), LADDER)
    context = new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    sign_in(context, live_server, come(started, ShareLink.PLAY, "Pia", who))
    phone = context.new_page()
    phone.goto(f"{live_server.url}/encounters/{started.pk}/")
    phone.locator(".tabs label", has_text="Scene").tap()
    wait_for_map(phone)
    left, right = phone.evaluate(SHOWN)
    assert left < 4 < right < 23, "it opens at its person, on the lower deck"
    expect(phone.locator(".deck-words[data-price='ladder']").first).to_have_text("3 m")  # before any tap
    expect(phone.locator(".deck-list [data-price='ladder']")).to_have_text("3 m")
    phone.get_by_role("button", name="All", exact=True).tap()
    phone.touchscreen.tap(*find_on_map(phone, 34, 6))  # so far from the ladder that a finger misses its sign
    phone.locator(".map-card").get_by_role("button", name="Go there: 9 m").tap()
    phone.wait_for_function(f"() => {{ const [left] = ({SHOWN})(); return left > 22; }}")
    left, right = phone.evaluate(SHOWN)
    assert 23 <= left < 34 < right


@pytest.mark.slow
def test_a_projector_shows_the_decks_where_people_are(
    new_context: CreateContextCallback, live_server: LiveServer, started: Encounter
) -> None:
    who = state_of(started.pk).active
    lay(started.pk, who, (4, 6), LADDER)
    context = new_context(viewport={"width": 1920, "height": 1080})
    sign_in(context, live_server, come(started, ShareLink.WATCH, "Wall"))
    wall = context.new_page()
    wall.goto(f"{live_server.url}/encounters/{started.pk}/")
    wall.wait_for_function(f"() => {{ const [, right] = ({SHOWN})(); return right < 30; }}")
    middle = sum(wall.evaluate(SHOWN)) / 2
    assert 8 < middle < 12, "the lower deck lies in the middle"
    submit(started.pk, Submission("place", {"target": who, "x": 28, "y": 6}))
    wall.reload()
    wait_for_map(wall)
    left, right = wall.evaluate(SHOWN)
    assert left <= -1
    assert right >= 45


@pytest.mark.parametrize("width", [390, 1024, 1200, 1440])
def test_switch_of_decks_lies_beside_all_that_floats_on_the_map(
    live_server: LiveServer, visitor: Browser, gm_client: Client, started: Encounter, width: int
) -> None:
    here = f"/encounters/{started.pk}/"
    answer = gm_client.post(f"{here}scene/", {"do": "ready", "ready": "patrol_cutter"})
    assert answer.status_code == 303
    visitor.set_viewport_size({"width": width, "height": 844})
    visitor.goto(f"{live_server.url}{here}")
    if width == 390:
        visitor.locator(".tabs label", has_text="Scene").click()
    switch = visitor.locator(".deck-switch")
    expect(switch.locator("button")).to_have_count(4)
    lies = switch.bounding_box()
    floating = visitor.locator(".is-map > .panel-head, .map-frame > .map-tools").filter(visible=True)
    boxes = [one.bounding_box() for one in floating.all()]
    assert lies
    assert len(boxes) > 1
    for box in boxes:
        assert box
        is_beside = box["x"] >= lies["x"] + lies["width"] or lies["x"] >= box["x"] + box["width"]
        is_over = box["y"] >= lies["y"] + lies["height"] or lies["y"] >= box["y"] + box["height"]
        assert is_beside or is_over, (width, lies, box)


@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "starshock", "guardians"])
def test_who_lies_at_the_foot_of_a_ladder_stands_up_and_climbs(
    gm: User, gm_client: Client, slug: str
) -> None:
    """By one tap on the other deck, as far as the turn goes; one that is not declared begins with that."""
    visit = Visit(gm_client, begun(gm, slug).pk)
    who = state_of(visit.pk).active
    lay(visit.pk, who, (4, 6), LADDER)
    submit(visit.pk, Submission("give_condition", {"target": who, "kind": "prone"}))
    told = ask(visit, who, FAR)
    assert told["refused"] == ""
    parts = [*told["parts"]]
    if slug == "starshock":
        assert parts.pop(0).startswith("Declare ")
    assert parts[0] == "Stand up"
    if slug != "guardians":  # there getting up takes the action of the round
        assert parts[1].startswith("Ladder up to Quarters")
    visit.post(do="move_to_deck", combatant=who, to=FAR)
    assert not any(one.kind == "prone" for one in state_of(visit.pk)[who].conditions)
    assert (state_of(visit.pk)[who].at.z > 0) == (slug != "guardians")


def test_list_of_ways_asks_for_the_whole_move_the_nearest_first(gm: User, gm_client: Client) -> None:
    visit, who = begin(gm, gm_client, "cosmos")
    lay(visit.pk, who, (13, 2), LADDER, {**HATCH, "open": True})
    page = read(gm_client.get(visit.here))
    (bar,) = page.all("ul", aria_label="Ways to other decks")
    assert [one["data-way"] for one in page.all("a", inside=bar)] == ["hatch", "ladder"]
    lay(visit.pk, who, (7, 4), LADDER, {**HATCH, "open": True})
    page = read(gm_client.get(visit.here))
    (bar,) = page.all("ul", aria_label="Ways to other decks")
    assert [one["data-way"] for one in page.all("a", inside=bar)] == ["ladder", "hatch"]


@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "starshock"])
def test_form_of_a_way_that_is_too_far_offers_the_walk_to_it(gm: User, gm_client: Client, slug: str) -> None:
    """As the map does: without a script, too."""
    visit, who = begin(gm, gm_client, slug)
    lay(visit.pk, who, (8, 6), LADDER)
    page = read(gm_client.get(f"{visit.here}?combatant={who}&do=way&way=ladder"))
    button = page.one("button", id="roll-app")
    assert button["value"].split()[-1] == "way"
    visit.do("way", combatant=who, way="ladder", plan=button["value"])
    assert state_of(visit.pk)[who].at.z == 3
