"""What tactics propose: sensible next steps, and legal preparations that raise the chance of a command.

Such steps ask for no dice and no choice: all is then as it was before, or as it is again after the steps that
would follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import attrgetter, gt
from typing import Any

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Action, Command, command_data
from ..declaration.parts import Candidate
from ..declaration.system import System
from ..engine.engine import Done, TryDriver, find_action, run
from ..gm.counters import without_spent
from ..state.state import Combatant, Item, State, replace
from .enumeration import GiveUp, TooMany, never
from .odds import find_odds
from .planner import find_arming
from .ruled import find_better

Submission = tuple[str, Command]
MAX_STEPS_PER_TURN = 12  # automatic steps before a turn ends
MAX_CANDIDATES = 12
MIN_GAIN = 0.005


def propose(system: System, state: State, actor: str) -> Submission | None:
    """The next step of a combatant by the game's tactics; None if there is none that leads on.

    What was ruled for them once takes the place of an attack that does less damage, with what prepares it,
    and of nothing to do.
    """
    usual, rolled = _propose_usual(system, state, actor)
    return find_better(system, without_spent(state, actor), actor, usual, rolled) or usual


def _propose_usual(
    system: System, state: State, actor: str
) -> tuple[Submission | None, tuple[State, Submission] | None]:
    """The same without rulings, and the roll that it leads to in this turn, with the state just before.

    Where the tactics have nothing, an unarmed one gets a weapon for the next turn by the planner.
    """
    first = submission = system.tactics.suggest(without_spent(state, actor), actor)
    if submission is None:
        return find_arming(system, without_spent(state, actor), actor), None
    states = [state]
    while submission is not None and len(states) <= MAX_STEPS_PER_TURN:
        name, command = submission
        try:
            done = run(system, states[-1], find_action(system, name), command=command, driver=TryDriver())
        except Refused:
            return None if len(states) == 1 else first, None
        if not isinstance(done, Done):
            return first, (states[-1], submission)
        back = find_return(states, done.state)
        if back is not None:
            return first if back else None, None
        if done.state.active != state.active or done.state.phase != state.phase:
            break
        states.append(done.state)
        submission = system.tactics.suggest(without_spent(done.state, actor), actor)
    return first, None


def find_return(states: Sequence[State], after: State) -> int | None:
    """The place among these states to which a step leads back; None if it leads on.

    The last state was just before the step. No dice were rolled from the first on.
    """
    last = len(states) - 1
    if _is_unchanged(states[last], after):
        return last
    for place in range(last):
        if _is_alike(states[place], after) and not all(_is_alike(one, after) for one in states[place:]):
            return place
    return None


def _is_unchanged(before: State, after: State) -> bool:
    """Whether a step did nothing but spend a part of the turn."""
    for who, now in after.combatants.items():
        was = before.combatants.get(who)
        if was is now:
            continue
        if was is None or was.at != now.at or _gained(was, now) or _strip(was) != _strip(now):
            return False
    if before.ground is not after.ground and _sort(before.ground) != _sort(after.ground):
        return False
    return _find_rest(before) == _find_rest(after)


def _gained(before: Combatant, after: Combatant) -> bool:
    """Whether someone has more left of a turn than before."""
    had = map(before.budget.get, after.budget, repeat(0))
    return any(map(gt, after.budget.values(), had))


def _find_rest(state: State) -> State:
    """Everything but people, things on the ground, and the number of things made so far."""
    return replace(state, combatants={}, ground=(), made=0)


def _is_alike(before: State, after: State) -> bool:
    """Whether people see the same: the scene, the time, where everyone is, how they are, what they have."""
    if before.combatants.keys() != after.combatants.keys() or before.clock != after.clock:
        return False
    if any(not _looks_alike(one, after.combatants[who]) for who, one in before.combatants.items()):
        return False
    return (_sort(before.ground), before.scene, before.all_clocks) == (
        _sort(after.ground),
        after.scene,
        after.all_clocks,
    )


def _looks_alike(was: Combatant, now: Combatant) -> bool:
    if was is now:  # who did nothing stays the same object
        return True
    return was.at == now.at and replace(_strip(was), marks={}) == replace(_strip(now), marks={})


def _strip(combatant: Combatant) -> Combatant:
    """Someone without what is left of the turn; their conditions have no ids."""
    found = replace(combatant, budget={}, items=_sort(combatant.items))
    if not combatant.conditions:
        return found
    conditions = [replace(held, id="") for held in combatant.conditions]
    return replace(found, conditions=tuple(sorted(conditions, key=msgspec.json.encode)))


def _sort(items: tuple[Item, ...]) -> tuple[Item, ...]:
    return tuple(sorted(items, key=attrgetter("id"))) if len(items) > 1 else items


# Suggestions: legal preparations that raise the chance of a command, found by playing them first. A game
# only names candidates; the engine finds out whether each is legal and what it gains.


class Suggestion(msgspec.Struct, frozen=True):
    """A candidate that helps: the chance with it, and the gain (0 to 1)."""

    candidate: Candidate
    chance: float
    gain: float


def find_chance(
    system: System, state: State, action: Action, command: Command, give_up: GiveUp = never
) -> float | None:
    """The headline chance of a command; None if it is refused, has no roll, or takes too long."""
    try:
        headline = find_odds(system, state, action, command=command, give_up=give_up).headline
    except (Refused, TooMany):
        return None
    return headline.chance if headline else None


def find_suggestions(
    system: System,
    state: State,
    action: Action,
    command: Command,
    candidates: Iterable[Candidate],
    most: int = 3,
    give_up: GiveUp = never,
) -> tuple[Suggestion, ...]:
    """The candidates that raise the chance most, best first, among those there was time for."""
    now = find_chance(system, state, action, command=command, give_up=give_up) or 0.0
    found = []
    for candidate in list(candidates)[:MAX_CANDIDATES]:
        if give_up():  # without the first chance there is nothing to compare with
            break
        then = _try(system, state, action, command=command, candidate=candidate, give_up=give_up)
        if then is not None and then - now >= MIN_GAIN:
            found.append(Suggestion(candidate, then, then - now))
    return tuple(sorted(found, key=lambda help_: -help_.gain)[:most])


def _try(
    system: System,
    state: State,
    action: Action,
    command: Command,
    candidate: Candidate,
    give_up: GiveUp,
) -> float | None:
    """The chance of the command with a candidate; None if the rules forbid either."""
    try:
        if not candidate.name:
            changed = msgspec.structs.replace(command, **candidate.fields)
            return find_chance(system, state, action, command=changed, give_up=give_up)
        _, first = system.read(candidate.name, {"actor": command.actor, **candidate.fields})
        done = run(system, state, find_action(system, candidate.name), command=first, driver=TryDriver())
    except Refused:
        return None
    if not isinstance(done, Done):
        return None
    return find_chance(system, done.state, action, command=command, give_up=give_up)


def fields_with(command: Command, candidate: Candidate) -> dict[str, Any]:
    """The fields of the command with the candidate's changes."""
    return {**command_data(command), **candidate.fields}
