"""Cover and sight on the battle map: obstacles between two combatants, in the book's levels of cover."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state.events import Checked
from tests.combat.rules.cosmos.duels import ADA, BO, defense, duel, strike, sums
from tests.combat.rules.cosmos.figures import CosmosStage, words

WALL = {"id": "w", "x1": 5, "y1": -9, "x2": 5, "y2": 9}
CRATE = {"id": "c", "name": "Crate", "x": 8, "cover": "heavy"}


def across(weapon: str = "pistol", apart: float = 10, **parts: Any) -> CosmosStage:
    """Bo ten meters east of Ada, with a map between them."""
    stage = duel(weapon, apart=apart)
    stage.do("set_map", map=parts)
    return stage


@pytest.mark.rule("COS-COVER-01", "COS-COVER-03", "COS-DEF-03")
@pytest.mark.parametrize(
    ("crate", "bonus", "label"),
    [
        ({"y": 0.6, "depth": 2}, 0, ""),
        ({"y": 0.2, "depth": 2}, 2, "Light cover: 8 of 16 lines cross the crate"),
        ({"y": -0.26, "depth": 2}, 4, "Heavy cover: 9 of 16 lines cross the crate"),
        ({"y": -2, "depth": 4}, 4, "Heavy cover: 16 of 16 lines cross the crate"),
        ({"y": -2, "depth": 4, "cover": "light"}, 2, "Light cover: 16 of 16 lines cross the crate"),
    ],
)
def test_cover_by_how_many_lines_cross_a_crate(crate: dict[str, Any], bonus: int, label: str) -> None:
    stage = across(obstacles=[{**CRATE, **crate}])
    assert defense(stage) == 18 + bonus
    found = [words(term.label) for term in sums(stage).against]
    assert [text for text in found if "cover" in text] == ([label] if label else [])
    assert strike(stage, "pistol", (2, 3)).against == 18 + bonus


@pytest.mark.rule("COS-MOD-04")
def test_the_form_says_otherwise_for_one_attack() -> None:
    stage = across(obstacles=[{**CRATE, "y": -2, "depth": 4}])
    assert (defense(stage), defense(stage, cover="none"), defense(stage, cover="light")) == (22, 18, 20)


@pytest.mark.rule("COS-COVER-05")
def test_nothing_is_shot_through_a_wall() -> None:
    stage = across(walls=[WALL])
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.item(ADA, "pistol").id)
    assert refused.message == "A wall stands between Ada and Bo: no direct attack reaches them."
    told = stage.do(
        "attack",
        ADA,
        target=BO,
        weapon=stage.item(ADA, "pistol").id,
        cover="none",
        guess="yes",
        dice=[(2, 3)],
    )
    assert any(isinstance(fact.event, Checked) for fact in told)


@pytest.mark.rule("COS-COVER-05")
def test_glass_that_stops_shots_is_total_cover() -> None:
    stage = across(walls=[{**WALL, "kind": "window", "blocks_sight": False}])
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.item(ADA, "pistol").id)
    assert refused.message == "Bo is in total cover: no direct attack reaches them."


@pytest.mark.rule("COS-COVER-05", "COS-ATK-05")
def test_blades_reach_round_a_crate() -> None:
    """RULING R50: in melee only if the form says that the obstacle is between them."""
    crate = {**CRATE, "x": 0.6, "y": -2, "width": 0.2, "depth": 4}
    assert defense(across("club", 1, obstacles=[crate]), "club") == 18


def test_look_tells_what_the_map_says_of_two() -> None:
    stage = across(obstacles=[{**CRATE, "y": -0.26, "depth": 2}])
    found = stage.system.space.sight(stage.state, stage[ADA], stage[BO]) if stage.system.space.sight else None
    assert found is not None
    assert (found.seen, found.cover, found.rule) == (True, "heavy", "COS-COVER-03")
    assert stage.system.draw(found.label) == "Heavy cover: 9 of 16 lines cross the crate"
