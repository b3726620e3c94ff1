"""The rules: pure Python. One folder per game beside the neutral core.

A game is added by one line in SYSTEMS; it is imported when it is first wanted.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from combat.rules.core.basics.errors import Refused
from combat.rules.core.odds.forecast import Ending, play_many
from combat.rules.core.state.state import State, decode
from combat.rules.core.system import System

# The short name of each game, and the module that holds its SYSTEM
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
    system: System = import_module(SYSTEMS[slug]).SYSTEM
    return system


def play_chunk(slug: str, state: bytes, fights: int, seed: int) -> list[Ending]:
    """Play so many fights from a state in JSON, in a worker process; a seed always gives the same."""
    return list(play_many(find_system(slug), _read_start(state), fights, seed))


@lru_cache(maxsize=8)
def _read_start(state: bytes) -> State:
    """One state for all chunks of a forecast, so that what was found out about it once holds for all."""
    return decode(state)
