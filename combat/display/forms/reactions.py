"""Who may react to an action before it is done, such as by a shot from overwatch, and with what chance."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat

from combat.rules.core.basics.dice.requests import Request
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import TooMany
from combat.rules.core.odds.odds import find_threat
from combat.rules.core.odds.planner import Plan
from combat.rules.core.state.state import State

from ..combatants.tokens import name_people
from .odds_panel import percent

MAX_LOOKS = 2000  # while counting; a number, so that two pages of one state never differ


def say_plan_reaction(system: System, plan: Plan) -> str:
    """Who may react to the last part of a plan, which stops for that; empty for nobody."""
    if not plan.asked:
        return ""
    part, state = plan.parts[-1], plan.after
    action = find_action(system, part.do)
    try:
        return say_reaction(system, state, action, read_command(action, part.fields, state), plan.asked)
    except Refused:
        return ""


def say_reaction(
    system: System, state: State, action: Action, command: Command, asked: Iterable[Request]
) -> str:
    """Who of those who are asked may react to a command, with the chance of their check against its actor.

    Empty if that is only the actor, or who is aimed at: the odds of an attack count their defense.
    """
    sides = {command.actor, getattr(command, "target", "")}
    others = {who for one in asked for who in one.people} - sides
    if not others:
        return ""
    give_up = chain(repeat(False, MAX_LOOKS), repeat(True)).__next__
    try:
        threat = find_threat(system, state, action, command, others, give_up=give_up)
    except TooMany:
        threat = None
    names = name_people(state, threat.who if threat else sorted(others)) or "The GM"
    return f"{names} may react first" + (f": {threat.what} {percent(threat.chance)}%" if threat else "")
