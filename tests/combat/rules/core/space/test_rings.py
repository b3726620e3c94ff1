"""Rings around a combatant: each game's own bands, drawn as each game counts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from combat.rules.core.declaration.space import Space
from combat.rules.core.declaration.system import System
from combat.rules.core.space.rings import HEXAGON, OCTAGON, ROUND, SQUARE, Ring, outline_ring
from combat.rules.core.state.state import present, replace
from tests.combat.rules.games import every_game, set_up


def test_round_ring_needs_no_corners() -> None:
    assert outline_ring(Ring("w", 10, "10 m", ROUND), 1) == ()


@pytest.mark.parametrize(("shape", "corners"), [(SQUARE, 4), (OCTAGON, 8), (HEXAGON, 6)])
def test_counted_ring_takes_in_its_last_cell(shape: str, corners: int) -> None:
    found = outline_ring(Ring("w", 3, "3 m", shape), 1)
    assert len(found) == corners
    assert max(x for x, _ in found) == 3.5


@every_game
def test_rings_of_every_weapon_grow(system: System) -> None:
    """Each names a weapon of theirs, and rings are sorted from near to far."""
    state = set_up(system).state
    state = replace(state, scene=replace(state.scene, settings={"positioning": "squares"}))
    found = {combatant.id: system.space.rings(state, combatant) for combatant in present(state)}
    assert any(found.values()) or system.space.rings is Space().rings
    for who, rings in found.items():
        for ring, following in pairwise(rings):
            assert ring.item in {item.id for item in state[who].items}
            assert ring.item != following.item or ring.meters < following.meters
            assert ring.words
