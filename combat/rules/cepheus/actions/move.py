"""Actions of moving: on foot, stances, and where the groups stand at first."""

from __future__ import annotations

from combat.rules.core.commands.commands import Action
from combat.rules.core.gm.decisions import gm_action

from ..move import movement, placing, reach, stance
from .guards import check_free_to_act

GROUP = "Movement"

ACTIONS = (
    Action(
        name="move",
        label="Move",
        group=GROUP,
        type=movement.Move,
        run=movement.move,
        rule="CE-MINOR-15",
        cost="Minor",
        find_bar=check_free_to_act,
        find_obstacle=movement.check_move,
        find_fields=reach.move_fields,
        find_reach=reach.find_reach,
        text="Up to 6 m; half of it crouched or in difficult terrain.",
    ),
    Action(
        name="stance",
        label="Change stance",
        group=GROUP,
        type=stance.Take,
        run=stance.take_stance,
        rule="CE-MINOR-11",
        cost="Minor",
        find_bar=check_free_to_act,
        find_obstacle=stance.check_stance,
        find_fields=stance.stance_fields,
        text="Stand, crouch or lie prone.",
    ),
    gm_action(
        "place_groups",
        "Starting range",
        GROUP,
        placing.PlaceGroups,
        placing.place_groups,
        "CE-RANGE-19",
        fields=placing.placing_fields,
        check=placing.check_not_fighting,
        text="Puts the groups apart: as usual at such a place, or as you like.",
        has_odds=False,
    ),
)
