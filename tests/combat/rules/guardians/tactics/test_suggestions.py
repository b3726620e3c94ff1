"""Suggestions before a roll: an easier part, another weapon, painkillers; each tried by the engine."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.proposals import find_suggestions
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.tactics import find_candidates
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, open_duel


def named(stage: GuardStage, name: str = "attack", **fields: Any) -> dict[str, tuple[str, dict[str, Any]]]:
    """The considered actions with their fields, by their words."""
    command = _read(stage, name, fields)
    return {one.label: (one.name, one.fields) for one in find_candidates(stage.state, name, command)}


def gains(stage: GuardStage, name: str = "attack", **fields: Any) -> dict[str, int]:
    """The suggestions, with their gain in points of the chance."""
    command = _read(stage, name, fields)
    action, candidates = find_action(SYSTEM, name), find_candidates(stage.state, name, command)
    found = find_suggestions(SYSTEM, stage.state, action, command, candidates)
    return {one.candidate.label: round(100 * one.gain) for one in found}


def _read(stage: GuardStage, name: str, fields: dict[str, Any]) -> Any:
    fields = {"actor": ADA, "target": BO, **fields}
    if name == "attack" and "weapon" not in fields:
        fields["weapon"] = stage.find_ready(ADA).id
    return read_command(find_action(SYSTEM, name), fields)


def armed(*weapons: str, **ranks: Any) -> GuardStage:
    """Ada with these weapons; Bo cannot defend, so only the attack's chance counts."""
    return open_duel(*weapons, hero={"blades": 12, **ranks})


@pytest.mark.rule("CG-REF-04")
def test_called_head_tells_what_no_part_or_the_torso_would_give() -> None:
    stage = armed("long_sword")
    head, torso = (stage.preview("attack", ADA, **_aim(stage, place)) for place in ("head", "torso"))
    free = stage.preview("attack", ADA, **_aim(stage, ""))
    points = [sum(term.value for term in one.against) for one in (head, torso, free)]
    found = gains(stage, called="head")
    assert found["Name no part"] == points[2] - points[0] > 0
    assert found["Name the torso instead"] == points[1] - points[0] > 0
    assert "Name the torso instead" not in named(stage, called="torso")
    assert named(stage) == {"Use Fist or kick instead": ("", {"weapon": _fist(stage), "thrown": False})}


def _aim(stage: GuardStage, place: str) -> dict[str, Any]:
    return {"target": BO, "weapon": stage.find_ready(ADA).id, "called": place}


def _fist(stage: GuardStage) -> str:
    return stage.item(ADA, "fist").id


@pytest.mark.rule("CG-ATK-01")
def test_another_weapon_helps_by_the_ranks_one_has_more_with_it() -> None:
    stage = armed("long_sword", "club", bludgeon_weapons=15)
    assert gains(stage) == {"Use Club instead": 15}
    assert gains(stage, weapon=stage.item(ADA, "club").id) == {}


@pytest.mark.rule("CG-ATK-01")
def test_throwing_or_keeping_a_knife_in_hand_is_suggested() -> None:
    stage = armed("knife", thrown_weapons=14)
    assert gains(stage) == {"Throw Knife": 10}
    assert named(stage, thrown=True)["Use Knife in hand"] == ("", {"thrown": False})
    better = armed("knife", thrown_weapons=6)
    assert gains(better, thrown=True) == {"Use Knife in hand": 30}
    assert not any("Throw" in label for label in named(armed("club")))


@pytest.mark.rule("CG-TORSO-03")
def test_painkillers_are_named_for_a_torn_torso_and_only_then() -> None:
    stage = armed("long_sword", gear=("painkillers",))
    assert "Take painkillers first" not in named(stage)
    stage.set_part(ADA, "torso", 10)
    assert named(stage)["Take painkillers first"] == ("painkillers", {"target": ADA})
    stage.do("painkillers", ADA, target=ADA)
    assert "Take painkillers first" not in named(stage)


@pytest.mark.rule("CG-TORSO-03", "CG-ACT-02")
def test_painkillers_help_only_with_an_action_left_for_the_blow() -> None:
    stage = armed("long_sword", gear=("painkillers",))
    stage.set_part(ADA, "torso", 10)
    assert "Take painkillers first" not in gains(stage)
    stage.edit(ADA, budget={**stage[ADA].budget, "action": 2})
    assert gains(stage)["Take painkillers first"] == 10


@pytest.mark.rule("CG-PRONE-01")
def test_the_prone_are_told_to_get_up() -> None:
    stage = armed("long_sword")
    assert "Get up first" not in named(stage)
    stage.give(ADA, "prone")
    assert named(stage)["Get up first"] == ("stand_up", {})
    stage.edit(ADA, budget={**stage[ADA].budget, "action": 2})
    assert gains(stage) == {"Get up first": 60}


@pytest.mark.rule("CG-BLEED-03", "CG-TORSO-03")
def test_first_aid_is_eased_by_painkillers_as_well() -> None:
    stage = armed("long_sword", first_aid=10, gear=("painkillers",))
    cy = stage.hero("Cy", at=(0, 1))
    stage.set_part(cy, "left_arm", 0)
    patient = {"target": cy, "place": "left_arm"}
    assert named(stage, "first_aid", **patient) == {}
    stage.set_part(ADA, "torso", 10)
    assert set(named(stage, "first_aid", **patient)) == {"Take painkillers first"}
    stage.edit(ADA, budget={**stage[ADA].budget, "action": 2})
    assert gains(stage, "first_aid", **patient) == {"Take painkillers first": 10}


def test_nothing_is_said_of_other_actions() -> None:
    stage = armed("long_sword")
    command = read_command(find_action(SYSTEM, "guard"), {"actor": ADA})
    assert find_candidates(stage.state, "guard", command) == ()
