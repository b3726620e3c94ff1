"""Passengers: who is inside whom.

People in a vehicle, or a drone in its bay, stay combatants with their own turns. A carrier is any combatant
with someone inside. Passengers are where their carrier is: the fold moves them. The game names their place
inside (`station`) by `station.*` in its words.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from .basics.errors import Refused
from .commands.context import RuleContext
from .state import events as e
from .state.state import Combatant, State


def find_carrier(state: State, who: str) -> Combatant | None:
    """The carrier of someone; None in the open, or if it is unknown here."""
    combatant = state.combatants.get(who)
    if combatant is None or combatant.berth is UNSET:
        return None
    carrier = state.combatants.get(combatant.berth.inside)
    return None if carrier is None or carrier.gone else carrier


def find_carriers(state: State, who: str) -> Iterator[Combatant]:
    """All carriers of someone, the nearest first: a person in a car in a ship."""
    seen = {who}
    carrier = find_carrier(state, who)
    while carrier is not None and carrier.id not in seen:
        seen.add(carrier.id)
        yield carrier
        carrier = find_carrier(state, carrier.id)


def find_aboard(state: State, carrier: str) -> tuple[Combatant, ...]:
    """The direct passengers of a carrier, in the order they joined the fight."""
    found: tuple[Combatant, ...] = ()
    for one in state.combatants.values():  # in each command of a chase: without further calls
        if one.berth and one.berth.inside == carrier and not one.gone:
            found = (*found, one)
    return found


def find_at_station(state: State, carrier: str, station: str) -> tuple[Combatant, ...]:
    """The passengers at this station of a carrier."""
    return tuple(combatant for combatant in find_aboard(state, carrier) if combatant.station == station)


def check_room(state: State, who: str, carrier: str) -> None:
    """Refuse the impossible: a carrier inside itself or inside its own passenger."""
    inner = state[carrier]
    if who == carrier:
        raise Refused("not_allowed", f"{inner.name} cannot get inside itself: choose another.")
    if any(outer.id == who for outer in find_carriers(state, carrier)):
        name = state[who].name
        raise Refused("not_allowed", f"{inner.name} is inside {name}: it has to get out first.")


def board(context: RuleContext, who: str, carrier: str, station: str, rule: str = "") -> None:
    """Board a carrier, or take another place inside; passengers of the boarder come along."""
    check_room(context.state, who, carrier)
    context.emit(e.Boarded(who, carrier, station), rule)


def leave(context: RuleContext, who: str, rule: str = "") -> None:
    """Get out of a carrier, to the place where it stands."""
    if context.state[who].inside:
        context.emit(e.Boarded(who, "", ""), rule)
