"""The worth of an attack, and initiative, follow everything that counts for them."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, replace
from combat.rules.guardians import SYSTEM
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


@pytest.mark.rule("CG-FAT-03", "CG-FAT-06")
def test_who_is_too_tired_to_hit_rests() -> None:
    stage = make_duel()
    assert stage.choose(ADA)[0] == "attack"
    stage.edit(ADA, **with_track(stage[ADA], "fatigue", 11))
    assert stage.choose(ADA)[0] == "attack", "a chance is left"
    stage.edit(ADA, **with_track(stage[ADA], "fatigue", 30))
    assert stage.choose(ADA) == ("", {}), "the end of the turn is a rest"
    stage.edit(BO, at=Point(60, 0))
    assert stage.choose(ADA) == ("", {}), "a run would only tire more"
    stage.edit(ADA, sheet={**stage[ADA].sheet, "ranks": {}}, **with_track(stage[ADA], "fatigue", 1))
    assert stage.choose(ADA)[0] == "move", "rest is no help"


@pytest.mark.rule("CG-ATK-01")
@pytest.mark.parametrize("weapons", [("knife", "great_sword"), ("great_sword", "knife")])
def test_form_of_an_attack_starts_with_the_weapon_that_does_most(weapons: tuple[str, str]) -> None:
    stage = duel(*weapons, hero={"blades": 12})
    stage.edit(ADA, items=tuple(replace(item, place="held") for item in stage[ADA].items))
    fields = {field.name: field for field in SYSTEM.action("attack").find_fields(stage.state, ADA)}
    held = {item.id: item.name for item in stage[ADA].items}
    assert held[str(fields["weapon"].value)] == "Great Sword"
