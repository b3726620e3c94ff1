"""Drones: an operator spends an action on a drone, which then acts with the operator's skills.  RULING R74"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, Targeted
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import check_any
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..characters import machinery
from ..characters.machinery import OPERATED, find_operator, is_drone
from ..characters.values import is_out, is_person
from ..dice.focus import lose_aim
from ..world.acting import act, gm
from ..world.economy import check_significant, pay_significant
from ..world.order import mark
from .fields import choose, find_people

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
    mark(context, drone.id, OPERATED, value=command.operator or None, rule=RULE)


def may_steer(state: State, actor: str) -> None:
    """Refuse without a drone of the actor's own."""
    mine = [f for f in present(state) if f.marks.get(machinery.OPERATED) == actor and machinery.is_drone(f)]
    if not mine:
        raise Refused("not_allowed", f"{state[actor].name} steers no drone.")
    check_steer(state, Targeted(actor=actor, target=mine[0].id))
    check_significant(state, actor, "steering")


def steer_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drone."""

    def check(state: State, who: str) -> None:
        check_steer(state, Targeted(actor=actor, target=who))

    return (choose(state, "target", "Drone", people=filter(machinery.is_drone, present(state)), check=check),)


def assign_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drone, and its operator."""
    found = [f for f in present(state) if machinery.is_drone(f)]
    return (
        choose(state, "target", "Drone", found),
        choose(state, "operator", "Steered by", find_people(state), required=False),
    )


ACTIONS = (
    act("steer", steer, may_steer, fields=steer_fields, has_odds=False),
    gm("assign_drone", assign, check_any(assign_fields, "There is no drone here."), fields=assign_fields),
)
