"""Blind fire: at where someone may be, and at anyone in the line of fire."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, Preview, adjusted, as_command, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, Reach, distance, map_of
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.space.rays.sight import stop_flight
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, replace

from ...body.hits import Onward, chain
from ...book.options import find_option
from ...book.tables import BANDS, EXTREME
from ...characters.conditions import is_dead
from ...characters.goods import is_gun
from ...characters.machinery import find_shell
from ...dice import BLIND_DICE, roll_blind, use_aim
from ...world.acting import act
from ...world.bands import EDGE, find_band
from ...world.cover import can_be_struck
from ...world.economy import check_significant, pay_significant
from ...world.order import offer_interrupt
from ...world.sight_lines import find_grid
from ..aim import (
    BLIND,
    Attack,
    Sight,
    burst_terms,
    find_skill_terms,
    find_terms,
    with_computer,
)
from ..checks import BURST, check_attack, check_usable, find_arms, gun_obstacle, rounds_field, strike_fields
from ..explosives.lobs import (
    SPOT,
    Flight,
    Lob,
    can_lob,
    describe_blast,
    find_rings_around,
    find_squares,
    is_explosive,
    let_fly,
    make_flight,
    name_caught,
    place_field,
    put_spot,
)
from ..shots import Blow, burst_damage, deal, fire, make_blow
from ..weapons import describe_arm
from .attack import pick_one, strike_around

BESIDE_M = 3.0  # meters from the line of fire


class BlindFire(Attack, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fire towards someone without seeing them, single or in bursts. [CE-BLIND-01]"""


class BlindLob(Lob, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fire towards a place, or throw a grenade there, without seeing it. [CE-BLIND-01]"""

    burst: Literal["", "spray", "grouped"] = ""


class BlindShot(msgspec.Struct, frozen=True, kw_only=True):
    """A blind attack that is ready to roll; `line` are those who may be hit."""

    terms: Modifiers
    blow: Blow
    line: tuple[str, ...]


def check_blind(state: State, command: BlindFire) -> Sight:
    """Refuse a weapon that cannot be fired blindly at someone."""
    sight = _check_blind(state, command)
    if is_explosive(sight):
        why = f"{sight.item.name} goes off where it comes down: use Blind fire at a place."
        raise Refused("bad_value", why)
    return sight


def _check_blind(state: State, command: BlindFire) -> Sight:
    if not find_option(state, "use_blind_fire"):
        raise Refused("not_allowed", "This table plays without blind firing: attack instead.")
    sight = check_attack(state, command, covered=False)
    if sight.mode != "ranged" and not is_explosive(sight):
        raise Refused("bad_value", f"{sight.item.name} does not fire: choose a gun.")
    if sight.band == EXTREME:
        raise Refused("out_of_range", "Nobody fires blindly at extreme range: move closer.")
    return sight


def modifiers_for_blind(state: State, command: BlindFire, sight: Sight) -> Modifiers:
    """The DMs of a blind shot: skill 0 at most (the untrained stay untrained), every other DM of a shot, but
    no aim and no DM of the target, who is not known yet. [CE-BLIND-02]

    Without Zero-G skill everyone is untrained in zero gravity. [CE-ZG-02]  RULING R18
    """
    level = min(0, add_up(find_skill_terms(state, sight)))
    near, far = find_terms(state, sight, BLIND)
    skill = Modifier("term.blind_skill", level, "CE-BLIND-02")
    terms = (skill, *near, *far, *burst_terms(sight, command.burst))
    return without_zeros(with_computer(state, sight, adjusted(command, terms, "CE-BLIND-01")))


def find_line(state: State, sight: Sight) -> tuple[str, ...]:
    """Allies and enemies within 3 m of the line of fire and inside the weapon's range. [CE-BLIND-05]

    Not those behind a wall, or down behind full cover. [CE-COVER-01] [CE-COVER-04]  RULING R18
    """
    reach = sight.rows[sight.row]
    farthest = max((band for band in reach), key=BANDS.index)
    own = (sight.combatant.id, sight.combatant.inside)
    found = []
    for other in state.combatants.values():
        if other.id in own or not _can_be_hit(state, sight.combatant, other):
            continue
        band = find_band(state, sight.combatant, other)
        if band in BANDS and BANDS.index(band) > BANDS.index(farthest):
            continue
        if other.id == sight.target.id or _is_beside(sight.combatant, sight.target, other):
            found.append(other.id)
    return tuple(found)


def _can_be_hit(state: State, combatant: Combatant, other: Combatant) -> bool:
    shell = find_shell(state, other)
    if other.gone or is_dead(other) or (shell and shell is not find_shell(state, combatant)):
        return False
    return can_be_struck(state, combatant, other)


def _is_beside(combatant: Combatant, target: Combatant, other: Combatant) -> bool:
    """Whether someone is within 3 m of the ray from a combatant through the place of a target."""
    along, off = _measure(combatant.at, target.at, other.at)
    return along > 0 and off <= BESIDE_M + EDGE


def _measure(start: Point, through: Point, at: Point) -> tuple[float, float]:
    """The distance of a place along a ray and its distance from the ray, in meters.

    A shot at one's own place goes nowhere: everyone counts by the distance from there.
    """
    length, away = distance(start, through), distance(start, at)
    if not length:
        return 1.0, away
    flat = (through.x - start.x) * (at.x - start.x) + (through.y - start.y) * (at.y - start.y)
    along = (flat + (through.z - start.z) * (at.z - start.z)) / length
    share = along / length
    foot = Point(
        start.x + share * (through.x - start.x),
        start.y + share * (through.y - start.y),
        start.z + share * (through.z - start.z),
    )
    return along, distance(foot, at)


def fire_blind(context: RuleContext, command: BlindFire) -> Then | None:
    """Fire as usual, but without skill and without the best die. [CE-BLIND-01]"""
    state = context.state
    sight = check_blind(state, command)
    if offer_interrupt(context, command.actor):
        return None
    terms, line = modifiers_for_blind(state, command, sight), find_line(state, sight)
    blow = make_blow(state, msgspec.structs.replace(sight, aimed=False), burst_damage(sight, command.burst))
    return _pull(context, sight, BlindShot(terms=terms, blow=blow, line=line))


def _pull(context: RuleContext, sight: Sight, shot: BlindShot) -> Then:
    """Pay for the shots, and go on to the roll."""
    use_aim(context, sight.combatant.id)
    pay_significant(context, sight.combatant.id, "Blind fire", "CE-ATK-01")
    fire(context, sight, sight.rounds)
    return Then(swing_blind, shot)


def swing_blind(context: RuleContext, shot: BlindShot, onward: Onward = ()) -> Then | None:
    """Roll three dice and drop the highest [CE-BLIND-03]; a hit strikes a random person in the line of fire,
    if there is any. [CE-BLIND-04]"""
    blow = shot.blow
    why = say("roll.attack", item=blow.weapon, target=blow.target)
    if not blow.target:
        why = say("roll.lob", item=blow.weapon)
    effect = roll_blind(context, blow.by, shot.terms, target=blow.target, why=why)
    if effect < 0:
        return chain(None, onward)
    if not shot.line:
        context.emit(e.Said("log.nobody_in_line", blow.by), "CE-BLIND-04")
        return chain(None, onward)
    return Then(roll_victim, blow, shot.line, effect, onward)


def roll_victim(context: RuleContext, blow: Blow, line: tuple[str, ...], effect: int, onward: Onward) -> Then:
    """One of those in the line, ally or enemy, each with the same chance. [CE-BLIND-04] [CE-BLIND-05]"""
    victim = pick_one(context, blow.by, line, "CE-BLIND-04")
    context.emit(e.Said("log.hit_blindly", blow.by, victim), "CE-BLIND-04")
    struck = replace(blow, target=victim)
    return (
        strike_around(context, struck, effect, onward) if blow.spreads else Then(deal, struck, effect, onward)
    )


def preview(state: State, command: BlindFire) -> Preview:
    """The sums of the form."""
    sight = check_blind(state, command)
    notes = (
        say("note.damage", dice=burst_damage(sight, command.burst)),
        say("note.in_line", n=len(find_line(state, sight))),
    )
    return Preview(
        modifiers_for_blind(state, command, sight), (), "against.eight", dice=BLIND_DICE, notes=notes
    )


# ---------------------------------------------------------------- at a place


def fire_at(command: BlindLob) -> BlindFire:
    """The attack on the stand-in for the place."""
    return as_command(BlindFire, command, target=SPOT)


def check_blind_lob(state: State, command: BlindLob) -> Sight:
    """Refuse a weapon that cannot be fired or thrown blindly at a place. [CE-BLIND-01]"""
    return _check_blind(put_spot(state, command.actor, command.to), fire_at(command))


def find_blind_terms(state: State, command: BlindLob, sight: Sight) -> Modifiers:
    """The DMs of a blind shot or throw at a place."""
    return modifiers_for_blind(put_spot(state, command.actor, command.to), fire_at(command), sight)


def lob_blind(context: RuleContext, command: BlindLob) -> Then | None:
    """Spend a significant action: shots along the line through a place, or an explosive that lands there, or
    at a wall in its way. [CE-BLIND-01]

    [CE-THROW-02] [CE-EXPL-01]  RULING R18 R93
    """
    state = context.state
    sight = check_blind_lob(state, command)
    if offer_interrupt(context, command.actor):
        return None
    terms = find_blind_terms(state, command, sight)
    if is_explosive(sight):
        return let_fly(context, make_blind_flight(state, command, sight, terms), sight)
    blow = make_blow(state, sight, burst_damage(sight, command.burst))
    line = find_line(state, sight)
    return _pull(context, sight, BlindShot(terms=terms, blow=replace(blow, target=""), line=line))


def make_blind_flight(state: State, command: BlindLob, sight: Sight, terms: Modifiers) -> Flight:
    """An explosive on its way to an unseen place: no farther than the next wall of full cover."""
    flight = make_flight(state, fire_at(command), sight, terms)
    stop = stop_flight(map_of(state.scene), find_grid(state), flight.start, flight.aimed_at)
    return replace(flight, target="", aimed_at=stop, is_blind=True)


def find_blind_victims(state: State, command: BlindLob) -> tuple[str, ...]:
    """Those caught if an explosive lands on target; a shot strikes one at random. [CE-EXPL-01]"""
    sight, flight = _find_blind_flight(state, command)
    return name_caught(state, sight, flight.aimed_at) if flight else ()


def find_blind_area(state: State, command: BlindLob) -> tuple[Shape, ...]:
    """The rings around the place where an explosive lands; shots have none."""
    sight, flight = _find_blind_flight(state, command)
    return find_rings_around(state, sight, flight.aimed_at) if flight else ()


def _find_blind_flight(state: State, command: BlindLob) -> tuple[Sight, Flight | None]:
    """A blind attack at a place, and its explosive on the way there, if any."""
    sight = check_blind_lob(state, command)
    return sight, make_blind_flight(state, command, sight, ()) if is_explosive(sight) else None


def preview_blind_lob(state: State, command: BlindLob) -> Preview:
    """The sums of the form, and how many may be hit."""
    sight = check_blind_lob(state, command)
    terms, stopped = find_blind_terms(state, command, sight), ""
    if is_explosive(sight):
        flight = make_blind_flight(state, command, sight, terms)
        notes = describe_blast(state, sight, flight.rings, flight.aimed_at)
        stopped = "note.stops_at_wall" if flight.aimed_at != sight.target.at else ""
    else:
        dice = burst_damage(sight, command.burst)
        notes = (say("note.damage", dice=dice), say("note.in_line", n=len(find_line(state, sight))))
    return Preview(terms, (), "against.eight", dice=BLIND_DICE, notes=notes, stopped=stopped)


# ---------------------------------------------------------------- forms


def blind_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target to fire towards, the weapon, and a burst. [CE-BLIND-01]"""

    def check(target: str, weapon: str) -> None:
        check_blind(state, BlindFire(actor=actor, target=target, weapon=weapon))

    return (*strike_fields(state, actor, check), rounds_field(state, actor), BURST)


check_blind_now = gun_obstacle(
    "use_blind_fire", is_gun, "No gun is ready: ready or reload one first.", "blind fire"
)


def find_blind_things(state: State, actor: str) -> list[Item]:
    """The weapons someone can fire or throw at an unseen place: guns and explosives."""
    return [item for item in find_arms(state, actor) if can_lob(item) or is_gun(item)]


def blind_lob_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon, the place, and a burst. [CE-BLIND-01]"""
    options = [
        Choice(i.id, i.name, describe_arm(i), why_refused(check_usable, state[actor], i))
        for i in find_blind_things(state, actor)
    ]
    options.sort(key=lambda option: bool(option.refused))
    return (
        Field(
            "weapon", "What", "choice", options=tuple(options), value=first_open(options), rule="CE-BLIND-01"
        ),
        place_field(state, actor, "CE-BLIND-04"),
        rounds_field(state, actor),
        BURST,
    )


def check_blind_lob_now(state: State, actor: str) -> None:
    """Refuse without a weapon to fire or throw, without a significant action, or if the table does not use
    it."""
    if not find_option(state, "use_blind_fire"):
        raise Refused("not_allowed", "This table plays without blind firing: attack instead.")
    fit = (item for item in find_arms(state, actor) if can_lob(item) or is_gun(item))
    if not any(allows(check_usable, state[actor], item) for item in fit):
        raise Refused("not_allowed", "No gun or grenade is ready: ready or reload one first.")
    check_significant(state, actor, "blind fire")


def find_blind_reach(state: State, actor: str) -> tuple[Reach, ...]:
    """The squares of the map within reach of a weapon at hand, for blind fire."""
    things = find_blind_things(state, actor)
    usable = [item for item in things if not why_refused(check_usable, state[actor], item)]
    return find_squares(state, actor, usable)


ACTIONS = (
    act("blind_fire", fire_blind, check_blind_now, fields=blind_fields, preview=preview),
    act(
        "blind_lob",
        lob_blind,
        check_blind_lob_now,
        fields=blind_lob_fields,
        preview=preview_blind_lob,
        reach=find_blind_reach,
        caught=find_blind_victims,
        caught_rolls=False,
        area=find_blind_area,
    ),
)
