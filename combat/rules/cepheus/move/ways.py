"""Doors, and ways to another deck."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.doors import Arm, UseDoor, check_any_door, check_door, form_of_doors, leave_door
from combat.rules.core.gm.ways import TakeWay, check_any_way, check_trip, form_of_ways, go_by_way, has_ways
from combat.rules.core.space.decks import CLIMBED
from combat.rules.core.state.state import State

from ..body.moving import settle_place
from ..book.options import find_option
from ..characters.machinery import check_limbs
from ..dice.focus import lose_aim
from ..world.acting import act
from ..world.economy import check_minor, pay_minor
from ..world.motion import note_moved
from ..world.sight_lines import find_grid
from .movement import check_free_to_move

ARM_M = 1.5  # the adjacent square, or an arm's length
DOOR_RULE = "CE-MINOR-20"


def find_arm(state: State) -> Arm:
    """How far someone reaches for a door, in meters."""
    return Arm(find_grid(state), ARM_M)


def use_door(context: RuleContext, command: UseDoor) -> None:
    """Open or close a door: a minor action, since it needs neither full attention nor complex movement.
    [CE-MINOR-20]

    The text names no doors; the GM may ask for a check instead. A shut door ends holds and aims through it.
    RULING R8
    """
    who = command.actor
    check_limbs(context.state, context.state[who])
    door = check_door(context.state, who, command.door, find_arm(context.state))
    check_minor(context.state, who, "A door")
    lose_aim(context, who, "why.does_something_else")
    pay_minor(context, who, "A door", DOOR_RULE)
    leave_door(context, who, door.id, is_open=not door.open, rule=DOOR_RULE)
    settle_place(context, *context.state.combatants)


def take_way(context: RuleContext, command: TakeWay) -> None:
    """Take stairs, a ladder or a lift to another deck, a minor action: as a move of 6 m. [CE-MINOR-15]

    By table option climbing costs two, as on difficult ground. [CE-MINOR-18]  RULING R98
    """
    state, who = context.state, command.actor
    check_free_to_move(state, who)
    trip = check_trip(state, who, command.way, find_arm(state))
    is_slow = trip.way.kind in CLIMBED and bool(find_option(state, "slow_ladders"))
    pay_minor(context, who, "A way", rule="CE-MINOR-15", n=2 if is_slow else 1)
    lose_aim(context, who, "why.moves")
    go_by_way(context, who, trip, "CE-MINOR-15")
    note_moved(context, who, trip.meters)
    settle_place(context, who)


def check_way_now(state: State, actor: str) -> None:
    """Refuse without a way within reach or without a minor action left."""
    check_any_way(find_arm)(state, actor)
    check_minor(state, actor, "A way")


take_way_fields = form_of_ways(find_arm)


def check_door_now(state: State, actor: str) -> None:
    """Refuse without a door within reach or without a minor action left."""
    check_any_door(find_arm)(state, actor)
    check_minor(state, actor, "A door")


use_door_fields = form_of_doors(find_arm)


ACTIONS = (
    act("door", use_door, check_door_now, fields=use_door_fields, has_odds=False),
    act("way", take_way, check_way_now, fields=take_way_fields, has_odds=False, has_place=has_ways),
)
