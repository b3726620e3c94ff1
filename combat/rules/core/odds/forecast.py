"""Forecast: the same engine plays a fight many times by the game's tactics."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ..basics.errors import Refused
from ..commands.commands import Command
from ..declaration.system import System
from ..engine.engine import AutoDriver, Done, find_action, run
from ..gm.counters import without_spent
from ..gm.decisions import Target
from ..sides import gives_up, has_turns, is_able
from ..space import Point, distance
from ..state.state import Combatant, State, present
from .enumeration import GiveUp, TooMany, never
from .proposals import MAX_STEPS_PER_TURN, find_return

MAX_ROUNDS = 60
FLED_M = 100
CLOSE = 0.04  # half of a 95% margin, as a chance: narrow enough
CHUNK = 10  # fights that are played before a look at their margin
LEAST, MOST = 100, 2000  # fights of a forecast: against early stops, and at most


class Outcome(NamedTuple):
    """What a fight comes to: a side wins or, if it `escapes`, gets away; nobody wins if the side is ""."""

    side: str
    escapes: bool = False


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of one simulated fight: the sides still standing, rounds, who dropped, which side escaped.

    Of an evening the `legs` are its fights (core/odds/evening.py). A leg says who is `dead`, what is `left`
    of the party's strength, in percent, and whom the rules refused the rest before it.
    """

    standing: tuple[str, ...]
    rounds: int
    dropped: tuple[str, ...]
    escaped: str = ""
    dead: tuple[str, ...] = ()
    left: int = 0
    unrested: tuple[str, ...] = ()
    legs: tuple[Ending, ...] = ()

    @property
    def is_undecided(self) -> bool:
        """Whether the fight had no end: several sides still stood."""
        return len(self.standing) > 1

    @property
    def outcome(self) -> Outcome:
        """The side that escaped gets away; else the only side still standing wins."""
        if self.escaped:
            return Outcome(self.escaped, True)
        return Outcome(self.standing[0] if len(self.standing) == 1 else "")

    @property
    def outcomes(self) -> tuple[tuple[int, Outcome], ...]:
        """All whose chances are wanted: its outcome, and that of each leg by its number."""
        return ((0, self.outcome), *((number, leg.outcome) for number, leg in enumerate(self.legs, 1)))


class Forecast(msgspec.Struct, frozen=True):
    """Chances from `fights` fights: per side to win alone or to get away, per combatant to drop; average
    rounds."""

    fights: int
    wins: dict[str, float]
    drops: dict[str, float]
    rounds: float
    escapes: dict[str, float] = {}


def find_staying(system: System, start: State, state: State, enough: int = 0) -> list[str]:
    """The sides with someone who can still act and has not fled; the first `enough` of them, 0 for all."""
    found: list[str] = []
    for combatant in state.combatants.values():
        side = combatant.side
        if side in found or not is_able(system, state, combatant):
            continue
        if not _has_fled(system, start, state, combatant):
            found.append(side)
            if len(found) == enough:
                break
    return found


def is_contested(system: System, start: State, state: State) -> bool:
    """Whether two sides are still in the fight."""
    return len(find_staying(system, start, state, 2)) == 2


def _has_fled(system: System, start: State, state: State, combatant: Combatant) -> bool:
    """Whether someone has moved FLED_M meters, farther than any enemy, and is that much farther from all.

    Where no enemy is left to flee from, nobody has fled.
    """
    begun = start.combatants
    at = _begin_at(begun, combatant)
    meters = distance(combatant.at, at)
    if meters < FLED_M:
        return False
    fled = False
    for foe in state.combatants.values():
        if foe.side == combatant.side or not is_able(system, state, foe):
            continue
        there = _begin_at(begun, foe)
        gained = distance(combatant.at, foe.at) - distance(at, there)
        if gained < FLED_M or distance(foe.at, there) >= meters:
            return False
        fled = True
    return fled


def find_escaped(
    system: System, start: State, state: State, staying: tuple[str, ...], dropped: tuple[str, ...]
) -> str:
    """The side that got away from the winners: all who can still act have fled, and nobody has dropped."""
    lost = [side for side in find_staying(system, start, start) if side not in staying]
    if len(staying) != 1 or len(lost) != 1:
        return ""
    own = [combatant for combatant in present(state) if combatant.side == lost[0]]
    if any(one.id in dropped for one in own) or not any(has_turns(system, state, one) for one in own):
        return ""
    return lost[0]


def _begin_at(begun: Mapping[str, Combatant], combatant: Combatant) -> Point:
    """Where someone stood at the start; those who arrived later stand where they are."""
    first = begun.get(combatant.id, combatant)
    return combatant.at if first.gone else first.at


def play_step(system: System, state: State, name: str, command: Command | None, auto: AutoDriver) -> Done:
    """Run one command to its end with automatic answers; raises Refused."""
    action = system.actions.by_name.get(name) or find_action(system, name)
    result = run(system, state, action, command=command or action.type(), driver=auto)
    assert isinstance(result, Done)
    return result


def play_turn(system: System, state: State, auto: AutoDriver, give_up: GiveUp = never) -> State:
    """Play the active combatant's whole turn by tactics, and start the next combatant's turn.

    Steps that would lead back to where they began are not made (`propose` in core/odds/proposals.py). Raises
    TooMany once told to give up.
    """
    actor, since = state.active, [state]  # the states since the last roll
    for _ in range(MAX_STEPS_PER_TURN if actor else 0):
        if give_up is not never and give_up():
            raise TooMany
        if state.active != actor or state.phase != "fight":
            return state
        one = state.combatants[actor]
        if "flees" in one.sheet and gives_up(system, state, actor):
            state = play_step(system, state, "surrender", Target(target=actor), auto=auto).state
            if state.active != actor or state.phase != "fight":
                return state
            break
        counts = one.counters is not UNSET  # asked here: without further calls
        submission = system.tactics.suggest(without_spent(state, actor) if counts else state, actor)
        if submission is None:
            break
        thrown = auto.thrown
        try:
            done = play_step(system, state, *submission, auto)
        except Refused:
            break
        rolled = auto.thrown > thrown
        back = None if rolled else find_return(since, done.state)
        if back is not None:
            state = since[back]
            break
        state = done.state
        since = [state] if rolled else [*since, state]
    return play_step(system, state, system.actions.advance, command=None, auto=auto).state


def play_out(system: System, state: State, chance: random.Random, give_up: GiveUp = never) -> Ending:
    """Play a fight to its end, at most MAX_ROUNDS more rounds. A finished fight stays unchanged.

    Raises TooMany once told to give up.
    """
    return play_through(system, state, chance, give_up)[0]


def play_through(
    system: System, state: State, chance: random.Random, give_up: GiveUp = never
) -> tuple[Ending, State]:
    """The end of a fight that is played out, and the state then."""
    auto, start = AutoDriver(chance, tells=False), state
    before = {f.id for f in present(state) if system.characters.health(f).is_out}
    if state.phase == "prep":
        state = play_step(system, state, system.actions.start, command=None, auto=auto).state
    last = until = state.round + MAX_ROUNDS
    while state.phase == "fight" and state.round < until:
        if is_contested(system, start, state):
            until = last
        elif is_contested(system, state, state):  # some have fled: everybody has a turn to follow them
            until = min(until, state.round + 2)
        else:
            break
        state = play_turn(system, state, auto, give_up)
    staying = tuple(sorted(find_staying(system, start, state)))
    out = {f.id for f in present(state) if system.characters.health(f).is_out}
    dropped = tuple(sorted(out - before))
    escaped = find_escaped(system, start, state, staying=staying, dropped=dropped)
    return Ending(staying, state.round, dropped, escaped), state


def play_many(
    system: System, state: State, fights: int, seed: int, give_up: GiveUp = never
) -> Iterator[Ending]:
    """Play the same fight many times; equal seeds give equal endings.

    Stops with the fights played so far when told to give up.
    """
    chance = random.Random(seed)  # noqa: S311 - a forecast must be repeatable
    for _ in range(fights):
        try:
            yield play_out(system, state, chance, give_up)
        except TooMany:
            return


def sum_up(endings: list[Ending]) -> Forecast:
    """The chances in a list of endings; a fight without a winner counts for no side."""
    n = max(1, len(endings))
    ended = Counter(ending.outcome for ending in endings)
    dropped = Counter(who for ending in endings for who in ending.dropped)
    wins = {side: count / n for (side, escapes), count in ended.items() if side and not escapes}
    away = {side: count / n for (side, escapes), count in ended.items() if escapes}
    drops = {who: count / n for who, count in dropped.items()}
    return Forecast(
        len(endings), wins, drops, rounds=sum(ending.rounds for ending in endings) / n, escapes=away
    )


def is_undecided(endings: list[Ending]) -> bool:
    """Whether these fights say no chance, because most of them have no end."""
    return 2 * sum(ending.is_undecided for ending in endings) > len(endings)


def find_margin(chance: float, fights: int) -> tuple[float, float]:
    """The 95% margin of the true chance (Wilson), from the share among this many fights."""
    n, z = max(1, fights), 1.96
    middle, half = (chance + z * z / (2 * n)) / (1 + z * z / n), half_margin(chance, fights)
    return max(0.0, middle - half), min(1.0, middle + half)


def half_margin(chance: float, fights: int) -> float:
    """Half the width of that margin."""
    n, z = max(1, fights), 1.96
    return float(z * (chance * (1 - chance) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n))


def find_closeness(endings: list[Ending]) -> float:
    """Half the width of the widest 95% margin among the chances of the outcomes."""
    ended = Counter(outcome for ending in endings for outcome in ending.outcomes)
    return max((half_margin(times / len(endings), len(endings)) for times in ended.values()), default=1.0)


def is_settled(endings: list[Ending]) -> bool:
    """Whether these are fights enough: the chance of every outcome is known within CLOSE."""
    return len(endings) >= MOST or (len(endings) >= LEAST and find_closeness(endings) <= CLOSE)


def count_needed(endings: list[Ending]) -> int:
    """How many fights it takes to know the chances within CLOSE, if they stay as they are so far."""
    n = max(1, len(endings))
    ended = Counter(outcome for ending in endings for outcome in ending.outcomes)
    shares = [times / n for times in ended.values()]

    def is_close(fights: int) -> bool:
        return all(half_margin(share, fights) <= CLOSE for share in shares)

    return LEAST + bisect_left(range(LEAST, MOST), True, key=is_close)
