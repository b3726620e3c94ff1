"""On the map of every game nobody acts through an unbroken wall, and a wall behind someone is no cover."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus.fight.explosives.blasts import find_inside as find_in_blast
from combat.rules.cepheus.world.scene import find_light
from combat.rules.core.map.bodies import SIZE, is_unbarred
from combat.rules.core.map.vision import is_seen, make_observers
from combat.rules.core.space import Point
from combat.rules.core.state.state import Item, State
from combat.rules.cosmos.environment import light_at
from combat.rules.cosmos.fight.blast import find_caught
from tests.combat.rules.cepheus.fight.range import duel as cepheus_duel
from tests.combat.rules.cosmos.duels import duel as cosmos_duel
from tests.combat.rules.guardians.stage import GuardStage
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import StarStage

ADA, BO = "f1", "f2"
FAR = 200  # meters of wall to each side
Catch = Callable[[State, Point], set[str]]


class Table(msgspec.Struct, frozen=True):
    """A fight of one game: how it begins, whom a blast at a place catches, and the light there, if any."""

    make: Callable[[], Stage]
    catches: Catch | None = None
    light: Callable[[State, Point], str] | None = None
    is_dark: tuple[tuple[str, str], ...] = ()


def starshock(kind: str) -> Callable[[], Stage]:
    def make() -> Stage:
        stage = StarStage()
        stage.map(kind)
        stage.hero("Ada", "ray_gun", at=(0, 0))
        stage.foe("Bo", "ray_gun", at=(4, 0))
        stage.hold(ADA, "ray_gun")
        return stage.begin(ADA, BO, actions=2)

    return make


def guardians() -> Stage:
    stage = GuardStage()
    stage.hero("Ada", at=(0, 0))
    stage.foe("Bo", at=(4, 0))
    stage.hold_things(ADA, "energy_blaster")
    return stage.begin(ADA, BO)


def catch_cosmos(state: State, at: Point) -> set[str]:
    bomb = Item("w9", "weapon", "Bomb", {"radius_m": 30, "damage": "2d6"})
    return {combatant.id for combatant in find_caught(state, bomb, at)}


def catch_cepheus(state: State, at: Point) -> set[str]:
    return {who for who, _ in find_in_blast(state, at, (10.0, 30.0), state.combatants.values())}


TABLES = {
    "cosmos": Table(lambda: cosmos_duel("pistol"), catch_cosmos, light_at, (("light", "dark"),)),
    "cepheus": Table(lambda: cepheus_duel("rifle"), catch_cepheus, find_light, (("light", "dark"),)),
    "squares": Table(starshock("squares")),
    "hexes": Table(starshock("hexes")),
    "guardians": Table(guardians),
}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
alongs = st.integers(-400, 400).map(lambda n: n / 100)
offs = st.one_of(st.integers(1, 400).map(lambda n: n / 100), st.sampled_from((0.05, 0.3, 0.49, 0.7, 0.735)))
turns = st.sampled_from((0.0, pi / 2, pi / 4, 2.0))
sizes = st.sampled_from((0, 0, 0, 30))  # tenths of a meter
places = st.tuples(alongs, offs)


def divide(table: Table, turn: float, ada: Any, bo: Any, size: int, lamp: Any = None) -> Stage:
    """A fight on both sides of an endless wall, with fog; `size` is that of Bo."""
    stage = table.make()
    for key, value in table.is_dark:
        stage.do("set_setting", key=key, value=value)

    def find_spot(along: float, off: float) -> tuple[float, float]:
        x, y = along * cos(turn) - off * sin(turn), along * sin(turn) + off * cos(turn)
        return round(x, 3), round(y, 3)

    def find_place(along: float, off: float) -> Point:
        x, y = find_spot(along, off)
        if stage.system.space.has_hexes(stage.state):
            return Point(round(x - y / 3**0.5, 3), round(y * 2 / 3**0.5, 3))
        return Point(x, y)

    (x1, y1), (x2, y2) = find_spot(-FAR, 0), find_spot(FAR, 0)
    lamps = [{"id": "l", **dict(zip("xy", find_spot(*lamp), strict=True)), "radius": 50}] if lamp else []
    wall = {"id": "w", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
    stage.do("set_map", map={"walls": [wall], "lights": lamps, "fog": True})
    stage.edit(ADA, at=find_place(*ada))
    stage.edit(BO, at=find_place(*bo), marks={**stage[BO].marks, **({SIZE: size} if size else {})})
    return stage


def sees(stage: Stage) -> bool:
    """Whether Ada's side sees Bo in the fog."""
    eyes = stage.system.find_eyes(stage.state)
    (observer,) = make_observers(stage.state, eyes, ("allies",))
    return is_seen(stage.state, eyes, observer, stage[BO])


@every_table
@given(turns, places, places, sizes)
def test_nobody_acts_through_an_unbroken_wall(
    table: Table, turn: float, ada: tuple[float, float], bo: tuple[float, float], size: int
) -> None:
    stage = divide(table, turn, ada, (bo[0], -bo[1]), size, lamp=ada)
    state, space = stage.state, stage.system.space
    for one, other in ((ADA, BO), (BO, ADA)):
        assert space.sight is not None
        assert not space.sight(state, stage[one], stage[other]).seen
    assert not sees(stage)
    assert not is_unbarred(state, stage.system.find_eyes(state).grid, stage[ADA], stage[BO])
    weapon = next(item.id for item in stage[ADA].items if item.place == "held" and item.kind == "weapon")
    why = stage.refused("attack", ADA, target=BO, weapon=weapon).message
    assert "stands between" in why or "cannot see" in why, why
    if table.catches:
        assert BO not in table.catches(state, stage[ADA].at)
    if table.light:
        assert table.light(state, stage[BO].at) == "dark"


@every_table
@given(turns, places, places, sizes)
def test_a_wall_behind_someone_is_no_cover(
    table: Table, turn: float, ada: tuple[float, float], bo: tuple[float, float], size: int
) -> None:
    stage = divide(table, turn, ada, bo, size, lamp=ada)
    state, space = stage.state, stage.system.space
    for one, other in ((ADA, BO), (BO, ADA)):
        assert space.sight is not None
        found = space.sight(state, stage[one], stage[other])
        assert (found.seen, found.cover) == (True, "")
    assert sees(stage)
    assert is_unbarred(state, stage.system.find_eyes(state).grid, stage[ADA], stage[BO])
    if table.catches:
        assert BO in table.catches(state, stage[ADA].at)
    if table.light:
        assert table.light(state, stage[BO].at) != "dark"


def test_the_reported_shot_through_a_wall() -> None:
    """Less than half a square before a wall: no shot from behind it, no cover on the open side."""
    stage = cepheus_duel("rifle")
    wall = {"id": "w", "x1": -50, "y1": -15, "x2": 50, "y2": -15}
    stage.do("set_map", map={"walls": [wall]})
    stage.edit(ADA, at=Point(0, -40))
    stage.edit(BO, at=Point(0, -14.3))
    assert stage.refused("attack", ADA, target=BO, weapon=stage[ADA].items[0].id).code == "not_allowed"
    stage.edit(ADA, at=Point(0, 10))
    assert not any("cover" in name.lower() for name in stage.terms())
