"""The squares a map marks: a combatant can go to each, at the cost it names, or aim at it."""

from __future__ import annotations

import random

import msgspec
import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, run
from combat.rules.core.space import BattleMap, Picture, Point, Scene, Zone, squares_around
from combat.rules.core.state.events import Moved
from combat.rules.core.state.state import is_acting
from tests.combat.rules.every_game.test_conformance import check_words, fill_in
from tests.combat.rules.games import demo_fights, every_game

MAX_TRIED = 6  # squares of each action in each state


@every_game
def test_marked_squares_can_be_gone_to_at_their_cost(system: System) -> None:
    picker = random.Random(7)
    actions = [action for action in system.actions.by_name.values() if action.leads_there]
    for moment in demo_fights(system):
        state = moment.before
        for who in (w for w in state.combatants if is_acting(state, w)):
            for action in actions:
                assert action.find_reach
                found = () if find_refusal(action, state, who) else action.find_reach(state, who)
                for reach in picker.sample(found, min(MAX_TRIED, len(found))):
                    data = {"actor": who, "to": f"{reach.at.x:g},{reach.at.y:g}"}
                    done = run(system, state, action, read_command(action, data), AutoDriver(picker))
                    assert isinstance(done, Done)
                    moves = [f.event for f in done.facts if isinstance(f.event, Moved) and f.event.who == who]
                    if moves:  # an attack may have stopped them
                        assert moves[0].cost == reach.meters


@every_game
def test_marked_squares_can_be_aimed_at(system: System) -> None:
    """The action is done there, or refused in words; someone may be standing there."""
    picker = random.Random(7)
    aimed = [a for a in system.actions.by_name.values() if a.find_reach and not a.leads_there]
    for moment in demo_fights(system):
        state = moment.before
        for who in (w for w in state.combatants if is_acting(state, w)):
            for action in (a for a in aimed if not find_refusal(a, state, who)):
                assert action.find_reach
                found = action.find_reach(state, who)
                for reach in picker.sample(found, min(MAX_TRIED, len(found))):
                    filled = fill_in(who, action.find_fields(state, who), to=f"{reach.at.x:g},{reach.at.y:g}")
                    try:
                        done = run(system, state, action, read_command(action, filled), AutoDriver(picker))
                    except Refused as refused:
                        check_words(refused)
                    else:
                        assert isinstance(done, Done)


def test_squares_lie_within_the_meters_and_inside_zones() -> None:
    scene = Scene(zones=(Zone("a", "A", 0, 0, 4, 4),))
    found = squares_around(scene, Point(0, 0), 2)
    assert {(p.x, p.y) for p in found} == {(1, 0), (2, 0), (0, 1), (1, 1), (0, 2)}


def test_larger_squares_lie_on_multiples_of_their_side() -> None:
    scene = Scene(zones=(Zone("a", "A", -20, -20, 40, 40),))
    found = squares_around(scene, Point(1, 1), 5, side=2)
    assert found
    assert all(p.x % 2 == 0 and p.y % 2 == 0 for p in found)


def test_bare_plane_has_no_squares_and_a_zoneless_map_has_all() -> None:
    assert squares_around(Scene(), Point(), 10) == ()
    drawn = Scene(map=BattleMap(picture=Picture("abc", 0, 0, 40, 30)))
    assert {(p.x, p.y) for p in squares_around(drawn, Point(), 1)} == {(1, 0), (-1, 0), (0, 1), (0, -1)}


@pytest.mark.slow
@every_game
def test_nobody_who_stands_there_is_walked_into(system: System) -> None:
    for moment in demo_fights(system):
        state = moment.before
        taken = {(f.at.x, f.at.y) for f in state.combatants.values() if not f.gone and not f.hidden}
        for action in (action for action in system.actions.by_name.values() if action.leads_there):
            for who in state.combatants:
                assert action.find_reach
                found = action.find_reach(state, who)
                assert not taken & {(reach.at.x, reach.at.y) for reach in found}
                assert msgspec.json.encode(found)
