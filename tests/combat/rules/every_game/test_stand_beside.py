"""“Stand beside someone”, as a GM's ruling lets happen: within reach, on a free spot, and holds go on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.gm.improvising import ACT
from combat.rules.core.gm.spots import is_next_to
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point, map_of, plan_distance
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.paths import is_filled
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present
from tests.combat.rules.games import GAMES, demo_fights, every_game


def stand(system: System, state: State, who: str, other: str) -> Done:
    """Let someone stand beside another by a ruling."""
    action = find_action(system, ACT)
    fields: dict[str, Any] = {
        "actor": who,
        "words": "I go",
        "works": [{"kind": "place", "who": [who], "to": other}],
    }
    done = run(system, state, action, read_command(action, fields, state), AutoDriver(random.Random(1)))
    assert isinstance(done, Done)
    return done


def reach(system: System, state: State, one: Combatant, other: Combatant) -> bool:
    """Whether someone reaches another by hand, as the game counts it."""
    rules = system.actions.improvising
    return rules.acting.reaches(state, one, other) if rules else is_next_to(state, one, other)


def scatter(system: System, state: State, chance: random.Random) -> State:
    """The same fight with everyone on a place of their own, where their map has room."""
    battle_map, taken, people = map_of(state.scene), list[Point](), {}
    grid = make_grid(battle_map, system.space.cell_meters, system.space.has_hexes(state))
    for who, one in state.combatants.items():
        for _ in range(200):
            zone = chance.choice(state.scene.zones) if state.scene.zones else None
            low, across = (zone.x, zone.width) if zone else (-15.0, 30.0)
            top, down = (zone.y, zone.depth) if zone else (-15.0, 30.0)
            x, y = low + chance.random() * across, top + chance.random() * down
            at = Point(round(x, 1), round(y, 1), zone.height if zone else 0.0)
            if grid.hexes:
                at = Point(float(round(x)), float(round(y)), at.z)
            if all(plan_distance(at, other) >= 2 for other in taken) and not is_filled(battle_map, grid, at):
                break
        taken.append(at)
        people[who] = one if one.inside else replace(one, at=at)
    return replace(state, combatants=people)


def find_scenes(system: System) -> Iterator[State]:
    """A demo fight with its people all over the place, many times."""
    moments = [moment.after for moment in demo_fights(system) if moment.after.phase == "fight"]
    for seed in range(20):
        yield scatter(system, moments[seed % len(moments)], random.Random(seed))


@every_game
def test_one_placed_beside_another_is_in_reach_on_a_free_spot(system: System) -> None:
    done = 0
    for state in find_scenes(system):
        people = [one for one in present(state) if not one.inside and not one.marks.get(SIZE)]
        for one, other in pairwise(people):
            after = stand(system, state, one.id, other.id).state
            now, there = after[one.id], after[other.id]
            assert reach(system, after, now, there), (one.at, other.at, now.at)
            assert there.at == other.at
            if now.at != one.at:
                others = [each for each in present(after) if each.id != now.id and not each.inside]
                assert all(plan_distance(now.at, each.at) >= 0.9 for each in others)
                done += 1
    assert done >= 20


@every_game
def test_who_stands_there_already_stays(system: System) -> None:
    state = next(find_scenes(system))
    one, other = [each for each in present(state) if not each.inside][:2]
    there = stand(system, state, one.id, other.id).state
    again = stand(system, there, one.id, other.id)
    assert not [fact for fact in again.facts if isinstance(fact.event, e.Moved)]
    assert again.state[one.id] == there[one.id]


@every_game
def test_a_large_body_is_reached_from_beside_it(system: System) -> None:
    for state in find_scenes(system):
        one, other = [each for each in present(state) if not each.inside][:2]
        for meters in (2.0, 3.5, 6.0):
            large = replace(other, marks={**other.marks, SIZE: round(meters * 10)})
            grown = replace(state, combatants={**state.combatants, other.id: large})
            if grown.scene.zones:
                continue  # no zone has room for it everywhere
            after = stand(system, grown, one.id, other.id).state
            assert reach(system, after, after[one.id], after[other.id])


@pytest.mark.parametrize("slug", ["cosmos", "cepheus"])
def test_a_hold_goes_on_if_they_are_put_beside_whom_they_hold(slug: str) -> None:
    system = GAMES[slug]
    for state in find_scenes(system):
        one, other = [each for each in present(state) if not each.inside][:2]
        there = stand(system, state, one.id, other.id).state
        action = find_action(system, "give_condition")
        for who, by in ((one.id, other.id), (other.id, one.id)):
            command = read_command(action, {"target": who, "kind": "grappled", "by": by}, there)
            done = run(system, there, action, command, AutoDriver(random.Random(1)))
            assert isinstance(done, Done)
            there = done.state
        held = {held.kind for held in there[one.id].conditions}
        again = stand(system, there, one.id, other.id).state
        assert {held.kind for held in again[one.id].conditions} == held >= {"grappled"}
