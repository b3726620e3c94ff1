"""The worth of an attack, and initiative, follow everything that counts for them."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant
from combat.rules.guardians.tactics import find_best
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel


def with_track(combatant: Combatant, key: str, points: int) -> dict[str, Any]:
    return {"tracks": combatant.tracks | {key: points}}


def with_sheet(combatant: Combatant, **more: Any) -> dict[str, Any]:
    return {"sheet": combatant.sheet | more}


CHANGES: dict[str, Any] = {
    "own ranks": (ADA, lambda one: with_sheet(one, ranks=one.sheet["ranks"] | {"blades": 3})),
    "own weapons": (ADA, lambda one: {"items": one.items[1:]}),
    "own fatigue": (ADA, lambda one: with_track(one, "fatigue", 4)),
    "own place": (ADA, lambda one: {"at": Point(90, 0)}),
    "foe's ranks": (BO, lambda one: with_sheet(one, ranks=one.sheet["ranks"] | {"coordination": 1})),
    "foe's points": (BO, lambda one: with_track(one, "mp.head", 5)),
    "foe's Toughness": (BO, lambda one: with_track(one, "toughness", 1)),
    "foe's place": (BO, lambda one: {"at": Point(90, 0)}),
    "foe's defenses": (BO, lambda one: {"marks": {"defenses": 9}}),
    "foe's broken armor": (BO, lambda one: {"marks": {"broken.torso": True}}),
    "foe's size": (BO, lambda one: {"at": Point(40, 0), "marks": {SIZE: 80}}),
}


def make_duel(**options: Any) -> GuardStage:
    return duel("long_sword", hero={"blades": 12}, foe={"natural_armor": {"torso": 9}}, **options)


@pytest.mark.rule("CG-ATK-01", "CG-REF-04")
@pytest.mark.parametrize("change", CHANGES)
def test_a_plan_follows_what_has_changed(change: str) -> None:
    stage = make_duel(called_shots="off", free_defenses_per_round="1")
    before = find_best(stage.state, stage[ADA], [stage[BO]])
    who, edit = CHANGES[change]
    stage.edit(who, **edit(stage[who]))
    assert find_best(stage.state, stage[ADA], [stage[BO]]) != before
