"""Unconscious: no actions, no Defense, and the coup de grace."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.cosmos.shots import duel, shoot

# ---------------------------------------------------------------- unconscious


@pytest.mark.rule("COS-COND-34")
@pytest.mark.parametrize(("options", "prone"), [({}, False), ({"unconscious_fall_prone": True}, True)])
def test_unconscious_have_no_actions_and_are_prone_by_option(options: dict[str, Any], prone: bool) -> None:
    stage, ada, bo = duel("pistol", options)
    stage.set_track(bo, hp=1)
    stage.give(ada, "grappled", by=bo)
    stage.do("adjust", target=bo, track="hp", to=-2)
    assert stage.has(bo, "unconscious")
    assert stage.has(bo, "prone") is prone
    stage.do("next_turn", dice=[(2, 3)])
    assert stage.state.active == ada
    assert stage[bo].budget == {"standard": 0, "move": 0, "quick": 0}


@pytest.mark.rule("COS-COND-36")
def test_the_unconscious_have_no_defense() -> None:
    stage, ada, bo = duel("bow", {"track_ammunition": False}, armor="heavy")
    stage.give(bo, "unconscious")
    stage.give(bo, "prone")
    shoot(stage, ada, bo, (1, 2), (1, 2), adjust=-3, because="the light")
    shot = stage.check("attack")
    assert (shot.total, shot.against, shot.outcome) == (8, 0, "outcome.hit")
    shoot(stage, ada, bo, (1, 1))
    assert stage.check("attack").outcome == "outcome.miss"


@pytest.mark.rule("COS-COND-36")
def test_only_two_ones_miss_the_unconscious() -> None:
    stage, ada, bo = duel()
    stage.give(bo, "unconscious")
    odds = stage.odds("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol"), cover="heavy")
    chances = {m.label: m.chance for m in odds.measures}
    assert chances["attack: miss (Bo)"] == pytest.approx(0.01)


# ---------------------------------------------------------------- coup de grace


def helpless(
    hp: int = 6, weapon: str = "sword", options: dict[str, Any] | None = None, **bo: Any
) -> tuple[CosmosStage, str, str]:
    """Ada on her turn with a blade, Bo unconscious beside her."""
    stage = CosmosStage(**(options or {}))
    ada, bo_id = stage.hero(weapons=(weapon,)), stage.foe(at=(1, 0), **bo)
    stage.give(bo_id, "unconscious")
    stage.set_track(bo_id, hp=hp)
    stage.begin()
    return stage, ada, bo_id


def finish(stage: CosmosStage, actor: str, target: str, weapon: str = "sword", answer: str = "yes") -> None:
    """Finish someone off, after the confirmation."""
    stage.do("coup_de_grace", actor, target=target, weapon=stage.weapon(actor, weapon), dice=[answer])


@pytest.mark.rule("COS-COND-35")
def test_a_coup_de_grace_is_offered_next_to_the_helpless_alone() -> None:
    stage, ada, bo = helpless()
    assert stage.obstacle("coup_de_grace", ada) == ""
    form = stage.form("coup_de_grace", ada)
    assert [option.value for option in form["target"].options] == [bo]
    stage.place(bo, 2, 0)
    nobody = "No helpless enemy is within reach of a melee weapon in hand."
    assert stage.obstacle("coup_de_grace", ada) == nobody
    stage.place(bo, 1, 0)
    stage.edit(bo, side=stage[ada].side)
    assert stage.obstacle("coup_de_grace", ada) == nobody, "not an ally"
    stage.edit(bo, side="enemies", conditions=())
    assert stage.obstacle("coup_de_grace", ada) == nobody


@pytest.mark.rule("COS-COND-35")
def test_the_reach_of_the_blade_in_hand_counts() -> None:
    stage, ada, bo = helpless(weapon="spear")
    stage.place(bo, 2, 0)
    assert stage.obstacle("coup_de_grace", ada) == ""
    stage.put(ada, "spear", "carried")
    assert stage.obstacle("coup_de_grace", ada) != ""
    stage.place(bo, 1, 0)
    refused = stage.refused("coup_de_grace", ada, target=bo, weapon=stage.weapon(ada, "spear"))
    assert refused.message == "Spear is not in hand: draw it first (Move Action)."


@pytest.mark.rule("COS-COND-35")
def test_one_of_two_helpless_may_be_out_of_reach() -> None:
    stage = CosmosStage()
    ada, bo, cy = stage.hero(weapons=("sword",)), stage.foe(at=(1, 0)), stage.foe("Cy", (5, 0))
    for who in (bo, cy):
        stage.give(who, "unconscious")
    stage.begin()
    refused = stage.refused("coup_de_grace", ada, target=cy, weapon=stage.weapon(ada, "sword"))
    assert refused.code == "out_of_range"


@pytest.mark.rule("COS-COND-35")
def test_the_bound_are_helpless_too() -> None:
    stage, ada, bo = helpless(hp=90)
    stage.edit(bo, conditions=())
    stage.do("give_condition", target=bo, kind="helpless")
    finish(stage, ada, bo)
    assert stage.hp(bo) == 77


@pytest.mark.rule("COS-COND-37")
@pytest.mark.parametrize(("combat_damage", "hp"), [("melee_half", -4), ("melee_full", -7)])
def test_a_coup_de_grace_is_maximum_damage_and_death_at_0(combat_damage: str, hp: int) -> None:
    stage, ada, bo = helpless(6, options={"combat_damage": combat_damage})
    finish(stage, ada, bo)
    assert stage.hp(bo) == hp
    assert [held.kind for held in stage[bo].conditions].count("dead") == 1
    assert stage[ada].budget == {"standard": 0, "move": 1, "quick": 3}
    assert stage.checks() == []


@pytest.mark.rule("COS-COND-37")
def test_who_has_hp_left_survives_it() -> None:
    stage, ada, bo = helpless(14)
    finish(stage, ada, bo)
    assert (stage.hp(bo), stage.has(bo, "dead")) == (1, False)
    stage, ada, bo = helpless(13)
    finish(stage, ada, bo)
    assert (stage.hp(bo), stage.has(bo, "dead")) == (0, True)


@pytest.mark.rule("COS-COND-37")
def test_armor_counts_against_it_unless_the_weapon_ignores_it() -> None:
    stage, ada, bo = helpless(14, armor="heavy")
    finish(stage, ada, bo)
    assert stage.hp(bo) == 14 - (13 - 6)
    stage, ada, bo = helpless(90, "phase_blade", armor="heavy")
    finish(stage, ada, bo, "phase_blade")
    assert stage.hp(bo) == 90 - (2 * 8 + 3 + 5)


@pytest.mark.rule("COS-COND-37")
def test_the_attacker_is_asked_and_may_spare_the_victim() -> None:
    stage, ada, bo = helpless()
    finish(stage, ada, bo, answer="no")
    assert (stage.asked[0].who, stage.asked[0].rule) == (ada, "COS-COND-37")
    assert stage.hp(bo) == 6
    assert stage[ada].budget["standard"] == 1
    assert [said.key for said in stage.told(e.Said)] == ["log.spares"]


@pytest.mark.rule("COS-COND-37")
def test_a_dying_victim_dies() -> None:
    stage, ada, bo = helpless(-2)
    stage.give(bo, "dying")
    finish(stage, ada, bo, "unarmed")
    assert stage.has(bo, "dead")
    assert not stage.has(bo, "dying")


@pytest.mark.parametrize(
    ("option", "weapon", "text"),
    [
        (False, "sword", "This table plays without the coup de grace."),
        (True, "bow", "A coup de grace takes a melee weapon."),
        (True, "stun_baton", "Stun baton only stuns: take a weapon that can kill."),
    ],
)
def test_a_coup_de_grace_that_is_not_allowed(option: bool, weapon: str, text: str) -> None:
    stage, ada, bo = helpless(6, weapon, {"coup_de_grace": option})
    refused = stage.refused("coup_de_grace", ada, target=bo, weapon=stage.weapon(ada, weapon))
    assert (refused.code, refused.message) == ("not_allowed", text)
    assert stage.hp(bo) == 6


def test_the_able_and_the_dead_cannot_be_finished_off() -> None:
    stage = CosmosStage()
    ada, bo, cy = stage.hero(weapons=("sword",)), stage.foe(at=(1, 0)), stage.foe("Cy", (0, 1))
    stage.give(bo, "unconscious")
    stage.begin()
    refused = stage.refused("coup_de_grace", ada, target=cy, weapon=stage.weapon(ada, "sword"))
    assert (refused.code, refused.message) == ("bad_target", "Cy is not helpless.")
    stage.give(bo, "dead")
    refused = stage.refused("coup_de_grace", ada, target=bo, weapon=stage.weapon(ada, "sword"))
    assert refused.code == "not_allowed"
