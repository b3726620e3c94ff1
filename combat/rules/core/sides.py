"""Sides: who opposes whom, which can still fight, when the fight is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

import msgspec

from .basics.words import Label, Phrase, joined, say
from .declaration.system import System
from .state.state import PLAYS_ON, SURRENDERED, Combatant, State, has_condition, is_played, present

HALF = 0.5  # of their health is left to those who are wounded


class Verdict(msgspec.Struct, frozen=True):
    """A decided fight: the side that can still fight, if any, and those that cannot."""

    standing: str
    beaten: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a fight stands: the sides with someone who can still fight, and the others."""

    standing: tuple[str, ...]
    beaten: tuple[str, ...]

    @property
    def winner(self) -> str:
        """The only side left; empty if there are several or none."""
        return self.standing[0] if len(self.standing) == 1 else ""


def are_opposed(system: System, one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are on sides that fight each other."""
    return one.side != other.side and not {one.side, other.side} & set(system.tactics.neutral)


def find_able(system: System, state: State) -> list[Combatant]:
    """The combatants who can still fight, by the game's rules; bystanders do not count."""
    return [combatant for combatant in state.combatants.values() if is_able(system, state, combatant)]


def is_able(system: System, state: State, combatant: Combatant) -> bool:
    """Whether someone takes part and can still fight: those who could never do anything to anybody do not
    count."""
    return (
        combatant.side not in system.tactics.neutral
        and has_turns(system, state, combatant)
        and system.tactics.can_harm(state, combatant)
    )


def has_turns(system: System, state: State, combatant: Combatant) -> bool:
    """Whether someone can use a turn: those who are down or gave up are skipped."""
    characters = system.characters
    if combatant.gone or has_condition(combatant, SURRENDERED):
        return False
    if characters.can_fight is None:
        return not characters.health(combatant).is_out
    return characters.can_fight(state, combatant)


def standing_sides(system: System, state: State) -> tuple[str, ...]:
    """The sides with someone who can still fight."""
    return tuple(sorted({combatant.side for combatant in find_able(system, state)}))


def describe_empty(system: System, state: State) -> str:
    """Whose vehicles nobody is in, where that leaves a side without anyone who can fight; empty for none."""
    standing = standing_sides(system, state)
    idle = [one for one in present(state) if not system.characters.health(one).is_out]
    sides = dict.fromkeys(one.side for one in idle if not is_able(system, state, one))
    waiting = [side for side in sides if side not in (*standing, *system.tactics.neutral)]
    empty = [side for side in waiting if not any(_gave_up(one) for one in idle if one.side == side)]
    return f"nobody is in the vehicles of the {' and the '.join(empty)}" if empty else ""


def _gave_up(combatant: Combatant) -> bool:
    return has_condition(combatant, SURRENDERED)


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


def find_outcome(system: System, state: State, known: Container[str]) -> Outcome:
    """Which sides can still fight, and which cannot, among the combatants with `known` ids."""
    people = [one for one in present(state) if one.id in known and one.side not in system.tactics.neutral]
    able = {one.side for one in people if is_able(system, state, one)}
    sides = tuple(dict.fromkeys(one.side for one in people))
    return Outcome(tuple(s for s in sides if s in able), tuple(s for s in sides if s not in able))


def gives_up(system: System, state: State, who: str) -> bool:
    """Whether an NPC has had enough, as their sheet says: at half their health, or alone of their side."""
    one = state.combatants[who]
    when = "" if is_played(state, one) else one.sheet.get("flees", "")
    if not when or not has_turns(system, state, one):
        return False
    if when == "wounded":
        return system.characters.health(one).share <= HALF
    friends = [other for other in present(state) if other.side == one.side and other.id != who]
    return bool(friends) and not any(is_able(system, state, other) for other in friends)


def count_out(system: System, state: State) -> int:
    """How many of those present cannot fight."""
    return sum(not is_able(system, state, one) for one in present(state))


def is_asked(system: System, state: State) -> bool:
    """Whether the GM is asked to end a decided fight: not while it goes on and nobody else went down."""
    return find_verdict(system, state) is not None and state.marks.get(PLAYS_ON) != count_out(system, state)


def count_sides(system: System, state: State) -> list[tuple[str, int, int]]:
    """Each side of a fight in order, how many of it can still fight, and how many it has."""
    here = [one for one in present(state) if one.side not in system.tactics.neutral]
    able, everyone = (Counter(one.side for one in people) for people in (find_able(system, state), here))
    return [(side, able[side], number) for side, number in everyone.items()]


def describe_losses(system: System, state: State, verdict: Verdict) -> str:
    """How many of each side stand, what became of the others, who may come: for who sees everything."""
    beaten = [one for one in present(state) if one.side in verdict.beaten]
    dead = sum(system.characters.health(one).dead for one in beaten)
    gave_up = sum(has_condition(one, SURRENDERED) for one in beaten)
    idle = sum(has_turns(system, state, one) for one in beaten)  # such as a drone that nobody steers
    down = len(beaten) - dead - gave_up - idle
    numbers = ((down, "down"), (dead, "dead"), (gave_up, "surrendered"), (idle, "unable to do anything"))
    said = ", ".join(f"{number} {word}" for number, word in numbers if number > 0)
    coming = sum(len(one.who) for one in state.all_reserves)
    later = f"{coming} still to arrive." if coming else "Nobody else is to arrive."
    standing = ", ".join(f"{side} {able} of {number}" for side, able, number in count_sides(system, state))
    return f"{said[:1].upper()}{said[1:]}. Standing: {standing}. {later}"


def describe_beaten(verdict: Verdict) -> str:
    """The beaten sides, for a reader who sees everything."""
    if not verdict.standing:
        return "No one can fight any longer"
    *some, last = verdict.beaten
    return f"The {', the '.join(some)}{' and the ' if some else ''}{last} are out"


def describe_in_sight(verdict: Verdict) -> str:
    """The beaten sides, for readers who may not see everyone."""
    if not verdict.standing:
        return "Nobody in sight can fight any longer."
    return f"Of those in sight, only the {verdict.standing} can still fight."


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
