"""Those who arrive later, as the GM sees them: others never get any."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.gm.battle_map import name_door
from combat.rules.core.gm.reserves import CLOCK, DOOR_OPENS, ROUND
from combat.rules.core.space import map_of, zone_named
from combat.rules.core.state.state import Reserve, State


def view_reserves(state: State) -> tuple[ReserveView, ...]:
    """All who wait, in the order they were held back."""
    return tuple(_view_reserve(state, one) for one in state.all_reserves)


def _view_reserve(state: State, one: Reserve) -> ReserveView:
    names = ", ".join(state.combatants[who].name for who in one.who)
    return ReserveView(one.id, names, len(one.who), when=say_when(state, one), where=_say_where(state, one))


def say_when(state: State, one: Reserve) -> str:
    """When they arrive, in a few words."""
    if one.when == ROUND:
        return f"round {one.at_round}"
    if one.when == CLOCK:
        name = next((clock.name for clock in state.all_clocks if clock.id == one.of), "")
        return f"when {name} is full" if name else "by hand: their clock is gone"
    if one.when == DOOR_OPENS:
        door = next((wall for wall in map_of(state.scene).walls if wall.id == one.of), None)
        return f"when {name_door(door)} opens" if door else "by hand: their door is gone"
    return "by hand"


def _say_where(state: State, one: Reserve) -> str:
    if one.at is not None:
        return f"at {one.at.x:g}, {one.at.y:g}"
    if one.edge:
        return f"at the {one.edge} edge"
    if zone := zone_named(state.scene, one.zone):
        return f"at {zone.name}"
    return "through the door" if one.when == DOOR_OPENS else "where their side is"


class ReserveView(Shape, frozen=True):
    """Combatants who arrive together: their names in one line, how many, when, and where."""

    id: str
    names: str
    count: int
    when: str
    where: str
