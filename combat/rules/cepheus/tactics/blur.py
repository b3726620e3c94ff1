"""The differences between damaged machines that matter to the odds."""

from __future__ import annotations

from typing import Any

from combat.rules.core.state.state import Combatant, Condition, State, replace

from ..body.parts import Barrage, may_matter
from ..people import machinery
from ..people.conditions import STALLS
from ..people.values import MACHINES


def blur_parts(state: State, args: tuple[Any, ...]) -> State:
    """The state without the hits on parts that can no longer matter in this attack.

    A part matters while the rest of the barrage may exceed what it can take, or may trigger something.
    Nothing is left out if anything is still to be done except landing hits.
    """
    machines = [f for f in state.combatants.values() if f.sheet["kind"] in MACHINES and f.conditions]
    if not machines:
        return state
    left, target = 0, ""
    if args:
        barrage = args[0]
        if len(args) > 1 or not isinstance(barrage, Barrage) or barrage.more:
            return state
        left, target = sum(barrage.groups), barrage.target
    if left:  # it may hit the robots inside
        machines = [machine for machine in machines if machine.inside != target]
    changed = {machine.id: _blur(state, machine, left if machine.id == target else 0) for machine in machines}
    return replace(state, combatants={**state.combatants, **changed})


def _blur(state: State, combatant: Combatant, left: int) -> Combatant:
    kept = [held for held in combatant.conditions if _matters(state, held, left)]
    plain = sorted((replace(held, id="") for held in kept), key=lambda held: (held.kind, str(held.marks)))
    return replace(combatant, conditions=tuple(plain))


def _matters(state: State, held: Condition, left: int) -> bool:
    if held.kind in STALLS:
        return False
    if "part" not in held.marks:
        return True
    kind = held.kind.removesuffix("_hit")
    return may_matter(kind, held.level, left, machinery.is_flat(state))
