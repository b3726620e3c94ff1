"""The charts of a report: strength by round, and luck as a curve.

Across, places are percent of the width, so that one drawing fits every screen and its words keep their size;
down, they are pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from statistics import NormalDist

from combat.display.combatants.tokens import Look
from combat.play.after.reports import WHOLE, Stand, StrengthCurve, Swing

TOP, HEIGHT = 64, 150  # pixels: what lies above the areas of strength, and the areas
WIDE = 1000  # units across an area
STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000)  # between lines of the scale
MOST_LINES, MOST_ROUNDS, MOST_SHORT = 4, 12, 6
CLOSE = 9.0  # percent: nearer flags take turns in two rows
CURVE, CURVE_TOP, SPREAD = 110, 44, 2.6  # pixels, pixels, standard deviations to either side
GAP, EDGE = 16.0, 6.0  # percent: between two faces at least, and from the edges


@dataclass(frozen=True)
class Area:
    """The strength of a side: its `fill` and `edge` as SVG paths, what is left and of how much."""

    side: str
    tone: str
    look: Look | None
    fill: str
    edge: str
    left: str
    most: str


@dataclass(frozen=True)
class Flag:
    """A turning point on the chart: its number, where it is, and the place of its dot."""

    number: int
    across: float
    down: int
    dot: float

    @property
    def top(self) -> int:
        """Where its diamond begins."""
        return self.down - 13


@dataclass(frozen=True)
class Mark:
    """A line of a scale with its label; `is_main` if it is also shown where there is little room."""

    at: float
    words: str
    is_main: bool = True


@dataclass(frozen=True)
class Chart:
    """Strength by round. `lines` lie across, at pixels; `starts` and labels of `rounds` are at percent."""

    areas: tuple[Area, ...]
    lines: tuple[Mark, ...]
    starts: tuple[float, ...]
    rounds: tuple[Mark, ...]
    flags: tuple[Flag, ...]
    in_points: bool
    told: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """A side to draw: its name, the CSS class of its tone, and a face."""

    name: str
    tone: str
    look: Look | None


def draw_chart(course: StrengthCurve, sides: Sequence[Side], turns: Sequence[Swing]) -> Chart:
    """The strength of these sides by round, with the turning points in their order."""
    places = find_places(course.stands)
    tops = {side.name: course.find_most(side.name) or 1 for side in sides}
    values = {side.name: [course.add_up(side.name, one) for one in course.stands] for side in sides}
    if not course.in_points:  # percent of each side, so that it does not matter how many they are
        values = {name: [round(WHOLE * one / tops[name]) for one in each] for name, each in values.items()}
        tops = dict.fromkeys(tops, WHOLE)
    top = max(tops.values(), default=1)
    areas = tuple(
        _draw_area(side, places, values[side.name], top=top, tops=tops, course=course) for side in sides
    )
    rounds = max((stand.round for stand in course.stands), default=1) or 1
    return Chart(
        areas=areas,
        lines=tuple(_mark_lines(top, in_points=course.in_points)),
        starts=tuple(round(WHOLE * n / rounds, 2) for n in range(1, rounds)),
        rounds=tuple(_mark_rounds(rounds)),
        flags=tuple(_put_flags(course, turns, places, values=values, top=top)),
        in_points=course.in_points,
        told=tuple(_tell_rounds(course, sides, values)),
    )


def find_places(stands: Sequence[Stand]) -> list[float]:
    """Where each stand is across the chart, in percent: rounds are equally wide, steps share their round."""
    rounds = max((stand.round for stand in stands), default=1) or 1
    by_round = [max(1, stand.round) for stand in stands]
    places, seen = [], 0
    for place, number in enumerate(by_round):
        seen = seen + 1 if place and by_round[place - 1] == number else 0
        share = seen / (by_round.count(number) + (number == rounds))
        places.append(WHOLE * (number - 1 + share) / rounds)
    return places


def _draw_area(
    side: Side, places: list[float], values: list[int], top: int, tops: dict[str, int], course: StrengthCurve
) -> Area:
    """Steps, no slopes: strength falls when a blow falls."""
    edge = f"M0 {_find_height(values[0], top):g}" if values else "M0 0"
    for place, (was, now) in zip(places[1:], pairwise(values), strict=True):
        if now != was:
            edge += f"H{place * WIDE / WHOLE:.1f}V{_find_height(now, top):g}"
    edge += f"H{WIDE}"
    left = values[-1] if values else 0
    most = f"of {tops[side.name]}" if course.in_points else ""
    words = str(left) if course.in_points else f"{left}%"
    return Area(side.name, side.tone, side.look, fill=f"{edge}V{HEIGHT}H0z", edge=edge, left=words, most=most)


def _find_height(value: float, top: int) -> float:
    return round(HEIGHT * (1 - value / top), 1)


def _mark_lines(top: int, *, in_points: bool) -> Iterable[Mark]:
    step = next((step for step in STEPS if top / step <= MOST_LINES), top)
    for value in range(0, top + 1, step):
        yield Mark(TOP + _find_height(value, top), f"{value}" if in_points else f"{value}%")


def _mark_rounds(rounds: int) -> Iterable[Mark]:
    wide = -(-rounds // MOST_ROUNDS)
    every = wide * -(-rounds // wide // MOST_SHORT)
    for number in range(1, rounds + 1, wide):
        at = round(WHOLE * (number - 0.5) / rounds, 2)
        yield Mark(at, str(number), is_main=(number - 1) % every == 0)


def _put_flags(
    course: StrengthCurve, turns: Sequence[Swing], places: list[float], values: dict[str, list[int]], top: int
) -> Iterable[Flag]:
    last, is_low = -100.0, False
    for number, turn in enumerate(turns, start=1):
        across = places[turn.place]
        is_low = across - last < CLOSE and not is_low
        last, side = across, course.sides.get(turn.who, "")
        value = values[side][turn.place] if side in values else 0
        yield Flag(number, round(across, 2), 44 if is_low else 16, TOP + _find_height(value, top))


def _tell_rounds(course: StrengthCurve, sides: Sequence[Side], values: dict[str, list[int]]) -> Iterable[str]:
    """The chart for those who hear it: the strength of each side at the end of each round."""
    last = {stand.round: place for place, stand in enumerate(course.stands)}
    unit = "" if course.in_points else "%"
    for number, place in last.items():
        told = ", ".join(f"{side.name} {values[side.name][place]}{unit}" for side in sides)
        yield f"Round {number}: {told}."


@dataclass(frozen=True)
class Lucky:
    """Someone on the curve of luck: their face, and where that, its line and its dot are."""

    name: str
    look: Look | None
    percent: int
    across: float
    down: float
    slot: float
    face: float

    @property
    def top(self) -> float:
        """Where the picture of the face begins."""
        return self.face - 14

    @property
    def short(self) -> str:
        """A name that fits between two others."""
        first = self.name.split()[0]
        return first if len(first) < 10 else f"{first[:8]}…"


@dataclass(frozen=True)
class Curve:
    """The curve of luck as SVG paths, and everyone on it."""

    edge: str
    fill: str
    people: tuple[Lucky, ...]


def draw_curve(people: Iterable[tuple[str, Look | None, int, float]]) -> Curve:
    """The curve with everyone on it: name, look, percent as shown, and the share of fights with less luck."""
    ordered = sorted(people, key=lambda one: one[3])
    places = [_find_across(share) for *_, share in ordered]
    marks = []
    for (name, look, percent, _), across, slot in zip(ordered, places, spread(places), strict=True):
        face = _find_down(slot) - 22
        marks.append(
            Lucky(
                name,
                look,
                percent,
                across=round(across, 2),
                down=round(_find_down(across), 1),
                slot=slot,
                face=round(face, 1),
            )
        )
    spots = [n * WIDE / 40 for n in range(41)]
    line = " ".join(f"{x:g} {_find_down(WHOLE * x / WIDE) - CURVE_TOP:.1f}" for x in spots)
    return Curve(f"M{line}", f"M{line}V{CURVE}H0z", tuple(marks))


def spread(places: Sequence[float]) -> list[float]:
    """Places in rising order moved apart, so that two are GAP percent apart, as far as there is room."""
    gap = min(GAP, (WHOLE - 2 * EDGE) / max(1, len(places) - 1))
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + gap if found else EDGE))
    end = WHOLE - EDGE
    for number in reversed(range(len(found))):
        found[number] = min(found[number], end)
        end = found[number] - gap
    return [round(place, 2) for place in found]


def _find_across(share: float) -> float:
    """Where a share of all fights lies on the curve, in percent of its width."""
    deviation = NormalDist().inv_cdf(min(0.999, max(0.001, share)))
    return WHOLE * (0.5 + max(-SPREAD, min(SPREAD, deviation)) / SPREAD / 2)


def _find_down(across: float) -> float:
    deviation = (across / WHOLE - 0.5) * 2 * SPREAD
    return CURVE_TOP + CURVE * (1 - exp(-deviation * deviation / 2))
