"""Zones over decks: links say where one goes, floors say what one hits."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point, count_steps, on_ground
from combat.rules.starshock.world.place import is_within
from tests.combat.rules.every_game.decks import HEIGHT, LADDER, SHAFT, make_ship
from tests.combat.rules.starshock.figures import ADA, BO, StarStage

GALLERY = {"id": "gallery", "kind": "gallery", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [37, 5, 3, 3]}
# Two zones on each deck: the ladder joins the western ones, the hole is between the eastern ones
ZONES = [
    {"id": "west", "name": "West", "x": -1, "y": -1, "width": 11, "depth": 14},
    {"id": "east", "name": "East", "x": 10, "y": -1, "width": 11, "depth": 14},
    {"id": "high_west", "name": "High west", "x": 23, "y": -1, "width": 11, "depth": 14, "height": HEIGHT},
    {"id": "high_east", "name": "High east", "x": 34, "y": -1, "width": 11, "depth": 14, "height": HEIGHT},
]
PLACES = {"west": 2, "east": 18, "high_west": 26, "high_east": 42}


def ship(*ways: dict[str, Any], links: dict[str, dict[str, int]] | None = None) -> StarStage:
    """Ada with a ray gun, and Bo, in a ship of two decks with two zones each."""
    stage = StarStage()
    zones = [{**zone, "links": (links or {}).get(str(zone["id"]), {})} for zone in ZONES]
    stage.do("set_scene", scene={"zones": zones})
    stage.do("set_map", map=make_ship(*ways))
    stage.hero("Ada", at=(0, 0))
    stage.foe("Bo", at=(0, 0))
    stage.begin(ADA, BO)
    stage.hold(ADA, "ray_gun")
    return stage


def put(stage: StarStage, who: str, zone: str) -> None:
    stage.edit(who, at=on_ground(stage.state.scene, Point(PLACES[zone], 3)))


def aim(stage: StarStage, here: str, there: str) -> int:
    """The penalty of a shot from zone to zone for its range, in points."""
    put(stage, ADA, here)
    put(stage, BO, there)
    terms = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun")).modifiers
    return -sum(term.value for term in terms if term.rule in ("SS-RANGE-03", "SS-RANGE-05"))


def refuse(stage: StarStage, here: str, there: str) -> str:
    put(stage, ADA, here)
    put(stage, BO, there)
    return stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun")).message


@pytest.mark.rule("SS-ZONE-06", "SS-RANGE-03")
def test_a_floor_stops_a_shot_along_a_ladder() -> None:
    stage = ship(LADDER)
    assert count_steps(stage.state.scene, "west", "high_west") == 1
    for here, there in (("west", "high_west"), ("high_west", "west"), ("east", "high_east")):
        assert "A floor is between" in refuse(stage, here, there)
        assert not is_within(stage.state, stage[ADA], stage[BO], 9, 99)
    assert aim(stage, "west", "east") == 1


@pytest.mark.rule("SS-ZONE-06", "SS-RANGE-03")
@pytest.mark.parametrize("hole", [SHAFT, GALLERY])
def test_open_hole_lets_shots_pass_between_zones_above_and_below(hole: dict[str, Any]) -> None:
    stage = ship(LADDER, hole)
    assert (aim(stage, "east", "high_east"), aim(stage, "high_east", "east")) == (1, 1)
    assert (aim(stage, "west", "high_east"), aim(stage, "west", "high_west")) == (2, 3)
    assert is_within(stage.state, stage[ADA], stage[BO], 3, 0)


def test_a_shut_shaft_stops_them_and_a_gallery_leads_nobody_up() -> None:
    assert "A floor is between" in refuse(ship({**SHAFT, "open": False}), "east", "high_east")
    stage = ship(GALLERY)
    assert count_steps(stage.state.scene, "east", "high_east") is None
    assert count_steps(stage.state.scene, "east", "high_east", hits=True) == 1
    assert "not linked" in stage.refused("move", ADA, to="zone:high_east").message


@pytest.mark.rule("SS-ZONE-02")
def test_gms_links_from_deck_to_deck_are_only_for_walking() -> None:
    stage = ship(links={"west": {"high_west": 1, "east": 2}, "high_west": {"high_east": 1}})
    assert count_steps(stage.state.scene, "west", "high_west") == 1
    assert "A floor is between" in refuse(stage, "west", "high_west")
    assert aim(stage, "west", "east") == 2


@pytest.mark.rule("SS-ZONE-13")
@pytest.mark.parametrize(
    ("here", "there", "bonus"),
    [("west", "east", True), ("east", "west", False), ("high_west", "high_east", True)],
)
def test_an_elevated_zone_lies_above_the_others_of_its_deck(here: str, there: str, bonus: bool) -> None:
    stage = ship(LADDER)
    zones = [{**zone, "terrain": ["elevated"] if zone["id"] == here else []} for zone in ZONES]
    if not bonus:
        zones = [{**zone, "terrain": ["elevated"] if zone["id"] == there else []} for zone in ZONES]
    stage.do("set_scene", scene={"zones": zones})
    put(stage, ADA, here)
    put(stage, BO, there)
    terms = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun")).modifiers
    assert any(term.rule == "SS-ZONE-13" for term in terms) is bonus
