"""Moving tokens on the map: the rules answer where one can go and what that causes."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from combat.display.plane.crowd import TOKEN_METERS
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.space import Point, map_of, path_length
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import is_open
from tests.browser import find_on_map, wait_for_map
from tests.combat.cast import gather
from tests.combat.markup import find_versions
from tests.combat.visit import (
    MARCUS,
    PIRATE,
    ZARA,
    Visit,
    begun,
    combatant,
    load,
    state_of,
    stored,
)
from tests.typed import sure


def paths(visit: Visit, **query: str) -> Any:
    """The answer to the pointer."""
    found = visit.client.get(f"{visit.here}paths/", {"combatant": ZARA, **query})
    assert found.status_code == 200
    return found.json()


def test_places_are_those_of_the_first_action_that_leads_there(visit: Visit) -> None:
    found = paths(visit)
    moves = [move["do"] for move in found["moves"]]
    assert moves[0] == "move"
    assert len(moves) > 1, "whoever runs gets farther"
    by_place = {(x, y): (cost, moves[number]) for x, y, _, _, cost, number, *_ in found["places"]}
    assert by_place[10, 2] == (6.1, "move")
    assert any(cost > 10 and do != "move" for cost, do in by_place.values())


@pytest.mark.slow
def test_zoneless_map_has_places_and_bare_plane_says_what_to_do(visit: Visit) -> None:
    submit(visit.pk, Submission("set_scene", {"scene": {}}))
    assert len(paths(visit)["places"]) > 50
    assert visit.page(do="move").all("path", class_="cell")
    submit(visit.pk, Submission("set_map", {"map": {}}))
    assert paths(visit)["refused"] == "Nothing is drawn here: choose Move, and type where to go."


def test_token_leads_nowhere_that_is_only_aimed_at(gm_client: Client, gm: User) -> None:
    """A moved token walks, although its combatant could fire blindly at the place."""
    fight = begun(gm, "cepheus")
    visit, state = Visit(gm_client, fight.pk), state_of(fight.pk)
    aimed = find_system("cepheus").action("blind_lob")
    assert find_refusal(aimed, state, state.active) is None
    assert [move["do"] for move in paths(visit, combatant=state.active)["moves"]] == ["move"]
    asked = {"combatant": state.active, "do": aimed.name, "to": "3,3"}
    assert visit.client.get(f"{visit.here}paths/", asked).status_code == 404


# ---- The path there ----

WALL = {"id": "w1", "x1": 8.5, "y1": -1.5, "x2": 8.5, "y2": 4.5}


def walk_back(found: Any, place: list[float]) -> list[Point]:
    """The places where the path turns, and its end."""
    legs, number = [Point(*place[2:4])], int(place[7])
    while number >= 0:
        x, y, before = found["turns"][number]
        legs.insert(0, Point(x, y))
        assert before < number
        number = before
    return legs


def test_ways_lead_round_a_wall_from_turn_to_turn(visit: Visit) -> None:
    before = paths(visit)
    assert not before["turns"]
    assert {place[7] for place in before["places"]} == {-1}, "without a wall all are straight"
    submit(visit.pk, Submission("change_map", {"walls": [WALL]}))
    found, state = paths(visit), state_of(visit.pk)
    start, drawn = state[ZARA].at, map_of(state.scene)
    for place in found["places"]:
        path = (start, *walk_back(found, place))
        assert all(is_open(drawn, Grid(), a, b) for a, b in itertools.pairwise(path))
        assert path_length(path) <= place[4] + 0.1
    assert any(place[7] >= 0 for place in found["places"])
    many = len(found["places"])
    assert len(json.dumps(found)) - len(json.dumps(before)) < 20 * many, "a turn is told once"


@pytest.mark.slow
def test_place_held_over_is_led_to_as_the_rules_go(visit: Visit) -> None:
    submit(visit.pk, Submission("change_map", {"walls": [WALL]}))
    start = combatant(visit.pk, ZARA).at
    first, *turns, last = paths(visit, do="full_move", to="10,2")["way"]
    assert first == [start.x, start.y]
    assert turns
    assert last == [10, 2]
    assert paths(visit, do="full_move", to="40,40")["way"][-1] != [40, 40], "as far as one gets"


def test_chosen_square_shows_the_way_there(visit: Visit) -> None:
    """Tap and tap, or by keyboard: the form is a page of its own."""
    submit(visit.pk, Submission("change_map", {"walls": [WALL]}))
    page = visit.page(combatant=ZARA, do="full_move", to="10,2")
    drawn = page.one("path", class_="carry-way")["d"]
    assert drawn.endswith("L10 2")
    assert drawn.count("L") > 1
    assert not visit.page(combatant=ZARA, do="full_move").all("path", class_="carry-way")


def test_way_says_what_it_does_and_what_stands_against_it(visit: Visit) -> None:
    assert "moves 6.1 m" in " ".join(paths(visit, do="move", to="10,2")["words"])
    assert "moves 9.5 m" in " ".join(paths(visit, do="move", to="30,2")["words"]), "as far as one gets"
    assert "moves 10 m" in " ".join(paths(visit, do="move", to="30,9")["words"]), "where nobody stands"
    assert paths(visit, do="move", to="nowhere")["refused"]
    assert paths(visit, do="dance", to="1,1")["refused"]


@pytest.mark.slow
def test_way_says_whom_it_provokes(visit: Visit) -> None:
    """Zara holds her fire for anyone who moves: she is asked first."""
    visit.act("overwatch", ZARA, trigger="anyone who moves")
    visit.do("next_turn")
    before = stored(visit.pk)
    (provoked,) = paths(visit, combatant=PIRATE, do="move", to="16,6")["provokes"]
    assert provoked.startswith("Zara")
    assert stored(visit.pk) == before, "asking does nothing"


def test_ways_tell_nothing_of_the_hidden(visit: Visit, started: Encounter) -> None:
    """A place where a combatant unknown to the player stands looks as free as any other."""
    submit(visit.pk, Submission("place", {"target": PIRATE, "x": 10, "y": 2}))
    cast = gather(started, ZARA, MARCUS)
    visit.client = cast.gm
    shown = cast.player.get(f"{visit.here}paths/?combatant={ZARA}")
    assert [10.0, 2.0] not in [place[:2] for place in shown.json()["places"]]
    submit(visit.pk, Submission("hide", {"target": PIRATE}))
    unseen = cast.player.get(f"{visit.here}paths/?combatant={ZARA}")
    assert [10.0, 2.0] in [place[:2] for place in unseen.json()["places"]]
    assert "Pirate" not in unseen.content.decode()


def test_nobody_moves_out_of_turn(visit: Visit) -> None:
    found = visit.client.get(f"{visit.here}paths/", {"combatant": MARCUS}).json()
    assert not found["places"]
    assert found["refused"]


def test_large_combatant_is_drawn_to_scale_beneath_the_others(visit: Visit) -> None:
    before = visit.page().all("g", class_="token")
    assert before[-1]["data-token"] == ZARA, "whose turn it is lies on top"
    submit(visit.pk, Submission("resize", {"target": MARCUS, "metres": 6}))
    tokens = visit.page().all("g", class_="token")
    assert [one["data-token"] for one in tokens] == [MARCUS, PIRATE, ZARA]
    scale = float(tokens[0]["transform"].split("scale(")[1].rstrip(")"))
    assert scale * TOKEN_METERS == pytest.approx(6, abs=0.05)


# ---- In the browser ----


def carry(table: Browser, who: str, x: float, y: float) -> None:
    """Pick a token up and hold it over a place."""
    wait_for_map(table)
    box = sure(table.locator(f'[data-combatant="{who}"] .token > .mark').bounding_box())
    table.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    table.mouse.down()
    table.mouse.move(*find_on_map(table, x, y), steps=5)


def go_back(table: Browser, started: Encounter) -> None:
    table.get_by_role("button", name="Undo").click()
    expect(table.locator("#log .is-undone").first).to_contain_text("Zara moves")
    assert combatant(started.pk, ZARA).at.x < 6


def test_token_is_carried_by_mouse(table: Browser, started: Encounter) -> None:
    check_cost_of_a_drag(table, started)
    check_refused_place(table, started)
    carry(table, PIRATE, 30, 12)  # the GM puts the others anywhere
    table.mouse.up()
    token = table.locator(f'[data-combatant="{PIRATE}"] .token')
    expect(token).to_have_attribute("transform", re.compile(r"translate\(30 12\)"))
    check_way_round_a_wall(table, started)


def check_cost_of_a_drag(table: Browser, started: Encounter) -> None:
    """It is shown before letting go, and one undo takes the move back."""
    steps = load(started.pk).steps
    carry(table, ZARA, 10, 2)
    expect(table.locator(".carry-words").last).to_have_text("Move: 6.1 m, 3.9 m left")
    table.mouse.up()
    expect(table.locator("#log")).to_contain_text("Zara moves 6.1 m")
    assert load(started.pk).steps == steps + 1
    assert (combatant(started.pk, ZARA).at.x, combatant(started.pk, ZARA).at.y) == (10, 2)
    go_back(table, started)
    expect(table.locator(".carry")).to_have_count(0)


def check_refused_place(table: Browser, started: Encounter) -> None:
    """A place out of reach is refused before letting go."""
    before = load(started.pk).version
    carry(table, ZARA, 31, 13)
    expect(table.locator(".carry")).to_contain_text("Out of reach")
    table.mouse.up()
    expect(table.locator(".carry"), "let go").to_have_count(0)
    assert load(started.pk).version == before, "a refused place"


def check_way_round_a_wall(table: Browser, started: Encounter) -> None:
    """It is drawn while dragging."""
    submit(started.pk, Submission("change_map", {"walls": [WALL]}))
    table.reload()
    expect(table.locator("html")).to_have_class(re.compile(r"\bjs\b"))
    carry(table, ZARA, 10, 2)
    expect(table.locator(".carry-words").last).to_contain_text("m left")
    drawn = table.locator(".carry > .carry-way")
    expect(drawn).to_have_attribute("points", re.compile(r"^4,3 (\S+ )+10,2$"))
    table.mouse.move(*find_on_map(table, 31, 13))
    expect(table.locator(".carry > .carry-no")).to_have_attribute("points", re.compile(r"^4,3 \S+$"))
    table.mouse.up()


def test_token_moves_by_buttons(table: Browser, started: Encounter) -> None:
    for _ in range(2):
        table.get_by_role("button", name="Step right").click()
        expect(table.locator(".carry-words").last).to_contain_text("Move: ")
    table.locator("[data-step-go]").click()
    expect(table.locator("#log")).to_contain_text("Zara moves")
    assert combatant(started.pk, ZARA).at.x > 6
    go_back(table, started)
    check_steps_on_a_map_that_is_zoomed_in(table)


def check_steps_on_a_map_that_is_zoomed_in(table: Browser) -> None:
    """They stay in sight."""
    for _ in range(3):
        table.get_by_role("button", name="Zoom in").click()
    table.keyboard.press("ArrowRight")
    token = table.locator(f'[data-combatant="{ZARA}"] .token')
    shown = "() => document.querySelector('.map').getAttribute('viewBox').split(' ').map(Number)"
    left, *_ = table.evaluate(shown)
    assert left > 4, "Zara stands outside of what is shown"
    table.get_by_role("button", name="Step right").click()
    words = table.locator(".carry-words").last
    expect(words).to_contain_text("Move: ")
    left, top, width, height = table.evaluate(shown)
    assert left < 6 < left + width
    assert top < 3 < top + height
    assert float(words.get_attribute("y") or 0) > top + 0.2, "words end where the map does"
    expect(token).to_be_visible()


def test_finger_measures_hides_and_moves_without_moving_the_page(table: Browser, started: Encounter) -> None:
    finger = table.context.new_cdp_session(table)

    def touch(kind: str, *spot: float) -> None:
        points = [{"x": spot[0], "y": spot[1], "id": 1}] if spot else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(*meters: tuple[float, float]) -> None:
        touch("touchStart", *find_on_map(table, *meters[0]))
        for place in meters[1:]:
            touch("touchMove", *find_on_map(table, *place))

    table.get_by_role("button", name="Measure").click()
    swipe((14, 4), (15, 5), (16, 7), (18, 10), (18, 12))
    expect(table.locator(".carry-words")).to_have_text("8.9 m")
    touch("touchEnd")
    table.get_by_role("button", name="Hide an area").click()
    swipe((20, 4), (21, 5), (22, 7), (24, 10), (25, 12))
    touch("touchEnd")
    expect(table.locator("g.unseen")).to_have_count(1)
    (area,) = map_of(state_of(started.pk).scene).hidden
    assert (area.width, area.depth) == pytest.approx((5, 8), abs=0.2)
    box = sure(table.locator(f'[data-combatant="{ZARA}"] .token > .mark').bounding_box())
    start, goal = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), find_on_map(table, 10, 2)
    touch("touchStart", *start)
    touch("touchMove", (start[0] + goal[0]) / 2, (start[1] + goal[1]) / 2)
    touch("touchMove", *goal)
    expect(table.locator(".carry-words").last).to_contain_text("Move: 6.1 m")
    touch("touchEnd")
    expect(table.locator("#log")).to_contain_text("Zara moves 6.1 m")


@pytest.mark.slow
def test_move_sends_no_ground_again(visit: Visit) -> None:
    """Two thousand walls do not move: a move sends the token, not the walls."""
    walls = [
        {"id": f"w{n}", "x1": n % 50, "y1": 40 + n / 50, "x2": n % 50 + 1, "y2": 40 + n / 50}
        for n in range(2000)
    ]
    submit(visit.pk, Submission("change_map", {"walls": walls}))
    whole = visit.page()
    assert len(whole.one("path", class_="wall")["d"]) > 10_000
    sent = {"version": visit.version(), "do": "place", "target": ZARA, "x": "3", "y": "3"}
    answer = visit.client.post(
        visit.here, sent, headers={"HX-Request": "true", "X-Regions": find_versions(whole.html)}
    )
    told = answer.content.decode()
    assert answer.status_code == 200
    assert "translate(3 3)" in told
    assert 'class="wall' not in told
    actions = told[told.index('id="turn-offer"') : told.index('id="log-')]  # some ask who is in reach
    assert len(told) - len(actions) < 20_000
