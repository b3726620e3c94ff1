"""Shots into combat that miss and may hit a neighbor of the target."""

from __future__ import annotations

from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import Apart, RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace
from combat.rules.core.turn.turns import is_shared

from ...body.hits import Onward, chain
from ...book.options import find_option
from ...characters.conditions import is_busy
from ...characters.values import is_person
from ...world.bands import find_meters
from ...world.cover import can_be_struck
from ..aim import Sight
from ..explosives.blasts import is_free
from ..neighbours import find_neighbours
from ..shots import Blow, deal

FROM = 4  # on 1D6
SAME = 0.01  # meters that count as equal


def find_strays(state: State, sight: Sight) -> tuple[str, ...]:
    """Those a miss may hit: the nearest other combatant next to the target; several if they are equally near.
    [CE-INTO-02] Not those behind a wall or down behind full cover.  RULING R34"""
    if sight.mode == "melee" or not find_option(state, "use_firing_into_combat"):
        return ()
    beside = find_neighbours(state, sight.target.id, but=sight.combatant.id)
    if not beside:
        return ()
    near = [other for other in beside if can_be_struck(state, sight.combatant, other)]
    if len(near) < 2:
        return tuple(other.id for other in near)
    least = find_meters(state, sight.target, near[0])
    return tuple(o.id for o in near if find_meters(state, sight.target, o) <= least + SAME)


def stray(
    context: RuleContext, blow: Blow, strays: tuple[str, ...], onward: Onward = (), missed: Onward = ()
) -> Then | None:
    """After a miss, hit the nearest neighbor of the target on 4 or more on 1D6 [CE-INTO-02]; with Effect 0,
    no reaction, and no damage from aiming for the kill. [CE-INTO-03]  RULING R34

    `missed` follows if no one is hit.
    """
    following = Then(*missed, onward) if missed else chain(None, onward)
    if not strays:
        return following
    why = say("roll.stray", target=blow.target)
    roll = context.roll("1d6", by=blow.by, rule="CE-INTO-02", why=why, cuts=(FROM,))
    if roll.total < FROM:
        context.emit(e.Said("log.stray_misses", blow.by), "CE-INTO-02")
        return following
    victim = pick_one(context, blow.by, strays, "CE-INTO-02")
    context.emit(e.Said("log.stray_hits", blow.by, victim), "CE-INTO-03")
    struck = replace(blow, target=victim, kill=(), rule="CE-INTO-03")
    return Then(deal, struck, 0, onward, apart=None if onward else part(context.state, struck))


def part(state: State, blow: Blow) -> Apart | None:
    """The separate odds of a stray shot at one of a crowd; None if its result also concerns others."""
    victim = state[blow.target]
    works = is_busy(victim)
    if is_shared(state) or works or not is_person(victim) or not is_free(state, victim):
        return None
    return Apart({victim.id: Then(deal, blow, 0, ())}, None)


def pick_one(context: RuleContext, who: str, people: tuple[str, ...], rule: str) -> str:
    """One of several, each with the same chance."""
    if len(people) == 1:
        return people[0]
    roll = context.roll(f"1d{len(people)}", by=who, rule=rule, why="roll.who_is_hit")
    return people[roll.total - 1]
