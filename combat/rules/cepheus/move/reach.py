"""The places someone can move to now: those of a form, and the squares on the map."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.forms import name_goals, number_field
from combat.rules.core.map.bodies import find_free, lead_to_each
from combat.rules.core.space import Point, Reach, find_turns, find_zone, squares_around
from combat.rules.core.state.state import State

from ..book.tables import SQUARE_METERS
from ..world.bands import describe_distance, is_grid
from ..world.economy import count_minors
from ..world.motion import allowed_meters, find_step, movement_cost
from .movement import MAX_ACTIONS, check_free_to_move, make_way


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The places within one movement action.  [CE-MINOR-15] [CE-MINOR-17] [CE-MINOR-18]"""
    combatant = state[who]
    try:
        check_free_to_move(state, who)
    except Refused:
        return ()
    allowed = allowed_meters(combatant)
    free = find_free(state, combatant, _around(state, combatant.at, allowed), SQUARE_METERS)
    paths = lead_to_each(state, combatant, make_way(state, combatant), free, allowed)
    costs = ((way, movement_cost(state, way)) for way in paths)
    fit = ((way, cost) for way, cost in costs if 0 < cost <= allowed + 0.01)
    return tuple(Reach(way[-1], cost, turns=find_turns(way), left=allowed - cost) for way, cost in fit)


def _around(state: State, at: Point, meters: float) -> tuple[Point, ...]:
    """Possible destinations: whole meters, or on a grid the middles of its squares."""
    if not is_grid(state):
        return squares_around(state.scene, at, meters)
    most = range(-int(meters // SQUARE_METERS), int(meters // SQUARE_METERS) + 1)
    points = (Point(at.x + x * SQUARE_METERS, at.y + y * SQUARE_METERS) for y in most for x in most)
    return tuple(p for p in points if find_zone(state.scene, p))


def find_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Likely destinations, with their distances."""
    combatant = state[actor]
    return name_goals(state, combatant, partial(describe_distance, state, combatant))


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
