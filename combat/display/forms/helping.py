"""Help for a dying friend, as the first tile of a turn: at once, or after a move."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, TryDriver, run
from combat.rules.core.sides import has_turns
from combat.rules.core.state.state import Combatant, State, is_played, present

from .odds_panel import percent
from .usual_odds import AID, count_chance, say_chance

MOST_HELPERS = 6  # of whom the best is looked for, and of those hurt who are named
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


class AfterHelp(msgspec.Struct, frozen=True):
    """First aid for a `friend` once the fight is over: its best helper, chance in percent, and command."""

    friend: Combatant
    helper: Combatant
    chance: str
    action: str
    fields: dict[str, str]


def find_help_after(system: System, state: State) -> Iterator[AfterHelp]:
    """First aid for everyone hurt on the sides that people play, the worst hurt first, by their best helper.

    Nobody for whom the rules allow none, or who has no chance of it.
    """
    care = system.actions.after_care
    sides = {one.side for one in present(state) if is_played(state, one)}
    if care is None or state.phase != "over" or not sides:
        return
    action, people = system.action(care.action), [one for one in present(state) if one.side in sides]
    helpers = [one for one in people if has_turns(system, state, one)][:MOST_HELPERS]
    levels = {one.id: system.characters.health(one) for one in people}
    hurt = [one for one in people if levels[one.id].share < 1 and not levels[one.id].dead]
    for friend in sorted(hurt, key=lambda one: levels[one.id].share)[:MOST_HELPERS]:
        found = list[tuple[float, AfterHelp]]()
        for helper in helpers:
            fields = {"target": friend.id, care.helper: helper.id, **care.fields}
            if chance := _try_care(system, state, action, fields):
                named = AfterHelp(friend, helper, percent(chance), action.name, fields)
                found.append((chance, named))
        if found:
            yield max(found, key=lambda one: one[0])[1]


def _try_care(system: System, state: State, action: Action, fields: dict[str, str]) -> float | None:
    """The chance of first aid after a fight; None where the rules refuse it, or if it is not counted."""
    try:
        return count_chance(system, state, action, read_command(action, fields))
    except Refused:
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
