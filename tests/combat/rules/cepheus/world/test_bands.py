"""Meters, squares and range bands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus.book.tables import BANDS
from combat.rules.cepheus.world.bands import (
    band_of,
    band_of_squares,
    find_band,
    find_meters,
    is_beside,
    is_personal,
    place_meters,
)
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage

near = st.integers(-80, 80).map(lambda twentieths: twentieths / 20)
places = st.builds(Point, near, near, near)


def apart(meters: float, **options: Any) -> CepheusStage:
    """Two combatants this many meters apart."""
    stage = CepheusStage(**options)
    stage.hero("Ada")
    stage.foe("Zed", at=(meters, 0))
    return stage


@pytest.mark.rule("CE-RANGE-01")
def test_every_distance_is_in_one_band_and_bands_follow_in_order() -> None:
    found = [BANDS.index(band_of(tenths / 10)) for tenths in range(10_001)]
    assert found == sorted(found)
    assert set(found) == set(range(7))


@pytest.mark.rule("CE-RANGE-01")
@pytest.mark.parametrize(
    ("meters", "squares", "band"),
    [
        pytest.param(1.4, 0, "personal", marks=pytest.mark.rule("CE-RANGE-02")),
        pytest.param(1.5, 1, "close", marks=pytest.mark.rule("CE-RANGE-02", "CE-RANGE-03")),
        pytest.param(3, 2, "close", marks=pytest.mark.rule("CE-RANGE-03")),
        pytest.param(10, 8, "short", marks=pytest.mark.rule("CE-RANGE-04")),
        pytest.param(12, 3, "short", marks=pytest.mark.rule("CE-RANGE-04")),
        pytest.param(30, 34, "medium", marks=pytest.mark.rule("CE-RANGE-05")),
        pytest.param(50, 9, "medium", marks=pytest.mark.rule("CE-RANGE-05")),
        pytest.param(50.5, 35, "long", marks=pytest.mark.rule("CE-RANGE-06")),
        pytest.param(250, 166, "long", marks=pytest.mark.rule("CE-RANGE-06")),
        pytest.param(400, 167, "very_long", marks=pytest.mark.rule("CE-RANGE-07")),
        pytest.param(500, 334, "very_long", marks=pytest.mark.rule("CE-RANGE-07")),
        pytest.param(501, 335, "distant", marks=pytest.mark.rule("CE-RANGE-08")),
        pytest.param(600, 335, "distant", marks=pytest.mark.rule("CE-RANGE-08")),
    ],
)
def test_bands_in_meters_and_in_squares(meters: float, squares: int, band: str) -> None:
    assert band_of(meters) == band
    assert band_of_squares(squares) == band
    assert find_band(apart(meters).state, ADA, BO) == band
    grid = apart(1.5 * squares)
    grid.do("set_setting", key="distances", value="squares")
    assert find_band(grid.state, ADA, BO) == band


@pytest.mark.rule("CE-RANGE-01")
@pytest.mark.full_rules
def test_range_beyond_the_limit_is_extreme_if_the_table_plays_it() -> None:
    assert find_band(apart(1000).state, ADA, BO) == "distant"
    assert find_band(apart(1001).state, ADA, BO) == "extreme"
    assert find_band(apart(1001, use_extreme_range=False).state, ADA, BO) == "distant"
    assert find_band(apart(1001, extreme_range_m=5000).state, ADA, BO) == "distant"


@pytest.mark.rule("CE-MINOR-16")
def test_on_a_grid_squares_are_counted_with_diagonals_as_one() -> None:
    stage = apart(12)
    stage.do("set_setting", key="distances", value="squares")
    assert find_meters(stage.state, ADA, BO) == 12
    stage.edit(BO, at=type(stage[BO].at)(12, 12))
    assert find_meters(stage.state, ADA, BO) == 12
    assert find_band(stage.state, ADA, BO) == "short"
    stage.do("set_option", key="grid_distance", value="straight")
    assert find_band(stage.state, ADA, BO) == "medium"


@pytest.mark.rule("CE-RANGE-02")
@pytest.mark.parametrize("distances", ["metres", "squares"])
def test_whoever_is_at_personal_range_is_within_a_square(distances: str) -> None:
    stage = apart(1)
    stage.do("set_setting", key="distances", value=distances)

    @given(places, places, st.sampled_from((0, 20, 45)))
    def check(here: Point, there: Point, tenths: int) -> None:
        stage.edit(ADA, at=here, marks={SIZE: tenths} if tenths else {})
        stage.edit(BO, at=there)
        state = stage.state
        assert is_personal(state, stage[ADA], stage[BO]) == (find_band(state, ADA, BO) == "personal")

    check()


@pytest.mark.parametrize(("distances", "away"), [("metres", 5), ("squares", 4.5)])
def test_height_counts_and_arms_length_is_personal_or_close(distances: str, away: float) -> None:
    stage = apart(3)
    stage.do("set_setting", key="distances", value=distances)
    assert is_beside(stage.state, ADA, BO)
    stage.edit(BO, at=type(stage[BO].at)(3, 0, 4))
    assert find_meters(stage.state, ADA, BO) == away
    assert not is_beside(stage.state, ADA, BO)


@pytest.mark.parametrize("band", BANDS)
def test_groups_are_put_well_inside_a_band(band: str) -> None:
    assert band_of(place_meters(band)) == band


@pytest.mark.rule("CE-MINOR-16")
def test_ruler_counts_squares_on_a_grid_and_says_the_band() -> None:
    stage = apart(12)
    ends = Point(0.4, 0), Point(12.2, 5.7)
    assert stage.system.space.measure(stage.state, *ends).words == "13.1 m, medium"
    stage.do("set_setting", key="distances", value="squares")
    found = stage.system.space.measure(stage.state, *ends)
    assert (found.words, found.end) == ("8 squares, 12 m, short", Point(12, 6))
    assert stage.system.space.measure(stage.state, Point(), Point(1.5, 0)).words == "1 square, 1.5 m, close"
