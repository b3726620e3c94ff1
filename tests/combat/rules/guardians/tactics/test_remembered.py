"""What is remembered of an attack and of initiative is asked again when anything that counts changes."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.memory import forget
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, replace
from combat.rules.guardians.fight.aim import Attack, attack_terms, find_use
from combat.rules.guardians.tactics.worth import find_best
from combat.rules.guardians.turn.rounds import add_initiative
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
    before = find_best(stage.state, stage[ADA], stage[BO])
    who, edit = CHANGES[change]
    stage.edit(who, **edit(stage[who]))
    found = find_best(stage.state, stage[ADA], stage[BO])
    forget()
    assert before != found == find_best(stage.state, stage[ADA], stage[BO])


@pytest.mark.rule("CG-REF-02", "CG-DEF-01")
@pytest.mark.parametrize(("who", "kind"), [(ADA, "frightened"), (BO, "surprised")])
def test_a_plan_follows_the_conditions_of_both(who: str, kind: str) -> None:
    stage = make_duel()
    before = find_best(stage.state, stage[ADA], stage[BO])
    stage.give(who, kind)
    after = find_best(stage.state, stage[ADA], stage[BO])
    assert before
    assert after
    assert before.worth != after.worth


@pytest.mark.rule("CG-REF-04")
def test_a_plan_follows_the_options_of_the_table() -> None:
    stage = duel("long_sword", hero={"blades": 16})
    plans = [find_best(stage.state, stage[ADA], stage[BO])]
    stage.state = replace(stage.state, options={"called_shots": "off"})
    plans.append(find_best(stage.state, stage[ADA], stage[BO]))
    assert [plan and plan.command.called for plan in plans] == ["head", ""]


@pytest.mark.rule("CG-INIT-01", "CG-INIT-02")
def test_initiative_follows_fatigue_conditions_and_options() -> None:
    stage = make_duel()
    found = [add_initiative(stage.state, stage[ADA])[1]]
    stage.edit(ADA, **with_track(stage[ADA], "fatigue", 4))
    found.append(add_initiative(stage.state, stage[ADA])[1])
    stage.edit(ADA, **with_sheet(stage[ADA], initiative=3))
    found.append(add_initiative(stage.state, stage[ADA])[1])
    stage.give(ADA, "frightened")
    found.append(add_initiative(stage.state, stage[ADA])[1])
    stage.state = replace(stage.state, options={"fear_ranks": -1})
    found.append(add_initiative(stage.state, stage[ADA])[1])
    assert found == [10, 6, 9, 7, 8]


@pytest.mark.rule("CG-REF-04", "CG-ATK-02")
def test_the_ranks_of_a_named_part_are_one_tuple_until_the_table_changes_them() -> None:
    stage = make_duel()
    weapon = stage.find_ready(ADA).id
    head, torso = (
        Attack(actor=ADA, target=BO, weapon=weapon, called="head"),
        Attack(actor=ADA, target=BO, weapon=weapon, called="torso"),
    )
    use = find_use(stage.state, head)
    first, other = attack_terms(stage.state, head, use), attack_terms(stage.state, torso, use)
    assert first is attack_terms(stage.state, head, use)
    assert first != other
    stage.state = replace(stage.state, options={"called_head": -1})
    assert attack_terms(stage.state, head, use)[1].value == -1
