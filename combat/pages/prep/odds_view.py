"""The forecast in one line: who wins or gets away, how long it takes, how many go down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from combat.play.whatif.forecast_jobs import Job
from combat.rules.core.odds.forecast import Outcome, find_margin, is_undecided

NOBODY = "nobody"
ALLY = "is-ally"  # the tone of the viewer's side
UNDECIDED = "Undecided: these fights do not end."
SENSES = (  # what a chance means, up to so many percent
    (4, "almost never"),
    (24, "unlikely"),
    (44, "less likely than not"),
    (55, "as likely as not"),
    (75, "more likely than not"),
    (95, "very likely"),
    (100, "almost certain"),
)


@dataclass(frozen=True)
class OddsPart:
    """The chance of a side to win, or to get away (`escapes`), in percent, and its place on the bar.

    `low` to `high` is its margin.
    """

    label: str
    tone: str
    percent: int
    x: float
    width: float
    low: float
    high: float
    escapes: bool = False

    @property
    def classes(self) -> str:
        """The classes of its part of the bar."""
        return f"{self.tone or 'is-nobody'}{' is-away' if self.escapes else ''}"

    @property
    def span(self) -> float:
        """The drawn width of its margin."""
        return round(self.high - self.low, 1)

    @property
    def between(self) -> str:
        """Its margin in words: "54 to 62%"."""
        return f"{self.low - self.x:.0f} to {self.high - self.x:.0f}%"

    @property
    def middle(self) -> float:
        """Where these words stand on the bar: below its margin, and not beyond the ends."""
        return min(88.0, max(12.0, (self.low + self.high) / 2))

    @property
    def sense(self) -> str:
        """What the chance means in words."""
        return next(words for most, words in SENSES if self.percent <= most)


@dataclass(frozen=True)
class PrepOdds:
    """A forecast in short: why there is none, or what it says so far.

    The chances are known `within` so many points. `begins`: it has to be begun. `running`: more fights are
    being played, about `needed` in all. A forecast with others names them, `whose`, and the chance `before`.
    """

    problem: str = ""
    parts: tuple[OddsPart, ...] = ()
    fights: int = 0
    within: int = 0
    rounds: str = ""
    down: str = ""
    begins: bool = False
    running: bool = False
    needed: int = 0
    whose: str = ""
    before: int | None = None

    @property
    def first(self) -> OddsPart:
        """The side whose chance to win is written large."""
        return self.parts[0]

    @property
    def says(self) -> str:
        """Who wins with the chance that is written large: all who tie, unless allies are first."""
        first = self.first
        tied = [one.label for one in self.parts if one.percent == first.percent and not one.escapes]
        tied = [label for label in tied if label != NOBODY]
        if first.tone != ALLY and len(tied) > 1:
            return f"{' or '.join(tied)} win, each as likely"
        return f"{first.label} win{'s' if first.label == NOBODY else ''}"

    @property
    def away(self) -> tuple[OddsPart, ...]:
        """The chances to get away, where there are any."""
        return tuple(part for part in self.parts if part.escapes)

    @property
    def words(self) -> str:
        """All chances in words."""
        return ", ".join(f"{part.label} {part.percent}%" for part in self.parts)


def make_odds(job: Job | None, tones: Mapping[str, str]) -> PrepOdds:
    """What a job of the present fight says; None: there is none yet."""
    if job is None or (job.lost and not job.done):
        return PrepOdds(begins=True)
    if job.failed:
        return PrepOdds("The forecast failed: open it to begin again.")
    if not job.done:
        return PrepOdds(running=job.running, needed=job.needed)
    if is_undecided(job.endings):
        return PrepOdds(UNDECIDED, fights=job.done, running=job.running, needed=job.needed)
    parts = tuple(_find_parts(job, tones))
    rounds = sum(ending.rounds for ending in job.endings) / job.done
    odds = PrepOdds(
        "", parts, job.done, within=job.within, rounds=f"{rounds:.0f}", running=job.running, needed=job.needed
    )
    label = odds.first.label
    own = [who for ending in job.endings for who in ending.dropped if job.side_of.get(who) == label]
    down = round(len(own) / job.done)
    return replace(odds, down=f"{label} lose {down or 'nobody'}")


def list_outcomes(job: Job) -> dict[Outcome, int]:
    """How often each side wins, in their order; then who gets away and how often nobody wins, if ever."""
    ended = Counter(ending.outcome for ending in job.endings)
    wins = {Outcome(side): ended[Outcome(side)] for side in job.sides}
    others = (*(Outcome(side, True) for side in job.sides), Outcome(""))
    return wins | {outcome: ended[outcome] for outcome in others if ended[outcome]}


def say_outcome(outcome: Outcome, nobody: str = NOBODY) -> str:
    """The side that wins, or `nobody`; of one that gets away, that it does."""
    return f"{outcome.side} get away" if outcome.escapes else outcome.side or nobody


def _find_parts(job: Job, tones: Mapping[str, str]) -> list[OddsPart]:
    """The parts of the bar, first the one written large: that of the allies, else the likeliest."""
    counts, found, x = list_outcomes(job), [], 0.0
    wins = [outcome for outcome in counts if not outcome.escapes]
    own = next((outcome for outcome in wins if tones.get(outcome.side) == ALLY), None)
    large = own or max(wins, key=lambda outcome: counts[outcome])
    for outcome in sorted(counts, key=lambda outcome: outcome != large):
        times = counts[outcome]
        width = 100 * times / job.done
        low, high = (x + 100 * bound for bound in find_margin(times / job.done, job.done))
        start, wide, least, most = (round(place, 1) for place in (x, width, low, high))
        label, tone = say_outcome(outcome), tones.get(outcome.side, "")
        found.append(
            OddsPart(
                label, tone, round(width), x=start, width=wide, low=least, high=most, escapes=outcome.escapes
            )
        )
        x += width
    return found
