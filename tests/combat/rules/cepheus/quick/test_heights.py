"""Height counts by the quick rules as by the full ones."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.basics.errors import allows
from tests.combat.rules.cepheus.pairs import PAIRS, make
from tests.combat.rules.every_game.pairs.heights import Way, check_up, find_caught, find_ways, has_area
from tests.combat.rules.every_game.pairs.pairs import prepare

QUICK_PAIRS = replace(PAIRS, system=QUICK, make=lambda: make(QUICK, use_blind_fire=True, use_tactics=True))
# A table by the quick rules plays without some actions
WAYS = [way for way in find_ways(QUICK_PAIRS) if allows(prepare, QUICK_PAIRS, way.tried)]
AREAS = [way for way in WAYS if has_area(QUICK_PAIRS, way)]


@pytest.mark.parametrize("way", WAYS, ids=[way.name for way in WAYS])
def test_what_is_up_is_as_far_as_what_is_along(way: Way) -> None:
    check_up(QUICK_PAIRS, way)


@pytest.mark.parametrize("way", AREAS, ids=[way.name for way in AREAS])
def test_an_area_reaches_no_farther_up_than_along(way: Way) -> None:
    assert all(find_caught(QUICK_PAIRS, way, 0))
    assert not any(find_caught(QUICK_PAIRS, way, 30))
