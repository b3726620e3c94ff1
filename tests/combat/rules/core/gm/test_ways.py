"""Ways over several decks: the fewest first, then the nearest. `every_game/test_decks.py` has two decks."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.gm.ways import find_ways_to
from combat.rules.core.space import Point, on_ground
from tests.combat.rules.every_game.decks import HEIGHT, SHIFT
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.stage import Stage

ADA = "f1"
DECKS = ("hold", "quarters", "bridge", "mast")


def climb(name: str, low: int, high: int, x: int, **more: Any) -> dict[str, Any]:
    """A ladder at `x` from a deck to a higher one."""
    ends = {"x1": SHIFT * low + x, "y1": 6, "x2": SHIFT * high + x, "y2": 6}
    return {"id": name, "kind": "ladder", **ends, **more}


def board(*ways: dict[str, Any]) -> Stage:
    """Ada in the hold of a ship of four decks."""
    stage = next(iter(TABLES.values())).make()
    box = {"y": -1, "width": 22, "depth": 14}
    decks = [
        {
            "id": name,
            "name": name.capitalize(),
            "x": SHIFT * n - 1,
            "height": HEIGHT * n,
            "shift": SHIFT * n,
            **box,
        }
        for n, name in enumerate(DECKS)
    ]
    zones = [{key: deck[key] for key in ("id", "name", "x", "height", *box)} for deck in decks]
    stage.do("set_scene", scene={"zones": zones, "settings": dict(stage.state.scene.settings)})
    stage.do("set_map", map={"decks": decks, "ways": list(ways)})
    return stage


def find(stage: Stage, here: int, there: int) -> list[str]:
    """The ways that lead on from a deck to another, for someone at its left end."""
    at, goal = (on_ground(stage.state.scene, Point(SHIFT * deck, 6)) for deck in (here, there))
    stage.edit(ADA, at=at)
    return [trip.way.id for trip in find_ways_to(stage.state, stage[ADA], goal)]


FEW = climb("few", 0, 2, 18)  # to the bridge at once, at the far end
NEAR, NEXT = climb("near", 0, 1, 2), climb("next", 0, 1, 9)
ON, UP = climb("on", 1, 2, 5), climb("up", 2, 3, 5)


@pytest.mark.parametrize(
    ("ways", "here", "there", "wanted"),
    [
        ((NEAR, ON, UP), 0, 3, ["near"]),
        ((NEAR, ON, UP), 3, 0, ["up"]),
        ((NEAR, ON, UP), 1, 3, ["on", "near"]),
        ((NEAR, ON, UP), 2, 0, ["on", "up"]),
        ((NEAR, NEXT, ON, UP, FEW), 0, 3, ["few", "near", "next"]),
        ((NEAR, NEXT, ON, UP, FEW), 0, 2, ["few", "near", "next"]),
        ((NEAR, NEXT, ON, UP, FEW), 0, 1, ["near", "next", "few"]),
        ((NEAR, NEXT, ON, UP, FEW), 2, 0, ["few", "on", "up"]),
        ((NEAR, ON, UP, {**FEW, "open": False, "locked": True}), 0, 3, ["near"]),
        ((NEAR, UP, FEW), 0, 3, ["few", "near"]),  # from the quarters one has to come back
        ((NEAR, ON), 0, 3, []),
        ((NEAR, ON, {**UP, "open": False, "locked": True}), 0, 3, []),
        ((NEAR, ON, UP), 1, 1, []),
    ],
)
def test_ways_with_the_fewest_further_ones_come_first(
    ways: tuple[dict[str, Any], ...], here: int, there: int, wanted: list[str]
) -> None:
    assert find(board(*ways), here, there) == wanted
