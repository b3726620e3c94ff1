"""Reach and range: zones, meters, eased weapons, thrown ones."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.starshock.world.place import is_within
from combat.rules.starshock.world.sight_lines import fallen_choices
from tests.combat.rules.starshock.fight.test_attack import give_skills, set_values
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel, terms

LINE = ("dock", "hold", "deck", "roof")


def shoot(stage: StarStage, weapon: str, at: str) -> dict[str, int]:
    """The terms of a shot at Bo in a zone."""
    stage.put(BO, at)
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, weapon))
    return terms(shown.modifiers)


def range_of(values: dict[str, int]) -> int:
    return sum(value for label, value in values.items() if label.startswith("Range"))


@pytest.mark.rule("SS-RANGE-01")
def test_melee_reaches_only_ones_own_zone() -> None:
    stage = duel("dagger")
    stage.put(BO, "hold")
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "dagger"), mode="melee")
    assert "the same zone" in refused.message
    stage.put(BO, "dock")
    stage.attack("dagger", (1, 1), mode="melee")


@pytest.mark.rule("SS-RANGE-02")
def test_where_no_path_leads_nothing_reaches() -> None:
    stage = duel("ray_gun")
    for zone in LINE:
        stage.describe(zone, links={"dock": 1} if zone == "hold" else {})
    stage.put(BO, "roof")
    gun = stage.weapon(ADA, "ray_gun")
    assert "no way leads" in stage.refused("attack", ADA, target=BO, weapon=gun).message


@pytest.mark.rule("SS-RANGE-03")
def test_a_greatest_range_is_for_the_table_to_set() -> None:
    stage = duel("ray_gun", max_range_zones=2)
    stage.put(BO, "roof")
    gun = stage.weapon(ADA, "ray_gun")
    assert "reaches 2 zones" in stage.refused("attack", ADA, target=BO, weapon=gun).message


@pytest.mark.rule("SS-RANGE-04")
@pytest.mark.parametrize(("rounding", "meters"), [("down", 5), ("up", 4)])
def test_each_five_meters_of_a_map_cost_1_and_a_begun_five_may(rounding: str, meters: int) -> None:
    stage = duel("ray_gun", range_rounding=rounding)
    stage.map()
    stage.do("place", target=ADA, x=0, y=0)
    stage.do("place", target=BO, x=meters, y=0)
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun"))
    assert range_of(terms(shown.modifiers)) == -1


@pytest.mark.rule("SS-RANGE-04", "SS-ZONE-06")
@pytest.mark.parametrize(
    ("rounding", "meters", "reached"),
    [("down", 9, True), ("down", 10, False), ("up", 5, True), ("up", 6, False)],
)
def test_a_reach_in_zones_is_in_fives_on_a_map(rounding: str, meters: int, reached: bool) -> None:
    stage = duel("ray_gun", range_rounding=rounding, max_range_zones=1)
    stage.map()
    stage.do("place", target=ADA, x=0, y=0)
    stage.do("place", target=BO, x=meters, y=0)
    gun = stage.weapon(ADA, "ray_gun")
    if reached:
        stage.preview("attack", ADA, target=BO, weapon=gun)
    else:
        assert "reaches 1 zone" in stage.refused("attack", ADA, target=BO, weapon=gun).message


@pytest.mark.rule("SS-RANGE-05")
@pytest.mark.parametrize(("zone", "penalty"), [("z0", 0), ("z1", 0), ("z2", -1), ("z3", -1), ("z4", -2)])
def test_a_longbow_eases_the_range(zone: str, penalty: int) -> None:
    stage = StarStage("z0", "z1", "z2", "z3", "z4")
    stage.hero("Ada", "plasticate_longbow", zone="z0")
    stage.foe("Bo", zone="z0")
    stage.begin(ADA, BO)
    assert range_of(shoot(stage, "plasticate_longbow", zone)) == penalty


@pytest.mark.rule("SS-RANGE-05")
def test_a_beam_rifle_is_clumsy_in_its_own_zone() -> None:
    stage = duel("beam_rifle")
    assert shoot(stage, "beam_rifle", "dock")["Too close"] == -1
    assert "Too close" not in shoot(stage, "beam_rifle", "hold")


@pytest.mark.rule("SS-RANGE-02")
def test_an_arc_emitter_reaches_one_zone() -> None:
    stage = duel("arc_emitter")
    stage.put(BO, "hold")
    assert stage.attack("arc_emitter", (1, 1)).outcome == "miss"
    stage.turn(ADA)
    stage.put(BO, "deck")
    emitter = stage.weapon(ADA, "arc_emitter")
    assert "reaches 1 zone)" in stage.refused("attack", ADA, target=BO, weapon=emitter).message


@pytest.mark.rule("SS-ZONE-06")
@pytest.mark.parametrize(("zones", "meters", "reached"), [(2, 12, True), (1, 11, False)])
def test_reach_of_some_zones_or_meters_includes_the_last_one(zones: int, meters: int, reached: bool) -> None:
    stage = duel()
    stage.put(BO, "deck")
    assert is_within(stage.state, stage[ADA], stage[BO], zones, 0) is reached
    stage.map()
    stage.do("place", target=ADA, x=0, y=0)
    stage.do("place", target=BO, x=12, y=0)
    assert is_within(stage.state, stage[ADA], stage[BO], 0, meters) is reached


@pytest.mark.rule("SS-ZONE-06")
def test_nothing_reaches_to_where_no_path_leads() -> None:
    stage = duel()
    stage.edit(BO, at=Point(99, 99))
    assert not is_within(stage.state, stage[ADA], stage[BO], 9, 0)


# ---------------------------------------------------------------- thrown weapons


@pytest.mark.rule("SS-RANGE-02", "SS-RANGE-03")
def test_a_dagger_is_thrown_out_of_the_zone_and_lies_there() -> None:
    stage = duel("dagger")
    give_skills(stage, ADA, "Melee", dex=2)
    stage.put(BO, "hold")
    shot = stage.attack("dagger", (1, 1))
    assert terms(shot.modifiers) == {"Dex": 2, "Melee": 1, "Range (1 zone)": -1}
    assert stage.find(ADA, "dagger") is None
    (lying,) = stage.state.ground
    assert lying.at == stage[BO].at


@pytest.mark.rule("SS-RANGE-02", "SS-OTHER-02")
def test_only_weapons_lying_somewhere_are_offered_with_a_path() -> None:
    stage = duel("dagger")
    stage.put(BO, "deck")
    stage.attack("dagger", (1, 1))
    (dagger,) = stage.state.ground
    kit = replace(dagger, id=f"{ADA}-kit", name="Kit", kind="gear")
    stage.state = replace(stage.state, ground=(dagger, kit))
    refused = [choice.refused for choice in fallen_choices(stage.state, ADA)]
    assert refused == ["Dagger lies on the ground 2 zones away: pick it up first."]


@pytest.mark.rule("SS-OTHER-02")
def test_a_thrown_dagger_is_picked_up_by_an_action() -> None:
    stage = duel("dagger")
    stage.put(BO, "hold")
    stage.attack("dagger", (1, 1))
    lying = stage.state.ground[0].id
    stage.turn(ADA)
    refused = stage.refused("pick_up", ADA, item=lying)
    assert refused.code == "out_of_range"
    (option,) = stage.field("pick_up", ADA, "item").options
    assert option.refused == refused.message
    stage.put(ADA, "hold")
    stage.do("pick_up", ADA, item=lying)
    assert stage.item(ADA, "dagger").place == "held"
    assert stage.state.ground == ()
    assert stage[ADA].budget["actions"] == 0


@pytest.mark.rule("SS-RANGE-02")
def test_thrown_weapons_may_come_back() -> None:
    stage = duel("collapsible_spear", thrown_lands=False)
    stage.attack("collapsible_spear", (1, 1))
    assert stage.item(ADA, "collapsible_spear").place == "held"


@pytest.mark.rule("SS-RANGE-02")
def test_a_thrown_weapon_still_does_its_damage_and_maneuvers() -> None:
    stage = duel("collapsible_spear")
    set_values(stage, BO, armor=7)
    stage.attack("collapsible_spear", (5, 5), "0")
    assert stage.damage(BO) == 4
    assert stage.has(BO, "prone")
    assert stage.find(ADA, "collapsible_spear") is None


@pytest.mark.rule("SS-RANGE-01")
def test_melee_reach_on_a_map_is_a_meter_diagonals_included() -> None:
    for option, meters, fits in ((1, 1, True), (1, 2, False), (2, 2, True), (5, 6, False)):
        stage = duel("venusian_machete", map_melee_reach_m=option)
        stage.map()
        stage.do("place", target=ADA, x=0, y=0)
        stage.do("place", target=BO, x=meters, y=meters)
        machete = stage.weapon(ADA, "venusian_machete")
        if fits:
            stage.attack("venusian_machete", (1, 1))
        else:
            refused = stage.refused("attack", ADA, target=BO, weapon=machete)
            assert f"reaches {option} m" in refused.message
