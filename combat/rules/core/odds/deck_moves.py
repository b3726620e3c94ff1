"""A move to a spot on another deck: to a way, through it and on, with what mends what is in its way.

It ends where the turn has no more actions for it, before a question, and behind a way whose other end its
player does not know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused
from ..commands.commands import Action, find_refusal
from ..declaration.parts import Candidate
from ..declaration.system import System
from ..gm.ways import Trip, find_all_trips, find_blind_trips, find_ways_to, name_way
from ..space import Deck, Passage, Point, Reach, map_of, on_ground, plan_distance
from ..space.decks import DOWN, UP, find_deck
from ..state.state import State, replace
from .planner import MAX_MENDS, Part, Plan, find_mends, find_moves, find_opening, find_readying, take

WAY = "way"  # the action of every game that takes a way
BY_WAY = "way:"  # before the id of a way in the goal of a move
NEAR_M = 3.0  # meters around the end of a way where it may be within reach
MAX_WAYS, MAX_STARTS = 4, 6  # tried
NOT_THERE = "Choose a spot on another deck of the map."
UNSEEN_END = "You have not seen yet where it leads."
NO_WAY = "No way leads there that is open to you: look for another, or ask the GM."


class Barred(Refused):
    """A move to another deck ends before a way that is refused, such as a shut one."""

    def __init__(self, message: str, way: Passage) -> None:
        super().__init__("out_of_range", message)
        self.way = way


def foresee_across(system: System, state: State, who: str, across: Point | str) -> Plan:
    """The best move to a spot on another deck, "up" or "down" to the next deck, or by one way ("way:" and its
    id); Refused if none begins."""
    if isinstance(across, Point):
        return foresee_deck_move(system, state, who, across)
    if across.startswith(BY_WAY):
        return foresee_way(system, state, who, across.removeprefix(BY_WAY))
    return foresee_next_deck(system, state, who, across == UP)


def foresee_next_deck(system: System, state: State, who: str, up: bool) -> Plan:
    """The best move to the end of a way to the next deck above or below, as `foresee_deck_move`.

    Refused if no way leads there.
    """
    here = _deck_of(state, who)
    if here is None or WAY not in system.actions.by_name:
        raise Refused("not_allowed", NOT_THERE)
    drawn = map_of(state.scene)
    beyond = [d for d in drawn.decks if d.height != here.height and (d.height > here.height) == up]
    trips = list(find_blind_trips(state, state[who], up)[:MAX_WAYS])
    if beyond:
        nearest = min(beyond, key=lambda deck: abs(deck.height - here.height))
        trips += find_ways_to(state, state[who], _middle_of(nearest))[:MAX_WAYS]
    ends = [(trip, find_deck(drawn.decks, trip.end.x, trip.end.y)) for trip in trips]
    found = [
        _go_by(_Walker(system, who, trip.end, deck), Plan((), state), trip) for trip, deck in ends if deck
    ]
    if not found:
        leads = beyond or any(way.blind == (UP if up else DOWN) for way in drawn.ways)
        raise Refused(
            "not_allowed", NO_WAY if leads else f"No deck is {'above' if up else 'below'} this one."
        )
    return _check_move(min(found, key=lambda move: move.rank))


def foresee_way(system: System, state: State, who: str, way: str) -> Plan:
    """The move to the end of one way, by its id; Refused if it does not begin on this deck, or cannot."""
    trip = next((one for one in find_all_trips(state, state[who].at) if one.way.id == way), None)
    deck = find_deck(map_of(state.scene).decks, trip.end.x, trip.end.y) if trip else None
    if trip is None or deck is None or WAY not in system.actions.by_name:
        raise Refused("not_allowed", "That way does not begin on this deck: go to its deck first.")
    if trip.way.locked:
        raise Refused("not_allowed", f"{name_way(trip.way)} is locked: the GM can unlock it.")
    return _check_move(_go_by(_Walker(system, who, trip.end, deck), Plan((), state), trip))


def _middle_of(deck: Deck) -> Point:
    return Point(deck.x + deck.width / 2, deck.y + deck.depth / 2)


def foresee_deck_move(system: System, state: State, who: str, goal: Point) -> Plan:
    """The best move to a spot on another deck: one that arrives, else the one that gets farthest.

    Refused if it is on no other deck, or if not even the nearest way can be reached in this turn.
    """
    there = find_deck(map_of(state.scene).decks, goal.x, goal.y)
    if there is None or there == _deck_of(state, who) or WAY not in system.actions.by_name:
        raise Refused("not_allowed", NOT_THERE)
    return _check_move(_go_on(_Walker(system, who, goal, there), Plan((), state)))


def _check_move(move: Plan) -> Plan:
    if move.parts:
        return move
    if move.barred:
        raise Barred(move.stopped, move.barred)
    raise Refused("out_of_range", move.stopped)


# ---------------------------------------------------------------- how it is foreseen


@dataclass(frozen=True)
class _Walker:
    """Who goes where: the spot, and its deck."""

    system: System
    who: str
    goal: Point
    deck: Deck


def _deck_of(state: State, who: str) -> Deck | None:
    return find_deck(map_of(state.scene).decks, state[who].at.x, state[who].at.y)


def _go_on(walker: _Walker, so_far: Plan) -> Plan:
    """The best end of a move that is under way."""
    state = so_far.after
    if _deck_of(state, walker.who) == walker.deck:
        return _arrive(walker, so_far)
    ways = find_ways_to(state, state[walker.who], walker.goal)[:MAX_WAYS]
    ends = [_go_by(walker, so_far, trip) for trip in ways]
    if not ends:
        return _stop(so_far, NO_WAY)
    return min(ends, key=lambda move: move.rank)


def _go_by(walker: _Walker, so_far: Plan, trip: Trip) -> Plan:
    """The best move by one way: at once, or after what has to come first."""
    move = _go_through(walker, so_far, trip)
    if not move.stopped:
        return move
    action, fields = walker.system.action(WAY), {"actor": walker.who, "way": trip.way.id}
    readied = (
        _take(walker, so_far, one) for one in find_readying(walker.system, so_far.after, action, fields)
    )
    later = (_go_by(walker, one, trip) for one in readied if not one.is_over)
    return min((move, *later), key=lambda one: one.rank)


def _go_through(walker: _Walker, so_far: Plan, trip: Trip) -> Plan:
    """The move by one way: to it, through it, and on."""
    action = walker.system.action(WAY)
    if _find_option(action, so_far.after, walker.who, trip) is None:
        so_far = _go_to(walker, so_far, trip)
        if so_far.is_over:
            return so_far
    option = _find_option(action, so_far.after, walker.who, trip)
    refused = find_refusal(action, so_far.after, walker.who)
    if option and option.refused and not refused:
        opening = find_opening(walker.system, so_far.after, walker.who, trip.way.id)
        if opening is None:
            return dataclasses.replace(_stop(so_far, option.refused), barred=trip.way)
        opened = _take(walker, so_far, opening)
        return opened if opened.is_over else _pass(walker, opened, trip)
    return _pass(walker, so_far, trip)


def _pass(walker: _Walker, so_far: Plan, trip: Trip) -> Plan:
    """The move through a way within reach, and on."""
    state, action = so_far.after, walker.system.action(WAY)
    option = _find_option(action, state, walker.who, trip)
    label = option.label if option else action.label
    fields = {"actor": walker.who, "way": trip.way.id}
    if trip.way.blind:
        refused = find_refusal(action, state, walker.who)
        blind = Plan((*so_far.parts, Part(WAY, fields, label)), state, blind=True)
        return _stop(so_far, refused.message) if refused else blind
    after = take(walker.system, so_far, WAY, fields, label)
    return after if after.is_over else _go_on(walker, after)


def _go_to(walker: _Walker, so_far: Plan, trip: Trip) -> Plan:
    """The move to where a way is within reach, after what mends that: they stand up, or open a door."""
    for mended in (so_far, *_mend(walker, so_far, trip.start)):
        if starts := _find_starts(walker, mended.after, trip):
            return _walk(walker, mended, *starts)
    return _stop(so_far, f"{name_way(trip.way)} is too far for this turn: move towards it first.")


def _mend(walker: _Walker, so_far: Plan, goal: Point) -> Iterator[Plan]:
    """Plans after what lets someone go on to a spot of their deck: they stand up, or open the door."""
    move = next(find_moves(walker.system), None)
    fields = {"actor": walker.who, "to": f"{goal.x:g},{goal.y:g}"}
    for _ in range(MAX_MENDS):
        mends = find_mends(walker.system, so_far.after, move, fields) if move else ()
        tried = (_take(walker, so_far, one) for one in mends)
        mended = next((one for one in tried if not one.is_over), None)
        if mended is None:
            return
        yield (so_far := mended)


def _take(walker: _Walker, so_far: Plan, mend: Candidate) -> Plan:
    return take(walker.system, so_far, mend.name, {"actor": walker.who, **mend.fields}, mend.label)


def _find_option(action: Action, state: State, who: str, trip: Trip) -> Choice | None:
    """The way as the form of its action offers it from where someone stands; None out of reach."""
    options = (option for field in action.find_fields(state, who) for option in field.options)
    return next((option for option in options if option.value == trip.way.id), None)


def _find_moves(walker: _Walker, state: State) -> Iterator[tuple[Action, tuple[Reach, ...]]]:
    """The actions that lead to places now, with the places."""
    for action in find_moves(walker.system):
        if action.find_reach and find_refusal(action, state, walker.who) is None:
            yield action, action.find_reach(state, walker.who)


def _find_starts(walker: _Walker, state: State, trip: Trip) -> tuple[Action, Reach] | None:
    """The cheapest place from which a way is within reach, by the first action that leads to one."""
    taking = walker.system.action(WAY)
    for action, reach in _find_moves(walker, state):
        near = [one for one in reach if plan_distance(one.at, trip.start) <= NEAR_M + one.side]
        nearest = sorted(near, key=lambda one: plan_distance(one.at, trip.start))[: MAX_STARTS * MAX_WAYS]
        for one in (*sorted(nearest, key=lambda one: one.meters), *_find_foot(nearest, trip)):
            there = replace(state[walker.who], at=on_ground(state.scene, one.at))
            tried = replace(state, combatants={**state.combatants, walker.who: there})
            if _find_option(taking, tried, walker.who, trip):
                return action, one
    return None


def _find_foot(nearest: list[Reach], trip: Trip) -> Iterator[Reach]:
    """The very spot where a way begins, if it lies between the places within reach."""
    if nearest and (more := plan_distance(nearest[0].at, trip.start)) <= nearest[0].side:
        meters = round(nearest[0].meters + more, 1)
        yield msgspec.structs.replace(nearest[0], at=trip.start, meters=meters)


def _arrive(walker: _Walker, so_far: Plan) -> Plan:
    """The move with its last part, on the deck of the spot."""
    state = so_far.after
    if plan_distance(state[walker.who].at, walker.goal) < 0.75:
        return so_far
    refused = ""
    for action, reach in _find_moves(walker, state):
        near = [one for one in reach if plan_distance(one.at, walker.goal) <= one.side * 0.75]
        if near:
            return _walk(
                walker, so_far, action, min(near, key=lambda one: plan_distance(one.at, walker.goal))
            )
        refused = "The rest is too far for this turn"
    return _stop(so_far, f"{refused or 'No action is left for the rest'}: it ends at {walker.deck.name}.")


def _walk(walker: _Walker, so_far: Plan, action: Action, reach: Reach) -> Plan:
    fields = {"actor": walker.who, "to": f"{reach.at.x:g},{reach.at.y:g}"}
    return take(walker.system, so_far, action.name, fields)


def _stop(so_far: Plan, why: str) -> Plan:
    return Plan(so_far.parts, so_far.after, stopped=why)
