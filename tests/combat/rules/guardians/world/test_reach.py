"""The reach of hands: no one treats, strikes or picks up anything through a wall."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import ChoiceRequest
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless, open_duel

WALL = {"id": "w", "x1": 0.5, "y1": -9, "x2": 0.5, "y2": 9}
WINDOW = {**WALL, "kind": "window", "blocks_sight": False, "cover": ""}


def beside(wall: dict[str, Any], *weapons: str, **hero: Any) -> GuardStage:
    """Ada with these weapons, Bo a yard from her on the other side of a wall."""
    stage = duel(*weapons, hero=hero)
    stage.do("set_map", map={"walls": [wall]})
    return stage


@pytest.mark.rule("CG-MOVE-03", "CG-REF-11")
def test_no_blow_goes_through_a_window_but_a_thrown_knife_does() -> None:
    stage = beside(WINDOW, "knife", thrown_weapons=12, blades=12)
    helpless(stage)
    blow = {"target": BO, "weapon": stage.item(ADA, "knife").id}
    why = "A window stands between Ada and Bo: go round it."
    assert stage.refused("attack", ADA, **blow).message == why
    assert stage.preview("attack", ADA, **blow, seen=True).against
    stage.attack(99, thrown=True)
    assert [item.name for item in stage.state.ground] == ["Knife"]


@pytest.mark.rule("CG-ATK-01")
def test_the_form_offers_whom_a_throw_reaches() -> None:
    stage = duel("knife", foe={"at": (20, 0)})
    (option,) = _targets(stage)
    assert not option.refused
    stage.hold_things(ADA, "long_sword")
    (option,) = _targets(stage)
    assert "half a move is 1 yd" in option.refused


@pytest.mark.rule("CG-MOVE-03")
def test_refusal_names_tenths_of_a_yard_if_they_are_the_reason() -> None:
    stage = duel("long_sword", hero={"running": 8}, foe={"at": (5, 1)})
    (option,) = _targets(stage)
    assert option.refused == "Bo is 5.1 yd away, half a move is 5 yd: move closer, or shoot."


def _targets(stage: GuardStage) -> tuple[Any, ...]:
    action = stage.system.action("attack")
    return next(f.options for f in action.find_fields(stage.state, ADA) if f.name == "target")


@pytest.mark.rule("CG-MOVE-01", "CG-MOVE-02", "CG-LIMB-02", "CG-PRONE-01")
def test_a_refused_move_names_what_makes_it_short() -> None:
    stage = duel(hero={"running": 10})
    assert "12 yd are left: go less far" in stage.refused("move", ADA, to="20,0").message
    stage.set_part(ADA, "left_leg", 5)
    assert "6 yd are left (lame leg): go" in stage.refused("move", ADA, to="20,0").message
    stage.do("set_setting", key="footing", value="50")
    assert "3 yd are left (lame leg, footing 50%): go" in stage.refused("move", ADA, to="20,0").message
    stage.give(ADA, "prone")
    assert "1 yd are left (crawling): go" in stage.refused("move", ADA, to="20,0").message


@pytest.mark.rule("CG-ATK-02")
def test_more_than_twenty_ranks_are_told_as_a_chance_of_100() -> None:
    stage = open_duel("long_sword", hero={"blades": 25})
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.item(ADA, "long_sword").id)
    assert sum(term.value for term in shown.against) == 100
    stage.attack(100, 4, (1, 1))
    assert stage.first().against == 100


@pytest.mark.rule("CG-DEF-03", "CG-DEF-04")
def test_defense_that_may_not_be_used_is_greyed_with_the_reason() -> None:
    stage = duel(
        "heavy_pistol",
        hero={"firearms": 12},
        foe={"acrobatics": 8, "blades": 8},
        parry_and_unarmed_block_vs_missiles="no",
    )
    stage.hold_things(BO, "long_sword")
    assert _ask(stage) == {
        "dodge": "",
        "parry": "Parry does not meet thrown weapons or missiles: dodge, or block with a shield.",
        "block": "Block does not meet thrown weapons or missiles: use a shield.",
        "none": "",
    }
    stage = duel("long_sword", hero={"blades": 12})
    stage.hold_things(BO)
    assert _ask(stage)["parry"] == "Parry needs a melee weapon in a sound hand."


def _ask(stage: GuardStage) -> dict[str, str]:
    """The defenses on offer to Bo, each with the reason if it is grayed out."""
    damage = parse_dice(str(stage.find_ready(ADA).data["damage"]))
    stage.attack(10, "none", 4, (1,) * damage.count)
    (request,) = (r for r in stage.asked if isinstance(r, ChoiceRequest))
    return {option.value: option.refused for option in request.options}
