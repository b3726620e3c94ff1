"""Gravity, water, weather and light: how the environment changes the numbers, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Point
from combat.rules.cosmos import environment
from combat.rules.cosmos.book.options import AIRS, RADIATIONS, SETTINGS
from combat.rules.cosmos.book.tables import hazard_levels
from combat.rules.cosmos.fight.blast import smoke
from combat.rules.cosmos.hazards.ground import spread_fire
from tests.combat.rules.cosmos.figures import CosmosStage, words
from tests.combat.rules.stage import Script

DICE = 11  # 5 and 6


def duel(at: tuple[float, float] = (10, 0), **more: Any) -> tuple[CosmosStage, str, str]:
    """Ada, with the changes, and Bo 10 m away; Ada's turn, every weapon in hand."""
    stage = CosmosStage()
    ada, bo = stage.hero(**more), stage.foe(at=at)
    stage.draw_all(ada)
    stage.begin()
    return stage, ada, bo


def set_scene(stage: CosmosStage, **settings: str) -> None:
    for key, value in settings.items():
        stage.do("set_setting", key=key, value=value)


def total(stage: CosmosStage, who: str, target: str, entry: str) -> int:
    """The attack total with dice 5 and 6, without the weapon's own bonus."""
    weapon = stage.item(who, entry)
    terms = stage.preview("attack", who, target=target, weapon=weapon.id).modifiers
    return DICE + add_up(terms) - int(weapon.data["equipment"])


def terms(stage: CosmosStage, who: str, target: str, entry: str) -> dict[str, tuple[int, str]]:
    found = stage.preview("attack", who, target=target, weapon=stage.weapon(who, entry)).modifiers
    return {words(term.label): (term.value, term.rule) for term in found}


def speed(stage: CosmosStage, who: str) -> int:
    return stage.derived(who, "Speed").value


# ---------------------------------------------------------------- gravity


def test_some_species_are_at_home_in_low_gravity() -> None:
    stage, ada, bo = duel(abilities={"ignores_low_gravity_penalty": True})
    set_scene(stage, gravity="low")
    assert total(stage, ada, bo, "pistol") == 19


@pytest.mark.rule("COS-ENV-10")
def test_high_gravity_costs_two_on_physical_actions_only() -> None:
    stage, ada, bo = duel(at=(1, 0), weapons=("club",), skills={"Tech": 4})
    assert total(stage, ada, bo, "club") == 18
    set_scene(stage, gravity="high")
    assert total(stage, ada, bo, "club") == 16
    check = stage.preview("skill", ada, attribute="INT", skill="Tech", tn=14)
    assert add_up(check.modifiers) == 4 + 2


def test_some_species_are_at_home_in_high_gravity() -> None:
    stage, ada, bo = duel(abilities={"ignores_high_gravity_to_g": 3})
    set_scene(stage, gravity="high")
    assert (speed(stage, ada), total(stage, ada, bo, "pistol")) == (11, 19)


@pytest.mark.rule("COS-ENV-02")
def test_a_zone_has_its_own_gravity() -> None:
    stage, ada, bo = duel()
    stage.zone("hold", x=-5, y=-5, width=10, depth=10, terrain=["zero-g"])
    assert terms(stage, ada, bo, "pistol")["Zero gravity, untrained"] == (-2, "COS-ENV-02")
    stage.place(ada, 6, 0)
    assert total(stage, ada, bo, "pistol") == 19


# ---------------------------------------------------------------- surfaces


@pytest.mark.rule("COS-ENV-01", "COS-ZG-01")
@pytest.mark.parametrize(
    ("x", "surface"), [(5, True), (10.9, True), (11.2, False), (25, False), (29.5, True), (60, False)]
)
def test_a_surface_is_what_lies_within_a_meter(x: float, surface: bool) -> None:
    stage = CosmosStage()
    stage.zone("deck", x=0, y=-5, width=10, depth=10)
    stage.zone("void", x=10, y=-5, width=20, depth=10, terrain=["open space"])
    stage.zone("wreck", x=30, y=-5, width=10, depth=10)
    assert environment.has_surface(stage.state, Point(x, 0)) is surface


SHIP_WALLS = [
    {"id": "north", "x1": 0, "y1": -8, "x2": 20, "y2": -8},
    {"id": "south", "x1": 0, "y1": 8, "x2": 20, "y2": 8},
    {"id": "west", "x1": 0, "y1": -8, "x2": 0, "y2": 8},
    {"id": "east", "x1": 20, "y1": -8, "x2": 20, "y2": 8},
]
CRATE = {"id": "crate", "name": "Crate", "x": 29, "y": -1, "width": 2, "depth": 2}
DECK = {"id": "deck", "name": "Deck", "x": 40, "y": -8, "width": 20, "depth": 16}


@pytest.mark.rule("COS-ENV-01", "COS-ZG-01")
@pytest.mark.parametrize(
    ("x", "surface"),
    [
        *((5, True), (15, True)),  # the room of the zone, and what walls surround
        *((20.9, True), (21.2, False)),  # beside a wall
        *((27.9, False), (28.1, True), (31.9, True), (32.2, False)),  # beside a crate
        *((39, False), (41, True), (59, True), (61.2, False)),  # a deck has a floor
    ],
)
def test_walls_things_and_decks_are_surfaces_beside_zones_too(x: float, surface: bool) -> None:
    stage = CosmosStage()
    stage.do("set_map", map={"walls": SHIP_WALLS, "obstacles": [CRATE], "decks": [DECK]})
    stage.zone("grease", x=4, y=-2, width=4, depth=4)
    assert environment.has_surface(stage.state, Point(x, 0)) is surface


@pytest.mark.rule("COS-ENV-01")
def test_open_space_that_is_drawn_over_a_deck_has_no_floor() -> None:
    stage = CosmosStage()
    stage.do("set_map", map={"walls": SHIP_WALLS, "obstacles": [CRATE], "decks": [DECK]})
    stage.zone("breach", x=2, y=-6, width=56, depth=12, terrain=["open space"])
    found = {x: environment.has_surface(stage.state, Point(x, 0)) for x in (10, 19.5, 28.5, 50)}
    assert found == {10: False, 19.5: True, 28.5: True, 50: False}


@pytest.mark.rule("COS-ENV-01")
@pytest.mark.parametrize("drawn", [{}, {"walls": SHIP_WALLS}, {"decks": [DECK]}])
def test_smoke_and_flames_leave_everyone_the_existing_surfaces(drawn: dict[str, Any]) -> None:
    stage, ada, _ = duel(at=(60, 0))
    stage.do("set_map", map=drawn)
    set_scene(stage, gravity="zero")
    places = [Point(x, y) for x in (0, 10, 30, 45, 59, 90) for y in (-20, 0, 7)]
    before = [environment.has_surface(stage.state, place) for place in places]
    for lay in (_smoke, _burn):
        lay(stage, ada)
        assert stage.state.scene.zones
        assert [environment.has_surface(stage.state, place) for place in places] == before


@pytest.mark.parametrize("height", [3, -4])
def test_smoke_and_flames_lie_on_the_deck_where_they_are(height: float) -> None:
    stage, ada, _ = duel(at=(60, 0))
    stage.do("set_map", map={"decks": [DECK | {"height": 0, "x": 0}, DECK | {"id": "up", "height": height}]})
    stage.do("place", target=ada, x=50, y=0)
    for lay in (_smoke, _burn):
        lay(stage, ada)
    assert {zone.height for zone in stage.state.scene.zones} == {height}
    assert len(stage.state.scene.zones) > 1


def _smoke(stage: CosmosStage, who: str) -> None:
    """Smoke around someone, as a grenade lays it."""
    _play(stage, lambda context: smoke(context, stage[who].at, 3.0, 4))


def _burn(stage: CosmosStage, who: str) -> None:
    """Flames beside someone, as a fire that spreads lays them."""
    _play(stage, lambda context: spread_fire(context, stage[who].at))


def _play(stage: CosmosStage, procedure: Callable[[RuleContext], None]) -> None:
    context = RuleContext(stage.system, stage.state, Script([]))
    procedure(context)
    stage.state = context.state


def test_without_a_map_the_scene_says_whether_there_are_surfaces() -> None:
    stage = CosmosStage()
    assert environment.has_surface(stage.state, Point())
    set_scene(stage, surfaces="none")
    assert not environment.has_surface(stage.state, Point())


# ---------------------------------------------------------------- water and weather


@pytest.mark.rule("COS-XENV-02")
def test_a_shot_under_water_is_at_minus_four_as_a_blow_is() -> None:
    stage, ada, bo = duel()
    stage.change(ada, "pistol", traits=["underwater"])
    set_scene(stage, water="underwater")
    assert total(stage, ada, bo, "pistol") == 19 - 4


@pytest.mark.rule("COS-XENV-03")
def test_a_pool_is_a_zone() -> None:
    stage, ada, bo = duel()
    stage.zone("pool", x=-5, y=-5, width=10, depth=10, terrain=["underwater"])
    assert stage.refused("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol")).code == "not_allowed"
    stage.place(ada, 6, 0)
    assert total(stage, ada, bo, "pistol") == 19


@pytest.mark.rule("COS-XENV-05")
@pytest.mark.parametrize(
    ("weather", "meters"), [("wind", 5), ("gale", 5), ("storm", 5), ("rain", 11), ("fair", 11)]
)
def test_wind_halves_movement(weather: str, meters: int) -> None:
    stage, ada, _ = duel()
    set_scene(stage, weather=weather)
    assert speed(stage, ada) == meters


@pytest.mark.rule("COS-XENV-06", "COS-XENV-07", "COS-XENV-09")
@pytest.mark.parametrize(
    ("weather", "ranged"), [("wind", 17), ("gale", 15), ("rain", 17), ("downpour", 15), ("storm", 15)]
)
def test_weather_hampers_shots_and_not_blows(weather: str, ranged: int) -> None:
    stage, ada, bo = duel(at=(1, 0), weapons=("pistol", "club"))
    set_scene(stage, weather=weather)
    assert total(stage, ada, bo, "pistol") == ranged
    assert total(stage, ada, bo, "club") == 18


@pytest.mark.rule("COS-XENV-09")
def test_a_storm_is_strong_wind_and_rain() -> None:
    stage, ada, bo = duel()
    set_scene(stage, weather="storm")
    found = terms(stage, ada, bo, "pistol")
    assert found["Storm"] == (-2, "COS-XENV-06")
    assert found["Light concealment"][0] == -2
    assert speed(stage, ada) == 5


@pytest.mark.rule("COS-XENV-07")
def test_rain_does_not_add_to_darkness() -> None:
    stage, ada, bo = duel()
    set_scene(stage, weather="rain", light="dark")
    assert total(stage, ada, bo, "pistol") == 15


@pytest.mark.rule("COS-XENV-07")
def test_the_form_says_otherwise_than_the_rain() -> None:
    stage, ada, bo = duel()
    set_scene(stage, weather="rain")
    pistol = stage.weapon(ada, "pistol")
    shown = stage.preview("attack", ada, target=bo, weapon=pistol, concealment="none").modifiers
    assert not any("concealment" in words(term.label) for term in shown)


# ---------------------------------------------------------------- eyes


@pytest.mark.parametrize(
    ("ability", "light", "meters", "expected"),
    [
        ({"low_light_vision": True}, "dim", 10, 19),
        ({"low_light_vision": True}, "dark", 10, 15),
        ({"darkvision_m": 60}, "dark", 10, 19),
        ({"darkvision_m": 5}, "dark", 10, 15),
        ({}, "dim", 10, 17),
    ],
)
def test_eyes_of_some_species_see_in_poor_light(
    ability: dict[str, object], light: str, meters: float, expected: int
) -> None:
    stage, ada, bo = duel(at=(meters, 0), abilities=ability)
    set_scene(stage, light=light)
    assert total(stage, ada, bo, "pistol") == expected


@pytest.mark.parametrize(("light", "expected"), [("intense", 18), ("bright", 19), ("dim", 17)])
def test_only_intense_light_hampers_eyes_made_for_the_dark(light: str, expected: int) -> None:
    stage, ada, bo = duel(abilities={"bright_light_penalty": -1})
    set_scene(stage, light=light)
    assert total(stage, ada, bo, "pistol") == expected


# ---------------------------------------------------------------- the settings


def test_every_level_of_the_hazard_table_can_be_set() -> None:
    named = {key for key, _ in AIRS} | {f"radiation_{key}" for key, _ in RADIATIONS}
    assert set(hazard_levels()) <= named


def test_settings_tell_their_rule_when_they_change() -> None:
    stage = CosmosStage()
    for setting in SETTINGS:
        other = next(key for key, _ in setting.choices if key != setting.default)
        stage.do("set_setting", key=setting.key, value=other)
        assert stage.rules() == {setting.rule}
