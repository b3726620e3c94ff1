"""After a move of any kind no two people are on one spot, and no large body overlaps another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.map.bodies import SIZE, is_taken
from combat.rules.core.space import Point, over_ground
from combat.rules.core.state.state import present, replace
from tests.combat.rules.every_game.bounds import ADA, BO, act, board, move
from tests.combat.rules.every_game.decks import LADDER, SHIFT, make_ship
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.stage import Stage

GAMES = ("cosmos", "squares", "cepheus", "guardians")
LID = {"id": "pit", "kind": "hatch", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [SHIFT + 2, 3, 4, 6]}
LID = {**LID, "open": False}
# Tried otherwise, or they strike whoever stands in the way
ALONE = ("lid", "placed", "swap", "drive", "coast", "ride")
spots = st.tuples(st.integers(0, 18), st.integers(0, 11))
sizes = st.sampled_from((0, 0, 0, 20, 30))


class Other(NamedTuple):
    """Somebody else: where, how large in tenths of a meter, and whether prone."""

    spot: tuple[int, int]
    size: int
    is_prone: bool


others = st.lists(st.builds(Other, spots, sizes, st.booleans()), max_size=12)


def find_ways() -> Iterator[tuple[str, str]]:
    """Each game with its ways that ask who stands where they end."""
    for game in GAMES:
        ways = TABLES[game].make().system.turn.mover.ways.values()
        yield from ((game, way.id) for way in ways if "landing" in way.asks and way.id not in ALONE)


def crowd(stage: Stage, people: list[Other], high: bool = True) -> None:
    """Others on their spots of a deck; those who would stand on one another are left out."""
    grid = stage.system.find_eyes(stage.state).grid
    first = len(stage.state.combatants)
    for n, (spot, size, is_prone) in enumerate(people, first):
        marks = {**stage[BO].marks, **({SIZE: size} if size else {})}
        at = over_ground(stage.state.scene, Point(spot[0] + SHIFT * high, spot[1]))
        other = replace(stage[BO], id=f"x{n}", name=f"Cy {n}", at=at, marks=marks)
        if is_taken(stage.state, other, at, grid):
            continue
        stage.state = replace(stage.state, combatants={**stage.state.combatants, other.id: other})
        if is_prone:
            stage.give(other.id, "prone")


def assert_apart(stage: Stage, *movers: str) -> None:
    grid = stage.system.find_eyes(stage.state).grid
    for who in movers:
        combatant = stage[who]
        assert not is_taken(stage.state, combatant, combatant.at, grid), (combatant.at, combatant.marks)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "way"), list(find_ways()))
@given(goal=spots, size=sizes, people=others, deck=st.booleans())
def test_a_move_ends_beside_whoever_stands_there(
    game: str, way: str, goal: tuple[int, int], size: int, people: list[Other], deck: bool
) -> None:
    stage = board(TABLES[game].make)
    stage.edit(ADA, marks={**stage[ADA].marks, **({SIZE: size} if size else {})})
    crowd(stage, people, high=deck)
    start = stage[ADA].at
    if move(stage, way, over_ground(stage.state.scene, Point(goal[0] + SHIFT * deck, goal[1]))):
        moved = stage[ADA].at
        if moved != start:
            assert_apart(stage, ADA)


@pytest.mark.parametrize("game", GAMES)
@given(above=others, below=others, size=sizes)
def test_those_who_fall_through_a_lid_land_beside_each_other(
    game: str, above: list[Other], below: list[Other], size: int
) -> None:
    stage = board(TABLES[game].make)
    stage.do("set_map", map=make_ship(LADDER, LID))
    at = over_ground(stage.state.scene, Point(SHIFT + 4, 6))
    stage.edit(ADA, at=at, marks={**stage[ADA].marks, **({SIZE: size} if size else {})})
    crowd(stage, above)
    crowd(stage, below, high=False)
    assert act(stage, "set_door", door="pit", open=True)
    assert stage[ADA].at.z == 0
    assert_apart(stage, *(one.id for one in present(stage.state) if one.at.z == 0))


@pytest.mark.parametrize("game", ["cosmos", "cepheus"])
@pytest.mark.parametrize("is_first", [False, True])
@given(below=others)
def test_two_who_hold_each_other_fall_together(game: str, is_first: bool, below: list[Other]) -> None:
    """Whoever of the two is first in the order of the fight, and whoever stands below."""
    stage = board(TABLES[game].make)
    stage.do("set_map", map=make_ship(LADDER, LID))
    for who, x in ((ADA, 4), (BO, 5)):
        stage.edit(who, at=over_ground(stage.state.scene, Point(SHIFT + x, 6)))
    holder, held = (ADA, BO) if is_first else (BO, ADA)
    stage.give(held, "grappled", by=holder)
    if game == "cepheus":
        stage.give(holder, "grappled", by=held)
    crowd(stage, below, high=False)
    assert act(stage, "set_door", door="pit", open=True)
    assert [stage[who].at.z for who in (ADA, BO)] == [0, 0]
    assert stage.has(held, "grappled")
    assert_apart(stage, ADA, BO)
