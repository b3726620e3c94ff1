"""Points that return to characteristics: divided by choice, or evenly."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.splits import Place
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant

from ..book.tables import MENTAL
from ..characters.conditions import is_dead
from ..characters.values import count_lost, find_full, find_score, is_seriously_wounded
from ..dice.focus import be_hit
from .allocation import NAMES, ORDER, find_best_healing, find_scores, find_whole, is_asked
from .hits import Onward, chain
from .states import follow_mind, follow_wounds

Parts = dict[str, int]


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


def _divide(context: RuleContext, combatant: Combatant, points: int) -> Parts:
    """Divide the points among all damaged characteristics, as the player chooses; suggest the best way.
    [CE-INJ-08]"""
    scores = find_scores(combatant)
    best = dict(zip(ORDER, find_best_healing(scores, find_whole(combatant), points), strict=True))
    room = {key: count_lost(combatant, key) for key in ORDER if count_lost(combatant, key)}
    return _ask(context, combatant, sum(best.values()), room=room, best=best, rule="CE-INJ-08")


def _divide_evenly(context: RuleContext, combatant: Combatant, points: int) -> Parts:
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
    context: RuleContext, combatant: Combatant, points: int, room: Mapping[str, int], best: Parts, rule: str
) -> Parts:
    """The player's choice, if there is more than one way."""
    if not is_asked(context.state, combatant):
        return best
    places = tuple(
        Place(key, NAMES[key], n, detail=f"{find_score(combatant, key)} of {find_full(combatant, key)}")
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
