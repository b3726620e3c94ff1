"""The characteristics a wound is taken from: the allowed ways and the best one.

Scores are always in the order Endurance, Strength, Dexterity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import lt, sub

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.dice.splits import Place
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from ..book.tables import dm_of
from ..characters.values import find_full, find_score, is_wounded

ORDER = ("end", "str", "dex")  # RULING R3: the preference among equal ways
NAMES = {"end": "Endurance", "str": "Strength", "dex": "Dexterity"}
Parts = tuple[int, ...]


def find_scores(combatant: Combatant) -> Parts:
    """The current scores of the physical characteristics."""
    return tuple(max(0, find_score(combatant, key)) for key in ORDER)


def find_whole(combatant: Combatant) -> Parts:
    """The undamaged scores of the physical characteristics."""
    return tuple(find_full(combatant, key) for key in ORDER)


def is_in_order(state: State, combatant: Combatant) -> bool:
    """Whether a wound has to begin with Endurance. [CE-DMG-03] [CE-DMG-09]

    RULING R2: only without physical damage so far; always, if the table says so.
    """
    return find_option(state, "damage_order") == "endurance_first" or not is_wounded(combatant)


def divide(context: RuleContext, who: str, points: int, in_order: bool = True) -> dict[str, int]:
    """The points that a wound takes from each characteristic, at most what it has.

    Unless it has to go `in_order`, the owner chooses freely.  RULING R38
    """
    combatant = context.state[who]
    if in_order and is_in_order(context.state, combatant):
        return _divide_in_order(context, combatant, points)
    scores, whole = find_scores(combatant), find_whole(combatant)
    best = find_best(scores, whole, min(points, sum(scores)))
    default = dict(zip(ORDER, best, strict=True))
    if not is_asked(context.state, combatant):
        return default
    question = (
        "1 point of damage: where does it go?"
        if points == 1
        else f"{points} points of damage: where do they go?"
    )
    places = partial(_find_places, scores, whole)
    return context.split(who, question, points, places, rule="CE-DMG-09", default=default)


def _find_places(scores: Parts, whole: Parts) -> tuple[Place, ...]:
    """The characteristics that can still lose points."""
    return tuple(
        Place(key, NAMES[key], score, detail=f"{score} of {full}")
        for key, score, full in zip(ORDER, scores, whole, strict=True)
        if score
    )


def is_asked(state: State, combatant: Combatant) -> bool:
    """RULING R3: whether the player is asked; opponents take the best way unless the GM wants to choose."""
    return combatant.pc or bool(find_option(state, "gm_splits_npc_damage"))


def _divide_in_order(context: RuleContext, combatant: Combatant, points: int) -> dict[str, int]:
    """Endurance first [CE-DMG-03]; the rest comes off Strength or Dexterity [CE-DMG-04]; then off the last.
    [CE-DMG-07]"""
    paths = [dict(zip(ORDER, way, strict=True)) for way in find_ordered(find_scores(combatant), points)]
    if len(paths) == 1:
        return paths[0]
    best = better_order(find_scores(combatant), find_whole(combatant), points)
    if not is_asked(context.state, combatant):
        return paths[best]
    over = points - find_score(combatant, "end")
    options = tuple(
        Choice(key, NAMES[key], _describe(combatant, way)) for key, way in zip(ORDER[1:], paths, strict=True)
    )
    question = f"{over} {'point' if over == 1 else 'points'} left: Strength or Dexterity?"
    default = ORDER[1:][best]
    chosen = context.ask(combatant.id, question, options, rule="CE-DMG-05", default=default)
    return paths[ORDER[1:].index(chosen)]


def _describe(combatant: Combatant, parts: dict[str, int]) -> str:
    """The characteristics after a wound."""
    return ", ".join(
        f"{NAMES[key]} {max(0, find_score(combatant, key)) - n}" for key, n in parts.items() if n
    )


def find_ordered(scores: Parts, points: int) -> list[Parts]:
    """The two ways of a wound that begins with Endurance: Strength next, or Dexterity. [CE-DMG-05]

    RULING R2: the chosen one is emptied before the other loses any. A single way if both are the same.
    """
    points = min(points, sum(scores))
    first = min(points, scores[0])
    over = points - first
    by_str = (first, min(over, scores[1]), max(0, over - scores[1]))
    by_dex = (first, max(0, over - scores[2]), min(over, scores[2]))
    return [by_str] if by_str == by_dex else [by_str, by_dex]


def better_order(scores: Parts, whole: Parts, points: int) -> int:
    """The index of the better of the two ways in order: 0 or 1."""
    paths = find_ordered(scores, points)
    return min(range(len(paths)), key=lambda n: rank(scores, whole, paths[n]))


def find_best(scores: Parts, whole: Parts, points: int) -> Parts:
    """RULING R3: the best of all ways to take n points; always the same one for equal input."""
    return min(_find_ways(scores, points), key=lambda way: rank(scores, whole, way))


def _find_ways(scores: Parts, points: int) -> Iterator[Parts]:
    """All ways to take points from three scores."""
    end, strength, dexterity = scores
    for first in range(max(0, points - strength - dexterity), min(end, points) + 1):
        left = points - first
        for second in range(max(0, left - dexterity), min(strength, left) + 1):
            yield (first, second, left - second)


def find_best_healing(scores: Parts, whole: Parts, points: int) -> Parts:
    """The best way to get points back, by the same order as for losing them."""
    lost = tuple(max(0, full - now) for full, now in zip(whole, scores, strict=True))  # the GM may set more
    paths = _find_ways(lost, min(points, sum(lost)))
    return min(paths, key=lambda way: rank(scores, whole, [-n for n in way]))


def rank(scores: Parts, whole: Parts, way: Sequence[int]) -> tuple[int, ...]:
    """RULING R3: how bad a way is, for sorting: dead, unconscious, seriously wounded, DMs lost; after that,
    losing Endurance is better than Strength, and Strength better than Dexterity. Points given back count as
    negative."""
    after = tuple(map(sub, scores, way))
    zeros = after.count(0)
    is_serious = all(map(lt, after, whole))
    dms = sum(map(dm_of, scores)) - sum(map(dm_of, after))
    return (zeros == 3, zeros == 2, is_serious, dms, *[-abs(n) for n in way])
