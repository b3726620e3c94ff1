"""Crowded tokens: if some would cover one another all are drawn smaller, and those moved apart if needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from math import cos, dist, pi, radians, sin

from combat.rules.core.space import Spot, Wall

from .names import Box

TOKEN_METERS = 2.3  # the width of a token at scale 1
MIN_SIZE = 0.7  # of the usual size
CLEAR = 0.65  # of a token that must not be covered by the next one
ROUNDS = 8
NAMES_AT = (2.4, -1.4)  # from a token's middle to its name below or above it, at scale 1
LETTER, HEIGHT = 0.5, 0.9  # meters of a name's letters, at scale 1
LETTERS = 0.9  # their font size
HIDDEN = 1.75  # meters from the middle of a token to the edge of what it hides on a narrow map, at scale 1
BODY = 2.1  # height in meters of a token that hides what is below, at scale 1
WIDE = 0.56  # the width of a drawn vehicle, of its length
RIDE, RIDER = 1.5, 0.28  # the size of a vehicle, of the usual; that of those inside, of the vehicle's
# Seats of a vehicle: ahead of its middle and right of it, as shares of its length; more people share seats
SEATS = ((0.17, -0.1), (-0.16, 0.1), (0.17, 0.1), (-0.16, -0.1))
CELL = 4.0  # meters of the squares by which walls near tokens are found
THICK = 0.2  # meters from the middle of a wall to its edge
TURN = 2.4  # radians from one token to the next where several stand in one place
MANY = 4  # in one place are drawn in a ring around it


def spread(spots: list[Spot], scale: float, clear: float = CLEAR) -> list[tuple[Spot, float]]:
    """The place and the size of each drawn token: unchanged, unless two are in each other's way.

    All have one size, as people do: the nearest two decide it. `clear` is how far apart two are pushed, of
    the width of a token.
    """
    wide = TOKEN_METERS * scale
    near = _find_near(spots, wide)
    if not near:
        return [(spot, scale) for spot in spots]
    size = max(MIN_SIZE * scale, min(apart for _, _, apart in near) / TOKEN_METERS)
    return [(spot, size) for spot in _part(spots, size, clear)]


def step_aside(
    spot: Spot,
    size: float,
    rides: Iterable[tuple[Spot, float, float]],
    is_home: Callable[[Spot], bool] = lambda spot: True,
) -> Spot:
    """The place of a drawn token beside vehicles that it would cover, each with its middle, its length in
    meters and its heading in degrees: the nearest that `is_home`, such as the same zone."""
    for (x, y), length, heading in rides:
        ahead, half = (sin(radians(heading)), -cos(radians(heading))), TOKEN_METERS * size / 2
        along = (spot[0] - x) * ahead[0] + (spot[1] - y) * ahead[1]
        across = (spot[1] - y) * ahead[0] - (spot[0] - x) * ahead[1]
        long, wide = length / 2 + half, WIDE * length / 2 + half
        if abs(along) >= long or abs(across) >= wide:
            continue
        beside = [(along, wide), (along, -wide), (long, across), (-long, across)]
        beside.sort(key=lambda way: abs(way[0] - along) + abs(way[1] - across))
        ways = [(x + a * ahead[0] - b * ahead[1], y + a * ahead[1] + b * ahead[0]) for a, b in beside]
        spot = next((way for way in ways if is_home(way)), ways[0])
    return spot


def _find_near(spots: list[Spot], wide: float) -> list[tuple[int, int, float]]:
    """The pairs that are nearer than a token is wide, and their distance in meters."""
    order = sorted(range(len(spots)), key=lambda n: spots[n])
    found = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            if spots[other][0] - spots[one][0] >= wide:
                break
            apart = dist(spots[one], spots[other])
            if apart < wide - 0.01:
                found.append((one, other, apart))
    return found


def _fan_out(spots: list[Spot], size: float) -> list[Spot]:
    """The places, those of many in one place on a ring around it: each can be seen and pressed."""
    groups: dict[Spot, list[int]] = {}
    for place, spot in enumerate(spots):
        groups.setdefault(spot, []).append(place)
    fanned = list(spots)
    for (x, y), group in groups.items():
        if len(group) < MANY:
            continue
        radius = TOKEN_METERS * size / (2 * sin(pi / len(group)))
        for number, one in enumerate(group):
            turn = 2 * pi * number / len(group)
            fanned[one] = (x + radius * sin(turn), y - radius * cos(turn))
    return fanned


def _part(spots: list[Spot], size: float, clear: float) -> list[Spot]:
    """The places, each pair that still overlaps pushed apart along the line between them."""
    moved = _fan_out(spots, size)
    for _ in range(ROUNDS):
        pushed = False
        for one, other, apart in _find_near(moved, TOKEN_METERS * size):
            lacks = clear * TOKEN_METERS * size - apart
            if lacks > 0.01:
                _push(moved, one, other, lacks / 2)
                pushed = True
        if not pushed:
            break
    return [
        at if at == old else (round(at[0], 2), round(at[1], 2)) for at, old in zip(moved, spots, strict=True)
    ]


def _push(moved: list[Spot], one: int, other: int, meters: float) -> None:
    """Move two places `meters` away from each other; equal ones in a direction that depends on a number."""
    (x1, y1), (x2, y2) = moved[one], moved[other]
    apart = dist(moved[one], moved[other])
    across, down = (
        ((x2 - x1) / apart, (y2 - y1) / apart) if apart > 0.01 else (cos(TURN * other), sin(TURN * other))
    )
    moved[one] = x1 - across * meters, y1 - down * meters
    moved[other] = x2 + across * meters, y2 + down * meters


def take_seat(spot: Spot, scale: float, heading: float, number: int) -> Spot:
    """The place of a seat in a vehicle drawn at `spot`; `heading` in degrees clockwise from the top."""
    ahead, right = SEATS[number % len(SEATS)]
    turn, long = radians(heading), TOKEN_METERS * scale
    x = spot[0] + long * (ahead * sin(turn) + right * cos(turn))
    y = spot[1] + long * (right * sin(turn) - ahead * cos(turn))
    return round(x, 2), round(y, 2)


def find_body(spot: Spot, scale: float) -> Box:
    """The box of the map that a token hides."""
    (x, y), half = spot, HIDDEN * scale
    return x - half, y - half, x + half, y + half


def find_name(name: str, spot: Spot, scale: float, name_at: float) -> Box:
    """The box of a token's name."""
    (x, y), wide = spot, len(name) * LETTER * scale / 2
    low = y + name_at * scale
    return x - wide, low - HEIGHT * scale, x + wide, low


def place_name(
    name: str,
    spot: Spot,
    scale: float,
    drawn: list[tuple[Spot, float]],
    names: Iterable[Box] = (),
    larger: float = 0,
) -> float:
    """How far below a token's middle its name fits, clear of tokens and names; 0 if nowhere.

    `larger` is how much farther out than usual the token's edge is, in meters at scale 1.
    """
    for at in (NAMES_AT[0] + larger, NAMES_AT[1] - larger):
        box, middle = find_name(name, spot, scale, at), spot[1] + (at - HEIGHT / 3) * scale
        near = [
            x
            for (x, y), size in drawn
            if abs(x - spot[0]) < (len(name) * LETTER * scale + BODY * size) / 2
            and abs(y - middle) < (HEIGHT * scale + BODY * size) / 2
            and (x, y) != spot
        ]
        if not near and not any(overlaps(box, other) for other in names):
            return at
    return 0


def find_walls(walls: Iterable[Wall], spots: list[Spot]) -> list[list[Box]]:
    """The boxes of the straight walls near each of these spots."""
    squares: dict[tuple[int, int], list[Box]] = {}
    around = [_list_squares(x - CELL, y - CELL, x + CELL, y + CELL) for x, y in spots]
    for square in chain.from_iterable(around):
        squares[square] = []
    for one in walls:
        left, top, right, low = (
            min(one.x1, one.x2),
            min(one.y1, one.y2),
            max(one.x1, one.x2),
            max(one.y1, one.y2),
        )
        if right - left > THICK and low - top > THICK:
            continue  # a slanted one: its box says little
        for square in _list_squares(left, top, right, low):
            if square in squares:
                squares[square].append((left - THICK, top - THICK, right + THICK, low + THICK))
    return [list(chain.from_iterable(squares[square] for square in near)) for near in around]


def _list_squares(left: float, top: float, right: float, low: float) -> list[tuple[int, int]]:
    rows = range(int(top // CELL), int(low // CELL) + 1)
    return [(x, y) for x in range(int(left // CELL), int(right // CELL) + 1) for y in rows]


def overlaps(one: Box, other: Box) -> bool:
    """Whether two boxes share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
