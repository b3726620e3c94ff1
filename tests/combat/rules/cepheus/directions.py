"""The values of Cepheus that name a direction, for turned fights."""

from __future__ import annotations

from combat.rules.cepheus.fight.explosives.lobs import COMPASS
from tests.combat.rules.every_game.wild.turning import Directions

# [CE-THROW-05] A miss scatters by 1d8, from east counterclockwise
DIRECTIONS = Directions(
    bearings=frozenset({"facing"}),
    dice={"CE-THROW-05": (90.0, -45.0, 8)},
    compass=COMPASS,
    sides=("left", "right"),
    chosen_how=frozenset({"how.steps_out"}),
    chosen_marks=("fired:",),  # on the border of two arcs either counts
)
