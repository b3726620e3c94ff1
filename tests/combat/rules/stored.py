"""The stored fights: what was played once, with how each ended. `make_fights` records them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.engine.document import Document

FOLDER = Path(__file__).parents[2] / "fights"
FIGHTS = sorted(FOLDER.glob("*-*.json"))
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_bytes())
every_fight = pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)


def sum_up(document: Document) -> dict[str, Any]:
    """How a fight stands at its end."""
    state = document.final
    return {
        "phase": state.phase,
        "round": state.round,
        "combatants": {
            who: {
                "name": fighter.name,
                "tracks": fighter.tracks,
                "conditions": sorted(held.kind for held in fighter.conditions),
            }
            for who, fighter in state.combatants.items()
        },
    }
