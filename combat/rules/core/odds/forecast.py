"""Forecast: the very same engine plays a fight by the game's tactics, many times."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Command
from ..engine.engine import AutoDriver, Done, find_action, run
from ..sides import find_able, is_able
from ..space import distance
from ..state.state import Combatant, State, present
from ..system import System
from .enumeration import GiveUp, TooMany, never

MAX_ROUNDS = 60
MAX_STEPS_PER_TURN = 12
FLED_M = 100


class Ending(msgspec.Struct, frozen=True):
    """How one played-out fight ended: sides still standing there, rounds, and who dropped."""

    standing: tuple[str, ...]
    rounds: int
    dropped: tuple[str, ...]


class Forecast(msgspec.Struct, frozen=True):
    """Chances from `fights` fights: per side to win alone, per fighter to drop; mean rounds."""

    fights: int
    wins: dict[str, float]
    drops: dict[str, float]
    rounds: float


def find_staying(system: System, start: State, state: State) -> Iterator[str]:
    """The sides of which somebody can still act and has not fled, one after the other.

    Asked after every turn, so it looks no farther than it must.
    """
    found: set[str] = set()
    for fighter in state.combatants.values():
        if fighter.side in found or not is_able(system, state, fighter):
            continue
        if not _has_fled(system, start, state, fighter):
            found.add(fighter.side)
            yield fighter.side


def is_contested(system: System, start: State, state: State) -> bool:
    """Whether two sides are still there."""
    sides = find_staying(system, start, state)
    return next(sides, None) is not None and next(sides, None) is not None


def _has_fled(system: System, start: State, state: State, fighter: Combatant) -> bool:
    """Whether somebody has gone FLED_M metres, and got so much farther from every foe."""
    begun = start.combatants
    at = begun.get(fighter.id, fighter).at
    if fighter.at is at or distance(fighter.at, at) < FLED_M:
        return False
    foes = [foe for foe in find_able(system, state) if foe.side != fighter.side]
    return all(distance(fighter.at, f.at) - distance(at, begun.get(f.id, f).at) >= FLED_M for f in foes)


def play_step(system: System, state: State, name: str, command: Command | None, auto: AutoDriver) -> State:
    """Run one command to its end, answering everything; raises Refused."""
    action = find_action(system, name)
    result = run(system, state, action, command or action.type(), auto)
    assert isinstance(result, Done)
    return result.state


def play_turn(system: System, state: State, auto: AutoDriver, give_up: GiveUp = never) -> State:
    """The active fighter's whole turn by tactics, then the next fighter's turn begins.

    Raises TooMany once told to give up.
    """
    actor = state.active
    for _ in range(MAX_STEPS_PER_TURN if actor else 0):
        if give_up():
            raise TooMany
        if state.active != actor or state.phase != "fight":
            return state
        submission = system.suggest(state, actor)
        if submission is None:
            break
        name, command = submission
        try:
            state = play_step(system, state, name, command, auto)
        except Refused:
            break
    return play_step(system, state, system.advance, None, auto)


def play_out(system: System, state: State, chance: random.Random, give_up: GiveUp = never) -> Ending:
    """Play a fight to its end, at most MAX_ROUNDS more rounds. One that is over stays as it is.

    Raises TooMany once told to give up.
    """
    auto, start = AutoDriver(chance, tells=False), state
    before = {f.id for f in present(state) if system.health(f).out}
    if state.phase == "prep":
        state = play_step(system, state, system.start, None, auto)
    last = state.round + MAX_ROUNDS
    while state.phase == "fight" and state.round < last and is_contested(system, start, state):
        state = play_turn(system, state, auto, give_up)
    staying = tuple(sorted(find_staying(system, start, state)))
    out = {f.id for f in present(state) if system.health(f).out}
    return Ending(staying, state.round, tuple(sorted(out - before)))


def play_many(
    system: System, state: State, fights: int, seed: int, give_up: GiveUp = never
) -> Iterator[Ending]:
    """Play the same fight many times; one seed always gives the same endings.

    Those that are played when it is told to give up are the last.
    """
    chance = random.Random(seed)  # noqa: S311 - a forecast is to come out the same again
    for _ in range(fights):
        try:
            yield play_out(system, state, chance, give_up)
        except TooMany:
            return


def sum_up(endings: list[Ending]) -> Forecast:
    """Chances out of played endings; every side with no winner at all counts for none."""
    n = max(1, len(endings))
    won = Counter(ending.standing[0] for ending in endings if len(ending.standing) == 1)
    dropped = Counter(who for ending in endings for who in ending.dropped)
    wins = {side: count / n for side, count in won.items()}
    drops = {who: count / n for who, count in dropped.items()}
    return Forecast(len(endings), wins, drops, sum(ending.rounds for ending in endings) / n)


def find_margin(chance: float, fights: int) -> tuple[float, float]:
    """From where to where the true chance lies, 95 times in 100, by what so many fights gave (Wilson)."""
    n, z = max(1, fights), 1.96
    middle, half = (chance + z * z / (2 * n)) / (1 + z * z / n), find_error(chance, fights)
    return max(0.0, middle - half), min(1.0, middle + half)


def find_error(chance: float, fights: int) -> float:
    """Half the width of that margin."""
    n, z = max(1, fights), 1.96
    return float(z * (chance * (1 - chance) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n))
