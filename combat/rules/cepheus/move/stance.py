"""Standing, crouched or prone."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..characters.values import is_vehicle
from ..dice.focus import lose_aim
from ..world.acting import act
from ..world.economy import check_minor, pay_minor

STANDING, CROUCHED, PRONE = "standing", "crouched", "prone"
STANCES = {STANDING: "Stand", CROUCHED: "Crouch", PRONE: "Lie prone"}  # CE-STANCE-01


class Take(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a stance."""

    stance: str


def find_stance(combatant: Combatant) -> str:
    """Someone's stance; standing by default.  [CE-STANCE-01] [CE-STANCE-02]"""
    return next((kind for kind in (PRONE, CROUCHED) if has_condition(combatant, kind)), STANDING)


def check_stance(state: State, actor: str) -> None:
    """Refuse a stance without a minor action, or for a vehicle. [CE-MINOR-11]"""
    combatant = state[actor]
    if is_vehicle(combatant):
        raise Refused("not_allowed", "A vehicle takes no stance.")
    check_minor(state, actor, "Changing stance")


def take_stance(context: RuleContext, command: Take) -> None:
    """Change between standing, crouched and prone. [CE-MINOR-11] [CE-STANCE-01]"""
    who = command.actor
    if command.stance not in STANCES:
        raise Refused("bad_value", f"Choose one of {', '.join(STANCES)}.")
    if find_stance(context.state[who]) == command.stance:
        raise Refused("not_allowed", f"{context.state[who].name} is {command.stance} already.")
    pay_minor(context, who, "Changing stance", "CE-MINOR-11")
    lose_aim(context, who, "why.changes_stance")
    set_stance(context, who, command.stance)


def set_stance(context: RuleContext, who: str, stance: str) -> None:
    """Put someone into a stance, for any reason."""
    remove_conditions(context, who, PRONE, CROUCHED, why="why.changes_stance", rule="CE-MINOR-11")
    if stance == STANDING:
        context.emit(e.Said("log.stands", who), "CE-MINOR-11")
    else:
        add_condition(context, who, stance)


def stance_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the stances other than the current one."""
    now = find_stance(state[actor])
    options = tuple(Choice(key, label) for key, label in STANCES.items() if key != now)
    return (Field("stance", "Stance", "choice", options=options, value=options[0].value, rule="CE-MINOR-11"),)


ACTIONS = (act("stance", take_stance, check_stance, fields=stance_fields),)
