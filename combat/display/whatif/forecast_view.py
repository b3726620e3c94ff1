"""A forecast as pages show it: bars of the chances, how they converge, how long fights last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from combat.play.whatif.forecast_jobs import Job
from combat.rules.core.odds.forecast import Ending, find_margin

NOBODY = "No winner"
WIDTH, HEIGHT = 600, 200  # of the picture of the curves, in its own units
BAR_WIDTH, BAR_GAP, BAR_HEIGHT = 8, 2, 40
MAX_POINTS = 100  # of a curve
SCALE = (1, 10, 100, 1000)  # fights under the picture
MAX_BARS = 30  # of rounds; the last one counts all longer fights
ROWS = (10, 25, 50, 100, 250, 500)  # fights in the table of numbers, besides the last


@dataclass(frozen=True)
class ChanceBar:
    """A chance in percent, and the margin around it."""

    label: str
    tone: str
    percent: int
    low: int
    high: int

    @property
    def margin(self) -> str:
        """ "61–67%", or one number if both are the same."""
        return f"{self.low}%" if self.low == self.high else f"{self.low}\N{EN DASH}{self.high}%"

    @property
    def width(self) -> int:
        """The drawn width of its margin in percent: at least 1, to be visible."""
        return max(1, self.high - self.low)


@dataclass(frozen=True)
class Curve:
    """How the chance of one side converges: line and margin as paths; `look` distinguishes lines."""

    label: str
    tone: str
    look: int
    line: str
    band: str


@dataclass(frozen=True)
class Row:
    """The chances after this number of fights, one for each side."""

    fights: int
    chances: tuple[ChanceBar, ...]


@dataclass(frozen=True)
class RoundBar:
    """How many of the fights lasted this number of rounds."""

    rounds: int
    x: int
    y: float
    height: float


@dataclass(frozen=True)
class RoundsView:
    """How long the fights lasted."""

    mean: str
    bars: tuple[RoundBar, ...]
    low: int
    most: str
    words: str

    @property
    def width(self) -> int:
        """The width of the picture."""
        return len(self.bars) * (BAR_WIDTH + BAR_GAP)


@dataclass(frozen=True)
class ForecastView:
    """Everything shown of a forecast with at least one fight."""

    wins: tuple[ChanceBar, ...]
    drops: tuple[ChanceBar, ...]
    curves: tuple[Curve, ...]
    rows: tuple[Row, ...]
    scale: tuple[int, ...]
    rounds: RoundsView


def view_forecast(job: Job, tones: Mapping[str, str]) -> ForecastView:
    """A forecast with at least one fight; `tones` are the colours of the sides."""
    counts = {side: _count_up(job.endings, side) for side in job.sides}
    undecided = _count_up(job.endings, "")
    if undecided[-1]:
        counts[""] = undecided
    return ForecastView(
        tuple(_view_side(side, tones, won, job.done) for side, won in counts.items()),
        _view_drops(job, tones),
        tuple(_draw_curve(side, tones, look, won) for look, (side, won) in enumerate(counts.items())),
        tuple(
            Row(n, tuple(_view_side(side, tones, won, n) for side, won in counts.items()))
            for n in (*(n for n in ROWS if n < job.done), job.done)
        ),
        SCALE,
        _view_rounds(job.endings),
    )


def _count_up(endings: list[Ending], side: str) -> list[int]:
    """How many of the first 0, 1, 2… fights a side has won; "" counts those that nobody has won."""
    counts = [0]
    for ending in endings:
        counts.append(counts[-1] + (ending.winner == side))
    return counts


def _view_side(side: str, tones: Mapping[str, str], won: list[int], fights: int) -> ChanceBar:
    return _view_chance(side or NOBODY, tones.get(side, ""), won[fights], fights)


def _view_chance(label: str, tone: str, times: int, fights: int) -> ChanceBar:
    low, high = find_margin(times / fights, fights)
    return ChanceBar(label, tone, round(100 * times / fights), round(100 * low), round(100 * high))


def _view_drops(job: Job, tones: Mapping[str, str]) -> tuple[ChanceBar, ...]:
    """The chances to drop, of everybody by side, the most endangered first."""
    dropped = Counter(who for ending in job.endings for who in ending.dropped)
    ranked = sorted(job.names, key=lambda who: (job.side_of.get(who, ""), -dropped[who]))
    order = {side: place for place, side in enumerate(job.sides)}
    ranked.sort(key=lambda who: order.get(job.side_of.get(who, ""), len(order)))
    return tuple(
        _view_chance(job.names[who], tones.get(job.side_of.get(who, ""), ""), dropped[who], job.done)
        for who in ranked
    )


def _find_points(fights: int) -> list[int]:
    """The numbers of fights at the points of a curve, evenly spread in the picture."""
    spread = (round(SCALE[-1] ** (place / MAX_POINTS)) for place in range(MAX_POINTS + 1))
    return sorted({fights, *(n for n in spread if n < fights)})


def _draw_curve(side: str, tones: Mapping[str, str], look: int, won: list[int]) -> Curve:
    """The line of a chance and the area of its margin, from the first fight on."""
    points = _find_points(len(won) - 1)
    margins = [find_margin(won[n] / n, n) for n in points]
    line = [_plot(n, won[n] / n) for n in points]
    upper = [_plot(n, high) for n, (_, high) in zip(points, margins, strict=True)]
    lower = [_plot(n, low) for n, (low, _) in zip(points, margins, strict=True)]
    band = f"M{'L'.join([*upper, *reversed(lower)])}z"
    return Curve(side or NOBODY, tones.get(side, ""), look % 3, f"M{'L'.join(line)}", band)


def _plot(fights: int, chance: float) -> str:
    """A point of the picture, on a logarithmic scale of fights: so the margin narrows evenly."""
    along = log(fights) / log(SCALE[-1])
    return f"{round(along * WIDTH, 1):g} {round((1 - chance) * HEIGHT, 1):g}"


def _view_rounds(endings: list[Ending]) -> RoundsView:
    """A bar for each number of rounds from the shortest fight to the longest."""
    played = [ending.rounds for ending in endings]
    low, longest = min(played), max(played)
    high = min(longest, low + MAX_BARS - 1)
    counts = Counter(min(rounds, high) for rounds in played)
    most = max(counts.values())
    bars = []
    for place, rounds in enumerate(range(low, high + 1)):
        height = BAR_HEIGHT * counts[rounds] / most
        bars.append(RoundBar(rounds, place * (BAR_WIDTH + BAR_GAP), BAR_HEIGHT - height, height))
    mean = f"{sum(played) / len(played):.1f}"
    usual = counts.most_common(1)[0][0]
    words = f"{low} to {longest} rounds, average {mean}, most often {usual}"
    return RoundsView(mean, tuple(bars), low, f"{high}{' or more' if longest > high else ''}", words)
