"""Explosions on the battle map: walls keep them out, and those named are those hit."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.attacks.attack import find_spread
from combat.rules.cepheus.fight.explosives.blasts import find_caught
from combat.rules.core.commands.commands import read_command
from combat.rules.core.space import Point
from combat.rules.core.space.rays.area_shapes import covers
from combat.rules.core.state import events as e
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO

WALL = {"id": "w", "x1": 21, "y1": -9, "x2": 21, "y2": 9}


def range_with(*walls: dict[str, Any], **options: Any) -> tuple[RangeStage, str]:
    """Bo stands 20 m from Ada, Cy 2 m behind Bo."""
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"}, **options)
    cy = stage.join("Cy", 22, profile="FFF777")
    stage.do("set_map", map={"walls": walls})
    return stage, cy


def named(stage: RangeStage, name: str = "attack", **fields: str) -> tuple[str, ...]:
    """Those in the blast by the form, each in one of the drawn shapes."""
    action = stage.system.action(name)
    command = read_command(action, {"actor": ADA, "weapon": stage[ADA].items[0].id, **fields})
    assert action.find_caught
    assert action.find_area
    caught, shapes = action.find_caught(stage.state, command), action.find_area(stage.state, command)
    assert all(sum(covers(shape, stage[who].at) for shape in shapes) == 1 for who in caught)
    assert [(shape.kind, shape.meters, shape.inner) for shape in shapes] == [
        ("circle", 3.0, 0.0),
        ("ring", 6.0, 3.0),
        ("ring", 9.0, 6.0),
    ]
    return caught


def hurt(stage: RangeStage) -> set[str]:
    return {told.who for told in stage.told(e.TrackChanged) if told.old != told.new}


@pytest.mark.rule("CE-EXPL-01")
def test_an_explosion_does_not_reach_behind_a_wall() -> None:
    for walls, count in (((), 2), ((WALL,), 1)):
        stage, cy = range_with(*walls)
        caught = named(stage, target=BO)
        assert set(caught) == {BO, cy} if count == 2 else {BO}
        stage.attack((6, 6), *[(4, 4, 4, 4, 4)])
        assert hurt(stage) == set(caught)


@pytest.mark.rule("CE-EXPL-01")
def test_at_a_place_beyond_a_window_it_gets_through() -> None:
    window = {**WALL, "kind": "window", "blocks_sight": False, "cover": ""}
    stage, cy = range_with(window)
    assert set(named(stage, "lob", to="20,0")) == {BO, cy}


@pytest.mark.rule("CE-EXPL-01")
def test_a_table_may_let_explosions_through() -> None:
    stage, cy = range_with(WALL, walls_stop_blasts=False)
    assert set(named(stage, target=BO)) == {BO, cy}


@pytest.mark.rule("CE-SHOT-04")
def test_flechettes_spread_to_nobody_behind_a_wall() -> None:
    thin = {**WALL, "x1": 20.6, "x2": 20.6}
    for walls, count in (((), 2), ((thin,), 1)):
        stage = duel("shotgun", 20, foe={"profile": "FFF777"})
        stage.arm(ADA, "shotgun")
        stage.join("Cy", 21.3, profile="FFF777")
        stage.do("set_map", map={"walls": walls, "cell": 0.5})  # bodies so small that a wall fits between
        found = find_those_shot_at(stage)
        assert len(found) == count


def find_those_shot_at(stage: RangeStage) -> tuple[str, ...]:
    return find_spread(stage.state, stage[ADA], stage[BO])


@pytest.mark.rule("CE-EXPL-01")
def test_body_over_several_squares_is_caught_where_it_is_nearest() -> None:
    stage = duel()
    truck = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 3, "armor": 6}, "metres": 6.0}
    truck_id = stage.machine("Truck", (40, 0), truck)
    rings = ((3.0, "5d6"), (6.0, "3d6"), (9.0, "1d6"))
    caught = find_caught(stage.state, Point(36, 0), rings)
    assert [(each.who, each.ring) for each in caught] == [(truck_id, 0)]


@pytest.mark.rule("CE-BLIND-01", "CE-EXPL-01")
@pytest.mark.full_rules
def test_a_blind_throw_names_those_around_the_place() -> None:
    stage, cy = range_with()
    caught = named(stage, "blind_lob", to="20,0")
    assert set(caught) == {BO, cy}
    stage.do("blind_lob", ADA, weapon=f"{ADA}-w1", to="20,0", dice=((6, 6, 6), (4, 4, 4, 4, 4)))
    assert hurt(stage) == set(caught)


@pytest.mark.rule("CE-BLIND-01", "CE-EXPL-01")
@pytest.mark.full_rules
def test_blind_throw_names_nobody_beyond_the_wall_that_stops_it() -> None:
    stage, _ = range_with({"id": "w", "x1": 15, "y1": -90, "x2": 15, "y2": 90})
    assert named(stage, "blind_lob", to="20,0") == ()
    shown = stage.preview("blind_lob", ADA, weapon=stage[ADA].items[0].id, to="20,0")
    assert stage.system.draw(shown.stopped) == "A wall stops it on the way."


@pytest.mark.rule("CE-BLIND-01", "CE-THROW-02")
@pytest.mark.full_rules
@pytest.mark.parametrize("name", ["lob", "blind_lob"])
def test_a_throw_starts_with_a_place_before_any_wall(name: str) -> None:
    stage, _ = range_with({"id": "w", "x1": 15, "y1": -90, "x2": 15, "y2": 90})
    di = stage.join("Di", 13, side="enemies")
    place = next(f for f in stage.system.action(name).find_fields(stage.state, ADA) if f.name == "to")
    assert place.value == f"front:{di}"


@pytest.mark.rule("CE-BLIND-01", "CE-BLIND-04")
def test_blind_shots_at_a_place_cover_no_area_and_move_nobody() -> None:
    stage = duel()
    action = stage.system.action("blind_lob")
    command = read_command(action, {"actor": ADA, "weapon": f"{ADA}-w1", "to": "10,0"})
    assert action.find_caught
    assert action.find_area
    assert (action.find_caught(stage.state, command), action.find_area(stage.state, command)) == ((), ())
    assert not action.leads_there
