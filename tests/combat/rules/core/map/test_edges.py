"""The edge of the drawn place, which the app's own moves never cross."""

from __future__ import annotations

import pytest

from combat.rules.core.map.starts import leads_out, leaves_ground
from combat.rules.core.space import BattleMap, Point, Scene, Wall, Zone, map_of
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.space.ground import is_drawn
from combat.rules.core.state.state import State, replace
from tests.combat.rules.every_game.autoplay import GROUNDS, play, set_up
from tests.combat.rules.games import GAMES, WITH_DOORS

HULL = BattleMap((Wall("w", 0, 0, 20, 0),))
ROOMS = (Zone("a", "A", 0, y=0, width=10, depth=10), Zone("b", "B", 10, y=0, width=10, depth=10))


def test_a_gap_in_the_hull_is_no_way_round() -> None:
    scene = Scene(zones=ROOMS, map=HULL)
    inside, outside, beyond = Point(1, 1), Point(5, -4), Point(19, 1)
    assert not leaves_ground(scene, (inside, beyond))
    assert leaves_ground(scene, (inside, outside, beyond))
    assert not leaves_ground(scene, (outside, beyond)), "who is outside may come in"
    assert not leaves_ground(scene, (inside, outside), goal=Point(5, -9)), "or follow someone"
    assert leaves_ground(scene, (inside, outside), goal=beyond)


def test_turn_may_end_in_a_gap_between_rooms_on_the_way() -> None:
    scene = Scene(zones=(ROOMS[0], Zone("c", "C", 14, y=0, width=10, depth=10)), map=HULL)
    start, gap, outside, goal = Point(1, 1), Point(12, 1), Point(12, -4), Point(20, 1)
    assert leaves_ground(scene, (start, gap), goal)
    assert not leads_out(scene, (start, gap), lambda: (start, goal), goal)
    assert leads_out(scene, (start, gap), lambda: (start, outside, goal), goal)


@pytest.mark.parametrize(
    ("scene", "drawn"),
    [
        (Scene(), True),
        (Scene(zones=ROOMS[:1]), False),
        (Scene(zones=(ROOMS[0], Zone("c", "C", 30, y=0, width=10, depth=10))), True),
        (Scene(zones=(ROOMS[0], Zone("c", "C", 30, y=0, width=10, depth=10)), map=HULL), False),
        (Scene(map=HULL), False),
    ],
)
def test_what_is_drawn(scene: Scene, drawn: bool) -> None:
    assert is_drawn(scene, Point(25, 5)) == drawn


@pytest.mark.slow
@pytest.mark.parametrize("slug", WITH_DOORS)
def test_the_app_leaves_nobody_outside_the_hull(slug: str) -> None:
    """A ship that has lost its hull: everyone whom the app plays stays in its rooms."""
    system = GAMES[slug]
    for seed in range(6):
        fight = play(system, breach(set_up(system, GROUNDS[1], seed)), seed)
        for move in fight.moves:
            for one in move.before.combatants.values():
                assert is_drawn(move.before.scene, one.at), f"{one.name} is outside: {move}"


def breach(start: State) -> State:
    """The state without its hull: the walls that have a room on one side only."""
    scene = start.scene
    walls = tuple(wall for wall in map_of(scene).walls if wall.kind == DOOR or not _is_hull(scene, wall))
    return replace(start, scene=replace(scene, map=replace(map_of(scene), walls=walls)))


def _is_hull(scene: Scene, wall: Wall) -> bool:
    x, y = (wall.x1 + wall.x2) / 2, (wall.y1 + wall.y2) / 2
    sides = [Point(x, y - 1), Point(x, y + 1)] if wall.y1 == wall.y2 else [Point(x - 1, y), Point(x + 1, y)]
    return not all(is_drawn(scene, side) for side in sides)
