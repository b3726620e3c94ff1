"""Fire as hazardous ground: it burns on entry and at each turn begun inside."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage


def blaze(
    at: tuple[float, float] = (0, 5), options: dict[str, Any] | None = None, **ada: Any
) -> tuple[CosmosStage, str, str]:
    """A fire from 4 to 8 m east, Ada on her turn, Bo out of the way and next."""
    stage = CosmosStage(**(options or {}))
    stage.zone("hall", x=-20, y=0, width=24, depth=10)
    stage.zone("fire", x=4, y=0, width=4, depth=10, terrain=["fire"])
    who = stage.hero(at=at, **ada)
    bo = stage.foe(at=(-15, 5))
    stage.begin()
    return stage, who, bo


def own_turn(stage: CosmosStage, *dice: Any) -> None:
    """Play on to Ada's next turn, which begins with these dice."""
    stage.do("next_turn")
    stage.do("next_turn", dice=dice)


@pytest.mark.rule("COS-TERR-08")
def test_running_through_burns_one_time() -> None:
    stage, ada, _ = blaze()
    stage.do("full_move", ada, to="10,5", dice=[6])
    assert (stage[ada].at.x, stage.hp(ada)) == (10, 90)
    own_turn(stage)
    assert stage.hp(ada) == 90


@pytest.mark.rule("COS-TERR-08")
def test_nobody_burns_twice_in_one_turn() -> None:
    stage, ada, _ = blaze(at=(6, 5))
    own_turn(stage, 3)
    stage.do("move", ada, to="7,5")
    stage.do("move", ada, to="9,5")
    assert stage.hp(ada) == 93


@pytest.mark.rule("COS-TERR-08")
def test_leaving_ends_it() -> None:
    stage, ada, _ = blaze(at=(6, 5))
    stage.do("move", ada, to="9,5", dice=[1])
    own_turn(stage)
    assert stage.hp(ada) == 95


@pytest.mark.rule("COS-TERR-08")
def test_charge_and_retreat_lead_through_fire_as_any_way_does() -> None:
    stage, ada, bo = blaze(at=(3, 5), weapons=("knife",))
    stage.place(bo, 2, 5)
    weapon = stage.weapon(ada, "knife")
    stage.do("retreat", ada, target=bo, weapon=weapon, to="5,5", dice=[(1, 2), 5])
    assert stage.hp(ada) == 91


@pytest.mark.rule("COS-TERR-08")
def test_who_is_thrown_into_fire_burns() -> None:
    stage, ada, bo = blaze(at=(2.5, 5))
    stage.place(bo, 3.5, 5)
    stage.give(bo, "grappled", by=ada)
    stage.do("squeeze", ada, target=bo, effect="throw", dice=[(9, 9), (1, 2), 2, 4])
    burned = [told for told in stage.told(e.TrackChanged) if told.why == "why.fire"]
    assert [(told.who, told.old - told.new) for told in burned] == [(bo, 4)]


@pytest.mark.rule("COS-HAZ-08")
@pytest.mark.parametrize(
    ("armor", "traits", "lost"),
    [
        ("medium", [], 4),
        ("heavy", ["metal"], 4),
        ("medium", ["sealed"], 0),
        ("light", ["sealed"], 2),
        ("powered", ["sealed", "powered"], 0),
    ],
)
def test_only_sealed_armor_protects_from_fire(armor: str, traits: list[str], lost: int) -> None:
    stage, ada, _ = blaze(armor=armor)
    stage.change(ada, armor, traits=traits)
    stage.do("move", ada, to="5,5", dice=[4])
    assert stage.hp(ada) == 96 - lost


@pytest.mark.rule("COS-HAZ-08")
def test_natural_armor_does_not_protect_from_fire() -> None:
    stage, ada, _ = blaze(natural_armor=3)
    stage.do("move", ada, to="5,5", dice=[4])
    assert stage.hp(ada) == 92


@pytest.mark.rule("COS-DMG-03", "COS-DMG-09")
def test_fire_is_energy_and_meets_an_energy_shield() -> None:
    stage, ada, _ = blaze(shield="energy_buckler")
    stage.do("move", ada, to="5,5", dice=[5])
    assert stage.hp(ada) == 96 - 3


@pytest.mark.rule("COS-HAZ-08")
def test_minimum_damage_option_counts_in_fire() -> None:
    stage, ada, _ = blaze(options={"minimum_damage_1": True}, armor="powered")
    stage.do("move", ada, to="5,5", dice=[4])
    assert stage.hp(ada) == 95


@pytest.mark.rule("COS-HAZ-05")
def test_fire_may_bring_down_at_the_turn_start_and_ends_the_turn() -> None:
    stage, ada, bo = blaze(at=(6, 5))
    stage.set_track(ada, hp=3)
    stage.do("next_turn")
    stage.do("next_turn", dice=[4])
    assert (stage.hp(ada), stage.has(ada, "dying")) == (-1, True)
    assert stage.state.active == bo
    assert not stage.checks()


@pytest.mark.rule("COS-HAZ-05", "COS-STATE-22")
def test_the_dying_burn_on_and_then_save() -> None:
    stage, ada, _ = blaze(at=(6, 5))
    stage.set_track(ada, hp=-1)
    stage.give(ada, "dying")
    stage.give(ada, "unconscious")
    stage.do("next_turn")
    stage.do("next_turn", dice=[2, (2, 2)])
    assert stage.hp(ada) == -4


@pytest.mark.rule("COS-HAZ-05")
def test_fire_burns_someone_passed_out_without_saves_of_the_dead() -> None:
    stage, ada, _ = blaze(at=(6, 5))
    stage.set_track(ada, hp=-3)
    stage.give(ada, "dying")
    stage.do("next_turn")
    stage.do("next_turn", dice=[3])
    assert stage.has(ada, "dead")
    assert not stage.checks()


def test_one_put_into_fire_burns_at_once_and_at_each_turn_there() -> None:
    stage, ada, _ = blaze()
    stage.do("place", target=ada, x=6, y=5, dice=[3])
    assert stage.hp(ada) == 93
    own_turn(stage, 1)
    assert stage.hp(ada) == 92


@pytest.mark.rule("COS-TERR-08")
def test_who_is_put_into_fire_before_the_fight_does_not_burn_yet() -> None:
    stage, ada, _ = blaze()
    stage.state = replace(stage.state, phase="prep")
    stage.do("place", target=ada, x=6, y=5)
    assert stage.hp(ada) == 96


@pytest.mark.rule("COS-TERR-08", "COS-ZG-06")
def test_who_drifts_into_fire_burns() -> None:
    stage, ada, _ = blaze(at=(3.5, 5))
    stage.do("set_setting", key="gravity", value="zero")
    stage.give(ada, "drifting", marks={"x": 1000, "y": 0})
    stage.do("next_turn", dice=[4])
    assert (stage[ada].at.x, stage.hp(ada)) == (4.5, 92)


@pytest.mark.rule("COS-TERR-08", "COS-ENV-05")
def test_jumping_into_fire_burns_and_jumping_over_it_does_not() -> None:
    stage, ada, _ = blaze(at=(3, 5))
    stage.do("jump", target=ada, metres=6, to="9,5")
    assert stage.hp(ada) == 96
    stage.do("jump", target=ada, metres=6, to="6,5", dice=[2])
    assert stage.hp(ada) == 94


@pytest.mark.rule("COS-TERR-08", "COS-DEATH-01")
def test_who_goes_down_in_the_flames_stays_there() -> None:
    stage, ada, _ = blaze(at=(3, 5))
    stage.set_track(ada, hp=3)
    stage.do("full_move", ada, to="9,5", dice=[6])
    assert stage.has(ada, "dying")
    assert stage[ada].at.x == pytest.approx(4.1)
    (moved,) = stage.told(e.Moved)
    assert moved.metres == pytest.approx(1.1)


@pytest.mark.rule("COS-TERR-08", "COS-MANV-17")
def test_who_goes_down_in_the_flames_is_shot_at_no_more() -> None:
    stage, ada, bo = blaze(at=(3, 5))
    stage.zone("yard", x=8, y=0, width=10, depth=10)
    stage.give(bo, "overwatch", marks={"weapon": stage.weapon(bo, "pistol"), "zone": "yard"})
    stage.put(bo, "pistol", "held")
    stage.set_track(ada, hp=3)
    stage.do("full_move", ada, to="9,5", dice=[6])
    assert stage.has(bo, "overwatch")


@pytest.mark.rule("COS-TERR-07", "COS-TERR-08")
def test_plain_ground_is_no_hazard_to_tell_of() -> None:
    stage, ada, _ = blaze(at=(-1, 5))
    stage.zone("mud", x=-10, y=0, width=5, depth=10, terrain=["rubble"])
    for to in ("1,5", "-6,5"):
        stage.turn(ada)
        stage.do("move", ada, to=to)
        assert "log.in_hazard" not in {said.key for said in stage.told(e.Said)}


@pytest.mark.rule("COS-HAZ-05", "COS-DEATH-11")
def test_the_dead_burn_no_more() -> None:
    stage, ada, _ = blaze(at=(-1, 5))
    for kind in ("dead", "burning"):
        stage.give(ada, kind)
    own_turn(stage)
    assert stage.hp(ada) == 96
