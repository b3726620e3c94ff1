"""The report of an encounter's last fight: one walk over its log, and the luck of every roll.

The luck of a roll takes milliseconds. The cache keeps what is counted, so a long fight is counted over
several looks at its page. A roll that takes longer than a whole look is left out.
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
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.typed import read_json
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.reserves import plan_reserves
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.forecast import Ending, play_many
from combat.rules.core.report.luck import RollChance, find_chance
from combat.rules.core.report.tally import Tallies
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step, find_timeline
from combat.rules.core.state.state import State, decode

from ..writing.verification import read_step

KEEP_SECONDS = 7 * 86_400
MAX_SECONDS = 1.0  # for counting luck in one look
MAX_PAUSE = 3600  # seconds; a longer turn was a break
FIGHTS = 200


@dataclass
class Look:
    """The time that one look at the page may spend, and whether anything was counted in it yet."""

    ends: float = field(default_factory=lambda: time.monotonic() + MAX_SECONDS)
    is_fresh: bool = True

    def is_over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() > self.ends


class Counted(msgspec.Struct):
    """How far the luck of a step is counted: the chances so far, and how many of its answers they cover."""

    chances: list[RollChance] = []
    answers: int = 0


class Played(msgspec.Struct):
    """Fights played for the forecast of the report, and whether these are all."""

    endings: list[Ending] = []
    is_done: bool = False


@dataclass
class Fight:
    """A fight as one viewer may read it: tallies and rolls, the states `before` and `after` it.

    `left` is how many steps still need their luck counted; `seconds` how long everyone's turns took. `moves`
    are its steps, each with the state after it.
    """

    before: State
    after: State
    tallies: Tallies
    chances: list[RollChance] = field(default_factory=list)
    moves: list[tuple[Step, State]] = field(default_factory=list)
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
        if begins(step):
            fight = Fight(state, state, Tallies(system, state), number=number)
        walker = fight.tallies if fight else Tallies(system, state)
        if fight and not fight.is_over:
            _count_luck(fight, system, encounter, step=step, viewer=viewer, state=state, look=look)
        _follow(walker, step, viewer, counts=bool(fight and not fight.is_over))
        state = walker.state
        if fight and (not fight.is_over or begins(step)):
            fight.after = state
            fight.moves.append((step, state))
    if fight:
        fight.undone = sum(r.struck and r.kind == COMMAND for n, r in rows.items() if n >= fight.number)
        _time_turns(fight, [(rows[n], steps[n]) for n in sorted(rows) if n >= fight.number])
    return fight


def begins(step: Step) -> bool:
    """Whether the fight begins with a step."""
    return any(isinstance(fact.event, e.FightStarted) for fact in step.facts)


def _follow(tallies: Tallies, step: Step, viewer: Viewer, *, counts: bool) -> None:
    actor = str(step.command.get("actor", ""))
    seen = [fact for fact in step.facts if counts and viewer.may_see(fact.to)]
    if actor and seen:
        tallies.act(actor, step.name)
    known, heard = {id(fact) for fact in seen}, set[tuple[str, Roll]]()
    for fact in step.facts:
        if id(fact) in known:
            tallies.follow(fact, fact.event, actor=actor)
            continue
        twin = viewer.find_twin(fact) if counts else None
        tallies.follow(fact, _find_harm(twin), actor="")
        if isinstance(twin, e.TrackChanged) and twin.word and twin.roll:
            if (twin.who, twin.roll) not in heard:  # one roll may be divided among several numbers
                tallies.hear(twin, actor=actor)
            heard.add((twin.who, twin.roll))


def _find_harm(twin: e.Event | None) -> e.Event | None:
    """What befell someone by the hand of an unknown, as their log tells it; None if health is secret."""
    told = isinstance(twin, e.ConditionGained) or (isinstance(twin, e.TrackChanged) and not twin.word)
    return twin if told else None


def _count_luck(
    fight: Fight,
    system: System,
    encounter: Encounter,
    step: Step,
    viewer: Viewer,
    state: State,
    look: Look,
) -> None:
    """Add the chances of a step's rolls: from the cache, or counted now while there is time."""
    if not any(answer.kind == "roll" for answer in step.answers):
        return
    key = f"chances:{encounter.pk}:{step.number}"
    raw = cache.get(key)
    found = read_json(raw, Counted) if raw else Counted()
    if found.answers < len(step.answers):
        _count_on(found, system, step, state=state, look=look)
        cache.set(key, msgspec.json.encode(found), KEEP_SECONDS)
    fight.left += found.answers < len(step.answers)
    seen = [fact.event for fact in viewer.select(step.facts)]
    rolls = [event.roll for event in seen if isinstance(event, e.Checked)]
    fight.chances += [chance for chance in found.chances if chance.check.roll in rolls]


def _count_on(found: Counted, system: System, step: Step, state: State, look: Look) -> None:
    """Count a step's remaining answers while there is time.

    An answer that takes a whole look is left out: no later look has more time.
    """
    while found.answers < len(step.answers) and not look.is_over():
        try:
            chance = find_chance(system, state, step, place=found.answers, give_up=look.is_over)
        except TooMany:
            if not look.is_fresh:
                return
            chance = None
        look.is_fresh = False
        found.chances += [chance] if chance else []
        found.answers += 1


def _time_turns(fight: Fight, log: list[tuple[StoredStep, Step]]) -> None:
    """Add up how long everyone's turns took in real time, without long breaks."""
    acting, since = "", None
    for row, step in log:
        for who in _acting(step):
            if acting and since and (row.created - since).total_seconds() <= MAX_PAUSE:
                fight.seconds[acting] += (row.created - since).total_seconds()
            acting, since = who, row.created


def _acting(step: Step) -> Iterator[str]:
    """The ids of those who get the turn in a step; "" when the fight ends."""
    for fact in step.facts:
        if isinstance(fact.event, e.TurnStarted):
            yield fact.event.who
        elif isinstance(fact.event, e.FightEnded):
            yield ""


def find_forecast(encounter: Encounter, fight: Fight) -> Played:
    """Possible outcomes of the fight, played again from its beginning with other dice.

    Up to FIGHTS of them, spread over several looks; fewer if a look has no time for a single one.
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
    """The next fights after those already played, as many as there is time for."""
    seed = fight.number * FIGHTS + played
    return list(
        play_many(
            system, plan_reserves(fight.before, None), FIGHTS - played, seed=seed, give_up=Look().is_over
        )
    )
