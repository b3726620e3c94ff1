"""A hit on one of a squad: it drops them at 0 HP, and what is beyond falls to the next who stands."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.odds import find_odds
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk
from tests.combat.rules.cosmos.duels import ADA, make_plain
from tests.combat.rules.cosmos.figures import CosmosStage

THUGS = ("f2", "f3", "f4")


def squad(*hp: int, weapon: str = "pistol", **more: int) -> CosmosStage:
    """Ada with a weapon in hand, and three thugs as a squad 10 m away with these Hit Points; Ada's turn."""
    stage = CosmosStage(**more)
    stage.hero(weapons=(weapon,))
    for number, points in enumerate(hp, 1):
        who = stage.foe(f"Thug {number}", at=(10, 0))
        stage.set_track(who, hp=points)
    stage.draw_all(ADA)
    make_plain(stage, ADA)
    stage.do("join_squad", targets=list(THUGS), name="Thugs")
    return stage.begin()


def shoot(stage: CosmosStage, damage: int, on: str = "f2", **change: int | str) -> None:
    weapon = stage.change(ADA, "pistol", damage="1d20", **change)
    stage.do("attack", ADA, target=on, weapon=weapon, dice=[(10, 9), damage])


def test_what_is_beyond_0_falls_to_the_next_and_so_on() -> None:
    stage = squad(6, 8, 50)
    shoot(stage, 17)
    assert [stage.hp(who) for who in THUGS] == [0, 0, 47]
    said = stage.log()
    assert any("Thug 1 loses 6 HP" in line for line in said)
    assert "Thug 2 loses 8 HP (8 → 0): left over from Thug 1." in said
    assert "Thug 3 loses 3 HP (50 → 47): left over from Thug 2." in said
    assert [stage.has(who, "dying") for who in THUGS] == [True, True, False]


def test_exactly_0_leaves_nothing_over() -> None:
    stage = squad(6, 8, 50)
    shoot(stage, 6)
    assert [stage.hp(who) for who in THUGS] == [0, 8, 50]


def test_who_is_down_is_passed_over_and_the_last_bears_all() -> None:
    stage = squad(6, 0, 5)
    stage.give("f3", "dying")
    shoot(stage, 17)
    assert [stage.hp(who) for who in THUGS] == [0, 0, -6]


def test_stun_damage_leaves_nothing_over_and_the_downed_bear_all() -> None:
    stage = squad(26, 8, 50)
    shoot(stage, 17, type="stun")
    assert [stage.hp(who) for who in THUGS] == [24, 8, 50]
    stage = squad(0, 8, 50)
    stage.give("f2", "dying")
    shoot(stage, 7)
    assert [stage.hp(who) for who in THUGS] == [-7, 8, 50]


def test_a_split_squad_and_others_alone_share_nothing() -> None:
    stage = squad(6, 8, 50)
    stage.do("split_squad", target="f3")
    shoot(stage, 17)
    assert [stage.hp(who) for who in THUGS] == [-11, 8, 50]


@pytest.mark.parametrize("hp", [(3, 2, 40), (1, 1, 1)])
def test_the_odds_are_those_of_the_dumb_count(hp: tuple[int, ...]) -> None:
    stage = squad(*hp)
    weapon = stage.change(ADA, "pistol", damage="1d6")
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": "f2", "weapon": weapon})
    expected = walk(stage.system, stage.state, action, command)
    assert expected is not None
    compare(find_ends(stage.system, stage.state, action, command), expected)
    assert {one.label for one in find_odds(stage.system, stage.state, action, command).measures}
