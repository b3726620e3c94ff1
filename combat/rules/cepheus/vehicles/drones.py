"""Drones: an operator gives one an action of theirs; it then acts with the operator's skills.  RULING R74"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state.state import END, Combatant, State, Until
from combat.rules.core.turns import add_condition, remove_conditions

from ..dice.focus import lose_aim
from ..people import machinery
from ..people.machinery import OPERATED, find_operator, is_drone
from ..people.values import is_out, is_person
from ..world.economy import pay_significant
from ..world.order import mark

RULE = "CE-VDMG-01"


class Steer(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Steer a drone: until the end of its next turn it can act."""

    target: str


class Assign(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM says who steers a drone; nobody, if `operator` is empty."""

    operator: str = ""


def check_steer(state: State, command: Steer) -> Combatant:
    """The drone has to be one's own, and to answer."""
    operator, drone = state[command.actor], state[command.target]
    if not is_drone(drone):
        raise Refused("bad_target", f"{drone.name} is no drone.")
    found = find_operator(state, drone)
    if found is None or found.id != operator.id:
        raise Refused("not_allowed", f"{operator.name} does not steer {drone.name}: the GM says who does.")
    if is_out(drone) or machinery.is_blind(state, drone):
        raise Refused("not_allowed", f"{drone.name} does not answer: repair it first.")
    return drone


def steer(context: RuleContext, command: Steer) -> None:
    """One significant action of the operator for each drone: it acts on its next turn."""
    drone = check_steer(context.state, command)
    pay_significant(context, command.actor, "Steering a drone", RULE)
    lose_aim(context, command.actor, "why.does_something_else")
    remove_conditions(context, drone.id, "steered", rule=RULE)
    until = Until(drone.id, END)
    add_condition(context, drone.id, "steered", rule=RULE, by=command.actor, until=until)


def assign(context: RuleContext, command: Assign) -> None:
    """The GM's word on whose drone it is."""
    drone = context.state[command.target]
    if not is_drone(drone):
        raise Refused("bad_target", f"{drone.name} is no drone: choose one.")
    if command.operator and not is_person(context.state[command.operator]):
        raise Refused("bad_target", "A drone is steered by a person: choose one.")
    overrule(context, "gm.operator", command, command.target)
    mark(context, drone.id, OPERATED, command.operator or None, RULE)
