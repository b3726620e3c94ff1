"""Ways between decks: movement of their length, on a map and in zones.  RULING R50"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.starshock import SYSTEM
from tests.combat.rules.every_game.decks import LADDER, make_ship
from tests.combat.rules.starshock.fight.test_zones_over_decks import put as put_in
from tests.combat.rules.starshock.fight.test_zones_over_decks import ship
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, find_notes
from tests.combat.rules.starshock.tactics.test_plans import play_turn
from tests.combat.rules.starshock.ways_to_move import PIT, board, put


def raise_deck(stage: StarStage, height: float, kind: str = "ladder", *ways: dict[str, Any]) -> None:
    """Put the upper deck of a ship with these ways, besides the one, at a height; people go along."""
    drawn = make_ship({**LADDER, "kind": kind}, *ways)
    low, high = drawn["decks"]
    tops = {
        zone["id"]: height for zone in map(msgspec.to_builtins, stage.state.scene.zones) if zone["x"] > 22
    }
    zones = [
        {**zone, "height": tops.get(zone["id"], 0)}
        for zone in map(msgspec.to_builtins, stage.state.scene.zones)
    ]
    stage.do("set_scene", scene={"zones": zones, "settings": dict(stage.state.scene.settings)})
    stage.do("set_map", map={**drawn, "decks": [low, {**high, "height": height}]})


@pytest.mark.rule("SS-OTHER-04")
@pytest.mark.parametrize(
    ("kind", "height", "slow", "moves"),
    [
        ("ladder", 3, False, 1),
        ("ladder", 5, False, 1),
        ("ladder", 6, False, 2),
        ("ladder", 3, True, 2),
        ("ladder", 10, True, 3),
        ("stairs", 3, True, 1),
        ("lift", 11, True, 3),
        ("ladder", 40, False, 3),
    ],
)
def test_a_way_costs_a_move_for_each_five_meters(kind: str, height: int, slow: bool, moves: int) -> None:
    stage = board("ladder", slow_ladders=slow)
    raise_deck(stage, height, kind)
    assert find_notes(stage.preview("way", ADA, way="ladder")) == (f"{moves} Move{'s'[: moves - 1]}",)
    stage.do("way", ADA, way="ladder")
    assert (stage[ADA].at.z, stage[ADA].budget["actions"]) == (height, 3 - moves)


@pytest.mark.rule("SS-RATE-01")
def test_a_rate_of_one_move_climbs_with_it() -> None:
    stage = board("ladder", slow_ladders=True, rate_move=1)
    stage.do("way", ADA, way="ladder")
    assert stage[ADA].budget["actions"] == 2


def test_too_few_actions_are_refused_and_nothing_happens() -> None:
    stage = board("ladder", slow_ladders=True)
    stage.turn(ADA, 1)
    assert stage.refused("way", ADA, way="ladder").code == "no_budget"


@pytest.mark.rule("SS-ZONE-05", "SS-OTHER-07")
@pytest.mark.parametrize(("height", "slow", "moves"), [(3, False, 1), (3, True, 2), (12, False, 3)])
def test_a_border_over_a_ladder_costs_as_the_ladder(height: int, slow: bool, moves: int) -> None:
    stage = ship(LADDER)
    stage.state = replace(stage.state, options={"slow_ladders": slow})
    raise_deck(stage, height)
    put_in(stage, ADA, "west")
    put_in(stage, BO, "east")
    stage.turn(ADA, 3)
    assert find_notes(stage.preview("move", ADA, to="zone:high_west"))[0] == f"{moves} Move{'s'[: moves - 1]}"
    stage.do("move", ADA, to="zone:high_west")
    assert (stage[ADA].at.z, stage[ADA].budget["actions"]) == (height, 3 - moves)


@pytest.mark.rule("SS-PRONE-01")
def test_the_prone_climb_nothing_and_the_form_says_so() -> None:
    stage = board("ladder")
    stage.give(ADA, "prone")
    assert "prone" in stage.refused("way", ADA, way="ladder").message


def hammer(stage: StarStage, here: str, there: str) -> StarStage:
    """Bo hits Ada of another zone of his deck with a hammer, and pushes."""
    put_in(stage, BO, here)
    put_in(stage, ADA, there)
    stage.hold(BO, "grav_hammer")
    stage.turn(BO, 1)
    return stage


@pytest.mark.rule("SS-MANV-03")
def test_nobody_is_pushed_up_a_ladder_or_through_a_floor() -> None:
    stage = hammer(ship(LADDER), "west", "west")
    stage.do("attack", BO, target=ADA, weapon=f"{BO}-w0", dice=[(5, 5), "0"])
    assert stage.zone_of(ADA) == "east", "the ladder leads nobody up"
    stage = hammer(ship(LADDER), "high_west", "high_west")
    stage.do("attack", BO, target=ADA, weapon=f"{BO}-w0", dice=[(5, 5), "0"])
    assert stage.zone_of(ADA) == "high_east", "nor down through the floor"


@pytest.mark.rule("SS-MANV-03", "SS-FALL-02")
def test_who_is_pushed_down_a_hole_between_zones_falls_by_height() -> None:
    stage = ship(LADDER, PIT)
    raise_deck(stage, 12, "ladder", PIT)
    hammer(stage, "high_west", "high_west")
    stage.edit(BO, at=stage[ADA].at)
    put_in(stage, ADA, "high_east")
    put_in(stage, BO, "high_east")
    answers: list[Any] = [(5, 5), "0", "east", (1, 1)]
    stage.do("attack", BO, target=ADA, weapon=f"{BO}-w0", dice=answers)
    (fall,) = [told for told in stage.told(e.TrackChanged) if "why.fall" in str(told.why)]
    assert (fall.new - fall.old, stage[ADA].at.z) == (2, 0)
    order = [type(fact.event).__name__ for fact in stage.facts]
    assert order.index("Moved") < order.index("TrackChanged"), "first the push, then the fall, then the blow"


@pytest.mark.rule("SS-FALL-02")
def test_who_stands_on_a_lid_falls_when_it_opens() -> None:
    stage = board("lid")
    stage.do("set_door", door="lid", open=True, dice=[(4,)])
    assert (stage[ADA].at.x, stage[ADA].at.z, stage.damage(ADA)) == (6, 0, 4)


@pytest.mark.rule("SS-ACT-02", "SS-OTHER-04")
@pytest.mark.parametrize("height", [3, 12])
def test_auto_play_declares_what_a_slow_ladder_costs(height: int) -> None:
    stage = board("ladder", slow_ladders=True)
    raise_deck(stage, height)
    stage.hold(ADA, "dagger")
    put(stage, BO, 44, 11)
    assert play_turn(stage)[:2] == ["declare", "way"]
    assert stage[ADA].at.z == height


@pytest.mark.rule("SS-ACT-02", "SS-ZONE-05")
def test_auto_play_climbs_in_zones_too() -> None:
    stage = ship(LADDER)
    raise_deck(stage, 40)
    stage.hold(ADA, "dagger")
    put_in(stage, ADA, "west")
    put_in(stage, BO, "high_east")
    assert play_turn(stage) == ["declare", "move"]
    assert stage[ADA].at.z == 40
    assert SYSTEM.tactics.suggest(stage.state, ADA) is None
