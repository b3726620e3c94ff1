"""The range of a combatant's weapons, band by band."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.space.rings import ROUND, SQUARE, Ring
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import BANDS, RANGE_BANDS, SQUARE_METERS
from ..people.goods.inventory import find_fittings
from ..world.bands import is_grid
from .aim import find_row, range_rows
from .weapons import find_own, is_gun, read_arm


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """The bands of each weapon in meters, the weapons in hand first. [CE-RANGE-09]"""
    weapons = find_own(combatant)
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(ring for item in weapons for ring in _find_rings(state, combatant, item))


def _find_rings(state: State, combatant: Combatant, item: Item) -> Iterator[Ring]:
    arm, rows, on_grid = read_arm(item), range_rows(state), is_grid(state)
    modes = ("ranged",) if is_gun(item) else ("melee", "thrown")
    used = [
        rows[row] for mode in modes if (row := find_row(arm, mode, find_fittings(combatant.items, item.id)))
    ]
    best = {band: max(dms) for band in BANDS if (dms := [row[band] for row in used if band in row])}
    for band, dm in best.items():
        following = BANDS[BANDS.index(band) + 1 :][:1]
        if following and best.get(following[0]) == dm:
            continue  # the band continues unchanged
        known = RANGE_BANDS[band]
        meters = known.squares_high * SQUARE_METERS if on_grid else known.to_m
        sign = f"{dm:+d}".replace("-", "\N{MINUS SIGN}")
        yield Ring(item.id, meters, f"{item.name}, {known.name}: {sign}", SQUARE if on_grid else ROUND)
