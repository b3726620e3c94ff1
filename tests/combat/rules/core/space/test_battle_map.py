"""Changes of a battle map: its parts by their ids."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import BattleMap, Wall
from combat.rules.core.space.battle_map import change_map

WEST, EAST = Wall("w", 0, 0, 0, 9), Wall("e", 9, 0, 9, 9)
FENCE, NORTH = Wall("w", 0, 0, 0, 9, "fence"), Wall("n", 0, 0, 9, 0)
ROOM = BattleMap((WEST, EAST), fog=True)


@pytest.mark.parametrize(
    ("change", "walls"),
    [
        ({}, (WEST, EAST)),
        ({"walls": (FENCE,)}, (FENCE, EAST)),
        ({"walls": (NORTH,)}, (WEST, EAST, NORTH)),
        ({"drop": ("w",)}, (EAST,)),
        ({"walls": (NORTH,), "drop": ("w", "e")}, (NORTH,)),
    ],
)
def test_part_replaces_the_one_of_its_id_or_is_added(change: dict[str, Any], walls: tuple[Wall, ...]) -> None:
    assert change_map(ROOM, **change) == BattleMap(walls, fog=True)
