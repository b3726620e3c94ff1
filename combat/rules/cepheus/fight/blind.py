"""Blind firing: at where somebody may be, and at whoever stands in the line of fire."""

from __future__ import annotations

import math

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Preview, adjusted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, replace

from ..body.hits import Onward, chain
from ..book.options import find_option
from ..book.tables import BANDS, EXTREME, TARGET
from ..dice.focus import use_aim
from ..dice.rolls import characteristic_terms, hindrances
from ..people.values import find_skill
from ..world.bands import find_band
from ..world.economy import pay_significant
from .aim import Attack, Sight, burst_terms, range_rows, range_terms, recoil_terms, strength_terms
from .checks import check_attack
from .launch import is_explosive
from .shots import Blow, burst_damage, deal, fire, make_blow
from .strays import pick_one

BLIND_DICE = "3d6"
KEPT = 2  # dice; the highest goes
BESIDE_M = 3.0  # of the line of fire


class BlindFire(Attack, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[CE-BLIND-01] Fire towards somebody without seeing them, single or in bursts."""


class BlindShot(msgspec.Struct, frozen=True, kw_only=True):
    """A blind attack that only has to be rolled; `line` are those who may be hit."""

    terms: Modifiers
    blow: Blow
    line: tuple[str, ...]


def check_blind(state: State, command: BlindFire) -> Sight:
    """Refuse what cannot be fired blindly."""
    if not find_option(state, "use_blind_fire"):
        raise Refused("not_allowed", "This table plays without blind firing: attack instead.")
    sight = check_attack(state, command, covered=False)
    if sight.mode != "ranged":
        raise Refused("bad_value", f"{sight.item.name} does not fire: choose a gun.")
    if is_explosive(sight):
        raise Refused("bad_value", f"{sight.item.name} goes off where it comes down: attack with it instead.")
    if sight.band == EXTREME:
        raise Refused("out_of_range", "Nobody fires blindly at extreme range: move closer.")
    return sight


def modifiers_for_blind(state: State, command: BlindFire, sight: Sight) -> Modifiers:
    """[CE-BLIND-02] Level 0 at most, the untrained stay so; range, recoil and burst; no aim, and nothing
    of the target, who is not known yet.  RULING R18"""
    level = min(0, find_skill(sight.fighter, sight.skill))
    terms = (
        Modifier("term.blind_skill", level, "CE-BLIND-02"),
        *characteristic_terms(sight.fighter, "dex"),
        *hindrances(state, sight.fighter, sight.skill),
        *range_terms(state, sight),
        *recoil_terms(state, sight),
        *strength_terms(sight),
        *burst_terms(sight, command.burst),
    )
    return without_zeros(adjusted(command, terms, "CE-BLIND-01"))


def find_line(state: State, sight: Sight) -> tuple[str, ...]:
    """[CE-BLIND-05] Friend and foe within 3 m of the line of fire and inside the weapon's range.

    RULING R18
    """
    reach = range_rows(state)[sight.row]
    farthest = max((band for band in reach), key=BANDS.index)
    found = []
    for other in state.combatants.values():
        if other.id == sight.fighter.id or other.gone or other.inside or has_condition(other, "dead"):
            continue
        band = find_band(state, sight.fighter, other)
        if band in BANDS and BANDS.index(band) > BANDS.index(farthest):
            continue
        if other.id == sight.target.id or _is_beside(sight.fighter, sight.target, other):
            found.append(other.id)
    return tuple(found)


def _is_beside(fighter: Combatant, target: Combatant, other: Combatant) -> bool:
    """Whether somebody is within 3 m of the ray from a fighter through where a target is."""
    along, off = _measure(fighter.at, target.at, other.at)
    return along > 0 and off <= BESIDE_M


def _measure(start: Point, through: Point, at: Point) -> tuple[float, float]:
    """How far along a ray a place is, and how far off it, in metres."""
    way_x, way_y = through.x - start.x, through.y - start.y
    length = math.hypot(way_x, way_y)
    x, y = at.x - start.x, at.y - start.y
    if not length:
        return math.hypot(x, y), 0.0
    return (x * way_x + y * way_y) / length, abs(x * way_y - y * way_x) / length


def fire_blind(context: RuleContext, command: BlindFire) -> Then:
    """[CE-BLIND-01] Like any other fire, but without skill and with the best die gone."""
    state = context.state
    sight = check_blind(state, command)
    terms, line = modifiers_for_blind(state, command, sight), find_line(state, sight)
    use_aim(context, command.actor)
    blow = make_blow(context.state, sight, burst_damage(sight, command.burst))
    pay_significant(context, command.actor, "Blind fire", "CE-ATK-01")
    fire(context, sight, sight.rounds)
    return Then(swing_blind, BlindShot(terms=terms, blow=blow, line=line))


def swing_blind(context: RuleContext, shot: BlindShot, onward: Onward = ()) -> Then | None:
    """[CE-BLIND-03] Three dice, of which the highest does not count; [CE-BLIND-04] a hit strikes one of
    those in the line of fire by chance."""
    blow = shot.blow
    why = say("roll.attack", item=blow.weapon, target=blow.target)
    roll = context.roll(BLIND_DICE, by=blow.by, rule="CE-BLIND-03", why=why, look="set")
    roll = msgspec.structs.replace(roll, total=sum(sorted(roll.faces)[:KEPT]))
    total = roll.total + add_up(shot.terms)
    good = total >= TARGET
    outcome = "outcome.hit" if good else "outcome.miss"
    told = e.Checked(
        blow.by, "check.blind", roll, shot.terms, total, outcome, TARGET, (), "against.eight", "", good
    )
    context.emit(told, "CE-BLIND-03")
    if not good:
        return chain(None, onward)
    return Then(find_victim, blow, shot.line, total - TARGET if blow.adds_effect else 0, onward)


def find_victim(context: RuleContext, blow: Blow, line: tuple[str, ...], effect: int, onward: Onward) -> Then:
    """[CE-BLIND-04] [CE-BLIND-05] One of those in the line, friend or foe, each with the same chance."""
    victim = pick_one(context, blow.by, line, "CE-BLIND-04")
    context.emit(e.Said("log.hit_blindly", blow.by, victim), "CE-BLIND-04")
    return Then(deal, replace(blow, target=victim), effect, onward)


def preview(state: State, command: BlindFire) -> Preview:
    """The sums of the form."""
    sight = check_blind(state, command)
    notes = (
        say("note.damage", dice=burst_damage(sight, command.burst)),
        say("note.in_line", n=len(find_line(state, sight))),
    )
    return Preview(modifiers_for_blind(state, command, sight), (), "against.eight", BLIND_DICE, notes)
