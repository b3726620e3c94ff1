"""Moving, and the doors on the way."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.ways import (
    TakeWay,
    UseDoor,
    check_any_door,
    check_any_way,
    check_door,
    check_trip,
    find_course,
    form_of_doors,
    form_of_ways,
    has_doors,
    has_ways,
    leave_door,
)
from combat.rules.core.map.moving import Course
from combat.rules.core.space import path_length
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import spend
from tests.combat.rules.tiny.world import MOVER, TABLE, WALKS, can_pay, find_step, is_slippery


def check_step(state: State, who: str) -> None:
    """A step, or the act in its place, is left. [TINY-MOVE-01]"""
    if not any(state[who].budget.get(pool) for pool in ("step", "act")):
        raise Refused("no_budget", "No step is left this turn.")


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go to a goal of `Walks.find_path`, or `far`: that way as far as a step goes."""

    to: str
    far: bool = False


def move(context: RuleContext, command: Move) -> None:
    """Take a step, perhaps instead of the act. [TINY-MOVE-01] [TINY-MOVE-02] [TINY-MOVE-03]"""
    who, rule = command.actor, "TINY-MOVE-02" if is_slippery(context.state) else "TINY-MOVE-01"
    path = WALKS.find_path(context.state, who, command.to, far=command.far)
    spend(context, who, {"step": 1}, "A step", "TINY-MOVE-01", step=("act",))
    MOVER.go(context, Course(who, path, "walk", rule, "how.steps", cost=round(path_length(path), 1)))


def use_door(context: RuleContext, command: UseDoor) -> None:
    """Open or shut a door within reach as the act. [TINY-MOVE-03]"""
    door = check_door(context.state, command.actor, command.door, WALKS.find_arm(context.state))
    spend(context, command.actor, {"act": 1}, "A door", "TINY-MOVE-03")
    leave_door(context, command.actor, door.id, is_open=not door.open, rule="TINY-MOVE-03")


def take_way(context: RuleContext, command: TakeWay) -> None:
    """Take stairs, a ladder or a lift, however long, as the step. [TINY-MOVE-04]"""
    state, who = context.state, command.actor
    trip = check_trip(state, who, command.way, WALKS.find_arm(state))
    spend(context, who, {"step": 1}, "A way", "TINY-MOVE-04", step=("act",))
    MOVER.go(context, find_course(state, who, trip, "TINY-MOVE-04"))


ACTIONS = (
    TABLE.act(
        "move",
        move,
        check_step,
        fields=WALKS.find_fields,
        reach=WALKS.find_reach,
        brief=lambda words, state, one: words.format(metres=f"{find_step(state, one):g}"),
    ),
    TABLE.act(
        "door",
        use_door,
        can_pay("act"),
        check_any_door(WALKS.find_arm),
        fields=form_of_doors(WALKS.find_arm),
        has_place=has_doors,
    ),
    TABLE.act(
        "way",
        take_way,
        check_step,
        check_any_way(WALKS.find_arm),
        fields=form_of_ways(WALKS.find_arm),
        has_place=has_ways,
    ),
)
