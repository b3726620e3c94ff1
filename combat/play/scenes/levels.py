"""Levels of a scene of Foundry VTT (14 and later), which become decks here.

A scene lists them with an id, a name and how high they begin and end. A wall or a light names the ids of its
levels, none for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from combat.rules.core.basics.checking import tidy
from combat.rules.core.space import BattleMap, Scene, Zone, map_of
from combat.rules.core.space.decks import MAX_DECKS

from .stacking import RISE_M, change_deck, stack_map

MAX_NAME, MAX_HEIGHT = 40, 500.0  # letters; meters


@dataclass(frozen=True)
class Level:
    """A level: its id in the file, its name, the height of its floor in meters, and its map.

    `picture` and `front` say whether it has a picture, and one above people.
    """

    id: str
    name: str
    height: float
    picture: bool = False
    front: bool = False
    map: BattleMap = field(default_factory=BattleMap)


def read_any(encoded: msgspec.Raw) -> Any:
    """The value of a field that nothing depends on; None for a missing one, or one nested too deeply."""
    try:
        return msgspec.json.decode(encoded) if bytes(encoded) else None
    except (msgspec.MsgspecError, RecursionError):
        return None


def read_levels(encoded: msgspec.Raw, meters: float) -> tuple[Level, ...]:
    """The levels of a scene from below, as many as a map has decks; none if it has fewer than two.

    A unit of the file is so many meters. Without heights that differ they are as far apart as drawn decks.
    """
    found = [(_find_bottom(row), n, row) for n, row in enumerate(_find_rows(encoded))]
    if len(found) < 2:
        return ()
    found = sorted(found, key=lambda one: one[:2])[:MAX_DECKS]
    heights = [round(min(max(bottom * meters, -MAX_HEIGHT), MAX_HEIGHT), 2) for bottom, _, _ in found]
    if len(set(heights)) < len(heights):
        heights = [n * RISE_M for n in range(len(found))]
    return tuple(
        Level(
            row["_id"],
            tidy(str(row.get("name") or ""))[:MAX_NAME] or f"Deck {n}",
            height,
            picture=_has_picture(row.get("background")),
            front=_has_picture(row.get("foreground")),
        )
        for n, ((_, _, row), height) in enumerate(zip(found, heights, strict=True), 1)
    )


def _find_bottom(row: dict[str, Any]) -> float:
    """How high a level begins, in the unit of the file; 0 for one that says nothing."""
    height = row.get("elevation")
    bottom = height.get("bottom") if isinstance(height, dict) else None
    return float(bottom) if isinstance(bottom, int | float) and abs(bottom) < 1e6 else 0.0


def _has_picture(said: Any) -> bool:
    """Whether a field of a level names a picture, as its text or in its `src`."""
    return bool(said.get("src") if isinstance(said, dict) else isinstance(said, str) and said)


def count_levels(encoded: msgspec.Raw) -> int:
    """The number of levels in a scene, with those that are too many here."""
    return len(_find_rows(encoded))


def _find_rows(encoded: msgspec.Raw) -> list[dict[str, Any]]:
    rows = read_any(encoded)
    known = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row for row in known if isinstance(row.get("_id"), str)]


def is_on(encoded: msgspec.Raw, level: str) -> bool:
    """Whether a wall or a light is on a level, by the ids that it names."""
    named = read_any(encoded)
    return level in named if isinstance(named, list) and named else True


def lay_levels(scene: Scene, levels: tuple[Level, ...], zone: Zone, cell: float) -> Scene:
    """The scene of the lowest level with the others above it as decks."""
    for level in levels[1:]:
        scene = stack_map(scene, level.map, zone, cell, name=level.name)
    for deck, level in zip(map_of(scene).decks, levels, strict=True):
        scene = change_deck(scene, deck.id, name=level.name, height=level.height)
    return scene
