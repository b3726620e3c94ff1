"""The GM sets how large someone is on the map."""

from __future__ import annotations

import pytest

from combat.rules import SYSTEMS
from combat.rules.core.map.bodies import meters_of
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage


def test_resize_and_back(duel: Stage) -> None:
    duel.do("resize", target="f2", metres=4.5)
    assert meters_of(duel["f2"]) == 4.5
    assert meters_of(duel["f1"]) == 0
    duel.do("resize", target="f2", metres=0)
    assert duel["f2"].marks == {}, "nothing is stored of it"
    assert read_log(duel) == ["Bo now covers one square."]


@pytest.mark.parametrize("meters", [-1, 61, float("nan"), float("inf")])
def test_no_such_size(duel: Stage, meters: float) -> None:
    assert duel.refused("resize", target="f2", metres=meters).code == "bad_value"


def test_same_size_again_is_refused(duel: Stage) -> None:
    assert duel.refused("resize", target="f2", metres=0).code == "not_allowed"


@pytest.fixture(params=SYSTEMS)
def crawler(request: pytest.FixtureRequest) -> Stage:
    """Only one stat block of each game says 4.5 m."""
    stage = Stage(request.param)
    block = next(iter(stage.system.book.find_blocks().values()))
    stage.do("join", sheet={**block.sheet, "metres": 4.5}, name="Crawler", side="crew")
    return stage


def test_size_of_a_sheet_comes_along(crawler: Stage) -> None:
    assert meters_of(crawler["f1"]) == 4.5
    sheet = {**crawler["f1"].sheet, "metres": 99}
    assert crawler.refused("join", sheet=sheet, name="Hulk", side="crew").code == "bad_value"
    plain = {key: value for key, value in sheet.items() if key != "metres"}
    crawler.do("join", sheet=plain, name="Scout", side="crew")
    assert meters_of(crawler["f2"]) == 0
    assert "metres" not in crawler["f2"].sheet, "of one square nothing is stored"


def test_copy_is_as_large_as_its_original_is_now(crawler: Stage) -> None:
    crawler.do("resize", target="f1", metres=0)
    crawler.do("duplicate", target="f1")
    assert meters_of(crawler["f2"]) == 0
    crawler.do("resize", target="f1", metres=3)
    crawler.do("duplicate", target="f1")
    assert meters_of(crawler["f3"]) == 3
