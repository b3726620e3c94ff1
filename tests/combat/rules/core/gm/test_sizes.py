"""How large somebody is on the map is for the GM to say."""

from __future__ import annotations

import pytest

from combat.rules.core.bodies import metres_of
from tests.combat.rules.core.reading import read_log
from tests.combat.rules.stage import Stage


def test_resize_and_back(duel: Stage) -> None:
    duel.do("resize", target="f2", metres=4.5)
    assert metres_of(duel["f2"]) == 4.5
    assert metres_of(duel["f1"]) == 0
    duel.do("resize", target="f2", metres=0)
    assert duel["f2"].marks == {}, "nothing is stored of it"
    assert read_log(duel) == ["Bo takes up one square of the map."]


def test_who_is_duplicated_has_the_same_size(duel: Stage) -> None:
    duel.do("resize", target="f2", metres=4.5)
    duel.do("duplicate", target="f2", dice=[(2,)])
    assert metres_of(duel["f4"]) == 4.5


@pytest.mark.parametrize("metres", [-1, 61, float("nan"), float("inf")])
def test_no_such_size(duel: Stage, metres: float) -> None:
    assert duel.refused("resize", target="f2", metres=metres).code == "bad_value"


def test_same_size_again_is_refused(duel: Stage) -> None:
    assert duel.refused("resize", target="f2", metres=0).code == "not_allowed"
