"""The expected result of an attack: its chance, and the damage that gets through."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.dice import count_sums, parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state.state import Combatant, Item, State

from ..body.armor import find_layers
from ..body.hits import LASER, Hit
from ..body.machines import damage_terms
from ..book.tables import MAX_AIM, MAX_KILL, TARGET, find_burst
from ..characters.values import MACHINES, find_score
from ..dice.rolls import HIGHEST, LOWEST
from ..fight.aim import INTO_RULE, Attack, Mode, Sight, find_aim, modifiers_for_attack
from ..fight.checks import check_attack
from ..fight.neighbours import find_neighbours
from ..fight.weapons import read_arm

STRAYS = 1 / 2  # the share of misses that hit someone beside the target
SCRATCH = 0.2  # points of a hit that armor should stop


CHANCES = {  # of two dice to come to a sum
    least: sum(weight for total, weight in count_sums(2, 6).items() if total >= least) / 36
    for least in range(LOWEST, HIGHEST + 2)
}


class Plan(msgspec.Struct, frozen=True):
    """A legal attack, its chance to hit (0 to 1), its expected points, and the chance to hit someone beside
    the target."""

    command: Attack
    mode: Mode
    row: str
    band: str
    chance: float
    worth: float
    beside: float = 0.0


def count_chance(bonus: int) -> float:
    """The chance that 2D6 with this sum of DMs reaches 8."""
    return CHANCES[min(max(TARGET - bonus, LOWEST), HIGHEST + 1)]


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
    return sum([points for _, points in find_layers(target, LASER if is_laser else "")])


def find_most(target: Combatant, weapon: Item) -> float:
    """The expected points of an attack that never misses: the upper limit of its worth."""
    arm = read_arm(weapon)
    burst = max(mean_of(find_burst(n).extra_damage) for n in (1, *arm.rate_of_fire))
    return max(SCRATCH, mean_of(arm.damage) + burst - find_armor(target, arm.laser))


def make_plan(state: State, command: Attack) -> Plan | None:
    """A basic attack with its worth, as the better kind of burst if that is worth more; None if it is not
    legal, or cannot hit even after aiming, or harm a machine.  [CE-BURST-02] [CE-MINOR-03]"""
    try:
        sight = check_attack(state, command)
    except Refused:
        return None
    terms = modifiers_for_attack(state, command, sight)
    bonus, is_crowded = add_up(terms), INTO_RULE in [term.rule for term in terms]
    aimed = bonus + (0 if sight.mode == "melee" else _count_aims_left(state, command))
    through = mean_of(sight.arm.damage) - find_armor(sight.target, sight.arm.laser)
    if not count_chance(aimed) or (through <= 0 and not _can_harm(sight, aimed)):
        return None
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
    command = msgspec.structs.replace(command, **words) if words else command
    beside = chance if sight.spreads else (1 - chance) * STRAYS if is_crowded else 0.0
    return Plan(command, sight.mode, sight.row, band=sight.band, chance=chance, worth=worth, beside=beside)


def _can_harm(sight: Sight, bonus: int) -> bool:
    """Whether the most damage of an attack gets through the armor of a machine; people are never that safe.

    [CE-VDMG-05] [CE-SHIP-02]
    """
    if sight.target.sheet["kind"] not in MACHINES:
        return True
    bursts = [find_burst(rounds) for rounds in sight.arm.rate_of_fire or (1,)]
    more = max(_count_highest(burst.extra_damage) for burst in bursts)
    effect = HIGHEST + bonus + max(burst.attack_dm for burst in bursts) - TARGET
    points = _count_highest(sight.arm.damage) + more + MAX_KILL
    hit = Hit(target=sight.target.id, dice_total=points, effect=max(0, effect), rule="CE-VDMG-05")
    return add_up(damage_terms(sight.target, hit)) > 0


def _count_highest(dice: str) -> int:
    parsed = parse_dice(dice)
    return parsed.count * parsed.sides + parsed.plus


def _count_aims_left(state: State, command: Attack) -> int:
    """The DM that further aiming at the target can add."""
    aim = find_aim(state, command.actor, command.target)
    return MAX_AIM - (aim.level if aim else 0)


def weigh_strays(state: State, combatant: Combatant, foe: Combatant, weapon: Item, plan: Plan) -> Plan | None:
    """A plan less what it may do to the nearest one beside the target, if that is one of the own side; None
    if that is more. [CE-INTO-02] [CE-SHOT-04]"""
    beside = find_neighbours(state, foe.id, combatant.id)
    if plan.mode == "melee" or not beside or beside[0].side != combatant.side:
        return plan
    arm = read_arm(weapon)
    through = max(SCRATCH, mean_of(arm.damage) - find_armor(beside[0], arm.laser))
    worth = plan.worth - plan.beside * through
    return msgspec.structs.replace(plan, worth=worth) if worth >= 0 else None


def _weigh(bonus: int, through: float) -> tuple[float, float]:
    """The expected points of an attack, and its chance."""
    chance = count_chance(bonus)
    return chance * max(SCRATCH, through), chance
