"""The report of an encounter's last fight: one walk over its log, and the luck of every roll.

Luck takes milliseconds for a roll: what is counted is kept in the cache, so that a long fight is counted over
a few looks at its page instead of one long wait. What takes longer than a whole look is left out.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from django.core.cache import cache

from combat.audience.viewer import Viewer
from combat.models import Encounter, StoredStep
from combat.rules import find_system
from combat.rules.core.basics.typed import read_json
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.forecast import Ending, play_many
from combat.rules.core.report.luck import RollChance, find_chance
from combat.rules.core.report.tally import Tallies
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step, find_timeline
from combat.rules.core.state.state import State, decode
from combat.rules.core.system import System

from .verification import read_step

KEEP_SECONDS = 7 * 86_400
MAX_SECONDS = 1.0  # that one look spends on counting luck
MAX_PAUSE = 3600  # seconds; a longer turn was a break
FIGHTS = 200


@dataclass
class Look:
    """What one look at the page may spend, and whether it has counted or played anything yet."""

    ends: float = field(default_factory=lambda: time.monotonic() + MAX_SECONDS)
    is_fresh: bool = True

    def is_over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() > self.ends


class Counted(msgspec.Struct):
    """How far the luck of a step is counted: the chances so far, of so many of its answers."""

    chances: list[RollChance] = []
    answers: int = 0


class Played(msgspec.Struct):
    """The fights that were played to see what a fight might have come to, and whether there will be more."""

    endings: list[Ending] = []
    is_done: bool = False


@dataclass
class Fight:
    """A fight as one viewer may read it: tallies and rolls, `before` it began and `after` it.

    `left` rolls' luck is still to be counted. `seconds` are how long each one's turns took at the table.
    """

    before: State
    after: State
    tallies: Tallies
    chances: list[RollChance] = field(default_factory=list)
    steps: int = 0
    undone: int = 0
    left: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    number: int = 0

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.after.phase == "over"


def find_fight(encounter: Encounter, viewer: Viewer) -> Fight | None:
    """The last fight of an encounter, or the one under way; None if none has begun."""
    rows = {row.number: row for row in encounter.log.defer("after")}
    steps = {number: read_step(row) for number, row in rows.items()}
    system, state = find_system(encounter.system), decode(bytes(encounter.start))
    fight, look = None, Look()
    for number in find_timeline(steps.values()).live:
        step = steps[number]
        if _begins(step):
            fight = Fight(state, state, Tallies(system, state), number=number)
        walker = fight.tallies if fight else Tallies(system, state)
        if fight and not fight.is_over:
            _count_luck(fight, system, encounter, step, viewer, state, look)
        _follow(walker, step, viewer, counts=bool(fight and not fight.is_over))
        state = walker.state
        if fight and (not fight.is_over or _begins(step)):
            fight.after, fight.steps = state, fight.steps + 1
    if fight:
        fight.undone = sum(r.struck and r.kind == COMMAND for n, r in rows.items() if n >= fight.number)
        _time_turns(fight, [(rows[n], steps[n]) for n in sorted(rows) if n >= fight.number])
    return fight


def _begins(step: Step) -> bool:
    return any(isinstance(fact.event, e.FightStarted) for fact in step.facts)


def _follow(tallies: Tallies, step: Step, viewer: Viewer, *, counts: bool) -> None:
    actor = str(step.command.get("actor", ""))
    seen = [fact for fact in step.facts if counts and viewer.may_see(fact.to)]
    if actor and seen:
        tallies.act(actor, step.name)
    known = {id(fact) for fact in seen}
    for fact in step.facts:
        tallies.follow(fact, actor=actor, is_shown=id(fact) in known)


def _count_luck(
    fight: Fight,
    system: System,
    encounter: Encounter,
    step: Step,
    viewer: Viewer,
    state: State,
    look: Look,
) -> None:
    """The chances of a step's rolls, out of the cache or counted now while there is time."""
    if not any(answer.kind == "roll" for answer in step.answers):
        return
    key = f"luck:{encounter.pk}:{step.number}"
    raw = cache.get(key)
    found = read_json(raw, Counted) if raw else Counted()
    if found.answers < len(step.answers):
        _count_on(found, system, step, state, look)
        cache.set(key, msgspec.json.encode(found), KEEP_SECONDS)
    fight.left += found.answers < len(step.answers)
    seen = [fact.event for fact in viewer.select(step.facts)]
    rolls = [event.roll for event in seen if isinstance(event, e.Checked)]
    fight.chances += [chance for chance in found.chances if chance.roll in rolls]


def _count_on(found: Counted, system: System, step: Step, state: State, look: Look) -> None:
    """Count the answers of a step that are still to be counted, while there is time.

    One with which a look began and that was not done at its end is left out: no look has more time.
    """
    while found.answers < len(step.answers) and not look.is_over():
        try:
            chance = find_chance(system, state, step, found.answers, look.is_over)
        except TooMany:
            if not look.is_fresh:
                return
            chance = None
        look.is_fresh = False
        found.chances += [chance] if chance else []
        found.answers += 1


def _time_turns(fight: Fight, log: list[tuple[StoredStep, Step]]) -> None:
    """How long each one's turns took, by the clock on the wall; long breaks do not count."""
    acting, since = "", None
    for row, step in log:
        for who in _acting(step):
            if acting and since and (row.created - since).total_seconds() <= MAX_PAUSE:
                fight.seconds[acting] += (row.created - since).total_seconds()
            acting, since = who, row.created


def _acting(step: Step) -> Iterator[str]:
    """Who has the turn after a step, where that changes in it."""
    for fact in step.facts:
        if isinstance(fact.event, e.TurnStarted):
            yield fact.event.who
        elif isinstance(fact.event, e.FightEnded):
            yield ""


def find_forecast(encounter: Encounter, fight: Fight) -> Played:
    """What the fight might have come to from where it began, with other dice than its own.

    Of FIGHTS fights as many as there has been time for, in this look and those before it; no more where a
    look has no time for a single one.
    """
    key = f"outsiders:{encounter.pk}:{fight.number}"
    raw = cache.get(key)
    played = read_json(raw, Played) if raw else Played()
    if not played.is_done:
        more = _play_more(find_system(encounter.system), fight, len(played.endings))
        endings = [*played.endings, *more]
        played = Played(endings, is_done=not more or len(endings) >= FIGHTS)
        cache.set(key, msgspec.json.encode(played), KEEP_SECONDS)
    return played


def _play_more(system: System, fight: Fight, played: int) -> list[Ending]:
    """The fights after those that were played before, as many as there is time for."""
    seed = fight.number * FIGHTS + played
    return list(play_many(system, fight.before, FIGHTS - played, seed, Look().is_over))
