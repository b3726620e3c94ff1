"""What odds can tell apart of machines that are being hit."""

from __future__ import annotations

from typing import Any

from combat.rules.core.state.state import Combatant, Condition, State, replace

from ..people import machinery
from ..people.values import MACHINES
from .parts import Barrage, may_matter

SPANS = ("powerless", "shut_down")  # of rounds to come


def blur_parts(state: State, args: tuple[Any, ...]) -> State:
    """The state without the hits on parts that cannot matter any more in this attack.

    A part matters while what is left of the barrage may be more than it can take, or may set something off.
    Where more is to be done than to land hits, nothing is left out.
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
    changed = {machine.id: _blur(state, machine, left if machine.id == target else 0) for machine in machines}
    return replace(state, combatants={**state.combatants, **changed})


def _blur(state: State, fighter: Combatant, left: int) -> Combatant:
    kept = [held for held in fighter.conditions if _matters(state, held, left)]
    plain = sorted((replace(held, id="") for held in kept), key=lambda held: (held.kind, str(held.marks)))
    return replace(fighter, conditions=tuple(plain))


def _matters(state: State, held: Condition, left: int) -> bool:
    if held.kind in SPANS:
        return False
    if "part" not in held.marks:
        return True
    kind = held.kind.removesuffix("_hit")
    return may_matter(kind, held.level, left, machinery.is_flat(state))
