"""Free Move: within the zone or with the pool, and breaking away with it."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Field, Preview, as_command, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import find_zone
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting, present, replace

from ..body.doses import burn
from ..book.options import find_option
from ..characters.conditions import KINDS
from ..world.acting import TABLE
from ..world.economy import has_used_free, take_free
from ..world.paths import find_path
from ..world.place import is_map, zone_id, zone_of
from .movement import attempt, break_away, describe_cost, name_meters, preview_way
from .ways import Move, check_move, check_walk, count_burns, count_moves, far_fields, map_places, split_goal


class Go(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Free Move: inside the zone, or over the map from the pool."""

    to: str
    far: bool = False


def free_move(context: RuleContext, command: Go) -> Then | None:
    """Move in the zone, or in pieces from the pool of 5 m. [SS-FREE-05] [SS-FREE-06] [SS-ZONE-04]"""
    who = command.actor
    if is_map(context.state):
        way = as_command(Move, command)
        check_walk(context.state, way)
        return burn(context, who, count_burns(context.state, way), (attempt, way))
    if crosses(context.state, command):
        return _cross_freely(context, command)
    _step_inside(context, command)
    return None


def crosses(state: State, command: Go) -> bool:
    """Whether the goal is another zone by its name."""
    kind, name = split_goal(command.to)
    return kind == "zone" and name != zone_id(state, state[command.actor])


def check_free_move(state: State, actor: str) -> None:
    """RULING R28: Refuse it out of turn, except in zones. RULING R21: the prone crawl."""
    when = find_option(state, "free_move_out_of_turn")
    allowed = when == "always" or (when == "zones_only" and not is_map(state))
    if not is_acting(state, actor) and not allowed:
        raise Refused("not_your_turn", "Free Move waits for your own turn here.")
    combatant = state[actor]
    if find_option(state, "prone_crawl") == "none":
        KINDS.check(combatant, "walking")


def _cross_freely(context: RuleContext, command: Go) -> Then | None:
    """RULING R21: Cross a border, only if the table lets Free Move do that, once per cycle."""
    who = command.actor
    if find_option(context.state, "free_move_crosses_zone") == "no":
        text = "Another zone takes a Move: Free Move stays inside the zone."
        raise Refused("no_budget", text)
    way = as_command(Move, command)
    check_move(context.state, way)
    if count_moves(context.state, way) > 1:
        raise Refused("no_budget", "That border takes more than one Move: use Move.")
    if has_used_free(context.state[who], "free_move"):
        raise Refused("no_budget", "Free Move has crossed a border already: use Move.")
    take_free(context, who, "free_move", "SS-FREE-05")
    return Then(break_away, way)


def _step_inside(context: RuleContext, command: Go) -> None:
    """Go to another place in the same zone, at no cost. [SS-ZONE-04]"""
    who = command.actor
    combatant = context.state[who]
    path = find_path(context.state, combatant, command.to)
    here, there = zone_of(context.state, combatant), find_zone(context.state.scene, path[-1])
    if there != here:
        raise Refused("no_budget", "That is in another zone: use Move.")
    spot = replace(path[-1], z=combatant.at.z)
    name, how = (here.name, "how.keeps") if here else ("", "how.moves")
    context.emit(e.Moved(who, (combatant.at, spot), 0.0, cost=0.0, how=how, zone=name), "SS-ZONE-04")


def free_move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of Free Move."""
    options = map_places(state, actor) if is_map(state) else inner_places(state, actor)
    return (
        Field("to", "Where to", "place", options=options, value=first_open(options)),
        *(far_fields() if is_map(state) else ()),
    )


def inner_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Places inside the actor's own zone: next to the others there.  [SS-ZONE-04]"""
    combatant = state[actor]
    here = zone_id(state, combatant)
    others = [f for f in present(state) if f.id != actor and zone_id(state, f) == here]
    centre = (Choice(f"zone:{here}", "the middle of the zone"),) if here else ()
    return (*(Choice(f"near:{f.id}", f"next to {f.name}") for f in others), *centre)


def preview_free_move(state: State, command: Go) -> Preview:
    """The pool that the path takes, and the check of breaking away if there is one."""
    check_free_move(state, command.actor)
    way = as_command(Move, command)
    if is_map(state):
        return preview_way(state, way, (describe_cost(state, way),), paid=True)
    return preview_way(state, way, (), paid=True) if crosses(state, command) else Preview()


ACTIONS = (  # [SS-FREE-01] [SS-FREE-02] in anybody's turn
    TABLE.act(
        "free_move",
        free_move,
        check_free_move,
        fields=free_move_fields,
        preview=preview_free_move,
        brief=name_meters("Up to {metres} m"),
        on_turn=False,
    ),
)
