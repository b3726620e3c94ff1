"""A move to a spot on another deck: to a way, through it and on, each part a step as if done by hand.

It is foreseen without dice on what its player knows, so that a page shows all its parts and their sum before
anything is done. It ends where the turn has no more actions for it, and before a question.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from combat.audience.rights import Grant
from combat.rules.core.basics.dice.requests import Choice, Request
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, find_refusal, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import TryDriver, Waiting, run
from combat.rules.core.gm.ways import Trip, find_ways_to, name_way
from combat.rules.core.space import Deck, Point, Reach, map_of, on_ground, plan_distance
from combat.rules.core.space.decks import find_deck
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace

from .writing.encounter_service import Seen, Submission, SubmissionResult, check_version, submit
from .writing.locking import locked

WAY = "way"  # the action of every game that takes a way
NEAR_M = 3.0  # meters around the end of a way where it may be within reach
MAX_WAYS, MAX_STARTS = 4, 6  # tried
NOT_THERE = "Choose a spot on another deck of the map."
NO_WAY = "No way leads there that is open to you: look for another, or ask the GM."


@dataclass(frozen=True)
class Leg:
    """A part of a move: its action with its fields, its name, its length in meters, and its course."""

    do: str
    fields: dict[str, Any]
    label: str
    meters: float
    course: tuple[Point, ...] = ()


@dataclass(frozen=True)
class DeckMove:
    """The parts of a move, and the state after them; `stopped` is why it ends early, `asked` who is asked."""

    legs: tuple[Leg, ...]
    after: State
    stopped: str = ""
    asked: tuple[Request, ...] = ()

    @property
    def meters(self) -> float:
        """The length of all parts."""
        return round(sum(leg.meters for leg in self.legs), 1)

    @property
    def is_over(self) -> bool:
        """Whether no part can follow."""
        return bool(self.stopped or self.asked)


def find_next_deck(state: State, who: str, up: bool) -> Point:
    """Where the nearest way to the next deck above or below ends; Refused if none leads there."""
    decks, here = map_of(state.scene).decks, _deck_of(state, who)
    beyond = [
        deck for deck in decks if here and (deck.height > here.height) == up and deck.height != here.height
    ]
    if here is None or not beyond:
        raise Refused("not_allowed", f"No deck is {'above' if up else 'below'} this one.")
    there = min(beyond, key=lambda deck: abs(deck.height - here.height))
    middle = Point(there.x + there.width / 2, there.y + there.depth / 2)
    trip = next(iter(find_ways_to(state, state[who], middle)), None)
    if trip is None:
        raise Refused("not_allowed", NO_WAY)
    return trip.end


def foresee_deck_move(system: System, state: State, who: str, goal: Point) -> DeckMove:
    """The best move to a spot on another deck: one that arrives, else the one that gets farthest.

    Refused if it is on no other deck, or if not even the nearest way can be reached in this turn.
    """
    there = find_deck(map_of(state.scene).decks, goal.x, goal.y)
    if there is None or there == _deck_of(state, who) or WAY not in system.actions.by_name:
        raise Refused("not_allowed", NOT_THERE)
    found = _go_on(_Walker(system, who, goal, there), DeckMove((), state))
    if not found.legs:
        raise Refused("out_of_range", found.stopped)
    return found


def move_to_deck(
    encounter_id: int,
    move: DeckMove,
    *,
    typed: bool = False,
    version: Seen = None,
    by: str = "",
    grant: Grant | None = None,
) -> SubmissionResult:
    """Do the parts of a move: all of them up to a question, or none if one is refused."""
    with locked(encounter_id) as encounter:
        check_version(encounter, version, grant)
        for leg in move.legs:
            done = submit(encounter_id, Submission(leg.do, leg.fields, typed=typed, by=by, grant=grant))
            if done.waiting:
                break
        return done


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


def _go_on(walker: _Walker, so_far: DeckMove) -> DeckMove:
    """The best end of a move that is under way."""
    state = so_far.after
    if _deck_of(state, walker.who) == walker.deck:
        return _arrive(walker, so_far)
    ways = find_ways_to(state, state[walker.who], walker.goal)[:MAX_WAYS]
    ends = [_go_by(walker, so_far, trip) for trip in ways]
    if not ends:
        return _stop(so_far, NO_WAY)
    return min(ends, key=lambda one: (bool(one.stopped), -len(one.legs) if one.stopped else 0, one.meters))


def _go_by(walker: _Walker, so_far: DeckMove, trip: Trip) -> DeckMove:
    """The move by one way: to it, through it, and on."""
    state, action = so_far.after, walker.system.action(WAY)
    if _find_option(action, state, walker.who, trip) is None:
        starts = _find_starts(walker, state, trip)
        if starts is None:
            return _stop(so_far, f"{name_way(trip.way)} is too far for this turn: move towards it first.")
        so_far = _walk(walker, so_far, *starts)
        if so_far.is_over:
            return so_far
        state = so_far.after
    option = _find_option(action, state, walker.who, trip)
    label = option.label if option else action.label
    leg = Leg(WAY, {"actor": walker.who, "way": trip.way.id}, label, trip.meters)
    after = _do(walker, so_far, action, leg)
    return after if after.is_over else _go_on(walker, after)


def _find_option(action: Action, state: State, who: str, trip: Trip) -> Choice | None:
    """The way as the form of its action offers it from where someone stands; None out of reach."""
    options = (option for field in action.find_fields(state, who) for option in field.options)
    return next((option for option in options if option.value == trip.way.id), None)


def _find_moves(walker: _Walker, state: State) -> Iterator[tuple[Action, tuple[Reach, ...]]]:
    """The actions that lead to places now, with the places."""
    for action in walker.system.actions.by_name.values():
        if action.find_reach and action.leads_there and find_refusal(action, state, walker.who) is None:
            yield action, action.find_reach(state, walker.who)


def _find_starts(walker: _Walker, state: State, trip: Trip) -> tuple[Action, Reach] | None:
    """The cheapest place from which a way is within reach, by the first action that leads to one."""
    taking = walker.system.action(WAY)
    for action, reach in _find_moves(walker, state):
        near = (one for one in reach if plan_distance(one.at, trip.start) <= NEAR_M + one.side)
        for one in sorted(near, key=lambda one: one.meters)[: MAX_STARTS * MAX_WAYS]:
            there = replace(state[walker.who], at=on_ground(state.scene, one.at))
            tried = replace(state, combatants={**state.combatants, walker.who: there})
            if _find_option(taking, tried, walker.who, trip):
                return action, one
    return None


def _arrive(walker: _Walker, so_far: DeckMove) -> DeckMove:
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


def _walk(walker: _Walker, so_far: DeckMove, action: Action, reach: Reach) -> DeckMove:
    fields = {"actor": walker.who, "to": f"{reach.at.x:g},{reach.at.y:g}"}
    return _do(walker, so_far, action, Leg(action.name, fields, action.label, round(reach.meters, 1)))


def _do(walker: _Walker, so_far: DeckMove, action: Action, leg: Leg) -> DeckMove:
    """The move with one more part; unchanged but for the reason if that is refused."""
    state = so_far.after
    try:
        command = read_command(action, leg.fields, state)
        done = run(walker.system, state, action, command=command, driver=TryDriver())
    except Refused as refused:
        return _stop(so_far, refused.message)
    if isinstance(done, Waiting):
        return DeckMove((*so_far.legs, leg), state, asked=done.requests)
    moves = (fact.event for fact in done.facts if isinstance(fact.event, e.Moved))
    course = next((event.path for event in moves if event.who == walker.who), ())
    return DeckMove((*so_far.legs, dataclasses.replace(leg, course=course)), done.state)


def _stop(so_far: DeckMove, why: str) -> DeckMove:
    return DeckMove(so_far.legs, so_far.after, stopped=why)
