"""The row of someone who acts: its pips are the parts of a turn that the table plays with."""

from __future__ import annotations

from typing import Any

import pytest

from combat.audience.viewer import GM
from combat.pages.table.rows import view_combatants
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.world.economy import find_budget
from tests.combat.rules.starshock.figures import ADA, duel


@pytest.mark.rule("SS-TURN-01", "SS-TURN-02", "SS-ACT-02", "SS-MAP-06")
@pytest.mark.parametrize(
    ("options", "on_map", "pips"),
    [
        ({}, False, {"Action": 3, "Attack": 1}),
        ({"turn_economy": "two_actions"}, False, {"Action": 2, "Attack": 1}),
        ({"turn_economy": "declared_three_by_rate"}, False, {"Action": 3}),
        ({}, True, {"Action": 3, "Attack": 1, "Meter": 5}),
    ],
)
def test_the_pips_of_a_turn_follow_the_house_rules(
    options: dict[str, Any], on_map: bool, pips: dict[str, int]
) -> None:
    stage = duel(**options)
    if on_map:
        stage.map()
    stage.edit(ADA, budget=find_budget(stage.state))
    row = view_combatants(SYSTEM, stage.state, GM)[ADA]
    assert {each.label: each.most for each in row.pips} == pips
