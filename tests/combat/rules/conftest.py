"""Fixtures of the tests of the rules."""

from __future__ import annotations

import pytest

from tests.combat.rules import tiny
from tests.combat.rules.games import set_up
from tests.combat.rules.stage import Stage


@pytest.fixture
def duel() -> Stage:
    """The made-up game: Ada (f1) has the turn, her foes Bo (f2) and Cy (f3) stand 1 and 2 m away."""
    stage = set_up(tiny.SYSTEM)
    for who, x in (("f1", 0.0), ("f2", 1.0), ("f3", 2.0)):
        stage.do("place", target=who, x=x, y=0)
    return stage.begin("f1", "f2", "f3")
