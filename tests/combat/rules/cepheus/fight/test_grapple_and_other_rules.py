"""Grappling together with other rules: several holders, terrain, the helpless, the GM."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from tests.combat.rules.cepheus.fight.range import RangeStage, losses
from tests.combat.rules.cepheus.fight.ring import grapple, ring
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.typed import sure


def trio() -> tuple[RangeStage, str]:
    """Bo held by Ada and by Cy."""
    stage = ring(held=True)
    other = stage.join("Cy", 1, 1)
    stage.skilled(other, natural_weapons=0)
    stage.edit(other, items=(), conditions=())
    stage.give(BO, "grappled", by=other)
    stage.give(other, "grappled", by=BO)
    return stage, other


@pytest.mark.rule("CE-GRAP-08", "CE-GRAP-14")
def test_who_breaks_free_of_one_stays_in_the_hold_of_another() -> None:
    """RULING R21"""
    stage, other = trio()
    grapple(stage, 1, "escape", who=BO, on=ADA)
    assert stage[BO].at == Point(1, 0)
    assert [held.by for held in stage[BO].conditions if held.kind == "grappled"] == [other]
    assert not stage.has(ADA, "grappled")
    grapple(stage, 1, "escape", "east-6", who=BO, on=other)
    assert stage[BO].at == Point(7, 0)


@pytest.mark.rule("CE-GRAP-07", "CE-GRAP-11", "CE-GRAP-14")
@pytest.mark.parametrize(("who", "on", "refused"), [(ADA, BO, {"drag", "throw"}), (BO, ADA, {"drag"})])
def test_nobody_is_moved_out_of_the_hold_of_another(who: str, on: str, refused: set[str]) -> None:
    """RULING R21"""
    stage, _ = trio()
    stage.turn(who)
    grapple(stage, 1, "hold", "continue", who=who, on=on)
    options = stage.questions()[0].options
    greyed = {option.value for option in options if option.refused == "Someone else holds Bo as well."}
    assert greyed == refused


@pytest.mark.rule("CE-GRAP-08", "CE-MINOR-18")
def test_an_escape_in_difficult_terrain_leads_half_as_far() -> None:
    stage = ring(held=True)
    stage.zone("mud", x=-20, y=-20, width=40, depth=40, terrain=["difficult"])
    grapple(stage, 1, "escape", "west-3")
    offered = {option.value.partition("-")[2] for option in stage.questions()[-1].options[1:]}
    assert offered == {"3", "1.5"}
    assert stage[ADA].at == Point(-3, 0)


@pytest.mark.rule("CE-GRAP-08", "CE-MINOR-18")
def test_an_escape_out_of_the_mud_leads_as_far_as_a_move() -> None:
    """2 m of mud cost 4 of the 6 m, and 2 m beyond it the rest."""
    stage = ring(held=True)
    stage.zone("mud", x=-2.25, y=-20, width=40, depth=40, terrain=["difficult"])
    grapple(stage, 1, "escape", "west-3.75")
    assert stage[ADA].at == Point(-3.75, 0)


@pytest.mark.rule("CE-GRAP-03")
@pytest.mark.parametrize("state", ["unconscious", "bound", "helpless", "surrendered"])
@pytest.mark.parametrize(("dice", "effect"), [((1, 1), 0), ((6, 5), 3)])
def test_who_cannot_resist_makes_no_check(state: str, dice: tuple[int, int], effect: int) -> None:
    """RULING R21: the grapple is won, by the Effect of the single check."""
    stage = ring()
    stage.give(BO, state)
    weapon = stage.arm(BO, "dagger")
    assert [stage.system.draw(n, {BO: "Bo"}) for n in stage.preview("grapple", ADA, target=BO).notes] == [
        "Bo makes no check: the grapple is won"
    ]
    stage.do("grapple", ADA, target=BO, dice=(dice, "damage", "end"))
    assert [check.who for check in stage.checks()] == [ADA]
    assert losses(stage) == {BO: 2 + effect}
    assert stage[BO].items[0].id == weapon


@pytest.mark.rule("CE-GRAP-03")
def test_the_odds_of_grappling_the_unconscious_are_certain() -> None:
    stage = ring()
    stage.give(BO, "unconscious")
    assert sure(stage.odds("grapple", ADA, target=BO).headline).chance == 1


@pytest.mark.rule("CE-GRAP-06")
@pytest.mark.parametrize("wanted", [0, 1])
def test_the_winner_says_which_weapon_is_taken(wanted: int) -> None:
    stage = ring()
    stage.arm(BO, "dagger", "auto_pistol")
    items = [item.id for item in stage[BO].items]
    grapple(stage, 6, "disarm", items[wanted], "continue")
    assert [o.label for o in stage.questions()[1].options] == ["Dagger", "Auto Pistol"]
    assert [item.id for item in stage[BO].items] == [items[1 - wanted]]
    assert items[wanted] in [item.id for item in stage[ADA].items]


@pytest.mark.rule("CE-GRAP-07")
def test_a_drag_leads_no_farther_than_both_get() -> None:
    stage = ring()
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 2.75, "y1": -9, "x2": 2.75, "y2": 9}]})
    grapple(stage, 1, "drag", "east-3", "continue")
    assert round(stage[BO].at.x - stage[ADA].at.x, 3) == 1
    assert stage.has(BO, "grappled")


@pytest.mark.rule("CE-GRAP-14", "CE-OTHER-07")
def test_a_hold_that_the_gm_gives_ends_a_task() -> None:
    stage = ring()
    stage.give(BO, "extended_action", marks={"skill": "mechanics", "characteristic": "edu"})
    stage.do("give_condition", target=BO, kind="grappled", by=ADA)
    assert not stage.has(BO, "extended_action")
