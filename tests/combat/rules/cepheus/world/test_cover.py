"""Cover, and its change by a stance."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.world.cover import NONE, Cover, find_cover
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
def test_cover_of_a_zone_counts_against_attacks_from_outside_and_not_at_personal_range() -> None:
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


def stage_with_goggles() -> tuple[object, ...]:
    """The items of someone with infrared goggles."""
    stage = lone("Eve", gear=["infrared_goggles"])
    return stage[ADA].items


def test_every_cover_a_zone_can_have_is_judged() -> None:
    for key, _ in COVER_CHOICES:
        assert against(behind(key)).key
