"""Sides: who opposes whom, which can still fight, and when that leaves nothing to fight about."""

from __future__ import annotations

import msgspec

from .basics.words import Label, Phrase, joined, say
from .state.state import Combatant, State, present
from .system import System


class Verdict(msgspec.Struct, frozen=True):
    """A fight that is decided: the side that can still fight, if any, and those that cannot."""

    standing: str
    beaten: tuple[str, ...]


def are_opposed(system: System, one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are on sides that fight each other."""
    return one.side != other.side and not {one.side, other.side} & set(system.neutral)


def find_able(system: System, state: State) -> list[Combatant]:
    """Who takes part and can still fight, as the game says; bystanders do not count."""
    return [fighter for fighter in state.combatants.values() if is_able(system, state, fighter)]


def is_able(system: System, state: State, fighter: Combatant) -> bool:
    """Whether somebody takes part and can still fight."""
    return fighter.side not in system.neutral and has_turns(system, state, fighter)


def has_turns(system: System, state: State, fighter: Combatant) -> bool:
    """Whether a turn is of use to somebody when it comes: those who are down or gave up are passed over."""
    return not (fighter.gone or system.health(fighter).out) and system.stands(state, fighter)


def standing_sides(system: System, state: State) -> tuple[str, ...]:
    """The sides that still have somebody able to fight."""
    return tuple(sorted({fighter.side for fighter in find_able(system, state)}))


def find_verdict(system: System, state: State) -> Verdict | None:
    """Which sides are beaten, once at most one is left of several in a running fight; else None.

    It rests on nothing but the state given: what somebody may not know of is not in theirs.
    """
    sides = dict.fromkeys(f.side for f in present(state) if f.side not in system.neutral)
    standing = standing_sides(system, state)
    if state.phase != "fight" or len(sides) < 2 or len(standing) > 1:
        return None
    return Verdict("".join(standing), tuple(side for side in sides if side not in standing))


def describe_beaten(verdict: Verdict) -> str:
    """Who is out, for whoever sees everything."""
    if not verdict.standing:
        return "No one can fight any longer"
    *some, last = verdict.beaten
    return f"The {', the '.join(some)}{' and the ' if some else ''}{last} are out"


def describe_in_sight(verdict: Verdict) -> str:
    """The same for those who may not see everybody."""
    who = f"only the {verdict.standing}" if verdict.standing else "no one"
    return f"In sight {who} can still fight."


def say_standing(fighters: list[Combatant], key: str = "log.standing") -> Phrase:
    """Who stands, side by side."""
    return say(key, listed=list_sides(fighters))


def list_sides(fighters: list[Combatant]) -> Label:
    """Who is on which side, side by side."""
    sides: dict[str, list[Label]] = {}
    for fighter in fighters:
        sides.setdefault(fighter.side, []).append(say("words.person", who=fighter.id))
    named = [
        say("words.of_side", listed=joined(people, "words.comma"), side=side)
        for side, people in sides.items()
    ]
    return joined(named, "words.semicolon", "words.semicolon") if named else "words.nobody"
