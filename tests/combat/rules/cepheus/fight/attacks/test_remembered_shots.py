"""Shots from vehicles and at them follow every change at once, whatever was remembered of an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from combat.rules.cepheus.fight.aim import Attack, modifiers_for_attack
from combat.rules.cepheus.fight.checks import check_attack
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import forget
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage

TANK, GUNNER, VAN, RIDER, GUARD = "f1", "f2", "f3", "f4", "f5"
GUN = f"{TANK}-1"
ARMED: dict[str, Any] = {"weapons": ["rifle"], "skills": {"slug_rifle": 0}}
BY_GUN = Attack(actor=GUNNER, target=RIDER, weapon=GUN)
BY_HAND = Attack(actor=RIDER, target=GUARD, weapon=f"{RIDER}-1")
Change = Callable[[Garage], None]


def make_stage() -> Garage:
    """A tank with a gun to the front, a closed van with a rider in it, and a guard before both."""
    stage = Garage()
    tank = stage.vehicle("Tank", mounts=[{"weapon": "triple_laser", "mount": "front"}])
    gunner = stage.crew(tank, "gunner", skills={"energy_rifle": 1})
    van = stage.vehicle("Van", at=(0, -30), side="foes")
    rider, guard = stage.foe("Rider", at=(0, -30), **ARMED), stage.hero("Guard", at=(0, -50), pc=False)
    stage.seat(rider, van)
    assert (tank, gunner, van, rider, guard) == (TANK, GUNNER, VAN, RIDER, GUARD)
    assert stage[tank].items[0].id == GUN
    stage.begin(gunner, rider, guard)
    stage.edit(rider, items=tuple(replace(item, place="held") for item in stage[rider].items))
    return stage


def weigh(stage: Garage, command: Attack) -> object:
    """The DMs of an attack, or the reason it is refused."""
    try:
        sight = check_attack(stage.state, command)
    except Refused as refused:
        return refused.message
    return modifiers_for_attack(stage.state, command, sight)


def mark(who: str, key: str, value: str | int) -> Change:
    return lambda stage: stage.edit(who, marks={**stage[who].marks, key: value})


def pass_round(stage: Garage) -> None:
    stage.state = replace(stage.state, round=stage.state.round + 1, clock=stage.state.clock + 6)


def stall(stage: Garage) -> None:
    stage.give(TANK, "powerless", marks={"first": 1, "last": 1})


def rig(stage: Garage) -> None:
    """Rig a damaged gun for the rest of the round."""
    stage.hurt(TANK, "weapon", 1, GUN)
    (held,) = stage[TANK].conditions
    marks = {**held.marks, "rigged": 1, "rig_until": stage.state.clock + 1}
    stage.edit(TANK, conditions=(replace(held, marks=marks),))


def evade(stage: Garage) -> None:
    """Drive evasively in this round, the gunner at the controls."""
    stage.seat(GUNNER, TANK, "driver")
    stage.give(TANK, "evading", level=2)
    mark(TANK, "controlled", stage.state.round)(stage)


@pytest.mark.rule("CE-VEH-03", "CE-VEH-12", "CE-VACT-05", "CE-VACT-06", "CE-VLOC-27", "CE-VLOC-34")
@pytest.mark.parametrize(
    ("command", "before", "change"),
    [
        (BY_GUN, [], mark(TANK, "facing", 180)),
        (BY_GUN, [], lambda stage: stage.hurt(TANK, "weapon", 1, GUN)),
        (BY_GUN, [], lambda stage: stage.give(TANK, "evading", level=2)),
        (BY_GUN, [], lambda stage: stage.give(VAN, "evading", level=2)),
        (BY_GUN, [], mark(VAN, "moved_m", "25.00")),
        (BY_GUN, [], lambda stage: stage.edit(VAN, sheet={**stage[VAN].sheet, "open": True})),
        (BY_GUN, [], stall),
        (BY_GUN, [stall], pass_round),
        (BY_GUN, [rig], pass_round),
        (BY_GUN, [evade], pass_round),
        (BY_HAND, [], mark(VAN, "fired:front", "1:f8,f9")),
        (BY_HAND, [mark(VAN, "fired:front", "1:f8,f9")], pass_round),
        (BY_HAND, [mark(VAN, "fired:front", "1:f8,f9")], mark(VAN, f"extra_arc:{GUARD}", "1:left")),
    ],
)
def test_a_shot_follows_a_change_of_a_vehicle_at_once(
    command: Attack, before: list[Change], change: Change
) -> None:
    stage = make_stage()
    for each in before:
        each(stage)
    was = weigh(stage, command)
    change(stage)
    now = weigh(stage, command)
    forget()
    assert weigh(stage, command) == now != was


@pytest.mark.rule("CE-COVER-05")
def test_cover_given_to_someone_who_crouches_keeps_them_from_firing_at_once() -> None:
    stage = make_stage()
    stage.edit(RIDER, berth=stage[GUARD].berth)
    stage.give(RIDER, "crouched")
    assert not isinstance(weigh(stage, BY_HAND), str)
    mark(RIDER, "cover", "full")(stage)
    assert "stand up" in str(weigh(stage, BY_HAND))
