"""Those beside the target of an attack, who make shots harder and may be hit instead."""

from __future__ import annotations

from msgspec import UNSET

from combat.rules.core.basics.memory import remember_latest
from combat.rules.core.map.bodies import SIZE, is_concealed
from combat.rules.core.people.aboard import find_aboard
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book.options import find_option
from ..book.tables import SQUARE_METRES
from ..people.machinery import LIFELESS, find_shell
from ..people.values import VEHICLE
from ..world.bands import find_metres, is_personal
from ..world.sight_lines import is_wall_between


def is_crowded(state: State, target: str, attacker: str) -> bool:
    """Whether someone besides the attacker is so near a target that shots are harder, at this table."""
    if not find_option(state, "use_firing_into_combat"):
        return False
    return bool(_list_neighbours(state, target, attacker))


def find_neighbours(state: State, target: str, but: str = "") -> tuple[Combatant, ...]:
    """The others at Personal range of someone with no wall between, the nearest first. [CE-INTO-01]

    A grapple always counts; combatants hidden by the GM never do, or the DM would reveal them. The body of a
    closed vehicle is a wall; a vehicle counts while someone lives aboard.  RULING R34 R97
    """
    there = state[target]
    near = _list_neighbours(state, target, but)
    if len(near) < 2:
        return near
    return tuple(sorted(near, key=lambda other: (find_metres(state, there, other), other.id)))


@remember_latest
def _list_neighbours(state: State, target: str, but: str) -> tuple[Combatant, ...]:
    """The same in no order. Cached, since an attack is weighed before it is made, and then may go astray."""
    there, found = state.combatants[target], []
    apart = {target, but}
    for who in (there, state.combatants.get(but)):
        if who is not None and who.berth is not UNSET:
            apart.add(who.berth.inside)
    own, grappled = int(there.marks.get(SIZE, 0)), there.conditions and has_condition(there, "grappled")
    x, y, near = there.at.x, there.at.y, SQUARE_METRES + own / 20
    for other in state.combatants.values():  # runs for everyone at every shot: no calls for those far away
        if other.gone:
            continue
        if not grappled:
            place, most = other.at, near
            if SIZE in other.marks:
                most += int(other.marks[SIZE]) / 20
            if not (-most < x - place.x < most and -most < y - place.y < most):
                continue
        if other.id in apart:
            continue
        is_beside = (grappled and is_held_by(there, other.id)) or _is_beside(state, there, other)
        if is_beside and _is_somebody(state, other):
            found.append(other)
    return tuple(found)


def _is_beside(state: State, there: Combatant, other: Combatant) -> bool:
    """Whether someone is at Personal range of a target, but not inside it, and nothing stands between."""
    if there.berth is not UNSET or other.berth is not UNSET:
        if other.inside == there.id or find_shell(state, there) is not find_shell(state, other):
            return False
    return is_personal(state, there, other) and not is_wall_between(state, there.at, other.at)


def _is_somebody(state: State, other: Combatant) -> bool:
    """Whether someone is known to all and alive, or a vehicle that works with such a person aboard."""
    if is_concealed(state, other) or (other.conditions and has_condition(other, *LIFELESS)):
        return False
    if other.sheet["kind"] != VEHICLE:
        return True
    return any(_is_somebody(state, rider) for rider in find_aboard(state, other.id))


def is_held_by(combatant: Combatant, other: str) -> bool:
    """Whether two are in a grapple with each other."""
    for held in combatant.conditions:  # noqa: SIM110 - runs for everyone at every shot
        if held.kind == "grappled" and held.by == other:
            return True
    return False
