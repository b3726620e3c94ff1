"""Tests of the game's own rules, each marked with the rules that it shows."""

from __future__ import annotations

import pytest

from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.state.state import has_condition
from tests.combat.rules.games import set_up
from tests.combat.rules.stage import Stage

SYSTEM = find_system("tiny")


def begin() -> Stage:
    """Ada (f1) to act, Bo (f2) and Cy (f3) near her."""
    stage = set_up(SYSTEM)
    for who, x in (("f1", 0.0), ("f2", 1.0), ("f3", 2.0)):
        stage.do("place", target=who, x=x, y=0)
    return stage.begin("f1", "f2", "f3")


# in a copy: @pytest.mark.rule("TINY-STR-01", "TINY-STR-02", "TINY-COND-01")
def test_hit_wounds_and_the_highest_face_shakes() -> None:
    stage = begin()
    stage.do("strike", "f1", dice=((3,), (4,)), target="f2")
    assert stage.state["f2"].tracks["hits"] == 2
    assert has_condition(stage.state["f2"], "shaken")


# in a copy: @pytest.mark.rule("TINY-GRD-01", "TINY-STR-03")
def test_guard_is_harder_to_hit_and_may_parry() -> None:
    stage = begin()
    stage.do("guard", "f1")
    stage.do("next_turn")
    stage.do("strike", "f2", dice=((5,),), target="f1")
    assert stage.state["f1"].tracks["hits"] == 8


# in a copy: @pytest.mark.rule("TINY-TURN-02")
def test_turn_has_one_act() -> None:
    stage = begin()
    stage.do("guard", "f1")
    with pytest.raises(Refused, match="No act is left"):
        stage.do("strike", "f1", target="f2")
