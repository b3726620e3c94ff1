"""Free actions, the exchange of actions, doors, and what the GM says about someone."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.commands import Command, Words
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand, Target
from combat.rules.core.gm.doors import Arm, UseDoor, check_any_door, check_door, form_of_doors, leave_door
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting
from combat.rules.core.turn.turns import add_condition, remove_condition, say_words

from ..body.moving import settle_place
from ..book.tables import MINORS_FOR_SIGNIFICANT
from ..dice.focus import KILL, lose_aim
from ..world.cover import MARK, rank
from ..world.economy import MINOR, SIGNIFICANT, can_exchange, check_minor, exchange, pay_minor
from ..world.order import mark
from ..world.scene import COVER_CHOICES
from ..world.senses import WARM
from ..world.sight_lines import find_grid

ARM_M = 1.5  # the adjacent square, or an arm's length
DOOR_RULE = "CE-MINOR-20"


class Charge(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price of too many free actions."""

    target: str
    pool: Literal["minor", "significant"] = "minor"


class SetCover(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Someone's cover wherever they stand; empty: none."""

    target: str
    cover: str = ""


class SetAware(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether `target` is aware of the combatant `of`."""

    target: str
    of: str
    aware: bool = False


class SetWarm(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether infra-red shows someone."""

    target: str
    warm: Literal["as_usual", "yes", "no"] = "as_usual"


# ---------------------------------------------------------------- the actor's own


def act_freely(context: RuleContext, command: Words) -> None:
    """Take a free action, such as a shout, a button or a glance, as often as the actor likes.
    [CE-OTHER-02]"""
    say_words(context, command, "log.free", "log.free_so", "CE-OTHER-02")


def check_exchange(state: State, actor: str) -> None:
    """Refuse an exchange without the significant action, or if the table forbids it. [CE-SIG-04]"""
    if can_take_back(state, actor):
        return
    if not can_exchange(state, state[actor]):
        raise Refused("no_budget", "The significant action is spent, or cannot be traded here.")


def can_take_back(state: State, actor: str) -> bool:
    """RULING R10: whether an exchange can be taken back: until its second minor action is used."""
    budget = state[actor].budget
    traded = SIGNIFICANT in budget and budget[SIGNIFICANT] == 0
    return traded and budget.get(MINOR, 0) >= MINORS_FOR_SIGNIFICANT


def trade(context: RuleContext, command: Command) -> None:
    """Trade the significant action for two minor ones, or take that back. [CE-SIG-03] [CE-SIG-04]
    RULING R10"""
    who = command.actor
    budget = context.state[who].budget
    if not can_take_back(context.state, who):
        exchange(context, who)
        return
    back = {**budget, MINOR: budget[MINOR] - MINORS_FOR_SIGNIFICANT, SIGNIFICANT: 1}
    context.emit(e.BudgetSet(who, back), "CE-SIG-04")
    context.emit(e.Said("log.takes_back", who), "CE-SIG-04")


# ---------------------------------------------------------------- the GM's rulings


def charge(context: RuleContext, command: Charge) -> None:
    """Charge an action for too many free ones, during the actor's turn. [CE-OTHER-03]"""
    target = context.state[command.target]
    if not is_acting(context.state, target.id):
        raise Refused("not_your_turn", f"It is not {possessive(target.name)} turn: charge those who act now.")
    if target.budget.get(command.pool, 0) < 1:
        raise Refused("no_budget", f"{target.name} has no {command.pool} action left to charge.")
    context.emit(e.BudgetSpent(target.id, {command.pool: 1}), "CE-OTHER-03")
    context.emit(e.Said("log.charged", target.id, args={"pool": f"pool.{command.pool}"}), "CE-OTHER-03")


def set_cover(context: RuleContext, command: SetCover) -> None:
    """Set the cover that someone has. [CE-COVER-01]"""
    target = context.state[command.target]
    if command.cover and command.cover not in dict(COVER_CHOICES):
        raise Refused("bad_value", "Choose a kind of cover from the list.")
    if rank(command.cover) == rank(str(target.marks.get(MARK, ""))):
        raise Refused("not_allowed", f"{target.name} has that cover already.")
    mark(context, target.id, MARK, command.cover or None, "CE-COVER-01")
    key, what = ("log.takes_cover", f"cover.{command.cover}") if command.cover else ("log.leaves_cover", "")
    context.emit(e.Said(key, target.id, args={"cover": what} if what else {}), "CE-COVER-01")


def set_aware(context: RuleContext, command: SetAware) -> None:
    """Set whether someone is aware of another. [CE-REACT-07]"""
    target, of = context.state[command.target], context.state[command.of]
    if target.id == of.id:
        raise Refused("bad_target", "Everybody knows of themselves: choose another.")
    held = next((c for c in target.conditions if c.kind == "unaware" and c.by == of.id), None)
    if (held is None) == command.aware:
        raise Refused("not_allowed", f"{target.name} is so already: choose the other.")
    if held:
        remove_condition(context, target.id, held, "why.notices", "CE-REACT-07")
    else:
        add_condition(context, target.id, "unaware", by=of.id)


def set_warm(context: RuleContext, command: SetWarm) -> None:
    """Set whether someone shows up in infra-red. [CE-SENS-02]"""
    target = context.state[command.target]
    value = {"as_usual": None, "yes": True, "no": False}[command.warm]
    mark(context, target.id, WARM, value, "CE-SENS-02")


def distract(context: RuleContext, command: Target) -> None:
    """Distract an aimer. [CE-MINOR-09]"""
    target = context.state[command.target]
    if not any(held.kind == KILL for held in target.conditions):
        raise Refused("not_allowed", f"{target.name} is not aiming for the kill.")
    lose_aim(context, target.id, "why.distracted")


# ---------------------------------------------------------------- doors


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
    door = check_door(context.state, who, command.door, find_arm(context.state))
    check_minor(context.state, who, "A door")
    lose_aim(context, who, "why.does_something_else")
    pay_minor(context, who, "A door", DOOR_RULE)
    leave_door(context, who, door.id, not door.open, DOOR_RULE)
    settle_place(context, *context.state.combatants)


def check_door_now(state: State, actor: str) -> None:
    """Refuse without a door within reach or without a minor action left."""
    check_any_door(find_arm)(state, actor)
    check_minor(state, actor, "A door")


use_door_fields = form_of_doors(find_arm)
