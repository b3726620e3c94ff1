"""Armor and Resistance: the base, and its changes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from combat.rules.starshock import SYSTEM
from combat.rules.starshock.book import tables
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel, sheet, terms


def alone(**more: Any) -> StarStage:
    stage = StarStage()
    stage.hero("Ada", **more)
    return stage


@pytest.mark.rule("SS-DEF-01")
def test_there_are_two_values_and_no_others() -> None:
    labels = [fact.label for fact in SYSTEM.characters.facts_of(alone().state, alone()[ADA])]
    assert labels == ["Armor", "Resistance", "Damage Taken", "Consciousness check", "Action Penalty"]
    assert {weapon.versus for weapon in tables.weapons().values()} == {"armor", "resistance"}
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        SYSTEM.characters.make_combatant("f1", "Old", "enemies", {**sheet(), "resist_dex": 1}, {})


@pytest.mark.rule("SS-DEF-07")
def test_a_shield_counts_only_in_hand() -> None:
    stage = alone()
    stage.hold(ADA, "shock_shield")
    assert stage.number(ADA, "Armor") == 10
    stage.do("start", dice=[(5, 5)])
    stage.do("change_items", ADA, stow=[stage.weapon(ADA, "shock_shield")])
    assert stage.number(ADA, "Armor") == 9


@pytest.mark.rule("SS-DEF-07")
@pytest.mark.parametrize(
    ("piece", "armor", "resistance"),
    [
        ("titanium_undershirt", 10, 8),
        ("grounding_harness", 9, 9),
        ("lightweight_exosuit", 10, 9),
        ("polyluminum_cloak", 10, 8),
    ],
)
def test_pieces_of_armor(piece: str, armor: int, resistance: int) -> None:
    stage = alone(wears=piece)
    assert stage.number(ADA, "Armor") == armor
    assert stage.number(ADA, "Resistance") == resistance


@pytest.mark.rule("SS-DEF-07")
@pytest.mark.parametrize(("piece", "armor"), [("titanium_undershirt", 9), ("plastic_plate", 10)])
def test_armor_may_raise_an_attribute_before_the_better_is_taken(piece: str, armor: int) -> None:
    stage = StarStage(armor_conversion="raises_one_attribute_before_max")
    stage.hero("Ada", str=1, dex=2, wears=piece)
    assert stage.number(ADA, "Armor") == armor


@pytest.mark.rule("SS-DEF-05", "SS-DEF-07")
def test_a_shield_generator_rolls_resistance_for_each_attack() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", "ray_gun", zone="dock")
    stage.foe("Bo", zone="dock", wears="em_shield_generator", prs=3)
    stage.begin(ADA, BO)
    shot = stage.attack("ray_gun", (5,), (5, 5))
    assert (shot.against, shot.outcome) == (12, "miss")
    assert terms(shot.against_terms) == {"Base": 7, "Electromagnetic Shield Generator (expert)": 5}


@pytest.mark.rule("SS-DEF-07")
def test_a_security_vest_is_lost_when_its_wearer_drops() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock")
    stage.foe("Bo", zone="dock", wears="polyluminum_vest")
    stage.begin(ADA, BO)
    stage.do("adjust", target=BO, track="damage", to=12, dice=[(2, 3)])
    assert stage.has(BO, "unconscious")
    assert stage.find(BO, "polyluminum_vest") is None


@pytest.mark.rule("SS-DEF-07")
def test_other_implants_halve_nothing() -> None:
    stage = duel("ray_gun")
    stage.edit(BO, sheet={**stage[BO].sheet, "features": ["cyber_legs_1"]})
    stage.edit(ADA, sheet={**stage[ADA].sheet, "attributes": dict.fromkeys(("str", "dex", "int", "prs"), 2)})
    stage.attack("ray_gun", (5, 4), "pass")
    assert stage.damage(BO) == 4


@pytest.mark.rule("SS-DEF-07")
def test_adaptive_skin_halves_what_is_resisted() -> None:
    for weapon, damage in (("ray_gun", 2), ("dagger", 5)):
        stage = duel(weapon)
        stage.edit(BO, sheet={**stage[BO].sheet, "features": ["adaptive_skin_2"]})
        stage.edit(
            ADA, sheet={**stage[ADA].sheet, "attributes": dict.fromkeys(("str", "dex", "int", "prs"), 2)}
        )
        answers = ("pass",) if weapon == "ray_gun" else ()
        stage.attack(weapon, (5, 4), *answers)
        assert stage.damage(BO) == damage
