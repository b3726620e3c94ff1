"""A ship of two decks for tests of every game: a hold below, quarters above; a ladder, a shaft, a hatch."""

from __future__ import annotations

from typing import Any

SHIFT, HEIGHT = 24, 3
LADDER = {"id": "ladder", "kind": "ladder", "x1": 4, "y1": 6, "x2": 28, "y2": 6}
SHAFT = {"id": "shaft", "kind": "shaft", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [37, 5, 3, 3]}
HATCH = {"id": "hatch", "kind": "hatch", "x1": 18, "y1": 1, "x2": 42, "y2": 1, "open": False}
DECKS = [
    {"id": "low", "name": "Hold", "x": -1, "y": -1, "width": 22, "depth": 14},
    {
        "id": "high",
        "name": "Quarters",
        "x": 23,
        "y": -1,
        "width": 22,
        "depth": 14,
        "height": HEIGHT,
        "shift": SHIFT,
    },
]


def make_ship(*ways: dict[str, Any], fog: bool = False) -> dict[str, Any]:
    """The map of the ship with these ways."""
    return {"decks": DECKS, "ways": list(ways), "fog": fog}


def make_zones() -> list[dict[str, Any]]:
    """A zone for each deck; the upper one lies at its height."""
    box = {"width": 22, "depth": 14, "y": -1}
    return [
        {"id": "z1", "name": "Hold", "x": -1, **box},
        {"id": "z2", "name": "Quarters", "x": 23, **box, "height": HEIGHT},
    ]
