"""Drones: an operator spends an action on a drone, which then acts with the operator's skills.  RULING R74"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Targeted
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..dice.focus import lose_aim
from ..people import machinery
from ..people.machinery import OPERATED, find_operator, is_drone
from ..people.values import is_out, is_person
from ..world.economy import pay_significant
from ..world.order import mark

RULE = "CE-VDMG-01"


class Assign(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set the operator of a drone; none if `operator` is empty."""

    operator: str = ""


def check_steer(state: State, command: Targeted) -> Combatant:
    """Refuse to steer a drone of another operator, or one that does not respond."""
    operator, drone = state[command.actor], state[command.target]
    if not is_drone(drone):
        raise Refused("bad_target", f"{drone.name} is no drone.")
    found = find_operator(state, drone)
    if found is None or found.id != operator.id:
        raise Refused("not_allowed", f"{operator.name} does not steer {drone.name}: the GM says who does.")
    if is_out(drone) or machinery.is_blind(state, drone):
        raise Refused("not_allowed", f"{drone.name} does not answer: repair it first.")
    return drone


def steer(context: RuleContext, command: Targeted) -> None:
    """Steer a drone with a significant action, one for each: it acts on its next turn."""
    drone = check_steer(context.state, command)
    pay_significant(context, command.actor, "Steering a drone", RULE)
    lose_aim(context, command.actor, "why.does_something_else")
    remove_conditions(context, drone.id, "steered", rule=RULE)
    add_condition(context, drone.id, "steered", rule=RULE, by=command.actor)


def assign(context: RuleContext, command: Assign) -> None:
    """Set the operator of a drone as the GM says."""
    drone = context.state[command.target]
    if not is_drone(drone):
        raise Refused("bad_target", f"{drone.name} is no drone: choose one.")
    if command.operator and not is_person(context.state[command.operator]):
        raise Refused("bad_target", "A drone is steered by a person: choose one.")
    overrule(context, "gm.operator", command, command.target)
    mark(context, drone.id, OPERATED, command.operator or None, RULE)
