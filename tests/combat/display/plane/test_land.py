"""The ground as drawn: floors, what lies on them and around them, things, walls as lines."""

from __future__ import annotations

import gzip
import re

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from combat.display.map.scene import view_scene
from combat.display.plane.land import (
    MOST,
    SHAPES,
    TABLE,
    UNITS,
    WORDS,
    LandView,
    find_floor,
    find_hazards,
    find_kind,
    guess_thing,
    list_marks,
    lobes,
    split,
    view_land,
    view_things,
)
from combat.display.plane.plan import draw_chains
from combat.rules import find_system
from combat.rules.core.space import (
    FLOORS,
    HAZARDS,
    BattleMap,
    Light,
    Obstacle,
    Piece,
    Scene,
    Wall,
    Zone,
    ZoneProperty,
)
from combat.rules.core.space.battle_map import THINGS
from combat.rules.core.space.decks import Deck
from combat.rules.core.state.state import State, replace
from tests.combat.rules.games import every_slug

MARKS = (("mud", "soil"), ("flames", "fire"), ("fumes", "gas"), ("haze", "smoke"))


def view(*zones: Zone, **drawn: object) -> LandView:
    outlines = tuple(f"M{zone.id}z" for zone in zones)
    return view_land(Scene("", zones, map=BattleMap(**drawn)), outlines, MARKS, 40, False, "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("zone", "floor"),
    [
        (Zone("a", "Hold"), ("deck", False)),
        (Zone("a", "Kitchens"), ("tile", False)),
        (Zone("a", "Back alley"), ("concrete", True)),
        (Zone("a", "Hold", terrain=("mud",)), ("soil", True)),
        (Zone("a", "Cave", floor="water"), ("water", True)),
        (Zone("a", "Cave", floor="soil", kind="room"), ("soil", False)),
        (Zone("a", "Hold", kind="outdoors"), ("concrete", True)),
        (Zone("a", "Garden", kind="room"), ("deck", False)),
    ],
)
def test_floor_is_as_a_zone_says_or_its_terrain_or_name_suggests(zone: Zone, floor: tuple[str, bool]) -> None:
    assert find_floor(zone, dict(MARKS)) == floor


def test_hazards_come_from_terrains_and_from_the_gms_properties() -> None:
    zone = Zone("a", "Hold", terrain=("fumes", "mud"), properties=(ZoneProperty("Radiation leak"),))
    assert find_hazards(zone, dict(MARKS)) == ("gas", "radiation")


def test_rooms_lie_in_space_and_houses_on_the_ground_outside() -> None:
    assert view(Zone("a", "Hold")).base == "void"
    assert view(Zone("a", "Hall")).base == "concrete"
    assert view(Zone("a", "Hall"), Zone("b", "Meadow"), Zone("c", "River", width=30)).base == "grass"
    assert view().base == ""


def test_equal_floors_are_one_path_and_the_largest_is_beneath() -> None:
    hold, mess, nook = Zone("a", "Hold", width=30), Zone("b", "Mess", width=20), Zone("c", "Nook")
    land = view(nook, mess, hold)
    assert [(floor.look, floor.path) for floor in land.floors] == [
        ("deck", "Maz"),
        ("tile", "Mbz"),
        ("deck", "Mcz"),
    ]
    assert (land.rooms, land.zones) == ("MazMbzMcz", "MazMbzMcz")


def test_fire_and_smoke_on_a_floor_leave_it_as_it_is() -> None:
    fire = Zone("b", "Fire", 2, 2, 3, 3, terrain=("flames",))
    smoke = Zone("c", "Smoke", 8, 8, 4, 4, terrain=("haze",), parts=(Piece(8, 8, 2, 4),))
    land = view(Zone("a", "Hold"), fire, smoke)
    assert land.zones == "Maz"
    assert [(hazard.look, hazard.spot) for hazard in land.hazards] == [("fire", (4.25, 2.75))]
    assert len(land.clouds[0].puffs) == 2
    assert land.textures == ("void", "deck", "fire")


def test_things_look_as_they_are_called() -> None:
    assert [guess_thing(name) for name in ("Old crates", "Control panel", "Palm", "Strange idol")] == [
        "crate",
        "console",
        "tree",
        "crate",
    ]
    assert find_kind(Obstacle("o", "Crate", 0, 0, width=6), under_sky=False) == "container"
    assert find_kind(Obstacle("o", "Table", 0, 0), under_sky=True) == "stall"
    assert find_kind(Obstacle("o", "Crate", 0, 0, kind="rock"), under_sky=True) == "rock"
    assert {*SHAPES, TABLE} == set(THINGS)
    assert WORDS.keys() <= set(THINGS)


def test_things_of_a_kind_are_one_drawing_with_tall_ones_above() -> None:
    crates = (Obstacle("a", "Crate", 0, 0), Obstacle("b", "Crate", 3, 0, depth=2))
    low, tall = view_things((Obstacle("c", "Crate", 9, 9, blocks_sight=True), *crates), ())
    assert (low.look, tall.look) == ("thing t-crate", "thing t-crate is-tall")
    assert dict(low.layers)["body"] == "M0 0L1 0L1 1L0 1zM3 0L3 2L4 2L4 0z"


@pytest.mark.parametrize(
    ("inner", "floors"),
    [
        (Zone("b", "Smoke", 2, 2, 6, 4, terrain=("haze",)), 1),
        (Zone("b", "Smoke", 22, 2, 6, 4, terrain=("haze",)), 2),
        (Zone("b", "Kitchen", 2, 2, 6, 4, kind="room", terrain=("haze",)), 2),
        (Zone("b", "Kitchen", 2, 2, 6, 4, floor="tile", terrain=("haze",)), 2),
    ],
    ids=["on it", "beside it", "a room", "a floor"],
)
def test_smoke_on_a_floor_is_no_floor_and_a_room_in_smoke_is_one(inner: Zone, floors: int) -> None:
    drawn = view(Zone("a", "Hall", 0, 0, 20, 10, floor="deck"), inner)
    assert sum(floor.path.count("z") for floor in drawn.floors) == floors


@given(kind=st.sampled_from([*UNITS, "crate"]), width=st.floats(0.3, 60), depth=st.floats(0.3, 60))
def test_units_of_a_thing_cover_it_once(kind: str, width: float, depth: float) -> None:
    parts = [*split(kind, Obstacle("a", "", 3, 7, width, depth))]
    assert len(parts) <= MOST
    assert sum(wide * deep for _, _, wide, deep in parts) == pytest.approx(width * depth)
    assert (min(x for x, *_ in parts), min(y for _, y, *_ in parts)) == (3, 7)
    assert max(x + wide for x, _, wide, _ in parts) == pytest.approx(3 + width)
    assert max(y + deep for _, y, _, deep in parts) == pytest.approx(7 + depth)


def test_corners_of_a_table_are_as_round_at_any_size() -> None:
    (small,), (long,) = (
        view_things((Obstacle("a", "", 0, 0, wide, 1, kind="table"),), ()) for wide in (1.0, 9.0)
    )
    assert dict(small.layers)["body wood"].startswith("M0.22 0L0.78 0Q1 0 1 0.22")
    assert dict(long.layers)["body wood"].startswith("M0.22 0L8.78 0Q9 0 9 0.22")


@pytest.mark.parametrize(
    ("road", "paint"),
    [
        (Zone("a", "Main street", 0, 0, 30, 8), "M0 4L30 4"),
        (Zone("a", "Road", 0, 0, 8, 30, floor="concrete"), "M4 0L4 30"),
        (Zone("a", "Street", 0, 0, 30, 4), ""),
        (Zone("a", "Street", 0, 0, 30, 8, kind="room"), ""),
        (Zone("a", "Road", 0, 0, 30, 8, floor="soil"), ""),
        (Zone("a", "Railroad yard", 0, 0, 30, 8), ""),
    ],
)
def test_roads_have_a_line_between_their_lanes(road: Zone, paint: str) -> None:
    assert view(road).paint == paint


def test_road_leads_through_the_land_beside_it() -> None:
    road = Zone("a", "Coast road", 0, 0, 300, 8)
    assert view(road, Zone("b", "Verge", 0, 8, 300, 4)).base == "grass"
    assert view(Zone("a", "Street", 0, 0, 300, 8), Zone("b", "Garden", 0, 8, 30, 4)).base == "concrete"


def test_street_with_an_outdoor_floor_stays_under_the_sky() -> None:
    assert find_floor(Zone("a", "Street", floor="concrete"), {}).is_open
    assert not find_floor(Zone("a", "Street", floor="tile"), {}).is_open


def test_walls_that_meet_are_one_line() -> None:
    room = [(0, 0, 4, 0), (4, 0, 8, 0), (8, 0, 8, 5), (0, 5, 8, 5), (0, 5, 0, 0)]
    assert draw_chains(room) == "M0 0H8V5H0z"
    assert draw_chains([(0, 0, 4, 0), (4, 0, 4, 3), (4, 3, 6, 5), (9, 9, 9, 8)]) == "M0 0H4V3L6 5M9 9V8"


@pytest.mark.parametrize("share", [0.3, 0.66, 1.0])
@pytest.mark.parametrize("count", [5, 9])
def test_leaves_fill_their_share_and_no_more(share: float, count: int) -> None:
    """A curve comes half as near to its outer point as a straight line would."""
    numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", lobes(share, count))]
    spots = [complex(x - 0.5, y - 0.5) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    corners, outer = spots[::2], spots[1::2]
    assert len(outer) == count
    assert all(abs(spot) == pytest.approx(0.42 * share, abs=0.01) for spot in corners)
    tips = [
        abs(one / 4 + far / 2 + other / 4)
        for one, far, other in zip(corners, outer, corners[1:], strict=False)
    ]
    assert all(0.46 * share <= tip <= 0.53 * share for tip in tips)


@every_slug
def test_games_draw_their_own_terrains_by_known_looks(slug: str) -> None:
    system = find_system(slug)
    terrains = {key for key, _ in system.space.terrains}
    assert {key for key, _ in system.kinds.ground} <= terrains
    assert {look for _, look in system.kinds.ground} <= {*FLOORS, *HAZARDS, *THINGS}


def test_forty_rooms_stay_light() -> None:
    """As large as scenes get: 40 zones, 400 walls, 60 things, 20 lamps are 40 KB for a browser at most."""
    zones = tuple(Zone(f"z{n}", f"Room {n}", n % 8 * 10, n // 8 * 10) for n in range(40))
    walls = tuple(Wall(f"w{n}", n % 80, n // 8, n % 80 + 1, n // 8 + n % 2) for n in range(400))
    things = tuple(
        Obstacle(f"o{n}", name, n % 9 * 8 + 1, n) for n, name in enumerate(WORDS) for _ in range(4)
    )
    lamps = tuple(Light(f"l{n}", n * 4, n * 2.5) for n in range(20))
    system = find_system("cosmos")
    state = State(
        "cosmos", scene=Scene("", zones, map=BattleMap(walls, things, lamps, sky="night", weather="rain"))
    )
    scene = view_scene(system, state, {})
    page = render_to_string("combat/map/ground/map_ground.html", {"scene": scene})
    assert len(gzip.compress(page.encode())) < 40_000


@pytest.mark.parametrize(("slug", "light"), [("cosmos", "dim"), ("cepheus", "low_light")])
def test_zone_with_little_light_is_darker_but_not_dark(slug: str, light: str) -> None:
    system = find_system(slug)
    zones = (Zone("a", "Hold", 0, 0, 9, 9, light=light), Zone("b", "Hall", 9, 0, 9, 9))
    land = view_scene(system, replace(system.begin(), scene=Scene("Ship", zones)), {}).land
    assert land.dim == "M0 0L9 0L9 9L0 9z"
    assert land.has_night
    assert not land.dark


@pytest.mark.parametrize(("height", "words"), [(5, ["2 m high"]), (3, []), (1, ["2 m below"]), (0, [])])
def test_a_zone_says_how_high_it_lies_above_its_deck(height: float, words: list[str]) -> None:
    low = Deck("low", "Hold", 0, 0, width=20, depth=20)
    high = Deck("high", "Bridge", 30, 0, width=20, depth=20, height=3, shift=30)
    zone = Zone("z", "Zone", 31, y=1, width=5, depth=5, height=height)
    scene = Scene(zones=(zone,), map=BattleMap(decks=(low, high)))
    assert [said for _, said in list_marks(find_system("cosmos"), scene, zone)] == words
