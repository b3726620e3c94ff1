"""Joining inside a vehicle: places by the order they join, its speed, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from combat.play.whatif.forecast_jobs import try_out
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state.state import State, present

CEPHEUS = find_system("cepheus")


def join(state: State, block: str, **fields: Any) -> State:
    return try_out(CEPHEUS, state, "join", {"block": block, **fields})


def test_first_drives_and_second_takes_an_armed_vehicles_guns() -> None:
    state = join(CEPHEUS.begin(), "core_afv", name="Carrier")
    state = join(state, "street_thug", count=3, inside="Carrier")
    (carrier, *thugs) = present(state)
    assert [one.station for one in thugs] == ["driver", "gunner", "passenger"]
    assert find_aboard(state, carrier.id) == tuple(thugs)


def test_last_of_two_namesake_cars_is_meant_and_no_beast_drives() -> None:
    state = join(join(CEPHEUS.begin(), "core_ground_car"), "core_ground_car", speed=60)
    first, last = present(state)
    assert "speed_kph" not in first.marks
    assert last.marks["speed_kph"] == 60
    state = join(state, "killer_beast", inside="Ground Car")
    state = join(state, "street_thug", inside="Ground Car")
    assert [one.station for one in find_aboard(state, last.id)] == ["passenger", "driver"]
    state = join(state, "street_thug", inside=first.id)
    assert [one.station for one in find_aboard(state, first.id)] == ["driver"]


@pytest.mark.parametrize(
    ("block", "fields", "why"),
    [
        ("street_thug", {"inside": "Ground Car", "count": 5}, "Ground Car is full: it has 4 places."),
        ("street_thug", {"inside": "Tram"}, "Nothing here that others can be inside is called “Tram”."),
        ("street_thug", {"inside": "Ground Car", "later": True}, "Those who arrive later get in"),
        ("street_thug", {"speed": 10}, "Street Thug is no vehicle"),
        ("core_ground_car", {"speed": 151}, "goes 0 to 150 km/h now, not 151"),
        ("core_ground_car", {"speed": -1}, "goes 0 to 150 km/h now, not -1"),
    ],
)
def test_impossible_place_or_speed_is_refused_with_the_reason(
    block: str, fields: dict[str, Any], why: str
) -> None:
    state = join(CEPHEUS.begin(), "core_ground_car")
    with pytest.raises(Refused, match=why):
        join(state, block, **fields)


@pytest.mark.parametrize("slug", ["cosmos", "starshock", "guardians"])
def test_games_without_vehicles_refuse_both(slug: str) -> None:
    system = find_system(slug)
    block = next(iter(system.book.find_blocks()))
    state = try_out(system, system.begin(), "join", {"block": block, "name": "Van"})
    for fields in ({"inside": "f1"}, {"speed": 10}):
        with pytest.raises(Refused, match="In this game nobody is inside others"):
            try_out(system, state, "join", {"block": block, **fields})


def test_no_vehicle_drives_the_vehicle_it_is_inside() -> None:
    state = join(CEPHEUS.begin(), "core_g_carrier", name="Carrier")
    state = join(join(state, "core_ground_car", inside="Carrier"), "street_thug", inside="Carrier")
    assert [one.station for one in find_aboard(state, "f1")] == ["passenger", "driver"]
