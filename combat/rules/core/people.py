"""Sides: who opposes whom, which can still fight, when the fight is decided. And passengers.

People in a vehicle, or a drone in its bay, stay combatants with their own turns. A carrier is any combatant
with someone inside. Passengers are where their carrier is: the fold moves them. The game names their place
inside (`station`) by `station.*` in its words.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from .basics.errors import Refused
from .basics.words import Label, Phrase, joined, say
from .commands.context import RuleContext
from .declaration.system import System
from .state import events as e
from .state.state import SURRENDERED, Combatant, State, has_condition, present


class Verdict(msgspec.Struct, frozen=True):
    """A decided fight: the side that can still fight, if any, and those that cannot."""

    standing: str
    beaten: tuple[str, ...]


def are_opposed(system: System, one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are on sides that fight each other."""
    return one.side != other.side and not {one.side, other.side} & set(system.tactics.neutral)


def find_able(system: System, state: State) -> list[Combatant]:
    """The combatants who can still fight, by the game's rules; bystanders do not count."""
    return [combatant for combatant in state.combatants.values() if is_able(system, state, combatant)]


def is_able(system: System, state: State, combatant: Combatant) -> bool:
    """Whether someone takes part and can still fight."""
    return combatant.side not in system.tactics.neutral and has_turns(system, state, combatant)


def has_turns(system: System, state: State, combatant: Combatant) -> bool:
    """Whether someone can use a turn: those who are down or gave up are skipped."""
    people = system.people
    if combatant.gone or has_condition(combatant, SURRENDERED):
        return False
    if people.can_fight is None:
        return not people.health(combatant).is_out
    return people.can_fight(state, combatant)


def standing_sides(system: System, state: State) -> tuple[str, ...]:
    """The sides with someone who can still fight."""
    return tuple(sorted({combatant.side for combatant in find_able(system, state)}))


def find_verdict(system: System, state: State) -> Verdict | None:
    """The beaten sides, once at most one of several is left in a running fight; else None.

    It depends only on the given state: a redacted one has no combatants that its reader may not know of.
    """
    if state.phase != "fight":
        return None
    sides = dict.fromkeys([f.side for f in present(state) if f.side not in system.tactics.neutral])
    if len(sides) < 2:
        return None
    standing: str | None = None
    for combatant in state.combatants.values():
        if combatant.side != standing and is_able(system, state, combatant):
            if standing is not None:
                return None
            standing = combatant.side
    return Verdict(standing or "", tuple(side for side in sides if side != standing))


def describe_beaten(verdict: Verdict) -> str:
    """The beaten sides, for a reader who sees everything."""
    if not verdict.standing:
        return "No one can fight any longer"
    *some, last = verdict.beaten
    return f"The {', the '.join(some)}{' and the ' if some else ''}{last} are out"


def describe_in_sight(verdict: Verdict) -> str:
    """The beaten sides, for readers who may not see everyone."""
    who = f"only the {verdict.standing}" if verdict.standing else "no one"
    return f"In sight {who} can still fight."


def say_standing(combatants: list[Combatant], key: str = "log.standing") -> Phrase:
    """The combatants still standing, side by side."""
    return say(key, listed=list_sides(combatants))


def list_sides(combatants: list[Combatant]) -> Label:
    """The combatants of each side."""
    sides: dict[str, list[Label]] = {}
    for combatant in combatants:
        sides.setdefault(combatant.side, []).append(say("words.person", who=combatant.id))
    named = [
        say("words.of_side", listed=joined(people, "words.comma"), side=side)
        for side, people in sides.items()
    ]
    return joined(named, "words.semicolon", "words.semicolon") if named else "words.nobody"


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
    people = state.combatants.values()
    return tuple([one for one in people if one.berth and one.berth.inside == carrier and not one.gone])


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
