"""The worth of an attack to the tactics: roughly its expected damage, in points."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import ceil, inf
from typing import Any

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace

from ..body.damage import armor_against, armor_terms
from ..book.tables import SITUATIONS
from ..book.traits import count_rounds_between, find_area_row, find_burst, has_tag
from ..characters.conditions import KINDS
from ..characters.inventory import check_hands
from ..characters.sheet import attribute, is_able, max_hp
from ..fight.aim import (
    Aim,
    Attack,
    check_attack,
    count_attacks,
    defense_against,
    modifiers_for_attack,
)
from ..fight.attack import damage_bonus
from ..fight.blast import Blast, check_blast, find_caught, has_area
from ..world.reach import is_within
from ..world.scene import find_reach, is_melee

MIN_DAMAGE = 0.1  # points, so that a target behind the thickest armor is worth an attack
FINISHING = 8.0  # extra points for a blow that takes a combatant out
PLENTY = 100  # rounds of a weapon that needs none
Manner = tuple[dict[str, Any], int, int, int]
Fields = dict[str, Any]
Ready = tuple[Item, int]  # a weapon and its reach
_PLAIN: Fields = {}


class Prospect(msgspec.Struct, frozen=True):
    """What an attack promises: the kind of damage and its manners.

    A manner has its fields, the damage of a hit and of all its attacks in points, and the chance of each.
    `most` is the greatest damage of all; of a target with more HP left the `best` manner takes most: its
    worth and its fields.
    """

    kind: str
    manners: tuple[tuple[Fields, float, float, float], ...]
    most: float
    best: tuple[float, Fields]


@cache
def chance_of(margin: int) -> float:
    """The chance that 2d10 and this margin reach 0; two tens always do, two ones never."""
    weights = sum(1 for a in range(1, 11) for b in range(1, 11) if 2 < a + b < 20 and a + b + margin >= 0)
    return (weights + 1) / 100


@cache
def mean_of(notation: str, plus: int = 0) -> float:
    """The average of a handful of dice and `plus`, in points; sums below 0 count as 0."""
    dice = parse_dice(notation)
    weights = {dice.plus + plus: 1.0}
    for _ in range(dice.count):
        rolled: dict[int, float] = {}
        for total, share in weights.items():
            for face in range(1, dice.sides + 1):
                rolled[total + face] = rolled.get(total + face, 0.0) + share / dice.sides
        weights = rolled
    return sum(max(0, total) * share for total, share in weights.items())


def best_attack(state: State, combatant: Combatant, foes: list[Combatant]) -> tuple[float, Attack | None]:
    """The legal attack with the highest expected damage, and that damage; 0 and None if there is none.

    The armed strike with bare hands only if that is worth more and hits more often too.
    """
    armed, bare = _find_ready(combatant)
    worth, chance, attack = _find_best_of(state, combatant, foes, armed)
    struck = _find_best_of(state, combatant, foes, bare)
    return (struck[0], struck[2]) if struck[0] > worth and struck[1] > chance else (worth, attack)


def _find_best_of(
    state: State, combatant: Combatant, foes: list[Combatant], weapons: list[Ready]
) -> tuple[float, float, Attack | None]:
    """The best attack with these weapons: its worth, the chance of its plain form, and the attack."""
    best, sure, chosen = 0.0, 0.0, None
    for foe in foes if weapons else ():
        for weapon, reach in weapons:
            if reach and not is_within(state, combatant, foe, reach):
                continue
            prospect = _appraise(state, combatant, foe, weapon)
            if prospect is None:
                continue
            left = count_left(foe, prospect.kind)
            worth, fields = prospect.best if left > prospect.most else _find_best(prospect.manners, left)
            if worth > best:
                best, sure, chosen = worth, prospect.manners[0][3], (foe.id, weapon.id, fields)
    if chosen is None:
        return 0.0, 0.0, None
    target, arm, fields = chosen
    return best, sure, Attack(actor=combatant.id, target=target, weapon=arm, **fields)


def _find_ready(combatant: Combatant) -> tuple[list[Ready], list[Ready]]:
    """The loaded weapons in hand, each with its reach in meters, 0 for shots; then those of the body."""
    held = [weapon for weapon in find_weapons(combatant) if weapon.place == "held" and weapon.loaded != 0]
    ready = [(weapon, find_reach(combatant, weapon) if is_melee(weapon) else 0) for weapon in held]
    bare = [one for one in ready if is_bare(one[0])]
    return [one for one in ready if one not in bare], bare


def is_bare(weapon: Item) -> bool:
    """Whether a weapon is a part of the body, such as a fist."""
    return has_tag(weapon.data, "built in")


def find_weapons(combatant: Combatant) -> list[Item]:
    """The weapons with which a combatant could strike or shoot one target."""
    return [item for item in combatant.items if item.kind == "weapon" and not has_tag(item.data, "area")]


def _appraise(state: State, combatant: Combatant, foe: Combatant, weapon: Item) -> Prospect | None:
    """The prospect of an attack; None if it is not legal."""
    submission = Attack(actor=combatant.id, target=foe.id, weapon=weapon.id)
    try:
        aim = check_attack(state, submission)
    except Refused:
        return None
    terms, against = modifiers_for_attack(state, submission, aim), defense_against(state, submission, aim)
    margin = add_up(terms) - add_up(against)
    data = aim.weapon.data
    kind, dice = str(data["type"]), str(data["damage"])
    armor = armor_against(state, aim.target, aim.weapon)
    plus = add_up((*damage_bonus(state, submission, aim.weapon), *armor))
    manners = []
    for fields, change, count, more in find_manners(state, aim):
        dealt = max(MIN_DAMAGE, mean_of(dice, plus + more))
        manners.append((fields, dealt, dealt * count, chance_of(margin + change)))
    most = max(whole for _, _, whole, _ in manners)
    return Prospect(kind, tuple(manners), most, _find_best(manners, inf))


def _find_best(manners: Iterable[tuple[Fields, float, float, float]], left: float) -> tuple[float, Fields]:
    """The worth of the best manner against so many HP, and its fields; among equals, those of the first."""
    best, chosen = 0.0, _PLAIN
    for fields, dealt, whole, chance in manners:
        worth = (min(whole, left) + (FINISHING if left and dealt >= left else 0.0)) * chance
        if worth > best:
            best, chosen = worth, fields
    return best, chosen


def count_left(target: Combatant, kind: str) -> int:
    """The HP a kind of damage can still take: stun damage stops at a quarter.  [COS-DMG-05]"""
    hp = target.tracks["hp"]
    return max(0, hp - ceil(max_hp(target) / 4) if kind == "stun" else hp)


def find_manners(state: State, aim: Aim) -> list[Manner]:
    """The legal manners of an attack that is legal: fields, margin, attacks, extra damage."""
    found: list[Manner] = [(_PLAIN, 0, 1, 0)]
    each, combatant = SITUATIONS["extra_attack"].value, aim.combatant
    rounds = PLENTY if aim.weapon.loaded is None else aim.weapon.loaded
    several = 1 if count_rounds_between(aim.traits) > 1 else min(rounds, count_attacks(state))
    for count in range(2, several + 1):
        found.append(({"attacks": count}, each * (count - 1), count, 0))
    burst = find_burst(aim.traits)
    if burst and rounds >= burst.burst_rounds:
        found.append(({"burst": True}, 0, 1, burst.burst_damage))
    if not aim.melee and combatant.budget["move"]:
        if not has_condition(combatant, "moved", "quick_aim"):
            found.append(({"aimed": True}, SITUATIONS["aimed_shot"].value, 1, 0))
    return found


# ---------------------------------------------------------------- area weapons


def best_blast(state: State, combatant: Combatant, foes: list[Combatant]) -> tuple[float, Blast | None]:
    """The area weapon and place that harm enemies most, less the harm to allies.

    A carried weapon counts as in hand while a Move Action is left to draw it, and a hand.
    """
    best: tuple[float, Blast | None] = (0.0, None)
    for weapon in filter(has_area, combatant.items):
        draws = combatant.budget["move"] and allows(check_hands, combatant, weapon)
        armed = draw_in_mind(state, combatant, weapon) if draws else state
        for foe in foes:
            submission = Blast(actor=combatant.id, weapon=weapon.id, at=f"near:{foe.id}")
            worth = _blast_worth(armed, combatant, submission)
            if worth > best[0]:
                best = (worth, submission)
    return best


def draw_in_mind(state: State, combatant: Combatant, weapon: Item) -> State:
    """The state with a carried weapon in hand."""
    if weapon.place != "carried":
        return state
    items = tuple(replace(item, place="held") if item.id == weapon.id else item for item in combatant.items)
    return replace(state, combatants={**state.combatants, combatant.id: replace(combatant, items=items)})


def _blast_worth(state: State, combatant: Combatant, submission: Blast) -> float:
    """The expected points of harm to enemies, less twice that to allies; 0 if it is refused."""
    try:
        weapon, centre = check_blast(state, submission)
    except Refused:
        return 0.0
    caught = find_caught(state, weapon, centre)
    harm = [
        (_suffer(state, f, weapon), f.side == combatant.side)
        for f in caught
        if is_able(f) and not is_concealed_from(state, combatant, f)
    ]
    return sum(-2 * points if friend else points for points, friend in harm)


def _suffer(state: State, target: Combatant, weapon: Item) -> float:
    """The expected loss of a combatant in the blast, with its save."""
    effect = weapon.data.get("effect") or {}
    condition = str(effect.get("condition", "")).lower()
    if condition:
        saved = chance_of(attribute(target, str(effect["save"])) - int(effect["tn"]))
        worth = KINDS[condition].worth if condition in KINDS else 0.0
        return 0.0 if has_condition(target, condition) else (worth or 2.0) * (1 - saved)
    area = find_area_row(weapon)
    saved = chance_of(attribute(target, area.save) - area.tn)
    kind = str(weapon.data["type"])
    mean = mean_of(str(weapon.data["damage"]), add_up(armor_terms(state, target, kind)))
    return min(count_left(target, kind), mean * (1 - saved / 2))
