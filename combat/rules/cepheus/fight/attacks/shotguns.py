"""Flechettes: from Medium range on, one shot hits everyone around its target."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace

from ...body.hits import Hit
from ...book.options import find_option
from ...book.records import Ammunition
from ...book.tables import TARGET, ammo
from ...dice.focus import use_aim
from ...dice.rolls import DICE
from ...people.conditions import is_dead
from ...people.machinery import find_shell
from ...world.bands import PERSONAL, find_band
from ...world.cover import can_be_struck
from ...world.economy import pay_significant
from ...world.sight_lines import look_between
from ..aim import Attack, Sight, find_sight, modifiers_for_attack, with_computer
from ..reactions import react
from ..shots import fire, kill_terms, land_all, simplify
from ..weapons import FLECHETTE, LOAD

SPREADS_AT = ("medium", "long")
Hits = tuple[tuple[str, int], ...]


class Fan(msgspec.Struct, frozen=True, kw_only=True):
    """A shot that is compared with everyone in its spread, each with their own DMs.

    `kill` is the damage that aiming for the kill adds for the first, the target of the aim.
    """

    by: str
    weapon: Label
    dice: str
    aims: tuple[tuple[str, Modifiers], ...]
    kill: Modifiers = ()


def find_shells() -> Ammunition:
    """The record of flechette shells."""
    return next(row for row in ammo().values() if row.kind == FLECHETTE)


def spreads(state: State, sight: Sight) -> bool:
    """Whether a shot spreads: beyond Short range only. [CE-SHOT-01]"""
    if sight.band not in SPREADS_AT or sight.item.marks.get(LOAD) != FLECHETTE:
        return False
    return bool(find_option(state, "use_flechettes"))


def find_spread(state: State, sight: Sight) -> tuple[str, ...]:
    """The target, and anyone at Personal range of it within the shot's reach, ally or enemy. [CE-SHOT-04]

    Not those who are down behind full cover [CE-COVER-04], nor through the body of a closed vehicle.
    """
    others = [
        f.id
        for f in state.combatants.values()
        if f.id not in (sight.target.id, sight.combatant.id)
        and not f.gone
        and not is_dead(f)
        and find_shell(state, f) is find_shell(state, sight.target)
        and find_band(state, sight.target, f) == PERSONAL
        and look_between(state, sight.combatant, f).is_seen
        and can_be_struck(state, sight.combatant, f)
    ]
    return (sight.target.id, *others)


def modifiers_for_fan(state: State, command: Attack, sight: Sight) -> Modifiers:
    """DM +1 for the spread. [CE-SHOT-03]  RULING R77: neighbors of the target are not in the way."""
    points = find_shells().attack_dm_beyond_short
    spread = Modifier("term.flechettes", points, "CE-SHOT-03")
    return modifiers_for_attack(state, command, sight, spread, alone=True)


def fire_fan(context: RuleContext, command: Attack, sight: Sight) -> Then:
    """Fire with one roll for all, each with their own cover, stance and reaction. [CE-SHOT-02] [CE-SHOT-04]

    RULING R20 R77
    """
    state, aims = context.state, []
    sights = {who: _look_at(state, command, sight, who) for who in find_spread(state, sight)}
    sums = {who: modifiers_for_fan(state, command, own) for who, own in sights.items()}
    kill = kill_terms(state, sight)
    pay_significant(context, command.actor, "Attack", "CE-ATK-01")
    use_aim(context, command.actor)
    fire(context, sight, sight.rounds)
    for who, terms in sums.items():
        own = sights[who]
        reaction = react(context, who, command.actor, sight.mode, own.cover)
        aims.append((who, with_computer(state, own, terms, reaction)))
    dice = find_shells().damage_beyond_short
    fan = Fan(by=command.actor, weapon=sight.item.name, dice=dice, aims=tuple(aims), kill=kill)
    return Then(swing_fan, fan)


def _look_at(state: State, command: Attack, sight: Sight, who: str) -> Sight:
    """The same shot at someone in the spread; what the GM says about cover applies to the target alone."""
    if who == sight.target.id:
        return sight
    return replace(find_sight(state, replace(command, target=who, cover="")), band=sight.band)


def swing_fan(context: RuleContext, fan: Fan) -> Then | None:
    """Roll 2D6 once and compare it with everyone in the spread. [CE-SHOT-04]"""
    needs = [TARGET - add_up(terms) for _, terms in fan.aims]
    cuts = tuple(range(max(2, min(needs)), 13)) or (13,)
    why = say("roll.attack", item=fan.weapon, target=fan.aims[0][0])
    roll = context.roll(DICE, by=fan.by, rule="CE-SHOT-04", why=why, cuts=cuts)
    hits = []
    for who, terms in fan.aims:
        effect = roll.total + add_up(terms) - TARGET
        context.emit(_tell(fan, who, terms, roll), "CE-SHOT-04")
        if effect >= 0:
            hits.append((who, effect))
    return Then(deal_fan, fan, tuple(hits)) if hits else None


def _tell(fan: Fan, who: str, terms: Modifiers, roll: Roll) -> e.Checked:
    total = roll.total + add_up(terms)
    good = total >= TARGET
    outcome = "outcome.hit" if good else "outcome.miss"
    return e.Checked(
        fan.by, "check.attack", roll, terms, total, outcome, TARGET, (), "against.eight", who, good
    )


def deal_fan(context: RuleContext, fan: Fan, hits: Hits) -> Then | None:
    """Roll the damage once, 2D6 from Medium range on; each hit adds its own Effect. [CE-SHOT-02]
    RULING R20"""
    apart = find_option(context.state, "flechette_damage") == "apart"
    roll = context.roll(fan.dice, by=fan.by, rule="CE-SHOT-02", why=say("roll.damage", item=fan.weapon))
    now = hits[:1] if apart else hits
    made = tuple(make_hit(context.state, fan, roll, who, effect) for who, effect in now)
    rest = (deal_fan, fan, hits[1:]) if apart and hits[1:] else ()
    return land_all(context, made, rest)


def make_hit(state: State, fan: Fan, roll: Roll, who: str, effect: int) -> Hit:
    """The hit on one of several, as exact as its consequences need for the odds.

    [CE-MINOR-07] Aiming for the kill adds to the damage of the target of the aim.
    """
    label = say("term.dice", dice=roll.dice)
    kill = fan.kill if who == fan.aims[0][0] else ()
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
