"""The road of a chase: lanes, names and words, from the places and speeds of the vehicles."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from combat.audience.viewer import GM, Viewer
from combat.display.map.road import LABEL, MOST_LANES, view_road
from combat.display.shapes.scene_shapes import RoadView
from combat.pages.table.rows import view_combatants
from combat.rules.cepheus.vehicles.driving import PURSUES
from combat.rules.core.space import Point, Scene, Zone
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage

EAST = 90


@pytest.fixture
def garage() -> Garage:
    """A car of a player character at 60 km/h, heading east."""
    garage = Garage()
    garage.moving(garage.vehicle(at=(0, 0)), 60, EAST)
    return garage


def follow(garage: Garage, x: float, speed: int = 60, heading: int = EAST) -> None:
    """Another vehicle on the same road."""
    name = f"Van {len(garage.state.combatants)}"
    garage.moving(garage.vehicle(name, at=(x, 0), side="enemies", pc=False), speed, heading)


def view(garage: Garage, viewer: Viewer = GM) -> RoadView:
    views = view_combatants(garage.system, garage.state, viewer)
    context: Any = SimpleNamespace(system=garage.system, known_state=garage.state, viewer=viewer)
    found = view_road(context, views)
    assert found
    return found


@pytest.mark.parametrize(
    ("x", "speed", "gap", "gain"),
    [
        (-80, 90, "80 m behind · long range", "gains 50 m a round"),
        (-20, 30, "20 m behind · medium range", "falls back 50 m a round"),
        (40, 90, "40 m ahead · medium range", "pulls away 50 m a round"),
        (40, 30, "40 m ahead · medium range", "loses 50 m a round"),
        (0, 60, "level · personal range", "keeps the distance"),
    ],
)
def test_words_say_how_far_and_how_that_changes(
    garage: Garage, x: float, speed: int, gap: str, gain: str
) -> None:
    follow(garage, x, speed)
    other = next(car for car in view(garage).cars if car.name != "Car")
    assert (other.gap, other.gain) == (gap, gain)


@pytest.mark.parametrize(
    ("x", "speed", "gain"),
    [
        (-20, 100, "keeps 20 m behind"),
        (-50, 100, "catches up"),
        (-80, 90, "gains 50 m a round"),
        (-20, 30, "falls back 50 m a round"),
        (40, 90, "pulls away 50 m a round"),
    ],
)
def test_pursuer_stays_behind_its_quarry_and_never_passes_it(
    garage: Garage, x: float, speed: int, gain: str
) -> None:
    follow(garage, x, speed)
    car, van = garage.state.combatants
    garage.edit(van, marks={**garage[van].marks, PURSUES: car})
    other = next(one for one in view(garage).cars if one.name != "Car")
    assert other.gain == gain


def test_quarry_stays_ahead_of_its_pursuer(garage: Garage) -> None:
    follow(garage, 20, 10)
    car, van = garage.state.combatants
    garage.edit(car, marks={**garage[car].marks, PURSUES: van})
    other = next(one for one in view(garage).cars if one.name != "Car")
    assert other.gain == "keeps 20 m ahead"


def test_the_one_with_players_says_how_far_it_leads(garage: Garage) -> None:
    follow(garage, -80)
    follow(garage, -30)
    own = next(car for car in view(garage).cars if car.name == "Car")
    assert (own.gap, own.gain) == ("leads by 30 m", "")


def test_vehicles_side_by_side_are_in_lanes_of_their_own(garage: Garage) -> None:
    for _ in range(2):
        follow(garage, 0)
    road = view(garage)
    assert sorted(car.lane for car in road.cars) == [0, 1, 2]
    assert road.lanes == 3
    for _ in range(4):
        follow(garage, 0)
    assert view(garage).lanes == MOST_LANES, "a crowd shares lanes"


def test_two_lanes_of_an_upright_road_are_broader_than_many(garage: Garage) -> None:
    follow(garage, 0)
    assert (view(garage).narrow, {car.aside for car in view(garage).cars}) == (168, {42, 126})
    follow(garage, 0)
    assert (view(garage).narrow, {car.aside for car in view(garage).cars}) == (180, {30, 90, 150})


def test_small_marks_of_the_ruler_are_fifths_of_the_large_ones(garage: Garage) -> None:
    follow(garage, -80)
    road = view(garage)
    (first, _), (second, _) = road.ticks[:2]
    part = (second - first) / 5
    assert 0 <= road.notch < part
    assert road.notch + road.notches * part == pytest.approx(100, abs=0.1)
    assert (first - road.notch) / part == pytest.approx(round((first - road.notch) / part), abs=0.05)


def test_upright_road_says_how_far_a_vehicle_is_without_the_band(garage: Garage) -> None:
    follow(garage, -80)
    assert {car.place for car in view(garage).cars} == {"leads by 80 m", "80 m behind"}


def test_everything_is_inside_the_drawing_and_no_name_on_another(garage: Garage) -> None:
    for x in (-300, -200, -190, 150):
        follow(garage, x)
    road = view(garage)
    assert all(5 < car.at < 95 for car in road.cars)
    assert all(0 <= tick <= 100 for tick, _ in road.ticks)
    assert all(0 <= band.start < band.end <= 100 for band in road.bands)
    names = [car.label_at for car in road.cars]
    assert all(after - before >= LABEL - 0.01 for before, after in pairwise(names))


def test_car_that_stands_or_heads_elsewhere_is_placed_and_turned(garage: Garage) -> None:
    follow(garage, 60, 0, heading=180)
    other = next(car for car in view(garage).cars if car.name != "Car")
    assert (other.turn, other.upright_turn, other.speed, other.meters) == (90, 0, 0, 60)


def test_ruler_goes_on_beyond_the_map_and_words_say_so(garage: Garage) -> None:
    """Zero stays the beginning of the road when those on it have left the map."""
    garage.state = replace(
        garage.state, scene=Scene("Coast", (Zone("road", "Road", 0.0, y=-5.0, width=160.0),))
    )
    follow(garage, 120)
    for far in (0, 100):
        for who, one in garage.state.combatants.items():
            garage.edit(who, at=Point(one.at.x + far, 0))
        cars = {car.name: car for car in view(garage).cars}
        assert [cars[name].meters for name in ("Car", "Van 1")] == [far, 120 + far]
        assert [cars[name].is_off_map for name in ("Car", "Van 1")] == [False, far == 100]
    garage.edit(next(iter(garage.state.combatants)), at=Point(180, 0))
    assert {car.name: car.meters for car in view(garage).cars} == {"Car": 180, "Van 1": 220}
