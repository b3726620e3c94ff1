"""The drawn grid: squares unchanged, hexes in slanted rows."""

from __future__ import annotations

from math import dist

import pytest
from msgspec.structs import replace

from combat.display.plane.crowd import TOKEN_METERS
from combat.display.plane.plotting import (
    SHEET,
    find_box,
    hold_tokens,
    make_room,
    outline_area,
    outline_cell,
    outline_pieces,
    write_outline,
)
from combat.rules import find_system
from combat.rules.core.space import Piece, plot
from tests.combat.visit import ZARA, Visit, combatant, load

NEIGHBOURS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


def test_without_hexes_places_are_drawn_where_they_are() -> None:
    assert plot(3, 4.5, hexes=False) == (3, 4.5)
    assert outline_area(1, 2, 3, 4, hexes=False) == ((1, 2), (4, 2), (4, 6), (1, 6))


def test_a_plane_holds_all_spots_with_a_meter_around_them() -> None:
    assert find_box([(1.5, 2), (4, 9.5)]) == (0, 1, 6, 10)
    assert find_box([]) == (0, 0, 20, 10), "nobody is on it yet"


def test_the_six_hexes_around_one_are_drawn_a_meter_away() -> None:
    drawn = [plot(*place, hexes=True) for place in NEIGHBOURS]
    assert [dist(spot, (0, 0)) for spot in drawn] == pytest.approx([1] * 6)
    assert len({(round(x, 6), round(y, 6)) for x, y in drawn}) == 6
    assert dist(plot(1, 1, hexes=True), (0, 0)) > 1.7, "two steps away"


def test_a_marked_hex_has_six_corners_and_touches_no_other() -> None:
    corners = outline_cell(2, 3, 1, hexes=True)
    assert len(corners) == 6
    middle = plot(2, 3, hexes=True)
    others = [plot(2 + x, 3 + y, hexes=True) for x, y in NEIGHBOURS]
    assert all(dist(corner, middle) < dist(corner, other) for corner in corners for other in others)


def test_a_marked_square_lies_within_its_own() -> None:
    assert write_outline(outline_cell(4, 4, 2, hexes=False)) == "M3.06 3.06L4.94 3.06L4.94 4.94L3.06 4.94z"


def test_outlines_are_paths() -> None:
    assert write_outline(((0, 0), (1.50001, 0), (1, 1 / 3))) == "M0 0L1.5 0L1 0.33z"


@pytest.mark.slow
def test_map_of_hexes_marks_hexes_and_places_keep_their_numbers(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = find_system(load(visit.pk).system)
    game = replace(plain, space=replace(plain.space, has_hexes=lambda state: True))
    squares = visit.page(do="move")
    monkeypatch.setattr("combat.sharing.viewer_context.find_system", lambda slug: game)
    page = visit.page(do="move")
    assert page.one("pattern", width="1", height="1.732")
    assert not squares.all("pattern", height="1.732")
    outlines = [cell["d"] for cell in page.all("path", class_="cell")]
    assert len(outlines) == len(squares.all("path", class_="cell"))
    assert all(outline.count("L") == 5 for outline in outlines)
    zara = combatant(visit.pk, ZARA).at
    x, y = plot(zara.x, zara.y, hexes=True)
    assert any(f"translate({x:g} {y:g})" in token["transform"] for token in page.all("g", class_="token"))
    assert f"Zara at {zara.x:g}, {zara.y:g} m" in page.one("svg", class_="map")["aria-label"]


def test_rectangles_side_by_side_have_one_outline() -> None:
    flush = (Piece(0, 0, 4, 2), Piece(0, 2, 2, 2))
    assert outline_pieces(flush) == "M0 0L4 0L4 2L2 2L2 4L0 4z"
    assert outline_pieces((Piece(0, 0, 1, 1), Piece(1, 0, 1, 1))).count("L") == 3
    assert outline_pieces((Piece(0, 0, 1, 1), Piece(5, 0, 1, 1))).count("z") == 2


def test_outline_keeps_the_hole_of_a_ring_and_touching_corners() -> None:
    ring = (Piece(0, 0, 3, 1), Piece(0, 1, 1, 1), Piece(2, 1, 1, 1), Piece(0, 2, 3, 1))
    assert outline_pieces(ring).count("z") == 2
    assert outline_pieces((Piece(0, 0, 1, 1), Piece(1, 1, 1, 1))).count("L") >= 6


@pytest.mark.parametrize("box", [(3, 5, 8, 6), (-40, -2, 90, 12), (0, 0, 20, 70)], ids=str)
def test_room_to_draw_lies_evenly_around_what_is_there(box: tuple[int, int, int, int]) -> None:
    left, top, width, height = make_room(box, 1)
    assert width >= max(SHEET[0], box[2])
    assert height >= max(SHEET[1], box[3])
    right, low = left + width - box[0] - box[2], top + height - box[1] - box[3]
    assert abs(right - (box[0] - left)) <= 1
    assert abs(low - (box[1] - top)) <= 1


@pytest.mark.parametrize("meters", [12, 40])
@pytest.mark.parametrize("width", [4, 11, 40, 200])
def test_plane_is_widened_just_so_a_token_at_its_edge_fits(width: int, meters: int) -> None:
    """The plane has one meter around people already."""
    left, _, wide, _ = hold_tokens((0, 0, width, 10), meters)
    half = TOKEN_METERS / 2 / meters * wide
    more = -left
    assert more + 1 >= half - 1e-9
    assert more == 0 or more < half
