"""Universal VTT files: they become a map in meters, and the app says what it leaves out."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from combat.play.scenes import chains, imported, map_files
from combat.play.scenes.chains import PIECE, fit_chains, simplify
from combat.play.scenes.imported import MAX_CORNERS, MAX_PART_BYTES, NOT_JSON, Imported
from combat.play.scenes.map_files import BUSY, read_file
from combat.play.scenes.uvtt import TOO_MUCH
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Wall
from combat.rules.core.space.battle_map import FULL
from cosmos_site.base import files
from tests.site.pictures import picture

ALL = "Imported: 3 walls, 1 door, 1 window, 1 light."  # all that `make_file` has


def spot(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


PORTAL = {"bounds": [spot(11, 20), spot(12, 20)]}
BOX = [spot(12, 21), spot(13, 21), spot(13, 22)]
LAMP = {"position": spot(13, 22), "range": 5}
LINE = [spot(10, 20), spot(13, 20)]
OURS = {"portal": "door", "object": "obstacle"}


def make_file(**changes: Any) -> dict[str, Any]:
    """A room of 6 by 4 cells with a door, a window and a lamp, as mapping programs write it."""
    return {
        "format": 0.3,
        "resolution": {"map_origin": spot(10, 20), "map_size": spot(6, 4), "pixels_per_grid": 70},
        "line_of_sight": [[spot(10, 20), spot(13, 20), spot(16, 20), spot(16, 24), spot(10, 24)]],
        "portals": [
            {
                "position": spot(10, 21),
                "bounds": [spot(10, 20), spot(10, 22)],
                "rotation": 1.57,
                "closed": True,
            },
            {"position": spot(10, 23), "bounds": [spot(10, 22), spot(10, 24)], "closed": False},
        ],
        "environment": {"baked_lighting": True, "ambient_light": "ff556677"},
        "lights": [
            {"position": spot(13, 22), "range": 5, "intensity": 1, "color": "80ff0000", "shadows": True}
        ],
        "image": base64.b64encode(picture()).decode(),
        **changes,
    }


def load(cell: float = 1.0, **changes: Any) -> Imported:
    return read_file(json.dumps(make_file(**changes)).encode(), cell)


def ends(wall: Wall) -> tuple[float, float, float, float]:
    return wall.x1, wall.y1, wall.x2, wall.y2


def test_origin_is_subtracted_and_cells_are_those_of_the_plane() -> None:
    """The first cell is centered on the middle of the plane, so its corner lies half a cell before."""
    found = load()
    assert (found.zone.x, found.zone.y, found.zone.width, found.zone.depth) == (-0.5, -0.5, 6, 4)
    walls = [wall for wall in found.map.walls if wall.kind == "wall"]
    assert [ends(wall) for wall in walls] == [
        (-0.5, -0.5, 5.5, -0.5),
        (5.5, -0.5, 5.5, 3.5),
        (5.5, 3.5, -0.5, 3.5),
    ]


def test_cells_can_be_larger_than_a_meter() -> None:
    found = load(1.5)
    assert (found.zone.x, found.zone.width, found.map.cell) == (-0.75, 9, 1.5)
    assert found.map.lights[0].radius == 7.5


@pytest.mark.parametrize(
    ("color", "tint"), [("80ff0000", "red"), ("ffeccd8b", ""), ("#a0c0ff", "cold"), ("blue", ""), (None, "")]
)
def test_lamp_has_the_tint_next_to_its_color(color: object, tint: str) -> None:
    (lamp,) = load(lights=[{"position": spot(13, 22), "range": 5, "color": color}]).map.lights
    assert lamp.tint == tint


def test_portals_are_doors_and_those_not_closed_windows() -> None:
    door, window = load().map.walls[:2]
    assert (door.kind, door.blocks_sight, door.open, ends(door)) == (
        "door",
        True,
        False,
        (-0.5, -0.5, -0.5, 1.5),
    )
    assert (window.kind, window.blocks_sight, window.blocks_way) == ("window", False, True)


def test_report_says_what_came_and_what_did_not() -> None:
    words = " ".join(load().report)
    assert load().report[0] == ALL
    assert "colors" in words
    assert "ambient light" in words


def test_objects_are_rectangles() -> None:
    line = [spot(12, 21), spot(13, 21), spot(13, 23), spot(12, 22)]
    found = load(objects_line_of_sight=[line, [spot(0, 0), spot(0, 0)]])
    (thing,) = found.map.obstacles
    assert (thing.x, thing.y, thing.width, thing.depth) == (1.5, 0.5, 1, 2)
    assert (thing.blocks_sight, thing.cover) == (True, FULL), "as walls do"
    assert "Left out: 1 object without corners on the map." not in found.report
    assert "Left out: 1 object thinner than 0.1 m or wider than 1000 m." in found.report
    assert "Objects are imported as rectangles." in found.report


def test_parts_outside_the_map_are_told() -> None:
    """The origin of some programs is wrong: all walls then lie beside the picture."""
    away = [[spot(30, 30), spot(33, 30), spot(33, 34)]]
    found = load(line_of_sight=away, objects_line_of_sight=[[spot(1, 1), spot(2, 2)]], lights=[])
    assert len(found.map.walls) == 4, "they are imported"
    assert "Outside the map: 2 walls and 1 object. Move or remove them." in found.report
    assert not [line for line in load().report if "Outside" in line], "an edge of the map is no outside"


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((60, 40), ""),
        ((601, 400), ""),
        ((40, 60), "The picture is stretched: 40 × 60 pixels cover 6 × 4 m."),
        ((60, 42), "The picture is stretched: 60 × 42 pixels cover 6 × 4 m."),
        ((66, 40), "The picture is stretched: 66 × 40 pixels cover 6 × 4 m."),
    ],
)
def test_picture_of_another_shape_is_told(size: tuple[int, int], said: str) -> None:
    assert imported.tell_shape(*size, load().zone, "m") == said


def test_what_is_left_out_is_counted_in_words() -> None:
    far, lamp = [spot(99999, 0), spot(99998, 0)], {"position": spot(13, 22), "range": 0}
    one = " ".join(load(line_of_sight=[far], lights=[lamp]).report)
    assert "Left out: 1 wall far off the map." in one
    assert "Left out: 1 light without range" in one
    two = " ".join(load(line_of_sight=[far, far], lights=[lamp, lamp]).report)
    assert "Left out: 2 walls far off the map." in two
    assert "Left out: 2 lights without range" in two
    assert (
        fit_chains([[(0, 0), (5, 0)], [(0, 1), (6, 1)]], 1, 1.0)
        .report[0]
        .startswith("Left out: 1 piece of wall,")
    )


@pytest.mark.parametrize(("more", "said"), [(0, ""), (1, "The file is too large: send at most 15.5 MB.")])
def test_file_of_just_the_limit_is_read(more: int, said: str) -> None:
    raw = b'{"resolution": {"map_size": {"x": 5, "y": 5}}}'.ljust(map_files.MAX_BYTES + more)
    if said:
        with pytest.raises(Refused) as refused:
            read_file(raw, 1)
        assert refused.value.message == said
    else:
        assert read_file(raw, 1).zone.width == 5


def test_file_without_most_of_it_still_works() -> None:
    found = read_file(b'{"resolution": {"map_size": {"x": 5, "y": 5}}}', 1)
    assert found.map.walls == ()
    assert found.picture == b""
    assert "The file has no picture." in found.report


def test_places_far_off_and_doors_without_length_are_left_out() -> None:
    far = [[spot(0, 0), spot(1e300, 0)], [spot(10, 20), spot(11, 20)]]
    portals = [
        {"bounds": [spot(1, 1), spot(1, 1)]},
        {"bounds": [spot(1, 1)]},
        {"bounds": [spot(1, 1), spot(1e9, 1)]},
    ]
    found = load(line_of_sight=far, portals=portals)
    assert len(found.map.walls) == 1
    assert "far off" in " ".join(found.report)


def test_damaged_picture_is_left_out_and_said() -> None:
    found = load(image="not base64!")
    assert found.picture == b""
    assert "Left out: the picture, it is damaged." in found.report


def test_walls_too_short_for_a_map_are_left_out_and_others_come() -> None:
    """Two corners 2 cm apart: one in the middle of a chain, where the walls beside it meet, one alone."""
    chain = [spot(10, 20), spot(13, 20), spot(13.02, 20.02), spot(13, 24)]
    found = load(line_of_sight=[chain, [spot(15, 21), spot(15.02, 21)]], portals=None)
    assert [ends(wall) for wall in found.map.walls] == [(-0.5, -0.5, 2.5, -0.5), (2.5, -0.5, 2.5, 3.5)]
    assert "Left out: 2 pieces of wall shorter than 5 cm." in found.report


@pytest.mark.parametrize(
    "chain",
    [
        [spot(11, 21), spot(11.02, 21), spot(11.04, 21.02), spot(12, 21)],
        [spot(11, 21), spot(12, 21.5), spot(12.02, 21.52), spot(12, 21.54)],
        [spot(11, 21), spot(11.02, 21), spot(11, 21)],
    ],
)
def test_chain_with_short_walls_keeps_both_ends(chain: list[dict[str, float]]) -> None:
    walls = load(line_of_sight=[chain], portals=None).map.walls
    for wall in walls:
        assert max(abs(wall.x2 - wall.x1), abs(wall.y2 - wall.y1)) >= 0.05
    if walls:
        first, last = chain[0], chain[-1]
        assert (walls[0].x1, walls[0].y1) == pytest.approx((first["x"] - 10.5, first["y"] - 20.5))
        assert (walls[-1].x2, walls[-1].y2) == pytest.approx((last["x"] - 10.5, last["y"] - 20.5))


@pytest.mark.parametrize("origin", [{"map_origin": None}, {}, {"map_origin": spot(0, 0)}])
def test_file_without_an_origin_counts_from_its_first_cell(origin: dict[str, Any]) -> None:
    found = load(
        resolution={"map_size": spot(6, 4), **origin},
        line_of_sight=[[spot(1, 2), spot(4, 2), spot(4, 3)]],
        portals=[{"bounds": [spot(0, 0), spot(0, 1)]}],
        lights=[{"position": spot(3, 2), "range": 5}],
    )
    assert (found.zone.x, found.zone.y, found.zone.width, found.zone.depth) == (-0.5, -0.5, 6, 4)
    assert [(wall.kind, ends(wall)) for wall in found.map.walls] == [
        ("door", (-0.5, -0.5, -0.5, 0.5)),
        ("wall", (0.5, 1.5, 3.5, 1.5)),
        ("wall", (3.5, 1.5, 3.5, 2.5)),
    ]
    assert [(lamp.x, lamp.y) for lamp in found.map.lights] == [(2.5, 1.5)]


@pytest.mark.parametrize(
    ("changes", "first"),
    [
        (
            {"portals": None, "lights": None, "line_of_sight": None, "objects_line_of_sight": None},
            "Imported: no walls.",
        ),
        ({"image": None, "environment": None}, ALL),
        ({"environment": {"ambient_light": None}}, ALL),
        ({"resolution": {"map_size": spot(6, 4), "map_origin": None}}, ALL),
        (
            {"lights": [{"position": spot(13, 22), "range": None}, {"range": 3}, {"position": None}]},
            "Imported: 3 walls, 1 door, 1 window.",
        ),
        (
            {"portals": [{"position": spot(1, 1)}, {"bounds": None}, {"bounds": [], "closed": None}]},
            "Imported: 3 walls, 1 light.",
        ),
    ],
)
def test_file_with_null_or_nothing_in_a_field_is_read(changes: dict[str, Any], first: str) -> None:
    assert load(**changes).report[0] == first


def test_portals_without_two_ends_are_counted() -> None:
    found = load(
        portals=[{"position": spot(11, 20)}, {"bounds": [spot(11, 20), spot(12, 20)], "closed": None}]
    )
    assert [wall.kind for wall in found.map.walls] == ["door", "wall", "wall", "wall"]
    assert "Left out: 1 portal without two ends." in found.report


BAD: list[object] = ["x", "5", None, [], {}, True, 1e300]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    ("part", "make"),
    [
        ("portal", lambda bad: {"portals": [PORTAL, {"bounds": [{"x": bad, "y": 20}, spot(12, 20)]}]}),
        ("portal", lambda bad: {"portals": [PORTAL, {"bounds": bad}]}),
        ("portal", lambda bad: {"portals": [PORTAL, bad]}),
        ("object", lambda bad: {"objects_line_of_sight": [BOX, [{"x": bad, "y": 20}, *BOX]]}),
        ("object", lambda bad: {"objects_line_of_sight": [BOX, bad]}),
        ("light", lambda bad: {"lights": [LAMP, {**LAMP, "position": {"x": 12, "y": bad}}]}),
        ("light", lambda bad: {"lights": [LAMP, {**LAMP, "position": bad}]}),
        ("wall", lambda bad: {"line_of_sight": [LINE, bad]}),
    ],
)
def test_broken_part_is_told_and_takes_no_other_along(part: str, make: Any, bad: object) -> None:
    none: dict[str, Any] = {"line_of_sight": [], "portals": [], "lights": []}
    found = load(**{**none, **make(bad)})
    assert found.report[0] == f"Imported: 1 {OURS.get(part, part)}."
    assert [line for line in found.report if line.startswith(f"Left out: 1 {part} ")]


@pytest.mark.parametrize("bad", BAD)
def test_line_goes_on_behind_a_broken_corner(bad: object) -> None:
    """Only the walls that end there are lost."""
    line = [spot(10, 20), spot(13, 20), {"x": bad, "y": 21}, spot(16, 22), spot(16, 24), spot(10, 24)]
    found = load(line_of_sight=[line], portals=[], lights=[])
    assert [ends(wall) for wall in found.map.walls] == [
        (-0.5, -0.5, 2.5, -0.5),
        (5.5, 1.5, 5.5, 3.5),
        (5.5, 3.5, -0.5, 3.5),
    ]
    assert "Left out: 1 corner that cannot be read." in found.report or bad == 1e300


def test_byte_order_mark_is_passed_over() -> None:
    assert read_file(b"\xef\xbb\xbf" + json.dumps(make_file()).encode(), 1.0).map.walls


def test_more_portals_than_a_map_holds_leave_no_room_for_walls() -> None:
    portals = [{"bounds": [spot(10, 20 + n / 100), spot(11, 20 + n / 100)]} for n in range(2400)]
    found = load(portals=portals)
    assert len(found.map.walls) == 2000
    assert "Left out: 400 portals above 2000." in found.report
    assert "Left out: 3 pieces of wall, the shortest first. A map has up to 0." in found.report


@pytest.mark.parametrize(
    "image", ["maps/cave level 1.PNG", "https://maps.example/cave.webp?v=2&w=3", "cave.jpg#top"]
)
def test_picture_that_is_only_named_is_told_from_a_damaged_one(image: str) -> None:
    found = load(image=image)
    assert found.picture == b""
    assert "Left out: the picture, the file only names it. Add it with “Add picture”." in found.report


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"name": "Bo", "type": "npc", "system": {}, "prototypeToken": {}}, "an actor of Foundry VTT"),
        ({"version": "1.2.7", "title": "Tomb", "rects": [], "doors": []}, "a dungeon of Watabou"),
        ({"type": "FeatureCollection", "features": [{"id": "values"}]}, "a town of Watabou"),
        ({"cells": [[0]], "cell_bit": {"door": 1}, "rooms": []}, "a dungeon of donjon"),
        ({"header": {}, "world": {}}, "a project of Dungeondraft"),
        ({"format": "cosmos-table-encounter", "version": 1}, "Encounters → Import reads it"),
    ],
)
def test_files_of_other_programs_are_named(data: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused) as refused:
        read_file(json.dumps(data).encode(), 1.0)
    assert words in refused.value.message
    assert "resolution" not in refused.value.message


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", NOT_JSON.removeprefix("Not a Universal VTT file: ")),
        (
            b'{"resolution": {"map_size": {"x": NaN, "y": 5}}}',
            NOT_JSON.removeprefix("Not a Universal VTT file: "),
        ),
        (b"[" * 100_000, ""),
        (b"[]", "the file is a list and should be a group of fields."),
        (b"{}", "it has no “resolution”. Export it again."),
        (b'{"resolution": {"map_size": {"x": 5}}}', "it has no “resolution.map_size.y”. Export it again."),
        (
            b'{"resolution": {"map_size": {"x": "wide", "y": 5}}}',
            "“resolution.map_size.x” is text and should be a number.",
        ),
        (
            b'{"resolution": {"map_size": {"x": 5, "y": 5}}, "portals": 3}',
            "“portals” is a number and should be a list.",
        ),
        (
            b'{"resolution": {"map_size": {"x": 5, "y": 5}}, "image": {}}',
            "“image” is a group of fields and should be text.",
        ),
        (  # one that has all fields of a map is not told that it is one
            json.dumps(make_file(resolution={"map_size": spot(6, 4), "map_origin": {"x": 1}})).encode(),
            "it has no “resolution.map_origin.y”. Export it again.",
        ),
    ],
)
def test_refusal_names_the_field_and_its_flaw(raw: bytes, words: str) -> None:
    with pytest.raises(Refused, match="Not a Universal VTT file: ") as refused:
        read_file(raw, 1)
    assert (refused.value.code, refused.value.message.endswith(words)) == ("bad_value", True)


@pytest.mark.parametrize(("wide", "said"), [("20", "20"), ("-3", ""), ("1e308", "")])
def test_refusal_names_both_sides_of_a_map_of_no_size(wide: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read_file(b'{"resolution": {"map_size": {"x": %s, "y": 2000}}}' % wide.encode(), 1)
    assert refused.value.code == "bad_value"
    if said:
        assert refused.value.message == f"The map would be {said} × 2000 m: 1 to 1000 m per side work."


# ---- Work ----


def count_corners_measured(monkeypatch: pytest.MonkeyPatch, corners: int) -> int:
    """The number of corners measured in the worst chain: its farthest corner is always the next one."""
    measured, find = 0, chains._farthest_corner

    def count(chain: chains.Chain, first: int, last: int) -> tuple[float, int]:
        nonlocal measured
        measured += last - first - 1
        return find(chain, first, last)

    monkeypatch.setattr(chains, "_farthest_corner", count)
    zigzag = [(n * 100 / corners, (40 if n % 2 else -40) * (1 - n / corners)) for n in range(corners)]
    fit_chains([zigzag], 2000, 1.0)
    return measured


@pytest.mark.parametrize("corners", [500, 4000])
def test_work_for_a_chain_grows_with_its_length_and_no_faster(
    monkeypatch: pytest.MonkeyPatch, corners: int
) -> None:
    assert count_corners_measured(monkeypatch, corners) <= corners * PIECE


@pytest.mark.parametrize(
    "changes",
    [
        {"line_of_sight": [[spot(11, 21)] * (MAX_CORNERS + 1)]},
        {"objects_line_of_sight": [[spot(11, 21)] * (MAX_CORNERS + 1)]},
        {"line_of_sight": [[]] * (MAX_CORNERS + 1)},
        {"portals": [{}] * (MAX_CORNERS + 1)},
        {"lights": [{}] * (MAX_CORNERS + 1)},
        {"lights": [{"color": "f" * MAX_PART_BYTES}]},
    ],
)
def test_file_with_too_many_parts_is_refused_unread(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    monkeypatch.setattr(imported.Scale, "find", lambda scale, spot: pytest.fail("looked at"))
    with pytest.raises(Refused) as refused:
        load(**changes)
    assert refused.value.message == TOO_MUCH


def test_one_file_is_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "WAIT_SECONDS", 0.01)
    with files.one_at_a_time(map_files._reading, ""), pytest.raises(Refused) as refused:
        load()
    assert (refused.value.code, refused.value.message) == ("busy", BUSY)
    assert load().map.walls, "and the next one again"


@pytest.mark.slow
def test_cave_of_thousands_of_corners_is_made_simpler() -> None:
    wiggles = [[(x / 10, y + (x % 2) * 0.03) for x in range(1000)] for y in range(5)]
    found = fit_chains(wiggles, 2000, 1.0)
    assert 0 < sum(len(chain) - 1 for chain in found.chains) <= 2000
    assert "Simplified: 4995 pieces" in found.report[0]


def test_longest_walls_are_kept_when_there_are_too_many() -> None:
    chains = [[(0.0, float(n)), (1.0 + n, float(n))] for n in range(30)]
    found = fit_chains(chains, 20, 1.0)
    assert sorted(chain[1][0] for chain in found.chains) == [1.0 + n for n in range(10, 30)]
    assert "Left out: 10 pieces of wall" in found.report[0]


def test_simplified_chain_stays_within_its_slack() -> None:
    chain = [(0.0, 0.0), (1.0, 0.05), (2.0, -0.05), (3.0, 0.0), (3.0, 3.0)]
    assert simplify(chain, 0.1) == [(0, 0), (3, 0), (3, 3)]
    assert simplify(chain, 0.01) == chain


def test_line_without_two_ends_is_told() -> None:
    lines = [*make_file()["line_of_sight"], [spot(11, 21)], [], [spot(12, 21), spot(12, 21)]]
    found = load(line_of_sight=lines)
    assert found.report[0] == ALL
    assert "Left out: 3 walls without two ends." in found.report
