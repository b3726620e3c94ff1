"""Two combatants acting at the same moment: neither stops the other, in either order."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.core.turn.turns import share_count
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO

pytestmark = pytest.mark.rule("CE-ROUND-05")
WINS, LOSES = (6, 6), (1, 1)
CAR = {
    "kind": "vehicle",
    "attributes": {"hull": 9, "structure": 9, "armor": 0},
    "drives_by": "wheeled_vehicle",
    "speed_kph": 100,
    "crew": 2,
    "open": True,
}


def together(weapon: str = "rifle", meters: float = 10, *others: str, **options: Any) -> RangeStage:
    """Ada and Bo, this many meters apart, with the same Initiative and Dexterity: both have their turn."""
    stage = duel(weapon, meters, **options)
    stage.arm(BO, *(others or ("rifle",)))
    stage.skilled(BO, slug_rifle=0, natural_weapons=0)
    stage.give(ADA, "unaware", by=BO)
    stage.state = replace(stage.state, sharing=(BO,))
    stage.edit(BO, budget={"minor": 1, "significant": 1})
    stage.run(lambda context: share_count(context, (ADA, BO)))
    return stage


def end_of_count(stage: RangeStage, *answers: Any) -> None:
    """End both turns."""
    stage.do("next_turn", whole=True, dice=answers)


@pytest.mark.rule("CE-SUPP-05", "CE-SUPP-06")
def test_fire_of_the_same_moment_suppresses_when_that_is_over() -> None:
    stage = together()
    before = stage.terms(who=BO, on=ADA)
    stage.attack(WINS, action="suppress")
    assert not stage.has(BO, "suppressed")
    assert stage.terms(who=BO, on=ADA) == before
    end_of_count(stage)
    assert stage.has(BO, "suppressed")
    assert stage[BO].initiative == 0 - 2  # it counts in the next round: too late for this one


@pytest.mark.rule("CE-GRAP-06", "CE-GRAP-10")
@pytest.mark.parametrize(("pick", "sign"), [("disarm", "ground"), ("prone", "prone")])
def test_who_is_seized_at_the_same_moment_strikes_all_the_same(pick: str, sign: str) -> None:
    stage = together("unarmed_strike", 1, "blade")
    stage.do("grapple", ADA, target=BO, dice=[(4, 4), (3, 4)])
    assert not stage.has(BO, "grappled")
    stage.attack(LOSES, who=BO, on=ADA)
    end_of_count(stage, pick, "continue")
    assert stage.has(BO, "grappled")
    assert stage.has(BO, "prone") or any(item.place == "ground" for item in stage.state.ground)
    assert stage.has(BO, "prone") is (sign == "prone")


@pytest.mark.rule("CE-GRAP-02")
def test_who_has_moved_away_at_the_same_moment_is_not_held() -> None:
    stage = together("unarmed_strike", 1)
    stage.do("grapple", ADA, target=BO, dice=[(4, 4), (3, 4)])
    stage.do("move", BO, to="7,0")
    end_of_count(stage)
    assert stage[BO].at == Point(7, 0)
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("CE-GRAP-02")
@pytest.mark.parametrize("dies", [ADA, BO])
def test_nobody_holds_or_is_held_who_died_at_the_same_moment(dies: str) -> None:
    stage = together("unarmed_strike", 1)
    stage.do("grapple", ADA, target=BO, dice=[(4, 4), (3, 4)])
    stage.give(dies, "dead")
    end_of_count(stage)
    assert not stage.has(ADA, "grappled")
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("CE-GRAP-15")
def test_two_who_seize_each_other_both_pick() -> None:
    stage = together("unarmed_strike", 1, "unarmed_strike")
    stage.do("grapple", ADA, target=BO, dice=[(4, 4), (3, 4)])
    stage.do("grapple", BO, target=ADA, dice=[(4, 4), (3, 4)])
    end_of_count(stage, "prone", "continue", "throw", 2, "stay")
    assert stage.has(BO, "prone")
    assert stage.body(ADA) == (7, 7, 5)
    assert not stage.has(ADA, "grappled")


@pytest.mark.rule("CE-COND-04")
def test_smoke_of_the_same_moment_hides_nobody_yet() -> None:
    stage = together("grenade_smoke", 10)
    before = stage.terms(who=BO, on=ADA)
    stage.attack(WINS, 2)
    assert stage.terms(who=BO, on=ADA) == before
    end_of_count(stage)
    assert stage.state.scene.zones


def test_stun_of_the_same_moment_takes_effect_when_that_is_over() -> None:
    stage = together("grenade_stun", 10)
    stage.attack(WINS, (3, 3, 3), LOSES)
    assert not stage.has(BO, "unconscious")
    stage.attack(LOSES, who=BO, on=ADA)
    end_of_count(stage)
    assert stage.has(BO, "unconscious")


@pytest.mark.parametrize("name", ["grapple", "suppress"])
def test_odds_of_what_waits_add_up_and_follow_it_to_its_end(name: str) -> None:
    stage = together("unarmed_strike", 1, "blade") if name == "grapple" else together()
    more = {} if name == "grapple" else {"weapon": stage[ADA].items[0].id}
    odds = stage.odds(name, ADA, target=BO, **more)
    assert 0 < odds.measures[0].chance < 1


@pytest.mark.rule("CE-MED-02", "CE-MED-03")
@pytest.mark.full_rules
def test_first_aid_of_the_same_moment_helps_when_that_is_over() -> None:
    """Ada tends Cy, who is still wounded for Bo's fire of the same moment."""
    stage = together("rifle", 10)
    cy = stage.join("Cy", 1)
    stage.skilled(ADA, medicine=2)
    stage.wounded(cy, 5, 5, 5)
    stage.edit(cy, marks={**stage[cy].marks, "hurt_at": stage.state.clock})
    stage.do("first_aid", ADA, target=cy, dice=[(4, 4)])
    assert stage.body(cy) == (5, 5, 5)
    assert "had first aid" in stage.refused("first_aid", BO, target=cy).message
    end_of_count(stage)
    assert sum(stage.body(cy)) == 15 + 4


@pytest.mark.rule("CE-COLL-01", "CE-VACT-12")
def test_who_is_rammed_at_the_same_moment_fires_all_the_same() -> None:
    """A driver runs Bo down at 100 km/h, and Bo shoots at the same count."""
    stage = together("rifle", 20)
    car = stage.machine("Car", (0, 0), CAR)
    stage.skilled(ADA, wheeled_vehicle=2)
    stage.do("seat", target=ADA, vehicle=car, station="driver")
    stage.do("set_motion", target=car, speed=100, facing=90)
    stage.edit(ADA, budget={"minor": 1, "significant": 1})
    stage.do("ram", ADA, target=BO, dice=[(6, 6), (6,) * 10])
    assert stage.body(BO) == (7, 7, 7)
    stage.attack(LOSES, who=BO, on=car)
    end_of_count(stage)
    assert stage.has(BO, "dead")


@pytest.mark.rule("CE-VACT-17")
def test_a_stunt_of_the_same_moment_helps_when_that_is_over() -> None:
    stage = together("rifle", 20)
    car = stage.machine("Car", (0, 0), CAR)
    stage.skilled(ADA, wheeled_vehicle=2)
    stage.do("seat", target=ADA, vehicle=car, station="driver")
    stage.edit(ADA, budget={"minor": 1, "significant": 1})
    before = stage.terms(who=BO, on=ADA)
    stage.do("stunt", ADA, aim="chain", target=BO, dice=[(6, 6)])
    assert not stage.has(BO, "set_up")
    assert stage.terms(who=BO, on=ADA) == before
    end_of_count(stage)
    assert stage.has(BO, "set_up")
