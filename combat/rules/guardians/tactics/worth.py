"""The worth of an attack: how much of the way to put its target out of the fight it is likely to go."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.state.state import Combatant, Item, State

from ..book.options import find_option
from ..book.tables import ARMOR_ROW, FALL_ROW, HEAD, PLACES, ROWS, SPECIAL_ROWS, TORSO
from ..dice.rolls import count_highest
from ..fight.aim import Attack, Use, aim, count_called_ranks, damage_ranks, find_terms, read_use
from ..fight.damage import soak_terms
from ..fight.defense import USED, find_defenses
from ..people.values import BROKEN, find_all_most, find_mp

HARMED = 0.2  # of the way out of the fight: a lost limb, a fall, a lost weapon
MIN_NAMED = 0.3  # the least chance to hit at which someone names a part of the body
TINY = 0.001  # the worth of a hit that does nothing
FACES = 12  # of the die for the location: its 9 knocks out, and its 1 may hit the head
# Someone's share of the way out of the fight by the rows that hit no part, [CG-LOC-08] to [CG-LOC-11]
EVENTS = (1 + HARMED * len((ARMOR_ROW, FALL_ROW, *SPECIAL_ROWS))) / FACES
HITS = {place: [*ROWS.values(), HEAD].count(place) / FACES for place in PLACES}
BREAKS = frozenset([BROKEN + place for place in PLACES])  # the marks of armor that no longer counts
TOLD = BREAKS | {SIZE, USED}  # the marks that count for a target


class Plan(msgspec.Struct, frozen=True):
    """An attack and its worth, from 0 to 1."""

    command: Attack
    worth: float


class Frailty(msgspec.Struct, frozen=True):
    """The soak of a part of the body, the points until it gives way, and what that does: 1 ends the fight."""

    soak: int
    left: int
    share: float


def _look_at_both(state: State, combatant: Combatant, foe: Combatant) -> Seen:
    """Everything that a plain attack depends on, with the weapons in hand."""
    told = [mark for mark in foe.marks.items() if mark[0] in TOLD]
    names = combatant.id, combatant.name, foe.id, foe.name
    places = combatant.at, foe.at, combatant.marks.get(SIZE), *told
    worn = combatant.tracks["fatigue"], combatant.tracks["toughness"]
    own = combatant.sheet, combatant.conditions, combatant.items
    theirs = foe.sheet, foe.tracks, foe.conditions, foe.items
    return (state.options, state.scene, *own, *theirs), (*names, *places, *worn)


@remember_by(_look_at_both)
def find_best(state: State, combatant: Combatant, foe: Combatant) -> Plan | None:
    """The best attack on an enemy with a weapon in hand; None if none is legal."""
    best: Plan | None = None
    for item in combatant.items:
        if item.kind == "weapon" and item.place == "held":
            plan = _make_plan(state, combatant, foe, item)
            if plan and (best is None or plan.worth > best.worth):
                best = plan
    return best


def _look_at_taken(state: State, combatant: Combatant, foe: Combatant, item: Item) -> Seen:
    parts, rest = _look_at_both(state, combatant, foe)
    return (*parts, item), rest


@remember_by(_look_at_taken)
def find_plan(state: State, combatant: Combatant, foe: Combatant, item: Item) -> Plan | None:
    """The best attack with a weapon once it is in hand; None if none is legal."""
    return _make_plan(state, combatant, foe, item)


def _make_plan(state: State, combatant: Combatant, foe: Combatant, item: Item) -> Plan | None:
    """The best attack with a weapon, with or without naming a part."""
    try:
        found = aim(state, combatant, foe, read_use(item, False))
    except Refused:
        return None
    command = Attack(actor=combatant.id, target=foe.id, weapon=item.id)
    ranks = add_up(find_terms(state, combatant, foe, found.use, False)[2])
    defenses = find_defenses(state, foe, found.use.is_distant)
    through = 1 - (defenses[0].chance / 100 if defenses else 0)
    best: Plan | None = None
    shares = find_shares(state, combatant, foe, found.use)
    for called, share in shares.items():
        if called and share <= shares[""]:
            continue
        named_ranks = ranks + count_called_ranks(state, called) if called else ranks
        chance = count_highest(state.options, named_ranks) / 100
        if called and chance < MIN_NAMED:
            continue
        worth = chance * (through * share + TINY)
        if worth and (best is None or worth > best.worth):
            best = Plan(msgspec.structs.replace(command, called=called) if called else command, worth)
    return best


def find_shares(state: State, combatant: Combatant, foe: Combatant, use: Use) -> dict[str, float]:
    """How far a hit puts someone out of the fight, 0 to 1, by the part that is named; "" names none.

    [CG-LOC-01] Without a name all rows of the d12 count, [CG-LOC-10] also the one that knocks out.
    """
    dice = parse_dice(use.weapon.damage)
    dealt = dice.count * (dice.sides + 1) / 2 + damage_ranks(state, combatant, use)
    shares, rolled = {HEAD: 1.0, TORSO: 1.0}, 0.0
    for place, part in find_frailties(state, foe).items():  # for every plan: no comprehension, no calls
        through = dealt - part.soak
        share = part.share * (through / part.left) if 0 < through < part.left else part.share * (through > 0)
        shares[place] = share
        rolled += HITS[place] * share
    rolled += EVENTS
    if find_option(state, "called_shots") == "off":
        return {"": rolled}
    return {"": rolled, HEAD: shares[HEAD], TORSO: shares[TORSO]}


def _look_at_guard(state: State, target: Combatant) -> Seen:
    broken = [mark for mark in target.marks.items() if mark[0] in BREAKS]
    worn = target.tracks["fatigue"], target.tracks["toughness"]
    return (state.options, target.sheet, target.conditions, target.items), (*worn, *broken)


@remember_by(_look_at_guard)
def find_soaks(state: State, target: Combatant) -> dict[str, int]:
    """The points that armor and Toughness take off a blow to each part of the body."""
    return {place: -add_up(soak_terms(state, target, place)) for place in PLACES}


def _look_at_body(state: State, target: Combatant) -> Seen:
    parts, rest = _look_at_guard(state, target)
    return (*parts, target.tracks), rest


@remember_by(_look_at_body)
def find_frailties(state: State, target: Combatant) -> dict[str, Frailty]:
    """How well each part of the body that still counts resists.

    [CG-HEAD-01] [CG-LIMB-01] A head or a limb gives way at half of its points, [CG-TORSO-04] the torso at 0.
    """
    found, most = {}, find_all_most(target.sheet)
    for place, soak in find_soaks(state, target).items():
        now = find_mp(target, place)
        left = now if place == TORSO else now - most[place] // 2
        if left > 0:
            found[place] = Frailty(soak, left, 1.0 if place in (HEAD, TORSO) else HARMED)
    return found
