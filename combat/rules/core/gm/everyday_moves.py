"""Everyday actions of moving: a walk, a door, a way between decks, and how the app comes near an enemy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from ..basics.errors import why_refused
from ..basics.words import Label
from ..commands.commands import Action, ActionTable, Command, Precondition
from ..commands.context import RuleContext
from ..map.moving import Course, Mover
from ..space import path_length
from ..state.state import Combatant, State
from .everyday import Walks
from .ways import (
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

MOVE, DOOR, WAY = "move", "door", "way"  # the actions, by the names of their rows


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go to a goal of `Walks.find_path`, or `far`: that way as far as a walk goes."""

    to: str
    far: bool = False


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """The actions `move`, `door` and `way`: each has a row in `actions.toml`."""

    walks: Walks
    mover: Mover
    # Refuses one of the three when nothing is left to pay for it, by its name.
    checks: Mapping[str, Precondition]
    # Takes one of the three, by its name, from someone's turn.
    pay: Callable[[RuleContext, str, str], None]
    # The rule of one of the three now, by its name.
    find_rule: Callable[[State, str], str]
    # How a walk is told: a key of `[how]`.
    verb: Label = "how.moves"

    def move(self, context: RuleContext, command: Move) -> None:
        """Walk round walls to a goal."""
        who, rule = command.actor, self.find_rule(context.state, MOVE)
        path = self.walks.find_path(context.state, who, command.to, far=command.far)
        self.pay(context, who, MOVE)
        course = Course(who, path, "walk", rule, self.verb, cost=round(path_length(path), 1))
        self.mover.go(context, course)

    def use_door(self, context: RuleContext, command: UseDoor) -> None:
        """Open or shut a door within reach."""
        who, rule = command.actor, self.find_rule(context.state, DOOR)
        door = check_door(context.state, who, command.door, self.walks.find_arm(context.state))
        self.pay(context, who, DOOR)
        leave_door(context, who, door.id, is_open=not door.open, rule=rule)

    def take_way(self, context: RuleContext, command: TakeWay) -> None:
        """Take stairs, a ladder or a lift within reach, however long."""
        state, who = context.state, command.actor
        trip = check_trip(state, who, command.way, self.walks.find_arm(state))
        self.pay(context, who, WAY)
        self.mover.go(context, find_course(state, who, trip, self.find_rule(state, WAY)))

    def make_actions(self, table: ActionTable) -> tuple[Action, ...]:
        """The three actions, with the words of their rows."""
        walks = self.walks

        def name_meters(words: str, state: State, one: Combatant) -> str:
            return words.format(metres=f"{walks.find_meters(state, one):g}")

        return (
            table.act(
                MOVE,
                self.move,
                self.checks[MOVE],
                fields=walks.find_fields,
                reach=walks.find_reach,
                brief=name_meters,
            ),
            table.act(
                DOOR,
                self.use_door,
                self.checks[DOOR],
                check_any_door(walks.find_arm),
                fields=form_of_doors(walks.find_arm),
                has_place=has_doors,
            ),
            table.act(
                WAY,
                self.take_way,
                self.checks[WAY],
                check_any_way(walks.find_arm),
                fields=form_of_ways(walks.find_arm),
                has_place=has_ways,
            ),
        )

    def come_near(self, state: State, who: str, foes: Sequence[Combatant]) -> tuple[str, Command] | None:
        """What brings someone nearer to one of some enemies, the nearest first, if they can pay for it."""
        approach = self.walks.find_approach(state, who, foes)
        if approach is None:
            return None
        deeds: dict[str, tuple[str, Command]] = {
            "walk": (MOVE, Move(actor=who, to=approach.goal, far=True)),
            "door": (DOOR, UseDoor(actor=who, door=approach.goal)),
            "way": (WAY, TakeWay(actor=who, way=approach.goal)),
        }
        deed = deeds[approach.deed]
        return None if why_refused(self.checks[deed[0]], state, who) else deed
