"""Decks above each other, in every game: distances in space, lines through holes, ways, and a whole fight."""

from __future__ import annotations

import random
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules import SYSTEMS, find_system
from combat.rules.core.map.vision import find_known, is_seen, make_observers
from combat.rules.core.odds.forecast import play_out
from combat.rules.core.space import Point, distance, map_of, on_ground
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.rays.area_shapes import is_reached
from combat.rules.core.space.rays.fog import holds
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.starshock.fight.maneuvers import find_cell_behind
from combat.rules.starshock.world.paths import count_fall
from tests.combat.rules.every_game.decks import HATCH, HEIGHT, LADDER, SHAFT, SHIFT, make_ship, make_zones
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.guardians.stage import GuardStage
from tests.combat.rules.stage import Stage
from tests.tools.speed.rules import set_up

ADA, BO = "f1", "f2"
GAMES = [name for name in TABLES if name != "hexes"]
every_game = pytest.mark.parametrize("game", GAMES)
xs, ys = st.integers(0, 20), st.integers(0, 12)


def board(game: str, *ways: dict[str, object], fog: bool = False) -> Stage:
    """Ada in the hold and Bo in the quarters of a ship with these ways."""
    stage = TABLES[game].make()
    settings = dict(stage.state.scene.settings)
    stage.do("set_scene", scene={"zones": make_zones(), "settings": settings})
    stage.do("set_map", map=make_ship(*ways, fog=fog))
    put(stage, ADA, 0, 6)
    put(stage, BO, SHIFT + 10, 6)
    return stage


def put(stage: Stage, who: str, x: float, y: float) -> Point:
    stage.edit(who, at=on_ground(stage.state.scene, Point(x, y)))
    return stage[who].at


def sees(stage: Stage) -> bool:
    space = stage.system.space
    assert space.sight is not None
    pairs = ((stage[ADA], stage[BO]), (stage[BO], stage[ADA]))
    seen = {space.sight(stage.state, one, other).seen for one, other in pairs}
    assert len(seen) == 1, "sight is symmetric"
    return seen.pop()


@every_game
@given(xs, ys, xs, ys)
def test_what_is_on_another_deck_is_as_far_as_in_space(game: str, x: int, y: int, u: int, v: int) -> None:
    stage = board(game)
    here, there = put(stage, ADA, x, y), put(stage, BO, SHIFT + u, v)
    assert distance(here, there) == distance(there, here) == hypot(x - u, y - v, HEIGHT)
    along = put(stage, BO, u, v)
    assert distance(here, along) == hypot(x - u, y - v)


@every_game
@given(xs, ys, xs, ys)
def test_a_closed_floor_stops_sight_and_blasts(game: str, x: int, y: int, u: int, v: int) -> None:
    stage = board(game, {**SHAFT, "open": False}, fog=True)
    here, there = put(stage, ADA, x, y), put(stage, BO, SHIFT + u, v)
    eyes = stage.system.find_eyes(stage.state)
    (observer,) = make_observers(stage.state, eyes, ("allies",))
    assert not sees(stage)
    assert not is_seen(stage.state, eyes, observer, stage[BO])
    assert not is_reached(map_of(stage.state.scene), eyes.grid, here, Body(there))


@every_game
def test_an_open_shaft_lets_sight_shots_and_blasts_through(game: str) -> None:
    stage = board(game, SHAFT, fog=True)
    here, there = put(stage, ADA, 12, 6), put(stage, BO, SHIFT + 17, 6)
    eyes = stage.system.find_eyes(stage.state)
    assert sees(stage)  # halfway from eye to eye, at 14.5 m, the line passes the floor: the hole is 13 to 16
    assert is_reached(map_of(stage.state.scene), eyes.grid, here, Body(there))
    put(stage, ADA, 2, 6)
    assert not sees(stage)  # at 9.5 m the floor is closed
    if catches := TABLES[game].catches:
        middle = on_ground(stage.state.scene, Point(14, 4))
        assert {ADA, BO} <= catches(stage.state, middle) | {ADA}
        assert BO in catches(stage.state, middle)


@every_game
def test_one_at_a_hole_uncovers_what_is_seen_on_the_other_deck(game: str) -> None:
    stage = board(game, SHAFT, fog=True)
    eyes = stage.system.find_eyes(stage.state)

    def knows(who: str, x: float) -> bool:
        known = find_known(stage.state, eyes, (stage[who].side,))
        return holds(known.window, known.seen, known.window.find_cell((x, 6)))

    put(stage, ADA, 12, 6)  # the hole is 13 to 16: up there, lines from eye to eye reach 14 to 20
    assert [knows(ADA, SHIFT + x) for x in (3, 16, 19)] == [False, True, True]
    put(stage, BO, SHIFT + 12, 6)
    assert [knows(BO, x) for x in (3, 16, 19)] == [False, True, True]
    stage.do("set_map", map={**make_ship(SHAFT, fog=True), "walls": [wall(17.5), wall(SHIFT + 17.5)]})
    assert [knows(ADA, SHIFT + x) for x in (16, 19)] == [True, False]
    assert [knows(BO, x) for x in (16, 19)] == [True, False]
    put(stage, ADA, 2, 6)
    assert not knows(ADA, SHIFT + 16), "at the floor the line is before the hole"
    stage.do("set_map", map=make_ship({**SHAFT, "open": False}, fog=True))
    put(stage, ADA, 12, 6)
    assert not knows(ADA, SHIFT + 16)


def wall(x: float) -> dict[str, object]:
    return {"id": f"w{x:g}", "kind": "wall", "x1": x, "y1": -1, "x2": x, "y2": 13}


# A shot through the shaft, 5 m along the plan and 3 m up (5.8 m): the faces of the dice that hit, and all
SHOTS = {
    "cosmos": (64, 100),  # 2d10 + Coordination 6 + half of Combat 4 against 10 + 6 + 2: from 10 on, 100 - 36
    "cepheus": (15, 36),  # 2d6 without skill, at Short range (3 to 12 m), against 8: 5 + 4 + 3 + 2 + 1
    "squares": (10, 36),  # 2d6 + 1 - 1 for 5 m - 1 for a first action against 7 + 1: from 9 on, 4 + 3 + 2 + 1
    "guardians": (60, 100),  # twelve ranks of five percent
}


@every_game
def test_odds_of_a_shot_through_a_shaft_are_those_by_hand(game: str) -> None:
    stage = board(game, SHAFT)
    if game == "guardians":
        stage.state = replace(stage.state, combatants=learned().state.combatants)
    put(stage, ADA, 12, 6)
    put(stage, BO, SHIFT + 17, 6)
    held = (item for item in stage[ADA].items if item.place == "held" and item.kind == "weapon")
    shot = {"target": BO, "weapon": next(held).id}
    headline = stage.odds("attack", ADA, **shot).headline
    assert headline is not None
    hits, faces = SHOTS[game]
    assert headline.chance == pytest.approx(hits / faces)
    put(stage, ADA, 2, 6)
    why = stage.refused("attack", ADA, **shot).message
    assert "stands between" in why or "cannot see" in why


def learned() -> GuardStage:
    """Ada with twelve ranks in the skill of her weapon."""
    stage = GuardStage()
    stage.hero("Ada", energy_weapons=12)
    stage.foe("Bo")
    stage.hold_things(ADA, "energy_blaster")
    return stage.begin(ADA, BO)


@every_game
def test_a_way_leads_to_the_other_deck_for_the_cost_of_a_move(game: str) -> None:
    stage = board(game, LADDER)
    assert stage.refused("way", ADA, way="ladder").code in ("out_of_range", "not_allowed")
    put(stage, ADA, 4, 6)
    before = dict(stage[ADA].budget)
    stage.do("way", ADA, way="ladder")
    assert (stage[ADA].at.x, stage[ADA].at.z) == (28, HEIGHT)
    assert stage[ADA].budget != before
    (moved,) = stage.told(e.Moved)
    assert moved.metres == HEIGHT


@pytest.mark.rule("SS-ZONE-07")
@pytest.mark.parametrize("checks", [False, True])
def test_way_beside_an_enemy_takes_breaking_away_by_map_option(checks: bool) -> None:
    stage = board("squares", LADDER)
    choice = "leaving_1m_of_hostile" if checks else "off"
    stage.state = replace(stage.state, options={**stage.state.options, "map_leave_check": choice})
    put(stage, ADA, 4, 6)
    put(stage, BO, 4, 7)
    stage.do("way", ADA, way="ladder", dice=((6, 6),) if checks else ())
    assert (stage[ADA].at.x, stage[ADA].at.z) == (28, HEIGHT)
    assert bool(stage.checks("breaking_away")) == checks
    if checks:
        put(stage, ADA, 4, 6)
        stage.turn(ADA)
        stage.do("way", ADA, way="ladder", dice=((1, 2), "none"))
        assert stage[ADA].at.z == HEIGHT, "the enemy may strike, and the way is taken"


@every_game
def test_walk_on_an_upper_deck_goes_exactly_as_far_as_on_a_lower(game: str) -> None:
    stage = board(game, LADDER)
    put(stage, BO, SHIFT + 20, 12)
    action = next(one for one in stage.system.actions.by_name.values() if one.name == "move")
    assert action.find_reach is not None
    reached = []
    for shift in (0, SHIFT):
        put(stage, ADA, shift + 4, 6)
        found = action.find_reach(stage.state, ADA)
        reached.append({(one.at.x - shift, one.at.y, round(one.meters, 1)) for one in found})
    assert reached[0] == reached[1]
    assert reached[0]
    assert all(-1 < x < 21 and -1 < y < 13 for x, y, _ in reached[0]), "nobody walks off their deck"


@every_game
def test_a_hatch_shuts_and_locks_as_a_door_does(game: str) -> None:
    stage = board(game, HATCH)
    put(stage, ADA, 18, 1)
    assert "shut" in stage.refused("way", ADA, way="hatch").message
    stage.do("door", ADA, door="hatch")
    assert map_of(stage.state.scene).ways[0].open
    stage.do("set_door", door="hatch", open=False, locked=True)
    stage.turn(ADA)
    assert stage.refused("way", ADA, way="hatch").message.endswith("the GM can unlock it.")


@every_game
def test_who_is_pushed_over_a_hole_ends_on_the_deck_below(game: str) -> None:
    stage = board(game, SHAFT)
    start, goal = put(stage, BO, SHIFT + 11, 6), Point(SHIFT + 15, 6, HEIGHT, SHIFT)
    eyes = stage.system.find_eyes(stage.state)
    edge = stop_short(map_of(stage.state.scene), eyes.grid, start, goal)
    landed = on_ground(stage.state.scene, edge)
    assert (landed.z, landed.shift or 0) == (0, 0)
    assert 13 < landed.x < 14


def test_a_push_of_star_shock_into_a_hole_counts_the_fall() -> None:
    stage = board("squares", SHAFT)
    put(stage, ADA, SHIFT + 10, 6)
    start = put(stage, BO, SHIFT + 12, 6)
    end = find_cell_behind(stage.state, stage[ADA], stage[BO], 5)
    assert (end.z, end.shift or 0) == (0, 0)
    assert count_fall(stage.state, (start, end)) == HEIGHT


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_fight_over_two_decks_ends(slug: str) -> None:
    system = find_system(slug)
    stage = Stage(system)
    stage.state = replace(set_up(system, system.demo.make_all()[0]), phase="prep")
    settings = {"positioning": "squares"} if slug == "starshock" else {}
    stage.do("set_scene", scene={"zones": make_zones(), "settings": settings})
    stage.do("set_map", map=make_ship(LADDER, HATCH))
    sides = sorted({combatant.side for combatant in stage.state.combatants.values()})
    for n, who in enumerate(stage.state.combatants):
        put(stage, who, n % 4 * 2 + SHIFT * (sides.index(stage[who].side) % 2), 2 + n // 4 * 2)
    for seed in range(3):
        ending = play_out(system, stage.state, random.Random(seed))
        assert not ending.is_undecided, (seed, ending)
        assert ending.dropped or ending.escaped


def test_decks_that_touch_and_ways_to_nowhere_are_refused() -> None:
    stage = TABLES["cosmos"].make()
    ship = make_ship(LADDER)
    near = [ship["decks"][0], {**ship["decks"][1], "x": 21.5}]
    assert "less than 1 m apart" in stage.refused("set_map", map={**ship, "decks": near}).message
    assert "up to a higher one" in stage.refused("set_map", map=make_ship({**LADDER, "x2": 5})).message
    beside = {**SHAFT, "hole": [1, 1, 2, 2]}
    assert "opening lies in the upper deck" in stage.refused("set_map", map=make_ship(beside)).message
    stage = TABLES["hexes"].make()
    assert "hexes" in stage.refused("set_map", map=ship).message


@every_game
def test_who_is_put_over_an_open_shaft_falls(game: str) -> None:
    """In a fight, as from a lid that opens, with the rolls of a fall; a shut one carries them."""
    dice = {"cosmos": [(9, 9), (1,)]}.get(game, [])
    for is_open, height in ((False, HEIGHT), (True, 0)):
        stage = board(game, {**SHAFT, "open": is_open})
        stage.do("place", target=BO, x=SHIFT + 14, y=6, dice=dice if is_open else [])
        assert stage[BO].at.z == height
        hows = [move.how for move in stage.told(e.Moved)]
        assert ("how.falls_through" in hows) == is_open
