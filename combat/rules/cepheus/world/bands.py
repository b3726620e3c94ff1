"""The distance of two combatants: meters, squares, and the range band."""

from __future__ import annotations

import math
from bisect import bisect_left

from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.parts import Measured
from combat.rules.core.map.bodies import SIZE, meters_of, nearest
from combat.rules.core.space import Point, Zone, distance, find_across, on_ground
from combat.rules.core.state.state import Combatant, State

from ..book.options import DARK, LIGHT, LOW_LIGHT, OPTIONS, find_option, find_setting
from ..book.tables import BANDS, EXTREME, RANGE_BANDS, SQUARE_METERS

SQUARES = "squares"
PERSONAL, CLOSE = BANDS[0], BANDS[1]
LAST = BANDS[-1]
EDGE = 0.001
ARM_LENGTH = SQUARE_METERS - EDGE  # meters: Personal range is nearer
# meters: the least limit a table may set for extreme range
MIN_LIMIT = next(o.number[0] for o in OPTIONS if o.key == "extreme_range_m" and o.number)
_ENDS = [RANGE_BANDS[band].to_m + EDGE for band in BANDS[1:-1]]  # the last band has no end
# Usual starting ranges by kind of fight; the first is suggested  [CE-RANGE-20] [CE-RANGE-21] [CE-RANGE-22]
SITES = {"tight": ("short",), "outdoors": ("medium",), "open": ("long", "very_long")}
DARKNESS_CAPS = {DARK: "short", LOW_LIGHT: "medium"}  # CE-RANGE-23, CE-RANGE-24


def is_grid(state: State) -> bool:
    """Whether distances are counted in squares of 1.5 m.

    [CE-MINOR-16] RULING R31: diagonals count as one, unless the table measures straight.
    """
    on_squares = state.scene.settings.get("distances") == SQUARES
    return on_squares and find_option(state, "grid_distance") == SQUARES


def count_squares(a: Point, b: Point) -> int:
    """Squares between two places of a grid, height included, diagonals as one."""
    x = b.x if a.shift == b.shift else a.x + find_across(a, b)
    across = max(abs(_square(a.x) - _square(x)), abs(_square(a.y) - _square(b.y)))
    return across if a.z == b.z else max(across, abs(_square(a.z) - _square(b.z)))


def _square(meters: float) -> int:
    return math.floor(meters / SQUARE_METERS + 0.5)


def snap(state: State, place: Point) -> Point:
    """The middle of the square that a place lies in on a grid; elsewhere the place itself."""
    if not is_grid(state):
        return place
    x, y = (_square(meters) * SQUARE_METERS for meters in (place.x, place.y))
    return Point(x, y, place.z, place.shift)


def find_combatant(state: State, who: Combatant | str) -> Combatant:
    """A combatant by id; a combatant is returned as it is."""
    return state[who] if isinstance(who, str) else who


def find_meters(state: State, a: Combatant | str, b: Combatant | str) -> float:
    """Meters between two combatants, height included; on a grid 1.5 m for each square."""
    one = state[a] if isinstance(a, str) else a
    other = state[b] if isinstance(b, str) else b
    here, there = nearest(one, other, SQUARE_METERS)
    if state.scene.settings.get("distances") == SQUARES:
        return measure(state, here, there)
    return distance(here, there)


def measure(state: State, here: Point, there: Point) -> float:
    """Meters between two places; on a grid 1.5 m for each square.  [CE-MINOR-16]"""
    if state.scene.settings.get("distances") == SQUARES and is_grid(state):
        return count_squares(here, there) * SQUARE_METERS
    return distance(here, there)


def find_band(state: State, a: Combatant | str, b: Combatant | str) -> str:
    """The range band of two combatants: personal, close, short, medium, long, very_long or distant.

    [CE-RANGE-01] Beyond the table's limit it is extreme, by table option.  RULING R44
    """
    one = state[a] if isinstance(a, str) else a
    other = state[b] if isinstance(b, str) else b
    return _find_band(state, *nearest(one, other, SQUARE_METERS))


def _find_band(state: State, here: Point, there: Point) -> str:
    if state.scene.settings.get("distances") == SQUARES and is_grid(state):
        squares = count_squares(here, there)
        return band_of_squares(squares) if squares * SQUARE_METERS <= find_limit(state) else EXTREME
    meters = distance(here, there)
    return band_of(meters) if meters <= MIN_LIMIT else find_band_of(state, meters)


def is_personal(state: State, a: Combatant, b: Combatant) -> bool:
    """Whether two combatants are at Personal range: never with a square or more between them."""
    if SIZE in a.marks or SIZE in b.marks:
        here, there = nearest(a, b, SQUARE_METERS)
    else:
        here, there = a.at, b.at
    if abs(here.x - there.x) >= SQUARE_METERS or abs(here.y - there.y) >= SQUARE_METERS:
        return False
    if state.scene.settings.get("distances") == SQUARES:
        return _find_band(state, here, there) == PERSONAL
    return distance(here, there) < ARM_LENGTH


def is_in_body(combatant: Combatant, place: Point) -> bool:
    """Whether a place on the plane is inside the squares that a combatant covers."""
    half = max(SQUARE_METERS, meters_of(combatant)) / 2 + EDGE
    return max(abs(combatant.at.x - place.x), abs(combatant.at.y - place.y)) <= half


def find_limit(state: State) -> float:
    """The distance in meters beyond which range is extreme; infinite if the table has no such range.
    RULING R44"""
    if not find_option(state, "use_extreme_range"):
        return math.inf
    return float(find_option(state, "extreme_range_m"))


def find_band_of(state: State, meters: float) -> str:
    """The range band of a distance in meters in this encounter."""
    if meters > MIN_LIMIT and meters > find_limit(state) + EDGE:
        return EXTREME
    return band_of(meters)


def band_of(meters: float) -> str:
    """The range band of a distance in meters.

    [CE-RANGE-02] [CE-RANGE-03] [CE-RANGE-04] [CE-RANGE-05] [CE-RANGE-06] [CE-RANGE-07] [CE-RANGE-08]
    RULING R31: the upper edge of a band belongs to it. RULING R76: 1.5 m itself is Close.
    """
    if meters < ARM_LENGTH:
        return PERSONAL
    return BANDS[1 + bisect_left(_ENDS, meters)]


def band_of_squares(squares: int) -> str:
    """The range band of a number of squares.  RULING R31: 334 squares are still Very Long."""
    return next((b for b in BANDS if squares <= RANGE_BANDS[b].squares_high), LAST)


def is_beside(state: State, a: Combatant | str, b: Combatant | str) -> bool:
    """Whether two combatants are at arm's length: Personal or Close.  RULING R31"""
    return find_band(state, a, b) in (PERSONAL, CLOSE)


def find_starting_band(state: State, site: str, wanted: str = "") -> str:
    """The starting range: as chosen, else as usual at the site; darkness reduces it.

    [CE-RANGE-19] [CE-RANGE-20] [CE-RANGE-21] [CE-RANGE-22]
    [CE-RANGE-23] [CE-RANGE-24] Total darkness allows Short at most, partial darkness Medium.  RULING R61
    """
    band = wanted or SITES[site][0]
    light = find_setting(state, "light") if find_option(state, "use_conditions") else LIGHT
    cap = DARKNESS_CAPS.get(light, LAST)
    return min(band, cap, key=BANDS.index)


def place_meters(band: str) -> float:
    """A distance in meters well inside a band, for placing groups."""
    row = RANGE_BANDS[band]
    middle = math.floor((row.from_m + row.to_m) / SQUARE_METERS / 2 + 0.5) * SQUARE_METERS
    return min(middle, row.to_m - 0.5)


def describe_way(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance of the middle of a zone from someone: "30 m, medium"."""
    return describe_distance(state, combatant, zone.centre)


def describe_far(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, with the range band: "14 m, medium"."""
    return f"{round(find_meters(state, one, other), 1):g} m, {find_band(state, one, other).replace('_', ' ')}"


def measure_places(state: State, a: Point, b: Point) -> Measured:
    """The distance between two places with the range band; on a grid by squares.  [CE-MINOR-16]"""
    start, end = (on_ground(state.scene, snap(state, place)) for place in (a, b))
    meters = measure(state, start, end)
    words = f"{say_number(meters)} m, {find_band_of(state, meters).replace('_', ' ')}"
    if is_grid(state):
        squares = count_squares(start, end)
        words = f"{squares} square{'s' if squares != 1 else ''}, {words}"
    return Measured(words, start, end)


def describe_distance(state: State, combatant: Combatant, place: Point) -> str:
    """The distance of a place from someone, with the range band."""
    meters = measure(state, combatant.at, place)
    return f"{meters:.0f} m, {find_band_of(state, meters).replace('_', ' ')}"
