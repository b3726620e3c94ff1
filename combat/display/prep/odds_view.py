"""The forecast beside the roster, in one line: who wins, how long it takes, how many go down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from combat.play.whatif.forecast_jobs import Job
from combat.rules.core.odds.forecast import find_margin

NOBODY = "nobody"


@dataclass(frozen=True)
class OddsPart:
    """The chance of a side to win, in percent, and its place on the bar; `low` to `high` is its margin."""

    label: str
    tone: str
    percent: int
    x: float
    width: float
    low: float
    high: float

    @property
    def span(self) -> float:
        """The drawn width of its margin."""
        return round(self.high - self.low, 1)


@dataclass(frozen=True)
class PrepOdds:
    """A forecast as the roster shows it: why there is none, or what it says so far.

    The chances are known `within` so many points. `begins`: it has to be begun. `running`: more fights are
    being played.
    """

    problem: str = ""
    parts: tuple[OddsPart, ...] = ()
    fights: int = 0
    within: int = 0
    rounds: str = ""
    down: str = ""
    begins: bool = False
    running: bool = False

    @property
    def first(self) -> OddsPart:
        """The side whose chance is written large: the allies, else the likeliest."""
        own = [part for part in self.parts if part.tone == "is-ally"]
        return own[0] if own else max(self.parts, key=lambda part: part.percent)

    @property
    def words(self) -> str:
        """All chances in words."""
        return ", ".join(f"{part.label} {part.percent}%" for part in self.parts)


def make_odds(job: Job | None, tones: Mapping[str, str]) -> PrepOdds:
    """What a job of the present roster says; None: there is none yet."""
    if job is None or (job.lost and not job.done):
        return PrepOdds(begins=True)
    if job.failed:
        return PrepOdds("The forecast failed: change the roster or open the whole forecast.")
    if not job.done:
        return PrepOdds(running=True)
    parts = tuple(_find_parts(job, tones))
    rounds = sum(ending.rounds for ending in job.endings) / job.done
    odds = PrepOdds("", parts, job.done, job.within, f"{rounds:.0f}", running=job.running)
    label = odds.first.label
    own = [who for ending in job.endings for who in ending.dropped if job.side_of.get(who) == label]
    down = round(len(own) / job.done)
    return replace(odds, down=f"{label} lose {down or 'nobody'}")


def _find_parts(job: Job, tones: Mapping[str, str]) -> list[OddsPart]:
    """The sides in their order, then nobody if some fights had no winner."""
    won = dict.fromkeys(job.sides, 0) | {"": 0}
    for ending in job.endings:
        won[ending.winner] += 1
    found, x = [], 0.0
    for side, times in won.items():
        if side or times:
            width = 100 * times / job.done
            low, high = (x + 100 * bound for bound in find_margin(times / job.done, job.done))
            bar = [round(place, 1) for place in (x, width, low, high)]
            found.append(OddsPart(side or NOBODY, tones.get(side, ""), round(width), *bar))
            x += width
    return found
