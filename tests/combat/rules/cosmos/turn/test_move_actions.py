"""Move Actions: walking, standing up, drawing, doors, climbing, reloading."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from tests.combat.rules.cosmos.duels import ADA, duel
from tests.combat.rules.cosmos.turn.test_deeds import FRESH, NO_MOVE

# ---------------------------------------------------------------- Move Actions


@pytest.mark.rule("COS-ACT-09")
def test_standing_up_costs_the_move_action() -> None:
    stage = duel()
    assert stage.refused("stand", ADA).message == "Ada is already standing."
    stage.give(ADA, "prone")
    stage.do("stand", ADA)
    assert not stage.has(ADA, "prone")
    assert stage[ADA].budget == NO_MOVE


@pytest.mark.rule("COS-ACT-10")
def test_drawing_and_putting_away_cost_a_move_action() -> None:
    stage = duel("pistol", "club")
    stage.change_item(ADA, "club", place="carried")
    club = stage.weapon(ADA, "club")
    stage.do("draw", ADA, item=club)
    assert (stage.item(ADA, "club").place, stage[ADA].budget) == ("held", NO_MOVE)
    stage.turn(ADA)
    stage.do("draw", ADA, item=club)
    assert (stage.item(ADA, "club").place, stage[ADA].budget) == ("carried", NO_MOVE)


@pytest.mark.rule("COS-ACT-10")
def test_what_cannot_be_drawn() -> None:
    stage = duel(ada={"armor": "medium"})
    no = stage.refused("draw", ADA, item=stage.weapon(ADA, "unarmed"))
    assert (no.code, no.message) == ("not_allowed", "Unarmed strike is always at hand.")
    no = stage.refused("draw", ADA, item=stage.weapon(ADA, "medium"))
    assert no.message == "Medium armor is worn: it does not come off in a fight."
    assert stage.refused("draw", ADA, item="f1-77").code == "unknown"
    options = {option.value: option.refused for option in stage.form("draw", ADA)["item"].options}
    assert options[stage.weapon(ADA, "medium")] == "Medium armor is worn: it does not come off in a fight."


@pytest.mark.rule("COS-ACT-12")
def test_climbing_a_low_obstacle_costs_a_move_action_but_no_roll() -> None:
    stage = duel()
    stage.zone("crate", x=0, y=1, width=1, depth=1, height=1)
    stage.do("climb", ADA, obstacle="low", to="zone:crate")
    assert stage[ADA].budget == NO_MOVE
    assert stage[ADA].at == Point(0.5, 1.5, 1)
    assert not stage.checks()
    assert "COS-ACT-12" in stage.rules()


@pytest.mark.rule("COS-ACT-13")
def test_reloads_that_make_no_sense_are_refused() -> None:
    stage = duel("pistol", "club")
    pistol = stage.weapon(ADA, "pistol")
    assert stage.refused("reload", ADA, item=pistol).message == "Pistol is full."
    no = stage.refused("reload", ADA, item=stage.weapon(ADA, "club"))
    assert no.message == "Club takes no ammunition."
    stage.change_item(ADA, "pistol", loaded=3, spares=0)
    no = stage.refused("reload", ADA, item=pistol)
    assert (no.code, no.message) == ("no_budget", "No spare magazine for Pistol is left.")
    stage.change_item(ADA, "pistol", spares=1, place="carried")
    no = stage.refused("reload", ADA, item=pistol)
    assert no.message == "Pistol is not in hand: draw it first (Move Action)."
    assert stage[ADA].budget == FRESH


@pytest.mark.rule("COS-ACT-13")
def test_without_tracking_there_is_always_another_magazine() -> None:
    stage = duel(track_ammunition=False)
    stage.change_item(ADA, "pistol", loaded=3, spares=0)
    stage.do("reload", ADA, item=stage.weapon(ADA, "pistol"))
    assert stage.item(ADA, "pistol").loaded == 15


@pytest.mark.rule("COS-ACT-13")
def test_a_bow_is_loaded_freely_and_a_crossbow_is_not() -> None:
    stage = duel("bow", "crossbow", trade_standard_for_move=False)
    stage.do("move", ADA, to="0,5")
    for weapon in ("bow", "crossbow"):
        stage.change_item(ADA, weapon, loaded=0)
    stage.do("reload", ADA, item=stage.weapon(ADA, "bow"))
    assert (stage.item(ADA, "bow").loaded, stage.item(ADA, "bow").spares) == (1, 19)
    assert stage[ADA].budget == NO_MOVE
    assert stage.refused("reload", ADA, item=stage.weapon(ADA, "crossbow")).code == "no_budget"


@pytest.mark.rule("COS-ACT-13")
def test_the_form_shows_which_weapons_can_be_loaded() -> None:
    stage = duel("pistol", "rifle")
    stage.change_item(ADA, "rifle", loaded=3)
    field = stage.form("reload", ADA)["item"]
    assert field.value == stage.weapon(ADA, "rifle")
    refused = {option.value: option.refused for option in field.options}
    assert refused[stage.weapon(ADA, "pistol")] == "Pistol is full."
