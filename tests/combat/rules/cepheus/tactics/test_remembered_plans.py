"""The best attack follows every change at once, whatever was remembered of an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from combat.rules.cepheus.actions.forms.fight import check_attack_now
from combat.rules.cepheus.people.goods.inventory import make_weapon
from combat.rules.cepheus.tactics.plans import find_best, find_foes
from combat.rules.core.basics.errors import allows
from combat.rules.core.basics.memory import forget
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.cepheus.vehicles.garage import Garage

Change = Callable[[RangeStage], None]
CROWD = "use_firing_into_combat"


def weigh(stage: Any, who: str) -> object:
    """The best attack, its chance and its worth; None without one."""
    combatant = stage[who]
    found = find_best(stage.state, combatant, find_foes(stage.state, combatant))
    return found and (found.command, found.mode, found.row, found.band, found.chance, found.worth)


def check(stage: Any, who: str, change: Callable[[Any], None]) -> None:
    was = weigh(stage, who)
    change(stage)
    now = weigh(stage, who)
    forget()
    assert weigh(stage, who) == now != was


def stand(who: str, x: float, y: float = 0) -> Change:
    return lambda stage: stage.edit(who, at=Point(x, y))


def train(stage: RangeStage) -> None:
    stage.skilled(ADA, **dict.fromkeys(stage[ADA].items[0].data["skills"], 3))


def wear_armor(stage: RangeStage) -> None:
    worn = duel(foe={"armor": ["mesh"]})[BO].items
    assert worn
    stage.edit(BO, items=worn)


def hold(stage: RangeStage) -> None:
    """Take another weapon into a hand."""
    other = replace(make_weapon("dagger"), id=f"{ADA}-x", place="held")
    stage.edit(ADA, items=(*stage[ADA].items, other))


def stop_counting_the_crowd(stage: RangeStage) -> None:
    stage.state = replace(stage.state, options={**stage.state.options, CROWD: False})


@pytest.mark.rule("CE-MINOR-03", "CE-BURST-01", "CE-GRAP-14", "CE-MOD-06")
@pytest.mark.parametrize(
    ("weapon", "change"),
    [
        ("auto_rifle", lambda stage: stage.aimed(ADA, BO, 2)),
        ("auto_rifle", lambda stage: stage.give(ADA, "suppressed")),
        ("auto_rifle", lambda stage: stage.give(ADA, "grappled", by=BO)),
        ("auto_rifle", lambda stage: stage.give(BO, "prone")),
        ("auto_rifle", lambda stage: stage.set_track(ADA, dex=2)),
        ("dagger", lambda stage: stage.set_track(ADA, str=15)),
        ("auto_rifle", stand(ADA, -300)),
        ("auto_rifle", stand(BO, 600)),
        ("auto_rifle", lambda stage: stage.load(ADA, 3)),
        ("auto_rifle", lambda stage: stage.load(ADA, 0)),
        ("auto_rifle", hold),
        ("auto_rifle", lambda stage: stage.mark(ADA, full_dms=True)),
        ("auto_rifle", lambda stage: stage.mark(BO, moved_m="30.00")),
        ("auto_rifle", train),
        ("auto_rifle", wear_armor),
    ],
)
def test_a_plan_follows_a_change_at_once(weapon: str, change: Change) -> None:
    stage = duel(weapon, 1 if weapon == "dagger" else 20)
    stage.set_track(ADA, dex=5, str=5)
    check(stage, ADA, change)


@pytest.mark.rule("CE-REACT-06", "CE-VACT-17")
@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("reacted", {"level": 3}),
        ("set_up", {"marks": {"checks": -2}}),
        ("suppressed", {"kind": "grappled"}),
    ],
)
def test_a_plan_follows_a_condition_that_changes_at_once(kind: str, changes: dict[str, Any]) -> None:
    stage = duel("auto_rifle")
    stage.give(ADA, kind)
    (held,) = stage[ADA].conditions
    check(stage, ADA, lambda changed: changed.edit(ADA, conditions=(replace(held, **changes),)))


def test_an_equal_condition_of_another_fight_gives_the_same_plan() -> None:
    stage = duel("auto_rifle")
    stage.give(ADA, "reacted")
    (held,) = stage[ADA].conditions
    found = find_best(stage.state, stage[ADA], [stage[BO]])
    stage.edit(ADA, conditions=(replace(held, id="k9"),))
    assert find_best(stage.state, stage[ADA], [stage[BO]]) is found is not None


@pytest.mark.rule("CE-INTO-01")
def test_a_plan_follows_at_once_who_comes_beside_the_target() -> None:
    stage = duel("auto_rifle")
    check(stage, ADA, lambda changed: changed.edit(changed.join("Cy", 20.5), side="heroes"))
    check(stage, ADA, stop_counting_the_crowd)


@pytest.mark.rule("CE-COND-01")
def test_a_plan_follows_the_light_at_once() -> None:
    check(duel("auto_rifle"), ADA, lambda changed: changed.setting("light", "low_light"))


@pytest.mark.rule("CE-VDMG-05")
def test_a_plan_against_a_vehicle_follows_its_armor_at_once() -> None:
    stage = Garage()
    van = stage.vehicle("Van", at=(0, 20), side="foes")
    driver = stage.foe("Rider", at=(0, 20))
    stage.seat(driver, van)
    guard = stage.hero("Guard", weapons=["rifle"], skills={"slug_rifle": 1}, pc=False)
    stage.begin(guard, driver)
    stage.edit(guard, items=tuple(replace(item, place="held") for item in stage[guard].items))
    stage.set_track(van, armor=3)
    check(stage, guard, lambda changed: changed.set_track(van, armor=0))


@pytest.mark.rule("CE-MINOR-12")
def test_an_attack_needs_a_weapon_that_is_ready_now() -> None:
    stage = duel("rifle")
    assert allows(check_attack_now, stage.state, ADA)
    stage.load(ADA, 0)
    assert not allows(check_attack_now, stage.state, ADA)


@pytest.mark.rule("CE-VMOUNT-01")
def test_a_gunner_needs_a_gun_that_is_there_now() -> None:
    stage = Garage()
    tank = stage.vehicle("Tank", mounts=[{"weapon": "triple_laser", "mount": "front"}])
    gunner = stage.crew(tank, "gunner")
    stage.begin(gunner)
    stage.edit(gunner, items=())
    assert allows(check_attack_now, stage.state, gunner)
    stage.edit(tank, items=())
    assert not allows(check_attack_now, stage.state, gunner)
