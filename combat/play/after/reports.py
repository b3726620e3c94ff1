"""The report of an encounter's last fight: one walk over its log, and the luck of every roll.

The luck of a roll takes milliseconds. The cache keeps what is counted, so a long fight is counted over
several looks at its page. A roll that takes longer than a whole look is left out.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec
from django.core.cache import cache
from msgspec.structs import replace

from combat.audience.map_fog import find_unknown
from combat.audience.secrecy import view_obscured_health
from combat.audience.viewer import Viewer
from combat.models import Encounter, StoredStep
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.commands.luck import is_given_up
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.reserves import plan_reserves
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.forecast import Ending, play_many
from combat.rules.core.report.corrections import Mended
from combat.rules.core.report.luck import RollChance, Tallies, find_chance
from combat.rules.core.sides import is_able
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND, Step, find_counting
from combat.rules.core.state.state import Combatant, State, decode

from ..writing.verification import read_step

KEEP_SECONDS = 7 * 86_400
MAX_SECONDS = 1.0  # for counting luck in one look
MAX_PAUSE = 3600  # seconds; a longer turn was a break
FIGHTS = 200
LEAST_SWING = 2.0  # percentage points of all strength: less is no turning point
WHOLE = 100


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

    `number` is that of the step which began it, `left` how many steps still need their luck counted,
    `seconds` how long everyone's turns took. `moves` are its steps, each with the state after it.
    """

    before: State
    after: State
    tallies: Tallies
    number: int
    chances: list[RollChance] = field(default_factory=list)
    moves: list[tuple[Step, State]] = field(default_factory=list)
    undone: int = 0
    left: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.after.phase == "over"


def find_fight(encounter: Encounter, viewer: Viewer, *, with_luck: bool = True) -> Fight | None:
    """The last fight of an encounter, or the one under way; None if none has begun.

    Without its luck it has no chances, and nothing is left to count.
    """
    rows = {row.number: row for row in encounter.log.defer("after")}
    steps = {number: read_step(row) for number, row in sorted(rows.items())}
    system, state = find_system(encounter.system), decode(bytes(encounter.start))
    fight, look = None, Look()
    for step in find_counting(steps.values()):
        if begins(step):
            fight = Fight(state, state, Tallies(system, state), step.number)
        walker = fight.tallies if fight else Tallies(system, state)
        if fight and not fight.is_over and with_luck:
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
    actor, tallies.step = str(step.command.get("actor", "")), step.number
    seen = [fact for fact in step.facts if counts and viewer.may_see(fact.to)]
    if actor and seen:
        tallies.act(actor, step.name)
    known, heard = {id(fact) for fact in seen}, set[tuple[str, Roll]]()
    for fact in step.facts:
        if id(fact) in known:
            tallies.follow(fact, fact.event, actor=actor)
            continue
        redacted = viewer.find_redacted(fact) if counts else None
        tallies.follow(fact, _find_harm(redacted), actor="")
        if not (isinstance(redacted, e.TrackChanged) and redacted.word):
            continue
        tallies.guess(redacted)
        if redacted.roll:
            if (redacted.who, redacted.roll) not in heard:  # one roll may be divided among several numbers
                tallies.hear(redacted, actor=actor)
            heard.add((redacted.who, redacted.roll))


def _find_harm(redacted: e.Event | None) -> e.Event | None:
    """What befell someone by the hand of an unknown, as their log tells it; None if health is secret."""
    told = isinstance(redacted, e.ConditionGained) or (
        isinstance(redacted, e.TrackChanged) and not redacted.word
    )
    return redacted if told else None


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
    fight.chances += [
        chance
        for chance in found.chances
        if chance.check.roll in rolls or any(is_given_up(event, chance.check.roll) for event in seen)
    ]


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


# How strong each side was through a fight, as one viewer knew it. Strength is what those who can still
# fight have left: points of health, or percent of each one's health where the viewer may not know the
# points. What changed out of sight shows once they see it.


@dataclass(frozen=True)
class Stand:
    """The strength of everyone known after a step, by id."""

    number: int
    round: int
    left: Mapping[str, int]


@dataclass(frozen=True)
class Swing:
    """A step that moved the strength of the sides: the share of one side `before` and `after`, in percent.

    `place` is its place among the stands, `fallen` those who fell, the strongest first. `who` is the first of
    them, or the one whose strength changed most if nobody fell.
    """

    place: int
    number: int
    round: int
    before: float
    after: float
    who: str
    fallen: tuple[str, ...] = ()


@dataclass
class StrengthCurve:
    """The strength of a fight from its first step: `most` that anyone can have, `sides` of all, by id.

    `falls` is the round in which each of those who are out could no longer fight.
    """

    in_points: bool
    stands: list[Stand] = field(default_factory=list)
    most: dict[str, int] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    falls: dict[str, int] = field(default_factory=dict)

    def add_up(self, side: str, stand: Stand) -> int:
        """The strength of a side after a step."""
        return sum(left for who, left in stand.left.items() if self.sides[who] == side)

    def find_most(self, side: str) -> int:
        """The strength of a side that is unhurt."""
        return sum(most for who, most in self.most.items() if self.sides[who] == side)

    def find_share(self, side: str, stand: Stand) -> float:
        """A side's part of the strength of all, in percent; half if nobody has any."""
        whole = sum(stand.left.values())
        return WHOLE * self.add_up(side, stand) / whole if whole else WHOLE / 2


def find_curve(
    system: System,
    moves: Iterable[tuple[Step, State]],
    viewer: Viewer,
    now: State,
    mended: Iterable[Mended] = (),
) -> StrengthCurve:
    """The strength after each step that changed it or began a round; `now` is the present state, all of it.

    Combatants whom the viewer does not know count at no time, and so do steps that they may not read. What
    was `mended` counts as it came out from the step that it set right.
    """
    course = StrengthCurve(viewer.is_gm or system.option(now, "foe_health") == "number")
    unknown, left = find_unknown(now, viewer), dict[str, int]()
    for step, state in moves:
        then = replace(state, options=now.options)
        found = {
            one.id: (one, _measure(system, then, one, viewer=viewer, in_points=course.in_points))
            for one in then.combatants.values()
            if one.id not in unknown and one.side not in system.tactics.neutral
        }
        changed = {
            who
            for who, (one, value) in found.items()
            if left.get(who) != value or course.sides.get(who, one.side) != one.side
        }
        for who in changed - find_unknown(then, viewer) if changed else ():
            one, value = found[who]
            course.sides[who] = one.side
            most = system.find_health(then, one).most if course.in_points else WHOLE
            course.most[who] = max(value, most)
            left = left | {who: value}
        last = course.stands[-1] if course.stands else None
        if last is None or last.left != left or last.round != state.round:
            course.stands.append(Stand(step.number, state.round, left))
    for correction in mended:
        _mend(course, correction)
    course.falls = dict(_find_falls(course.stands))
    return course


def _mend(course: StrengthCurve, mended: Mended) -> None:
    """Count a loss or cure as the GM corrected it, unless something else changed them meanwhile."""
    who, first = mended.who, mended.blow.step
    after = next((stand for stand in reversed(course.stands) if stand.number <= mended.at), None)
    wrong = [n for n, stand in enumerate(course.stands) if first <= stand.number < mended.at]
    if after is None or who not in after.left or len({course.stands[n].left.get(who) for n in wrong}) != 1:
        return
    for n in wrong:
        stand = course.stands[n]
        course.stands[n] = Stand(stand.number, stand.round, {**stand.left, who: after.left[who]})


def _find_falls(stands: Iterable[Stand]) -> Iterator[tuple[str, int]]:
    """Everyone who is out at the end, with the round in which they last fell."""
    left, falls = dict[str, int](), dict[str, int]()
    for stand in stands:
        falls |= {who: stand.round for who, value in stand.left.items() if not value and left.get(who)}
        left = dict(stand.left)
    return ((who, since) for who, since in falls.items() if not left.get(who))


def _measure(system: System, state: State, one: Combatant, viewer: Viewer, in_points: bool) -> int:
    if not is_able(system, state, one):
        return 0
    health = system.find_health(state, one)
    if in_points:
        return max(1, round(health.most * health.share))
    shown = view_obscured_health(system, state, one, viewer=viewer, health=health)
    return max(1, shown.percent) if shown.shown else WHOLE


def find_swings(course: StrengthCurve, side: str) -> list[Swing]:
    """The steps that moved a side's part of the strength of all: first those where someone fell."""
    swings = list[Swing]()
    for place, (was, now) in enumerate(zip(course.stands, course.stands[1:], strict=False), start=1):
        if now.left == was.left or not any(was.left.values()):
            continue
        before, after = course.find_share(side, was), course.find_share(side, now)
        if not any(now.left.values()):
            after = before
        moved = {one: abs(left - was.left.get(one, 0)) for one, left in now.left.items()}
        out = [one for one, left in was.left.items() if left and not now.left[one]]
        fallen = tuple(sorted(out, key=lambda one: -moved[one]))
        who = fallen[0] if fallen else max(moved, key=lambda one: moved[one])
        swings.append(Swing(place, now.number, now.round, before=before, after=after, who=who, fallen=fallen))
    found = [swing for swing in swings if swing.fallen or abs(swing.after - swing.before) >= LEAST_SWING]
    return sorted(found, key=lambda swing: (not swing.fallen, -abs(swing.after - swing.before)))
