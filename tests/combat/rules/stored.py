"""The stored fights: recorded once, with their ends. `make_fights` records them.

They lie in `tests/combat/rules/GAME/stored`, those of a variant with those of its game.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.book.rulebook import find_code_folder
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import Document

HERE = Path(__file__).parent
STORED, EXPECTATIONS = "stored", "expected.json"
FIGHTS = sorted(HERE.glob(f"*/{STORED}/*-*.json"))
EXPECTED: dict[str, Any] = {
    name: ending
    for path in sorted(HERE.glob(f"*/{STORED}/{EXPECTATIONS}"))
    for name, ending in json.loads(path.read_bytes()).items()
}
every_fight = pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)


def find_store(system: System) -> Path:
    """The folder of a game's stored fights."""
    return HERE / find_code_folder(system.folder).name / STORED


def sum_up(document: Document) -> dict[str, Any]:
    """The state of a fight at its end."""
    state = document.final
    return {
        "phase": state.phase,
        "round": state.round,
        "combatants": {
            who: {
                "name": combatant.name,
                "tracks": combatant.tracks,
                "conditions": sorted(held.kind for held in combatant.conditions),
            }
            for who, combatant in state.combatants.items()
        },
    }
