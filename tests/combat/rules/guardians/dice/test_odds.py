"""Odds of attacks, alone and at a shared count, against a dumb count of every face."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.guardians import SYSTEM
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, open_duel
from tests.thinning import thin_rows


def compare_attack(stage: GuardStage, **fields: Any) -> int:
    """Check that both give the same for Ada's attack; return the number of ends."""
    action = find_action(SYSTEM, "attack")
    data = {"actor": ADA, "target": BO, "weapon": stage.find_ready(ADA).id, **fields}
    command = read_command(action, data)
    expected = walk(SYSTEM, stage.state, action, command)
    assert expected is not None
    compare(find_ends(SYSTEM, stage.state, action, command), expected)
    return len(expected)


PLAIN: dict[str, Any] = {}
OPTIONS = (PLAIN, {"soak": "higher"}, {"defense_rule": "match_margin"}, {"seven_damage": "zero_then_damage"})
WAYS = [(options, together) for options in OPTIONS for together in (False, True)]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "together"), thin_rows(WAYS, (PLAIN, True), *WAYS[2::2]))
def test_an_attack_is_that_of_the_dumb_count(options: dict[str, Any], together: bool) -> None:
    stage = open_duel("mace", hero={"bludgeon_weapons": 1}, foe={"wears": ("chain_mail",)}, **options)
    stage.turn(*((ADA, BO) if together else (ADA,)))
    assert compare_attack(stage) > 20


def test_a_roll_of_spirit_is_part_of_it() -> None:
    stage = open_duel("knife", hero={"blades": 5}, success="strictly_under")
    stage.set_part(BO, "left_arm", 2)
    stage.set_track(BO, fatigue=9)
    assert compare_attack(stage, called="left_arm") >= 3


def test_defenses_are_part_of_it() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 1}, foe={"coordination": 3})
    stage.do("guard", ADA)
    stage.turn(ADA)
    odds = stage.odds("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    told = {measure.label: measure.chance for measure in odds.measures}
    assert told["block: warded off (Bo)"] == pytest.approx(0.05 * 0.25)


def test_counting_takes_few_steps() -> None:
    stage = duel("great_sword", hero={"blades": 14}, foe={"wears": ("chain_mail",), "blades": 11})
    weapon = stage.find_ready(ADA).id
    assert stage.odds("attack", ADA, target=BO, weapon=weapon).runs < 300
    stage.turn(ADA, BO)
    assert stage.odds("attack", ADA, target=BO, weapon=weapon).runs < 700
