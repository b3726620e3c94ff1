"""Boxes of a map: what lies within another one."""

from __future__ import annotations

import pytest

from combat.display.map.token_names import is_inside

EDGE = (1.0, 2.0, 9.0, 8.0)


def test_box_that_touches_the_edge_lies_within() -> None:
    assert is_inside(EDGE, EDGE)


@pytest.mark.parametrize(
    "box", [(0.9, 2.0, 9.0, 8.0), (1.0, 1.9, 9.0, 8.0), (1.0, 2.0, 9.1, 8.0), (1.0, 2.0, 9.0, 8.1)]
)
def test_box_beyond_one_side_does_not(box: tuple[float, float, float, float]) -> None:
    assert not is_inside(box, EDGE)
