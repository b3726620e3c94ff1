"""Help for a dying friend, as the first tile of a turn: at once, or after a move."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, TryDriver, run
from combat.rules.core.state.state import Combatant, State

from .usual_odds import AID, say_chance

DYING, MOVE = "dying", "move"  # the kind of a condition; the action that brings someone to a friend


class Help(msgspec.Struct, frozen=True):
    """The action that helps, or leads `to` the friend, and the chance of the help in percent."""

    action: str
    friend: Combatant
    chance: str
    to: str = ""


def find_help(system: System, state: State, who: str) -> Help | None:
    """How someone can help a dying friend this turn; None if they cannot."""
    for friend in find_dying(system, state, who):
        for action in system.actions.by_name.values():
            if action.who == "gm" or not action.preview or system.kinds.of_action(action.name) != AID:
                continue
            try:
                command = read_command(action, {"actor": who, "target": friend.id})
                if found := _find_help(system, state, action, command=command, friend=friend):
                    return found
            except Refused:
                continue
    return None


def find_dying(system: System, state: State, who: str) -> Iterator[Combatant]:
    """The dying friends of someone."""
    side = state[who].side
    for one in state.combatants.values():  # in every turn: no calls for those in good health
        if one.conditions and one.side == side and one.id != who and not one.gone:
            if any(system.kinds.of_condition(held.kind) == DYING for held in one.conditions):
                yield one


def _find_help(
    system: System, state: State, action: Action, command: Command, friend: Combatant
) -> Help | None:
    """The help that is possible here, or after a move; None without a chance, Refused if it is impossible."""
    to = ""
    try:
        chance = say_chance(system, state, action, command)
    except Refused:
        to, move = f"near:{friend.id}", system.action(MOVE)
        going = read_command(move, {"actor": command.actor, "to": to})
        gone = run(system, state, move, command=going, driver=TryDriver())
        if not isinstance(gone, Done):
            return None
        chance = say_chance(system, gone.state, action, command)
    return Help(MOVE if to else action.name, friend, chance, to) if chance not in ("", "0") else None
