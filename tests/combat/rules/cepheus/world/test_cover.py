"""Cover, and its change by a stance."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.reactions import dodge_terms
from combat.rules.cepheus.world.cover import NONE, Cover, find_cover, find_kind, look, say_cover
from combat.rules.cepheus.world.scene import COVER_CHOICES
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone


def behind(cover: str, *stance: str, meters: float = 10, **options: Any) -> CepheusStage:
    """Zed in a zone with this cover, Ada in the open this far away."""
    stage = CepheusStage(**options)
    stage.hero("Ada", at=(-meters + 1, 5))
    stage.foe("Zed", at=(1, 5))
    stage.zone("spot", x=0, y=0, width=10, depth=10, cover=cover)
    for kind in stance:
        stage.give(BO, kind)
    return stage


def against(stage: CepheusStage) -> Cover:
    return find_cover(stage.state, ADA, BO)


@pytest.mark.rule("CE-COVER-03")
def test_crouched_and_prone_together_are_one_step() -> None:
    assert against(behind("quarter", "crouched", "prone")).key == "half"


@pytest.mark.rule("CE-STANCE-02")
def test_standing_in_the_open_there_is_nothing() -> None:
    assert against(behind("")) == NONE
    assert against(behind("", "crouched")) == NONE


@pytest.mark.rule("CE-COVER-04")
@pytest.mark.parametrize(("option", "dm"), [("minus_six", -6), ("stays_at_four", -4)])
def test_the_table_may_have_the_last_step_otherwise(option: str, dm: int) -> None:
    found = against(behind("full", "crouched", extra_cover_step=option))
    assert (found.dm, found.beyond) == (dm, False)


@pytest.mark.rule("CE-COVER-02")
def test_zone_cover_counts_from_outside_not_at_personal_range() -> None:
    stage = behind("half")
    stage.edit(ADA, at=type(stage[ADA].at)(9, 5))
    assert against(stage) == NONE
    assert against(behind("half", meters=1.2)) == NONE


@pytest.mark.rule("CE-COVER-01")
def test_the_gm_gives_cover_to_one_combatant() -> None:
    stage = behind("quarter")
    stage.do("set_cover", target=BO, cover="three_quarter")
    assert against(stage).dm == -2
    assert stage.refused("set_cover", target=BO, cover="three_quarter").code == "not_allowed"
    assert stage.refused("set_cover", target=BO, cover="blanket").code == "bad_value"
    stage.do("set_cover", target=BO, cover="")
    assert against(stage).dm == 0


@pytest.mark.rule("CE-SENS-03")
def test_infra_red_looks_through_soft_cover_only() -> None:
    for cover, dm in (("half_soft", 0), ("half", -1)):
        stage = behind(cover)
        stage.edit(ADA, items=stage_with_goggles())
        assert against(stage).dm == dm


HARD_WALL = {"id": "w", "x1": -3, "y1": -9, "x2": -3, "y2": 19, "kind": "window", "cover": "half"}
BUSHES = {"id": "b", "name": "Bushes", "x": -5, "y": -9, "width": 1, "depth": 28, "height": 2}


def between_both(where: str, hard: str = "half", soft: str = "three_quarter_soft") -> CepheusStage:
    """Zed behind something hard and something soft: one from the zone, the other from a mark or the map."""
    if where == "map":
        stage = behind("")
        wall = {**HARD_WALL, "cover": hard, "blocks_sight": False}
        bushes = {**BUSHES, "cover": soft, "blocks_sight": False}
        stage.do("set_map", map={"walls": [wall], "obstacles": [bushes]})
    else:
        stage = behind(soft if where == "mark" else hard)
        stage.do("set_cover", target=BO, cover=hard if where == "mark" else soft)
    return stage


@pytest.mark.rule("CE-SENS-03")
@pytest.mark.parametrize("where", ["mark", "zone", "map"])
def test_infra_red_leaves_hard_cover_behind_a_larger_soft_one(where: str) -> None:
    stage = between_both(where)
    assert find_kind(stage.state, stage[ADA], stage[BO]) == "three_quarter_soft"
    assert against(stage).key == "three_quarter"
    stage.edit(ADA, items=stage_with_goggles())
    assert against(stage) == Cover("half", -1, rule="CE-COVER-07")
    assert dodge_terms(stage.state, BO, ADA)[0].value == -2
    seen = look(stage.state, stage[ADA], stage[BO])
    assert seen.cover == ("half" if where == "map" else "")
    if where == "map":
        assert seen.grade.name == "window"
        assert say_cover(stage.state, stage[ADA], stage[BO], against(stage)) == seen.label


@pytest.mark.rule("CE-SENS-03")
@pytest.mark.parametrize("where", ["mark", "zone", "map"])
def test_infra_red_changes_nothing_if_the_hard_cover_is_as_large(where: str) -> None:
    for soft in ("half_soft", "quarter_soft"):
        stage = between_both(where, soft=soft)
        before = against(stage)
        assert find_kind(stage.state, stage[ADA], stage[BO]) == before.key == "half"
        stage.edit(ADA, items=stage_with_goggles())
        assert against(stage) == before


@pytest.mark.rule("CE-SENS-03")
def test_infra_red_steps_up_the_hard_cover_of_the_crouched() -> None:
    stage = between_both("map")
    stage.give(BO, "crouched")
    assert against(stage).key == "full"
    stage.edit(ADA, items=stage_with_goggles())
    assert against(stage).key == "three_quarter"


def stage_with_goggles() -> tuple[object, ...]:
    """The items of someone with infrared goggles."""
    stage = lone("Eve", gear=["infrared_goggles"])
    return stage[ADA].items


def test_every_cover_a_zone_can_have_is_judged() -> None:
    for key, _ in COVER_CHOICES:
        assert against(behind(key)).key
