"""What would help? Legal preparations that raise the chance of a command, by playing them first.

A game only names candidates; whether each is legal, and what it gains, the engine finds out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from .commands import Action, Command, command_data
from .engine import Done, Recorded, find_action, run
from .errors import Refused
from .odds import TooMany, find_odds
from .state import State
from .system import System

MOST_CANDIDATES = 12
LEAST_GAIN = 0.005


class Candidate(msgspec.Struct, frozen=True):
    """Something to do before: an action with its fields, or the same command with other fields."""

    label: str
    name: str = ""
    fields: dict[str, Any] = {}
    rule: str = ""


class Help(msgspec.Struct, frozen=True):
    """A candidate that helps: the chance with it, and how much that is more (0 to 1)."""

    candidate: Candidate
    chance: float
    gain: float


def find_chance(system: System, state: State, action: Action, command: Command) -> float | None:
    """The headline chance of a command; None if it is refused or nothing is rolled."""
    try:
        headline = find_odds(system, state, action, command).headline
    except (Refused, TooMany):
        return None
    return headline.chance if headline else None


def find_helps(
    system: System,
    state: State,
    action: Action,
    command: Command,
    candidates: Iterable[Candidate],
    most: int = 3,
) -> tuple[Help, ...]:
    """The candidates that raise the chance most, best first."""
    now = find_chance(system, state, action, command) or 0.0
    found = []
    for candidate in list(candidates)[:MOST_CANDIDATES]:
        then = _try(system, state, action, command, candidate)
        if then is not None and then - now >= LEAST_GAIN:
            found.append(Help(candidate, then, then - now))
    return tuple(sorted(found, key=lambda help_: -help_.gain)[:most])


def _try(
    system: System, state: State, action: Action, command: Command, candidate: Candidate
) -> float | None:
    """The chance of the command with a candidate; None where the rules forbid either."""
    try:
        if not candidate.name:
            changed = msgspec.structs.replace(command, **candidate.fields)
            return find_chance(system, state, action, changed)
        _, first = system.read(candidate.name, {"actor": command.actor, **candidate.fields})
        done = run(system, state, find_action(system, candidate.name), first, Recorded())
    except Refused:
        return None
    return find_chance(system, done.state, action, command) if isinstance(done, Done) else None


def fields_with(command: Command, candidate: Candidate) -> dict[str, Any]:
    """The fields of the command changed as a candidate says."""
    return {**command_data(command), **candidate.fields}
