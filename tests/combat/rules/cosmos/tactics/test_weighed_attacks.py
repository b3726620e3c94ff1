"""The best attack and the best shelter follow whatever changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from combat.rules.core.state.state import replace
from combat.rules.cosmos.tactics import best_attack, find_foes, find_shelter
from tests.combat.rules.cosmos.figures import CosmosStage

ADA, BO, CY = "f1", "f2", "f3"
Change = Callable[[CosmosStage], object]


def make_stage(*weapons: str, apart: float = 10) -> CosmosStage:
    """Ada with all weapons in hand, on her turn; Bo this many meters east; Cy, her friend, far away."""
    stage = CosmosStage()
    stage.hero(weapons=weapons, shield="riot_shield")
    stage.foe(at=(apart, 0), shield="riot_shield")
    stage.hero("Cy", (-40, 0), weapons=("sword",))
    for who in (ADA, CY):
        stage.draw_all(who)
    for who in (ADA, BO):
        stage.put(who, "riot_shield", "carried")
    return stage.begin()


def weigh(stage: CosmosStage) -> object:
    """The best attack of Ada, and its worth."""
    return best_attack(stage.state, stage[ADA], find_foes(stage.state, stage[ADA]))


def check(stage: CosmosStage, change: Change) -> None:
    was = weigh(stage)
    change(stage)
    assert weigh(stage) != was


def load(rounds: int) -> Change:
    def put(stage: CosmosStage) -> None:
        stage.edit(ADA, items=tuple(replace(item, loaded=rounds) for item in stage[ADA].items))

    return put


def mark(**marks: Any) -> Change:
    def put(stage: CosmosStage) -> None:
        stage.edit(ADA, items=tuple(replace(item, marks=marks) for item in stage[ADA].items))

    return put


def option(key: str, value: Any) -> Change:
    def put(stage: CosmosStage) -> None:
        stage.state = replace(stage.state, options={**stage.state.options, key: value})

    return put


def darken(stage: CosmosStage) -> None:
    stage.zone("dark", x=9, y=-1, width=2, depth=2, light="dark")


@pytest.mark.rule("COS-ATK-01", "COS-MOD-01", "COS-MOD-05", "COS-MOD-08", "COS-DEF-01", "COS-ATK-11")
@pytest.mark.parametrize(
    ("weapon", "apart", "change"),
    [
        ("rifle", 10, lambda stage: stage.give(BO, "total_defense")),
        ("rifle", 10, lambda stage: stage.give(BO, "prone")),
        ("rifle", 10, lambda stage: stage.give(BO, "drug", marks={"defense": 3, "name": "Wall"})),
        ("rifle", 10, lambda stage: stage.give(ADA, "drug", marks={"attack": 3, "name": "Edge"})),
        ("rifle", 10, lambda stage: stage.give(ADA, "total_defense")),
        ("rifle", 10, lambda stage: stage.give(ADA, "quick_aim")),
        ("rifle", 10, lambda stage: stage.give(ADA, "fatigued")),
        ("rifle", 10, lambda stage: stage.set_track(ADA, hp=3)),
        ("rifle", 10, lambda stage: stage.set_track(BO, hp=1)),
        ("rifle", 10, load(1)),
        ("rifle", 10, load(0)),
        ("rifle", 10, mark(jammed=True)),
        ("rifle", 10, mark(ready_at=99)),
        ("rifle", 10, mark(damaged=1)),
        ("rifle", 10, option("max_attacks", 1)),
        ("rifle", 10, lambda stage: stage.place(BO, 400, 0)),
        ("rifle", 10, lambda stage: stage.place(ADA, -300, 0)),
        ("rifle", 10, darken),
        ("rifle", 10, lambda stage: stage.put(ADA, "riot_shield", "held")),
        ("rifle", 10, lambda stage: stage.put(BO, "riot_shield", "held")),
        ("sword", 1, lambda stage: stage.place(CY, 2, 0)),
        ("sword", 1, lambda stage: stage.place(BO, 5, 0)),
    ],
)
def test_an_attack_is_weighed_by_what_holds_now(weapon: str, apart: float, change: Change) -> None:
    check(make_stage(weapon, apart=apart), change)


@pytest.mark.rule("COS-ATK-11")
def test_a_slow_weapon_is_ready_again_with_time() -> None:
    stage = make_stage("rifle")
    mark(ready_at=stage.state.clock + 6)(stage)

    def wait(changed: CosmosStage) -> None:
        changed.state = replace(changed.state, clock=changed.state.clock + 6)

    check(stage, wait)


@pytest.mark.rule("COS-MOD-08")
def test_an_aimed_shot_takes_a_move_that_is_left() -> None:
    stage = make_stage("rifle")
    stage.give(BO, "total_defense")
    check(stage, lambda changed: changed.edit(ADA, budget={**changed[ADA].budget, "move": 0}))


@pytest.mark.rule("COS-DEF-03")
@pytest.mark.parametrize(
    "change",
    [
        lambda stage: stage.place(BO, 60, 0),
        lambda stage: stage.place(ADA, -50, 0),
        lambda stage: stage.zone("wall", x=1, y=3, width=2, depth=2, cover="heavy"),
    ],
)
def test_shelter_is_looked_for_from_where_people_stand_now(change: Change) -> None:
    stage = make_stage("pistol")
    stage.zone("tree", x=-1, y=3, width=2, depth=2, cover="light")
    stage.zone("rock", x=30, y=-3, width=2, depth=2, cover="heavy")

    def look() -> list[str]:
        ada, guns = stage[ADA], [item for item in stage[ADA].items if item.kind == "weapon"]
        return find_shelter(stage.state, ada, find_foes(stage.state, ada), guns)

    was = look()
    change(stage)
    assert look() != was
