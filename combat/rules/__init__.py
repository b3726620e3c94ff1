"""The rules: pure Python. One folder per game beside the neutral core.

One line in SYSTEMS adds a game; the game is imported when first used.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module

from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.odds import evening as evenings
from combat.rules.core.odds.forecast import Ending, play_many
from combat.rules.core.state.state import State, decode

# The short name of each game and the module that holds its SYSTEM
SYSTEMS = {
    "cosmos": "combat.rules.cosmos",
    "starshock": "combat.rules.starshock",
    "guardians": "combat.rules.guardians",
    "cepheus": "combat.rules.cepheus",
    "cepheus_quick": "combat.rules.cepheus.quick",
}


def find_system(slug: str) -> System:
    """The game of this name; Refused("unknown") if there is none."""
    if slug not in SYSTEMS:
        raise Refused("unknown", f"There is no game “{slug}” here.")
    return _load_system(slug)


@cache
def _load_system(slug: str) -> System:
    """The game of this name, imported at its first use."""
    system: System = import_module(SYSTEMS[slug]).SYSTEM
    return system


def play_chunk(slug: str, state: bytes, fights: int, seed: int) -> list[Ending]:
    """Play a number of fights from a state in JSON, in a worker process; equal seeds give equal fights."""
    return list(play_many(find_system(slug), _read_start(state), fights, seed))


@lru_cache(maxsize=8)
def _read_start(state: bytes) -> State:
    """The state of a forecast; all chunks share one object, so they share its cached answers."""
    return decode(state)


def play_evenings(slug: str, evening: bytes, count: int, seed: int) -> list[Ending]:
    """Play an evening in JSON a number of times, as `play_chunk` plays a fight."""
    return list(evenings.play_evenings(find_system(slug), _read_evening(evening), count, seed))


@lru_cache(maxsize=4)
def _read_evening(evening: bytes) -> evenings.Evening:
    """The evening of a forecast: one object for all chunks."""
    return read_json(evening, evenings.Evening)
