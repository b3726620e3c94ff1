"""The modifier list and the odds panel of an action form."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .rules.core.commands import Action, Command, Preview
from .rules.core.dice import parse_dice
from .rules.core.errors import Refused
from .rules.core.modifiers import Modifier, add_up, without_zeros
from .rules.core.odds import Odds, Spread, TooMany, find_odds
from .rules.core.state import State
from .rules.core.system import Measure, System
from .rules.core.wording import TRACK_VERBS

BAR_HEIGHT = 40


@dataclass(frozen=True)
class Bar:
    """One amount of the distribution: its chance and where its bar stands in the picture."""

    amount: int
    percent: str
    x: int
    y: float
    height: float


@dataclass(frozen=True)
class SpreadView:
    """The distribution of what somebody loses, as bars."""

    title: str
    mean: str
    bars: tuple[Bar, ...]
    width: int
    low: int
    high: int
    words: str

    @property
    def is_certain(self) -> bool:
        """Whether there is only one amount."""
        return len(self.bars) == 1


@dataclass(frozen=True)
class HelpView:
    """A preparation that raises the chance: the chance with it in percent, and where it is done."""

    label: str
    chance: str
    gain: str
    rule: str
    address: str


@dataclass(frozen=True)
class Reckoning:
    """Everything the panel shows; `problem` instead where the rules refuse the command."""

    terms: tuple[Modifier, ...] = ()
    total: int = 0
    dice: str = ""
    against: tuple[Modifier, ...] = ()
    number: int | None = None
    against_label: str = ""
    notes: tuple[str, ...] = ()
    headline: Measure | None = None
    measures: tuple[tuple[str, str], ...] = ()
    spreads: tuple[SpreadView, ...] = ()
    problem: str = ""
    first_dice: str = ""
    helps: tuple[HelpView, ...] = ()
    runs: int = 0

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the first dice to roll, one per die, for the fields of typed dice."""
        dice = parse_dice(self.first_dice) if self.first_dice else None
        return (dice.sides,) * dice.count if dice else ()

    @property
    def chance(self) -> str:
        """The headline in percent."""
        return percent(self.headline.chance) if self.headline else ""


def percent(chance: float) -> str:
    """A chance in percent; small ones keep a digit, and only certainty shows 0 or 100."""
    points = 100 * chance
    if 0 < points < 1 or 99 < points < 100:
        return f"{min(99.9, max(0.1, points)):.1f}"
    return f"{points:.0f}"


def reckon(
    system: System, state: State, action: Action, command: Command, veiled: frozenset[str] = frozenset()
) -> Reckoning:
    """The sums and the odds of a command as the form stands now.

    Of fighters in `veiled` nothing is said that would tell how they are.
    """
    try:
        preview = action.preview(state, command) if action.preview else Preview()
        odds = find_odds(system, state, action, command)
    except Refused as refused:
        return Reckoning(problem=refused.message)
    except TooMany:
        return _sums(preview, problem="Too many outcomes to count the odds of.")
    return _with_odds(_sums(preview), system, state, odds, veiled)


def _sums(preview: Preview, problem: str = "") -> Reckoning:
    number = add_up(preview.against) if preview.against else None
    return Reckoning(
        terms=preview.modifiers,
        total=add_up(preview.modifiers),
        dice=preview.dice,
        against=without_zeros(preview.against) or preview.against,
        number=number,
        against_label=preview.against_label,
        notes=preview.notes,
        problem=problem,
    )


def _with_odds(
    sums: Reckoning, system: System, state: State, odds: Odds, veiled: frozenset[str]
) -> Reckoning:
    first = odds.headline.label if odds.headline else ""
    told = [m for m in odds.measures if m.kind == first or m.who not in veiled]
    rest = [m for m in told if 0 < m.chance < 1 or m.kind != first]
    return replace(
        sums,
        headline=odds.headline,
        first_dice=odds.first_dice,
        runs=odds.runs,
        measures=tuple((m.label, percent(m.chance)) for m in rest),
        spreads=tuple(view_spread(system, state, each) for each in odds.spreads if not _tells(each, veiled)),
    )


def _tells(spread: Spread, veiled: frozenset[str]) -> bool:
    """Whether a distribution would tell how a veiled fighter is: healing stops at the most one can have."""
    return spread.who in veiled and spread.chances[0][0] < 0


def view_spread(system: System, state: State, spread: Spread) -> SpreadView:
    """A distribution as bars, in the picture's units of ten per bar."""
    top = max(chance for _, chance in spread.chances)
    is_gain = all(amount <= 0 for amount, _ in spread.chances)
    chances = sorted((-n if is_gain else n, chance) for n, chance in spread.chances)
    bars = tuple(
        Bar(
            amount,
            percent(chance),
            10 * place + 1,
            round(BAR_HEIGHT * (1 - chance / top), 2),
            round(BAR_HEIGHT * chance / top, 2),
        )
        for place, (amount, chance) in enumerate(chances)
    )
    words = "; ".join(f"{bar.amount}: {bar.percent} percent" for bar in bars[:40])
    name = state.combatants[spread.who].name
    track = next(track for track in system.tracks if track.key == spread.track)
    return SpreadView(
        f"{name} {TRACK_VERBS[track.rises][is_gain != track.rises]} {track.label}",
        f"{abs(spread.mean):.1f}",
        bars,
        10 * len(bars),
        bars[0].amount,
        bars[-1].amount,
        words,
    )
