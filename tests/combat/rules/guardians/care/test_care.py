"""First Aid, painkillers and items in hand."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.space import Point
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.characters.values import find_ranks
from tests.combat.rules.guardians.stage import ADA, BO, CY, RANKS, GuardStage, duel, lone

TONIC = {
    "id": "i1", "kind": "item",
    "record": {"id": "tonic", "name": "Tonic", "origin": "house", "torso_penalty_becomes": -1},
}  # fmt: skip


def ward(**options: Any) -> GuardStage:
    """Ada the medic beside Cy, and Bo some way off; her turn."""
    stage = GuardStage(**options)
    stage.hero("Ada", first_aid=10, gear=("painkillers", "painkillers"))
    stage.foe("Bo", at=(9, 0))
    stage.hero("Cy", blades=11, at=(1, 0))
    return stage.begin(ADA, BO, CY)


@pytest.mark.rule("CG-BLEED-03")
def test_one_limb_at_a_time_and_the_others_go_on() -> None:
    stage = ward()
    for limb in ("left_arm", "right_arm"):
        stage.set_part(CY, limb, 0)
    stage.do("first_aid", ADA, dice=(1,), target=CY, place="right_arm")
    assert stage.is_so(CY, "bleeding", "left_arm")
    assert not stage.is_so(CY, "bleeding", "right_arm")


@pytest.mark.rule("CG-BLEED-03")
def test_a_kit_helps() -> None:
    stage = lone(first_aid=10, gear=("first_aid_kit",))
    stage.begin(ADA)
    stage.set_part(ADA, "left_leg", 0)
    stage.do("first_aid", ADA, dice=(55,), target=ADA, place="left_leg")
    assert stage.first().against == 55
    assert not stage.is_so(ADA, "bleeding", "left_leg")


@pytest.mark.rule("CG-BLEED-03", "CG-LOC-10")
def test_first_aid_wakes_from_a_blow_and_not_from_a_head_wound() -> None:
    stage = ward()
    stage.do("impose", target=CY, kind="unconscious", rounds=5)
    stage.do("first_aid", ADA, dice=(1,), target=CY)
    assert not stage.has(CY, "unconscious")
    assert stage.has(CY, "prone")
    stage.turn(ADA)
    stage.set_part(CY, "head", 5)
    assert stage.refused("first_aid", ADA, target=CY).code == "bad_target"


@pytest.mark.rule("CG-BLEED-03")
def test_first_aid_needs_someone_near_who_needs_it() -> None:
    stage = ward()
    stage.set_part(BO, "left_arm", 0)
    assert stage.refused("first_aid", ADA, target=BO, place="left_arm").code == "out_of_range"
    assert stage.refused("first_aid", ADA, target=CY, place="left_arm").code == "bad_target"
    preview = find_action(SYSTEM, "first_aid").preview
    assert preview is not None
    stage.set_part(CY, "left_arm", 0)
    command = read_command(
        find_action(SYSTEM, "first_aid"), {"actor": ADA, "target": CY, "place": "left_arm"}
    )
    assert sum(term.value for term in preview(stage.state, command).modifiers) == 0
    assert sum(term.value for term in preview(stage.state, command).against) == 50


@pytest.mark.rule("CG-TORSO-03")
def test_painkillers_make_a_torn_torso_cost_three_ranks() -> None:
    stage = ward(painkiller_rounds=2)
    stage.set_part(CY, "torso", 10)
    assert find_ranks(stage.state, stage[CY], "blades") == 6
    for _ in range(2):
        stage.turn(ADA)
        stage.do("painkillers", ADA, target=CY)
        assert find_ranks(stage.state, stage[CY], "blades") == 8
    assert stage.find(ADA, "painkillers") is None
    assert "no painkillers" in stage.obstacle("painkillers", ADA)
    held = next(c for c in stage[CY].conditions if c.kind == "painkillers")
    assert held.marks["ends_at"] == stage.state.clock + 6 * 3


# ---------------------------------------------------------------- items in hand


@pytest.mark.rule("CG-ACT-05")
@pytest.mark.parametrize(("option", "left"), [("non_combat", 0), ("free_once", 1)])
def test_drawing_is_an_action_or_free_once(option: str, left: int) -> None:
    stage = duel(hero={"gear": ()}, draw_weapon=option)
    stage.do("arm", target=ADA, weapon="long_sword")
    stage.do("arm", target=ADA, weapon="club")
    sword, club = stage.item(ADA, "long_sword").id, stage.item(ADA, "club").id
    stage.do("draw", ADA, item=sword)
    assert stage.item(ADA, "long_sword").place == "held"
    assert stage[ADA].budget["action"] == left
    if left:
        stage.do("draw", ADA, item=club)
        assert stage[ADA].budget["action"] == 0
    else:
        assert stage.refused("draw", ADA, item=club).code == "no_budget"


@pytest.mark.rule("CG-ACT-02", "CG-ACT-05")
def test_dropping_is_free_and_picking_up_is_not() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    sword = stage.find_ready(ADA).id
    stage.do("let_go", ADA, item=sword)
    stage.do("speak", ADA, what="Enough!")
    assert stage[ADA].budget["action"] == 1
    stage.do("pick_up", ADA, item=sword)
    assert stage.find_ready(ADA).id == sword
    assert stage[ADA].budget["action"] == 0
    stage.turn(ADA)
    stage.do("put_away", ADA, item=sword)
    assert stage.item(ADA, "long_sword").place == "carried"


@pytest.mark.rule("CG-LIMB-02")
def test_hands_are_counted() -> None:
    stage = duel("great_sword", hero={"blades": 12})
    stage.do("arm", target=ADA, weapon="club")
    refused = stage.refused("draw", ADA, item=stage.item(ADA, "club").id)
    assert "free hand" in refused.message


@pytest.mark.rule("CG-ACT-05", "CG-ATK-02")
def test_something_else_may_take_a_roll() -> None:
    stage = duel(hero={"mind": 11})
    stage.do("other", ADA, dice=(55,), what="reads the runes", roll="mind")
    assert (stage.first().against, stage.first().good) == (55, True)
    stage.turn(ADA)
    assert stage.refused("other", ADA, what="  ").code == "bad_value"
    assert stage.refused("other", ADA, what="sings", roll="singing").code == "bad_value"


# ---------------------------------------------------------------- moving


@pytest.mark.rule("CG-MOVE-03")
@pytest.mark.parametrize(("option", "reaches"), [("down", False), ("exact", True)])
def test_half_yards_may_be_kept(option: str, reaches: bool) -> None:
    hero = {"running": 9, "bludgeon_weapons": 5}
    stage = duel("club", hero=hero, foe={"at": (5.5, 0)}, half_move_rounding=option)
    club = stage.find_ready(ADA).id
    if reaches:
        stage.do("attack", ADA, dice=(99,), target=BO, weapon=club)
    else:
        assert stage.refused("attack", ADA, target=BO, weapon=club).code == "out_of_range"


@pytest.mark.rule("CG-MOVE-01")
def test_a_move_may_come_in_pieces_towards_and_away() -> None:
    stage = duel(hero={"running": 9}, foe={"at": (20, 0)})
    stage.do("move", ADA, to="4,0")
    assert stage[ADA].budget["yards"] == 7
    stage.do("walk_on", ADA, to="near:f2")
    assert stage[ADA].at.x == 11
    stage.turn(ADA)
    stage.do("move", ADA, to="away:f2")
    assert stage[ADA].at.x == 0


@pytest.mark.rule("CG-MOVE-01", "CG-FAT-03")
def test_fatigue_slows_nobody_and_a_torn_torso_does() -> None:
    stage = duel(hero={"running": 9})
    stage.set_track(ADA, fatigue=3)
    stage.do("move", ADA, to="11,0")
    stage.set_part(ADA, "torso", 10)
    stage.turn(ADA)
    assert stage.refused("move", ADA, to="18,0").code == "out_of_range"
    stage.do("move", ADA, to="17,0")


@pytest.mark.rule("CG-ACT-03")
def test_nobody_moves_to_where_they_are() -> None:
    stage = duel(hero={"running": 9})
    assert "already" in stage.refused("move", ADA, to="0,0").message
    assert stage[ADA].budget["action"] == 1


@pytest.mark.rule("CG-ACT-05")
def test_picking_up_takes_a_thing_within_reach_and_a_free_hand() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    sword = stage.find_ready(ADA).id
    stage.do("let_go", ADA, item=sword)
    stage.edit(ADA, at=Point(-2, 0))
    assert stage.refused("pick_up", ADA, item=sword).message == "Long Sword lies 2 yd away: go there first."
    stage.edit(ADA, at=Point(-1, 1))
    stage.do("arm", target=ADA, weapon="great_sword")
    stage.do("draw", ADA, item=stage.item(ADA, "great_sword").id)
    stage.turn(ADA)
    assert "free hand" in stage.refused("pick_up", ADA, item=sword).message
    stage.do("let_go", ADA, item=stage.item(ADA, "great_sword").id)
    stage.do("pick_up", ADA, item=sword)
    assert stage.find_ready(ADA).id == sword


@pytest.mark.rule("CG-ACT-05", "CG-INIT-05")
def test_at_a_shared_count_one_picks_up_where_one_has_gone() -> None:
    stage = duel(hero={"running": 9}, draw_weapon="free_once")
    stage.do("arm", target=BO, weapon="club")
    club = stage.item(BO, "club").id
    stage.do("thing", target=BO, item=club, fate="dropped")
    stage.edit(BO, at=Point(9, 0))
    stage.edit(ADA, at=Point(-5, 0))
    stage.turn(ADA, BO)
    stage.do("move", ADA, to="0,0")
    stage.edit(ADA, budget={"action": 1, "yards": 0})
    stage.do("pick_up", ADA, item=club)
    stage.end_turn(5, 9, whole=True)
    assert stage.item(ADA, "club").place == "held"


@pytest.mark.rule("CG-BLEED-03", "CG-HEAD-01")
def test_who_is_woken_from_a_blow_may_stay_down_by_the_head() -> None:
    stage = ward()
    stage.do("impose", target=CY, kind="unconscious", rounds=5)
    stage.set_part(CY, "head", 5)
    stage.do("first_aid", ADA, dice=(1,), target=CY)
    assert [c.marks["cause"] for c in stage[CY].conditions if c.kind == "unconscious"] == ["points"]


@pytest.mark.rule("CG-TORSO-03")
def test_painkillers_of_ones_own_ease_to_their_own_figure() -> None:
    stage = GuardStage()
    stage.add("Ada", "allies", (0, 0), {"ranks": {**RANKS, "blades": 10}, "items": [TONIC]}, pc=True)
    stage.begin(ADA)
    stage.set_part(ADA, "torso", 10)
    stage.do("painkillers", ADA, target=ADA)
    assert find_ranks(stage.state, stage[ADA], "blades") == 9


@pytest.mark.rule("CG-TORSO-03")
def test_of_two_painkillers_the_better_counts_while_it_lasts() -> None:
    stage = duel(hero={"blades": 10, "gear": ("painkillers", "painkillers")}, painkiller_rounds=1)
    stage.set_part(ADA, "torso", 10)
    stage.give(ADA, "painkillers", marks={"ends_at": 600, "eased": -4})
    assert find_ranks(stage.state, stage[ADA], "blades") == 6
    for _ in range(2):
        stage.turn(ADA)
        stage.do("painkillers", ADA, target=ADA)
        assert find_ranks(stage.state, stage[ADA], "blades") == 7
    clocks = [held.marks["ends_at"] for held in stage[ADA].conditions if held.kind == "painkillers"]
    assert clocks == [600, 12]
