"""Maneuvers: how many a hit earns, which are on offer, and the effect of each."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.starshock.fight.test_attack import give_skills, set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, DI, StarStage, duel, terms


def armed(*weapons: str, value: int = 8, **options: Any) -> StarStage:
    """Ada adds 0 to her dice; Bo's Armor and Resistance are `value`."""
    stage = duel(*weapons, **options)
    give_skills(stage, ADA, str=0, dex=0, int=0, prs=0)
    set_values(stage, BO, armor=value, resistance=value)
    return stage


def earned(stage: StarStage) -> int:
    return int(stage.told(e.Earned)[0].count)


def offered(stage: StarStage) -> dict[str, str]:
    """The options of the last command's first question, with the reasons against them."""
    question = next(asked for asked in stage.asked if isinstance(asked, ChoiceRequest))
    return {option.label: option.refused for option in question.options}


# ---------------------------------------------------------------- counting


@pytest.mark.rule("SS-MANV-01")
def test_an_odd_point_may_count_up() -> None:
    stage = armed("disposable_ray_gun", value=8, maneuver_rounding="up")
    stage.attack("disposable_ray_gun", (4, 5))
    assert earned(stage) == 1


# ---------------------------------------------------------------- buying


@pytest.mark.rule("SS-MANV-03")
def test_maneuvers_are_optional_and_the_rest_is_lost() -> None:
    stage = armed("plasticate_longbow", value=7)
    stage.attack("plasticate_longbow", (5, 6), "pass")
    assert earned(stage) == 2
    assert offered(stage) == {"+1 damage": "", "No more maneuvers": ""}
    assert stage.damage(BO) == 4


@pytest.mark.rule("SS-MANV-05")
def test_what_is_too_dear_is_not_on_offer() -> None:
    stage = armed("disintegration_pistol", value=8)
    stage.hold(BO, "dagger")
    stage.attack("disintegration_pistol", (6, 6), "pass")
    assert set(offered(stage)) == {"Disintegrate an item held or worn", "No more maneuvers"}


@pytest.mark.rule("SS-MANV-05")
def test_five_maneuvers_buy_both() -> None:
    stage = armed("disintegration_pistol", value=8)
    stage.hold(BO, "dagger")
    give_skills(stage, ADA, int=6)
    dagger = stage.weapon(BO, "dagger")
    stage.attack("disintegration_pistol", (6, 6), "1", "0", dagger)
    assert (stage.check("attack").total, earned(stage)) == (18, 5)
    assert stage.has(BO, "maimed")
    assert stage.find(BO, "dagger") is None
    assert stage.damage(BO) == 4


@pytest.mark.rule("SS-MANV-03")
def test_a_general_list_is_offered_where_the_table_has_it() -> None:
    stage = armed("dagger", value=8, generic_maneuvers="on")
    stage.attack("dagger", (6, 6), "1", "2")
    assert earned(stage) == 2
    assert stage.damage(BO) == 6
    assert stage.has(BO, "hindered")


@pytest.mark.rule("SS-MANV-03")
def test_hindered_costs_one_on_the_next_roll_only() -> None:
    stage = armed("dagger")
    stage.give(BO, "hindered")
    stage.turn(BO)
    for total in (-1, 0):
        stage.turn(BO)
        stage.do("check", BO, attribute="dex", dice=[(4, 4)])
        assert terms(stage.check().modifiers).get("Hindered", 0) == total


@pytest.mark.rule("SS-MANV-03")
def test_trading_places() -> None:
    stage = armed("ray_gun", value=7, generic_maneuvers="on")
    stage.put(BO, "hold")
    stage.attack("ray_gun", (6, 6), "3", "pass")
    assert (stage.zone_of(ADA), stage.zone_of(BO)) == ("hold", "dock")


# ---------------------------------------------------------------- the weapons'


@pytest.mark.rule("SS-ATK-12")
def test_the_staff_rolls_again_and_keeps_a_higher_first_roll() -> None:
    stage = armed("tungsten_staff", value=8)
    stage.attack("tungsten_staff", (5, 5), "0", (5,), (2,))
    assert stage.damage(BO) == 5


@pytest.mark.rule("SS-MANV-03")
def test_the_crossbow_is_empty_until_it_is_reloaded() -> None:
    stage = armed("aluminum_crossbow", value=8)
    stage.turn(ADA, 3)
    stage.attack("aluminum_crossbow", (5, 3))
    bow = stage.weapon(ADA, "aluminum_crossbow")
    assert stage.item(ADA, "aluminum_crossbow").loaded == 0
    stage.edit(ADA, budget={**stage[ADA].budget, "attacks": 1})
    assert "empty" in stage.refused("attack", ADA, target=BO, weapon=bow).message
    stage.do("reload", ADA, item=bow)
    assert stage.item(ADA, "aluminum_crossbow").loaded == 1
    assert stage[ADA].budget["actions"] == 1


@pytest.mark.rule("SS-MANV-03")
def test_a_maneuver_reloads_the_crossbow_at_once() -> None:
    stage = armed("aluminum_crossbow", value=8)
    stage.attack("aluminum_crossbow", (5, 5), "0")
    assert stage.item(ADA, "aluminum_crossbow").loaded == 1


@pytest.mark.rule("SS-MANV-03")
def test_a_disposable_ray_gun_has_three_shots() -> None:
    stage = armed("disposable_ray_gun", value=12)
    for _ in range(3):
        stage.turn(ADA)
        stage.attack("disposable_ray_gun", (1, 1))
    stage.turn(ADA)
    gun = stage.weapon(ADA, "disposable_ray_gun")
    assert "needs repair" in stage.refused("attack", ADA, target=BO, weapon=gun).message
    assert "repaired" in stage.refused("reload", ADA, item=gun).message


@pytest.mark.rule("SS-MANV-03")
def test_a_second_cut_of_the_dagger_hurts_another_in_the_zone() -> None:
    stage = armed("dagger", value=8)
    stage.foe("Cy", zone="dock")
    stage.foe("Di", zone="hold")
    stage.attack("dagger", (5, 5), "0", CY)
    assert [stage.damage(who) for who in (BO, CY, DI)] == [5, 1, 0]
    second = [asked for asked in stage.asked if isinstance(asked, ChoiceRequest)][1]
    assert [option.value for option in second.options] == [CY, "none"]


@pytest.mark.rule("SS-MANV-03")
def test_the_tesla_arc_is_an_event_of_its_own_with_its_own_check() -> None:
    stage = armed("tesla_pistol", value=8)
    stage.put(BO, "hold")
    stage.hero("Cy", zone="hold")
    stage.set_track(CY, damage=4)
    stage.attack("tesla_pistol", (6, 5), "0", CY, (5,), (5, 4))
    assert (stage.damage(BO), stage.damage(CY)) == (3, 9)
    assert [check.who for check in stage.checks("consciousness")] == [CY]


@pytest.mark.rule("SS-MANV-03", "SS-ATK-07")
@pytest.mark.parametrize(("skin", "points"), [((), 5), (("adaptive_skin_2",), 2)])
def test_the_tesla_arc_is_damage_of_the_same_kind(skin: tuple[str, ...], points: int) -> None:
    stage = armed("tesla_pistol", value=8)
    stage.put(BO, "hold")
    stage.hero("Cy", zone="hold")
    stage.edit(CY, sheet={**stage[CY].sheet, "features": list(skin)})
    stage.attack("tesla_pistol", (6, 5), "0", CY, (5,))
    assert stage.damage(CY) == points


@pytest.mark.rule("SS-MANV-03", "SS-MAP-01")
@pytest.mark.parametrize("is_walled", [False, True])
def test_on_a_map_a_wall_keeps_the_second_damage_out(is_walled: bool) -> None:
    stage = armed("dagger", value=8)
    stage.map()
    for who, x in ((ADA, 0), (BO, 1), (stage.foe("Cy", at=(2, 0)), 2)):
        stage.edit(who, at=Point(x, 0))
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 1.5, "y1": -9, "x2": 1.5, "y2": 9}] * is_walled})
    stage.attack("dagger", (5, 5), *(() if is_walled else ("0", CY)))
    assert stage.damage(CY) == (0 if is_walled else 1)


@pytest.mark.rule("SS-MANV-03")
def test_the_electron_revolver_fires_again_at_minus_one_each() -> None:
    stage = armed("electron_revolver", value=7)
    stage.turn(ADA, 1)
    stage.attack("electron_revolver", (5, 4), "0", BO, (5, 5), "0", BO, (1, 1))
    shots = stage.checks("attack")
    assert [terms(s.modifiers).get("Bonus attacks") for s in shots] == [None, -1, -2]
    assert [s.outcome for s in shots] == ["hit", "hit", "miss"]
    assert stage.damage(BO) == 6
    assert stage[ADA].budget == {"actions": 0, "attacks": 0}


@pytest.mark.rule("SS-MANV-03")
def test_what_bonus_attacks_cost_is_gone_with_the_turn() -> None:
    stage = armed("electron_revolver", "venusian_machete", value=7)
    stage.attack("electron_revolver", (5, 4), "0", BO, (1, 1))
    assert stage[ADA].marks["malus"] == 1
    stage.edit(ADA, budget={"actions": 1, "attacks": 1})
    assert terms(stage.attack("venusian_machete", (1, 1)).modifiers)["Bonus attacks"] == -1
    stage.next_turn_of(ADA)
    assert "malus" not in stage[ADA].marks


@pytest.mark.rule("SS-TURN-02")
def test_the_machete_needs_an_action_that_is_left() -> None:
    stage = armed("venusian_machete", value=8)
    stage.attack("venusian_machete", (5, 5))
    assert earned(stage) == 1
    assert not [asked for asked in stage.asked if isinstance(asked, ChoiceRequest)]


@pytest.mark.rule("SS-MANV-03")
def test_an_arc_emitter_strikes_a_second_target_one_time() -> None:
    stage = armed("arc_emitter", value=7)
    stage.foe("Cy", zone="dock")
    stage.edit(CY, sheet=stage[BO].sheet)
    stage.attack("arc_emitter", (5, 5), "0", CY, (5, 5))
    assert [check.target for check in stage.checks("attack")] == [BO, CY]
    assert (stage.damage(BO), stage.damage(CY)) == (5, 5)


@pytest.mark.rule("SS-MANV-03")
def test_a_push_goes_to_a_linked_zone_of_the_attackers_choice() -> None:
    stage = armed("grav_hammer", value=8)
    stage.put(ADA, "hold")
    stage.put(BO, "hold")
    stage.attack("grav_hammer", (5, 5), "0", "deck")
    assert stage.zone_of(BO) == "deck"
    assert stage.damage(BO) == 4
    (pushed,) = stage.told(e.Moved)
    assert (pushed.metres, pushed.cost) == (0, 0)  # no movement of Bo's own


@pytest.mark.rule("SS-MANV-03")
def test_a_push_against_a_wall_knocks_prone() -> None:
    stage = StarStage("cell")
    stage.hero("Ada", zone="cell")
    stage.foe("Bo", zone="cell")
    stage.hold(ADA, "shock_shield")
    stage.begin(ADA, BO)
    give_skills(stage, ADA, str=0)
    set_values(stage, BO, armor=8)
    stage.attack("shock_shield", (5, 5), "0")
    assert stage.has(BO, "prone")
    assert stage.zone_of(BO) == "cell"


@pytest.mark.rule("SS-PRONE-04")
def test_a_helper_may_raise_whoever_is_pinned_down() -> None:
    stage = armed("collapsible_spear", value=8)
    stage.foe("Cy", zone="dock", str=3)
    stage.attack("collapsible_spear", (5, 5), "0")
    stage.turn(CY)
    stage.do("raise_up", CY, dice=[(4, 3)], target=BO)
    assert not stage.has(BO, "prone")
    assert stage[CY].budget["actions"] == 0
    assert stage.refused("raise_up", CY, target=BO).code in ("bad_target", "no_budget")


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(("dice", "out"), [((3, 3), True), ((4, 3), False)])
def test_an_expert_ray_gun_stuns_by_a_check(dice: tuple[int, int], out: bool) -> None:
    stage = armed("hif_ray_gun", value=8)
    stage.attack("hif_ray_gun", (5, 5), "2", dice)
    assert stage.has(BO, "unconscious") is out


@pytest.mark.rule("SS-MANV-03")
def test_a_needle_gun_injects_its_payload() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", gear=("simple_poison", "hypnotoxin"), dex=0)
    stage.foe("Bo", zone="dock")
    stage.hold(ADA, "needle_gun")
    stage.begin(ADA, BO, actions=3)
    gun, poison = stage.weapon(ADA, "needle_gun"), stage.item(ADA, "simple_poison").id
    stage.do("reload", ADA, item=gun, dose=poison)
    assert stage.find(ADA, "simple_poison") is None
    give_skills(stage, ADA, dex=3)
    set_values(stage, BO, armor=8)
    stage.edit(BO, sheet={**stage[BO].sheet, "attributes": {"str": 1, "dex": 0, "int": 0, "prs": 0}})
    shot = stage.attack("needle_gun", (5, 6), "0", (5,), (6, 6))
    assert terms(shot.modifiers)["Action Penalty"] == -2
    assert stage.damage(BO) == 3 + 5 - 1
    assert "payload" not in stage.item(ADA, "needle_gun").marks


@pytest.mark.rule("SS-MANV-03")
def test_nothing_is_injected_without_a_payload() -> None:
    stage = armed("needle_gun", value=8)
    gun = stage.item(ADA, "needle_gun")
    assert gun.data["maneuvers"] == ["inject_payload"]
    stage.attack("needle_gun", (5, 5))
    assert stage.damage(BO) == 3


@pytest.mark.rule("SS-MANV-03")
def test_the_payload_is_gone_after_a_miss() -> None:
    stage = armed("needle_gun", value=12)
    gun = stage.item(ADA, "needle_gun")
    stage.edit(ADA, items=(replace(gun, marks={"payload": "hypnotoxin"}),))
    stage.attack("needle_gun", (1, 1))
    assert "payload" not in stage.item(ADA, "needle_gun").marks


@pytest.mark.rule("SS-COND-02")
@pytest.mark.parametrize(("dice", "kind"), [((5, 4), "unconscious"), ((5, 5), "woozy")])
def test_hypnotoxin_asks_for_presence(dice: tuple[int, int], kind: str) -> None:
    stage = armed("needle_gun", value=8)
    gun = stage.item(ADA, "needle_gun")
    stage.edit(ADA, items=(replace(gun, marks={"payload": "hypnotoxin"}),))
    stage.attack("needle_gun", (5, 5), "0", dice)
    assert stage.has(BO, kind)


@pytest.mark.rule("SS-MANV-03")
def test_what_a_target_is_immune_to_is_not_for_sale() -> None:
    stage = armed("shock_shield", value=8)
    stage.edit(BO, sheet={**stage[BO].sheet, "immune": ["push", "prone"]})
    stage.attack("shock_shield", (5, 5))
    assert stage.zone_of(BO) == "dock"


@pytest.mark.rule("SS-COND-02", "SS-MANV-03")
def test_consciousness_check_uses_up_no_hindrance_of_a_next_roll() -> None:
    """It adds Str alone, so the hindrance waits for a roll that it counts in."""
    stage = armed("dagger", value=8, generic_maneuvers="on")
    stage.set_track(BO, damage=4)
    stage.attack("dagger", (5, 5), "2", (6, 6))
    assert terms(stage.check("consciousness").modifiers) == {"Str": 0}
    assert stage.has(BO, "hindered")


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(("side", "seen"), [("enemies", False), ("allies", True)])
@pytest.mark.parametrize("weapon", ["dagger", "tesla_pistol", "electron_revolver"])
def test_no_question_names_an_enemy_who_is_hidden(weapon: str, side: str, seen: bool) -> None:
    stage = armed(weapon, value=8)
    stage.hero("Cy", zone="dock")
    stage.add("Shade", side, stage.spot("dock"), stage[BO].sheet, hidden=True)
    stage.attack(weapon, (5, 5), "0", "none")
    second = [asked for asked in stage.asked if isinstance(asked, ChoiceRequest)][1]
    assert (DI in [option.value for option in second.options]) is seen


@pytest.mark.rule("SS-PRONE-04", "SS-OTHER-09")
def test_help_counts_for_getting_up_from_what_pins_down() -> None:
    stage = armed("collapsible_spear", value=8)
    stage.attack("collapsible_spear", (5, 5), "0")
    stage.give(BO, "assisted", marks={"attribute": "str", "skill": ""})
    stage.turn(BO)
    stage.do("stand_up", BO, dice=[(5, 5)])
    assert terms(stage.check("getting_up").modifiers) == {"Str": 0, "Prone": -1, "Assisted": 1}
    assert not stage.has(BO, "prone")
    assert not stage.has(BO, "assisted")


@pytest.mark.rule("SS-PRONE-02", "SS-PRONE-04")
@pytest.mark.parametrize(("dice", "up"), [((6, 5), True), ((5, 5), False)])
def test_lying_there_hinders_breaking_loose(dice: tuple[int, int], up: bool) -> None:
    stage = armed("collapsible_spear", value=8)
    stage.attack("collapsible_spear", (5, 5), "0")
    stage.turn(BO)
    shown = stage.preview("stand_up", BO)
    assert terms(shown.modifiers) == {"Str": 0, "Prone": -1}
    stage.do("stand_up", BO, dice=[dice])
    check = stage.check("getting_up")
    assert (check.modifiers, check.against, check.good) == (shown.modifiers, 10, up)
    assert stage.has(BO, "prone") is not up


@pytest.mark.rule("SS-PRONE-02")
def test_the_gm_may_say_that_lying_there_does_not_hinder() -> None:
    stage = armed("collapsible_spear", value=8)
    stage.attack("collapsible_spear", (5, 5), "0")
    stage.turn(BO)
    stage.do("stand_up", BO, dice=[(5, 5)], adjust=1, because="a wall to lean on")
    assert not stage.has(BO, "prone")


@pytest.mark.rule("SS-PRONE-02", "SS-PRONE-04")
@pytest.mark.parametrize(("lies", "total"), [(False, 10), (True, 9)])
def test_it_is_the_helper_s_own_lying_that_hinders_helping_up(lies: bool, total: int) -> None:
    stage = armed("collapsible_spear", value=8)
    stage.foe("Cy", zone="dock", str=3)
    stage.attack("collapsible_spear", (5, 5), "0")
    stage.turn(CY)
    if lies:
        stage.give(CY, "prone")
    shown = stage.preview("raise_up", CY, target=BO)
    stage.do("raise_up", CY, dice=[(4, 3)], target=BO)
    assert (stage.check("getting_up").modifiers, stage.check("getting_up").total) == (shown.modifiers, total)


@pytest.mark.rule("SS-PRONE-04")
def test_standing_up_takes_no_roll_where_nothing_pins_down() -> None:
    stage = armed()
    stage.give(BO, "prone")
    stage.turn(BO)
    assert stage.preview("stand_up", BO).dice == ""
    stage.do("stand_up", BO)
    assert (stage.checks(), stage.has(BO, "prone")) == ([], False)


@pytest.mark.rule("SS-MANV-03")
def test_a_needle_gun_injects_a_dose_of_ones_own() -> None:
    record = {
        "id": "venom",
        "name": "Venom",
        "beneficial": False,
        "damage": "1d6",
        "value": 5,
        "origin": "own",
    }
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", items=[{"id": "i1", "kind": "consumable", "record": record}], dex=3)
    stage.foe("Bo", zone="dock")
    dose = stage.item(ADA, "venom")
    stage.hold(ADA, "needle_gun")
    stage.begin(ADA, BO, actions=2)
    stage.do("reload", ADA, item=stage.weapon(ADA, "needle_gun"), dose=dose.id)
    set_values(stage, BO, armor=8)
    stage.attack("needle_gun", (5, 5), "0", (3,))
    assert stage.damage(BO) == 3 + 3
