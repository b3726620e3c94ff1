"""The odds of shots at machines: exact, and counted without walking every path."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import TooMany, find_all
from combat.rules.core.odds.odds import brief_odds, find_odds
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.core.odds.brute import walk_all
from tests.thinning import thin_rows

MAX_RUNS = 1200  # of the steps of a shot at a vehicle


def shot(target_of: str, weapon: str = "rifle", **options: Any) -> tuple[Garage, dict[str, str]]:
    """A foe's shot at a machine, ready for counting."""
    stage = Garage(**options)
    foe = stage.foe(weapons=[weapon], skills={"slug_rifle": 1, "heavy_weapons": 1, "energy_rifle": 1})
    if target_of == "robot":
        target = stage.robot(at=(20, 0), attributes={"armor": 3})
    else:
        bare: dict[str, Any] = {"lacks": ["sensors", "computer"]} if target_of == "bare" else {}
        target = stage.vehicle(at=(20, 0), armor=4, **bare)
    if target_of == "crewed":
        stage.crew(target, pc=False)
    stage.begin(foe, target)
    return stage, {"actor": foe, "target": target, "weapon": stage.item(foe, weapon).id}


@pytest.mark.parametrize("target", ["car", "robot", "crewed"])
def test_chances_of_a_shot_at_a_machine_add_up_in_few_steps(target: str) -> None:
    stage, fields = shot(target)
    odds = stage.odds("attack", **fields)
    assert odds.runs <= MAX_RUNS
    chances = {m.label: m.chance for m in odds.measures}
    assert all(0 <= chance <= 1 for chance in chances.values())


def test_odds_with_rows_counted_together_are_those_of_every_sum() -> None:
    """The dumb count walks every sum of every roll from the start, and merges nothing.

    A flat table keeps the walk short: one roll decides where one hit lands.
    """
    stage, fields = shot("car", "revolver", vehicle_damage="flat")
    action = find_action(stage.system, "attack")
    command = read_command(action, fields)
    ends: dict[bytes, Fraction] = {}
    for (state, _), chance in walk_all(
        stage.system, stage.state, action, command, 60_000, by_sum=True
    ).items():
        ends[state] = ends.get(state, Fraction(0)) + chance
    assert sum(ends.values()) == 1
    outcomes = find_all(stage.system, stage.state, action, command)
    assert sum(outcome.chance for outcome in outcomes) == 1
    hurt = sum(c for raw, c in ends.items() if b"_hit" in raw or b'"armor":3' in raw)
    counted = sum(
        o.chance for o in outcomes if o.state["f2"].conditions or o.state["f2"].tracks["armor"] == 3
    )
    assert counted == hurt > 0


@pytest.mark.parametrize("target", ["car", "robot", "crewed", "bare", "driven by a robot"])
def test_what_the_panel_cannot_tell_apart_changes_no_number(target: str) -> None:
    """The panel counts loosely; the strict count keeps every state apart."""
    stage, fields = shot(target, "revolver")
    if target == "crewed":
        stage.set_track("f2", hull=1)
    if target == "driven by a robot":
        stage.set_track("f2", hull=0, armor=13)
        robot = stage.robot(attributes={"hull": 1, "structure": 9})
        stage.seat(robot, "f2", "driver")
        stage.hurt(robot, "sensors", 1)
    action = find_action(stage.system, "attack")
    strict = find_all(stage.system, stage.state, action, read_command(action, fields))
    odds = stage.odds("attack", **fields)
    for spread in odds.distributions:
        if spread.track not in ("hull", "structure", "armor"):
            continue
        before = stage[spread.who].tracks[spread.track]
        mean = sum(o.chance * (before - o.state[spread.who].tracks[spread.track]) for o in strict)
        assert spread.mean == pytest.approx(float(mean))
    assert {spread.track for spread in odds.distributions} >= {"hull", "armor"}


# ---------------------------------------------------------------- collisions

OBSTACLES = {"id": "city", "name": "City", "x": -500, "y": -500, "width": 1000, "depth": 1000}


def crash(name: str, speed: int, people: bool = True, **numbers: Any) -> tuple[Garage, dict[str, Any]]:
    """A crewed car that weaves or rams a van, at this speed in km/h; with more `people` or only a driver."""
    armor = numbers.pop("van_armor", numbers.get("armor", 6))
    stage = Garage()
    stage.do("set_scene", scene={"zones": [{**OBSTACLES, "terrain": ["obstacles"]}]})
    car = stage.vehicle(**numbers)
    ada = stage.crew(car, skills={"wheeled_vehicle": 2})
    other = (
        stage.vehicle("Van", at=(10, 0), side="enemies", pc=False, **{**numbers, "armor": armor})
        if name == "ram"
        else ""
    )
    if people:
        stage.seat(stage.hero("Cy", armor=["cloth"]), car, secured=True)
    if people and other:
        stage.seat(stage.foe("Di"), other, "driver")
        stage.foe("Walker", at=(12, 0))
    stage.begin(ada)
    stage.moving(car, speed, 90)
    return stage, {"actor": ada, **({"target": other} if name == "ram" else {"number": 1})}


@pytest.mark.rule("CE-COLL-01", "CE-COLL-05", "CE-VLOC-17")
@pytest.mark.parametrize(
    ("name", "speed", "people", "numbers"),
    thin_rows(
        [
            ("ram", 20, True, {}),
            ("ram", 10, False, {"hull": 0, "structure": 0, "armor": 5}),  # they explode, on a 6
            (
                "ram",
                10,
                False,
                {"hull": 0, "structure": 1, "armor": 2, "van_armor": 3},
            ),  # by a blast
            ("ram", 30, True, {"hull": 2, "structure": 9, "armor": 9}),
            ("weave", 30, True, {}),
            ("weave", 20, True, {"hull": 0, "structure": 0, "armor": 5}),
        ],
        ("ram", 20, True, {}),
        ("weave", 20, True, {"hull": 0, "structure": 0, "armor": 5}),
    ),
)
def test_collision_effects_are_counted_for_each_and_add_up(
    name: str, speed: int, people: bool, numbers: dict[str, int]
) -> None:
    """The strict count keeps every state apart and resolves no one early."""
    stage, fields = crash(name, speed, people, **numbers)
    action = find_action(stage.system, name)
    strict = find_all(stage.system, stage.state, action, read_command(action, fields))
    spreads = stage.odds(name, **fields).distributions
    assert {spread.track for spread in spreads} >= {"points"}
    for spread in spreads:
        keys = ("str", "dex", "end") if spread.track == "points" else (spread.track,)
        weights: dict[int, float] = {}
        for outcome in strict:
            before, after = stage[spread.who].tracks, outcome.state[spread.who].tracks
            lost = sum(before[key] - after[key] for key in keys)
            weights[lost] = weights.get(lost, 0.0) + float(outcome.chance)
        assert dict(spread.chances) == pytest.approx(weights), (spread.who, spread.track)


@pytest.mark.rule("CE-VACT-12")
@pytest.mark.parametrize(("name", "speed"), [("ram", 20), ("ram", 40), ("weave", 60)])
@pytest.mark.full_rules
def test_collisions_of_a_chase_take_few_steps(name: str, speed: int) -> None:
    stage, fields = crash(name, speed)
    assert stage.odds(name, **fields).runs < 3_000


@pytest.mark.rule("CE-VACT-12", "CE-VACT-22")
@pytest.mark.parametrize("name", ["ram", "weave"])
@pytest.mark.full_rules
def test_check_alone_is_counted_if_what_follows_is_too_much(name: str) -> None:
    stage, fields = crash(name, 100)
    action = find_action(stage.system, name)
    command = read_command(action, fields)
    with pytest.raises(TooMany):
        find_odds(stage.system, stage.state, action, command, iter([False] * 500 + [True]).__next__)
    brief = brief_odds(stage.system, stage.state, action, command)
    assert brief.headline is not None
    assert brief.headline.chance == pytest.approx({"ram": 26, "weave": 21}[name] / 36)
    assert brief.runs < 50
    assert not brief.distributions
