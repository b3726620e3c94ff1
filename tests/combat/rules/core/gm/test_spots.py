"""Combatants put into a zone stand clear of the walls in it, and not behind one."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec
import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.spots import BESIDE, RING, _list_around, find_middle
from combat.rules.core.space import BattleMap, Obstacle, Piece, Point, Scene, Wall, Zone, distance, find_zone
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.paths import is_filled
from combat.rules.core.state.events import Moved
from combat.rules.core.state.state import present, replace
from tests.combat.rules.stage import Stage

HALL = Zone("hall", "Hall", 0.0, 0.0, 20.0, 10.0)
OPEN = BattleMap()
CRATES = BattleMap(obstacles=(Obstacle("c1", "Crates", 7.5, 3.5, 5.0, 3.0),))
SPLIT = BattleMap(walls=(Wall("w1", 8.0, -90.0, 8.0, 90.0),))  # the smaller room is on the left
DOOR = BattleMap(walls=(Wall("w1", 8.0, -90.0, 8.0, 90.0, "door", open=True),))


def build(x: float, y: float, width: float, depth: float, name: str) -> tuple[Wall, ...]:
    """Four walls."""
    corners = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth), (x, y)]
    pairs = itertools.pairwise(corners)
    return tuple(Wall(f"{name}{n}", *one, *other) for n, (one, other) in enumerate(pairs))


HOUSE = BattleMap(walls=build(5.0, 2.0, 10.0, 6.0, "w"))  # with ground around it, larger than it is
HUT = BattleMap(walls=build(16.0, 2.0, 3.5, 3.5, "w"))
every_real_game = pytest.mark.parametrize(
    "system", [*map(find_system, SYSTEMS)], ids=lambda system: system.slug
)


def begin(system: System, drawn: BattleMap) -> Stage:
    """An empty hall with this on its map."""
    stage = Stage(system)
    stage.stays = False
    stage.state = replace(stage.state, scene=Scene(zones=(HALL,), map=drawn))
    return stage


def join(stage: Stage, count: int = 1, side: str = "enemies", zone: str = "hall") -> list[Point]:
    """The places of those who join."""
    known = set(stage.state.combatants)
    block = next(iter(stage.system.book.find_blocks()))
    stage.do("join", block=block, count=count, side=side, zone=zone)
    return [combatant.at for combatant in present(stage.state) if combatant.id not in known]


def is_in(thing: Obstacle, at: Point) -> bool:
    return thing.x <= at.x <= thing.x + thing.width and thing.y <= at.y <= thing.y + thing.depth


@every_real_game
@pytest.mark.parametrize(
    ("drawn", "fits"),
    [
        (CRATES, lambda at: not is_in(CRATES.obstacles[0], at) and 0 < at.x < 20 and 0 < at.y < 10),
        (SPLIT, lambda at: at.x > 8.2),
        # the zone extends past the outer walls: the ground out there is larger than the room
        (HOUSE, lambda at: 5 < at.x < 15 and 2 < at.y < 8),
        (HUT, lambda at: not (at.x > 15.8 and 1.8 < at.y < 5.7)),
    ],
    ids=["no obstacle", "larger room", "inside a house", "no hut on a field"],
)
def test_newcomers_stand_where_the_fight_is(
    system: System, drawn: BattleMap, fits: Callable[[Point], bool]
) -> None:
    assert all(map(fits, join(begin(system, drawn), 12)))


@every_real_game
def test_who_has_friends_outside_joins_them_there(system: System) -> None:
    stage = begin(system, HOUSE)
    join(stage, side="crew")
    stage.do("place", target=next(iter(present(stage.state))).id, x=2, y=5)
    (near,) = join(stage, side="crew")
    assert not (5 < near.x < 15 and 2 < near.y < 8)


@every_real_game
def test_newcomers_are_where_their_side_is(system: System) -> None:
    stage = begin(system, SPLIT)
    (one,) = join(stage, side="crew")
    friend = next(iter(present(stage.state))).id
    stage.do("place", target=friend, x=3, y=5)
    (near,) = join(stage, side="crew")
    (foe,) = join(stage)
    assert (one.x > 8, near.x < 8, foe.x > 8) == (True, True, True)


@every_real_game
@pytest.mark.parametrize("x", [3, 100, 597])
def test_newcomers_stand_near_their_side_on_a_long_road(system: System, x: int) -> None:
    stage = begin(system, OPEN)
    road = replace(HALL, width=600.0)
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=(road,)))
    join(stage, side="crew")
    stage.do("place", target=next(iter(present(stage.state))).id, x=x, y=5)
    assert all(distance(at, Point(x, 5)) < 9 for at in join(stage, 4, side="crew"))
    assert all(280 < at.x < 320 for at in join(stage, 4))  # a side that is nowhere yet


@every_real_game
def test_where_hidden_ones_stand_tells_nothing(system: System) -> None:
    stage = begin(system, SPLIT)
    join(stage, side="crew")
    hidden = next(iter(present(stage.state))).id
    stage.do("place", target=hidden, x=3, y=5)
    stage.do("hide", target=hidden, hidden=True)
    assert all(at.x > 8 for at in join(stage, 2, side="crew"))


@every_real_game
def test_an_open_door_changes_no_places(system: System) -> None:
    assert join(begin(system, DOOR), 6)[0] == join(begin(system, OPEN), 6)[0]


@every_real_game
def test_gm_who_puts_someone_into_a_zone_puts_them_clear(system: System) -> None:
    stage = begin(system, CRATES)
    join(stage)
    who = next(iter(present(stage.state))).id
    stage.do("place", target=who, x=-5, y=-5)
    stage.do("place", target=who, zone="hall")
    assert not is_in(CRATES.obstacles[0], stage.state[who].at)


@every_real_game
def test_small_rooms_are_looked_at_more_closely(system: System) -> None:
    small, crate = replace(HALL, width=3.0, depth=3.0), Obstacle("c1", "Crate", 0.6, 0.6, 0.8, 0.8)
    stage = begin(system, BattleMap(obstacles=(crate,)))
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=(small,)))
    (at,) = join(stage)
    assert not is_in(crate, at), "places are looked for every metre"


@every_real_game
def test_newcomers_without_a_zone_stand_near_their_side(system: System) -> None:
    stage = begin(system, OPEN)
    yard = Zone("yard", "Yard", 40.0, 0.0, 40.0, 40.0)
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=(HALL, yard)))
    join(stage, side="crew")
    stage.do("place", target="f1", x=44, y=36)
    (near,) = join(stage, side="crew", zone="")
    (foe,) = join(stage, zone="")
    assert 1 <= distance(near, Point(44, 36)) <= 4
    assert distance(foe, near) > 20, "at an end of the ground, away from the other side"


@every_real_game
def test_newcomers_stand_on_nobody_however_large(system: System) -> None:
    stage = begin(system, OPEN)
    join(stage)
    stage.do("place", target="f1", x=10, y=5)
    stage.do("resize", target="f1", metres=6)
    assert all(abs(at.x - 10) > 3 or abs(at.y - 5) > 3 for at in join(stage, 12))


@every_real_game
def test_full_zone_takes_one_per_square_then_the_nearest_zone(system: System) -> None:
    stage = begin(system, OPEN)
    closet, far = replace(HALL, width=3.0, depth=3.0), Zone("far", "Far", 90.0, 0.0)
    beside = Zone("beside", "Beside", 3.0, 0.0, 6.0, 6.0)
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=(closet, far, beside)))
    places = join(stage, 12)
    zones = [zone.id for at in places if (zone := find_zone(stage.state.scene, at))]
    assert len(set(places)) == 12
    assert zones.count("far") == 0
    assert zones[-1] == "beside"


@every_real_game
def test_newcomers_stand_in_the_parts_of_a_zone(system: System) -> None:
    corner = replace(HALL, parts=(Piece(14.0, 6.0, 6.0, 4.0),))
    stage = begin(system, OPEN)
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=(corner,)))
    assert all(at.x >= 14 and at.y >= 6 for at in join(stage, 6))


@every_real_game
def test_without_zones_newcomers_stand_inside_the_walls(system: System) -> None:
    house = BattleMap(walls=build(45.0, 32.0, 10.0, 6.0, "w"))
    stage = Stage(system)
    stage.state = replace(stage.state, scene=Scene(map=house))
    assert all(45 < at.x < 55 and 32 < at.y < 38 for at in join(stage, 6, zone=""))


# ---- A map laid under combatants ----


def lay(stage: Stage, drawn: BattleMap) -> list[str]:
    """Lay out the hall with a map; return those who are moved."""
    scene = {"zones": [msgspec.to_builtins(HALL)], "map": msgspec.to_builtins(drawn)}
    told = stage.do("set_scene", scene=scene)
    return [fact.event.who for fact in told if isinstance(fact.event, Moved)]


@every_real_game
@pytest.mark.parametrize("drawn", [CRATES, SPLIT, HOUSE])
def test_nobody_is_left_in_a_wall_of_a_new_scene(system: System, drawn: BattleMap) -> None:
    """Twelve combatants stand in a row across the hall; those who stand clear stay."""
    stage = begin(system, OPEN)
    join(stage, 12)
    grid = make_grid(drawn, system.space.cell_meters, system.space.has_hexes(stage.state))
    for number, combatant in enumerate(present(stage.state)):
        stage.edit(combatant.id, at=Point(2.0 + 1.5 * number, 5.0))
    before = {combatant.id: combatant.at for combatant in present(stage.state)}
    in_walls = {who for who, at in before.items() if is_filled(drawn, grid, at)}
    assert in_walls
    assert set(lay(stage, drawn)) == in_walls
    after = {combatant.id: combatant.at for combatant in present(stage.state)}
    assert not [who for who, at in after.items() if is_filled(drawn, grid, at)]
    assert all(after[who] == at for who, at in before.items() if who not in in_walls)
    assert len(set(after.values())) == len(after)
    assert all(find_zone(stage.state.scene, at) for at in after.values())


def test_who_has_no_room_anywhere_stays(duel: Stage) -> None:
    """An object that covers the whole hall and its surroundings."""
    assert lay(duel, BattleMap(obstacles=(Obstacle("o", "Rock", -100, -100, 200, 200),))) == []


def test_drawing_a_wall_where_someone_stands_moves_nobody(duel: Stage) -> None:
    at = present(duel.state)[0].at
    wall = {"id": "w1", "x1": at.x, "y1": at.y - 1, "x2": at.x, "y2": at.y + 1}
    assert not [fact for fact in duel.do("change_map", walls=[wall]) if isinstance(fact.event, Moved)]


def test_middle_of_a_zone_is_beside_the_wall_through_it() -> None:
    halved = BattleMap(walls=(Wall("w1", 10.0, 0.0, 10.0, 10.0),))
    grid = make_grid(halved, 1.0, hexes=False)
    middle = find_middle(Scene(zones=(HALL,), map=halved), HALL, grid)
    assert not is_filled(halved, grid, middle)
    assert abs(middle.x - HALL.centre.x) <= 1.5
    assert find_middle(Scene(zones=(HALL,), map=SPLIT), HALL, grid) == HALL.centre


@pytest.mark.parametrize(("size", "room"), [(1.0, 0.0), (4.0, 1.5), (7.0, 3.0)])
def test_spots_by_a_large_body_are_half_its_extra_size_farther(size: float, room: float) -> None:
    stage, block = Stage("cosmos"), next(iter(find_system("cosmos").book.find_blocks()))
    one, other = (stage.add(name, "allies", (x, 0), block=block) for name, x in (("Ada", 0), ("Car", 20)))
    stage.do("resize", target=other, metres=size)
    around = itertools.islice(_list_around(stage[one], stage[other], Grid(1.0)), 2 * RING)
    offs = [max(abs(spot.x - 20), abs(spot.y)) for spot in around]
    if room:
        assert offs == pytest.approx([BESIDE + room] * RING + [1.0 + room] * RING, abs=0.002)
    else:
        assert max(offs) <= 1.0
