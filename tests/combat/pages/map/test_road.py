"""A chase on the table: the road with its vehicles, drawn and in words, as far as a viewer knows them."""

from __future__ import annotations

import re
from html import unescape

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.declaration.book import step
from tests.combat.cast import Cast, gather
from tests.combat.markup import read_text
from tests.combat.pages.table.patching import Node, OpenPage
from tests.combat.visit import begun, play, state_of

CAR, SARN, PELL, BLACK_CAR, DRIVER, GUNMAN = (f"f{n}" for n in range(1, 7))
ROAD = find_system("cepheus").demo.make_all()[1]
# What both drawings show of a car: the upright road takes it from the other
CAR_DRAWN = {"road-wide": "car", "road-tall": f"car-{CAR}"}


def begin_chase(gm: User) -> Encounter:
    """The demo chase, but with the couriers at 60 km/h, and a black car 30 m behind them."""
    made = begun(gm, "cepheus", 1)
    for car in (CAR, BLACK_CAR):
        submit(made.pk, Submission("set_motion", {"target": car, "speed": 60, "facing": 90}))
    submit(made.pk, Submission("place", {"target": BLACK_CAR, "x": 30, "y": 6}))
    made.refresh_from_db()
    return made


@pytest.fixture
def chase(gm: User) -> Encounter:
    return begin_chase(gm)


@pytest.fixture
def cast(chase: Encounter) -> Cast:
    """Everyone at the chase; the player has Sarn, who drives."""
    return gather(chase, SARN, PELL)


def read(client: Client, chase: Encounter) -> str:
    return client.get(f"/encounters/{chase.pk}/").content.decode()


def find_cards(html: str) -> list[str]:
    """The cards of the vehicles as text, from the front to the rear."""
    listed = html.partition('<ol class="cars">')[2].partition("</ol>")[0]
    cards = listed.split('<li class="car-card')[1:]
    return [" ".join(read_text(f"<{card}", 0, len(card) + 1).split()) for card in cards]


@pytest.mark.slow
def test_cards_say_who_is_inside_how_fast_and_how_far(cast: Cast, chase: Encounter) -> None:
    first, second = find_cards(read(cast.gm, chase))
    for words in ("Courier car", "60 km/h", "of 150", "leads by 30 m", "Sarn", "at the controls", "Pell"):
        assert words in first
    for words in ("Black car", "30 m behind · medium range · keeps the distance", "Driver", "Gunman"):
        assert words in second


def test_cards_follow_what_happens(cast: Cast, chase: Encounter) -> None:
    play(chase.pk, ROAD.script[1:7])
    assert "130 m behind · long range · falls back 100 m a round" in find_cards(read(cast.gm, chase))[1]


def test_drawing_is_for_eyes_only_and_shows_the_same(cast: Cast, chase: Encounter) -> None:
    html = read(cast.watcher, chase)
    for name in ("road-wide", "road-tall"):
        drawn = html.partition(f'class="{name}" aria-hidden="true"')[2].partition("<ol")[0]
        assert "Courier car" in drawn
        assert "30 m: medium range" in drawn or name == "road-tall"
        assert f"#{CAR_DRAWN[name]}" in drawn


def test_name_of_a_band_stands_in_a_lane_without_a_vehicle(gm_client: Client, chase: Encounter) -> None:
    submit(chase.pk, Submission("place", {"target": BLACK_CAR, "x": -210, "y": 6}))
    tall = read(gm_client, chase).partition('class="road-tall"')[2]
    names = re.findall(r'<svg y="([\d.]+)%"[^>]*><text class="road-name at-start" x="(\d+)"', tall)
    cars = re.findall(r'<svg class="car [^"]*" x="(42|126)" y="([\d.]+)%"', tall)
    middles = {int(x): float(down) for x, down in cars}
    for down, x in names:
        left, right = (abs(middles[lane] - float(down)) for lane in (42, 126))
        assert x == ("90" if left < min(right, 16) else "6")
    assert {x for _, x in names} == {"6", "90"}


def test_band_name_stands_clear_of_the_nearer_vehicle_on_a_road(gm_client: Client, chase: Encounter) -> None:
    wide = read(gm_client, chase).partition('class="road-wide"')[2].partition('class="road-tall"')[0]
    names = re.findall(r'<text class="road-name" x="([\d.]+)%" y="(\d+)"', wide)
    cars = {
        down: float(at) for at, down in re.findall(r'<svg class="car [^"]*" x="([\d.]+)%" y="(38|114)"', wide)
    }
    for at, down in names:
        upper, lower = (abs(cars[lane] - float(at)) for lane in ("38", "114"))
        assert down == ("146" if upper < min(lower, 16) else "16")
    assert {down for _, down in names} == {"16", "146"}


def test_players_do_not_learn_how_fast_the_others_could_be(cast: Cast, chase: Encounter) -> None:
    first, second = find_cards(read(cast.player, chase))
    assert "of 150" in first
    assert "yours · leads by 30 m" in first
    assert "of 150" not in second
    assert "yours" not in second
    assert not any("of 150" in card for card in find_cards(read(cast.watcher, chase)))


def test_who_is_hidden_is_not_on_the_road_of_players(cast: Cast, chase: Encounter) -> None:
    submit(chase.pk, Submission("hide", {"target": BLACK_CAR, "hidden": True}, by="gm"))
    assert len(find_cards(read(cast.gm, chase))) == 2
    for client in (cast.player, cast.watcher):
        html = read(client, chase)
        assert 'class="road"' not in html, "one vehicle alone is no chase"
        assert "Black car" not in html.partition('id="scene"')[2].partition("</section>")[0]


def test_a_fight_on_foot_has_no_road(gm_client: Client, started: Encounter) -> None:
    assert 'class="road"' not in read(gm_client, started)


def test_verge_is_the_ground_of_the_scene(cast: Cast, chase: Encounter) -> None:
    """The ground around all zones is the largest floor under the sky, or space."""
    scene = state_of(chase.pk).scene
    for floor in ["soil", "void", "grass"]:
        zones = [{**msgspec.to_builtins(zone), "floor": floor, "terrain": []} for zone in scene.zones]
        submit(chase.pk, Submission("set_scene", {"scene": {"name": "Road", "zones": zones}}, by="gm"))
        assert f'class="road ground-{floor}"' in read(cast.watcher, chase), floor


# ---- Driving by a tap ----

STRETCH = re.compile(r'<a href="\?([^"]*)"[^>]*aria-label="(\d+ m), ([^"]*)"')


def find_stretches(client: Client, chase: Encounter) -> list[tuple[str, str, str]]:
    """The stretches of the road that lies: the address, the length, and the gap to the nearest opponent."""
    drawn = read(client, chase).partition('class="road-wide road-ways"')[2].partition("</svg>\n<svg")[0]
    return [(unescape(query), length, gap) for query, length, gap in STRETCH.findall(drawn)]


def test_stretches_say_their_cost_and_the_gap_then(cast: Cast, chase: Encounter) -> None:
    play(chase.pk, ROAD.script[1:3])
    told = [found[1:] for found in find_stretches(cast.player, chase)]
    assert told[:2] == [("50 m", "80 m ahead"), ("100 m", "130 m ahead")]
    assert told[-1] == ("200 m", "230 m ahead"), "a damaged drive goes 135 km/h: 225 m a round"


def test_tapped_stretch_is_driven(cast: Cast, chase: Encounter) -> None:
    play(chase.pk, ROAD.script[1:3])
    query = find_stretches(cast.player, chase)[1][0]
    path = f"/encounters/{chase.pk}/"
    html = cast.player.get(f"{path}?{query}").content.decode()
    assert "Drive 100 m" in " ".join(html.split())
    fields = {"do": "drive", "combatant": SARN, "why": "course", "to": "160,6", "dice": "app"}
    version = OpenPage(cast.player, path).table.attrs["data-version"]
    cast.player.post(path, fields | {"version": version})
    assert (state_of(chase.pk)[CAR].at.x, state_of(chase.pk)[SARN].at.x) == (160, 160)
    assert find_stretches(cast.player, chase) == [], "it has been driven this round"


def test_only_the_driver_and_gm_have_stretches_and_in_turn_only(cast: Cast, chase: Encounter) -> None:
    assert find_stretches(cast.player, chase) == [], "the gunman's turn"
    play(chase.pk, ROAD.script[1:3])
    assert find_stretches(cast.gm, chase) == find_stretches(cast.player, chase) != []
    assert find_stretches(cast.watcher, chase) == []
    play(chase.pk, ROAD.script[3:5])
    assert state_of(chase.pk).active == PELL
    assert find_stretches(cast.gm, chase) == []


# ---- What leads the page of someone in a car ----


def find_tiles(client: Client, chase: Encounter) -> list[str]:
    """The usual actions as text, the recommended one first."""
    tiles = re.findall(r'<a class="action.*?</a>', read(client, chase), re.DOTALL)[:4]
    return [" ".join(read_text(tile, 0, len(tile)).split()) for tile in tiles]


def test_no_stance_and_no_vain_shot_leads_the_page_inside_a_car(cast: Cast, chase: Encounter) -> None:
    for done in ROAD.script[1:11]:
        first, *others = find_tiles(cast.gm, chase)
        assert "Cannot hit" not in first
        for words in ("Change stance", "Two minor actions"):
            assert not [tile for tile in (first, *others) if words in tile], (
                state_of(chase.pk).active,
                first,
            )
        play(chase.pk, [done])


def test_shots_at_a_car_that_moves_can_hit(cast: Cast, chase: Encounter) -> None:
    """The first shot is before the cars move. Then each has moved 100 m: −3 by the house rule, not −10."""
    assert find_tiles(cast.gm, chase)[0].startswith("Attack 1 Courier car 72%")
    play(chase.pk, [step("next_turn"), step("drive", actor=SARN), step("next_turn")])
    assert state_of(chase.pk).active == PELL
    assert find_tiles(cast.gm, chase)[0].startswith("Attack 1 Black car 92%")
    play(chase.pk, [step("next_turn"), step("drive", actor=DRIVER), step("next_turn")])
    assert state_of(chase.pk).active == GUNMAN
    assert find_tiles(cast.gm, chase)[0].startswith("Attack 1 Courier car 28%")
    play(chase.pk, [step("next_turn"), step("drive", actor=SARN), step("next_turn")])
    assert state_of(chase.pk).active == PELL
    assert find_tiles(cast.gm, chase)[0].startswith("Attack 1 Black car 58%")


# ---- The same on a grid ----

FOLD = "board-plain"


def find_grid(page: OpenPage) -> tuple[Node, list[str]]:
    """The fold with the grid, and the people on it."""
    fold = page.root.find("board-plain")
    return fold, [node.attrs["data-token"] for node in fold.walk() if "data-token" in node.attrs]


def test_grid_is_drawn_only_for_a_page_that_asks(cast: Cast, chase: Encounter) -> None:
    path = f"/encounters/{chase.pk}/"
    page = OpenPage(cast.gm, path)
    fold, people = find_grid(page)
    assert not people
    assert "open" not in fold.attrs
    page.look("?fold=board-plain")  # its link, without scripts
    assert page.whole == 1
    fold, people = find_grid(page)
    assert len(people) == 6
    assert "open" in fold.attrs
    page.look()
    assert not find_grid(page)[1]


@pytest.mark.slow
@pytest.mark.parametrize("who", ["gm", "player", "watcher"])
def test_grid_stays_while_its_fold_is_open(who: str, cast: Cast, chase: Encounter) -> None:
    page = OpenPage(cast[who], f"/encounters/{chase.pk}/", FOLD)
    if who == "gm":
        assert page.post(do="next_turn") == 200
    page.look()
    assert len(find_grid(page)[1]) == 6
    assert page.table.attrs["data-tag"] != OpenPage(page.client, page.path).table.attrs["data-tag"]


def test_who_is_hidden_is_not_on_the_grid_of_players(cast: Cast, chase: Encounter) -> None:
    submit(chase.pk, Submission("hide", {"target": GUNMAN, "hidden": True}, by="gm"))
    for who in ("player", "watcher"):
        assert GUNMAN not in find_grid(OpenPage(cast[who], f"/encounters/{chase.pk}/", FOLD))[1]
