"""Items in hand: thrown, knocked away, dropped by a lame arm, drawn freely."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from combat.rules.guardians.world.reach import find_held
from tests.combat.rules.guardians.stage import ADA, BO, RANKS, GuardStage, duel, helpless, trio

KNIGHT = {"blades": 12, "running": 10}
STARS = {"id": "i1", "kind": "weapon", "entry": "throwing_star", "count": 3, "place": "held"}


@pytest.mark.rule("CG-ATK-01")
def test_a_throw_takes_one_star_of_a_stack() -> None:
    stage = GuardStage()
    sheet = {"ranks": {**RANKS, "thrown_weapons": 12}, "items": [STARS]}
    stage.add("Ada", "allies", (0, 0), sheet, pc=True)
    stage.foe("Bo", at=(3, 0))
    stage.begin(ADA, BO)
    helpless(stage)
    stage.attack(10, 9)
    assert [item.count for item in stage[ADA].items if item.data["id"] == "throwing_star"] == [2]
    (star,) = stage.state.ground
    assert (star.count, star.at) == (1, stage[BO].at)
    stage.turn(ADA)
    stage.edit(ADA, at=stage[BO].at)
    stage.do("pick_up", ADA, item=star.id)
    assert sum(i.count for i in stage[ADA].items if i.data["id"] == "throwing_star") == 3


@pytest.mark.rule("CG-LIMB-02")
def test_the_last_arm_drops_what_it_had_taken_up() -> None:
    stage = duel(hero={"shields": ("buckler",), "shield": 9})
    stage.set_part(ADA, "left_arm", 5)
    (shield,) = stage.state.ground
    stage.do("pick_up", ADA, item=shield.id)
    stage.set_part(ADA, "right_arm", 5)
    assert stage.find(ADA, "buckler") is None


@pytest.mark.rule("CG-LIMB-02")
def test_one_arm_keeps_the_shield_and_no_more() -> None:
    stage = duel(hero={"shields": ("buckler",), "gear": ("painkillers",)})
    stage.do("draw", ADA, item=stage.item(ADA, "painkillers").id)
    stage.set_part(ADA, "right_arm", 5)
    assert [item.name for item in find_held(stage[ADA])] == ["Buckler"]


@pytest.mark.rule("CG-SPEC-07")
@pytest.mark.parametrize("die", [4, 1])
def test_a_weapon_knocked_away_stops_at_a_wall(die: int) -> None:
    stage = duel("long_sword", hero=KNIGHT)
    stage.hold_things(BO, "club")
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 2.5, "y1": -5, "x2": 2.5, "y2": 5}]})
    helpless(stage)
    stage.attack(10, 10, "disarm", die)
    (club,) = stage.state.ground
    assert club.at is not None
    assert club.at.x == 2


@pytest.mark.rule("CG-ACT-05")
def test_a_free_draw_of_an_earlier_fight_does_not_count() -> None:
    stage = trio(10, 5, 1, draw_weapon="free_once")
    stage.do("arm", target=ADA, weapon="club")
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.do("put_away", ADA, item=stage.item(ADA, "club").id)
    stage.do("end_fight")
    stage.begin_fight(10, 5, 1)
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    assert stage[ADA].budget["action"] == 1


@pytest.mark.rule("CG-SPEC-07")
def test_a_weapon_flies_away_from_the_attacker() -> None:
    stage = duel("long_sword", hero=KNIGHT)
    stage.hold_things(BO, "club")
    stage.edit(ADA, at=Point(0, 3))
    stage.edit(BO, at=Point(0, 2))
    helpless(stage)
    stage.attack(10, 10, "disarm", 4)
    (club,) = stage.state.ground
    assert club.at == Point(0, -2)


@pytest.mark.rule("CG-LIMB-02", "CG-BLEED-03", "CG-TORSO-03")
@pytest.mark.parametrize("hurt", [("left_arm",), ("left_arm", "right_arm")])
def test_work_by_hand_takes_a_usable_arm(hurt: tuple[str, ...]) -> None:
    stage = duel(hero={"gear": ("painkillers",), "first_aid": 9})
    gate = {"id": "d1", "x1": 0.5, "y1": -0.5, "x2": 0.5, "y2": 0.5, "kind": "door", "name": "Gate"}
    stage.do("set_map", map={"walls": [gate]})
    stage.edit(BO, at=Point(0, 0))
    stage.give(BO, "bleeding", marks={"part": "left_leg", "ends_at": 600})
    for arm in hurt:
        stage.give(ADA, "disabled", marks={"part": arm})
    deeds = {
        "first_aid": ({"target": BO, "place": "left_leg"}, (100,)),
        "painkillers": ({"target": ADA}, ()),
        "door": ({"door": "d1"}, ()),
    }
    for name, (fields, dice) in deeds.items():
        stage.turn(ADA)
        if len(hurt) == 2:
            assert "arms are both hurt" in stage.refused(name, ADA, **fields).message
        else:
            stage.do(name, ADA, dice=dice, **fields)


@pytest.mark.rule("CG-FAT-06")
@pytest.mark.parametrize("name", ["first_aid", "door", "pick_up", "put_away"])
def test_work_by_hand_is_no_rest_and_does_not_tire(name: str) -> None:
    stage = duel("club", hero={"first_aid": 9})
    gate = {"id": "d1", "x1": 0.5, "y1": -0.5, "x2": 0.5, "y2": 0.5, "kind": "door", "name": "Gate"}
    stage.do("set_map", map={"walls": [gate]})
    stage.edit(BO, at=Point(0, 0))
    stage.give(BO, "bleeding", marks={"part": "left_leg", "ends_at": 600})
    club = stage.item(ADA, "club").id
    if name != "put_away":
        stage.do("let_go", ADA, item=club)
    fields, dice = {
        "first_aid": ({"target": BO, "place": "left_leg"}, (100,)),
        "door": ({"door": "d1"}, ()),
        "pick_up": ({"item": club}, ()),
        "put_away": ({"item": club}, ()),
    }[name]
    stage.do(name, ADA, dice=dice, **fields)
    assert stage[ADA].marks.get("active") is True
    assert "physical" not in stage[ADA].marks
