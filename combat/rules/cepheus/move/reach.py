"""The places someone can move to now: those of a form, and the squares on the map."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import number_field
from combat.rules.core.map.bodies import find_free, lead_to_each
from combat.rules.core.space import Point, Reach, find_turns, find_zone, squares_around
from combat.rules.core.state.state import State, present

from ..book.tables import SQUARE_METRES
from ..world.bands import describe_distance, is_grid
from ..world.economy import count_minors
from ..world.motion import allowed_metres, find_step, movement_cost
from ..world.paths import make_way
from .movement import MAX_ACTIONS, check_free_to_move


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The places within one movement action.  [CE-MINOR-15] [CE-MINOR-17] [CE-MINOR-18]"""
    combatant = state[who]
    try:
        check_free_to_move(state, who)
    except Refused:
        return ()
    allowed = allowed_metres(combatant)
    free = find_free(state, combatant, _around(state, combatant.at, allowed), SQUARE_METRES)
    paths = lead_to_each(state, combatant, make_way(state, combatant), free, allowed)
    costs = ((way, movement_cost(state, way)) for way in paths)
    fit = ((way, cost) for way, cost in costs if 0 < cost <= allowed + 0.01)
    return tuple(Reach(way[-1], cost, turns=find_turns(way), left=allowed - cost) for way, cost in fit)


def _around(state: State, at: Point, metres: float) -> tuple[Point, ...]:
    """Possible destinations: whole meters, or on a grid the middles of its squares."""
    if not is_grid(state):
        return squares_around(state.scene, at, metres)
    most = range(-int(metres // SQUARE_METRES), int(metres // SQUARE_METRES) + 1)
    points = (Point(at.x + x * SQUARE_METRES, at.y + y * SQUARE_METRES) for y in most for x in most)
    return tuple(p for p in points if find_zone(state.scene, p))


def find_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Likely destinations, with their distances."""
    combatant = state[actor]

    def choose(key: str, label: str, place: Point) -> Choice:
        return Choice(key, label, describe_distance(state, combatant, place))

    zones = [choose(f"zone:{z.id}", z.name, z.centre) for z in state.scene.zones]
    others = [f for f in present(state) if f.id != actor]
    near = [choose(f"near:{o.id}", f"next to {o.name}", o.at) for o in others]
    foes = [o for o in others if o.side != combatant.side]
    away = [choose(f"away:{o.id}", f"away from {o.name}", o.at) for o in foes]
    return (*zones, *near, *away)


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of moving."""
    places = find_places(state, actor)
    step = find_step(state[actor])
    most = max(1, min(MAX_ACTIONS, count_minors(state, actor)))
    hint = f"{step:g} m each; difficult terrain counts double"
    first = places[0].value if places else ""
    return (
        Field("to", "Where to", "place", places, first, hint, rule="CE-MINOR-15"),
        Field("far", "Go as far as it takes", "flag", value="true"),
        number_field("actions", "Minor actions", 1, 1, most, rule="CE-MINOR-02"),
    )
