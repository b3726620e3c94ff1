"""A hit on one of a squad: what is beyond certain unconsciousness falls to the next who stands."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk
from tests.combat.rules.reading import read_all
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel


def squad(damage: int, **options: Any) -> StarStage:
    """Ada with a dagger beside Bo and Cy, who are a squad; Bo has taken this much damage."""
    stage = duel("dagger", **options)
    stage.foe("Cy", "dagger")
    stage.edit(CY, sheet={**stage[BO].sheet, "name": "Cy"}, at=stage[BO].at)
    stage.set_track(BO, damage=damage)
    stage.edit(BO, sheet={**stage[BO].sheet, "named": False}, pc=False)
    stage.edit(CY, sheet={**stage[CY].sheet, "named": False}, pc=False)
    stage.do("join_squad", targets=[BO, CY], name="Thugs")
    stage.turn(ADA)
    return stage


def hit(stage: StarStage, points: int) -> tuple[int, int]:
    """The damage of both after a hit for so many points."""
    stage.change_item(ADA, "dagger", data={**stage.item(ADA, "dagger").data, "damage": str(points)})
    stage.attack("dagger", (6, 6), "pass")
    return stage.damage(BO), stage.damage(CY)


def test_one_who_drops_at_15_bears_15_and_the_rest_goes_on() -> None:
    stage = squad(12, npc_drop="at_15")
    assert hit(stage, 8) == (15, 5)
    assert not stage.has(CY, "unconscious")
    assert any("left over from Bo" in line for line in read_all(stage))
    assert hit(squad(12, npc_drop="at_15"), 3) == (15, 0)
    assert hit(squad(0, npc_drop="at_15"), 8) == (8, 0)


@pytest.mark.slow
@pytest.mark.parametrize("drop", ["at_15", "full_checks"])
def test_the_odds_are_those_of_the_dumb_count(drop: str) -> None:
    stage = squad(13, npc_drop=drop)
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": BO, "weapon": stage.weapon(ADA, "dagger")})
    expected = walk(stage.system, stage.state, action, command)
    assert expected is not None
    compare(find_ends(stage.system, stage.state, action, command), expected)
