"""Doors of the battle map: a non-combat action."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.doors import Arm, UseDoor, check_door, form_of_doors
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import spend

from ..body.effects import Effect
from ..body.happen import carry_out
from ..book.tables import ACTION
from ..fight.attack import exert
from ..world.place import NEAR
from ..world.sight_lines import find_grid

RULE = "CG-ACT-05"


def find_arm(state: State) -> Arm:
    """The reach for a door, in yards."""
    return Arm(find_grid(state), NEAR)


def use_door(context: RuleContext, command: UseDoor) -> None:
    """Use a door as a non-combat action: the page names no doors, but they are no attack. [CG-ACT-05]

    If several act at one count, the door moves at its end. [CG-INIT-05]
    """
    who = command.actor
    door = check_door(context.state, who, command.door, find_arm(context.state))
    spend(context, who, {ACTION: 1}, "a door", RULE)
    exert(context, who, False)
    carry_out(context, Effect(kind="door", who=who, rule=RULE, item=door.id, points=int(not door.open)))


use_door_fields = form_of_doors(find_arm)
