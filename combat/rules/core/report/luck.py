"""The numbers of a fight: each combatant's tally, and the chance of every check before the dice.

The chance comes from the procedure: it runs again for every result of that one roll, with all earlier answers
fixed. Luck compares successes with expected successes, never an average of pips: a high roll that was not
needed is no luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import msgspec

from ..basics.dice.dice import find_outcomes, parse_dice
from ..basics.dice.requests import Answer, Request, RollRequest, answer_roll, key_of
from ..basics.errors import Drift, Refused
from ..basics.words import Label
from ..commands.commands import Action, Command, read_command
from ..commands.luck import SAID as LUCK_SAID
from ..declaration.characters import Health
from ..declaration.parts import DEFENDED
from ..declaration.system import System
from ..engine.engine import Done, ReplayDriver, Waiting, find_action, run
from ..odds.enumeration import GiveUp, TooMany, never
from ..state import events as e
from ..state.fold import fold
from ..state.history import Step
from ..state.state import State
from ..wording.sentences import CORRECTED
from .corrections import UNKNOWN, Blow, Ledger
from .story import find_weapon

MAX_OUTCOMES = 2_000  # of one roll; bigger handfuls whose single dice count are left out


class RollChance(msgspec.Struct, frozen=True):
    """A check with its rule, and its chance, from 0 to 1, to end well for its roller."""

    check: e.Checked
    rule: str
    chance: float

    @property
    def rarity(self) -> float:
        """The chance of the actual result."""
        return self.chance if self.check.good else 1 - self.chance


class Luck(msgspec.Struct, frozen=True):
    """Of a number of `rolls`: successes, expected successes, and the share of all fights with fewer.

    `percentile` counts half of the fights with as many: 0.5 is neither lucky nor unlucky.
    """

    rolls: int
    good: int
    expected: float
    percentile: float


def find_chance(
    system: System, state: State, step: Step, place: int, give_up: GiveUp = never
) -> RollChance | None:
    """The check that one answer of a step decided; None if it cannot be counted.

    Raises TooMany once told to give up.
    """
    answer = step.answers[place]
    if answer.kind != "roll" or not answer.faces:
        return None
    try:
        action = find_action(system, step.name)
        command = read_command(action, step.command)
    except Refused:
        return None
    return _measure(
        system, state, action, command=command, before=step.answers[:place], answer=answer, give_up=give_up
    )


def _measure(
    system: System,
    state: State,
    action: Action,
    command: Command,
    before: tuple[Answer, ...],
    answer: Answer,
    give_up: GiveUp,
) -> RollChance | None:
    asked = _find_request(_play(system, state, action, command=command, answers=before), answer)
    if asked is None or not _is_countable(asked):
        return None
    known, lucky, whole = None, 0, 0
    for faces, weight in find_outcomes(asked.dice, asked.look, asked.cuts, asked.equal_states):
        if give_up():
            raise TooMany
        other = answer_roll(asked, faces, "odds")
        check = _find_check(
            _play(system, state, action, command=command, answers=(*before, other)), asked, faces
        )
        if check is None:
            return None
        whole, lucky = whole + weight, lucky + weight * check.event.good
    real = _find_check(
        _play(system, state, action, command=command, answers=(*before, answer)), asked, answer.faces
    )
    if real is not None and not (real.event.against is None and lucky in (0, whole)):
        known = RollChance(real.event, real.rule, float(Fraction(lucky, whole)))
    return known


class _Check(msgspec.Struct, frozen=True):
    event: e.Checked
    rule: str


def _play(
    system: System, state: State, action: Action, command: Command, answers: tuple[Answer, ...]
) -> Done | Waiting | None:
    """The command with the first of these answers; None if it cannot be played."""
    try:
        return run(system, state, action, command=command, driver=ReplayDriver(), answers=answers)
    except (Refused, Drift):
        return None


def _find_request(played: Done | Waiting | None, answer: Answer) -> RollRequest | None:
    asked: tuple[Request, ...] = played.requests if isinstance(played, Waiting) else ()
    rolls = (request for request in asked if isinstance(request, RollRequest))
    return next((request for request in rolls if key_of(request) == key_of(answer)), None)


def _is_countable(request: RollRequest) -> bool:
    dice = parse_dice(request.dice)
    return request.look == "sum" or dice.sides**dice.count <= MAX_OUTCOMES


def _find_check(played: Done | Waiting | None, asked: RollRequest, faces: tuple[int, ...]) -> _Check | None:
    """The check that this roll decided, if any."""
    for fact in played.facts if played else ():
        event = fact.event
        if isinstance(event, e.Checked) and _is_of(event, asked, faces):
            return _Check(event, fact.rule)
    return None


def _is_of(event: e.Checked, asked: RollRequest, faces: tuple[int, ...]) -> bool:
    roll = event.roll
    return (roll.rule, roll.by, roll.dice, roll.faces) == (asked.rule, asked.who, asked.dice, faces)


def add_up(chances: Iterable[RollChance]) -> Luck:
    """The luck of several rolls."""
    rolls = list(chances)
    good = sum(roll.check.good for roll in rolls)
    spread = count_successes(roll.chance for roll in rolls)
    percentile = sum(spread[:good]) + spread[good] / 2
    return Luck(len(rolls), good, sum(roll.chance for roll in rolls), percentile)


def count_successes(chances: Iterable[float]) -> list[float]:
    """The chance of each number of successes, from none to all, if every roll has its own chance."""
    spread = [1.0]
    for chance in chances:
        more = [0.0, *(share * chance for share in spread)]
        spread = [share * (1 - chance) + add for share, add in zip([*spread, 0.0], more, strict=True)]
    return spread


# The tally of a fight for each combatant: a sum over its facts.


class Tally(msgspec.Struct):
    """The tally of one combatant. Damage and healing are points of the tracks of health.

    `rolled` is damage whose dice the reader knows, but not the loss. So many of the `attacks` were `hits`
    after any defense. `weapons` is the damage of each weapon, `absorbed` the damage that armor and the like
    kept off, `inflicted` the conditions given to others, `actions` the number of uses of each action. `luck`
    are the points of luck spent, and so many of them `turned` a failure into a success.
    """

    dealt: int = 0
    rolled: int = 0
    taken: int = 0
    absorbed: int = 0
    healed: int = 0
    turns: int = 0
    meters: float = 0.0
    downed: int = 0
    attacks: int = 0
    hits: int = 0
    weapons: Counter[str] = msgspec.field(default_factory=Counter)
    inflicted: Counter[str] = msgspec.field(default_factory=Counter)
    actions: Counter[str] = msgspec.field(default_factory=Counter)
    luck: int = 0
    turned: int = 0


class Tallies:
    """Follows the facts of a fight and keeps a tally for each combatant."""

    def __init__(self, system: System, state: State) -> None:
        self.system = system
        self.state = state
        self.of: dict[str, Tally] = {}
        self.ledger = Ledger(system)
        self.step = 0  # the number of the step whose facts come now
        self.righted = ("", 0)  # who was corrected last, in which step
        self.lucky: set[str] = set()  # who has spent a point on the roll that comes next
        self.struck: dict[str, tuple[str, int]] = {}  # by whom someone was hit last, in which step

    def __getitem__(self, who: str) -> Tally:
        return self.of.setdefault(who, Tally())

    def act(self, actor: str, action: str) -> None:
        """Count an action."""
        self[actor].actions[action] += 1

    def follow(self, fact: e.Fact, shown: e.Event | None, *, actor: str) -> None:
        """Count a fact; `shown` is what the reader knows of it, None if it only changes the state.

        `actor` who acts, empty if the reader does not know.
        """
        before, self.state = self.state, fold(self.state, fact.event)
        match shown:
            case e.TrackChanged():
                self._add_track(before, shown, actor)
                self._add_fall(before, shown.who)
            case e.ConditionGained():
                self._add_condition(shown, actor)
                self._add_fall(before, shown.who)
            case e.ConditionEnded():
                self._add_fall(before, shown.who)
            case e.Checked():
                self._add_check(shown)
            case e.Said() if shown.key in LUCK_SAID:
                self[shown.who].luck += 1
                self.lucky.add(shown.who)
            case e.Moved():
                self[shown.who].meters += shown.metres
            case e.TurnStarted() | e.TurnShared() if not shown.again:
                self[shown.who].turns += 1

    def hear(self, redacted: e.TrackChanged, *, actor: str) -> None:
        """Count the dice of a loss whose points the reader may not see."""
        by, rises = redacted.by or actor, self.system.characters.find_track(redacted.track).rises
        if by and by != redacted.who and redacted.new and (redacted.new > 0) == rises:
            self[by].rolled += redacted.dealt
            self[by].weapons[self._draw(find_weapon(redacted.why))] += redacted.dealt

    def guess(self, redacted: e.TrackChanged) -> None:
        """Keep a change whose points the reader may not see, so that a correction of it is found."""
        if redacted.why == CORRECTED:
            self.ledger.correct(redacted, self.step)
        else:
            self.ledger.add(redacted, Blow(self.step, redacted.new * UNKNOWN))

    def _add_check(self, check: e.Checked) -> None:
        """Count an attack; a defense in the same step that makes it fail takes the hit back."""
        if check.who in self.lucky:
            self.lucky.discard(check.who)
            self[check.who].turned += check.good
        if check.kind == self.system.actions.attack:
            self[check.who].attacks += 1
            self[check.who].hits += check.good
            if check.good:
                self.struck[check.target] = check.who, self.step
        elif check.outcome == DEFENDED and check.who in self.struck:
            by, step = self.struck.pop(check.who)
            self[by].hits -= step == self.step

    def _add_condition(self, event: e.ConditionGained, actor: str) -> None:
        by, kind = event.condition.by or actor, event.condition.kind
        if by and by != event.who and self.system.characters.describe_condition(kind).for_gm:
            self[by].inflicted[self._draw(event.condition.label)] += 1

    def _add_fall(self, before: State, who: str) -> None:
        if who in before.combatants:
            was, now = self._find_health(before, who)
            self[who].downed += now.is_out and not was.is_out
            if was.is_out and not now.is_out and self.righted == (who, self.step):
                self[who].downed = max(0, self[who].downed - 1)

    def _add_track(self, before: State, event: e.TrackChanged, actor: str) -> None:
        if event.who not in before.combatants:
            return
        was, now = self._find_health(before, event.who)
        by, points = event.by or actor, event.new - event.old
        if event.why == CORRECTED:
            mended, points = self.ledger.correct(event, self.step)
            for one in mended:
                self._count(one.who, one.blow, one.more)
            self.righted = event.who, self.step
        if event.by:
            self[event.who].absorbed -= sum(term.value for term in event.terms if term.value < 0)
        blow = Blow(self.step, points, by, what=self._draw(find_weapon(event.why)))
        if now.share != was.share:
            blow.is_harm = now.share < was.share
        self.ledger.add(event, blow)
        self._count(event.who, blow, abs(points))

    def _count(self, who: str, blow: Blow, points: int) -> None:
        """Count points of a loss or a cure; fewer than 0 were counted too many."""
        if blow.is_harm:
            self[who].taken += points
            if blow.by and blow.by != who:
                self[blow.by].dealt += points
                self[blow.by].weapons[blow.what] += points
                self[blow.by].weapons += Counter()  # a weapon that did nothing after all is not named
        elif blow.is_harm is False and blow.by:
            self[blow.by].healed += points

    def _find_health(self, before: State, who: str) -> tuple[Health, Health]:
        """The health of a combatant before a fact, and now."""
        health = self.system.characters.health
        return health(before.combatants[who]), health(self.state.combatants[who])

    def _draw(self, label: Label) -> str:
        names = {who: combatant.name for who, combatant in self.state.combatants.items()}
        return self.system.draw(label, names)
