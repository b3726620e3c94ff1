"""Items in a fight: refusals when loading a weapon, picking up an item, or changing hands."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.declaration.parts import find_brief
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel


def armed(*weapons: str, gear: tuple[str, ...] = (), **options: Any) -> StarStage:
    """Ada with these weapons in hand and gear in her pack, Bo beside her; three actions of her turn."""
    stage = StarStage("dock", "hold", **options)
    stage.hero("Ada", zone="dock", gear=gear)
    stage.foe("Bo", zone="dock")
    stage.hold(ADA, *weapons)
    return stage.begin(ADA, BO, actions=3)


def load(stage: StarStage, entry: str, dose: str = "") -> str:
    """Why a weapon cannot be loaded with this item as its dose."""
    payload = stage.item(ADA, dose).id if dose else ""
    return stage.refused("reload", ADA, item=stage.item(ADA, entry).id, dose=payload).message


# ---------------------------------------------------------------- loading


@pytest.mark.rule("SS-RATE-01", "SS-ATK-01")
def test_a_weapon_that_is_full_or_needs_nothing_is_not_loaded() -> None:
    stage = armed("dagger", "aluminum_crossbow", gear=("medical_kit",))
    assert load(stage, "dagger") == "Dagger needs no reloading: choose another weapon."
    assert load(stage, "medical_kit") == "Medical Kit needs no reloading: choose another weapon."
    assert load(stage, "aluminum_crossbow").endswith("is already loaded.")


@pytest.mark.rule("SS-RATE-01", "SS-OTHER-23")
def test_a_needle_gun_takes_one_dose_and_nothing_else() -> None:
    stage = armed("needle_gun", gear=("medical_kit",))
    assert load(stage, "needle_gun") == "Needle Gun takes a dose, and Ada carries none."
    stage = armed("needle_gun", gear=("medical_kit", "simple_poison", "hypnotoxin"))
    for dose in ("", "medical_kit"):
        assert load(stage, "needle_gun", dose) == "Choose the dose to load into Needle Gun."
    gun, poison = stage.weapon(ADA, "needle_gun"), stage.item(ADA, "simple_poison").id
    stage.do("reload", ADA, item=gun, dose=poison)
    stage.turn(ADA)
    assert load(stage, "needle_gun", "hypnotoxin") == "Needle Gun already holds a payload."


# ---------------------------------------------------------------- the ground


@pytest.mark.rule("SS-OTHER-02", "SS-FREE-10")
def test_item_not_here_or_without_a_free_hand_stays_where_it_is() -> None:
    stage = armed("beam_rifle")
    held = stage.weapon(ADA, "beam_rifle")
    stage.hold(BO, "dagger")
    dagger = stage.weapon(BO, "dagger")
    stage.do("give_condition", target=BO, kind="unconscious")
    assert stage.refused("pick_up", ADA, item=held).code == "unknown"
    assert stage.refused("pick_up", ADA, item=dagger).message == (
        "Dagger takes 1 free hand, Ada has 0: put something away."
    )
    stage.hold(ADA)
    stage.put(ADA, "hold")
    assert stage.refused("pick_up", ADA, item=dagger).message == "Dagger is too far away: move there first."
    stage.put(ADA, "dock")
    stage.do("pick_up", ADA, item=dagger)
    assert stage.item(ADA, "dagger").place == "held"


# ---------------------------------------------------------------- hands


@pytest.mark.rule("SS-FREE-09", "SS-FREE-10")
def test_only_held_items_are_put_away_and_only_carried_are_drawn() -> None:
    stage = armed("dagger", gear=("medical_kit",))
    dagger, kit = stage.weapon(ADA, "dagger"), stage.item(ADA, "medical_kit").id
    fists = stage.item(ADA, "unarmed").id
    assert stage.refused("change_items", ADA).message == "Choose what to put away or what to draw."
    for wrong in (kit, fists):
        assert "is not in hand" in stage.refused("change_items", ADA, stow=[wrong]).message
    assert "is not carried" in stage.refused("change_items", ADA, draw=[dagger]).message


# ---------------------------------------------------------------- the reach of a bonus attack


@pytest.mark.rule("SS-MANV-03")
def test_the_second_target_of_an_arc_stands_near_the_first() -> None:
    stage = duel("arc_emitter")
    stage.foe("Cy", zone="hold")
    stage.edit(BO, sheet={**stage[BO].sheet, "natural_resistance": -2})
    stage.attack("arc_emitter", (6, 6), "0")
    assert [check.target for check in stage.checks("attack")] == [BO]
    stage.put(CY, "dock")
    stage.set_track(BO, damage=0)
    stage.turn(ADA)
    stage.attack("arc_emitter", (6, 6), "0", CY, (1, 1))
    assert [check.target for check in stage.checks("attack")] == [BO, CY]


# ---------------------------------------------------------------- their names


def test_the_guns_of_a_robot_are_named_on_the_tile_of_an_attack() -> None:
    stage = duel("arc_emitter")
    assert find_brief(stage.system.action("attack"), stage.state, stage[ADA]) == "Arc Emitter"
