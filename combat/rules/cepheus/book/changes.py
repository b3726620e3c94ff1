"""Which changes of the rules hold in a fight, for what asks without a context."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.versions import make_lookup
from combat.rules.core.state.state import State

follows = make_lookup(Path(__file__).parents[1])


def stands_clear(state: State) -> bool:
    """Whether whoever is put into a zone is kept clear of the walls in it."""
    return follows(state, "placed_clear_of_walls")
