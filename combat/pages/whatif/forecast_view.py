"""A forecast as pages show it: chances, how sure they are, how long fights last, who falls in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from combat.display.combatants.tokens import Look
from combat.display.shapes.table_shapes import CombatantView
from combat.play.whatif.forecast_jobs import Job
from combat.rules.core.odds.forecast import Ending, Outcome, find_margin

from ..prep.odds_view import PrepOdds, list_outcomes, make_odds, say_outcome

NOBODY = "No winner"
WIDTH, HEIGHT = 600, 200  # of the picture of the curve, in its own units
MAX_POINTS = 100  # of a curve
TALLEST = 112  # px: the highest bar of the rounds
MAX_BARS = 12  # of rounds
STEPS = (1, 2, 5, 10)  # rounds that one bar can count together
ROWS = (10, 25, 50, 100, 250, 500)  # fights in the table of numbers, besides the last


@dataclass(frozen=True)
class ChanceBar:
    """A chance in percent, and the margin around it; `look` is the face it is about, if any."""

    label: str
    tone: str
    percent: int
    low: int
    high: int
    look: Look | None = None

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
    """How the chance of one side converges: line and margin as paths, and where the line ends.

    `half` and `last` are the numbers of fights at the middle and the end of the picture.
    """

    tone: str
    line: str
    band: str
    x: float
    y: float
    half: int
    last: int


@dataclass(frozen=True)
class Row:
    """The chances after this number of fights, one for each outcome."""

    fights: int
    chances: tuple[ChanceBar, ...]


@dataclass(frozen=True)
class RoundBar:
    """How many percent of the fights end in these rounds; `x` is its place in percent, heights are in px."""

    label: str
    percent: int
    x: float
    height: float
    is_top: bool

    @property
    def y(self) -> float:
        """The top of the bar in px, below the room for its number."""
        return TALLEST - self.height + 18


@dataclass(frozen=True)
class RoundsView:
    """How long the fights last; `step` rounds in each bar. `usual`: where the middle half of them ends."""

    mean: str
    bars: tuple[RoundBar, ...]
    step: int
    usual: str
    words: str

    @property
    def width(self) -> float:
        """The width of each bar with its gap, in percent."""
        return 100 / len(self.bars)


@dataclass(frozen=True)
class ForecastView:
    """Everything shown of a forecast with at least one fight."""

    odds: PrepOdds
    wins: tuple[ChanceBar, ...]
    falls: tuple[ChanceBar, ...]
    curve: Curve
    rows: tuple[Row, ...]
    rounds: RoundsView


def view_forecast(
    job: Job, tones: Mapping[str, str], people: Mapping[str, CombatantView] | None = None
) -> ForecastView:
    """A forecast with at least one fight; `tones` are the colours of the sides, `people` have the faces."""
    counts = {outcome: _count_up(job.endings, outcome) for outcome in list_outcomes(job)}
    odds = make_odds(job, tones)
    first = next((side for side in job.sides if side == odds.first.label), "")
    return ForecastView(
        odds,
        tuple(_view_outcome(outcome, tones, times, job.done) for outcome, times in counts.items()),
        _view_falls(job, tones, people or {}),
        curve=_draw_curve(tones.get(first, ""), counts[Outcome(first)], max(job.done, job.needed)),
        rows=tuple(
            Row(n, tuple(_view_outcome(outcome, tones, times, n) for outcome, times in counts.items()))
            for n in (*(n for n in ROWS if n < job.done), job.done)
        ),
        rounds=_view_rounds(job.endings),
    )


def _count_up(endings: list[Ending], outcome: Outcome) -> list[int]:
    """How many of the first 0, 1, 2… fights came to this outcome."""
    return list(accumulate((ending.outcome == outcome for ending in endings), initial=0))


def _view_outcome(outcome: Outcome, tones: Mapping[str, str], times: list[int], fights: int) -> ChanceBar:
    return view_chance(say_outcome(outcome, NOBODY), tones.get(outcome.side, ""), times[fights], fights)


def view_chance(label: str, tone: str, times: int, fights: int, look: Look | None = None) -> ChanceBar:
    """A chance by how often something came in so many fights."""
    low, high = find_margin(times / fights, fights)
    return ChanceBar(
        label, tone, round(100 * times / fights), low=round(100 * low), high=round(100 * high), look=look
    )


def _view_falls(
    job: Job, tones: Mapping[str, str], people: Mapping[str, CombatantView]
) -> tuple[ChanceBar, ...]:
    """The chances to drop, by side, the most endangered first; not of those who are down already."""
    dropped = Counter(who for ending in job.endings for who in ending.dropped)
    order = {side: place for place, side in enumerate(job.sides)}
    ranked = sorted(
        job.names, key=lambda who: (order.get(job.side_of.get(who, ""), len(order)), -dropped[who])
    )
    found = []
    for who in ranked:
        if who in people and people[who].is_out:
            continue
        tone = tones.get(job.side_of.get(who, ""), "")
        look = people[who].look if who in people else None
        found.append(view_chance(job.names[who], tone, dropped[who], fights=job.done, look=look))
    return tuple(found)


def _draw_curve(tone: str, won: list[int], last: int) -> Curve:
    """The line of a chance and the area of its margin, from the first fight on; `last` ends the picture."""
    fights = len(won) - 1
    points = sorted({1, fights, *(max(1, fights * place // MAX_POINTS) for place in range(MAX_POINTS))})
    margins = [find_margin(won[n] / n, n) for n in points]
    line = [_plot(n / last, won[n] / n) for n in points]
    upper = [_plot(n / last, high) for n, (_, high) in zip(points, margins, strict=True)]
    lower = [_plot(n / last, low) for n, (low, _) in zip(points, margins, strict=True)]
    band = f"M{'L'.join([*upper, *reversed(lower)])}z"
    end = (round(100 * fights / last, 1), round(100 * (1 - won[-1] / fights), 1))
    return Curve(tone, f"M{'L'.join(line)}", band, *end, half=last // 2, last=last)


def _plot(along: float, chance: float) -> str:
    return f"{round(along * WIDTH, 1):g} {round((1 - chance) * HEIGHT, 1):g}"


def _view_rounds(endings: list[Ending]) -> RoundsView:
    """A bar for each number of rounds from the shortest fight to the longest, or for several of them."""
    played = sorted(ending.rounds for ending in endings)
    low, longest = played[0], played[-1]
    step = next(size for size in STEPS if (longest - low) // size < MAX_BARS or size == STEPS[-1])
    counts = Counter((rounds - low) // step for rounds in played)
    places, most = range((longest - low) // step + 1), max(counts.values())
    bars = tuple(
        RoundBar(
            str(low + place * step),
            round(100 * counts[place] / len(played)),
            round(100 * place / len(places), 2),
            height=round(TALLEST * counts[place] / most, 1),
            is_top=counts[place] == most,
        )
        for place in places
    )
    mean = f"{sum(played) / len(played):.1f}"
    early, late = played[len(played) // 4], played[3 * len(played) // 4]
    usual = f"round {early}" if early == late else f"round {early}–{late}"
    often = Counter(played).most_common(1)[0][0]
    words = f"Round {low} to {longest}, average {mean}, most often {often}"
    return RoundsView(mean, bars, step, usual=usual, words=words)
