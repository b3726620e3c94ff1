"""Scenes turned by 90 degrees, mirrored or moved: their places, walls, directions and dice.

A turn takes any part of a fight and returns it as it is after the turn. Values that only one game knows, such
as marks that name a direction, are in that game's tests (`Directions`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from combat.rules.core.basics.dice.requests import Answer

PLACES = re.compile(r"\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*(;\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*)*")
FULL_CIRCLE = 360
CLOSE = 2e-3  # meters: places are stored to a millimeter


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn of the plane: (x, y) becomes (a·x + b·y + right, c·x + d·y + down)."""

    name: str
    a: int = 1
    b: int = 0
    c: int = 0
    d: int = 1
    right: float = 0.0
    down: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A place after the turn."""
        return self.a * x + self.b * y + self.right, self.c * x + self.d * y + self.down

    def way(self, x: float, y: float) -> tuple[float, float]:
        """A direction after the turn."""
        return self.a * x + self.b * y, self.c * x + self.d * y

    @property
    def is_mirror(self) -> bool:
        """Whether left and right change places."""
        return self.a * self.d - self.b * self.c < 0

    def bearing(self, degrees: float) -> float:
        """Degrees clockwise from the top of the map, after the turn."""
        x, y = self.way(0, -1)
        top = {(0, -1): 0, (1, 0): 90, (0, 1): 180, (-1, 0): 270}[int(x), int(y)]
        return (top - degrees if self.is_mirror else top + degrees) % FULL_CIRCLE


TURNS = (
    Turn("turned right", 0, -1, 1, 0),
    Turn("turned left", 0, 1, -1, 0),
    Turn("turned round", -1, 0, 0, -1),
    Turn("mirrored left to right", -1, 0, 0, 1),
    Turn("mirrored top to bottom", 1, 0, 0, -1),
    Turn("moved", right=30.0, down=-45.0),
)


@dataclass(frozen=True, eq=False)
class Directions:
    """A game's values that name a direction.

    `bearings` are marks and fields in degrees clockwise from the top of the map. `dice` are rolls, by rule,
    whose face names a direction: the degrees of its face 1, of the step to the next, and their number.
    `compass` are its words for the eight directions from east counterclockwise, `sides` those that a mirror
    swaps. `chosen` are prefixes of places for which the rules choose one of several free spots, `chosen_how`
    moves that end in such a spot, `chosen_marks` prefixes of marks that name one of several: any of them will
    do.
    """

    bearings: frozenset[str] = frozenset()
    dice: Mapping[str, tuple[float, float, int]] = field(default_factory=dict)
    compass: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ("zone:",)
    chosen_how: frozenset[str] = frozenset()
    chosen_marks: tuple[str, ...] = ("none",)

    @cached_property
    def ways(self) -> re.Pattern[str]:
        """Any word for a direction."""
        return re.compile(rf"\b({'|'.join(self.compass)})\b")


def turn_data(turn: Turn, directions: Directions, data: Any) -> Any:
    """Plain data after a turn; places are recognized by their form."""
    if isinstance(data, str):
        return _turn_text(turn, directions, data)
    if isinstance(data, dict):
        return _turn_dict(turn, directions, data)
    if isinstance(data, (list, tuple)):
        return [turn_data(turn, directions, each) for each in data]
    return data


@lru_cache(10_000)  # names, ids and kinds stay the same for a whole fight
def _turn_text(turn: Turn, directions: Directions, text: str) -> str:
    if _is_json(text):
        return json.dumps(turn_data(turn, directions, json.loads(text)))
    return _turn_words(turn, directions, text)


def _turn_words(turn: Turn, directions: Directions, words: str) -> str:
    """The places in a field of a form, such as "4,4; 6,1", and the words for directions."""
    if directions.compass:
        words = directions.ways.sub(lambda m: _turn_way(turn, directions, m[0]), words)
    if directions.sides and turn.is_mirror:
        left, right = directions.sides
        words = re.sub(rf"\b({left}|{right})\b", lambda m: right if m[0] == left else left, words)
    if not PLACES.fullmatch(words):
        return words
    spots = (turn.point(*map(float, spot.split(","))) for spot in words.split(";"))
    return ";".join(f"{x:g},{y:g}" for x, y in spots)


def _turn_way(turn: Turn, directions: Directions, way: str) -> str:
    bearing = turn.bearing(90 - 45 * directions.compass.index(way))
    return directions.compass[round((90 - bearing) / 45) % 8]


def _turn_dict(turn: Turn, directions: Directions, data: dict[str, Any]) -> dict[str, Any]:
    if "obstacles" in data:  # sides of 1 m are left out of stored data
        data = {**data, "obstacles": [{"width": 1.0, "depth": 1.0, **thing} for thing in data["obstacles"]]}
    found = {
        _turn_words(turn, directions, key) if ":" in key else key: turn_data(turn, directions, value)
        for key, value in data.items()
    }
    if data.get("key") in directions.bearings and isinstance(data.get("value"), int):
        found["value"] = round(turn.bearing(data["value"]))
    for key in directions.bearings & data.keys():
        if data[key] is not None and str(data[key]) != "":
            turned = turn.bearing(float(data[key]))
            found[key] = f"{turned:g}" if isinstance(data[key], str) else type(data[key])(turned)
    if "x" in data or "x1" in data:
        found |= _turn_place(turn, data)
    return found


def _turn_place(turn: Turn, data: dict[str, Any]) -> dict[str, Any]:
    """A line, a rectangle, a direction or a point, if these are the fields of one."""
    if {"x1", "y1", "x2", "y2"} <= data.keys():
        x1, y1 = turn.point(data["x1"], data["y1"])
        x2, y2 = turn.point(data["x2"], data["y2"])
        return {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    if {"x", "y", "width", "depth"} <= data.keys():
        return _turn_box(turn, data)
    if not {"x", "y"} <= data.keys() or data["x"] is None:
        return {}
    x, y = (turn.way if _is_way(data) else turn.point)(data["x"], data["y"])
    return {"x": round(x), "y": round(y)} if _is_way(data) else {"x": x, "y": y}


def _is_way(data: dict[str, Any]) -> bool:
    """Whether x and y name a direction, in whole thousandths."""
    return isinstance(data["x"], int) and isinstance(data["y"], int)


def _turn_box(turn: Turn, box: dict[str, Any]) -> dict[str, Any]:
    """A rectangle, by its corner, width and depth."""
    xs, ys = zip(
        turn.point(box["x"], box["y"]),
        turn.point(box["x"] + box["width"], box["y"] + box["depth"]),
        strict=True,
    )
    return {"x": min(xs), "y": min(ys), "width": max(xs) - min(xs), "depth": max(ys) - min(ys)}


def turn_thing(turn: Turn, directions: Directions, thing: Any) -> Any:
    """A struct after a turn."""
    plain = msgspec.to_builtins(thing)
    return msgspec.convert(turn_data(turn, directions, plain), type(thing))


def turn_answer(turn: Turn, directions: Directions, answer: Answer) -> Answer:
    """An answer after a turn: a die that names a direction shows the turned one."""
    if answer.rule not in directions.dice or not answer.faces:
        return msgspec.structs.replace(answer, value=_turn_words(turn, directions, answer.value))
    start, step, many = directions.dice[answer.rule]
    bearing = turn.bearing(start + step * (answer.faces[0] - 1))
    face = round((bearing - start) / step) % many + 1
    return msgspec.structs.replace(answer, faces=(face,))


def find_differences(one: Any, other: Any, place: str = "") -> list[str]:
    """The paths at which two pieces of plain data differ; numbers closer than CLOSE are equal."""
    if _is_json(one) and _is_json(other):
        return find_differences(json.loads(one), json.loads(other), place)
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(one[key], other[key], f"{place}.{key}") for key in one]
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        pairs = [(a, b, f"{place}[{n}]") for n, (a, b) in enumerate(zip(one, other, strict=True))]
    elif isinstance(one, float | int) and isinstance(other, float | int):
        return [] if abs(one - other) <= CLOSE else [f"{place}: {one} and {other}"]
    else:
        return [] if one == other else [f"{place}: {one!r} and {other!r}"]
    return [text for a, b, where in pairs for text in find_differences(a, b, where)]


def _is_json(thing: Any) -> bool:
    """Whether a text is a record in JSON, such as one that waits for the end of a shared count."""
    if not (isinstance(thing, str) and thing.startswith('{"')):
        return False
    with suppress(ValueError):
        return isinstance(json.loads(thing), dict)
    return False
