"""Flechettes: from Medium range on, one shot hits everyone around its target."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, replace

from ...body.hits import Hit, Onward
from ...book.options import find_option
from ...book.tables import TARGET
from ...characters.conditions import is_dead
from ...characters.machinery import find_shell
from ...dice.focus import use_aim
from ...dice.rolls import DICE, tell_roll
from ...world.bands import PERSONAL, find_band
from ...world.cover import can_be_struck
from ...world.economy import pay_significant
from ..aim import Sight, Strike, modifiers_for_attack, with_computer
from ..reactions import react
from ..shots import Blow, fire, kill_terms, land_all, simplify

Hits = tuple[tuple[str, int], ...]


class Fan(msgspec.Struct, frozen=True, kw_only=True):
    """A shot that is compared with everyone in its spread, each with their own DMs.

    `kill` is the damage that aiming for the kill adds for the target.
    """

    by: str
    target: str
    weapon: Label
    dice: str
    aims: tuple[tuple[str, Modifiers], ...] = ()
    kill: Modifiers = ()


def find_spread(state: State, combatant: Combatant, target: Combatant) -> tuple[str, ...]:
    """The target of someone's shot, and anyone at Personal range of it within the shot's reach, ally or
    enemy. [CE-SHOT-04]

    Not those behind a wall, or down behind full cover [CE-COVER-04], nor through the body of a closed
    vehicle.
    """
    others = [
        f.id
        for f in state.combatants.values()
        if f.id not in (target.id, combatant.id)
        and not f.gone
        and not is_dead(f)
        and find_shell(state, f) is find_shell(state, target)
        and find_band(state, target, f) == PERSONAL
        and can_be_struck(state, combatant, f)
    ]
    return (target.id, *others)


def describe_spread(state: State, sight: Sight) -> tuple[Label, ...]:
    """The number of those in the spread of a shot; nothing for other shots. [CE-SHOT-04]"""
    if not sight.spreads:
        return ()
    return (say("note.spread", n=len(find_spread(state, sight.combatant, sight.target))),)


def fire_fan(
    context: RuleContext, command: Strike, sight: Sight, more: Iterable[Modifier], dice: str, rounds: int
) -> Then:
    """Fire with one roll for all, each with their own cover, stance and reaction. [CE-SHOT-02] [CE-SHOT-04]

    RULING R20 R77
    """
    state, aims = context.state, []
    people = find_spread(state, sight.combatant, sight.target)
    sights = {who: _look_at(state, command, sight, who) for who in people}
    sums = {who: modifiers_for_attack(state, command, own, *more) for who, own in sights.items()}
    kill = kill_terms(state, sight)
    pay_significant(context, command.actor, "Attack", "CE-ATK-01")
    use_aim(context, command.actor)
    fire(context, sight, rounds)
    for who, terms in sums.items():
        own = sights[who]
        reaction = react(context, who, command.actor, mode=sight.mode, cover=own.cover)
        aims.append((who, with_computer(state, own, terms, reaction)))
    fan = Fan(
        by=command.actor,
        target=command.target,
        weapon=sight.item.name,
        dice=dice,
        aims=tuple(aims),
        kill=kill,
    )
    return Then(swing_fan, fan)


def _look_at(state: State, command: Strike, sight: Sight, who: str) -> Sight:
    """The same shot at someone in the spread; what the GM says about cover applies to the target alone."""
    return sight if who == sight.target.id else replace(sight, target=state[who], cover="")


def swing_fan(context: RuleContext, fan: Fan) -> Then | None:
    """Roll 2D6 once and compare it with everyone in the spread. [CE-SHOT-04]"""
    needs = [TARGET - add_up(terms) for _, terms in fan.aims]
    cuts = tuple(range(max(2, min(needs)), 13)) or (13,)
    why = say("roll.attack", item=fan.weapon, target=fan.target)
    roll = context.roll(DICE, by=fan.by, rule="CE-SHOT-04", why=why, cuts=cuts)
    hits = []
    for who, terms in fan.aims:
        effect = roll.total + add_up(terms) - TARGET
        context.emit(_tell(fan, who, terms, roll), "CE-SHOT-04")
        if effect >= 0:
            hits.append((who, effect))
    return Then(deal_fan, fan, tuple(hits)) if hits else None


def _tell(fan: Fan, who: str, terms: Modifiers, roll: Roll) -> e.Checked:
    words = ("outcome.hit", "outcome.miss")
    return tell_roll(fan.by, "check.attack", roll, terms, target=who, words=words)


def strike_around(context: RuleContext, blow: Blow, effect: int, onward: Onward) -> Then:
    """Hit someone and everyone around them with the same Effect: a fan at nobody in particular.
    [CE-BLIND-04] [CE-SHOT-04]  RULING R18"""
    state = context.state
    people = find_spread(state, state[blow.by], state[blow.target])
    fan = Fan(by=blow.by, target=blow.target, weapon=blow.weapon, dice=blow.dice)
    return Then(deal_fan, fan, tuple((who, effect) for who in people), onward)


def deal_fan(context: RuleContext, fan: Fan, hits: Hits, onward: Onward = ()) -> Then | None:
    """Roll the damage once, 2D6 from Medium range on; each hit adds its own Effect. [CE-SHOT-02]
    RULING R20"""
    apart = find_option(context.state, "flechette_damage") == "apart"
    roll = context.roll(fan.dice, by=fan.by, rule="CE-SHOT-02", why=say("roll.damage", item=fan.weapon))
    now = hits[:1] if apart else hits
    made = tuple(make_hit(context.state, fan, roll, who=who, effect=effect) for who, effect in now)
    rest = (deal_fan, fan, hits[1:], onward) if apart and hits[1:] else onward
    return land_all(context, made, rest)


def make_hit(state: State, fan: Fan, roll: Roll, who: str, effect: int) -> Hit:
    """The hit on one of several, as exact as its consequences need for the odds.

    [CE-MINOR-07] Aiming for the kill adds to the damage of the target of the aim.
    """
    label = say("term.dice", dice=roll.dice)
    kill = fan.kill if who == fan.target else ()
    terms = (Modifier(label, roll.total, "CE-SHOT-02"), *kill)
    hit = Hit(
        target=who,
        by=fan.by,
        dice_total=add_up(terms),
        effect=effect,
        rule="CE-SHOT-02",
        why=fan.weapon,
        roll=roll,
        terms=terms,
    )
    return simplify(state, hit) if roll.source == "odds" else hit
