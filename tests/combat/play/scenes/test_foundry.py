"""Scenes of Foundry VTT: they become a map in meters, and the app says what it leaves out."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

from combat.play.scenes.foundry import NOT_JSON, TOO_MUCH, TOO_MUCH_ON_LEVELS
from combat.play.scenes.imported import MAX_CORNERS, MAX_PART_BYTES, Imported
from combat.play.scenes.map_files import read_file
from combat.play.scenes.stacking import lay_levels
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Light, Piece, Scene, map_of, with_map
from tests.combat.play.scenes.test_uvtt import ends
from tests.site.hosting.table import soon

SIZE = 100  # pixels of a square
EDGE = 200  # pixels of the padding: a quarter of 800 pixels, on both sides, in whole squares


def wall(x1: float, y1: float, x2: float, y2: float, **fields: Any) -> dict[str, Any]:
    """A wall between two corners of squares, as the program writes it."""
    ends = [EDGE + x1 * SIZE, EDGE + y1 * SIZE, EDGE + x2 * SIZE, EDGE + y2 * SIZE]
    return {"_id": "w", "c": ends, "move": 20, "sight": 20, "light": 20, "sound": 20, "door": 0} | fields


def token(x: float, y: float, name: str, disposition: int, **fields: Any) -> dict[str, Any]:
    place = {"x": EDGE + x * SIZE, "y": EDGE + y * SIZE, "width": 1, "height": 1}
    return {"name": name, "disposition": disposition, "hidden": False, **place} | fields


def lamp(x: float, y: float, **fields: Any) -> dict[str, Any]:
    config = {"dim": 20, "bright": 10, "color": "#ff2200", "angle": 360, **fields.pop("config", {})}
    return {"x": EDGE + x * SIZE, "y": EDGE + y * SIZE, "hidden": False, "config": config, **fields}


def make_scene(**changes: Any) -> dict[str, Any]:
    """A hold of 8 by 6 squares of 5 feet, with a door, a lamp, two crew and two pirates."""
    return {
        "name": "Hold",
        "width": 8 * SIZE,
        "height": 6 * SIZE,
        "padding": 0.25,
        "grid": {"type": 1, "size": SIZE, "distance": 5, "units": "ft"},
        "background": {"src": "maps/hold.webp", "offsetX": 0, "offsetY": 0},
        "walls": [wall(0, 0, 8, 0), wall(8, 0, 8, 6), wall(4, 0, 4, 2, door=1, ds=0)],
        "lights": [lamp(2, 3)],
        "tokens": [
            token(0, 1, "Ana", 1),
            token(1, 2, "Ben", 1),
            token(6, 1, "Pirate", -1),
            token(6, 4, "Pirate", -1, hidden=True),
        ],
        "drawings": [],
        **changes,
    }


def load(cell: float | None = None, usual: float = 1.0, unit: str = "m", **changes: Any) -> Imported:
    return read_file(json.dumps(make_scene(**changes)).encode(), cell, usual, unit)


def test_scene_becomes_a_map_in_meters_without_its_padding() -> None:
    """Squares of 5 feet are 1.5 m wide; the first is around the middle of the plane."""
    found = load()
    assert (found.zone.x, found.zone.y, found.zone.width, found.zone.depth) == (-0.75, -0.75, 12, 9)
    assert found.map.cell == 1.5
    assert [(one.kind, ends(one)) for one in found.map.walls] == [
        ("door", (5.25, -0.75, 5.25, 2.25)),
        ("wall", (-0.75, -0.75, 11.25, -0.75)),
        ("wall", (11.25, -0.75, 11.25, 8.25)),
    ]
    assert found.map.lights == (Light("l1", 2.25, 3.75, radius=6, tint="red"),)


def test_report_says_what_came_and_what_did_not() -> None:
    found = load(drawings=[{}, {}], notes=[{}], tiles=None)
    assert found.report == (
        "Imported: 2 walls, 1 door, 1 light.",
        "Left out: 2 drawings.",
        "Left out: 1 note.",
        "Left out: exact colors and brightness of lights.",
        "Left out: 4 tokens (2 × Pirate, Ana, Ben). Add them as combatants.",
        "The sides begin where the friendly and the hostile tokens stood.",
        "A square is 1.5 m wide, as the file says.",
        "Left out: the picture, the file only names it. Add it with “Add picture”.",
        "The map is 12 m wide.",
    )


@pytest.mark.parametrize(
    ("fields", "cell"),
    [
        ({"grid": {"size": SIZE, "distance": 5, "units": "ft"}}, 1.5),
        ({"grid": {"size": SIZE, "distance": 2, "units": " Meters"}}, 2),
        ({"grid": {"size": SIZE, "distance": 1, "units": "AU"}}, 3),
        ({"grid": {"size": SIZE}}, 3),
        ({"grid": SIZE, "gridDistance": 10, "gridUnits": "ft", "gridType": 1}, 3),
        ({"grid": SIZE, "gridDistance": 1e9, "gridUnits": "ft"}, 3),
    ],
)
def test_square_is_as_wide_as_the_file_says_else_as_usual(fields: dict[str, Any], cell: float) -> None:
    found = load(usual=3, **fields)
    assert found.map.cell == (0 if cell == 3 else cell)
    assert found.zone.width == 8 * cell


def test_typed_side_of_a_square_counts_before_that_of_the_file() -> None:
    found = load(2)
    assert (found.map.cell, found.zone.width, found.map.lights[0].radius) == (2, 16, 8)


def test_game_that_counts_in_yards_gets_yards() -> None:
    found = load(unit="yd", grid={"size": SIZE, "distance": 3, "units": "ft"})
    assert (found.map.cell, found.zone.width) == (0, 8)
    assert "A square is 1 yd wide, as the file says." in found.report


@pytest.mark.parametrize(
    ("fields", "kind", "look"),
    [
        ({}, "wall", (True, True)),
        ({"sight": 0}, "window", (False, True)),
        ({"sight": 30}, "window", (False, True)),
        ({"sight": 10}, "fence", (False, True)),
        ({"sight": None, "sense": 0}, "window", (False, True)),
        ({"sight": None, "sense": 1}, "wall", (True, True)),
        ({"move": 0}, "wall", (True, False)),
        ({"door": 1}, "door", (True, True)),
        ({"door": 1, "sight": 0}, "door", (False, True)),
    ],
)
def test_wall_stops_what_it_stopped(fields: dict[str, Any], kind: str, look: tuple[bool, bool]) -> None:
    (found,) = load(walls=[wall(0, 0, 2, 0, **fields)]).map.walls
    assert (found.kind, (found.blocks_sight, found.blocks_way)) == (kind, look)


def test_doors_stay_secret_open_or_locked() -> None:
    states = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 2)]
    doors = [wall(n, 0, n, 1, door=door, ds=ds) for n, (door, ds) in enumerate(states)]
    found = load(walls=doors).map.walls
    assert [(one.secret, one.open, one.locked) for one in found] == [
        (False, False, False),
        (False, True, False),
        (False, False, True),
        (True, False, False),
        (True, False, True),
    ]


def test_walls_and_lights_without_a_use_are_counted() -> None:
    walls = [
        wall(0, 0, 2, 0, move=0, sight=0),
        wall(0, 0, 0, 0, door=1),
        wall(0, 0, 1, 1, c=[1, 2, 3]),
        wall(0, 0, 1e300, 0),
        wall(0, 0, 2, 0, dir=1),
    ]
    lights = [
        lamp(1, 1, hidden=True),
        lamp(1, 1, config={"negative": True}),
        lamp(1, 1, config={"dim": 0, "bright": 0}),
        lamp(1, 1, config={"angle": 60}),
    ]
    found = load(walls=walls, lights=lights)
    assert found.report[0] == "Imported: 1 wall, 1 light."
    for said in (
        "Left out: 1 wall that stops neither sight nor movement.",
        "Left out: 1 door narrower than 0.1 m.",
        "Left out: 1 wall without two ends.",
        "Left out: 1 wall far off the map.",
        "Left out: 1 light switched off.",
        "Left out: 1 light that spreads darkness.",
        "Left out: 1 light without range.",
        "1 light that shone one way: all around here.",
        "Walls work from both sides here (1 did not).",
    ):
        assert said in found.report, said


def test_sides_begin_around_their_tokens() -> None:
    """Each start has one square more on every side, so that a few more people find room."""
    assert load().starts == (Piece(-2.25, -0.75, 6, 6), Piece(6.75, -0.75, 4.5, 9))


@pytest.mark.parametrize(
    "tokens",
    [
        [token(0, 1, "Ana", 1)],
        [token(6, 1, "Pirate", -1)],
        [token(0, 0, "Ana", 1), token(4, 4, "Ben", 1), token(2, 2, "Pirate", -1)],
        [token(0, 0, "Ana", 1), token(1e9, 0, "Pirate", -1)],
    ],
)
def test_sides_that_are_not_apart_give_no_starts(tokens: list[dict[str, Any]]) -> None:
    found = load(tokens=tokens)
    assert found.starts == ()
    assert any(line.startswith("Left out: where they stood.") for line in found.report)


def test_scene_of_an_older_version_is_read() -> None:
    """It has figures of the grid and of lamps one by one, a shifted picture and no padding."""
    found = load(
        grid=SIZE,
        gridType=0,
        gridDistance=1,
        gridUnits="m",
        shiftX=-50,
        shiftY=0,
        padding=None,
        background=None,
        img="worlds/hold.jpg",
        walls=[{"c": [50, 0, 250, 0], "move": 1, "sense": 1, "door": 0}],
        lights=[{"x": 150, "y": 100, "dim": 4, "bright": 2, "tintColor": "#0000ff"}],
        tokens=None,
    )
    assert [ends(one) for one in found.map.walls] == [(-0.5, -0.5, 1.5, -0.5)]
    assert found.map.lights == (Light("l1", 0.5, 0.5, radius=4, tint="cold"),)
    assert found.map.grid == "free"
    assert found.starts == ()


def test_hexes_are_named() -> None:
    assert "The file has hexes: the grid here is the game's." in load(grid={"size": SIZE, "type": 2}).report


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"walls": [], "grid": 70, "width": 5}', "it has no “height”. Export it again."),
        (b'{"walls": [], "grid": {}, "width": 5, "height": 5}', "it has no “grid.size”. Export it again."),
        (b'{"walls": 3, "grid": {}}', "“walls” is a number and should be a list."),
        (json.dumps(make_scene(width="wide")).encode(), "“width” is text and should be a number."),
        (json.dumps(make_scene(grid={"size": 0})).encode(), "a square is 0 pixels wide, 1 is the least."),
        (
            json.dumps(make_scene(grid={"size": 70, "type": 1.5})).encode(),
            "“grid.type” is a number and should be a whole number.",
        ),
    ],
)
def test_refusal_names_the_field_and_its_flaw(raw: bytes, words: str) -> None:
    with pytest.raises(Refused, match="Not a scene of Foundry VTT: ") as refused:
        read_file(raw, None)
    assert refused.value.code == "bad_value"
    assert refused.value.message.endswith(words)


@pytest.mark.parametrize(
    "changes",
    [
        {"walls": [{}] * (MAX_CORNERS + 1)},
        {"tokens": [{"x": 1, "y": 1}] * (MAX_CORNERS + 1)},
        {"drawings": [{}] * (MAX_PART_BYTES // 3)},
        {"tokens": [{"x": 1, "y": 1, "name": "x" * MAX_PART_BYTES}]},
    ],
)
def test_scene_with_too_much_on_it_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        load(**changes)
    assert refused.value.message == TOO_MUCH


@pytest.mark.parametrize(("walls", "says"), [(3333, None), (3334, TOO_MUCH_ON_LEVELS)])
def test_scene_with_too_much_on_its_levels_is_refused(walls: int, says: str | None) -> None:
    """Each wall is on six levels, and each level is drawn."""
    levels = [{"_id": f"l{n}", "elevation": {"bottom": 10 * n}} for n in range(6)]
    drawn = [wall(n % 8, n % 6, n % 7, n % 5 + 1) for n in range(walls)]
    begun = process_time()
    if says is None:
        assert len(load(walls=drawn, lights=[], levels=levels).levels) == 6
    else:
        with pytest.raises(Refused) as refused:
            load(walls=drawn, lights=[], levels=levels)
        assert refused.value.message == says
    assert process_time() - begun < soon(1)


def test_scene_of_no_size_is_refused() -> None:
    with pytest.raises(Refused, match="1 to 1000 m per side work"):
        load(width=1e300)


@pytest.mark.parametrize("padding", [-1e308, -0.1, 1.5, 1e308])
def test_scene_with_odd_padding_is_refused(padding: float) -> None:
    with pytest.raises(Refused, match="its padding is "):
        load(padding=padding)


def test_broken_scene_is_refused_in_a_sentence() -> None:
    raw = json.dumps(make_scene()).encode()
    for broken in (raw[:-40], raw.replace(b'"Hold"', b"NaN"), b'{"walls":' + b"[" * 100_000):
        with pytest.raises(Refused) as refused:
            read_file(broken, None)
        assert refused.value.code == "bad_value"
        assert refused.value.message.count(".") <= 4
    assert "Export Data" in NOT_JSON


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ([700, 700, 700, 700], "Left out: 1 wall whose ends are one place."),
        ([700, 700, 700], "Left out: 1 wall without two ends."),
        (None, "Left out: 1 wall without two ends."),
        ([500, 500, 1e9, 500], "Left out: 1 wall far off the map."),  # it goes on where the second ends
        ([500, 500, 90_000, 500], "Left out: 1 wall far off the map."),
    ],
)
def test_wall_with_broken_coordinates_is_told_and_spares_others(bad: Any, told: str) -> None:
    walls = [{"c": [100, 100, 500, 100]}, {"c": [500, 100, 500, 500]}]
    assert len(load(walls=walls).map.walls) == 2
    found = load(walls=[*walls, {"c": bad}])
    assert len(found.map.walls) == 2
    assert told in found.report


@pytest.mark.parametrize("bad", ["x", "5", None, [], {}, True, 1e300])
@pytest.mark.parametrize(
    ("part", "make"),
    [
        ("wall", lambda bad: {"walls": [wall(1, 1, 2, 1), {"c": [bad, 500, 700, 500]}]}),
        ("wall", lambda bad: {"walls": [wall(1, 1, 2, 1), {"c": bad}]}),
        ("wall", lambda bad: {"walls": [wall(1, 1, 2, 1), bad]}),
        ("light", lambda bad: {"lights": [lamp(2, 3), lamp(4, 3) | {"x": bad}]}),
        ("light", lambda bad: {"lights": [lamp(2, 3), bad]}),
        ("token", lambda bad: {"tokens": [token(0, 1, "Ana", 1), token(6, 1, "Bo", -1) | {"y": bad}]}),
        ("token", lambda bad: {"tokens": [token(0, 1, "Ana", 1), bad]}),
    ],
)
def test_broken_part_is_told_and_takes_no_other_along(part: str, make: Any, bad: object) -> None:
    found = load(**{"walls": [], "lights": [], "tokens": [], **make(bad)})
    told = [line for line in found.report if line.startswith("Left out: ")]
    assert [line for line in told if part in line]
    assert len(found.map.walls) == (part == "wall")
    assert len(found.map.lights) == (part == "light")
    assert ("Ana" in " ".join(told)) == (part == "token")


# ---- What a flat map has not ----


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"levels": [{"_id": "a"}, {"_id": "b"}]},
            "2 levels are decks now (Deck 1, Deck 2). Draw the ways between them.",
        ),
        ({"levels": [{"_id": "a"}]}, ""),
        ({"foreground": "roofs.webp"}, "Left out: the foreground picture."),
        ({"foreground": {"src": "roofs.webp"}}, "Left out: the foreground picture."),
        ({"foreground": {"src": None, "tint": "#ffffff"}}, ""),
        ({"weather": "rain"}, "Left out: weather."),
        ({"weather": ""}, ""),
        ({"darkness": 0.6}, "Left out: darkness. Set the light of zones, or of the scene."),
        (
            {"environment": {"darknessLevel": 1}},
            "Left out: darkness. Set the light of zones, or of the scene.",
        ),
        ({"environment": {"darknessLevel": 0, "globalLight": {"enabled": True}}}, ""),
        (
            {"flags": {"core": {}, "levels": {"sceneLevels": [[0, 9, "Hold"]]}, "stairways": []}},
            "Left out: what modules of Foundry added (levels, stairways).",
        ),
        ({"flags": {"exportSource": {"world": "w"}}}, ""),
        ({"lights": [lamp(2, 3, elevation=10)]}, "Lights stand on the ground here (1 did not)."),
        ({"lights": [lamp(2, 3, elevation=0)]}, ""),
        (
            {"lights": [lamp(2, 3, walls=False), lamp(4, 3, walls=True)]},
            "Walls stop the light of all lights here (1 shone through).",
        ),
        ({"lights": [lamp(2, 3, walls=True)]}, ""),
        (
            {"background": {"src": "maps/hold.webp", "rotation": 90}},
            "The picture is not turned here: turn it in a picture editor, then add it again.",
        ),
        ({"background": {"src": "maps/hold.webp", "rotation": 0}}, ""),
        (
            {"walls": [wall(0, 0, 8, 0, flags={"wall-height": {"top": 10, "bottom": None}})]},
            "Walls reach from the ground to the ceiling here (1 did not).",
        ),
        ({"walls": [wall(0, 0, 8, 0, flags={"wall-height": {"top": None, "bottom": None}})]}, ""),
        (
            {"walls": [wall(0, 0, 8, 0, light=0), wall(0, 1, 8, 1)]},
            "Walls stop light where they stop sight here (1 did not).",
        ),
        (
            {"walls": [wall(0, 0, 8, 0, sight=30, light=30)]},
            "1 wall seen through from near or far: windows here.",
        ),
        ({"walls": [wall(-1, -1, -1, 2), wall(0, 0, 8, 0)]}, "Outside the map: 1 wall. Move or remove them."),
        (
            {"lights": [lamp(-1, 3), lamp(9, 3)], "walls": [wall(0, 7, 8, 7)]},
            "Outside the map: 1 wall and 2 lights. Move or remove them.",
        ),
    ],
)
def test_what_a_flat_map_has_not_is_told(fields: dict[str, Any], told: str) -> None:
    usual, found = load().report, load(**fields).report
    new = [line for line in found[1:] if line not in usual]
    assert (told in new) if told else not new


def test_fields_of_modules_in_any_form_do_no_harm() -> None:
    for strange in (None, 1, "x", [], [1], {"wall-height": 3}, {"a": {"b": [None]}}):
        names = ("levels", "foreground", "weather", "darkness", "environment", "flags")
        walls, lights = [wall(0, 0, 8, 0, flags=strange, light=strange)], [lamp(2, 3, elevation=strange)]
        assert load(walls=walls, lights=lights, **dict.fromkeys(names, strange)).map.walls


def test_levels_become_decks_with_their_own_walls_and_lights() -> None:
    """Foundry 14: what names no level is on all; ten feet up are three meters."""
    levels = [
        {"_id": "top", "name": "Bridge", "elevation": {"bottom": 10, "top": 20}},
        {"_id": "low", "name": "Hold", "elevation": {"bottom": 0, "top": 10}},
    ]
    walls = [wall(0, 0, 8, 0, levels=[]), wall(4, 0, 4, 6, levels=["low"]), wall(6, 0, 6, 6, levels=["top"])]
    lights = [lamp(2, 3, levels=["top"])]
    tokens = [token(0, 1, "Ana", 1, level="low"), token(6, 1, "Pirate", -1, level="top")]
    found = load(levels=levels, walls=walls, lights=lights, tokens=tokens)
    assert [(one.name, one.height) for one in found.levels] == [("Hold", 0), ("Bridge", 3)]
    low, top = (level.map for level in found.levels)
    assert {ends(one) for one in low.walls} == {(-0.75, -0.75, 11.25, -0.75), (5.25, -0.75, 5.25, 8.25)}
    assert {ends(one) for one in top.walls} == {(-0.75, -0.75, 11.25, -0.75), (8.25, -0.75, 8.25, 8.25)}
    assert (len(low.lights), len(top.lights)) == (0, 1)
    assert found.report[0] == "Imported: 4 walls, 1 light."
    assert "2 levels are decks now (Hold, Bridge). Draw the ways between them." in found.report
    scene = lay_levels(with_map(Scene(zones=(found.zone,)), found.map), found.levels, found.zone, 1.5)
    built = map_of(scene)
    assert [(deck.name, deck.height) for deck in built.decks] == [("Hold", 0), ("Bridge", 3)]
    assert [(zone.name, zone.height) for zone in scene.zones] == [("Hold", 0), ("Bridge", 3)]
    shift = built.decks[1].shift
    assert shift % 1.5 == 0, "whole squares"
    moved = {(one.x1 - shift, one.x2 - shift) for one in built.walls if one.id.startswith("deck2-")}
    assert moved == {(-0.75, 11.25), (8.25, 8.25)}
    assert not load(levels=levels[:1]).levels, "one level is no deck"
    assert [one.height for one in load(levels=[{"_id": "a"}, {"_id": "b"}]).levels] == [0, 3]


def test_sides_begin_on_the_levels_of_their_tokens() -> None:
    """On the one with most of them; tokens on levels that are left out count nowhere."""
    levels = [
        {"_id": "top", "name": "Bridge", "elevation": {"bottom": 10, "top": 20}},
        {"_id": "low", "name": "Hold", "elevation": {"bottom": 0, "top": 10}},
    ]
    tokens = [
        token(0, 1, "Ana", 1),
        token(0, 1, "Pirate", -1, level="top"),
        token(1, 1, "Pirate", -1, level="top"),
        token(6, 6, "Spy", -1, level="low"),
        token(3, 3, "Gone", -1, level="attic"),
    ]
    found = load(levels=levels, tokens=tokens)
    assert found.floors == (0, 1), "the players' first"
    assert "The sides begin where the friendly and the hostile tokens stood." in found.report
    assert "Left out: 1 token on a deleted level." in found.report
    scene = with_map(Scene(zones=(found.zone,), starts=found.starts), found.map)
    laid = lay_levels(scene, found.levels, found.zone, 1.5, found.floors)
    low, top = map_of(laid).decks
    assert laid.starts
    ours, theirs = laid.starts
    assert (ours.x, ours.y) == (found.starts[0].x, found.starts[0].y)
    assert (theirs.x, theirs.y) == (found.starts[1].x + top.shift, found.starts[1].y)
    for start, deck in ((ours, low), (theirs, top)):
        assert deck.x - 2 <= start.x <= deck.x + deck.width


def test_level_pictures_and_too_many_levels_are_told() -> None:
    levels = [
        {
            "_id": f"n{n}",
            "name": f"Ring {n}",
            "elevation": {"bottom": 10 * n},
            "background": {"src": "r.webp"},
        }
        for n in range(10)
    ]
    levels[1] |= {"background": {"src": None}, "foreground": {"src": "roof.webp"}}
    report = load(levels=levels, background=None).report
    assert "Left out: 2 levels above 8, with what is only there." in report
    told = next(line for line in report if "pictures of levels" in line)
    assert "(Ring 0, Ring 2, Ring 3, Ring 4, Ring 5, Ring 6, Ring 7)" in told
    assert "Left out: the foreground pictures of levels." in report
    assert "The file has no picture." not in report


# ---- Foundry 14: every scene has a level, which has the picture


def level(level_id: str = "defaultLevel0000", **fields: Any) -> dict[str, Any]:
    """A level as the program writes it; fields of tables are added to what it says by itself."""
    plain = {"anchorX": 0.5, "anchorY": 0.5, "fit": "fill", "scaleX": 1, "scaleY": 1, "rotation": 0}
    textures = {**plain, "offsetX": 0, "offsetY": 0, **fields.pop("textures", {})}
    height = {"bottom": 0, "top": 20}
    src = {"src": "maps/hold.webp", "color": "#999999"}
    return {
        "_id": level_id,
        "name": "Level",
        "elevation": height,
        "background": src,
        "textures": textures,
    } | fields


def load_14(*levels: dict[str, Any], **changes: Any) -> Imported:
    return load(background=None, levels=levels or [level()], **changes)


NAMED_ONLY = "Left out: the picture, the file only names it. Add it with “Add picture”."


def test_picture_of_the_only_level_is_that_of_the_scene() -> None:
    found = load_14()
    assert NAMED_ONLY in found.report
    assert (found.levels, found.zone, found.map) == ((), load().zone, load().map)
    assert load_14(level(background={"src": None})).report.count("The file has no picture.") == 1
    data = "data:image/webp;base64,UklGRg=="
    assert load_14(level(background={"src": data})).picture == b"RIFF"
    assert "Left out: the foreground picture." in load_14(level(foreground={"src": "roof.webp"})).report
    assert "Left out: the foreground picture." not in found.report


def test_walls_lie_on_a_shifted_picture_as_in_the_program() -> None:
    """A picture one square to the right and half a square up: all else lies to the left of it and down."""
    found = load_14(level(textures={"offsetX": SIZE, "offsetY": -SIZE / 2}))
    assert (found.zone.x, found.zone.y) == (-0.75, -0.75), "the corner of the picture"
    assert ends(found.map.walls[1]) == (-2.25, 0, 9.75, 0)
    assert found.starts[0].x == load().starts[0].x - 1.5
    assert "Foundry shifts the picture by 100 × \u221250 pixels: walls lie on it as there." in found.report
    old = load(background={"src": "a.webp", "offsetX": SIZE, "offsetY": 0}).map.walls
    assert ends(load_14(shiftX=SIZE, shiftY=0).map.walls[1]) == ends(old[1]), "renamed in 14"


def test_shifts_of_pictures_count_if_those_of_all_levels_agree() -> None:
    low, top = ({"bottom": height, "top": height + 10} for height in (0, 10))
    off = {"offsetX": SIZE}
    alike = load_14(level("a", elevation=low, textures=off), level("b", elevation=top, textures=off))
    assert ends(alike.levels[1].map.walls[1]) == (-2.25, -0.75, 9.75, -0.75)
    bare = level("b", elevation=top, background={"src": None})
    assert ends(load_14(level("a", elevation=low, textures=off), bare).map.walls[1])[0] == -2.25
    other = load_14(
        level("a", name="Hold", elevation=low, textures=off), level("b", name="Bridge", elevation=top)
    )
    told = (
        "Foundry shifts the pictures of levels, in pixels: Hold 100 × 0, Bridge 0 × 0. Shift them likewise."
    )
    assert told in other.report
    assert ends(other.map.walls[1])[0] == -0.75


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"rotation": 90}, "The picture is not turned here: turn it in a picture editor, then add it."),
        ({"scaleX": 1.5}, "The picture is not scaled here: scale it in a picture editor, then add it."),
    ],
)
def test_turned_and_scaled_pictures_of_levels_are_told(fields: dict[str, Any], told: str) -> None:
    assert told in load_14(level(textures=fields)).report
    assert told not in load_14().report
    assert any(
        "The picture of Hold is not" in line
        for line in load_14(level("a", name="Hold", textures=fields), level("b")).report
    )


@pytest.mark.parametrize("initial", [None, "top", "gone"])
def test_tokens_of_the_default_level_give_starts_without_it(initial: str | None) -> None:
    """Nobody has put them elsewhere: they stand where the scene opens, else at the bottom."""
    low = level("low", name="Hold", elevation={"bottom": 0, "top": 10})
    top = level("top", name="Bridge", elevation={"bottom": 10, "top": 20})
    tokens = [
        token(0, 1, "Ana", 1, level="defaultLevel0000"),
        token(6, 1, "Pirate", -1, level="defaultLevel0000"),
    ]
    found = load_14(low, top, tokens=tokens, initialLevel=initial)
    floor = int(initial == "top")
    assert (len(found.starts), found.floors) == (2, (floor, floor))
    assert f"2 tokens without a level: on {('Hold', 'Bridge')[floor]} here." in found.report


@pytest.mark.parametrize("number", [1, 2])
def test_what_hangs_on_a_deleted_level_is_counted(number: int) -> None:
    levels = [level(f"l{n}", elevation={"bottom": 10 * n, "top": 10 * n + 10}) for n in range(number)]
    walls = [wall(0, 0, 8, 0, levels=["gone"]), wall(8, 0, 8, 6, levels=["gone", "l0"]), wall(1, 1, 2, 1)]
    tokens = [token(0, 1, "Ana", 1, level="gone"), token(6, 1, "Pirate", -1, level="l0")]
    found = load_14(*levels, walls=walls, lights=[lamp(2, 3, levels=["gone"])], tokens=tokens)
    assert len(found.map.walls) == 2
    for said in ("1 wall", "1 light", "1 token"):
        assert f"Left out: {said} on a deleted level." in found.report


def test_level_without_a_floor_is_below_the_others() -> None:
    ground = level("a", name="Ground", elevation={"bottom": 0, "top": 10})
    cellar = level("b", name="Cellar", elevation={"bottom": None, "top": 0})
    sky = level("c", name="Sky", elevation={"bottom": 10, "top": None})
    assert [one.name for one in load_14(ground, sky, cellar).levels] == ["Cellar", "Ground", "Sky"]


@pytest.mark.parametrize(
    "odd",
    [
        None,
        7,
        "x",
        [],
        {},
        [{}],
        [{"_id": 3}],
        [{"_id": "a", "textures": 5}],
        [{"_id": "a", "textures": {"offsetX": "far", "scaleX": None, "offsetY": 1e300}}],
    ],
)
def test_odd_levels_do_no_harm(odd: Any) -> None:
    found = load(levels=odd, initialLevel=odd)
    assert ends(found.map.walls[1]) == ends(load().map.walls[1])
