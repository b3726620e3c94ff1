"""Who is inside whom: people in a vehicle, a drone in its bay. Each stays a combatant with own turns.

A carrier is any combatant with somebody inside. Those inside stand where it stands: the fold moves them
along. What they hold a place as (`station`) is for the game to name, by `System.stations`.
"""

from __future__ import annotations

from collections.abc import Iterator

from .basics.errors import Refused
from .commands.context import RuleContext
from .state import events as e
from .state.state import Combatant, State, present


def find_carrier(state: State, who: str) -> Combatant | None:
    """The combatant that somebody is inside of, or None in the open, or if it is not known here."""
    fighter = state.combatants.get(who)
    if fighter is None or not fighter.inside:
        return None
    carrier = state.combatants.get(fighter.inside)
    return None if carrier is None or carrier.gone else carrier


def find_carriers(state: State, who: str) -> Iterator[Combatant]:
    """All that somebody is inside of, the nearest first: a person in a car in a ship."""
    seen = {who}
    carrier = find_carrier(state, who)
    while carrier is not None and carrier.id not in seen:
        seen.add(carrier.id)
        yield carrier
        carrier = find_carrier(state, carrier.id)


def find_aboard(state: State, carrier: str) -> tuple[Combatant, ...]:
    """Those right inside a carrier, in the order they joined the fight."""
    return tuple(fighter for fighter in present(state) if fighter.inside == carrier)


def find_at_station(state: State, carrier: str, station: str) -> tuple[Combatant, ...]:
    """Those who hold such a place inside a carrier."""
    return tuple(fighter for fighter in find_aboard(state, carrier) if fighter.station == station)


def check_room(state: State, who: str, carrier: str) -> None:
    """Refuse what cannot be: to be inside oneself, or inside somebody one carries."""
    inner = state[carrier]
    if who == carrier:
        raise Refused("not_allowed", f"{inner.name} cannot get inside itself: choose another.")
    if any(outer.id == who for outer in find_carriers(state, carrier)):
        name = state[who].name
        raise Refused("not_allowed", f"{inner.name} is inside {name}: it has to get out first.")


def board(context: RuleContext, who: str, carrier: str, station: str, rule: str = "") -> None:
    """Somebody gets in, or takes another place inside; those inside them come along."""
    check_room(context.state, who, carrier)
    context.emit(e.Boarded(who, carrier, station), rule)


def leave(context: RuleContext, who: str, rule: str = "") -> None:
    """Somebody gets out, and stands where their carrier stands."""
    if context.state[who].inside:
        context.emit(e.Boarded(who, "", ""), rule)
