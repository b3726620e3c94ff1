"""Sides: who opposes whom, which sides can still fight, and when the fight is decided."""

from __future__ import annotations

import msgspec

from ..basics.words import Label, Phrase, joined, say
from ..declaration.system import System
from ..state.state import SURRENDERED, Combatant, State, has_condition, present


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
