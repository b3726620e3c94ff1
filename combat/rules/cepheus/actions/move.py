"""Actions of moving: on foot, stances, and the starting places of the groups."""

from __future__ import annotations

from ..move import movement, placing, reach, stance
from .guards import TABLE

ACTIONS = (
    TABLE.act("move", movement.move, movement.check_move, fields=reach.move_fields, reach=reach.find_reach),
    TABLE.act("stance", stance.take_stance, stance.check_stance, fields=stance.stance_fields),
    TABLE.gm(
        "place_groups",
        placing.place_groups,
        placing.check_not_fighting,
        fields=placing.placing_fields,
        has_odds=False,
    ),
)
