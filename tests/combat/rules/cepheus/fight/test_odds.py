"""The odds of attacks: exact, and counted in few steps."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice import find_outcomes
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.odds import find_all
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.core import brute

HALF = {"armor": ["cloth"]}
LIMIT = 900


def crowd(weapon: str, metres: float = 20, **marks: Any) -> RangeStage:
    """Bo and two more beside them, one in lighter armor, one without."""
    stage = duel(weapon, metres, foe=HALF)
    if marks:
        stage.arm(ADA, weapon, **marks)
    stage.join("Cy", metres + 1, armor=["mesh"])
    stage.join("Di", metres, 1.2)
    return stage


@pytest.mark.parametrize(
    ("weapon", "action", "fields", "chance", "runs"),
    [
        ("rifle", "attack", {}, 15, 250),
        ("gauss_rifle", "attack", {"rounds": 10, "burst": "grouped"}, 15, 300),
        ("gauss_rifle", "attack", {"rounds": 10, "burst": "spray"}, 26, 350),
        ("auto_pistol", "panic_fire", {}, 1, 200),
        ("fgmp", "attack", {}, 6, 200),
    ],
)
def test_attacks_on_one(weapon: str, action: str, fields: dict[str, Any], chance: int, runs: int) -> None:
    stage = duel(weapon, foe=HALF)
    found = stage.odds(action, ADA, target=BO, weapon=f"{ADA}-w1", **fields)
    assert found.headline is not None
    assert found.headline.chance == pytest.approx(chance / 36)
    assert found.runs < runs


@pytest.mark.parametrize(
    ("weapon", "action", "marks"),
    [
        ("shotgun", "attack", {"load": "flechette"}),
        ("grenade_frag", "attack", {}),
        ("grenade_stun", "attack", {}),
        ("grenade_smoke", "attack", {}),
        ("rocket_launcher", "attack", {}),
        ("ram_grenade_launcher", "attack", {}),
        ("rifle", "blind_fire", {}),
    ],
)
def test_attacks_on_several(weapon: str, action: str, marks: dict[str, Any]) -> None:
    stage = crowd(weapon, **marks)
    found = stage.odds(action, ADA, target=BO, weapon=f"{ADA}-w1")
    assert found.headline is not None
    assert 0 < found.headline.chance < 1
    assert found.runs < LIMIT


@pytest.mark.parametrize(
    ("weapon", "metres", "action", "marks", "fields"),
    [
        ("auto_pistol", 10, "attack", {}, {}),
        ("auto_pistol", 10, "panic_fire", {}, {}),
        ("laser_pistol", 10, "attack", {}, {}),
        ("accelerator_rifle", 10, "attack", {}, {"rounds": 3, "burst": "grouped"}),
        ("auto_pistol", 10, "suppress", {}, {}),
        ("auto_pistol", 10, "blind_fire", {}, {}),
        ("shotgun", 30, "attack", {"load": "flechette"}, {}),
        ("grenade_frag", 20, "attack", {}, {}),
        ("grenade_stun", 10, "attack", {}, {}),
        ("rocket_launcher", 30, "attack", {}, {}),
    ],
)
def test_counting_in_short_is_counting_in_full(
    weapon: str, metres: float, action: str, marks: dict[str, Any], fields: dict[str, Any]
) -> None:
    stage = duel(weapon, metres) if weapon == "grenade_stun" else crowd(weapon, metres, **marks)
    found = find_action(stage.system, action)
    command = read_command(found, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1", **fields})
    short: brute.Ends = {}
    for outcome in find_all(stage.system, stage.state, found, command):
        end = brute.name_end(outcome.state, outcome.marks)
        short[end] = short.get(end, 0) + outcome.chance  # type: ignore[assignment]
    assert short == brute.walk_all(stage.system, stage.state, found, command, 20_000, by_sum=True)


def test_the_odds_of_a_grapple_are_even() -> None:
    stage = duel("unarmed_strike", 1)
    stage.skilled(ADA, natural_weapons=0)
    stage.skilled(BO, natural_weapons=0)
    stage.set_track(ADA, str=8)  # ties are Ada's
    stage.edit(ADA, sheet={**stage[ADA].sheet, "attributes": {**stage[ADA].sheet["attributes"], "str": 8}})
    lost = stage.odds("grapple", ADA, target=BO).distributions
    assert sum(chance for points, chance in lost[0].chances if points) == pytest.approx(721 / 1296)


def test_dice_whose_order_does_not_matter_are_counted_once() -> None:
    found = find_outcomes("3d6", "set")
    assert len(found) == 56
    assert sum(weight for _, weight in found) == 216
    assert dict(found)[1, 2, 3] == 6


@pytest.mark.rule("CE-REACT-08")
def test_standing_orders_answer_reactions_in_the_odds_before_the_tactics_do() -> None:
    stage = duel(ready=True)
    found = stage.odds("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert found.headline
    assert found.headline.chance == pytest.approx(15 / 36)
    assert found.policy == "Choices are made as the tactics would."
    stage.do("set_standing", BO, rule_id="CE-REACT-01", value="dodge")
    found = stage.odds("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert found.headline
    assert found.headline.chance == pytest.approx(10 / 36)
    assert found.policy == "Choices follow standing orders."
    assert duel().odds("attack", ADA, target=BO, weapon=f"{ADA}-w1").policy == ""


def test_an_order_that_cannot_be_followed_is_left_to_the_tactics() -> None:
    stage = duel(ready=True)
    stage.do("set_standing", BO, rule_id="CE-REACT-01", value="parry")
    found = stage.odds("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert found.policy == "Choices are made as the tactics would."
