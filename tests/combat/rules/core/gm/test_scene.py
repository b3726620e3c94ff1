"""The GM's changes to the table and the scene: options, settings, zones."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point, Scene, Zone
from combat.rules.core.state.events import GM_ONLY
from combat.rules.core.state.state import replace
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage
from tests.combat.rules.tiny import SYSTEM


@pytest.mark.parametrize(
    ("key", "value", "found"),
    [
        ("damage", "1d6", "1d6"),
        *((("scaring"), word, True) for word in ("true", "True", "on", "1", True)),
        *((("scaring"), word, False) for word in ("false", "off", "0", "", False)),
    ],
)
def test_set_option(duel: Stage, key: str, value: object, found: object) -> None:
    duel.do("set_option", key=key, value=value)
    assert duel.state.options[key] == found
    assert type(duel.state.options[key]) is type(found)


def test_set_option_names_its_ruling(duel: Stage) -> None:
    (fact,) = duel.do("set_option", key="damage", value="1d6")
    assert fact.rule == "R1"
    assert read_log(duel) == ["House rule “Dice of a wound”: 1d6."]


@pytest.mark.parametrize(
    ("key", "value", "code", "message"),
    [
        ("luck", "yes", "unknown", "There is no house rule “luck”."),
        ("damage", "1d12", "bad_value", "Dice of a wound: choose 1d4, 1d6."),
        ("scaring", "perhaps", "bad_value", "Combatants may be scared: choose yes or no."),
    ],
)
def test_set_option_refused(duel: Stage, key: str, value: str, code: str, message: str) -> None:
    refused = duel.refused("set_option", key=key, value=value)
    assert (refused.code, refused.message) == (code, message)


def test_set_setting(duel: Stage) -> None:
    (fact,) = duel.do("set_setting", key="ground", value="slippery")
    assert duel.system.setting(duel.state, "ground") == "slippery"
    assert fact.rule == "TINY-MOVE-02"
    assert read_log(duel) == ["Ground: Slippery."]
    for key, value in (("ground", "molten"), ("mood", "dry")):
        assert duel.refused("set_setting", key=key, value=value).code == "bad_value"


def zone(**more: Any) -> dict[str, Any]:
    return {"scene": {"zones": [{"id": "a", "name": "A", **more}]}}


def test_set_scene(duel: Stage) -> None:
    duel.do(
        "set_scene",
        scene={"name": "Roof", "zones": [{"id": "a", "name": "A"}], "settings": {"ground": "dry"}},
    )
    assert duel.state.scene == Scene("Roof", (Zone("a", "A"),), {"ground": "dry"})
    assert read_log(duel) == ["The scene is set: Roof."]


def test_people_stay_on_the_ground_when_its_height_changes(duel: Stage) -> None:
    duel.stays = False
    duel.do("set_scene", **zone(height=4, width=1.5))
    assert [duel[who].at.z for who in ("f1", "f2", "f3")] == [4, 4, 0]
    duel.edit("f2", at=Point(1, 0, 6))  # on no ground: stays there
    duel.do("set_scene", **zone(height=2))
    assert [duel[who].at.z for who in ("f1", "f2", "f3")] == [2, 6, 2]
    assert {fact.to for fact in duel.facts} == {GM_ONLY}, "players see nobody move"
    duel.do("set_scene", scene={})
    assert [duel[who].at.z for who in ("f1", "f2", "f3")] == [0, 6, 0]


def lay_decks(duel: Stage, *zones: dict[str, Any]) -> None:
    """Two decks one above the other, with zones; Bo on the upper one."""
    low = {"id": "low", "name": "Hold", "x": -5, "y": -5, "width": 20, "depth": 10}
    high = {**low, "id": "high", "name": "Bridge", "x": 25, "height": 3, "shift": 30}
    duel.do("set_scene", scene={"zones": zones, "map": {"decks": [low, high]}})
    duel.do("place", target="f2", x=30, y=0)


DECK = {"id": "d", "name": "D", "x": 0, "y": 0, "width": 9, "depth": 9}
LOUNGE = {"id": "a", "name": "Lounge", "x": 26, "y": -4, "width": 12, "depth": 8}


@pytest.mark.parametrize(("said", "found"), [(0, 3), (3, 3), (4.5, 4.5), (-1, 3), (2, 2)])
def test_zone_with_a_height_in_another_deck_gets_that_of_its_own(
    duel: Stage, said: float, found: float
) -> None:
    lay_decks(duel, {**LOUNGE, "height": said})
    assert duel.state.scene.zones[0].height == found
    assert duel["f2"].at.z == found


def test_zones_settle_on_decks_that_come_under_them(duel: Stage) -> None:
    duel.do("set_scene", scene={"zones": [LOUNGE]})
    low = {"id": "low", "name": "Hold", "x": -5, "y": -5, "width": 20, "depth": 10}
    high = {**low, "id": "high", "name": "Bridge", "x": 25, "height": 3, "shift": 30}
    for do, fields in (("change_map", {"decks": [low, high]}), ("set_map", {"map": {"decks": [low, high]}})):
        duel.do("set_scene", scene={"zones": [LOUNGE], "map": {"fog": True}})
        duel.do("place", target="f2", x=30, y=0)
        duel.stays = False
        duel.do(do, **fields)
        assert duel.state.scene.zones[0].height == 3
        assert (duel["f2"].at.z, duel["f2"].at.shift) == (3, 30)


def test_older_stored_heights_settle_as_the_fight_goes_on(duel: Stage) -> None:
    """It has a zone and a person at 0 on a deck at 3 m."""
    lay_decks(duel, LOUNGE)
    zones = tuple(replace(one, height=0.0) for one in duel.state.scene.zones)
    duel.state = replace(duel.state, scene=replace(duel.state.scene, zones=zones), rules=1)
    duel.edit("f2", at=replace(duel["f2"].at, z=0.0))
    duel.do("move_rules", to=2)
    assert duel.state.scene.zones[0].height == 3
    assert duel["f2"].at == Point(30, 0, 3, 30)


@pytest.mark.parametrize(
    "scene",
    [
        {
            "map": {
                "decks": [{"id": "d", "name": "D", "x": 0, "y": 0, "width": 9, "depth": 9, "height": "nan"}]
            }
        },
        {
            "map": {
                "decks": [{"id": "d", "name": "D", "x": 0, "y": 0, "width": 9, "depth": 9, "shift": "nan"}]
            }
        },
        {"starts": [{"x": 0, "y": 0, "width": 9, "depth": "nan"}]},
        {"starts": [{"x": 0, "y": "nan", "width": 9, "depth": 9}]},
    ],
)
def test_what_is_no_number_is_no_place(duel: Stage, scene: dict[str, Any]) -> None:
    assert duel.refused("set_scene", scene=scene).code == "bad_value"


@pytest.mark.parametrize(
    "fields",
    [
        zone(width=0),
        zone(floor="lava"),
        zone(kind="cave"),
        zone(depth=1001),
        zone(height=-1001),
        zone(x=10_000),
        zone(x="nan"),
        zone(y="nan"),
        zone(width="nan"),
        zone(height="inf"),
        zone(name=""),
        zone(id=""),
        zone(cover="heavy"),
        zone(light="gloomy"),
        zone(terrain=["mud"]),
        zone(links={"b": 0}),
        zone(links={"b": 21}),
        zone(properties=[{"name": "Smoke", "into": 21}]),
        zone(properties=[{"name": ""}]),
        {"scene": {"zones": [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]}},
        {"scene": {"zones": [{"id": f"z{n}", "name": "Z"} for n in range(61)]}},
        {"scene": {"settings": {"ground": "molten"}}},
        {"scene": {"settings": {"mood": "dry"}}},
    ],
    ids=str,
)
def test_set_scene_refused(duel: Stage, fields: dict[str, Any]) -> None:
    assert duel.refused("set_scene", **fields).code == "bad_value"


@pytest.mark.parametrize("light", ["dim", "dark"])
def test_zone_can_look_dark_in_a_game_without_rules_of_light(duel: Stage, light: str) -> None:
    assert not duel.system.space.lights
    duel.do("set_scene", **zone(light=light))
    assert duel.state.scene.zones[0].light == light


@pytest.mark.parametrize("part", [{"x": -1}, {"width": 0}, {"depth": 11}])
def test_parts_of_a_zone_lie_inside_it(part: dict[str, float]) -> None:
    stage = Stage(SYSTEM)
    piece = {"x": 0, "y": 0, "width": 10, "depth": 10}
    zone = {"id": "c", "name": "Smoke", "width": 10, "depth": 10}
    stage.do("set_scene", scene={"zones": [{**zone, "parts": [piece]}]})
    refused = stage.refused("set_scene", scene={"zones": [{**zone, "parts": [{**piece, **part}]}]})
    assert "its parts lie inside it" in refused.message
