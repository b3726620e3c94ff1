"""Suggestions: legal preparations that raise the chance of a command, found by playing them first.

A game only names candidates; the engine finds out whether each is legal and what it gains.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Action, Command, command_data
from ..declaration.system import System
from ..declaration.tactics import Candidate
from ..engine.engine import Done, TryDriver, find_action, run
from ..state.state import State
from .enumeration import GiveUp, TooMany, never
from .odds import find_odds

MAX_CANDIDATES = 12
MIN_GAIN = 0.005


class Suggestion(msgspec.Struct, frozen=True):
    """A candidate that helps: the chance with it, and the gain (0 to 1)."""

    candidate: Candidate
    chance: float
    gain: float


def find_chance(
    system: System, state: State, action: Action, command: Command, give_up: GiveUp = never
) -> float | None:
    """The headline chance of a command; None if it is refused, has no roll, or takes too long."""
    try:
        headline = find_odds(system, state, action, command=command, give_up=give_up).headline
    except (Refused, TooMany):
        return None
    return headline.chance if headline else None


def find_suggestions(
    system: System,
    state: State,
    action: Action,
    command: Command,
    candidates: Iterable[Candidate],
    most: int = 3,
    give_up: GiveUp = never,
) -> tuple[Suggestion, ...]:
    """The candidates that raise the chance most, best first, among those there was time for."""
    now = find_chance(system, state, action, command=command, give_up=give_up) or 0.0
    found = []
    for candidate in list(candidates)[:MAX_CANDIDATES]:
        if give_up():  # without the first chance there is nothing to compare with
            break
        then = _try(system, state, action, command=command, candidate=candidate, give_up=give_up)
        if then is not None and then - now >= MIN_GAIN:
            found.append(Suggestion(candidate, then, then - now))
    return tuple(sorted(found, key=lambda help_: -help_.gain)[:most])


def _try(
    system: System,
    state: State,
    action: Action,
    command: Command,
    candidate: Candidate,
    give_up: GiveUp,
) -> float | None:
    """The chance of the command with a candidate; None if the rules forbid either."""
    try:
        if not candidate.name:
            changed = msgspec.structs.replace(command, **candidate.fields)
            return find_chance(system, state, action, command=changed, give_up=give_up)
        _, first = system.read(candidate.name, {"actor": command.actor, **candidate.fields})
        done = run(system, state, find_action(system, candidate.name), command=first, driver=TryDriver())
    except Refused:
        return None
    if not isinstance(done, Done):
        return None
    return find_chance(system, done.state, action, command=command, give_up=give_up)


def fields_with(command: Command, candidate: Candidate) -> dict[str, Any]:
    """The fields of the command with the candidate's changes."""
    return {**command_data(command), **candidate.fields}
