"""Which changes of the rules hold in a fight, for what asks without a context."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.versions import load_versions
from combat.rules.core.state.state import State

FOLDER = Path(__file__).parents[1]


def follows(state: State, change: str) -> bool:
    """Whether a change, by its key in versions.toml, holds in this fight."""
    return load_versions(FOLDER).hold(state, change)
