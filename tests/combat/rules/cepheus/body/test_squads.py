"""An attack on one of a squad: what is beyond unconsciousness falls to the next who stands."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.body.allocation import find_most
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from tests.combat.rules.cepheus.figures import ADA, CepheusStage
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk

THUGS = ("f2", "f3", "f4")


def squad(profile: str = "777777", **options: Any) -> CepheusStage:
    """Ada, and three thugs of this profile as a squad; Ada's turn."""
    stage = CepheusStage(**options)
    stage.hero(weapons=["revolver"])
    for number in (1, 2, 3):
        stage.foe(f"Thug {number}", profile, at=(10, 0))
    stage.do("join_squad", targets=list(THUGS), name="Thugs")
    stage.begin()
    return stage


def test_damage_beyond_endurance_and_one_more_goes_to_the_next() -> None:
    stage = squad()
    stage.hit("f2", 17, rule="CE-DMG-01", by=ADA)
    assert [sum(stage.body(who)) for who in THUGS] == [7, 18, 21]
    assert stage.body("f2").count(0) == 2
    stage.hit("f3", 40, rule="CE-DMG-01", by=ADA)
    assert [sum(stage.body(who)) for who in THUGS] == [7, 1, 0]  # 17 of the 40, then all 21


def test_wounded_bear_only_what_fells_them_the_last_bears_all() -> None:
    stage = squad()
    stage.wounded("f2", 7, 7, 1)
    assert find_most(stage.state, stage["f2"], 30) == 14  # 6 and 6 leave nobody at 0 twice, one more does
    assert find_most(stage.state, stage["f2"], 5) == 5
    stage.wounded("f3", 0, 0, 7)
    assert find_most(stage.state, stage["f3"], 5) == 0
    stage.hit("f4", 16, rule="CE-DMG-01", by=ADA)
    assert [sum(stage.body(who)) for who in THUGS] == [13, 7, 7]


@pytest.mark.parametrize("rule", ["CE-EXPL-01", "CE-SHOT-02", "CE-INTO-03"])
def test_blasts_fans_and_stray_shots_hit_each_alone(rule: str) -> None:
    stage = squad()
    stage.hit("f2", 17, rule=rule, by=ADA)
    assert [sum(stage.body(who)) for who in THUGS] == [4, 21, 21]


@pytest.mark.slow
def test_the_odds_are_those_of_the_dumb_count() -> None:
    stage = squad("222777")
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": "f2", "weapon": stage.item(ADA, "revolver").id})
    expected = walk(stage.system, stage.state, action, command)
    assert expected is not None
    compare(find_ends(stage.system, stage.state, action, command), expected)
