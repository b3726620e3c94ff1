"""Those beside the target of an attack, who make shots harder and may be hit instead."""

from __future__ import annotations

from msgspec import UNSET

from combat.rules.core.map.bodies import is_concealed
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from ..characters.conditions import is_lifeless
from ..characters.machinery import find_shell
from ..characters.values import VEHICLE
from ..world.bands import find_meters, is_personal
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
    return tuple(sorted(near, key=lambda other: (find_meters(state, there, other), other.id)))


def _list_neighbours(state: State, target: str, but: str) -> list[Combatant]:
    """The same in no order."""
    there, attacker = state.combatants[target], state.combatants.get(but)
    apart = {target, but, there.inside, attacker.inside if attacker else ""}
    opponents = {held.by for held in there.conditions if held.kind == "grappled"}
    return [
        other
        for other in state.combatants.values()
        if not (other.gone or other.id in apart)
        and (other.id in opponents or _is_beside(state, there, other))
        and _is_somebody(state, other)
    ]


def _is_beside(state: State, there: Combatant, other: Combatant) -> bool:
    """Whether someone is at Personal range of a target, but not inside it, and nothing stands between.

    RULING R34: everyone aboard a vehicle is that near to each other.
    """
    if there.berth is not UNSET and other.inside == there.inside:
        return True
    return (
        is_personal(state, there, other)
        and other.inside != there.id
        and find_shell(state, there) is find_shell(state, other)
        and not is_wall_between(state, there.at, other.at)
    )


def _is_somebody(state: State, other: Combatant) -> bool:
    """Whether someone is known to all and alive, or a vehicle that works with such a person aboard."""
    if is_concealed(state, other) or is_lifeless(other):
        return False
    if other.sheet["kind"] != VEHICLE:
        return True
    return any(_is_somebody(state, rider) for rider in find_aboard(state, other.id))
