"""Doors of the battle map: a minor action."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.space import map_of
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone

LOCK = {"id": "d1", "x1": 0.75, "y1": -0.75, "x2": 0.75, "y2": 0.75, "kind": "door", "name": "Inner lock"}


def beside(**changes: Any) -> CepheusStage:
    """Ada in the square west of a door, her turn."""
    stage = lone()
    stage.foe(at=(3, 0))
    stage.begin(ADA, BO)
    stage.do("set_map", map={"walls": [{**LOCK, **changes}]})
    return stage


@pytest.mark.rule("CE-MINOR-20")
def test_a_door_takes_a_minor_action() -> None:
    stage = beside()
    stage.do("door", ADA, door="d1")
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    assert map_of(stage.state.scene).walls[0].open
    stage.do("door", ADA, door="d1")
    assert stage[ADA].budget == {"minor": 1, "significant": 0}, "the significant action was traded for two"
    assert not map_of(stage.state.scene).walls[0].open


@pytest.mark.rule("CE-MINOR-20")
def test_a_door_opens_after_somebody_has_left_the_fight() -> None:
    stage = beside()
    stage.do("remove", target=BO)
    stage.do("door", ADA, door="d1")
    assert map_of(stage.state.scene).walls[0].open


@pytest.mark.rule("CE-MINOR-04", "CE-MINOR-20")
def test_a_door_ends_aiming() -> None:
    stage = beside()
    stage.give(ADA, "aiming", by=BO, level=2)
    stage.do("door", ADA, door="d1")
    assert not [held.kind for held in stage[ADA].conditions]


@pytest.mark.rule("CE-MINOR-04", "CE-GRAP-02")
def test_a_door_shut_between_two_ends_their_holds_and_aims() -> None:
    stage = lone()
    aimer, other = stage.foe(at=(3, 0)), stage.foe("Di", at=(1.25, 0))
    stage.begin(ADA, aimer)
    stage.do("set_map", map={"walls": [{**LOCK, "open": True}]})
    stage.give(aimer, "aiming", level=2, marks={"target": ADA})
    for who, by in ((ADA, other), (other, ADA)):
        stage.give(who, "grappled", by=by)
    stage.edit(ADA, conditions=())
    stage.do("door", ADA, door="d1")
    assert not stage.has(aimer, "aiming")
    assert not stage.has(other, "grappled")


@pytest.mark.rule("CE-MINOR-20")
def test_the_action_is_greyed_away_from_doors() -> None:
    stage = beside(x1=9, x2=9)
    refusal = find_refusal(stage.system.action("door"), stage.state, ADA)
    assert refusal
    assert refusal.message == "No door is within reach: move next to one first."
    assert stage.refused("door", ADA, door="d1").message == refusal.message
