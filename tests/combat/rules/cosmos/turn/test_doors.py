"""Doors of the battle map, used by those who stand beside them."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import map_of
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, duel
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.reading import read_log

HATCH = {"id": "d1", "x1": 0.5, "y1": -1, "x2": 0.5, "y2": 1, "kind": "door", "name": "Hatch"}


def beside(*others: dict[str, Any], **changes: Any) -> CosmosStage:
    """Ada stands half a meter west of a hatch, Bo three meters east of her."""
    stage = duel("pistol", apart=3)
    stage.do("set_map", map={"walls": [{**HATCH, **changes}, *others]})
    return stage


def is_open(stage: CosmosStage, door: str = "d1") -> bool:
    return next(wall.open for wall in map_of(stage.state.scene).walls if wall.id == door)


@pytest.mark.rule("COS-ACT-11")
def test_opening_a_door_beside_one_takes_a_move_action() -> None:
    stage = beside()
    stage.do("door", ADA, door="d1")
    assert is_open(stage)
    assert (stage[ADA].budget["move"], stage[ADA].budget["standard"]) == (0, 1)
    assert "Ada opens Hatch." in read_log(stage)
    assert not stage.told(e.Said)[0].args.get("words")


@pytest.mark.rule("COS-ACT-11")
def test_an_open_door_is_shut_for_the_same() -> None:
    stage = beside(open=True)
    stage.do("door", ADA, door="d1")
    assert not is_open(stage)
    assert stage[ADA].budget["move"] == 0
    assert "Ada shuts Hatch." in read_log(stage)


@pytest.mark.rule("COS-ACT-11")
def test_who_opened_it_sees_and_shoots_through() -> None:
    stage = beside()
    weapon = stage.item(ADA, "pistol").id
    assert "stands between" in stage.refused("attack", ADA, target=BO, weapon=weapon).message
    stage.do("door", ADA, door="d1")
    stage.do("attack", ADA, target=BO, weapon=weapon, dice=[(2, 2)])


@pytest.mark.rule("COS-ACT-11")
def test_a_locked_door_stays_the_gms() -> None:
    stage = beside(locked=True)
    assert stage.refused("door", ADA, door="d1").message == "Hatch is locked: the GM can unlock it."
    stage.do("set_door", door="d1", locked=False)
    stage.do("door", ADA, door="d1")
    assert is_open(stage)


@pytest.mark.rule("COS-ACT-11")
def test_a_secret_door_and_none_at_all_are_refused_alike() -> None:
    stage = beside(secret=True)
    secret, none = (stage.refused("door", ADA, door=door).message for door in ("d1", "d9"))
    assert secret == none == "No door is within reach: move next to one first."
    assert stage.obstacle("door", ADA) == none


@pytest.mark.rule("COS-ACT-11")
def test_a_door_out_of_reach_or_behind_a_wall_is_not_offered() -> None:
    wall = {"id": "w1", "x1": 0.2, "y1": -2, "x2": 0.2, "y2": 2}
    for stage in (beside(x1=1.2, x2=1.2), beside(wall)):
        for given in ({"door": "d1"}, {"what": "Hatch"}, {}):
            assert "No door is within reach" in stage.refused("door", ADA, **given).message
        (field,) = fields(stage)
        assert not field.options


@pytest.mark.rule("COS-ACT-11")
def test_words_on_a_map_open_the_door_beside_one_or_none() -> None:
    stage = beside()
    stage.do("door", ADA, what="the hatch")
    assert is_open(stage)
    second = {**HATCH, "id": "d2", "x1": -0.5, "x2": -0.5}
    stage = beside(second)
    assert stage.refused("door", ADA, what="the hatch").message == "2 doors are within reach: choose one."
    assert stage[ADA].budget["move"] == 1


@pytest.mark.rule("COS-ACT-11")
@pytest.mark.parametrize(
    ("drawn", "has_words"),
    [
        ({}, True),
        ({"picture": {"digest": "0" * 64}}, True),
        ({"walls": [{"id": "w1", "x1": 9, "y1": -1, "x2": 9, "y2": 1}]}, False),
        ({"fog": True}, False),
        ({"hidden": [{"id": "h1", "x": 20, "y": 20, "width": 2, "depth": 2}]}, False),
    ],
)
def test_a_door_in_words_needs_a_scene_without_drawn_walls(drawn: dict[str, Any], has_words: bool) -> None:
    stage = duel("pistol", apart=3)
    stage.do("set_map", map=drawn)
    assert [field.name for field in fields(stage)] == (["what"] if has_words else ["door"])
    assert bool(stage.obstacle("door", ADA)) != has_words
    if has_words:
        stage.do("door", ADA, what="the airlock")
        assert "Ada opens a door: the airlock" in read_log(stage)


@pytest.mark.rule("COS-ACT-11")
def test_nobody_shuts_a_door_on_someone() -> None:
    stage = beside(open=True)
    stage.do("place", target=BO, x=0.5, y=0)
    refused = stage.refused("door", ADA, door="d1")
    assert refused.message == "Bo stands in the doorway: wait until it is clear."
    (field,) = fields(stage)
    assert [(o.label, o.refused) for o in field.options] == [("Shut Hatch", refused.message)]


@pytest.mark.rule("COS-ACT-11")
def test_the_form_names_doors_as_the_page_does() -> None:
    second = {**HATCH, "id": "d2", "x1": -0.5, "x2": -0.5, "open": True, "name": ""}
    (field,) = fields(beside(second))
    assert [(o.value, o.label) for o in field.options] == [("d1", "Open Hatch"), ("d2", "Shut door 2")]


def fields(stage: CosmosStage) -> tuple[Any, ...]:
    return stage.system.action("door").find_fields(stage.state, ADA)
