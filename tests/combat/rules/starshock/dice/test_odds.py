"""Exact odds: hits, maneuvers, staying conscious, damage."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.dice import count_sums
from combat.rules.core.odds.odds import Odds
from combat.rules.starshock import SYSTEM
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.fight.test_attack import give_skills, set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel
from tests.combat.rules.starshock.world.test_zones import cornered

SUMS = {total: weight / 36 for total, weight in count_sums(2, 6).items()}


def at_least(total: int) -> float:
    """The chance of at least this much on 2d6."""
    return sum(chance for value, chance in SUMS.items() if value >= total)


def chance_of(odds: Odds, label: str) -> float:
    """A measure by its label; 0 if it is impossible."""
    return next((m.chance for m in odds.measures if m.label == label), 0.0)


def aim(weapon: str, value: int = 8, damage: int = 0, **options: Any) -> StarStage:
    """Ada adds 0; Bo has Str 0 and this Armor and Resistance."""
    stage = duel(weapon, **options)
    give_skills(stage, ADA, str=0, dex=0, int=0, prs=0)
    set_values(stage, BO, armor=value, resistance=value)
    stage.set_track(BO, damage=damage)
    return stage


def odds_of(stage: StarStage, weapon: str) -> Odds:
    return stage.odds("attack", ADA, target=BO, weapon=stage.weapon(ADA, weapon))


@pytest.mark.rule("SS-ATK-03", "SS-MANV-01")
def test_the_chance_of_each_number_of_maneuvers() -> None:
    odds = odds_of(aim("disposable_ray_gun", 7), "disposable_ray_gun")
    assert odds.headline is not None
    assert odds.headline.chance == pytest.approx(at_least(7))
    for count, (low, high) in enumerate([(2, 9), (9, 11), (11, 13)]):  # a miss earns none either
        expected = at_least(low) - at_least(high)
        assert chance_of(odds, f"{count} maneuver{'' if count == 1 else 's'} (Bo)") == pytest.approx(expected)
    assert chance_of(odds, "3 maneuvers (Bo)") == 0


@pytest.mark.rule("SS-DMG-05", "SS-ATK-09")
def test_the_chance_to_stay_conscious() -> None:
    odds = odds_of(aim("disposable_ray_gun", 7, damage=5), "disposable_ray_gun")
    hit = at_least(7)
    assert chance_of(odds, "Bo goes down") == pytest.approx(hit * (1 - at_least(9)))
    assert chance_of(odds, "Bo stays conscious") == pytest.approx(1 - hit * (1 - at_least(9)))
    assert chance_of(odds, "consciousness: conscious (Bo)") == pytest.approx(hit * at_least(9))
    assert chance_of(odds, "consciousness: coma (Bo)") == pytest.approx(hit * (1 - at_least(3)))


@pytest.mark.rule("SS-ATK-10")
def test_the_damage_counted_up_with_what_maneuvers_add() -> None:
    (spread,) = odds_of(aim("electric_baton", 8), "electric_baton").distributions
    assert (spread.who, spread.track) == (BO, "damage")
    chances = dict(spread.chances)
    assert chances == pytest.approx({0: 1 - at_least(8), 4: at_least(8) - at_least(10), 5: at_least(10)})
    assert spread.mean == pytest.approx(4 * chances[4] + 5 * chances[5])


@pytest.mark.rule("SS-ATK-11")
def test_the_staff_that_keeps_the_higher() -> None:
    (spread,) = odds_of(aim("tungsten_staff", 8), "tungsten_staff").distributions
    plain, again = at_least(8) - at_least(10), at_least(10)
    six = plain / 6 + again * 11 / 36
    assert dict(spread.chances)[6] == pytest.approx(six)


@pytest.mark.rule("SS-ZONE-12")
def test_the_chance_to_lose_the_footing() -> None:
    stage = aim("disposable_ray_gun", 7)
    stage.describe("dock", terrain=["slippery"])
    odds = odds_of(stage, "disposable_ray_gun")
    assert chance_of(odds, "footing: failure (Bo)") == pytest.approx(at_least(7) * (1 - at_least(8)))


@pytest.mark.rule("SS-MANV-03")
def test_the_chain_of_an_electron_revolver() -> None:
    """Each further attack at -1 more; from 5 points short of the value no hit earns another."""
    stage = aim("electron_revolver", 7)
    odds = odds_of(stage, "electron_revolver")
    hits = [at_least(7 + n) for n in range(6)]
    again = [at_least(9 + n) for n in range(6)]
    expected, reached = 0.0, 1.0
    for hit, more in zip(hits, again, strict=True):
        expected += reached * hit * 3
        reached *= more
    (spread,) = odds.distributions
    # from 7 damage on Bo may drop, which ends the chain: compare the first two links
    assert dict(spread.chances)[0] == pytest.approx(1 - hits[0])
    assert dict(spread.chances)[3] == pytest.approx(hits[0] - again[0] + again[0] * (1 - hits[1]))
    assert spread.mean < expected


@pytest.mark.rule("SS-ZONE-07", "SS-ZONE-08")
def test_the_odds_of_breaking_away_with_its_free_attack() -> None:
    stage = cornered(1)
    odds = stage.odds("move", ADA, to="zone:hold")
    assert odds.headline is not None
    assert odds.headline.chance == pytest.approx(at_least(7))
    hit = (1 - at_least(7)) * at_least(7)
    assert chance_of(odds, "attack: hit (Ada)") == pytest.approx(hit)
    assert dict(odds.distributions[0].chances)[0] == pytest.approx(1 - hit)


@pytest.mark.rule("SS-OTHER-16")
def test_the_odds_of_healing_count_downwards() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", gear=("medical_kit",))
    stage.hero("Bo", zone="dock", str=0)
    stage.begin(ADA, BO)
    stage.set_track(BO, damage=9)
    stage.give(BO, "unconscious")
    odds = stage.odds("emergency_medicate", ADA, target=BO)
    heals = at_least(8)
    assert dict(odds.distributions[0].chances) == pytest.approx({-1: heals, 0: 1 - heals})
    assert chance_of(odds, "consciousness: conscious (Bo)") == pytest.approx(heals * at_least(8))


@pytest.mark.slow
@pytest.mark.parametrize("weapon", ["tesla_pistol", "grav_hammer", "hif_ray_gun", "disintegration_pistol"])
@pytest.mark.rule("SS-ATK-12")
def test_odds_and_plays_agree_for_weapons_with_choices(weapon: str) -> None:
    """In 20,000 plays by the same policy, results come as often as the odds say, within four sigmas."""
    import random
    from math import sqrt

    from combat.rules.core.commands.commands import read_command
    from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run

    stage = aim(weapon, 7, damage=4)
    stage.foe("Cy", zone="dock")
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": BO, "weapon": stage.weapon(ADA, weapon)})
    odds = dict(next(s for s in odds_of(stage, weapon).distributions if s.who == BO).chances)
    auto, plays = AutoDriver(random.Random(weapon)), 4000
    found: dict[int, int] = {}
    for _ in range(plays):
        done = run(stage.system, stage.state, action, command, auto)
        assert isinstance(done, Done)
        taken = done.state[BO].tracks["damage"] - 4
        found[taken] = found.get(taken, 0) + 1
    assert set(found) <= set(odds)
    for taken, chance in odds.items():
        spread = 4 * sqrt(plays * chance * (1 - chance)) + 1
        assert abs(found.get(taken, 0) - plays * chance) <= spread
    assert CY in stage.state.combatants


@pytest.mark.rule("SS-ATK-12")
def test_no_command_of_the_demo_takes_many_runs() -> None:
    """The most expensive is an electron revolver's chain on slippery ground."""
    stage = Stage(SYSTEM)
    demo = SYSTEM.demo.make_first()
    for step in demo.setup:
        stage.do(step.name, dice=step.answers, **step.command)
    runs = {}
    for number, step in enumerate(demo.script):
        actor, fields = step.command.get("actor", ""), {k: v for k, v in step.command.items() if k != "actor"}
        runs[number] = stage.odds(step.name, actor, **fields).runs
        stage.do(step.name, dice=step.answers, **step.command)
    assert max(runs.values()) < 600
    assert sorted(runs.values())[-3] < 100
