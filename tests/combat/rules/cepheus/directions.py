"""What of Cepheus points somewhere, for fights that are turned."""

from __future__ import annotations

from combat.rules.cepheus.fight.launch import COMPASS
from tests.combat.rules.core.turning import Directions

# [CE-THROW-05] A miss scatters by 1d8, from east round to the left
DIRECTIONS = Directions(
    bearings=frozenset({"facing"}),
    dice={"CE-THROW-05": (90.0, -45.0, 8)},
    compass=COMPASS,
    sides=("left", "right"),
    chosen_marks=("fired:",),  # on the border of two arcs either counts
)
