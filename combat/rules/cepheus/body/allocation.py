"""Which characteristics a wound is taken from: what is allowed, and what is best.

Scores are always in the order Endurance, Strength, Dexterity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from operator import lt, sub

from combat.rules.core.basics.memory import remember
from combat.rules.core.basics.requests import Choice
from combat.rules.core.basics.splits import Place
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from ..book.tables import dm_of
from ..people.values import find_full, find_score, is_wounded

ORDER = ("end", "str", "dex")  # RULING R3: the order in which equals are preferred
NAMES = {"end": "Endurance", "str": "Strength", "dex": "Dexterity"}
Parts = tuple[int, ...]


@remember
def find_scores(fighter: Combatant) -> Parts:
    """The physical characteristics as they are now."""
    return tuple([max(0, find_score(fighter, key)) for key in ORDER])


def find_whole(fighter: Combatant) -> Parts:
    """The physical characteristics undamaged."""
    return tuple([find_full(fighter, key) for key in ORDER])


def is_in_order(state: State, fighter: Combatant) -> bool:
    """[CE-DMG-03] [CE-DMG-09] Whether a wound has to begin with Endurance.

    RULING R2: while there is no physical damage; always, where the table plays it so.
    """
    return find_option(state, "damage_order") == "endurance_first" or not is_wounded(fighter)


def divide(context: RuleContext, who: str, points: int, in_order: bool = True) -> dict[str, int]:
    """The points that a wound takes from each characteristic: no more than there are.

    What need not come off `in_order` comes off any of them, as the owner likes.  RULING R38
    """
    fighter = context.state[who]
    if in_order and is_in_order(context.state, fighter):
        return _divide_in_order(context, fighter, points)
    scores, whole = find_scores(fighter), find_whole(fighter)
    best = find_best(scores, whole, min(points, sum(scores)))
    default = dict(zip(ORDER, best, strict=True))
    if not is_asked(context.state, fighter):
        return default
    question = (
        "1 point of damage: where does it go?"
        if points == 1
        else f"{points} points of damage: where do they go?"
    )
    places = partial(_find_places, scores, whole)
    return context.split(who, question, points, places, rule="CE-DMG-09", default=default)


def _find_places(scores: Parts, whole: Parts) -> tuple[Place, ...]:
    """Where points can still go."""
    return tuple(
        Place(key, NAMES[key], score, detail=f"{score} of {full}")
        for key, score, full in zip(ORDER, scores, whole, strict=True)
        if score
    )


def is_asked(state: State, fighter: Combatant) -> bool:
    """RULING R3: players are asked; for opponents the best is taken, unless the GM wants to choose."""
    return fighter.pc or bool(find_option(state, "gm_splits_npc_damage"))


def _divide_in_order(context: RuleContext, fighter: Combatant, points: int) -> dict[str, int]:
    """[CE-DMG-03] Endurance first; [CE-DMG-04] what is left over comes off Strength or Dexterity;
    [CE-DMG-07] what is left over then, off the last."""
    ways = [dict(zip(ORDER, way, strict=True)) for way in find_ordered(find_scores(fighter), points)]
    if len(ways) == 1:
        return ways[0]
    best = find_best_of(find_scores(fighter), find_whole(fighter), points)
    if not is_asked(context.state, fighter):
        return ways[best]
    over = points - find_score(fighter, "end")
    options = tuple(
        Choice(key, NAMES[key], _describe(fighter, way)) for key, way in zip(ORDER[1:], ways, strict=True)
    )
    rest = "does the other point" if over == 1 else f"do the other {over} points"
    question = f"Endurance does not hold all of it: what {rest} come off first?"
    default = ORDER[1:][best]
    chosen = context.ask(fighter.id, question, options, rule="CE-DMG-05", default=default)
    return ways[ORDER[1:].index(chosen)]


def _describe(fighter: Combatant, parts: dict[str, int]) -> str:
    """The characteristics after a wound."""
    return ", ".join(f"{NAMES[key]} {max(0, find_score(fighter, key)) - n}" for key, n in parts.items() if n)


def find_ordered(scores: Parts, points: int) -> list[Parts]:
    """[CE-DMG-05] The ways of a wound that begins with Endurance: by Strength, and by Dexterity.

    RULING R2: the one that is chosen is emptied before the other loses any. One way, if both are the same.
    """
    points = min(points, sum(scores))
    first = min(points, scores[0])
    over = points - first
    by_str = (first, min(over, scores[1]), max(0, over - scores[1]))
    by_dex = (first, max(0, over - scores[2]), min(over, scores[2]))
    return [by_str] if by_str == by_dex else [by_str, by_dex]


@lru_cache(maxsize=8192)
def find_best_of(scores: Parts, whole: Parts, points: int) -> int:
    """Which of the ways in order is the best: 0 or 1."""
    ways = find_ordered(scores, points)
    return min(range(len(ways)), key=lambda n: rank(scores, whole, ways[n]))


@lru_cache(maxsize=8192)
def find_best(scores: Parts, whole: Parts, points: int) -> Parts:
    """RULING R3: of all ways to take so many points the best; always the same one."""
    return min(_find_ways(scores, points), key=lambda way: rank(scores, whole, way))


def _find_ways(scores: Parts, points: int) -> Iterator[Parts]:
    """All ways to take points from three scores."""
    end, strength, dexterity = scores
    for first in range(max(0, points - strength - dexterity), min(end, points) + 1):
        left = points - first
        for second in range(max(0, left - dexterity), min(strength, left) + 1):
            yield (first, second, left - second)


@lru_cache(maxsize=8192)
def find_best_healing(scores: Parts, whole: Parts, points: int) -> Parts:
    """The best way to get points back, by the same order as for losing them."""
    lost = tuple(max(0, full - now) for full, now in zip(whole, scores, strict=True))  # the GM may set more
    ways = _find_ways(lost, min(points, sum(lost)))
    return min(ways, key=lambda way: rank(scores, whole, [-n for n in way]))


def rank(scores: Parts, whole: Parts, way: Sequence[int]) -> tuple[int, ...]:
    """RULING R3: how bad a way is: dead, unconscious, seriously wounded, DMs lost; then what comes off
    Endurance is better than off Strength, and that better than off Dexterity. What a way gives back is
    negative in it."""
    after = tuple(map(sub, scores, way))
    zeros = after.count(0)
    is_serious = all(map(lt, after, whole))
    dms = sum(map(dm_of, scores)) - sum(map(dm_of, after))
    return (zeros == 3, zeros == 2, is_serious, dms, *[-abs(n) for n in way])
