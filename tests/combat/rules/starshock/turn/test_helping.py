"""Help: Assist and Emergency Medicate."""

from __future__ import annotations

import pytest

from tests.combat.rules.starshock.figures import ADA, BO, CY, DI, terms
from tests.combat.rules.starshock.turn.test_stance import party

KIT = ("medical_kit",)

# ---------------------------------------------------------------- help


@pytest.mark.rule("SS-OTHER-09")
def test_help_lapses_as_the_helpers_next_turn_begins() -> None:
    stage = party(1, skills=("Medicate",))
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")
    stage.next_turn_of(ADA)
    assert not stage.has(CY, "assisted")


@pytest.mark.rule("SS-OTHER-09")
@pytest.mark.parametrize(("option", "bonus", "left"), [("no", 1, ["Ed"]), ("yes", 2, [])])
def test_help_that_does_not_count_waits_unless_the_table_adds_it(
    option: str, bonus: int, left: list[str]
) -> None:
    stage = party(1, options={"assist_stacks": option})
    for name in ("Di", "Ed"):
        stage.give(CY, "assisted", by=name, marks={"attribute": "dex", "skill": ""})
    stage.turn(CY)
    stage.do("check", CY, dice=[(4, 4)], attribute="dex")
    assert stage.check().total == 8 + 2 + bonus
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
def test_help_with_an_attribute_the_check_lacks_is_refused(
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
def test_assist_form_begins_with_something_that_can_be_done() -> None:
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


# ---------------------------------------------------------------- Emergency Medicate


@pytest.mark.rule("SS-OTHER-12")
def test_the_patient_is_willing() -> None:
    stage = party(1, gear=KIT)
    stage.put(BO, "dock")
    assert "not willing" in stage.refused("emergency_medicate", ADA, target=BO).message
    stage.set_track(CY, damage=8)
    stage.give(CY, "unconscious")
    stage.do("emergency_medicate", ADA, dice=[(1, 1)], target=CY)


@pytest.mark.rule("SS-OTHER-14")
def test_without_a_kit_three_dice_of_which_two_low_ones_count() -> None:
    stage = party(1, skills=("Medicate",), options={"no_kit": "roll_three_keep_low_two"})
    odds = stage.odds("emergency_medicate", ADA, target=CY)
    assert odds.headline is not None
    # 7 or more on the two lowest of three dice
    lows = [a + b + c - max(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]
    assert odds.headline.chance == pytest.approx(sum(low >= 7 for low in lows) / 216)


@pytest.mark.rule("SS-OTHER-14")
def test_with_a_kit_two_dice_are_rolled_even_so() -> None:
    stage = party(1, skills=("Medicate",), gear=KIT, options={"no_kit": "roll_three_keep_low_two"})
    stage.do("emergency_medicate", ADA, dice=[(6, 3)], target=CY)
    assert stage.check().total == 12


@pytest.mark.rule("SS-OTHER-11")
def test_where_nobody_treats_themselves_others_are_treated() -> None:
    stage = party(1, gear=KIT, options={"self_medicate": "forbidden"})
    stage.do("emergency_medicate", ADA, dice=[(4, 4)], target=CY)
    assert stage.check().good


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
