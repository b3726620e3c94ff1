"""The tactics of a turn: declare the actions it takes, get ready, strike where it hurts most."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from combat.rules.core.commands.commands import command_data
from combat.rules.core.odds.forecast import play_many, sum_up
from combat.rules.core.space import Point
from combat.rules.core.state.state import State, replace
from combat.rules.starshock import SYSTEM
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.fight.test_attack import give_skills
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel

FIGHTS = 60
BLOCKS = ("petty_criminal", "enforcer", "hif_security", "mercurian", "bounty_hunter")


def play_turn(stage: StarStage, who: str = ADA) -> list[str]:
    """The names of all actions of a combatant in a turn."""
    stage.turn(who, None)
    names = []
    while submission := SYSTEM.tactics.suggest(stage.state, who):
        names.append(submission[0])
        dice = [] if submission[0] != "attack" else [(1, 2)]
        stage.do(
            submission[0],
            who,
            dice=dice,
            **{k: v for k, v in command_data(submission[1]).items() if k != "actor"},
        )
        assert len(names) < 10
    return names


@pytest.mark.rule("SS-ACT-01", "SS-ACT-02")
def test_one_action_is_declared_for_a_blow_at_hand() -> None:
    stage = duel("dagger")
    stage.turn(ADA, None)
    assert stage.choose() == ("declare", {"actions": 1})
    assert play_turn(stage) == ["declare", "attack"]


@pytest.mark.rule("SS-PRONE-01", "SS-OTHER-07")
def test_the_prone_stand_up_before_they_strike() -> None:
    stage = duel("dagger")
    stage.give(ADA, "prone")
    assert play_turn(stage) == ["declare", "stand_up", "attack"]
    assert not stage.has(ADA, "prone")


@pytest.mark.rule("SS-OTHER-05")
def test_who_fights_hand_to_hand_closes_in() -> None:
    stage = duel("electric_baton")
    stage.put(BO, "deck")
    assert play_turn(stage) == ["declare", "move", "move", "attack"]
    assert stage.zone_of(ADA) == "deck"


@pytest.mark.rule("SS-RANGE-03")
def test_who_shoots_stays_and_shoots() -> None:
    stage = duel("ray_gun")
    stage.put(BO, "roof")
    assert play_turn(stage) == ["declare", "attack"]
    assert stage.zone_of(ADA) == "dock"


@pytest.mark.rule("SS-FREE-09")
def test_a_weapon_is_drawn_for_free() -> None:
    stage = duel("dagger")
    stage.edit(
        ADA, items=tuple(replace(item, place="carried") for item in stage[ADA].items if item.kind == "weapon")
    )
    assert play_turn(stage) == ["declare", "change_items", "attack"]
    assert stage.item(ADA, "dagger").place == "held"


@pytest.mark.rule("SS-ATK-02")
def test_the_unconscious_are_left_alone() -> None:
    stage = duel("dagger")
    stage.foe("Cy", zone="dock")
    stage.give(BO, "unconscious")
    name, fields = stage.choose()
    assert (name, fields["target"]) == ("attack", CY)
    stage.give(CY, "unconscious")
    assert stage.choose() == ("", {})


def enclose(stage: StarStage, meters: float, **fields: Any) -> None:
    """Put walls around the middle of the map."""
    corners = [(-meters, -meters), (meters, -meters), (meters, meters), (-meters, meters)]
    sides = zip(corners, [*corners[1:], corners[0]], strict=True)
    walls = [dict(zip(("x1", "y1", "x2", "y2"), (*a, *b), strict=True)) for a, b in sides]
    stage.do("set_map", map={"walls": [{"id": f"w{n}", **wall, **fields} for n, wall in enumerate(walls)]})


@pytest.mark.rule("SS-ACT-02")
@pytest.mark.parametrize("kind", ["zones", "squares", "hexes"])
@pytest.mark.parametrize("weapon", ["electric_baton", "ray_gun"])
def test_nothing_is_declared_where_no_action_leads_on(kind: str, weapon: str) -> None:
    stage = duel(weapon)
    stage.do("set_setting", key="positioning", value=kind)
    if kind == "zones":
        for zone in ("dock", "hold", "deck", "roof"):
            stage.describe(zone, links={"deck": 1} if zone == "roof" else {})
        stage.put(BO, "roof")
    else:
        enclose(stage, 9)
        stage.edit(BO, at=Point(20, 3))
    assert play_turn(stage) == []
    stage.give(ADA, "prone")
    assert play_turn(stage) == ["declare", "stand_up"]


@pytest.mark.rule("SS-ATK-06", "SS-RANGE-04")
@pytest.mark.parametrize(
    ("meters", "criticals", "names"),
    [
        (40, "flag_only", ["declare", "attack"]),  # Int 3, −8 for range, against 7: it takes 12
        (45, "flag_only", []),
        (45, "snake_eyes_miss_boxcars_hit", ["declare", "attack"]),
    ],
)
def test_nobody_shoots_where_no_dice_hit(meters: int, criticals: str, names: list[str]) -> None:
    stage = StarStage(criticals=criticals)
    stage.map()
    stage.hero("Ada", at=(0, 0), int=3)
    stage.foe("Bo", at=(meters, 0), int=0, prs=0)
    stage.hold(ADA, "ray_gun")
    enclose(stage, 1.5, kind="fence", cover="", blocks_sight=False)
    stage.begin(ADA, BO)
    assert play_turn(stage) == names


@pytest.mark.rule("SS-ATK-06", "SS-ATK-07")
def test_the_weapon_that_hurts_most_is_used() -> None:
    stage = duel("dagger", "grav_hammer")
    give_skills(stage, ADA, str=4)
    name, fields = stage.choose()
    assert (name, fields["weapon"]) == ("attack", stage.weapon(ADA, "grav_hammer"))


# ---------------------------------------------------------------- forecasts


def line_up(block: str, positioning: str, *sides: tuple[str, int]) -> State:
    """This many of a stat block on each side, at either end of three zones."""
    stage = Stage(SYSTEM)
    zones = [{"id": z, "name": z, "x": 5 * n, "width": 5, "depth": 5} for n, z in enumerate("abc")]
    stage.do("set_scene", scene={"zones": zones, "settings": {"positioning": positioning}})
    for zone, (side, count) in zip("ac", sides, strict=True):
        stage.do("join", block=block, side=side, zone=zone, count=count)
    return stage.state


def find_wins(*what: Any) -> dict[str, float]:
    """The share of fights that each side wins outright."""
    return sum_up(list(play_many(SYSTEM, line_up(*what), FIGHTS, seed=1))).wins


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "positioning"), [*((block, "zones") for block in BLOCKS), (BLOCKS[-1], "squares")]
)
def test_mirror_fights_come_out_even_across_zones(block: str, positioning: str) -> None:
    """Each side joins first, and so sits at the table, in half of the fights."""
    one = find_wins(block, positioning, ("left", 1), ("right", 1))
    two = find_wins(block, positioning, ("right", 1), ("left", 1))
    left, right = (one.get(side, 0) + two.get(side, 0) for side in ("left", "right"))
    assert left + right > 1.9, "fights come to an end"
    assert abs(left - right) < 4 * sqrt(2 / FIGHTS), (one, two)


@pytest.mark.slow
def test_another_enemy_never_helps_two_heroes() -> None:
    """A single hero, and no zones: core/odds."""
    wins = [
        find_wins(BLOCKS[-1], "zones", ("allies", 2), ("enemies", n)).get("allies", 0.0) for n in (1, 2, 3)
    ]
    error = 3 * sqrt(0.25 / FIGHTS)
    assert wins[0] > wins[2]
    assert wins[0] + error > wins[1] > wins[2] - error
