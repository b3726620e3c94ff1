"""The GM's drawing on the battle map, and the limits of a map."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from combat.rules.core.space import NO_MAP, Area, BattleMap, Light, Obstacle, Picture, Wall, map_of
from combat.rules.core.state.events import EVERYONE, GM_ONLY
from combat.rules.core.state.state import decode, encode
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage

WALL = {"id": "w1", "x1": 0, "y1": 0, "x2": 5, "y2": 0}
DOOR = {"id": "d1", "x1": 5, "y1": 0, "x2": 6, "y2": 0, "kind": "door", "name": "Airlock"}
SECRET = {**DOOR, "id": "d2", "y1": 3, "y2": 3, "secret": True, "name": "Priest hole"}
CRATE = {"id": "c1", "name": "Crate", "x": 2, "y": 2}


def draw(stage: Stage, **parts: Any) -> BattleMap:
    stage.do("set_map", map=parts)
    return map_of(stage.state.scene)


def test_a_scene_without_a_map_stores_nothing_of_it(duel: Stage) -> None:
    assert b'"map"' not in encode(duel.state)
    draw(duel, walls=[WALL])
    assert b'"map":{"walls":[{"id":"w1"' in encode(duel.state)
    assert decode(encode(duel.state)) == duel.state
    assert draw(duel) == NO_MAP
    assert b'"map"' not in encode(duel.state)


def test_set_map(duel: Stage) -> None:
    drawn = draw(
        duel, walls=[WALL, DOOR], obstacles=[CRATE], lights=[{"id": "l1", "x": 1, "y": 1}], grid="square"
    )
    assert drawn == BattleMap(
        (Wall("w1", 0, 0, 5, 0), Wall("d1", 5, 0, 6, 0, "door", name="Airlock")),
        (Obstacle("c1", "Crate", 2, 2),),
        (Light("l1", 1, 1),),
        grid="square",
    )


def test_what_the_gm_draws_is_told_to_nobody_else(duel: Stage) -> None:
    """It may be out of sight: players see the changes in the part of the map they know."""
    for name, fields in (("set_map", {"map": {"walls": [WALL]}}), ("change_map", {"walls": [DOOR]})):
        (fact,) = duel.do(name, **fields)
        assert (fact.to, fact.redacted) == (GM_ONLY, None)


def test_change_map_puts_and_drops_parts_by_id(duel: Stage) -> None:
    draw(duel, walls=[WALL, DOOR], obstacles=[CRATE])
    area = Area("a1", 0, 0, 5, 5)
    walls = [{**WALL, "x2": 9}, {**WALL, "id": "w2"}]
    duel.do("change_map", walls=walls, drop=["c1"], hidden=[msgspec.to_builtins(area)])
    now = map_of(duel.state.scene)
    assert [(wall.id, wall.x2) for wall in now.walls] == [("w1", 9), ("d1", 6), ("w2", 5)]
    assert (now.obstacles, now.hidden) == ((), (area,))


def test_change_map_replaces_the_look_alone(duel: Stage) -> None:
    draw(duel, walls=[WALL], grid="square")
    duel.do("change_map", look={"fog": True, "remembers": False, "picture": {"digest": "a1b2"}})
    now = map_of(duel.state.scene)
    assert (now.walls, now.grid, now.fog, now.picture) == (
        (Wall("w1", 0, 0, 5, 0),),
        "",
        True,
        Picture("a1b2"),
    )


def test_new_zones_leave_the_map_alone(duel: Stage) -> None:
    draw(duel, walls=[WALL])
    duel.zone("bay")
    assert map_of(duel.state.scene).walls == (Wall("w1", 0, 0, 5, 0),)


def test_a_scene_brings_its_map_without_telling_it(duel: Stage) -> None:
    told = duel.do("set_scene", scene={"name": "Ship", "map": {"walls": [WALL]}})
    assert map_of(duel.state.scene).walls == (Wall("w1", 0, 0, 5, 0),)
    assert b"w1" not in msgspec.json.encode([fact.event for fact in told if fact.to == EVERYONE])


def test_nobody_tells_the_map_what_players_have_explored(duel: Stage) -> None:
    assert draw(duel, walls=[WALL], explored={"allies": "0:1_9"}).explored == {}


def test_looks_of_a_map(duel: Stage) -> None:
    lamp = {"id": "l1", "x": 0, "y": 0, "tint": "red"}
    draw(duel, obstacles=[{**CRATE, "kind": "barrel"}], lights=[lamp], weather="rain", sky="night")
    duel.do("change_map", drop=["l1"])
    drawn = map_of(duel.state.scene)
    assert (drawn.obstacles[0].kind, drawn.weather, drawn.sky) == ("barrel", "rain", "night")


def test_set_door(duel: Stage) -> None:
    draw(duel, walls=[WALL, DOOR])
    duel.do("set_door", door="d1", open=True)
    assert map_of(duel.state.scene).walls[1].open
    assert read_log(duel) == ["Airlock opens."]
    duel.do("set_door", door="d1", locked=True)
    assert map_of(duel.state.scene).walls[1] == Wall("d1", 5, 0, 6, 0, "door", locked=True, name="Airlock")
    assert read_log(duel) == ["Airlock is locked."]
    duel.do("set_door", door="d1")
    assert read_log(duel) == ["Airlock is shut."]


def test_nobody_hears_of_a_secret_door(duel: Stage) -> None:
    draw(duel, walls=[SECRET])
    told = duel.do("set_door", door="d2", open=True)
    assert {fact.to for fact in told} == {GM_ONLY}
    assert [fact.redacted for fact in told] == [None, None]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"door": "w1"}, "That door is not on the map: choose one that is."),
        ({"door": "d1"}, "Airlock is like that already."),
        (
            {"door": "d1", "open": True, "locked": True},
            "A door that stands open cannot be locked: shut it, or unlock it.",
        ),
    ],
)
def test_set_door_refused(duel: Stage, fields: dict[str, Any], message: str) -> None:
    draw(duel, walls=[WALL, DOOR])
    assert duel.refused("set_door", **fields).message == message


def many(count: int) -> list[dict[str, Any]]:
    return [{**WALL, "id": f"w{n}"} for n in range(count)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"walls": many(2001)}, "A map has up to 2000 walls, this one has 2001."),
        (
            {"lights": [{"id": f"l{n}", "x": 0, "y": 0} for n in range(61)]},
            "A map has up to 60 lights, this one has 61.",
        ),
        ({"walls": [WALL, WALL]}, "Two parts of the map are called “w1”: each needs its own id."),
        (
            {"walls": [WALL], "obstacles": [{**CRATE, "id": "w1"}]},
            "Two parts of the map are called “w1”: each needs its own id.",
        ),
        ({"walls": [{**WALL, "x2": 0}]}, "Wall w1: a wall is 0.05 to 1000 m long."),
        ({"walls": [{**WALL, "x1": 90_000}]}, "Wall w1 lies too far away: stay within 9999 m of the middle."),
        ({"walls": [{**WALL, "cover": "armor"}]}, "Wall w1: choose its kind and its cover from the lists."),
        ({"walls": [{**WALL, "kind": "moat"}]}, "Wall w1: choose its kind and its cover from the lists."),
        ({"walls": [{**WALL, "secret": True}]}, "Wall w1: only a door can be open, locked or secret."),
        (
            {"walls": [{**DOOR, "open": True, "locked": True}]},
            "Airlock: a door that stands open cannot be locked.",
        ),
        ({"obstacles": [{**CRATE, "width": 0}]}, "Crate: width and depth are 0.05 to 1000 m."),
        ({"obstacles": [{**CRATE, "height": -1}]}, "Crate: an obstacle is 0 to 1000 m high."),
        ({"obstacles": [{**CRATE, "name": " "}]}, "A name has 1 to 60 characters."),
        (
            {"lights": [{"id": "l1", "x": 0, "y": 0, "radius": 0}]},
            "A light has a kind from the list and shines 0.05 to 1000 m far.",
        ),
        ({"grid": "triangle"}, "This game has no such grid: choose squares, or none."),
        ({"grid": "hex"}, "This game has no such grid: choose squares, or none."),
        ({"obstacles": [{**CRATE, "kind": "ufo"}]}, "Crate: choose how it looks from the list."),
        (
            {"lights": [{"id": "l1", "x": 0, "y": 0, "tint": "mauve"}]},
            "The color of a light is warm, cold, red or empty.",
        ),
        ({"weather": "snow"}, "Choose the weather and the sky from the lists."),
        ({"sky": "noon"}, "Choose the weather and the sky from the lists."),
        ({"cell": 0.01}, "A square is 0.1 to 100 m wide."),
        ({"picture": {"digest": "../etc"}}, "That picture is not stored here: upload it first."),
    ],
)
def test_map_refused(duel: Stage, parts: dict[str, Any], message: str) -> None:
    before = duel.state
    assert duel.refused("set_map", map=parts).message == message
    assert duel.state == before


def test_change_map_refused(duel: Stage) -> None:
    draw(duel, walls=[WALL])
    assert duel.refused("change_map", drop=["w9"]).message == "“w9” is no longer on the map."
    unchanged = duel.refused("change_map", walls=[WALL])
    assert unchanged.message == "Nothing on the map would change: draw or choose something first."
    assert duel.refused("change_map", walls=many(2001)).code == "bad_value"
