"""The points of characteristics: those a wound takes, and those that return, divided by choice or evenly.

Scores are always in the order Endurance, Strength, Dexterity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import lt, sub

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import AllocationSlot, Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, is_played

from ..book.options import find_option
from ..book.tables import MENTAL, dm_of
from ..characters.conditions import is_dead
from ..characters.values import count_lost, find_full, find_score, is_out, is_seriously_wounded, is_wounded
from ..dice import be_hit
from .hits import Onward, chain
from .states import follow_mind, follow_wounds

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


def _find_places(scores: Parts, whole: Parts) -> tuple[AllocationSlot, ...]:
    """The characteristics that can still lose points."""
    return tuple(
        AllocationSlot(key, NAMES[key], score, detail=f"{score} of {full}")
        for key, score, full in zip(ORDER, scores, whole, strict=True)
        if score
    )


def is_asked(state: State, combatant: Combatant) -> bool:
    """RULING R3: whether the player is asked; opponents take the best way unless the GM wants to choose."""
    return is_played(state, combatant) or bool(find_option(state, "gm_splits_npc_damage"))


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


def find_most(state: State, combatant: Combatant, points: int) -> int:
    """The least of these points that puts someone out of the fight; all of them if none does.

    0 for those who are out already. Where the GM divides the damage, nobody knows before.
    """
    scores, whole, in_order = find_scores(combatant), find_whole(combatant), is_in_order(state, combatant)
    if scores.count(0) > 1 or is_out(combatant):
        return 0
    if is_asked(state, combatant):
        return points
    for n in range(1, points):
        way = find_best(scores, whole, n)
        if in_order:
            ways = find_ordered(scores, n)
            way = ways[better_order(scores, whole, n)]
        if tuple(map(sub, scores, way)).count(0) > 1:
            return n
    return points


def find_best_healing(scores: Parts, whole: Parts, points: int) -> Parts:
    """The best way to get points back, by the same order as for losing them."""
    lost = tuple(max(0, full - now) for full, now in zip(whole, scores, strict=True))  # the GM may set more
    paths = _find_ways(lost, min(points, sum(lost)))
    return min(paths, key=lambda way: rank(scores, whole, [-n for n in way]))


def rank(scores: Parts, whole: Parts, way: Sequence[int]) -> tuple[int, ...]:
    """RULING R3: how bad a way is, for sorting: dead, unconscious, seriously wounded, DMs left; after that,
    losing Endurance is better than Strength, and Strength better than Dexterity. Points given back count as
    negative."""
    after = tuple(map(sub, scores, way))
    zeros = after.count(0)
    is_serious = all(map(lt, after, whole))
    return (zeros == 3, zeros == 2, is_serious, -sum(map(dm_of, after)), *[-abs(n) for n in way])


# Points that return to characteristics: divided by choice, or evenly.


Points = dict[str, int]


class Aided(msgspec.Struct, frozen=True, tag=True):
    """First aid that was given: the Effect of the check, and its multiplier."""

    target: str
    effect: int
    times: int


def take_aid(context: RuleContext, aided: Aided, onward: Onward = ()) -> Then | None:
    """First aid gives back a multiple of its Effect, below 0 nothing: at once, or at the end of a shared
    count. [CE-MED-03]  [CE-ROUND-05] [CE-MED-07]  RULING R33"""
    source = "CE-MED-02" if aided.times > 1 else "CE-MED-05"
    restore(
        context,
        aided.target,
        aided.effect,
        times=aided.times,
        why="why.first_aid",
        rule="CE-MED-03",
        source=source,
    )
    if is_seriously_wounded(context.state[aided.target]):
        context.emit(e.Said("log.needs_surgery", aided.target), "CE-MED-07")
    return chain(None, onward)


def restore(
    context: RuleContext, who: str, effect: int, times: int, why: Label, rule: str, source: str
) -> None:
    """Give back a multiple of the Effect of a check, by the rule `source`; below 0 nothing."""
    terms = tuple(Modifier("term.effect_of_check", effect, source) for _ in range(times))
    heal(context, who, max(0, times * effect), why=why, rule=rule, terms=terms)


def heal(
    context: RuleContext,
    who: str,
    points: int,
    why: Label,
    rule: str,
    *,
    terms: Modifiers = (),
    roll: Roll | None = None,
    evenly: bool = False,
) -> int:
    """Give points back to the physical characteristics; returns how many they had room for.

    [CE-INJ-07] [CE-INJ-08] [CE-MED-03] The player chooses where. [CE-MED-15] Or `evenly`.
    """
    combatant = context.state[who]
    if is_dead(combatant) or points <= 0:
        return 0
    parts = _divide_evenly(context, combatant, points) if evenly else _divide(context, combatant, points)
    for key in ORDER:
        if parts.get(key):
            old = find_score(combatant, key)
            told = e.TrackChanged(who, key, old, new=old + parts[key], why=why, terms=terms, roll=roll)
            context.emit(told, rule)
            terms, roll = (), None
    if any(parts.values()):
        follow_wounds(context, who, hurt=False)
    return sum(parts.values())


def _divide(context: RuleContext, combatant: Combatant, points: int) -> Points:
    """Divide the points among all damaged characteristics, as the player chooses; suggest the best way.
    [CE-INJ-08]"""
    scores = find_scores(combatant)
    best = dict(zip(ORDER, find_best_healing(scores, find_whole(combatant), points), strict=True))
    room = {key: count_lost(combatant, key) for key in ORDER if count_lost(combatant, key)}
    return _ask(context, combatant, sum(best.values()), room=room, best=best, rule="CE-INJ-08")


def _divide_evenly(context: RuleContext, combatant: Combatant, points: int) -> Points:
    """Divide the points equally among the damaged characteristics; the rest goes one each by choice.
    [CE-MED-15]  RULING R39

    Points beyond a characteristic's room go to the others.
    """
    room = {key: count_lost(combatant, key) for key in ORDER if count_lost(combatant, key)}
    parts = dict.fromkeys(room, 0)
    left = min(points, sum(room.values()))
    while (open_ones := [key for key in room if parts[key] < room[key]]) and left >= len(open_ones):
        for key in open_ones:
            parts[key] += 1
            left -= 1
    if not left:
        return parts
    rest = {key: 1 for key in room if parts[key] < room[key]}
    likely = dict.fromkeys(list(rest)[:left], 1)
    more = _ask(context, combatant, left, room=rest, best=likely, rule="CE-MED-15")
    return {key: n + more.get(key, 0) for key, n in parts.items()}


def _ask(
    context: RuleContext, combatant: Combatant, points: int, room: Mapping[str, int], best: Points, rule: str
) -> Points:
    """The player's choice, if there is more than one way."""
    if not is_asked(context.state, combatant):
        return best
    places = tuple(
        AllocationSlot(
            key, NAMES[key], n, detail=f"{find_score(combatant, key)} of {find_full(combatant, key)}"
        )
        for key, n in room.items()
    )
    question = (
        "1 point comes back: where does it go?"
        if points == 1
        else f"{points} points come back: where do they go?"
    )
    default = {key: n for key, n in best.items() if n}
    return context.split(combatant.id, question, points, places, rule=rule, default=default)


# ---------------------------------------------------------------- the mind


def lose_mind(
    context: RuleContext, who: str, key: str, points: int, why: Label, roll: Roll | None = None
) -> int:
    """Take points off Intelligence or Education; returns how many. [CE-MENT-01]

    Aim for the kill ends, as by any damage. [CE-MINOR-09]
    """
    be_hit(context, who)
    old = find_score(context.state[who], key)
    lost = min(max(0, points), old)
    context.emit(e.TrackChanged(who, key, old, new=old - lost, why=why, terms=(), roll=roll), "CE-MENT-01")
    follow_mind(context, who)
    return lost


def heal_mind(context: RuleContext, who: str) -> None:
    """Heal Intelligence and Education by a point each for a day. [CE-MENT-03]"""
    combatant = context.state[who]
    if is_dead(combatant):
        return
    for key in MENTAL:
        if count_lost(combatant, key):
            old = find_score(combatant, key)
            context.emit(e.TrackChanged(who, key, old, new=old + 1, why="why.mind_heals"), "CE-MENT-03")
    follow_mind(context, who)
