"""The expected result of an attack: its chance, and the damage that gets through."""

from __future__ import annotations

from functools import cache

import msgspec

from combat.rules.core.basics.dice.dice import count_sums, parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember, remember_by
from combat.rules.core.state.state import Combatant, Item, State

from ..body.armor import find_layers
from ..body.hits import LASER
from ..book.records import Arm
from ..book.tables import TARGET, find_burst
from ..fight.aim import Attack, Sight, sum_for_attack
from ..fight.checks import check_attack
from ..fight.watch import find_gear
from ..fight.weapons import read_arm
from ..people.values import MACHINES, find_score

MIN_CHANCE = 0.01  # so that even an attack that needs more than two sixes beats doing nothing
SCRATCH = 0.2  # points of a hit that armor should stop


class Plan(msgspec.Struct, frozen=True):
    """A legal attack, its chance to hit (0 to 1), and its expected points."""

    command: Attack
    sight: Sight
    chance: float
    worth: float


@cache
def count_chance(bonus: int) -> float:
    """The chance that 2D6 with this sum of DMs reaches 8."""
    good = sum(weight for total, weight in count_sums(2, 6).items() if total + bonus >= TARGET)
    return max(MIN_CHANCE, good / 36)


@cache
def mean_of(dice: str) -> float:
    """The mean of a handful of dice, in points; 0 for no dice."""
    if not dice:
        return 0.0
    parsed = parse_dice(dice)
    return parsed.count * (parsed.sides + 1) / 2 + parsed.plus


def find_armor(target: Combatant, is_laser: bool) -> int:
    """The points that a hit on a target meets."""
    if target.sheet["kind"] in MACHINES:
        return find_score(target, "armor")
    return _count_armor(target, is_laser)


def _look_at_armor(target: Combatant, is_laser: bool) -> Seen:
    return (target.sheet, *find_gear(target.items)), is_laser


@remember_by(_look_at_armor)
def _count_armor(target: Combatant, is_laser: bool) -> int:
    return sum([points for _, points in find_layers(target, LASER if is_laser else "")])


def find_most(target: Combatant, weapon: Item) -> float:
    """The expected points of an attack that never misses: the upper limit of its worth."""
    arm = read_arm(weapon)
    return max(SCRATCH, best_mean(arm) - find_armor(target, arm.laser))


@remember
def best_mean(arm: Arm) -> float:
    """The mean damage of a weapon with the most dice that a burst adds."""
    return mean_of(arm.damage) + max(mean_of(find_burst(n).extra_damage) for n in (1, *arm.rate_of_fire))


def make_plan(state: State, command: Attack) -> Plan | None:
    """A basic attack with its worth, as the better kind of burst if that is worth more; None if it is not
    legal.  [CE-BURST-02]"""
    try:
        sight = check_attack(state, command)
    except Refused:
        return None
    bonus = sum_for_attack(state, command, sight)
    through = mean_of(sight.arm.damage) - find_armor(sight.target, sight.arm.laser)
    best, words = _weigh(bonus, through), {}
    loaded = sight.item.loaded
    for rounds in sight.arm.rate_of_fire if sight.mode == "ranged" else ():
        if rounds < 2 or (loaded is not None and rounds > loaded):
            continue
        row = find_burst(rounds)
        sprayed = _weigh(bonus + row.attack_dm, through)
        grouped = _weigh(bonus, through + mean_of(row.extra_damage))
        for burst, found in (("spray", sprayed), ("grouped", grouped)):
            if found[0] > best[0]:
                best, words = found, {"rounds": rounds, "burst": burst}
    worth, chance = best
    return Plan(msgspec.structs.replace(command, **words) if words else command, sight, chance, worth)


def _weigh(bonus: int, through: float) -> tuple[float, float]:
    """The expected points of an attack, and its chance."""
    chance = count_chance(bonus)
    return chance * max(SCRATCH, through), chance
