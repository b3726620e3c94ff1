"""Lines from deck to deck over decks between that reach only so far, against a plain twin."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from combat.rules.core.space import BattleMap, Point, Wall
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.battle_map import SQUARES
from combat.rules.core.space.decks import Box, Deck, Passage
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.plane import Spot
from combat.rules.core.space.rays.area_shapes import is_reached
from combat.rules.core.space.rays.sight import EYES_M, Body, cross_decks, sees

SIZE, LOW, MIDDLE, SECOND, HIGH = 20.0, 0.0, 3.0, 5.0, 7.0
SHIFTS = {LOW: 0.0, MIDDLE: 30.0, SECOND: 60.0, HIGH: 90.0}
WHOLE: Box = (0.0, 0.0, SIZE, SIZE)
GRID = make_grid(BattleMap(grid=SQUARES), 1.0, hexes=False)
# Odd parts of a meter: no line of the tests runs exactly along an edge
places = st.tuples(*[st.integers(1, 38).map(lambda n: n / 2 + 0.113)] * 2)
boxes = st.tuples(*[st.integers(0, 15).map(float)] * 2, *[st.integers(1, 12).map(float)] * 2).map(
    lambda box: (box[0], box[1], min(box[2], SIZE - box[0]), min(box[3], SIZE - box[1]))
)
floors = st.tuples(boxes, st.none() | boxes)  # a deck between, and its open hole


def make_map(
    decks: dict[float, Box], holes: list[tuple[float, Box]], *walls: tuple[float, float]
) -> BattleMap:
    """Decks at these heights with open holes, and walls right across, each at its x on its deck."""
    return BattleMap(
        decks=tuple(
            Deck(f"d{height:g}", "", x + SHIFTS[height], y, width, depth, height, SHIFTS[height])
            for height, (x, y, width, depth) in decks.items()
        ),
        ways=tuple(
            Passage(f"p{n}", "gallery", 0, 0, 0, 0, hole=(x + SHIFTS[height], y, width, depth))
            for n, (height, (x, y, width, depth)) in enumerate(holes)
        ),
        walls=tuple(
            Wall(f"w{n}", x + SHIFTS[height], 0, x + SHIFTS[height], SIZE)
            for n, (height, x) in enumerate(walls)
        ),
    )


def is_in(box: Box, spot: Spot) -> bool:
    return box[0] <= spot[0] <= box[0] + box[2] and box[1] <= spot[1] <= box[1] + box[3]


def is_clear(
    decks: dict[float, Box],
    holes: list[tuple[float, Box]],
    walls: list[tuple[float, float]],
    line: list[Spot],
) -> bool:
    """The twin: where the line is at each floor and at each wall, and what is there."""
    (x, y), (u, v) = line

    def at(share: float) -> Spot:
        return x + (u - x) * share, y + (v - y) * share

    for floor, box in decks.items():
        if floor == LOW:
            continue
        spot = at((floor - EYES_M) / HIGH)
        if is_in(box, spot) and not any(height == floor and is_in(hole, spot) for height, hole in holes):
            return False
    for floor, across in walls:
        share = (across - x) / (u - x) if u != x else -1.0
        under = [h for h, box in decks.items() if h <= EYES_M + share * HIGH and is_in(box, at(share))]
        if 0 < share < 1 and max(under) == floor:
            return False
    return True


@given(
    places,
    places,
    st.dictionaries(st.sampled_from((MIDDLE, SECOND)), floors),
    st.lists(boxes, min_size=1, max_size=3),
    st.lists(
        st.tuples(st.sampled_from((LOW, MIDDLE, SECOND, HIGH)), st.integers(1, 19).map(float)), max_size=2
    ),
)
@example((2.113, 6.113), (18.113, 6.113), {MIDDLE: ((8, 0, 12, 20), None)}, [WHOLE], [])
@example((2.113, 6.113), (18.113, 6.113), {MIDDLE: ((0, 0, 4, 20), None)}, [WHOLE], [])
@example((2.113, 6.113), (18.113, 6.113), {MIDDLE: ((0, 0, 9, 20), WHOLE)}, [WHOLE], [(LOW, 12.0)])
@example((2.113, 6.113), (18.113, 6.113), {MIDDLE: ((8, 0, 4, 20), None)}, [WHOLE], [(MIDDLE, 8.0)])
def test_lines_past_decks_between_are_those_of_a_plain_twin(
    here: Spot,
    there: Spot,
    between: dict[float, tuple[Box, Box | None]],
    holes: list[Box],
    walls: list[tuple[float, float]],
) -> None:
    decks = {LOW: WHOLE, **{height: box for height, (box, _) in between.items()}, HIGH: WHOLE}
    walls = [(height, x) for height, x in walls if height in decks]
    opened = [(HIGH, hole) for hole in holes]
    opened += [(height, hole) for height, (_, hole) in between.items() if hole]
    plan = barriers_of(make_map(decks, opened, *walls))
    low, high = Point(*here, LOW), Point(there[0] + SHIFTS[HIGH], there[1], HIGH, SHIFTS[HIGH])
    met = cross_decks(plan, low, high, ((low.x, low.y), (high.x, high.y)), plan.dark)
    assert (met == set()) == is_clear(decks, opened, walls, [here, there])


@pytest.mark.parametrize(
    ("between", "is_seen"),
    [
        ((0, 0, 20, 20), False),
        ((0, 0, 4, 20), True),  # above the lower one, and the line is past it at its height
        ((0, 0, 8, 20), False),
        ((8, 0, 12, 20), True),  # the line comes in at its side, over its floor
        ((4, 0, 4, 20), False),  # not above the lower one, and the line meets its floor
        ((4, 7, 4, 13), True),
    ],
)
def test_sight_and_blasts_need_a_hole_where_they_cross_a_floor(between: Box, is_seen: bool) -> None:
    """From 2 to 18 over 7 m of height, the line is at 5.4 at 3 m, and at 14.6 at the upper floor."""
    battle_map = make_map({LOW: WHOLE, MIDDLE: between, HIGH: WHOLE}, [(HIGH, (12, 0, 5, 20))])
    low, high = Point(2, 3, LOW), Point(18 + SHIFTS[HIGH], 3, HIGH, SHIFTS[HIGH])
    assert sees(battle_map, GRID, Body(low), Body(high)) == is_seen
    assert sees(battle_map, GRID, Body(high), Body(low)) == is_seen
    assert is_reached(battle_map, GRID, low, Body(high)) == is_seen
    assert is_reached(battle_map, GRID, high, Body(low)) == is_seen
