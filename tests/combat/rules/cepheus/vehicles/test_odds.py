"""The odds of shots at machines: exact, and counted without walking every path."""

from __future__ import annotations

from fractions import Fraction

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import find_all
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.core.brute import walk_all

MOST_RUNS = 1200  # of the steps of a shot at a vehicle


def shot(target_of: str, weapon: str = "rifle", **options: object) -> tuple[Garage, dict[str, str]]:
    """A foe's shot at a machine, ready to be counted."""
    stage = Garage(**options)
    foe = stage.foe(weapons=[weapon], skills={"slug_rifle": 1, "heavy_weapons": 1, "energy_rifle": 1})
    if target_of == "robot":
        target = stage.robot(at=(20, 0), attributes={"armor": 3})
    else:
        target = stage.vehicle(at=(20, 0), armor=4)
    if target_of == "crewed":
        stage.crew(target, pc=False)
    stage.begin(foe, target)
    return stage, {"actor": foe, "target": target, "weapon": stage.item(foe, weapon).id}


@pytest.mark.parametrize("target", ["car", "robot", "crewed"])
def test_chances_of_a_shot_at_a_machine_add_up_and_take_few_steps(target: str) -> None:
    stage, fields = shot(target)
    odds = stage.odds("attack", **fields)
    assert odds.runs <= MOST_RUNS
    chances = {m.label: m.chance for m in odds.measures}
    assert all(0 <= chance <= 1 for chance in chances.values())


def test_odds_with_rows_counted_together_are_those_of_every_sum() -> None:
    """The twin walks every sum of every roll from the start, and merges nothing.

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


@pytest.mark.parametrize("target", ["car", "robot", "crewed"])
def test_what_the_panel_cannot_tell_apart_changes_none_of_its_numbers(target: str) -> None:
    """The panel counts loosely; the strict count keeps every state apart."""
    stage, fields = shot(target, "revolver")
    if target == "crewed":
        stage.set_track("f2", hull=1)
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
