"""What tactics propose, without steps that change nothing or lead back to where they began.

Such steps ask for no dice and no choice: all is then as it was before, or as it is again after the steps that
would follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import attrgetter, gt

import msgspec

from ..basics.errors import Refused
from ..commands.commands import Command
from ..declaration.system import System
from ..engine.engine import Done, TryDriver, find_action, run
from ..gm.counters import without_spent
from ..state.state import Combatant, Item, State, replace

Submission = tuple[str, Command]
MAX_STEPS_PER_TURN = 12  # automatic steps before a turn ends


def propose(system: System, state: State, actor: str) -> Submission | None:
    """The next step of a combatant by the game's tactics; None if there is none that leads on."""
    first = submission = system.tactics.suggest(without_spent(state, actor), actor)
    states = [state]
    while submission is not None and len(states) <= MAX_STEPS_PER_TURN:
        name, command = submission
        try:
            done = run(system, states[-1], find_action(system, name), command=command, driver=TryDriver())
        except Refused:
            return None if len(states) == 1 else first
        if not isinstance(done, Done):
            break
        back = find_return(states, done.state)
        if back is not None:
            return first if back else None
        if done.state.active != state.active or done.state.phase != state.phase:
            break
        states.append(done.state)
        submission = system.tactics.suggest(without_spent(done.state, actor), actor)
    return first


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
