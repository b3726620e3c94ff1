"""Armor: what each class takes off and costs, natural armor, AP, wear, damage and repair."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage, lone, words
from tests.combat.rules.cosmos.shots import HIT, NINE, duel, lose, shoot

# ---------------------------------------------------------------- protection and Defense


def test_armor_in_the_pack_protects_nobody() -> None:
    stage, ada, bo = duel(armor="medium")
    stage.put(bo, "medium", "carried")
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.check("attack").against == 18
    assert stage.hp(bo) == 87


# ---------------------------------------------------------------- natural armor


@pytest.mark.rule("COS-DMG-10")
def test_the_hide_of_a_beast_is_natural_armor() -> None:
    stage, ada = lone()
    brute = stage.add("Brute", "enemies", (10, 0), block="cave_brute")
    stage.change(ada, "pistol", damage="2d6")
    stage.begin()
    hide, before = int(stage[brute].sheet["natural_armor"]), stage.hp(brute)
    assert hide > 0
    shoot(stage, ada, brute, HIT, NINE)
    assert before - stage.hp(brute) == 9 - hide


# ---------------------------------------------------------------- armor piercing, ignored armor


def test_a_weapon_that_ignores_armor_meets_none() -> None:
    assert lose("phase_rifle", armor="powered") == 9
    assert lose("phase_rifle", natural_armor=2) == 9


@pytest.mark.rule("COS-DMG-09")
def test_weapon_that_ignores_armor_still_meets_an_energy_shield() -> None:
    assert lose("phase_rifle", armor="powered", shield="energy_shield") == 5


# ---------------------------------------------------------------- degradation


def wear_down(options: dict[str, Any], *losses: int) -> list[int]:
    """The protection of medium armor after each loss of Hit Points by a shot that ignores it."""
    stage, ada, bo = duel(options=options, armor="medium")
    found = []
    for lost in losses:
        stage.change(ada, "pistol", damage=f"1d4+{lost - 4}", ap=9)
        shoot(stage, ada, bo, HIT, 4)
        found.append(stage.derived(bo, "Armor").value)
    return found


@pytest.mark.rule("COS-ARMOR-09")
def test_wear_is_neither_noted_nor_counted_without_the_option() -> None:
    stage, ada, bo = duel(armor="medium")
    shoot(stage, ada, bo, HIT, (6, 6))
    assert stage.item(bo, "medium").marks == {}
    stage.mark(bo, "medium", taken=45)
    assert stage.derived(bo, "Armor").value == 4
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.hp(bo) == 96 - 8 - 5


@pytest.mark.rule("COS-ARMOR-10")
def test_each_20_hit_points_lost_cost_a_point_of_protection() -> None:
    assert wear_down({"armor_degradation": True}, 19, 4, 22) == [4, 3, 2]
    assert wear_down({"armor_degradation": True}, 20) == [3]


@pytest.mark.rule("COS-ARMOR-10")
def test_worn_down_armor_stops_less() -> None:
    stage, ada, bo = duel(options={"armor_degradation": True}, armor="medium")
    stage.mark(bo, "medium", taken=45)
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.hp(bo) == 96 - 7
    assert stage.item(bo, "medium").marks["taken"] == 52


@pytest.mark.rule("COS-ARMOR-10")
def test_what_armor_stops_does_not_wear_it_down() -> None:
    stage, ada, bo = duel(options={"armor_degradation": True}, armor="heavy")
    shoot(stage, ada, bo, HIT, (2, 3))
    assert stage.item(bo, "heavy").marks == {}


@pytest.mark.rule("COS-ARMOR-10")
def test_protection_never_falls_below_0_and_natural_armor_stays() -> None:
    stage, _, bo = duel(options={"armor_degradation": True}, armor="medium", natural_armor=1)
    stage.mark(bo, "medium", taken=999)
    armor = stage.derived(bo, "Armor")
    assert (armor.value, words(armor.terms[0].label)) == (1, "Natural armor")


@pytest.mark.rule("COS-ARMOR-10")
def test_armor_not_worn_takes_no_wear() -> None:
    stage, ada, bo = duel(options={"armor_degradation": True}, armor="medium")
    stage.put(bo, "medium", "carried")
    shoot(stage, ada, bo, HIT, NINE)
    assert "taken" not in stage.item(bo, "medium").marks


# ---------------------------------------------------------------- repair


def workshop(
    entry: str = "medium", phase: str = "over", owner: dict[str, Any] | None = None, **tech: Any
) -> tuple[CosmosStage, str, str, str]:
    """Tess with Intellect 4 and Tech 4, Bo with armor that has lost 45 and 1 point, the fight over."""
    stage = CosmosStage(armor_degradation=True)
    tess = stage.hero("Tess", skills={"Tech": 4}, **tech)
    bo = stage.hero("Bo", (5, 0), **(owner or {"armor": "medium"}))
    item = stage.mark(bo, entry, taken=45, damaged=1)
    stage.state = replace(stage.state, phase=phase)
    return stage, tess, bo, item


@pytest.mark.rule("COS-ARMOR-11")
def test_a_tool_kit_helps_and_wounds_hinder_the_repair() -> None:
    stage, tess, _, armor = workshop()
    terms = stage.preview("repair", tess, by=tess, item=armor).modifiers
    assert [(words(term.label), term.value) for term in terms] == [("Intellect", 4), ("Half Tech", 2)]
    stage, tess, _, armor = workshop(gear=("tool_kit",))
    assert sum(term.value for term in stage.preview("repair", tess, by=tess, item=armor).modifiers) == 8
    stage.set_track(tess, hp=30)
    assert sum(term.value for term in stage.preview("repair", tess, by=tess, item=armor).modifiers) == 6


@pytest.mark.rule("COS-ARMOR-11")
def test_repair_keeps_what_is_not_damage() -> None:
    stage, tess, bo, pistol = workshop("pistol", owner={"weapons": ("pistol",)})
    stage.mark(bo, "pistol", jammed=True)
    stage.do("repair", by=tess, item=pistol, dice=[(5, 5)])
    assert stage.item(bo, "pistol").marks == {"jammed": True}


@pytest.mark.rule("COS-ARMOR-11")
def test_an_hour_of_repair_is_refused_in_a_fight() -> None:
    stage, tess, _, armor = workshop(phase="fight")
    refused = stage.refused("repair", by=tess, item=armor)
    assert (refused.code, refused.message) == (
        "not_allowed",
        "A repair takes an hour: end the fight first.",
    )


def test_nothing_damaged_is_nothing_to_repair() -> None:
    stage, tess, bo, armor = workshop()
    stage.do("repair", by=tess, item=armor, dice=[(10, 10)])
    assert stage.refused("repair", by=tess, item=armor).code == "not_allowed"
    assert stage.obstacle("repair") == "Nobody has anything that needs repair."
    stage.mark(bo, "medium", damaged=1)
    assert stage.refused("repair", by=tess, item=stage.weapon(tess, "pistol")).code == "bad_value"


def test_the_unconscious_repair_nothing() -> None:
    stage, tess, _, armor = workshop()
    stage.give(tess, "unconscious")
    assert stage.refused("repair", by=tess, item=armor).code == "bad_target"


@pytest.mark.rule("COS-ARMOR-11")
def test_repair_form_offers_the_best_worker_and_tells_protection() -> None:
    stage, tess, bo, armor = workshop()
    form = stage.form("repair")
    workers = [(option.value, option.detail) for option in form["by"].options]
    assert workers == [(tess, "Tech 4"), (bo, "Tech 0")]
    assert (form["by"].value, form["item"].value) == (tess, armor)
    (piece,) = form["item"].options
    assert (piece.value, piece.label, piece.detail) == (
        armor,
        "Medium armor of Bo",
        "protection 1 of 4",
    )


@pytest.mark.rule("COS-ARMOR-11")
def test_the_form_counts_half_the_skill_when_it_offers_a_worker() -> None:
    stage = CosmosStage()
    al = stage.hero("Al", skills={"Tech": 2}, attributes={"INT": 4})
    kim = stage.hero("Kim", skills={"Tech": 0}, attributes={"INT": 6})
    stage.mark(al, "pistol", damaged=1)
    form = stage.form("repair")
    assert form["by"].value == kim
    assert form["item"].options[0].detail == "bonus 0 of 1"
