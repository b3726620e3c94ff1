"""Machines that can do nothing: their side is out, and the verdict says why."""

from __future__ import annotations

import pytest

from combat.rules.cepheus import SYSTEM
from combat.rules.core.sides import Verdict, describe_losses, find_verdict, standing_sides
from combat.rules.core.state.state import replace
from tests.combat.rules.stage import Stage


def meet(block: str) -> tuple[Stage, str, str]:
    """A guard, and a machine on the other side, in a fight."""
    stage = Stage(SYSTEM)
    guard = stage.add("Ada", "allies", (0, 0), block="starport_guard")
    machine = stage.add("Unit", "enemies", (8, 0), block=block)
    return stage.begin(guard, machine), guard, machine


@pytest.mark.rule("CE-VDMG-01")
def test_a_drone_that_nobody_steers_keeps_no_fight_going() -> None:
    stage, _, drone = meet("combat_drone")
    verdict = find_verdict(SYSTEM, stage.state)
    assert verdict == Verdict("allies", ("enemies",))
    assert describe_losses(SYSTEM, stage.state, verdict).startswith("1 unable to do anything.")
    stage.state = replace(stage.state, phase="prep")
    operator = stage.add("Bo", "enemies", (9, 0), block="starport_guard")
    stage.state = replace(stage.state, phase="fight")
    stage.do("assign_drone", target=drone, operator=operator)
    assert find_verdict(SYSTEM, stage.state) is None
    stage.give(operator, "unconscious")
    assert find_verdict(SYSTEM, stage.state) == verdict


@pytest.mark.rule("CE-VLOC-40")
def test_robot_is_out_only_without_both_weapons_and_limbs() -> None:
    stage, _, robot = meet("cargo_robot")
    assert standing_sides(SYSTEM, stage.state) == ("allies", "enemies")
    stage.edit(robot, items=(), sheet={**stage[robot].sheet, "limbs": 0})
    assert standing_sides(SYSTEM, stage.state) == ("allies",)


@pytest.mark.parametrize("slug", ["cosmos", "starshock", "guardians"])
def test_who_has_nothing_to_strike_with_is_out_in_every_game(slug: str) -> None:
    stage = Stage(slug)
    block = next(iter(stage.system.book.find_blocks()))
    stage.add("Ada", "allies", (0, 0), block=block)
    other = stage.add("Bo", "enemies", (3, 0), block=block)
    stage.begin()
    assert standing_sides(stage.system, stage.state) == ("allies", "enemies")
    items = stage[other].items
    stage.edit(other, items=())
    assert standing_sides(stage.system, stage.state) == ("allies",)
    stage.state = replace(stage.state, ground=(replace(items[0], place="ground"),))
    assert standing_sides(stage.system, stage.state) == ("allies", "enemies"), "it may be picked up"
