"""The other actions: objects, moving, help, medicine, challenges, guarding, consumables."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.starshock.fight.test_attack import give_skills, set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, DI, StarStage, terms

KIT = ("medical_kit",)


def party(actions: int = 1, friend: dict[str, Any] | None = None, **ada: Any) -> StarStage:
    """Ada, her enemy Bo far away, her friend Cy beside her; her turn."""
    options = ada.pop("options", {})
    stage = StarStage("dock", "hold", "deck", "roof", **options)
    stage.hero("Ada", zone="dock", **ada)
    stage.foe("Bo", zone="roof")
    stage.hero("Cy", zone="dock", **(friend or {}))
    stage.begin(ADA, BO, CY)
    stage.turn(ADA, actions)
    return stage


# ---------------------------------------------------------------- anything else


@pytest.mark.rule("SS-OTHER-01")
def test_any_other_action_with_a_check() -> None:
    stage = party(2, str=1, skills=("Mechanics",))
    stage.do("check", ADA, dice=[(5, 4)], attribute="str", skill="Mechanics", why="Jam the hatch")
    check = stage.check("Mechanics check")
    assert terms(check.modifiers) == {"Str": 1, "Mechanics": 1, "Action Penalty": -1}
    assert (check.total, check.against, check.outcome) == (10, 10, "success")
    assert stage[ADA].budget["actions"] == 1


@pytest.mark.rule("SS-OTHER-01")
def test_an_untrained_specialist_skill_costs_one() -> None:
    stage = party()
    stage.do("check", ADA, dice=[(4, 4)], attribute="int", skill="Physics")
    assert terms(stage.check().modifiers) == {"Int": 1, "No Physics": -1}


@pytest.mark.rule("SS-OTHER-02")
def test_interacting_is_an_action_without_a_roll() -> None:
    stage = party(2)
    stage.do("interact", ADA, what="Blast door", becomes="open")
    assert stage[ADA].budget["actions"] == 1
    assert stage.checks() == []
    assert stage.state.marks["object blast door"] == "open"


@pytest.mark.rule("SS-OTHER-03")
def test_the_same_object_one_time_a_turn_unless_the_gm_says_otherwise() -> None:
    stage = party(3)
    stage.do("interact", ADA, what="console")
    stage.do("interact", ADA, what="door")
    refused = stage.refused("interact", ADA, what="Console")
    assert "on the same object" in refused.message
    stage.do("allow_again", target=ADA, action="interact", per="Console")
    stage.do("interact", ADA, what="console")


# ---------------------------------------------------------------- moving


@pytest.mark.rule("SS-OTHER-05")
def test_a_move_is_one_step_into_the_next_zone() -> None:
    stage = party(2)
    assert stage.refused("move", ADA, to="zone:deck").code == "out_of_range"
    stage.do("move", ADA, to="zone:hold")
    stage.do("move", ADA, to="zone:deck")
    assert (stage.zone_of(ADA), stage[ADA].budget["actions"]) == ("deck", 0)


@pytest.mark.rule("SS-OTHER-06")
def test_a_move_may_be_any_way_of_travel() -> None:
    stage = party(1)
    stage.do("move", ADA, to="zone:hold", how="swims")
    (moved,) = stage.told(e.Moved)
    assert moved.how == "swims"
    assert stage[ADA].budget["actions"] == 0


@pytest.mark.rule("SS-OTHER-07")
def test_difficult_ground_takes_two_moves() -> None:
    stage = party(2)
    stage.describe("hold", terrain=["difficult"])
    stage.turn(ADA, 1)
    assert stage.refused("move", ADA, to="zone:hold").code == "no_budget"
    stage.turn(ADA, 2)
    stage.do("move", ADA, to="zone:hold")
    assert stage[ADA].budget["actions"] == 0


@pytest.mark.rule("SS-OTHER-08")
@pytest.mark.parametrize(("dice", "there"), [((4, 3), "hold"), ((3, 3), "dock")])
def test_a_move_may_need_a_check(dice: tuple[int, int], there: str) -> None:
    stage = party(1, skills=("Move",))
    stage.do("move", ADA, dice=[dice], to="zone:hold", how="climbs", difficulty=10)
    assert stage.check("climbs").total == sum(dice) + 3
    assert (stage.zone_of(ADA), stage[ADA].budget["actions"]) == (there, 0)


# ---------------------------------------------------------------- help


@pytest.mark.rule("SS-OTHER-09")
def test_help_is_worth_one_on_one_check() -> None:
    stage = party(1, skills=("Energy Weapons",), friend={"skills": ("Energy Weapons",)})
    stage.hold(CY, "ray_gun")
    stage.do("assist", ADA, target=CY, attribute="int", skill="Energy Weapons")
    stage.put(BO, "dock")
    stage.turn(CY, 1)
    shot = stage.attack("ray_gun", (4, 3), "pass", who=CY)
    assert stage.terms(shot) == {"Int": 1, "Energy Weapons": 1, "Help from Ada": 1}
    assert shot.total == 10
    assert not stage.has(CY, "assisted")


@pytest.mark.rule("SS-OTHER-09")
def test_help_is_for_the_check_it_was_offered_for() -> None:
    stage = party(1, skills=("Medicate",))
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")
    stage.turn(CY, 1)
    stage.do("check", CY, dice=[(4, 4)], attribute="str")
    assert "Help from Ada" not in stage.terms(stage.check())
    assert stage.has(CY, "assisted")


@pytest.mark.rule("SS-OTHER-09")
def test_help_lapses_as_the_helpers_next_turn_begins() -> None:
    stage = party(1, skills=("Medicate",))
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")
    stage.next_turn_of(ADA)
    assert not stage.has(CY, "assisted")


@pytest.mark.rule("SS-OTHER-09")
@pytest.mark.parametrize(("option", "bonus"), [("no", 1), ("yes", 2)])
def test_several_helpers_count_once_unless_the_table_adds_them(option: str, bonus: int) -> None:
    stage = party(1, options={"assist_stacks": option})
    for name in ("Di", "Ed"):
        stage.give(CY, "assisted", by=name, marks={"attribute": "dex", "skill": ""})
    stage.turn(CY)
    stage.do("check", CY, dice=[(4, 4)], attribute="dex")
    assert stage.check().total == 8 + 2 + bonus


@pytest.mark.rule("SS-OTHER-09")
@pytest.mark.parametrize(("option", "left"), [("no", ["Ed"]), ("yes", [])])
def test_help_that_did_not_count_waits_for_another_check(option: str, left: list[str]) -> None:
    stage = party(1, options={"assist_stacks": option})
    for name in ("Di", "Ed"):
        stage.give(CY, "assisted", by=name, marks={"attribute": "dex", "skill": ""})
    stage.turn(CY)
    stage.do("check", CY, dice=[(4, 4)], attribute="dex")
    assert [held.by for held in stage[CY].conditions] == left


@pytest.mark.rule("SS-OTHER-09")
def test_a_check_that_is_helped_already_is_not_helped_again() -> None:
    stage = party(2, skills=("Medicate",))
    stage.hero("Di", zone="dock", skills=("Medicate",), str=3)
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")
    stage.turn(DI, 1)
    for submission in ({"attribute": "dex", "skill": "Medicate"}, {"attribute": "str"}):
        assert (
            stage.refused("assist", DI, target=CY, **submission).message
            == "Cy's next check already has help."
        )
    assert (stage[DI].budget["actions"], len(stage[CY].conditions)) == (1, 1)
    offered = {option.value: option.refused for option in stage.field("assist", DI, "target").options}
    assert offered == {ADA: "", BO: "", CY: "Cy's next check already has help."}
    assert stage.field("assist", DI, "target").value == ADA


@pytest.mark.rule("SS-OTHER-09")
def test_once_the_help_is_used_the_next_check_may_be_helped() -> None:
    stage = party(1, skills=("Medicate",))
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")
    stage.turn(CY, 1)
    stage.do("emergency_medicate", CY, dice=[(1, 1)], target=ADA)
    stage.turn(ADA, 1)
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")


@pytest.mark.rule("SS-OTHER-09")
def test_with_everybody_helped_assist_is_greyed() -> None:
    stage = party(1)
    for who in (BO, CY):
        stage.give(who, "assisted", marks={"attribute": "dex", "skill": ""})
    assert stage.obstacle("assist", ADA) == "Everyone's next check already has help."


@pytest.mark.rule("SS-OTHER-09")
def test_where_helpers_add_up_all_of_them_help_the_same_check() -> None:
    stage = party(1, str=3, dex=3, options={"assist_stacks": "yes"})
    stage.give(CY, "assisted", by=DI, marks={"attribute": "dex", "skill": ""})
    refused = stage.refused("assist", ADA, target=CY, attribute="str")
    assert refused.message == "Cy's next check is helped with Dex: help with that."
    stage.do("assist", ADA, target=CY, attribute="dex")


@pytest.mark.rule("SS-OTHER-10")
@pytest.mark.parametrize(
    ("weapon", "attribute", "skill", "uses"),
    [
        ("", "str", "Medicate", "Dex"),
        ("", "int", "Move", "Dex or Str"),
        ("dagger", "str", "Melee", "Dex"),
        ("venusian_machete", "dex", "Melee", "Str"),
        ("", "int", "Melee", "Str or Dex"),
        ("", "int", "Lore", ""),
    ],
)
def test_help_with_an_attribute_that_the_check_does_not_use_is_refused(
    weapon: str, attribute: str, skill: str, uses: str
) -> None:
    stage = party(1, skills=(skill,), int=3, str=3)
    if weapon:
        stage.hold(CY, weapon)
    submission = {"target": CY, "attribute": attribute, "skill": skill}
    if not uses:
        stage.do("assist", ADA, **submission)
        return
    label = attribute.capitalize()
    refused = stage.refused("assist", ADA, **submission)
    assert refused.message == f"Cy's {skill} check uses {uses}, not {label}: help with that."
    assert stage[ADA].budget["actions"] == 1


@pytest.mark.rule("SS-OTHER-10")
def test_the_form_of_assist_begins_with_something_that_can_be_done() -> None:
    stage = party(1, skills=("Medicate",), str=3)
    names = ("target", "attribute", "skill")
    stage.do("assist", ADA, **{name: stage.field("assist", ADA, name).value for name in names})
    assert stage[CY].conditions[0].marks == {"attribute": "dex", "skill": "Medicate"}


@pytest.mark.rule("SS-OTHER-09")
def test_help_that_the_gm_gives_by_hand_is_for_any_check() -> None:
    stage = party(1)
    stage.do("give_condition", target=ADA, kind="assisted")
    stage.do("check", ADA, dice=[(4, 4)], attribute="prs")
    assert stage.check().total == 8 + 1 + 1
    assert not stage.has(ADA, "assisted")


@pytest.mark.rule("SS-OTHER-10")
@pytest.mark.parametrize(("dex", "skills", "fits"), [(3, (), True), (1, ("Medicate",), True), (2, (), False)])
def test_a_helper_is_good_at_it_or_refused(dex: int, skills: tuple[str, ...], fits: bool) -> None:
    stage = party(1, dex=dex, skills=skills)
    submission = {"target": CY, "attribute": "dex", "skill": "Medicate"}
    if fits:
        stage.do("assist", ADA, **submission)
        assert stage.has(CY, "assisted")
    else:
        assert "takes Dex 3 or Medicate" in stage.refused("assist", ADA, **submission).message


# ---------------------------------------------------------------- Emergency Medicate


@pytest.mark.rule("SS-OTHER-11", "SS-OTHER-15")
@pytest.mark.parametrize(("dice", "outcome", "left"), [((4, 3), "success", 8), ((3, 3), "failure", 9)])
def test_emergency_medicate_heals_one_point(dice: tuple[int, int], outcome: str, left: int) -> None:
    stage = party(1, skills=("Medicate",), gear=KIT)
    stage.set_track(CY, damage=9)
    stage.do("emergency_medicate", ADA, dice=[dice], target=CY)
    check = stage.check("emergency_medicate")
    assert terms(check.modifiers) == {"Dex": 2, "Medicate": 1}
    assert (check.against, check.outcome, stage.damage(CY)) == (10, outcome, left)


@pytest.mark.rule("SS-OTHER-15")
def test_nobody_is_healed_below_nothing() -> None:
    stage = party(1, skills=("Medicate",), gear=KIT)
    stage.do("emergency_medicate", ADA, dice=[(6, 6)], target=CY)
    assert stage.damage(CY) == 0


@pytest.mark.rule("SS-OTHER-12")
def test_the_patient_is_in_the_same_zone_and_willing() -> None:
    stage = party(1, gear=KIT)
    stage.put(CY, "hold")
    assert stage.refused("emergency_medicate", ADA, target=CY).code == "out_of_range"
    stage.put(BO, "dock")
    assert "not willing" in stage.refused("emergency_medicate", ADA, target=BO).message
    stage.put(CY, "dock")
    stage.set_track(CY, damage=8)
    stage.give(CY, "unconscious")
    stage.do("emergency_medicate", ADA, dice=[(1, 1)], target=CY)


@pytest.mark.rule("SS-OTHER-12")
@pytest.mark.parametrize(("metres", "fits"), [(1, True), (2, False)])
def test_on_a_map_the_patient_is_within_a_metre(metres: int, fits: bool) -> None:
    stage = party(1, gear=KIT)
    stage.map()
    stage.do("place", target=ADA, x=0, y=0)
    stage.do("place", target=CY, x=metres, y=0)
    if fits:
        stage.do("emergency_medicate", ADA, dice=[(1, 1)], target=CY)
    else:
        assert stage.refused("emergency_medicate", ADA, target=CY).code == "out_of_range"


@pytest.mark.rule("SS-OTHER-13")
def test_a_coma_is_beyond_emergency_medicate() -> None:
    stage = party(1, gear=KIT)
    stage.give(CY, "coma")
    assert "in a coma" in stage.refused("emergency_medicate", ADA, target=CY).message
    options = {o.value: o.refused for o in stage.field("emergency_medicate", ADA, "target").options}
    assert options[CY]
    stage.edit(CY, conditions=())
    stage.give(CY, "unconscious")
    options = {o.value: o.refused for o in stage.field("emergency_medicate", ADA, "target").options}
    assert options[CY] == ""


@pytest.mark.rule("SS-OTHER-14")
@pytest.mark.parametrize(("items", "outcome"), [(KIT, "success"), ((), "failure")])
def test_without_a_kit_the_check_is_hindered(items: tuple[str, ...], outcome: str) -> None:
    stage = party(1, skills=("Medicate",), gear=items)
    stage.do("emergency_medicate", ADA, dice=[(4, 3)], target=CY)
    assert stage.check().outcome == outcome
    assert terms(stage.check().modifiers).get("No Medical Kit", 0) == (0 if items else -1)


@pytest.mark.rule("SS-OTHER-14")
def test_without_a_kit_three_dice_of_which_two_low_ones_count() -> None:
    stage = party(1, skills=("Medicate",), options={"no_kit": "roll_three_keep_low_two"})
    stage.do("emergency_medicate", ADA, dice=[(6, 3, 4)], target=CY)
    assert (stage.check().total, stage.check().outcome) == (10, "success")
    stage.turn(ADA)
    odds = stage.odds("emergency_medicate", ADA, target=CY)
    assert odds.headline is not None
    # 7 or more on the two lowest of three dice
    lows = [a + b + c - max(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    assert odds.headline.chance == pytest.approx(sum(low >= 7 for low in lows) / 216)


@pytest.mark.rule("SS-OTHER-11")
def test_treating_oneself_costs_one_or_is_forbidden() -> None:
    stage = party(1, gear=KIT)
    stage.do("emergency_medicate", ADA, dice=[(4, 4)], target=ADA)
    assert terms(stage.check().modifiers)["Self-treatment"] == -1
    stage = party(1, gear=(*KIT, "spray_on_skin"), options={"self_medicate": "forbidden"})
    assert stage.refused("emergency_medicate", ADA, target=ADA).code == "bad_target"
    for action, refused in (("emergency_medicate", True), ("use_consumable", False)):
        options = {o.value: o.refused for o in stage.field(action, ADA, "target").options}
        assert bool(options[ADA]) is refused


@pytest.mark.rule("SS-OTHER-16")
@pytest.mark.parametrize(("dice", "awake"), [((4, 3), True), ((3, 3), False)])
def test_a_healed_patient_may_come_round(dice: tuple[int, int], awake: bool) -> None:
    stage = party(1, skills=("Medicate",), gear=KIT)
    stage.set_track(CY, damage=9)
    stage.give(CY, "unconscious")
    stage.do("emergency_medicate", ADA, dice=[(4, 3), dice], target=CY)
    assert stage.damage(CY) == 8
    assert stage.check("consciousness").against == 8
    assert stage.has(CY, "unconscious") is not awake


# ---------------------------------------------------------------- Skill Challenges


def challenge(stage: StarStage, total: int) -> None:
    stage.turn(ADA)
    low = (total - 1) // 2
    stage.do("skill_challenge", ADA, dice=[(low, total - 1 - low)], name="The reactor", attribute="int")


@pytest.mark.rule("SS-OTHER-17")
def test_three_successes_win_before_three_failures() -> None:
    stage = party()
    for total in (11, 8, 10, 9):
        challenge(stage, total)
    assert stage.said() == ["The reactor: 2 of 3 successes, 2 failures."]
    challenge(stage, 12)
    assert "The reactor is won: 3 of 3 successes, 2 failures." in stage.said()
    stage.turn(ADA)
    assert "already won" in stage.refused("skill_challenge", ADA, name="the reactor", attribute="int").message


@pytest.mark.rule("SS-OTHER-17")
def test_three_failures_lose() -> None:
    stage = party()
    for total in (9, 9, 9):
        challenge(stage, total)
    assert stage.said() == ["The reactor is lost: 0 of 3 successes, 3 failures."]


@pytest.mark.rule("SS-OTHER-17")
def test_the_gm_may_set_other_figures() -> None:
    stage = party()
    stage.do("open_challenge", name="The reactor", difficulty=8, successes=1, failures=2)
    challenge(stage, 8)
    assert stage.check("skill_challenge").against == 8
    assert stage.said() == ["The reactor is won: 1 of 1 success, 0 failures."]


@pytest.mark.rule("SS-OTHER-18")
def test_a_challenge_takes_several_turns() -> None:
    stage = party(3)
    submission = {"name": "The reactor", "attribute": "int"}
    stage.do("skill_challenge", ADA, dice=[(6, 6)], **submission)
    assert "Rate of 1" in stage.refused("skill_challenge", ADA, **submission).message
    stage.next_turn_of(ADA)
    stage.do("declare", ADA, actions=1)
    stage.do("skill_challenge", ADA, dice=[(6, 5)], **submission)
    assert stage.said() == ["The reactor: 2 of 3 successes, 0 failures."]
    stage.next_turn_of(ADA)
    stage.do("declare", ADA, actions=1)
    stage.do("skill_challenge", ADA, dice=[(6, 5)], **submission)
    assert stage.said() == ["The reactor is won: 3 of 3 successes, 0 failures."]


# ---------------------------------------------------------------- guarding


@pytest.mark.rule("SS-OTHER-20")
@pytest.mark.parametrize("action", ["block", "dodge"])
def test_block_and_dodge_raise_armor(action: str) -> None:
    stage = party()
    set_values(stage, ADA, armor=9)
    stage.do(action, ADA)
    assert stage.number(ADA, "Armor") == 10
    stage.put(BO, "dock")
    stage.hold(BO, "dagger")
    for dice, outcome in (((4, 3), "miss"), ((4, 4), "hit")):
        stage.turn(BO)
        shot = stage.attack("dagger", dice, who=BO, on=ADA)
        assert (shot.total, shot.outcome) == (sum(dice) + 2, outcome)
    assert stage.told(e.Earned)[0].count == 0


@pytest.mark.rule("SS-OTHER-21")
@pytest.mark.parametrize("action", ["concentrate", "meditate"])
def test_concentrate_and_meditate_raise_resistance(action: str) -> None:
    stage = party()
    set_values(stage, ADA, resistance=8)
    stage.do(action, ADA)
    stage.put(BO, "dock")
    stage.hold(BO, "ray_gun")
    give_skills(stage, BO, int=0)
    for dice, outcome in (((4, 4), "miss"), ((5, 4), "hit")):
        stage.turn(BO)
        assert stage.attack("ray_gun", dice, who=BO, on=ADA).outcome == outcome


@pytest.mark.rule("SS-OTHER-20", "SS-OTHER-21")
@pytest.mark.parametrize(("option", "armor"), [("no", 10), ("yes", 11)])
def test_both_of_a_pair_do_not_add_up(option: str, armor: int) -> None:
    stage = party(3, options={"defence_stacking": option})
    set_values(stage, ADA, armor=9, resistance=8)
    for action in ("block", "dodge", "meditate"):
        stage.do(action, ADA)
    assert stage.number(ADA, "Armor") == armor
    assert stage.number(ADA, "Resistance") == 9


@pytest.mark.rule("SS-OTHER-22")
def test_guarding_lasts_until_the_users_next_turn_begins() -> None:
    stage = party()
    set_values(stage, ADA, armor=9)
    stage.do("block", ADA)
    stage.end_turn()
    while ADA not in (stage.state.active, *stage.state.sharing):
        assert stage.number(ADA, "Armor") == 10
        stage.end_turn()
    assert stage.number(ADA, "Armor") == 9


# ---------------------------------------------------------------- consumables


@pytest.mark.rule("SS-OTHER-23")
def test_a_consumable_takes_an_action_and_is_gone() -> None:
    stage = party(2, gear=("spray_on_skin",) * 2)
    skin = stage.item(ADA, "spray_on_skin")
    assert skin.count == 2
    stage.set_track(CY, damage=5)
    stage.do("use_consumable", ADA, dice=[(3,)], item=skin.id, target=CY)
    assert stage.item(ADA, "spray_on_skin").count == 1
    assert stage[ADA].budget["actions"] == 1


@pytest.mark.rule("SS-OTHER-24")
@pytest.mark.parametrize(("skills", "left"), [((), 5), (("Medicate",), 4)])
def test_spray_on_skin_heals_a_willing_patient(skills: tuple[str, ...], left: int) -> None:
    stage = party(1, skills=skills, gear=("spray_on_skin",))
    stage.set_track(CY, damage=9)
    stage.do("use_consumable", ADA, dice=[(4,)], item=stage.item(ADA, "spray_on_skin").id, target=CY)
    assert stage.damage(CY) == left


@pytest.mark.rule("SS-OTHER-24")
def test_an_unwilling_or_distant_target_is_refused() -> None:
    stage = party(1, gear=("spray_on_skin",))
    skin = stage.item(ADA, "spray_on_skin").id
    stage.put(BO, "dock")
    assert "not willing" in stage.refused("use_consumable", ADA, item=skin, target=BO).message
    stage.put(CY, "hold")
    assert stage.refused("use_consumable", ADA, item=skin, target=CY).code == "out_of_range"


@pytest.mark.rule("SS-OTHER-24")
def test_harmful_doses_are_not_used_this_way() -> None:
    stage = party(1, gear=("simple_poison",))
    poison = stage.item(ADA, "simple_poison").id
    assert "harmful" in stage.refused("use_consumable", ADA, item=poison, target=CY).message


@pytest.mark.rule("SS-OTHER-24")
def test_a_second_dose_within_a_day_hurts_after_a_warning() -> None:
    stage = party(3, gear=("spray_on_skin",) * 2)
    skin = stage.item(ADA, "spray_on_skin").id
    stage.set_track(CY, damage=5)
    stage.do("use_consumable", ADA, dice=[(2,)], item=skin, target=CY)
    refused = stage.refused("use_consumable", ADA, item=skin, target=CY)
    assert "does 1d6 damage to Cy" in refused.message
    stage.do("use_consumable", ADA, dice=[(1,), (3,)], item=skin, target=CY, sure=True)
    assert stage.damage(CY) == 5 - 2 - 1 + 3


@pytest.mark.rule("SS-OTHER-24")
def test_a_second_dose_may_be_forbidden_and_is_free_again_after_a_day() -> None:
    stage = party(3, gear=("spray_on_skin",) * 3, options={"extra_consumable": "forbidden"})
    skin = stage.item(ADA, "spray_on_skin").id
    stage.set_track(CY, damage=9)
    stage.do("use_consumable", ADA, dice=[(1,)], item=skin, target=CY)
    refused = stage.refused("use_consumable", ADA, item=skin, target=CY, sure=True)
    assert "had one today" in refused.message
    stage.do("pass_time", hours=24)
    stage.do("use_consumable", ADA, dice=[(1,)], item=skin, target=CY)
    assert stage.damage(CY) == 7


# ---------------------------------------------------------------- standing up


@pytest.mark.rule("SS-OTHER-25")
def test_standing_up_is_an_action_without_a_roll() -> None:
    stage = party(2)
    stage.hold(ADA, "dagger")
    stage.put(BO, "dock")
    stage.give(ADA, "prone")
    stage.do("stand_up", ADA)
    assert (stage.checks(), stage[ADA].budget["actions"]) == ([], 1)
    shot = stage.attack("dagger", (1, 1))
    assert terms(shot.modifiers) == {"Dex": 2, "Action Penalty": -1}
