"""Height counts by the quick rules as by the full ones."""

from __future__ import annotations

from msgspec.structs import replace

from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.basics.errors import allows
from tests.combat.rules.cepheus.pairs import PAIRS, make
from tests.combat.rules.every_game.pairs.heights import Way, check_up, find_ways, has_area
from tests.combat.rules.every_game.pairs.pairs import prepare
from tests.combat.rules.every_game.pairs.test_heights import check_area
from tests.each import find_wrong

QUICK_PAIRS = replace(PAIRS, system=QUICK, make=lambda: make(QUICK, use_blind_fire=True, use_tactics=True))


def find_playable() -> list[Way]:
    """The ways of the quick rules: a table by them plays without some actions."""
    return [way for way in find_ways(QUICK_PAIRS) if allows(prepare, QUICK_PAIRS, way.tried)]


def test_what_is_up_is_as_far_as_what_is_along() -> None:
    ways = find_playable()
    assert len(ways) > 50
    assert not find_wrong(check_up, ((QUICK_PAIRS, way) for way in ways))


def test_an_area_reaches_no_farther_up_than_along() -> None:
    areas = [(QUICK_PAIRS, way) for way in find_playable() if has_area(QUICK_PAIRS, way)]
    assert areas
    assert not find_wrong(check_area, areas)
