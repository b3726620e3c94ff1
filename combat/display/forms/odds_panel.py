"""The modifier list and the odds panel of an action form."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import capitalized
from combat.rules.core.commands import luck
from combat.rules.core.commands.commands import Action, Command, Preview
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, Waiting, run
from combat.rules.core.odds.enumeration import GiveUp, TooMany, never
from combat.rules.core.odds.odds import Distribution, Measure, Odds, brief_odds, find_first, find_odds
from combat.rules.core.state.state import State
from combat.rules.core.wording import TRACK_VERBS, pen_of

from ..combatants.tokens import name_fully, say_fully
from ..shapes.odds_shapes import Bar, DistributionView, SumView
from .blast import BlastView

BAR_HEIGHT = 40
MAX_CHARTS = 2
TOO_MANY = "Too many outcomes to calculate odds."
TOO_MANY_AFTER = "What follows has too many outcomes to calculate."
BEFORE_LUCK = "Before any point of luck."
MAX_SECONDS = 0.25  # of processor, for everything one panel shows
MAX_AT_ONCE = 2
MAX_WAIT = 0.3  # seconds until someone has to try again
BUSY = "Odds are being calculated for others: try again in a moment."
REPLACED = "Newer odds are on their way."


@dataclass(frozen=True)
class SuggestionView:
    """A preparation that raises the chance: the chance with it in percent, and the address of its form."""

    label: str
    chance: str
    gain: str
    rule: str
    address: str


@dataclass(frozen=True)
class PlanView:
    """A plan that mends what is refused: what its button says, its key in the form, its parts and its price.

    Each part has its words and what it takes. `chance` is that of its last roll, in percent; `note` why it
    ends early, `doubt` why it may be refused all the same, and `reaction` who may react to its last part.
    `blast` are those inside the area of its last part. `step` is said beside the key of one that begins as a
    planned turn does: the place, or that there is none.
    """

    key: str
    words: str
    parts: tuple[tuple[str, str], ...]
    price: str = ""
    chance: str = ""
    note: str = ""
    reaction: str = ""
    blast: BlastView | None = None
    doubt: str = ""
    step: str = ""


@dataclass(frozen=True)
class OddsPanel(SumView):
    """Everything the panel shows; only `problem` if there is nothing else to show.

    Of the odds it holds no more than its reader may know.
    `is_refused`: the rules refuse the command, so it cannot be sent as it stands; `doubt` is why it may be
    refused all the same. `price` is the cost on the button, `traded` if another part of the turn pays it.
    `after` is the headline in percent after the reactions of others; empty without reactions. `defended` are
    three chances in percent: it succeeds whatever others do, a defense stops it, it fails anyway. `plans`
    mend what is refused.
    """

    headline: Measure | None = None
    measures: tuple[tuple[str, str], ...] = ()
    distributions: tuple[DistributionView, ...] = ()
    problem: str = ""
    is_refused: bool = False
    first_dice: str = ""
    asks_first: bool = False
    policy: str = ""
    limits: str = ""
    doubt: str = ""
    suggestions: tuple[SuggestionView, ...] = ()
    price: str = ""
    traded: bool = False
    runs: int = 0
    allies: str = ""
    dealt: str = ""
    after: str = ""
    defended: tuple[str, str, str] | None = None
    plans: tuple[PlanView, ...] = ()

    @property
    def refusal(self) -> str:
        """Why the command cannot be sent as it stands; empty if it can."""
        return self.problem if self.is_refused else ""

    @property
    def plan(self) -> PlanView | None:
        """The plan that its button does, if the command itself is refused."""
        return self.plans[0] if self.plans else None

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the first dice to roll, one entry per die, for the fields of typed dice."""
        dice = parse_dice(self.first_dice) if self.first_dice else None
        return (dice.sides,) * dice.count if dice else ()

    @property
    def use_dice(self) -> str:
        """The words on the button below those fields."""
        return "Use this die" if len(self.sides) == 1 else "Use these"

    @property
    def typed_button(self) -> str:
        """The button for typed dice: for the faces in the form, for all later dice, or none."""
        return "roll-faces" if self.sides else "roll-typed" if self.problem or self.asks_first else ""

    @property
    def can_succeed(self) -> bool:
        """Whether it is allowed and has a chance, or none is told: else its button is not the thing to do."""
        return not self.is_refused and not self.doubt and (self.headline is None or self.headline.chance > 0)

    @property
    def are_many(self) -> bool:
        """Whether there are too many distributions to chart, as with every part of a body."""
        return len(self.distributions) > MAX_CHARTS

    @property
    def chance(self) -> str:
        """The headline in percent."""
        return percent(self.headline.chance) if self.headline else ""

    @property
    def likely(self) -> str:
        """The chance on its button, after the reactions of others.

        A throw that is stopped on its way shows none: it would not say of what.
        """
        return "" if self.preview.stopped else self.after or self.chance

    @property
    def short_label(self) -> str:
        """The label of the headline without the name of its roll, for a form that says it already."""
        return self.headline.label.partition(":")[0] if self.headline else ""


def refuse(reason: str) -> OddsPanel:
    """The panel of a command that the rules refuse."""
    return OddsPanel(problem=reason, is_refused=True)


def percent(chance: float) -> str:
    """A chance in percent; small ones keep a digit, and only certainty shows 0 or 100."""
    return percents((chance,))[0]


def percents(chances: Sequence[float]) -> tuple[str, ...]:
    """Chances of one kind in percent, rounded so that they add up to their rounded sum."""
    fine = 10 if any(0 < chance < 0.01 or 0.99 < chance < 1 for chance in chances) else 1
    exact = [100 * fine * chance for chance in chances]
    shown = [max(1, int(points)) if points > 0 else 0 for points in exact]
    for _ in chances:
        missing = round(sum(exact)) - sum(shown)
        step = (missing > 0) - (missing < 0)
        free = [n for n, points in enumerate(exact) if points > 0 and _fits(shown[n] + step, points, fine)]
        if not step or not free:
            break
        shown[max(free, key=lambda n: step * (exact[n] - shown[n]))] += step
    return tuple(f"{points / fine:g}" for points in shown)


def _fits(shown: int, exact: float, fine: int) -> bool:
    """Whether a chance may show this number: 0 or 100 percent only if it is certain."""
    return 0 < shown < 100 * fine or exact >= 100 * fine > shown - 1


def _list_measures(measures: Iterable[Measure]) -> tuple[tuple[str, str], ...]:
    """Each measure with its percent; those of one kind about one person add up."""
    found: list[tuple[str, str]] = []
    for _, group in groupby(measures, key=lambda m: (m.kind, m.who)):
        same = tuple(group)
        chances = percents([m.chance for m in same])
        found += zip((m.label for m in same), chances, strict=True)
    return tuple(found)


def compute_odds(
    system: System,
    state: State,
    action: Action,
    command: Command,
    obscured: frozenset[str] = frozenset(),
    give_up: GiveUp = never,
) -> OddsPanel:
    """The sums and the odds of a command as the form stands now; if it is refused, what its press would say.

    Reveals nothing about the health of combatants in `obscured`.
    """
    try:
        first = _find_first_dice(system, state, action, command)
        preview = action.preview(state, command) if action.preview else Preview()
        allies = find_allies(state, action, command)
        if not system.actions.has_odds(action):
            return replace(_sums(system, state, preview), first_dice=first, allies=allies)
        odds = find_most_odds(system, state, action, command=command, give_up=give_up)
    except Refused as refused:
        return refuse(refused.message)
    except TooMany:
        return replace(_sums(system, state, preview, problem=TOO_MANY), allies=allies)
    sums = _sums(system, state, preview)
    told = _with_odds(sums, system, state, odds=odds, obscured=obscured)
    lucky = luck.count_left(system, state, state.combatants.get(command.actor)) and told.headline
    limits = " ".join(filter(None, (told.limits, BEFORE_LUCK if lucky else "")))
    return replace(told, limits=limits, allies=allies)


def find_most_odds(system: System, state: State, action: Action, command: Command, give_up: GiveUp) -> Odds:
    """The odds of a command; if it has too many outcomes, those of its first check."""
    try:
        return find_odds(system, state, action, command=command, give_up=give_up)
    except TooMany:
        return brief_odds(system, state, action, command)


def find_allies(state: State, action: Action, command: Command) -> str:
    """The names of those on the actor's side that an action would hit, the actor first."""
    if action.find_caught is None:
        return ""
    caught = sorted(action.find_caught(state, command), key=lambda who: who != command.actor)
    side = state[command.actor].side
    return ", ".join(name_fully(state, state[who]) for who in caught if state[who].side == side)


def _find_first_dice(system: System, state: State, action: Action, command: Command) -> str:
    """The first dice to roll, "" for none; Refused if the rules refuse the command."""
    result = run(system, state, action, command=command, driver=TryDriver())
    first = result.requests[0] if isinstance(result, Waiting) else None
    return first.dice if isinstance(first, RollRequest) else ""


def _sums(system: System, state: State, preview: Preview, problem: str = "") -> OddsPanel:
    return OddsPanel(pen_of(system, state).preview(preview), problem=problem)


def _with_odds(
    sums: OddsPanel, system: System, state: State, odds: Odds, obscured: frozenset[str]
) -> OddsPanel:
    first = odds.headline.kind if odds.headline else ""
    told = [m for m in odds.measures if m.kind == first or m.who not in obscured]
    rest = [m for m in told if 0 < m.chance < 1 or m.kind != first]
    return replace(
        sums,
        headline=odds.headline,
        after="" if odds.after is None else percent(odds.after),
        defended=_split(odds),
        first_dice=odds.first_dice,
        asks_first=odds.asks_first,
        policy=odds.policy,
        limits=TOO_MANY_AFTER if odds.brief else "",
        runs=odds.runs,
        measures=_list_measures(_name_measures(state, rest, first)),
        dealt=f"{odds.dealt:.1f} {system.characters.find_track(find_first(system)).label}"
        if odds.dealt > 0
        else "",
        distributions=tuple(
            view_distribution(system, state, each)
            for each in odds.distributions
            if not _tells(each, obscured)
        ),
    )


def _split(odds: Odds) -> tuple[str, str, str] | None:
    """The shares of the outcomes in percent: sure, taken by a defense, failed; None without a defense."""
    if odds.headline is None or odds.after is None or odds.after > odds.headline.chance:
        return None
    sure, taken, missed = percents((odds.after, odds.headline.chance - odds.after, 1 - odds.headline.chance))
    return sure, taken, missed


def _name_measures(state: State, measures: list[Measure], first: str) -> Iterator[Measure]:
    """The measures with whom they are about; those of the headline without, if they are about one person."""
    alone = len({measure.who for measure in measures if measure.kind == first}) == 1
    for measure in measures:
        label = say_fully(state, measure.who, measure.label)
        if alone and measure.kind == first and measure.who:
            _, _, outcome = measure.label.rpartition(": ")
            label = capitalized(outcome.removesuffix(f" ({state.combatants[measure.who].name})"))
        yield msgspec.structs.replace(measure, label=label)


def _tells(found: Distribution, obscured: frozenset[str]) -> bool:
    """Whether odds would reveal an obscured combatant's health: healing stops at their maximum."""
    return found.who in obscured and found.chances[0][0] < 0


def view_distribution(system: System, state: State, distribution: Distribution) -> DistributionView:
    """A distribution as bars, ten units of the picture apart."""
    top = max(chance for _, chance in distribution.chances)
    is_gain = distribution.mean < 0 or all(amount <= 0 for amount, _ in distribution.chances)
    chances = sorted((-n if is_gain else n, chance) for n, chance in distribution.chances)
    bars = tuple(
        Bar(
            amount,
            percent(chance),
            10 * place + 1,
            y=round(BAR_HEIGHT * (1 - chance / top), 2),
            height=round(BAR_HEIGHT * chance / top, 2),
        )
        for place, (amount, chance) in enumerate(chances)
    )
    words = "; ".join(f"{bar.amount}: {bar.percent} percent" for bar in bars[:40])
    name = name_fully(state, state.combatants[distribution.who])
    track = system.characters.find_track(distribution.track)
    return DistributionView(
        f"{name} {TRACK_VERBS[track.rises][is_gain != track.rises]} {track.label}",
        f"{abs(distribution.mean):.1f}",
        bars,
        width=10 * len(bars),
        low=bars[0].amount,
        high=bars[-1].amount,
        words=words,
    )


# A bounded share of the machine for counting odds: limited time per panel, few panels at once. A new
# request replaces the last one of the same asker, whose page no longer needs it. The threads that answer
# pages do not notice when a browser is gone, so the time limit bounds the rest.


class Count:
    """One panel's share: until when it may count, and whether its asker has made a newer request."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds
        self.ends = 0.0
        self.replaced = False

    def begin(self) -> None:
        """Start the clock."""
        self.ends = self.clock() + self.seconds

    def give_up(self) -> bool:
        """Whether to stop counting."""
        return self.replaced or self.clock() >= self.ends


class Counter:
    """Lets a few count at once, and only the newest request of each asker."""

    def __init__(
        self,
        most: int = MAX_AT_ONCE,
        seconds: float = MAX_SECONDS,
        wait: float = MAX_WAIT,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.most, self.seconds, self.wait, self.clock = most, seconds, wait, clock
        self.running = 0
        self.newest: dict[str, Count] = {}
        self.changed = threading.Condition()

    @contextmanager
    def count(self, asker: str) -> Iterator[Count]:
        """A share of the machine for an asker; Refused("busy") if none is free now."""
        mine = Count(self.clock, self.seconds)
        with self.changed:
            if asker in self.newest:
                self.newest[asker].replaced = True
                self.changed.notify_all()
            self.newest[asker] = mine
        try:
            self._wait_for_room(mine)
            try:
                mine.begin()
                yield mine
            finally:
                with self.changed:
                    self.running -= 1
                    self.changed.notify_all()
        finally:
            with self.changed:
                if self.newest.get(asker) is mine:
                    del self.newest[asker]

    def _wait_for_room(self, mine: Count) -> None:
        with self.changed:
            self.changed.wait_for(lambda: mine.replaced or self.running < self.most, self.wait)
            if mine.replaced:
                raise Refused("busy", REPLACED)
            if self.running >= self.most:
                raise Refused("busy", BUSY)
            self.running += 1


COUNTER = Counter()
