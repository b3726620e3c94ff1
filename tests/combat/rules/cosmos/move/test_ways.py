"""Ways between decks, and holes in them: movement of their length, with all that a move asks.  RULING R60"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.space import Point, map_of, on_ground
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace
from combat.rules.cosmos.characters.sheet import is_able
from combat.rules.cosmos.demo import make_boarding
from tests.combat.rules.cosmos.duels import add_ally
from tests.combat.rules.cosmos.figures import CosmosStage, words

ADA, BO, CY = "f1", "f2", "f3"
UP = 24  # what lies above a place of the lower deck is drawn so far to the right
BOX: dict[str, Any] = {"y": -1, "width": 22, "depth": 14}
HOLE = [UP + 10, 4, 4, 4]


def ship(height: float = 3, kind: str = "ladder", *zones: dict[str, Any]) -> CosmosStage:
    """Ada at the foot of a way at (4, 6), Bo in a corner above; a gallery of 4 m, and a shut hatch."""
    stage = CosmosStage()
    stage.hero(weapons=("pistol", "club"))
    stage.foe(weapons=("pistol", "club"), attributes={"MIG": 9})
    for who in (ADA, BO):
        stage.draw_all(who)
    low, high = {"id": "low", "x": -1, **BOX}, {"id": "high", "x": UP - 1, "height": height, **BOX}
    ground = [{"name": zone["id"], **zone} for zone in (low, high, *zones)]
    stage.do("set_scene", scene={"zones": ground})
    decks = [{"id": f"d{n}", "name": f"Deck {n}", "x": n * UP - 1, **BOX} for n in (0, 1)]
    decks[1].update(height=height, shift=UP)
    way = {"id": "way", "kind": kind, "x1": 4, "y1": 6, "x2": UP + 4, "y2": 6}
    gallery = {"id": "gallery", "kind": "gallery", "x1": 9, "y1": 6, "x2": UP + 9, "y2": 6, "hole": HOLE}
    lid = {"id": "lid", "kind": "hatch", "x1": 18, "y1": 0, "x2": UP + 18, "y2": 0, "open": False}
    stage.do("set_map", map={"decks": decks, "ways": [way, gallery, {**lid, "hole": [UP + 17, 5, 3, 3]}]})
    stand(stage, ADA, 4, 6)
    stand(stage, BO, UP + 20, 12)
    return stage.begin()


def stand(stage: CosmosStage, who: str, x: float, y: float) -> None:
    """Put someone on the ground at a place."""
    stage.edit(who, at=on_ground(stage.state.scene, Point(x, y)))


def watch(stage: CosmosStage, who: str, when: str = "move") -> None:
    marks = {"weapon": stage.weapon(who, "pistol"), "trigger": "a move", "when": when, "zone": ""}
    stage.give(who, "overwatch", marks=marks)


def burned(stage: CosmosStage, who: str) -> bool:
    return any(told.who == who and told.why == "why.fire" for told in stage.told(e.TrackChanged))


def around(x: float, y: float, tag: str, height: float = 0) -> dict[str, Any]:
    """Two meters of such ground around a place."""
    return {"id": tag, "x": x - 1, "y": y - 1, "width": 2, "depth": 2, "height": height, "terrain": [tag]}


# ---------------------------------------------------------------- its length


@pytest.mark.rule("COS-ACT-08")
@pytest.mark.parametrize("kind", ["ladder", "stairs", "lift", "shaft", "hatch"])
def test_way_costs_a_move_action_up_to_speed_else_the_whole_turn(kind: str) -> None:
    for height, left in ((3, (1, 0, 3)), (11, (1, 0, 3)), (12, (0, 0, 0)), (30, (0, 0, 0))):
        stage = ship(height, kind)
        stage.do("way", ADA, way="way")
        assert (stage[ADA].at.x, stage[ADA].at.z) == (UP + 4, height)
        assert tuple(stage[ADA].budget.values()) == left, height
        assert [moved.cost for moved in stage.told(e.Moved)] == [height]


@pytest.mark.rule("COS-ACT-08")
def test_meters_to_a_way_count_in_the_form_and_the_preview() -> None:
    stage = ship(11)
    stand(stage, ADA, 3, 6)
    (note,) = stage.preview("way", ADA, way="way").notes
    assert words(note) == "12 m of movement: the whole turn"
    stage.edit(ADA, budget={"standard": 1, "move": 1, "quick": 2})
    assert "whole turn" in stage.refused("way", ADA, way="way").message
    (option,) = stage.form("way", ADA)["way"].options
    assert "whole turn" in option.refused
    stand(stage, ADA, 4, 6)
    assert words(stage.preview("way", ADA, way="way").notes[0]) == "11 m of movement: a Move Action"
    stage.do("way", ADA, way="way")


@pytest.mark.rule("COS-COND-28")
def test_prone_crawl_up_stairs_at_half_speed_and_climb_nothing() -> None:
    stage = ship(8, "stairs")
    stage.give(ADA, "prone")
    stage.do("way", ADA, way="way")
    assert stage[ADA].budget["standard"] == 0
    stage = ship(8)
    stage.give(ADA, "prone")
    assert stage.refused("way", ADA, way="way").message == "Stand up before climbing."


@pytest.mark.rule("COS-TERR-02", "COS-TERR-04")
def test_rubble_at_a_ladders_end_costs_defense_and_double_meters() -> None:
    for x, height in ((4, 0), (UP + 4, 3)):
        stage = ship(3, "ladder", around(x, 6, "rubble", height))
        stage.do("way", ADA, way="way")
        assert stage.has(ADA, "rough_going")
    stage = ship(3, "ladder", around(4, 6, "rubble"))
    stand(stage, ADA, 3.2, 6)
    stage.do("way", ADA, way="way")
    ((cost, meters),) = [(moved.cost, moved.metres) for moved in stage.told(e.Moved)]
    assert (cost, meters) == (4.6, 3), "0.8 m of rubble, and the ladder"


# ---------------------------------------------------------------- watchers, fire, fear, people


@pytest.mark.rule("COS-MANV-16")
@pytest.mark.parametrize("x", [1, UP + 1])
def test_a_watcher_is_asked_at_the_foot_and_at_the_top(x: float) -> None:
    stage = ship()
    stand(stage, BO, x, 8)
    watch(stage, BO)
    stage.do("way", ADA, dice=["hold"], way="way")
    assert [request.who for request in stage.asked] == [BO]


@pytest.mark.rule("COS-MANV-17")
def test_who_is_shot_down_at_the_foot_stays_there() -> None:
    stage = ship()
    stand(stage, ADA, 3.2, 6)
    stand(stage, BO, 1, 8)
    stage.set_track(ADA, hp=5)
    watch(stage, BO)
    stage.do("way", ADA, dice=["shoot", (9, 9), 8], way="way")
    assert stage[ADA].at.z == 0
    assert stage.has(ADA, "dying")


@pytest.mark.rule("COS-TERR-08")
def test_fire_at_either_end_of_a_ladder_burns_the_climber() -> None:
    for x, height in ((UP + 4, 3), (4, 0)):
        stage = ship(3, "ladder", around(x, 6, "fire", height))
        stand(stage, ADA, 3, 6)
        stage.do("way", ADA, dice=[4], way="way")
        assert burned(stage, ADA)
        assert stage[ADA].at.z == 3


@pytest.mark.rule("COS-COND-19")
def test_the_frightened_take_no_way_nearer_to_what_they_fear() -> None:
    stage = ship()
    stand(stage, BO, UP + 5, 6)
    stage.give(ADA, "frightened", by=BO)
    assert "Frightened" in stage.refused("way", ADA, way="way").message
    (option,) = stage.form("way", ADA)["way"].options
    assert "Frightened" in option.refused
    stand(stage, BO, 5, 6)
    stage.do("way", ADA, way="way")


def test_climber_comes_out_beside_those_who_stand_there() -> None:
    stage = ship()
    stand(stage, BO, UP + 4, 6)
    stage.do("way", ADA, way="way")
    assert max(abs(stage[ADA].at.x - UP - 4), abs(stage[ADA].at.y - 6)) == 1


# ---------------------------------------------------------------- holes


@pytest.mark.rule("COS-TERR-12")
def test_a_hole_is_climbed_down_from_beside_it() -> None:
    stage = ship()
    stand(stage, ADA, UP + 9, 6)
    to = f"{UP + 10.5},6"
    assert stage.refused("move", ADA, to=to).message == "The way drops 3 m: climb down (high)."
    assert "choose high, 3 m" in stage.refused("climb", ADA, obstacle="medium", to=to).message
    stage.do("climb", ADA, obstacle="high", metres=3, to=to, dice=[(9, 9)])
    assert stage[ADA].at == Point(10.5, 6)
    (moved,) = stage.told(e.Moved)
    assert moved.metres == 3
    stage.turn(ADA)
    assert "No way" in stage.refused("climb", ADA, obstacle="high", to=f"{UP + 9},6").message


@pytest.mark.rule("COS-TERR-12")
def test_climb_down_begins_beside_the_hole_and_reaches_its_depth() -> None:
    stage = ship(5)
    stand(stage, ADA, UP + 4, 6)
    to = f"{UP + 10.5},6"
    assert "next to the hole" in stage.refused("climb", ADA, obstacle="high", metres=5, to=to).message
    stand(stage, ADA, UP + 9, 6)
    assert "choose high, 5 m" in stage.refused("climb", ADA, obstacle="high", metres=4, to=to).message
    stage.do("climb", ADA, obstacle="high", metres=5, to=to, dice=[(1, 1)])
    assert stage[ADA].at.z == 5, "the roll failed"


@pytest.mark.rule("COS-TERR-08", "COS-MANV-17")
def test_a_climb_down_meets_what_is_below() -> None:
    stage = ship(3, "ladder", around(10.5, 6, "fire"))
    stand(stage, ADA, UP + 9, 6)
    stand(stage, BO, 8, 6)
    watch(stage, BO)
    to = f"{UP + 10.5},6"
    stage.do("climb", ADA, obstacle="high", to=to, dice=[(9, 9), "hold", 3])
    assert burned(stage, ADA)


@pytest.mark.rule("COS-ENV-03", "COS-ZG-02")
def test_without_gravity_one_pushes_through_a_hole_and_over_it() -> None:
    stage = ship()
    stage.do("set_setting", key="gravity", value="zero")
    stand(stage, ADA, UP + 9, 6)
    stage.do("move", ADA, to=f"{UP + 10.5},6")
    assert stage[ADA].at == Point(10.5, 6)
    assert sum(moved.cost for moved in stage.told(e.Moved)) == 3, "up and along, the greater of the two"
    stage.turn(ADA)
    stage.do("move", ADA, to=f"{UP + 9},6")
    assert stage[ADA].at == Point(UP + 9, 6, 3, UP)
    stage.turn(ADA)
    stage.do("full_move", ADA, to=f"{UP + 15},6")
    assert (stage[ADA].at.x, stage[ADA].at.z) == (UP + 15, 3)


@pytest.mark.rule("COS-ENV-03")
def test_without_gravity_nothing_falls_into_a_hole() -> None:
    stage = ship()
    stage.do("set_setting", key="gravity", value="zero")
    stand(stage, ADA, UP + 9, 6)
    stage.do("hurl", ADA, item=stage.weapon(ADA, "club"), to=f"{UP + 16},6")
    (club,) = stage.state.ground
    assert club.at is not None
    assert (club.at.x, club.at.z) == (UP + 19, 3)
    stage = ship()
    stage.do("set_setting", key="gravity", value="zero")
    stand(stage, ADA, UP + 9.6, 6)
    stage.give(ADA, "drifting", marks={"x": 1000, "y": 0})
    stage.do("next_turn")
    assert (stage[ADA].at.x, stage[ADA].at.z) == (UP + 10.6, 3)
    stage.do("next_turn")
    stage.do("next_turn")
    assert (stage[ADA].at.x, stage[ADA].at.z) == (UP + 11.6, 3)


@pytest.mark.rule("COS-MANV-06", "COS-TERR-08", "COS-HAZ-01")
def test_a_throw_through_a_hole_into_fire_falls_and_burns() -> None:
    stage = ship(3, "ladder", around(10.5, 6, "fire"))
    stand(stage, BO, UP + 8, 6)
    stand(stage, ADA, UP + 9, 6)
    stage.give(ADA, "grappled", by=BO)
    stage.turn(BO)
    stage.do("squeeze", BO, target=ADA, effect="throw", dice=[(9, 9), (1, 1), 2, (1, 1), 5, 4])
    assert stage[ADA].at.z == 0
    assert [told.why for told in stage.told(e.TrackChanged)] == ["why.thrown_down", "why.fall", "why.fire"]


@pytest.mark.rule("COS-HAZ-01")
@pytest.mark.parametrize("by", ["gm", "player"])
def test_who_stands_on_a_lid_that_opens_falls_and_can_walk_on(by: str) -> None:
    stage = ship(3, "ladder", around(18, 6, "fire"))
    stand(stage, ADA, UP + 18, 6)
    dice: list[tuple[int, ...] | int | str] = [(9, 9), 5, 4]
    if by == "gm":
        stage.do("set_door", door="lid", open=True, dice=dice)
    else:
        stand(stage, BO, UP + 18, 1)
        stage.turn(BO)
        stage.do("door", BO, door="lid", dice=dice)
    assert stage[ADA].at.z == 0
    assert stage.hp(ADA) == 96 - 5 // 2 - 4
    stage.turn(ADA)
    stage.do("stand", ADA)
    stage.do("move", ADA, to="14,6", dice=[] if by == "gm" else [3])  # burned in this turn, or not


def test_who_falls_onto_someone_comes_to_rest_beside_them() -> None:
    stage = ship()
    stand(stage, ADA, UP + 18, 6)
    stand(stage, BO, 18, 6)
    stage.do("set_door", door="lid", open=True, dice=[(9, 9), 1])
    assert stage[ADA].at.z == 0
    assert max(abs(stage[ADA].at.x - 18), abs(stage[ADA].at.y - 6)) == 1


@pytest.mark.rule("COS-ENV-03")
def test_without_gravity_one_on_an_opened_lid_floats_and_moves() -> None:
    stage = ship()
    stage.do("set_setting", key="gravity", value="zero")
    stand(stage, ADA, UP + 18, 6)
    stage.do("set_door", door="lid", open=True)
    assert stage[ADA].at == Point(UP + 18, 6, 3, UP)
    stage.do("move", ADA, to=f"{UP + 18},3")


@pytest.mark.rule("COS-ENV-05", "COS-HAZ-01")
def test_a_jump_into_a_hole_falls_and_one_over_it_does_not() -> None:
    stage = ship()
    stand(stage, ADA, UP + 9, 6)
    stage.do("jump", target=ADA, metres=6, to=f"{UP + 15},6")
    assert (stage[ADA].at.x, stage[ADA].at.z) == (UP + 15, 3)
    stage.do("jump", target=ADA, metres=3, to=f"{UP + 13},6", dice=[(1, 1), 5])
    assert stage[ADA].at == Point(13, 6)
    assert stage.hp(ADA) == 91


# ---------------------------------------------------------------- round the hole of a demo


@pytest.mark.rule("COS-MOVE-02")
def test_a_walk_leads_round_the_drive_shaft_of_the_blue_sun() -> None:
    stage = CosmosStage()
    for step in make_boarding().setup:
        stage.do(step.name, **dict(step.command))
    stand(stage, CY, 24, 5)
    stage.begin(CY)
    stage.do("full_move", CY, to="30,5.5")
    (moved,) = stage.told(e.Moved)
    assert len(moved.path) > 2
    assert all(place.z == 3 for place in moved.path)
    assert map_of(stage.state.scene).ways


@pytest.mark.rule("COS-MOVE-02")
def test_two_people_never_end_on_one_spot() -> None:
    stage = ship()
    cy = add_ally(stage, (8, 8), side="enemies")
    stand(stage, BO, 8, 6)
    assert stage.refused("move", ADA, to="8,6").message == "Bo is there: choose a place beside them."
    assert stage.refused("move", ADA, to="8.3,6.2").code == "not_allowed"
    stage.do("move", ADA, to="8,6", far=True)
    assert max(abs(stage[ADA].at.x - 8), abs(stage[ADA].at.y - 6)) >= 1
    assert stage.refused("jump", target=ADA, metres=9, to="8,6").code == "not_allowed"
    stand(stage, cy, 9, 6)
    stand(stage, ADA, 12, 6)
    stage.turn(ADA)
    stage.do("move", ADA, to=f"near:{BO}")
    assert max(abs(stage[ADA].at.x - 9), abs(stage[ADA].at.y - 6)) >= 1
    assert max(abs(stage[ADA].at.x - 8), abs(stage[ADA].at.y - 6)) == 1, "within arm's reach of Bo"


@pytest.mark.rule("COS-MOVE-02")
def test_tactics_go_round_the_shaft_and_nobody_shares_a_spot() -> None:
    """Soldiers below, thugs with knives above, on both sides of the drive shaft."""
    stage = CosmosStage()
    stage.do(make_boarding().setup[0].name, **dict(make_boarding().setup[0].command))
    below = [stage.add(name, block="soldier") for name in ("Ada", "Cy", "Di", "Ed")]
    above = [stage.add(name, "enemies", block="street_thug") for name in ("Bo", "Flo", "Gus")]
    spots = ((2, 2), (3, 4), (4, 6), (5, 3), (23.5, 5), (24, 7), (31, 6))
    for who, spot in zip((*below, *above), spots, strict=True):
        stand(stage, who, *spot)
    stage.begin()
    driver, idle = AutoDriver(random.Random(3)), 0
    while {stage[who].side for who in stage.state.order if is_able(stage[who])} == {"allies", "enemies"}:
        who, before = stage.state.active, stage.state
        while found := stage.system.tactics.suggest(stage.state, who):
            stage.state = play(stage, *found, driver)
            for one, other in combinations(stage.state.combatants.values(), 2):
                assert max(abs(one.at.x - other.at.x), abs(one.at.y - other.at.y)) >= 0.5, (one, other)
        idle = idle + 1 if stage.state is before and is_able(stage[who]) else 0
        assert idle < len(stage.state.order), "everyone stands still"
        stage.state = play(
            stage, "next_turn", read_command(find_action(stage.system, "next_turn"), {}), driver
        )


def play(stage: CosmosStage, name: str, command: Any, driver: AutoDriver) -> State:
    """The state after an action with random dice."""
    done = run(stage.system, stage.state, find_action(stage.system, name), command, driver)
    assert isinstance(done, Done)
    return done.state


@pytest.mark.rule("COS-MANV-17")
def test_who_is_shot_down_on_anothers_spot_lies_beside_them() -> None:
    stage = ship()
    cy = add_ally(stage, (8, 6))
    stand(stage, BO, 8, 0)
    stage.set_track(ADA, hp=5)
    stage.zone("lane", x=7.8, y=5, width=1, depth=2)
    stage.edit(ADA, at=Point(7.6, 6))
    watch(stage, BO)
    stage.edit(
        BO, conditions=tuple(replace(c, marks={**c.marks, "zone": "lane"}) for c in stage[BO].conditions)
    )
    stage.do("move", ADA, to="12,6", dice=["shoot", (9, 9), 8])
    assert stage.has(ADA, "dying")
    assert max(abs(stage[ADA].at.x - stage[cy].at.x), abs(stage[ADA].at.y - stage[cy].at.y)) >= 0.5
