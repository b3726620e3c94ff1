"""Auto-play over two decks ends, refuses nothing, and puts no two people on one spot."""

from __future__ import annotations

import random
from typing import Any

import pytest

from combat.rules.core.commands.commands import Command, read_command
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state.state import State, present, replace
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.characters.sheet import is_conscious
from tests.combat.rules.every_game.decks import HATCH, LADDER, SHAFT, make_ship, make_zones
from tests.combat.rules.starshock.figures import StarStage

MOST_STEPS = 300


def meet(ways: tuple[dict[str, Any], ...], height: int, positioning: str, **options: Any) -> State:
    """Three with daggers on each of two decks, before their fight."""
    stage = StarStage(**options)
    zones = [{**zone, "height": height if zone["x"] > 22 else 0} for zone in make_zones()]
    stage.do("set_scene", scene={"zones": zones, "settings": {"positioning": positioning}})
    drawn = make_ship(*ways)
    low, high = drawn["decks"]
    stage.do("set_map", map={**drawn, "decks": [low, {**high, "height": height}]})
    for n in range(3):
        for who, x in ((stage.hero(f"Ally {n}", "dagger"), 1), (stage.foe(f"Foe {n}", "dagger"), 26)):
            stage.edit(who, at=on_ground(stage.state.scene, Point(x + n, 2)))
    return replace(stage.state, phase="prep")


def play(state: State, name: str, command: Command, driver: AutoDriver) -> State:
    done = run(SYSTEM, state, find_action(SYSTEM, name), command, driver)
    assert isinstance(done, Done)
    return done.state


@pytest.mark.slow
@pytest.mark.rule("SS-OTHER-04", "SS-ACT-02")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"slow_ladders": True},
        {"slow_ladders": True, "rate_move": 1},
        {"slow_ladders": True, "turn_economy": "two_actions"},
        {"prone_crawl": "none"},
        {"map_leave_check": "leaving_1m_of_hostile"},
    ],
    ids=str,
)
@pytest.mark.parametrize("positioning", ["squares", "zones"])
@pytest.mark.parametrize(("ways", "height"), [((LADDER, HATCH), 3), ((SHAFT,), 12)], ids=["ladder", "shaft"])
def test_fights_between_decks_end(
    options: dict[str, Any], positioning: str, ways: tuple[dict[str, Any], ...], height: int
) -> None:
    driver = AutoDriver(random.Random(3))
    state = play(
        meet(ways, height, positioning, **options),
        "start",
        read_command(find_action(SYSTEM, "start"), {}),
        driver,
    )
    turn_over = read_command(find_action(SYSTEM, "next_turn"), {})
    for _ in range(MOST_STEPS):
        suggested = SYSTEM.tactics.suggest(state, state.active)
        state = play(state, *(suggested or ("next_turn", turn_over)), driver=driver)
        if positioning == "squares":
            spots = [(one.at.x, one.at.y) for one in present(state)]
            assert len(set(spots)) == len(spots)
        if len({one.side for one in present(state) if is_conscious(one)}) == 1:
            return
    raise AssertionError("the fight never ends")


@pytest.mark.rule("SS-OTHER-04", "SS-ACT-02")
@pytest.mark.parametrize("positioning", ["squares", "zones"])
def test_nobody_declares_forever_below_a_ladder_with_a_taken_top(positioning: str) -> None:
    """A turn takes a handful of steps: what the tactics declare, they can pay."""
    state, driver = meet((LADDER,), 3, positioning), AutoDriver(random.Random(3))
    people = dict(state.combatants)
    for n, one in enumerate(one for one in present(state) if one.side == "enemies"):
        people[one.id] = replace(one, at=on_ground(state.scene, Point(28 + n, 6)))
    start = read_command(find_action(SYSTEM, "start"), {})
    state = play(replace(state, combatants=people), "start", start, driver)
    turn_over = read_command(find_action(SYSTEM, "next_turn"), {})
    steps, round_ = 0, state.round
    for _ in range(MOST_STEPS):
        suggested = SYSTEM.tactics.suggest(state, state.active)
        state = play(state, *(suggested or ("next_turn", turn_over)), driver=driver)
        steps, round_ = (0, state.round) if state.round != round_ else (steps + 1, round_)
        assert steps < 20 * len(people), state.active
        if len({one.side for one in present(state) if is_conscious(one)}) == 1:
            return
    raise AssertionError("the fight never ends")
