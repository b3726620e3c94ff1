"""The basic attack from its payment to its damage."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.fight.attacks.attack import check_attack_now
from combat.rules.core.basics.errors import allows
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.cepheus.fight.range import RangeStage, duel, losses
from tests.combat.rules.cepheus.figures import ADA, BO


@pytest.mark.rule("CE-ATK-01", "CE-ATK-08")
def test_shot_costs_a_significant_action_and_a_round_and_no_move() -> None:
    stage = duel()
    stage.attack((1, 1))
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    assert stage.refused("attack", ADA, target=BO, weapon=stage[ADA].items[0].id).code == "no_budget"
    assert stage[BO].at == Point(20, 0)
    assert stage[ADA].items[0].loaded == 9
    stage.load(ADA, 0)
    stage.turn(ADA)
    assert "reload" in stage.refused("attack", ADA, target=BO, weapon=stage[ADA].items[0].id).message


@pytest.mark.rule("CE-MINOR-12")
def test_an_empty_weapon_is_not_ready_for_an_attack() -> None:
    stage = duel()
    assert allows(check_attack_now, stage.state, ADA)
    stage.load(ADA, 0)
    assert not allows(check_attack_now, stage.state, ADA)


@pytest.mark.rule("CE-ATK-02")
def test_form_begins_with_the_first_weapon_that_reaches_a_target() -> None:
    stage = duel()
    stage.arm(ADA, "unarmed_strike", "auto_pistol")
    fields = stage.system.action("attack").find_fields(stage.state, ADA)
    assert {field.name: field.value for field in fields[:2]} == {"target": BO, "weapon": f"{ADA}-w2"}


@pytest.mark.rule("CE-ATK-02")
def test_an_attack_needs_a_target_and_a_weapon_in_hand() -> None:
    stage = duel()
    weapon = stage[ADA].items[0].id
    assert stage.refused("attack", ADA, weapon=weapon).code == "bad_value"
    assert stage.refused("attack", ADA, target=ADA, weapon=weapon).code == "bad_target"
    assert stage.refused("attack", ADA, target=BO, weapon="x").code == "bad_value"
    stage.give(BO, "dead")
    assert stage.refused("attack", ADA, target=BO, weapon=weapon).code == "bad_target"


@pytest.mark.rule("CE-ATK-01", "CE-ATK-04", "CE-THROW-05")
def test_eight_brings_a_grenade_where_it_should_go() -> None:
    stage = duel("grenade_smoke", 20)
    assert stage.attack((5, 5), 1).total == 8
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    assert "log.scatters" not in [said.key for said in stage.told(e.Said)]
    near = duel("grenade_smoke", 20)
    assert near.attack((5, 4), 1, 1).total == 7
    assert "log.scatters" in [said.key for said in near.told(e.Said)]


def test_two_hands_need_both() -> None:
    stage = duel()
    stage.arm(ADA, "rifle", "dagger")
    refused = stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert refused.message == "Rifle takes both hands: put Dagger away or drop it."


@pytest.mark.rule("CE-THROW-01", "CE-THROW-03")
def test_a_thrown_dagger_adds_its_effect_and_lies_there() -> None:
    stage = duel("dagger", 2)
    stage.attack((5, 4), (4,), mode="thrown")
    assert stage.losses() == {"end": 5}
    assert [item.name for item in stage.state.ground] == ["Dagger"]
    assert stage.state.ground[0].at == stage[BO].at


@pytest.mark.rule("CE-THROW-05")
def test_missed_thrown_dagger_lands_at_a_wall_or_throwers_feet() -> None:
    stage = duel("dagger", 8)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 10.2, "y1": -30, "x2": 10.2, "y2": 30}]})
    stage.attack((4, 5), 1, mode="thrown")
    assert stage.state.ground[0].at == Point(10, 0)
    near = duel("dagger", 2)
    near.attack((2, 4), 5, mode="thrown")
    assert near.state.ground[0].at == near[ADA].at


@pytest.mark.rule("CE-THROW-05", "CE-INTO-03")
def test_a_thrown_dagger_that_hits_another_does_not_scatter() -> None:
    stage = duel("dagger", 8)
    stage.join("Cy", 8, 1)
    stage.attack((4, 5), 4, (3,), mode="thrown")
    assert stage.state.ground[0].at == stage[BO].at


@pytest.mark.rule("CE-INTO-03", "CE-MINOR-07")
def test_a_stray_shot_carries_no_bonus_for_the_kill() -> None:
    stage = duel(foe={"profile": "FFF777"})
    other = stage.join("Cy", 20, 1, profile="FFF777")
    stage.aimed(ADA, BO, 3, "aiming_kill")
    stage.attack((4, 4), 4, (1, 1, 1))
    assert losses(stage) == {other: 3}


@pytest.mark.rule("CE-INTO-02", "CE-COVER-01")
def test_no_stray_shot_hits_someone_behind_a_wall() -> None:
    stage = duel(foe={"profile": "FFF777"})
    stage.join("Cy", 21.45, profile="FFF777")
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 20.6, "y1": -9, "x2": 20.6, "y2": 9}]})
    assert not stage.attack((4, 3)).good
    assert losses(stage) == {}


@pytest.mark.rule("CE-INTO-02", "CE-COVER-04")
def test_no_stray_shot_hits_someone_down_behind_full_cover() -> None:
    stage = duel(foe={"profile": "FFF777"})
    down = stage.join("Cy", 20, 1, profile="FFF777")
    stage.mark(down, cover="full")
    stage.give(down, "crouched")
    stage.attack((4, 4))
    assert losses(stage) == {}


@pytest.mark.rule("CE-INTO-02")
@pytest.mark.parametrize(("meters", "answers"), [(11, (5, 2)), (11.2, (4,))], ids=["a tie", "the nearest"])
def test_nearest_neighbour_is_hit_and_among_equals_one_is_picked(
    meters: float, answers: tuple[int, ...]
) -> None:
    stage = duel("auto_pistol", 10)
    stage.join("Cy", meters)
    second = stage.join("Di", 10, 1)
    stage.attack((5, 4), *answers, (1, 1))
    assert {x.who for x in stage.told(e.TrackChanged)} == {second}


@pytest.mark.rule("CE-INTO-02")
def test_a_miss_in_melee_hits_nobody_else() -> None:
    stage = duel("cudgel", 1)
    stage.join("Cy", 1.5)
    stage.attack((1, 1))
    assert [request.rule for request in stage.asked] == ["CE-ATK-06"]


@pytest.mark.rule("CE-INTO-02")
def test_shooter_beside_the_target_does_not_hit_themselves() -> None:
    stage = duel("auto_pistol", 1)
    stage.attack((5, 4))
    assert [request.rule for request in stage.asked] == ["CE-ATK-08"]


@pytest.mark.rule("CE-INTO-01", "CE-INTO-02")
def test_a_hidden_combatant_beside_the_target_is_not_told_of() -> None:
    """No DM reveals them, and no miss hits them."""
    stage = duel("auto_pistol", 10)
    lurker = stage.join("Cy", 11)
    stage.state = replace(
        stage.state,
        combatants={**stage.state.combatants, lurker: replace(stage[lurker], hidden=True)},
    )
    shot = stage.attack((4, 3))
    assert "CE-INTO-01" not in [term.rule for term in shot.modifiers]


@pytest.mark.rule("CE-INTO-01")
def test_the_table_may_do_without_stray_shots() -> None:
    stage = duel("auto_pistol", 10, use_firing_into_combat=False)
    stage.join("Cy", 11)
    assert stage.attack((4, 3)).total == 7
    assert len(stage.asked) == 1


# ---------------------------------------------------------------- extreme range


def extreme(weapon: str = "rifle") -> RangeStage:
    """Beyond 1,000 m, with skill 3."""
    stage = duel(weapon, 1500)
    stage.skilled(ADA, **dict.fromkeys(stage[ADA].items[0].data["skills"], 3))
    return stage


@pytest.mark.rule("CE-XRANGE-01", "CE-XRANGE-06")
def test_form_asks_for_a_rest_at_extreme_range_and_no_blind_fire() -> None:
    stage = extreme()
    form = stage.system.action("attack").find_fields(stage.state, ADA)
    assert ("rested", "flag") in [(field.name, field.kind) for field in form]
    blind = stage.refused("blind_fire", ADA, target=BO, weapon=f"{ADA}-w1", rested=True)
    assert blind.code == "out_of_range"


@pytest.mark.rule("CE-XRANGE-08", "CE-XRANGE-09")
def test_energy_weapons_do_half_at_extreme_range() -> None:
    kill = extreme("laser_rifle")
    kill.aimed(ADA, BO, 3, "aiming_kill")
    kill.attack((6, 6), (2, 2, 2, 2, 2), rested=True)  # 17 points
    assert sum(kill.losses().values()) == 9
    plasma = extreme("pgmp")
    plasma.skilled(ADA, heavy_weapons=7)
    plasma.attack((6, 6), (1,) * 10, rested=True)  # Effect 0: 10 points
    assert sum(plasma.losses().values()) == 5
    slug = extreme("rifle")
    slug.attack((6, 6), (2, 2, 2), rested=True)
    assert sum(slug.losses().values()) == 7


def test_log_says_how_the_hit_person_is_where_numbers_are_hidden() -> None:
    """Not which characteristic was lost: the table hides that."""
    stage = duel(foe={"profile": "FFF777"}, foe_health="word")
    stage.attack((6, 6), (1, 1, 1))
    twins = [e.Fact(fact.redacted, fact.rule) for fact in stage.facts if fact.redacted]
    lines = describe_facts(stage.system, twins, {BO: "Bo"})
    assert "Bo is hit, now wounded." in [line.text for line in lines]
