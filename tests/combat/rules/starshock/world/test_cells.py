"""The cells that a straight path crosses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.space import Point
from combat.rules.starshock.world.paths import find_cells
from tests.combat.rules.stage import Stage

FAR = st.integers(-9, 9)


@pytest.mark.rule("SS-MAP-04")
@given(FAR, FAR, FAR, FAR)
def test_path_crosses_the_same_cells_wherever_it_lies(dx: int, dy: int, x: int, y: int) -> None:
    state = Stage("starshock").state
    plain = find_cells(state, (Point(0, 0), Point(dx, dy)))
    moved = find_cells(state, (Point(x, y), Point(x + dx, y + dy)))
    assert [(p.x + x, p.y + y) for p in plain] == [(p.x, p.y) for p in moved]
    turned = find_cells(state, (Point(0, 0), Point(dy, -dx)))
    assert [(p.y, -p.x) for p in plain] == [(p.x, p.y) for p in turned]
