"""Aiming: to hit, or for the kill."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import Command, Field, number_field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, State, find_condition, present, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import KILL_DAMAGE, MAX_AIM, MAX_KILL
from ..characters.conditions import is_dead
from ..dice import AIMING, KILL
from ..world.acting import act
from ..world.economy import check_minor, pay_minor
from ..world.senses import can_see
from .checks import find_targets, target_field

MAX_LEVELS = {AIMING: MAX_AIM, KILL: MAX_KILL // KILL_DAMAGE}  # actions that add something
RULES = {AIMING: "CE-MINOR-03", KILL: "CE-MINOR-07"}


class Aim(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Aim at a target for n minor actions."""

    target: str
    actions: int = 1


def aim(context: RuleContext, command: Aim) -> None:
    """Aim: each minor action gives DM +1 on the next attack on the target [CE-MINOR-03]; at most +6.
    [CE-MINOR-05]"""
    _take_aim(context, command, AIMING)


def aim_to_kill(context: RuleContext, command: Aim) -> None:
    """Aim for the kill: no DM to hit, but +2 damage for each action [CE-MINOR-06] [CE-MINOR-07]; at most +6.
    [CE-MINOR-10]"""
    _take_aim(context, command, KILL)


def check_kill_played(state: State) -> None:
    """Refuse aiming for the kill if the table does not use it."""
    if not find_option(state, "use_aim_for_kill"):
        raise Refused("not_allowed", "This table plays without aiming for the kill: aim instead.")


def check_aim(state: State, command: Aim) -> None:
    """Refuse to aim at a target that cannot be aimed at now."""
    combatant, target = state.combatants[command.actor], state[command.target]
    if combatant.id == target.id or is_dead(target):
        raise Refused("bad_target", "Choose someone else to aim at, who is still alive.")
    if command.actions < 1:
        raise Refused("bad_value", "Aiming takes one minor action or more.")
    if not can_see(state, combatant, target):
        raise Refused("not_allowed", f"{combatant.name} must see {target.name} to aim.")


def _take_aim(context: RuleContext, command: Aim, kind: str) -> None:
    """Take aim, or add to the aim held."""
    check_aim(context.state, command)
    who, rule = command.actor, RULES[kind]
    check_minor(context.state, who, "Aiming", command.actions)
    pay_minor(context, who, "Aiming", rule=rule, n=command.actions)
    held = _keep_aim(context, command, kind) if context.state.combatants[who].conditions else None
    level = min(MAX_LEVELS[kind], command.actions + (held.level if held else 0))
    if held is None:
        add_condition(context, who, kind, level=level, marks={"target": command.target}, rule=rule)
    elif level != held.level:
        context.emit(e.ConditionChanged(who, replace(held, level=level)), "CE-MINOR-05")
    context.emit(e.Said(f"log.{kind}", who, command.target, {"n": level}), rule)


def _keep_aim(context: RuleContext, command: Aim, kind: str) -> Condition | None:
    """End the aim that this one replaces; returns the aim that goes on.

    RULING R8 R9: a new target restarts aim, and so does the other kind unless the table mixes them.
    """
    who = command.actor
    if not find_option(context.state, "mix_aiming"):
        remove_conditions(context, who, *({AIMING, KILL} - {kind}), why="why.other_aim", rule="CE-MINOR-04")
    for other in (AIMING, KILL):
        found = find_condition(context.state.combatants[who], other)
        if found and found.marks.get("target") != command.target:
            remove_conditions(context, who, other, why="why.other_target", rule="CE-MINOR-04")
    return find_condition(context.state.combatants[who], kind)


def aim_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, and the number of actions. [CE-MINOR-03]"""

    check = partial(_check_aim_at, state, actor)
    many = number_field("actions", "Minor actions", 1, low=1, high=3, rule="CE-MINOR-05")
    return (target_field(state, actor, check), many)


def _check_aim_at(state: State, actor: str, target: str) -> None:
    check_aim(state, Aim(actor=actor, target=target))


def check_aim_now(state: State, actor: str) -> None:
    """Refuse aiming without a target in sight or without a minor action left."""
    if not any(allows(_check_aim_at, state, actor, other.id) for other in present(state)):
        others = find_targets(state, actor)
        reason = why_refused(_check_aim_at, state, actor, others[0].id) if others else ""
        raise Refused("not_allowed", reason or "There is no one to aim at.")
    check_minor(state, actor, "aiming")


def check_kill_now(state: State, actor: str) -> None:
    """Refuse aiming for the kill if the table does not use it."""
    check_kill_played(state)


ACTIONS = (
    act("aim", aim, check_aim_now, fields=aim_fields, has_odds=False),
    act("aim_to_kill", aim_to_kill, check_kill_now, check_aim_now, fields=aim_fields, has_odds=False),
)
