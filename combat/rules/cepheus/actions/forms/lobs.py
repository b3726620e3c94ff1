"""The form for explosives at a place: the item, and the place on the map or in words."""

from __future__ import annotations

import itertools

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.commands.commands import Field, first_open
from combat.rules.core.map.bodies import nearest
from combat.rules.core.space import Reach, distance, squares_around
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Item, State, present

from ...book.options import find_option
from ...book.tables import RANGE_BANDS
from ...fight.aim import range_rows
from ...fight.checks import check_grip, check_ready
from ...fight.explosives.lobs import can_lob, find_spot
from ...fight.weapons import is_gun, read_arm
from ...world.bands import describe_distance
from ...world.economy import check_significant
from ...world.sight_lines import is_wall_between
from .fight import BURST, REST, describe_arm, find_arms, rounds_field

NEIGHBOURS = 4  # the nearest enemies, looked at in pairs
FARTHEST = 50.0  # meters within which squares of the map are offered
SQUARE = 3  # meters across


def check_usable(state: State, actor: str, item: Item) -> None:
    """Refuse an item that is not in hand, or empty."""
    check_ready(item)
    check_grip(state[actor], item)
    if item.loaded == 0:
        raise Refused("no_budget", f"{item.name} is empty: reload it.")


def find_things(state: State, actor: str) -> list[Item]:
    """The items someone has that go off where they come down."""
    arms = find_arms(state, actor)
    return [item for item in arms if can_lob(item)] if has_any(arms, can_lob) else []


def find_usable(state: State, actor: str) -> list[Item]:
    """The items that can be thrown or fired now."""
    things = find_things(state, actor)
    return [i for i in things if not why_refused(check_usable, state, actor, i)]


def find_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Places between two enemies, in front of one, and zones; any other place is typed, or tapped on the
    map."""
    combatant = state[actor]
    foes = [f for f in present(state) if f.side != combatant.side and not f.inside]
    foes.sort(key=lambda f: (distance(*nearest(combatant, f)), f.id))
    pairs = itertools.combinations(foes[:NEIGHBOURS], 2)
    named = [
        *((f"between:{a.id}:{b.id}", f"between {a.name} and {b.name}") for a, b in pairs),
        *((f"front:{f.id}", f"in front of {f.name}") for f in foes),
        *((f"zone:{z.id}", z.name) for z in state.scene.zones),
    ]
    return tuple(
        Choice(key, label, describe_distance(state, combatant, find_spot(state, actor, key)))
        for key, label in named
    )


def _place_field(state: State, actor: str, rule: str) -> Field:
    """The place of a throw: at first one that no wall keeps it from, if there is any."""
    at, places = state[actor].at, find_places(state, actor)
    reached = (
        one.value for one in places if not is_wall_between(state, at, find_spot(state, actor, one.value))
    )
    first = next(reached, first_open(places))
    return Field("to", "Where", "place", places, first, "or x,y in meters", rule=rule)


def lob_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item and the place. [CE-THROW-02]"""
    options = [
        Choice(i.id, i.name, describe_arm(i), why_refused(check_usable, state, actor, i))
        for i in find_things(state, actor)
    ]
    options.sort(key=lambda option: bool(option.refused))
    return (
        Field("weapon", "What", "choice", tuple(options), first_open(options), rule="CE-THROW-02"),
        _place_field(state, actor, "CE-EXPL-01"),
        REST,
    )


def find_blind_things(state: State, actor: str) -> list[Item]:
    """The weapons someone can fire or throw at an unseen place: guns and explosives."""
    return [item for item in find_arms(state, actor) if can_lob(item) or is_gun(item)]


def blind_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon, the place, and a burst. [CE-BLIND-01]"""
    options = [
        Choice(i.id, i.name, describe_arm(i), why_refused(check_usable, state, actor, i))
        for i in find_blind_things(state, actor)
    ]
    options.sort(key=lambda option: bool(option.refused))
    return (
        Field("weapon", "What", "choice", tuple(options), first_open(options), rule="CE-BLIND-01"),
        _place_field(state, actor, "CE-BLIND-04"),
        rounds_field(state, actor),
        BURST,
    )


def check_blind_now(state: State, actor: str) -> None:
    """Refuse without a weapon to fire or throw, without a significant action, or if the table does not use
    it."""
    if not find_option(state, "use_blind_fire"):
        raise Refused("not_allowed", "This table plays without blind firing: attack instead.")
    fit = (item for item in find_arms(state, actor) if can_lob(item) or is_gun(item))
    if not any(allows(check_usable, state, actor, item) for item in fit):
        raise Refused("not_allowed", "No gun or grenade is ready: ready or reload one first.")
    check_significant(state, actor, "blind fire")


def check_lob_now(state: State, actor: str) -> None:
    """Refuse without an explosive or smoke in hand, or without a significant action left."""
    if not find_things(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} has nothing that explodes or makes smoke.")
    if not find_usable(state, actor):
        raise Refused("not_allowed", "No grenade or launcher is ready: ready or reload one first.")
    check_significant(state, actor, "that")


def find_reach(state: State, actor: str) -> tuple[Reach, ...]:
    """The squares of the map within reach of an explosive at hand."""
    return _find_squares(state, actor, find_usable(state, actor))


def find_blind_reach(state: State, actor: str) -> tuple[Reach, ...]:
    """The squares of the map within reach of a weapon at hand, for blind fire."""
    things = find_blind_things(state, actor)
    usable = [item for item in things if not why_refused(check_usable, state, actor, item)]
    return _find_squares(state, actor, usable)


def _find_squares(state: State, actor: str, items: list[Item]) -> tuple[Reach, ...]:
    at = state[actor].at
    rows = [row for item in items for row in read_arm(item).range_types]
    bands = {band for row in rows for band in range_rows(state).get(row, ())}
    most = max((RANGE_BANDS[band].to_m for band in bands), default=0.0)
    squares = squares_around(state.scene, at, min(most, FARTHEST), SQUARE)
    return tuple(Reach(square, distance(at, square), SQUARE) for square in squares)
