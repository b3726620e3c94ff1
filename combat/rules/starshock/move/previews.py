"""The sums of a path before it is taken: its cost, and the check of breaking away."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Preview
from combat.rules.core.state.state import State, replace

from ..book.tables import LEAVING_DIFFICULTY, POOL_METERS
from ..dice import DICE
from ..hazards import count_fall_dice
from ..people.sheet import features_of
from ..world.paths import count_cost
from ..world.place import find_goal_zone, is_map
from .movement import (
    Go,
    Move,
    as_move,
    check_difficulty,
    check_free_move,
    check_move,
    check_walk,
    count_meters_down,
    count_moves,
    crosses,
    find_left_behind,
    terms_for_going,
    terms_for_leaving,
)


def preview_move(state: State, command: Move) -> Preview:
    """The check of breaking away, if there is one, and the cost of the path."""
    check_difficulty(command)
    if is_map(state):
        return _preview_on_map(_with_pool(state, command.actor), command)
    check_move(state, command)
    notes = (say("note.moves", n=count_moves(state, command)), *_describe_drop(state, command))
    return _preview_way(state, command, notes, paid=False)


def _describe_drop(state: State, command: Move) -> tuple[Label, ...]:
    """The dice of a drop on purpose into a lower zone.  [SS-FALL-04]"""
    if not command.jump:
        return ()
    combatant, goal = state[command.actor], find_goal_zone(state, command.to.partition(":")[2])
    meters = count_meters_down(state, combatant, goal)
    if meters <= 0:
        return (say("note.no_drop", zone=goal.name),)
    dice = count_fall_dice(state, meters, deliberate=True)
    points = f"{dice}" if any(f.fall_die for f in features_of(combatant)) else f"{dice}d6"
    return (say("note.drop" if dice else "note.safe_drop", metres=meters, dice=points),)


def _with_pool(state: State, actor: str) -> State:
    """The state with the meters that a Move adds to the pool.  [SS-MAP-08]"""
    budget = state[actor].budget
    more = replace(state[actor], budget={**budget, "metres": budget.get("metres", 0) + POOL_METERS})
    return replace(state, combatants={**state.combatants, actor: more})


def _preview_on_map(state: State, command: Move) -> Preview:
    gain = say("note.gain", metres=POOL_METERS)
    if not command.to:
        return Preview(notes=(gain,))
    return _preview_way(state, command, (gain, _describe_cost(state, command)), paid=False)


def _describe_cost(state: State, command: Move) -> Label:
    combatant = state[command.actor]
    cost = count_cost(state, combatant, check_walk(state, command))
    return say("note.metres", cost=cost, left=combatant.budget.get("metres", 0))


def _preview_way(state: State, command: Move, notes: tuple[Label, ...], paid: bool) -> Preview:
    """The first check of a path: the one the GM asks for, or that of breaking away."""
    leaves = bool(find_left_behind(state, command))
    if command.difficulty:
        more = (say("note.then_leave", difficulty=LEAVING_DIFFICULTY),) if leaves else ()
        number = Modifier("term.difficulty", command.difficulty, "SS-OTHER-08")
        terms = terms_for_going(state, command, paid)
        return Preview(terms, (number,), "against.difficulty", DICE, (*notes, *more))
    if not leaves:
        return Preview(notes=notes)
    number = Modifier("term.difficulty", LEAVING_DIFFICULTY, "SS-ZONE-07")
    return Preview(terms_for_leaving(state, command, paid), (number,), "against.difficulty", DICE, notes)


def preview_free_move(state: State, command: Go) -> Preview:
    """The pool that the path takes, and the check of breaking away if there is one."""
    check_free_move(state, command.actor)
    way = as_move(command)
    if is_map(state):
        return _preview_way(state, way, (_describe_cost(state, way),), paid=True)
    return _preview_way(state, way, (), paid=True) if crosses(state, command) else Preview()
