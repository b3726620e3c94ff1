"""Names of zones on the map: each in its zone, and none over another."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec import UNSET

from combat.display.combatants.tokens import Look
from combat.display.map.scene import NEAR_HALF, _lay_scene, _pad, find_near_scale, find_way_boxes, view_scene
from combat.display.plane.callouts import FONT, box_of
from combat.display.plane.crowd import find_body, find_name
from combat.display.plane.names import DESCENT, HAIR, Box, Name, Named, clear_of, place_names
from combat.display.plane.plotting import outline_area
from combat.display.shapes.scene_shapes import Token
from combat.play.scenes.ready import ReadyScene, find_ready_scenes
from combat.rules import find_system
from combat.rules.core.space import (
    BattleMap,
    Deck,
    Point,
    Scene,
    Zone,
    ZoneProperty,
    find_zone,
    map_of,
    name_zone,
)
from combat.rules.core.state.state import replace


def zone(name: str, x: float, y: float, width: float, depth: float, hexes: bool = False) -> Named:
    return Named(name, outline_area(x, y, width, depth, hexes))


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


ROOMS = (zone("Hall", 0, 0, 30, 20), zone("Smoke", 0, 0, 8, 8), zone("Kitchen", 0, 12, 10, 8))


def test_hair_that_names_may_cross_is_kept_free_on_all_sides() -> None:
    """A zone's name that overlaps the padded box of a label by a hair does not touch the label."""
    label: Box = (1, 2, 4, 3)
    left, top, right, low = _pad(label)
    assert (label[0] - left, label[1] - top, right - label[2], low - label[3]) == pytest.approx((HAIR,) * 4)


def test_name_stands_in_the_corner_of_its_zone() -> None:
    (name,) = place_names(ROOMS[2:], 1.0)
    assert (name.lines, name.spot, name.scale) == (("Kitchen",), (0, 12), 1.0)


def test_name_covers_an_area_in_proportion_to_its_scale() -> None:
    """Twice as large, it is twice as wide and high, and stands as far below its corner."""
    (left, top, right, bottom), large = (
        Name(("Hall", "Kitchen"), (3, 5), 1).box,
        Name(("Hall", "Kitchen"), (3, 5), 2).box,
    )
    doubled = (left, 5 + 2 * (top - 5), 3 + 2 * (right - 3), 5 + 2 * (bottom - 5))
    assert large == pytest.approx(doubled)
    tenth = Name(("Hall", "Kitchen"), (3, 5), 0.1).box
    assert tenth[3] - 5 == pytest.approx((bottom - 5) / 10)
    assert bottom > Name(("Hall",), (3, 5), 1).box[3]


@pytest.mark.parametrize("hexes", [False, True])
@pytest.mark.parametrize("many", [2, 5, 12])
def test_zones_of_one_corner_have_names_apart(many: int, hexes: bool) -> None:
    zones = tuple(zone(f"Zone {n}", 0, 0, 6 + n % 3, 5, hexes) for n in range(many))
    found = place_names(zones, 1.0)
    assert all(" ".join(name.lines) in ("", each.name) for name, each in zip(found, zones, strict=True))
    names = [name for name in found if name.lines]
    assert len(names) >= min(many, 3)
    assert not any(overlap(a.box, b.box) for a, b in combinations(names, 2))


def test_small_zone_keeps_its_corner_and_the_large_one_gives_way() -> None:
    hall, smoke, kitchen = place_names(ROOMS, 1.0)
    assert smoke.spot == (0.0, 0.0)
    assert kitchen.spot == (0.0, 12.0)
    assert hall.spot != (0.0, 0.0)
    left, top, right, low = hall.box
    assert 0 <= left < right <= 30
    assert 0 <= top < low <= 20
    assert hall.scale == 1.0


def test_name_that_finds_no_room_in_its_zone_is_left_out() -> None:
    flat = tuple(zone("Ledge", 0, 0, 4.2, 1) for _ in range(4))
    names = place_names(flat, 1.0)
    shown = [name for name in names if name.lines]
    assert len(shown) == 1
    assert shown[0].box[3] < 1 + DESCENT
    assert not [name for name in place_names(flat, 1.0, least=1.0) if name.lines]


def test_name_gives_way_to_zones_that_lie_over_its_own() -> None:
    hall = zone("Hall", 0, 0, 30, 20)._replace(over=((0, 0, 30, 12), (12, 12, 30, 20)))
    (name,) = place_names((hall,), 1.0)
    assert name.lines == ("Hall",)
    assert not any(overlap(name.box, box) for box in hall.over)
    (nowhere,) = place_names((hall._replace(over=((0, 0, 30, 20),)),), 1.0)
    assert nowhere.lines == ()


ROWS = tuple(
    Zone(f"z{n}", f"Cargo bay {n}", 8 * (n % 3), y=6 * (n // 3), width=8, depth=6, height=0) for n in range(9)
)
PIT = Zone("pit", "Pit", 1, y=1, width=5, depth=3)
FAR = Deck("far", "Far deck", 120, 0, width=30, depth=20, height=3, shift=120)
NEAR = Deck("near", "Near deck", -1, -1, width=30, depth=22)


@pytest.mark.parametrize("away", [0, 40, 200, 2000])
@pytest.mark.parametrize("decks", [(), (NEAR, FAR)])
def test_names_stay_in_their_zones_however_far_someone_drives(away: int, decks: tuple[Deck, ...]) -> None:
    game = find_system("cosmos")
    scene = Scene(zones=(*ROWS, PIT), map=BattleMap(decks=decks) if decks else UNSET)
    tokens = tuple(replace(stand(n, ROWS[n]), x=away + n, spot=(away + n, 3)) for n in range(2))
    shown = _lay_scene(game, replace(game.begin(), scene=scene), tokens, hexes=False, to_draw=False).scene
    for named in shown.zones:
        for name in filter(lambda one: one.lines, named.names):
            left, top, right, low = name.box
            middle = Point((left + right) / 2, (top + low) / 2)
            assert find_zone(scene, middle) is not None
            assert name_zone(scene, middle) == named.name
            assert named.y <= top
            assert low <= named.y + named.depth + DESCENT * name.scale


def test_long_name_is_broken_and_never_wider_than_its_zone() -> None:
    (name,) = place_names((zone("Collapsed gantry", 24, 0, 8, 14),), 1.0)
    assert name.lines == ("Collapsed", "gantry")
    assert name.box[2] <= 32


@pytest.mark.parametrize(
    ("width", "lines"),
    [(9, ("Collapsed", "gantry")), (4, ("Collap…", "gantry")), (3, ("Coll…", "gant…")), (1, ("…", "…"))],
)
def test_name_without_room_is_shortened_before_it_is_too_small(width: float, lines: tuple[str, ...]) -> None:
    (name,) = place_names((zone("Collapsed gantry", 0, 0, width, 14),), 1.0, 0.9)
    assert name.lines == lines
    assert name.is_short == ("…" in "".join(lines))
    assert 0.9 <= name.scale <= 1.0


@pytest.mark.parametrize("least", [0.62, 0.97])
def test_no_crowd_makes_a_name_too_small(least: float) -> None:
    zones = tuple(zone(f"Zone {n}", n % 2, n % 3, 2 + n % 3, 2) for n in range(9))
    names = [name for name in place_names(zones, 1.0, least) if name.lines]
    assert len(names) > 1
    assert min(name.scale for name in names) >= least
    assert not any(overlap(a.box, b.box) for a, b in combinations(names, 2))


@pytest.mark.parametrize("ready", find_ready_scenes(), ids=lambda ready: ready.key)
def test_names_of_ready_scenes_are_legible_on_laptop_and_phone(ready: ReadyScene) -> None:
    system = find_system("cosmos")
    shown = view_scene(system, replace(system.begin(), scene=ready.scene), {})
    for pixels, least, which in ((560, 11, 0), (328, 11, 1)):  # pixels: the map
        for named in shown.zones:
            size = 1.05 * named.names[which].scale * pixels / shown.box[2]
            assert size >= least, f"{named.name} on a map of {pixels} px: {size:.1f} px"


@pytest.mark.slow
@pytest.mark.parametrize("ready", find_ready_scenes(), ids=lambda ready: ready.key)
def test_names_on_a_phone_give_way_to_people_and_the_line_below(ready: ReadyScene) -> None:
    """What stands right below a token reads as its name. Four with names, four without."""
    game, zones = find_system("cosmos"), [zone for zone in ready.scene.zones if zone.floor != "void"]
    state = replace(game.begin(), scene=ready.scene)
    for first in range(len(zones)):
        tokens = tuple(stand(n, zones[(first + n) % len(zones)]) for n in range(8))
        shown = _lay_scene(game, state, tokens, hexes=False, to_draw=False).scene
        line = FONT * find_near_scale(shown.scale, shown.box)
        boxes = [name.box for zone in shown.zones for name in zone.names[1:] if name.lines]
        for token in shown.tokens:
            (x, y), half = token.spot, NEAR_HALF * token.scale
            taken = [(x - half + HAIR, y - half, x + half - HAIR, y + half + line)]
            if token.near:
                callout = token.near.scaled(token.near_scale)
                taken.append(box_of(callout, token.spot, FONT * token.near_scale))
            assert not [box for box in boxes for it in taken if overlap(box, it)], token.name


def stand(number: int, zone: Zone) -> Token:
    """Someone in the middle of a zone; the first four are player characters."""
    x, y = zone.x + zone.width / 2, zone.y + zone.depth / 2
    look = Look("is-ally" if number < 4 else "is-foe", badge="" if number < 4 else str(number))
    name = ("Zara", "Marcus", "Ana", "Ben", *(f"Pirate {n}" for n in range(4)))[number]
    return Token(
        f"f{number}", name, x, y=y, active=False, is_out=False, spot=(x, y), look=look, played=number < 4
    )


def test_name_gives_way_to_a_ladders_words_if_its_zone_has_room() -> None:
    ready = next(one for one in find_ready_scenes() if one.key == "station_ring")
    game = find_system("cosmos")
    shown = view_scene(game, replace(game.begin(), scene=ready.scene), {})
    ways = find_way_boxes(map_of(ready.scene))
    names = [zone.names[0] for zone in shown.zones if zone.name in ("Spoke head", "Promenade")]
    assert len(ways) == 6
    assert all(name.lines for name in names)
    assert not [name.lines for name in names for way in ways if overlap(name.box, way)]


def test_name_gives_way_to_tokens_inside_its_zone() -> None:
    rook = (find_body((6, 1.5), 1.0), find_name("Rook", (6, 1.5), 1.0, 2.4))
    hidden = (find_body((2, 1.5), 1.0), *rook)
    (name,) = place_names(ROOMS[2:], 1.0, hidden=hidden)
    assert not any(overlap(name.box, box) for box in hidden)
    assert name.box[3] <= 20


def test_name_stands_between_when_both_corners_are_taken() -> None:
    road, verge = zone("Road", 0, 0, 60, 1.4), zone("Verge", 0, 1.4, 60, 1.4)
    name, other = place_names((road, verge), 1.0, 1.0, ((0, 0, 8, 3),))
    assert name.spot[0] > 8
    assert not overlap(name.box, other.box)


def test_name_is_broken_beside_a_token_before_it_is_smaller() -> None:
    hidden = (find_body((3, 2), 1.0),)
    (name,) = place_names((zone("Loading ramp", 0, 0, 10, 4),), 1.0, 0.9, hidden)
    assert (name.lines, name.scale) == (("Loading", "ramp"), 1.0)
    assert not any(overlap(name.box, box) for box in hidden)


def test_name_avoids_things_and_covers_them_rather_than_people() -> None:
    console, rook = (0.0, 12.0, 10.0, 14.0), (0.0, 14.0, 10.0, 20.0)
    (name,) = place_names(ROOMS[2:], 1.0, things=(console,))
    assert not overlap(name.box, console)
    (name,) = place_names(ROOMS[2:], 1.0, hidden=(rook,), things=(console,))
    assert overlap(name.box, console)
    assert not overlap(name.box, rook)


def test_name_that_would_lie_on_people_is_left_out() -> None:
    (name,) = place_names(ROOMS[2:], 1.0)
    left, top, right, low = name.box
    assert clear_of(name, ((left + 1, top, right, low),)).lines == ()
    assert clear_of(name, ((right + 1, top, right + 3, low),)) == name


def test_name_without_room_on_a_narrow_map_is_left_out() -> None:
    full = ((-5.0, 5.0, 40.0, 40.0),)
    (name,) = place_names(ROOMS[2:], 1.0, hidden=full, may_hide=True)
    assert (name.lines, name.scale) == ((), 1.0)
    (short,) = place_names((zone("Engineering", 0, 0, 2, 14),), 1.0, 1.0, may_hide=True)
    assert short.lines == ()


def test_zone_named_as_its_hazard_has_the_plate_alone() -> None:
    burning = Zone("fire", "Fire", 2, 2, 4, 4, properties=(ZoneProperty("fire"),))
    kitchen = Zone("room", "Kitchen", 0, 0, 20, 10)
    system = find_system("cosmos")
    shown = view_scene(system, replace(system.begin(), scene=Scene("Ship", (kitchen, burning))), {})
    assert [[name.lines for name in one.names] for one in shown.zones] == [[("Kitchen",)] * 2, [()] * 2]


def test_name_that_tokens_leave_no_room_stands_where_it_did() -> None:
    crowded = ((-5.0, 5.0, 40.0, 40.0),)
    assert place_names(ROOMS[2:], 1.0, hidden=crowded) == place_names(ROOMS[2:], 1.0)
