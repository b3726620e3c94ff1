"""The odds of attacks: exact, and counted in few steps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from combat.rules.core.basics.dice.dice import find_outcomes
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import Enumeration, find_all, never
from combat.rules.core.odds.odds import Odds, brief_chance, brief_odds, find_odds
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.core.odds import brute

HALF = {"armor": ["cloth"]}


def crowd(weapon: str, meters: float = 20, **marks: Any) -> RangeStage:
    """Bo and two more beside them, one in lighter armor, one without."""
    stage = duel(weapon, meters, foe=HALF)
    if marks:
        stage.arm(ADA, weapon, **marks)
    stage.join("Cy", meters + 1, armor=["mesh"])
    stage.join("Di", meters, 1.2)
    return stage


@pytest.mark.parametrize(
    ("weapon", "action", "fields", "chance", "runs"),
    [
        ("rifle", "attack", {}, 15, 250),
        ("gauss_rifle", "attack", {"rounds": 10, "burst": "grouped"}, 15, 300),
        ("gauss_rifle", "attack", {"rounds": 10, "burst": "spray"}, 26, 350),
        ("auto_pistol", "panic_fire", {}, 1, 200),
        ("fgmp", "attack", {}, 6, 200),
        ("dagger", "attack", {"mode": "thrown"}, 6, 200),  # where it lies takes no counting
    ],
)
def test_odds_of_attacks_on_one_target_are_right_and_cheap(
    weapon: str, action: str, fields: dict[str, Any], chance: int, runs: int
) -> None:
    stage = duel(weapon, foe=HALF)
    found = stage.odds(action, ADA, target=BO, weapon=f"{ADA}-w1", **fields)
    assert found.headline is not None
    assert found.headline.chance == pytest.approx(chance / 36)
    assert found.runs < runs


@pytest.mark.parametrize("meters", [5, 20, 60, 200])
@pytest.mark.parametrize("weapon", ["rifle", "auto_pistol", "shotgun"])
def test_the_check_of_an_attack_alone_is_counted_as_hit_or_miss(weapon: str, meters: float) -> None:
    """However much its Effect matters afterwards: two steps, the second three times."""
    stage = duel(weapon, meters, foe=HALF)
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1"})
    asked = (stage.system, stage.state, action, command)
    full, brief = find_odds(*asked), brief_odds(*asked)
    assert brief.headline == full.headline
    assert brief.runs <= 4 < full.runs


def test_the_chance_on_a_tile_follows_standing_orders() -> None:
    stage = duel("rifle", foe=HALF, ready=True)
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1"})
    usual = brief_chance(stage.system, stage.state, action, command)
    stage.do("set_standing", BO, rule_id="CE-REACT-01", value="dodge")
    asked = (stage.system, stage.state, action, command)
    panel = brief_odds(*asked)
    assert panel.headline
    assert panel.policy == "Choices follow standing orders."
    assert brief_chance(*asked) == panel.headline.chance < usual


@pytest.mark.parametrize(
    ("weapon", "action", "marks", "others", "runs"),
    [
        ("shotgun", "attack", {"load": "flechette"}, 0, 900),
        ("grenade_frag", "attack", {}, 0, 900),
        ("grenade_frag", "attack", {}, 6, 1_200),
        ("grenade_stun", "attack", {}, 0, 900),
        ("grenade_smoke", "attack", {}, 0, 900),
        ("rocket_launcher", "attack", {}, 0, 900),
        ("ram_grenade_launcher", "attack", {}, 0, 900),
        ("rifle", "blind_fire", {}, 0, 900),
    ],
)
def test_attacks_on_several_are_a_sum_and_no_tree(
    weapon: str, action: str, marks: dict[str, Any], others: int, runs: int
) -> None:
    stage = crowd(weapon, **marks)
    for number in range(others):
        stage.join(f"Ed {number}", 20 + number, 2)
    found = stage.odds(action, ADA, target=BO, weapon=f"{ADA}-w1")
    assert found.headline is not None
    assert 0 < found.headline.chance < 1
    assert found.runs < runs


@pytest.mark.slow
@pytest.mark.rule("CE-DMG-01", "CE-DMG-02")
@pytest.mark.parametrize(
    ("weapon", "meters", "action", "marks", "fields"),
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
@pytest.mark.full_rules
def test_counting_in_short_is_counting_in_full(
    weapon: str, meters: float, action: str, marks: dict[str, Any], fields: dict[str, Any]
) -> None:
    stage = duel(weapon, meters) if weapon == "grenade_stun" else crowd(weapon, meters, **marks)
    found = find_action(stage.system, action)
    command = read_command(found, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1", **fields})
    short: brute.Ends = {}
    for outcome in find_all(stage.system, stage.state, found, command):
        end = brute.name_end(outcome.state, outcome.marks)
        short[end] = short.get(end, 0) + outcome.chance
    assert short == brute.walk_all(stage.system, stage.state, found, command, 20_000, by_sum=True)


@pytest.mark.slow
@pytest.mark.rule("CE-THROW-05", "CE-THROW-06")
def test_short_count_of_a_throw_leaves_out_only_where_it_lands() -> None:
    stage = crowd("dagger", 8)
    found = find_action(stage.system, "attack")
    data = {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1", "mode": "thrown"}
    command = read_command(found, data)
    short: brute.Ends = {}
    for outcome in find_all(stage.system, stage.state, found, command):
        end = brute.name_end(outcome.state, outcome.marks)
        short[end] = short.get(end, 0) + outcome.chance
    full = brute.walk_all(stage.system, stage.state, found, command, 20_000, by_sum=True)
    assert _leave_out_ground(short) == _leave_out_ground(full)


def _leave_out_ground(ends: brute.Ends) -> dict[Any, Any]:
    """The same ends with their chances, wherever items lie."""
    found: dict[Any, Any] = {}
    for (state, marks), chance in ends.items():
        plain = json.loads(state)
        plain.pop("ground")
        key = json.dumps(plain), marks
        found[key] = found.get(key, 0) + chance
    return found


def test_the_odds_of_a_grapple_are_even() -> None:
    stage = duel("unarmed_strike", 1)
    stage.skilled(ADA, natural_weapons=0)
    stage.skilled(BO, natural_weapons=0)
    stage.set_track(ADA, str=8)  # ties are Ada's
    stage.edit(ADA, sheet={**stage[ADA].sheet, "attributes": {**stage[ADA].sheet["attributes"], "str": 8}})
    lost = stage.odds("grapple", ADA, target=BO).distributions
    assert sum(chance for points, chance in lost[0].chances if points) == pytest.approx(721 / 1296)


def lost_of(stage: RangeStage, action: str, target: str) -> tuple[dict[str, dict[int, float]], Odds]:
    """Everyone's losses over all ends of an attack, counted one by one, and the odds of the panel."""
    found = find_action(stage.system, action)
    fields = {"actor": ADA, "target": target, "weapon": f"{ADA}-w1"}
    command = read_command(found, fields)
    paths: dict[str, dict[int, float]] = {}
    for outcome in find_all(stage.system, stage.state, found, command):
        for who, after in outcome.state.combatants.items():
            lost = sum(stage[who].tracks[key] - after.tracks[key] for key in ("str", "dex", "end"))
            paths.setdefault(who, {}).setdefault(lost, 0.0)
            paths[who][lost] += float(outcome.chance)
    return paths, find_odds(stage.system, stage.state, found, command)


def check_losses(paths: dict[str, dict[int, float]], odds: Odds) -> None:
    """The odds say of each whom something happens to what all paths add up to."""
    told = {(d.who, points): chance for d in odds.distributions for points, chance in d.chances}
    for who, losses in paths.items():
        for points, chance in losses.items() if set(losses) != {0} else ():
            assert told[who, points] == pytest.approx(chance), (who, points)


@pytest.mark.parametrize("weapon", ["grenade_frag", "rocket_launcher"])
def test_what_a_blast_does_to_each_is_counted_apart_and_adds_up(weapon: str) -> None:
    stage = crowd(weapon)
    stage.give(stage.join("Ed", 23, armor=["jack"]), "grappled", by=BO)  # Ed's end is someone else's business
    paths, odds = lost_of(stage, "attack", BO)
    check_losses(paths, odds)
    assert len(odds.distributions) > 3


@pytest.mark.rule("CE-VLOC-17", "CE-VLOC-18")
def test_a_vehicle_that_explodes_is_counted_in_few_steps() -> None:
    stage = duel("auto_rifle", 10)
    van = stage.machine("Van", (10, 0), dict(stage.system.book.find_blocks()["design_van"].sheet))
    paths, odds = lost_of(stage, "panic_fire", van)
    told = {(d.who, points): chance for d in odds.distributions for points, chance in d.chances}
    for who in (ADA, BO):
        assert len(paths[who]) > 3, "both are near enough"
        for points, chance in paths[who].items():
            assert told[who, points] == pytest.approx(chance), (who, points)
    assert odds.runs < 1_200


@pytest.mark.rule("CE-VLOC-17", "CE-EXPL-01")
def test_whoever_two_explosions_catch_is_counted_once() -> None:
    """A grenade that blows up the van beside Bo: Bo's remaining points are told after both."""
    stage = duel("grenade_frag", 20)
    van = stage.machine("Van", (20, 3), dict(stage.system.book.find_blocks()["design_van"].sheet))
    stage.set_track(van, armor=0, hull=0, structure=1)
    paths, odds = lost_of(stage, "attack", BO)
    (told,) = (dict(d.chances) for d in odds.distributions if d.who == BO)
    assert sum(told.values()) == pytest.approx(1)
    assert told == pytest.approx(paths[BO])


def press(people: int) -> RangeStage:
    """Bo among this many others, all as near; one of them is in a grapple."""
    stage = duel("rifle", 20)
    others = [stage.join(f"Ed {n}", 20, armor=["mesh"] if n % 2 else []) for n in range(people)]
    stage.give(others[0], "grappled", by=others[1])
    return stage


@pytest.mark.rule("CE-INTO-02", "CE-INTO-03")
def test_stray_shots_at_each_of_a_crowd_are_counted_and_add_up() -> None:
    stage = press(5)
    paths, odds = lost_of(stage, "attack", BO)
    assert {d.who for d in odds.distributions} == set(stage.state.combatants) - {ADA}
    check_losses(paths, odds)


@pytest.mark.rule("CE-INTO-02")
def test_a_stray_shot_has_no_more_ends_in_a_larger_crowd() -> None:
    """The outcomes of possible victims are sums: no end lists everyone in it."""

    def count_ends(people: int) -> int:
        stage = press(people)
        action = find_action(stage.system, "attack")
        command = read_command(action, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1"})
        return len(Enumeration(stage.system, stage.state, never, loose=True).run(action, command))

    assert count_ends(24) == count_ends(6)


def test_dice_whose_order_does_not_matter_are_counted_once() -> None:
    found = find_outcomes("3d6", "set")
    assert len(found) == 56
    assert sum(weight for _, weight in found) == 216
    assert dict(found)[1, 2, 3] == 6


@pytest.mark.rule("CE-REACT-08")
def test_standing_orders_answer_reactions_in_odds_before_tactics() -> None:
    stage = duel(ready=True)
    found = stage.odds("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert found.headline
    assert found.headline.chance == pytest.approx(15 / 36)
    assert found.policy == "Assumes sensible choices."
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
    assert found.policy == "Assumes sensible choices."
