"""Whether a rectangle lies wholly in an area that the GM has not revealed."""

from __future__ import annotations

import pytest

from combat.rules.core.space.battle_map import Area, is_box_hidden

LEFT, RIGHT = Area("a", 10, 20, 6, 4), Area("b", 16, 20, 6, 4)


@pytest.mark.parametrize(
    ("box", "is_hidden"),
    [
        ((10, 20, 6, 4), True),  # the whole area
        ((12, 21, 2, 2), True),
        ((10, 22, 1, 2), True),  # along an edge
        ((9.9, 21, 2, 2), False),
        ((12, 19.9, 2, 2), False),
        ((14.5, 21, 7.6, 2), False),
        ((12, 22.5, 2, 1.6), False),
        ((14, 21, 4, 2), False),  # half in each of two areas
        ((17, 21, 2, 2), True),  # in the second
        ((30, 21, 2, 2), False),
        ((12, 40, 2, 2), False),
    ],
)
def test_a_box_is_hidden_where_one_area_holds_all_of_it(
    box: tuple[float, float, float, float], *, is_hidden: bool
) -> None:
    assert is_box_hidden([LEFT, RIGHT], *box) == is_hidden
    x, y, width, depth = box
    turned = [Area(one.id, one.y, one.x, one.depth, one.width) for one in (LEFT, RIGHT)]
    assert is_box_hidden(turned, y, x, depth, width) == is_hidden, "the same across"


def test_without_areas_nothing_is_hidden() -> None:
    assert not is_box_hidden([], 0, 0, 1, 1)
