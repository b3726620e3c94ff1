"""Cover, and its change by a stance."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.world.cover import NONE, Cover, find_cover, is_shut_in
from combat.rules.cepheus.world.scene import COVER_CHOICES
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone


def behind(cover: str, *stance: str, metres: float = 10, **options: Any) -> CepheusStage:
    """Zed in a zone with this cover, Ada in the open this far away."""
    stage = CepheusStage(**options)
    stage.hero("Ada", at=(-metres + 1, 5))
    stage.foe("Zed", at=(1, 5))
    stage.zone("spot", x=0, y=0, width=10, depth=10, cover=cover)
    for kind in stance:
        stage.give(BO, kind)
    return stage


def against(stage: CepheusStage) -> Cover:
    return find_cover(stage.state, ADA, BO)


@pytest.mark.rule("CE-COVER-01", "CE-COVER-02")
@pytest.mark.parametrize(
    ("cover", "standing", "crouched"),
    [
        pytest.param("quarter", 0, -1, marks=pytest.mark.rule("CE-COVER-06")),
        pytest.param(
            *("half", -1, -2),
            marks=pytest.mark.rule("CE-COVER-07", "CE-STANCE-02", "CE-STANCE-04", "CE-STANCE-07"),
        ),
        pytest.param("three_quarter", -2, -4, marks=pytest.mark.rule("CE-COVER-08")),
        pytest.param("half_soft", -1, -2, marks=pytest.mark.rule("CE-COVER-07")),
    ],
)
def test_the_rows_of_cover_and_one_step_for_who_is_low(cover: str, standing: int, crouched: int) -> None:
    assert against(behind(cover)).dm == standing
    for stance in ("crouched", "prone"):
        assert against(behind(cover, stance)).dm == crouched


@pytest.mark.rule("CE-COVER-03")
def test_crouched_and_prone_together_are_one_step() -> None:
    assert against(behind("quarter", "crouched", "prone")).key == "half"


@pytest.mark.rule("CE-STANCE-02")
def test_standing_in_the_open_there_is_nothing() -> None:
    assert against(behind("")) == NONE
    assert against(behind("", "crouched")) == NONE


@pytest.mark.rule("CE-COVER-09", "CE-COVER-04", "CE-COVER-05")
def test_low_in_full_cover_nobody_is_hit_and_nobody_fires() -> None:
    stage = behind("full")
    assert (against(stage).dm, against(stage).beyond) == (-4, False)
    assert not is_shut_in(stage.state, BO, ADA)
    stage = behind("full", "prone")
    assert against(stage).beyond
    assert is_shut_in(stage.state, BO, ADA)
    assert not is_shut_in(stage.state, ADA, BO)


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
    assert against(behind("half", metres=1.2)) == NONE


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
