"""The worth of an attack: its chance and the damage that gets through; where explosives do most."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import inf

import msgspec

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.odds.harm import ENOUGH, NONE, Harm, Hit, Keep, find_sums, weigh
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace

from ..body.allocation import ORDER
from ..body.damage import toughness_terms
from ..body.hits import LASER, SURE_EFFECT, find_layers
from ..body.machines import SHIP_SCALE
from ..book.tables import MAX_AIM, TARGET, find_burst
from ..characters.conditions import crawls
from ..characters.goods import find_fittings, find_launchers
from ..characters.machinery import is_starship
from ..characters.values import MACHINES, find_dm, find_score
from ..dice import DICE, HIGHEST, LOWEST
from ..fight.aim import INTO_RULE, Attack, Mode, Sight, find_aim, find_neighbours, modifiers_for_attack
from ..fight.checks import check_attack
from ..fight.explosives.blasts import Rings, find_caught, find_rings
from ..fight.explosives.lobs import Lob, can_lob, check_lob, find_payload, find_terms, modifiers_for_flight
from ..fight.shots import add_dice, aerosol_terms, is_halved, kill_terms
from ..fight.weapons import LOAD, Handle, check_ready_up, read_arm
from ..world.bands import measure
from ..world.economy import MINOR

PRONE_DM = 2  # the highest DM of a target's stance [CE-STANCE-11]
SURELY = (Hit(1.0),)
PLAIN: dict[str, object] = {}
STRAYS = 1 / 2  # the share of misses that hit someone beside the target
SUMS = find_sums(DICE)

CHANCES = {  # of two dice to come to a sum
    least: sum(chance for total, chance in SUMS if total >= least) for least in range(LOWEST, HIGHEST + 2)
}
# The ways in which an attack hits, by the sum of its DMs: the Effect adds to the damage [CE-DMG-02], and one
# of 6 or more does a point to people after all armor. [CE-ARMOR-02] RULING R81: not to machines.
BONUSES = range(TARGET - HIGHEST - 1, 3 * HIGHEST)
AT, BETWEEN = 2, 4  # the nearest enemies considered as targets, and those considered in pairs
MARGIN = 3.0  # meters between the own side and the outer ring: it may scatter


class Plan(msgspec.Struct, frozen=True):
    """A legal attack, its chance to hit (0 to 1), its expected points, and the chance to hit someone beside
    the target. `hope` is the worth with all the aiming that is left."""

    command: Attack
    mode: Mode
    row: str
    band: str
    chance: float
    worth: float
    beside: float = 0.0
    hope: float = 0.0


def count_chance(bonus: int) -> float:
    """The chance that 2D6 with this sum of DMs reaches 8."""
    return CHANCES[min(max(TARGET - bonus, LOWEST), HIGHEST + 1)]


def _find_hits(bonus: int, is_sure: bool) -> tuple[Hit, ...]:
    effects = [(total + bonus - TARGET, chance) for total, chance in SUMS]
    return tuple(
        Hit(p, effect, int(is_sure and effect >= SURE_EFFECT)) for effect, p in effects if effect >= 0
    )


HITS, MACHINE_HITS = ({bonus: _find_hits(bonus, is_sure) for bonus in BONUSES} for is_sure in (True, False))


def find_armor(target: Combatant, is_laser: bool) -> int:
    """The points that a hit on a target meets."""
    if target.sheet["kind"] in MACHINES:
        return find_score(target, "armor")
    return sum([points for _, points in find_layers(target, LASER if is_laser else "")])


class Mark(msgspec.Struct, frozen=True):
    """Who is attacked, as the dice meet them: the ways to hit by the sum of DMs, what is added to a shot or a
    blow and to a laser, the points that count, and how many of the damage do."""

    target: Combatant
    hits: dict[int, tuple[Hit, ...]]
    plus: int
    plus_laser: int
    left: int
    keep: Keep | None = None


def find_mark(target: Combatant, lasers: bool = True) -> Mark:
    """How attacks meet someone, with `lasers` or without: through armor and drugs; a fiftieth of each meets
    starships.

    [CE-ARMOR-01] [CE-VDMG-05] [CE-SHIP-02]
    """
    if target.sheet["kind"] in MACHINES:
        armor, keep = find_score(target, "armor"), _shrink if is_starship(target) else None
        return Mark(target, MACHINE_HITS, -armor, -armor, ENOUGH, keep)
    drugs = add_up(toughness_terms(target)) if target.conditions else 0
    armor = find_armor(target, False)
    against_laser = find_armor(target, True) if lasers else armor
    tracks = target.tracks
    left = sum([max(0, tracks[key]) for key in ORDER])
    return Mark(target, HITS, drugs - armor, drugs - against_laser, left)


def weigh_hits(mark: Mark, bonus: int, dice: str, is_laser: bool = False, is_halved: bool = False) -> Harm:
    """What an attack with this sum of DMs and these dice does. [CE-DMG-02]"""
    hits = mark.hits[min(max(bonus, BONUSES[0]), BONUSES[-1])]
    keep = mark.keep or (_halve if is_halved else None)
    return weigh(hits, dice, mark.plus_laser if is_laser else mark.plus, mark.left, keep)


def _shrink(points: int) -> int:
    """The points that count against a starship. [CE-SHIP-02]"""
    return max(0, points) // SHIP_SCALE


def _halve(points: int) -> int:
    """Half of the points, rounded up. [CE-XRANGE-08]"""
    return max(0, points) - max(0, points) // 2


def find_base(combatant: Combatant) -> int:
    """The highest sum of DMs that someone's skills, body and aim can give an attack."""
    base = max(find_dm(combatant, "str"), find_dm(combatant, "dex"))
    base += max(combatant.sheet["skills"].values(), default=0)
    if not combatant.conditions:
        return base
    aims = [held.level for held in combatant.conditions if held.kind == "aiming"]
    more = [int(held.marks.get("checks", 0)) for held in combatant.conditions]
    return base + max(aims, default=0) + sum([dm for dm in more if dm > 0])


def find_most(combatant: Combatant, mark: Mark, weapon: Item, base: int) -> float:
    """An upper limit of the worth of someone's attack: a person in the open, at the best range."""
    arm = read_arm(weapon)
    is_plain = mark.hits is HITS and not combatant.sheet.get("drone") and LOAD not in weapon.marks
    if not is_plain or find_fittings(combatant.items, weapon.id) or has_condition(combatant, "aiming_kill"):
        return inf
    bonus = base + (PRONE_DM if crawls(mark.target) else 0)
    if max(arm.rate_of_fire, default=0) < 2:
        return weigh_hits(mark, bonus, arm.damage, arm.laser).mean
    row = find_burst(max(arm.rate_of_fire))
    return weigh_hits(mark, bonus + row.attack_dm, add_dice(arm.damage, row.extra_damage), arm.laser).mean


def make_plan(state: State, command: Attack, mark: Mark) -> Plan | None:
    """A basic attack on this mark with its worth, as the kind of burst that is worth most; None if it is not
    legal, or can do nothing even after aiming.  [CE-BURST-02] [CE-MINOR-03]"""
    try:
        sight = check_attack(state, command)
    except Refused:
        return None
    terms = modifiers_for_attack(state, command, sight)
    bonus, is_crowded = add_up(terms), INTO_RULE in [term.rule for term in terms]
    aims = 0 if sight.mode == "melee" else _count_aims_left(state, command)
    harm, words, hope = _find_best(state, sight, mark, bonus, aims)
    if not hope:
        return None
    command = msgspec.structs.replace(command, **words) if words else command
    chance = harm.hits
    beside = chance if sight.spreads else (1 - chance) * STRAYS if is_crowded else 0.0
    return Plan(
        command,
        sight.mode,
        sight.row,
        band=sight.band,
        chance=chance,
        worth=harm.mean,
        beside=beside,
        hope=hope,
    )


def _find_best(
    state: State, sight: Sight, mark: Mark, bonus: int, aims: int
) -> tuple[Harm, dict[str, object], float]:
    """What the way that is worth most does, its fields, and the worth of the best after more aiming."""
    arm, added = sight.arm, 0
    halved = arm.energy and is_halved(sight)
    if sight.combatant.conditions or arm.laser:
        added = add_up((*kill_terms(state, sight), *aerosol_terms(state, sight)))
    several = len(arm.rate_of_fire) > 1 or (arm.rate_of_fire and arm.rate_of_fire[0] > 1)
    ways = find_ways(sight) if several and sight.mode == "ranged" else ((0, arm.damage, PLAIN),)
    best, chosen, hope = NONE, PLAIN, 0.0
    for more, dice, words in ways:
        dice = add_dice(dice, str(added)) if added else dice
        harm = weigh_hits(mark, bonus + more, dice, arm.laser, halved)
        if harm.mean > best.mean or harm.hits > best.hits == 0:
            best, chosen = harm, words
        if aims and not harm.mean:
            hope = max(hope, weigh_hits(mark, bonus + more + aims, dice, arm.laser, halved).mean)
    return best, chosen, max(hope, best.mean)


def find_ways(sight: Sight) -> tuple[tuple[int, str, dict[str, object]], ...]:
    """The ways to fire a weapon: the DM of each, its dice, and its fields.  [CE-BURST-02]"""
    arm, loaded = sight.arm, sight.item.loaded
    ways: list[tuple[int, str, dict[str, object]]] = [(0, arm.damage, PLAIN)]
    for rounds in arm.rate_of_fire:
        if rounds >= 2 and (loaded is None or rounds <= loaded):
            row = find_burst(rounds)
            grouped = add_dice(arm.damage, row.extra_damage)
            ways.append((row.attack_dm, arm.damage, {"rounds": rounds, "burst": "spray"}))
            ways.append((0, grouped, {"rounds": rounds, "burst": "grouped"}))
    return tuple(ways)


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
    through = weigh_sure(beside[0], arm.damage, arm.laser)
    worth = plan.worth - plan.beside * through
    return msgspec.structs.replace(plan, worth=worth) if worth >= 0 else None


def weigh_sure(target: Combatant, dice: str, is_laser: bool = False) -> float:
    """The expected points of dice that hit for sure, without Effect: those of an explosion or a stray shot.
    RULING R52 R53"""
    if not dice:
        return 0.0
    mark = find_mark(target)
    return weigh(SURELY, dice, mark.plus_laser if is_laser else mark.plus, mark.left, mark.keep).mean


# Grenades and rockets in the tactics: aim where they do most, and never near the own side.


Submission = tuple[str, Command]


class Throw(msgspec.Struct, frozen=True):
    """A legal throw or shot of an explosive, and its expected points against all."""

    submission: Submission
    worth: float


def find_throw(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Throw | None:
    """The best throw with a weapon in hand or drawn this turn; None unless it is worth more than so many
    points.

    [CE-EXPL-01] [CE-THROW-02]
    """
    lobs = [item for item in (*combatant.items, *find_launchers(combatant.items)) if can_lob(item)]
    if not lobs:
        return None
    best: Throw | None = None
    for item in lobs:
        if (ready := find_ready(state, combatant, item)) is not None:
            for throw in find_throws(ready, combatant.id, item, foes=foes, worth=worth):
                if best is None or throw.worth > best.worth:
                    best = throw
    if best is None:
        return None
    command = best.submission[1]
    assert isinstance(command, Attack | Lob), "find_throws makes no others"
    item = next(item for item in lobs if item.id == command.weapon)
    if item.place == "held":
        return best
    return Throw(("ready", Handle(actor=combatant.id, weapon=item.id)), best.worth)


def find_ready(state: State, combatant: Combatant, item: Item) -> State | None:
    """The state with an item in hand: now, or drawn with a spare minor action."""
    if item.place == "held":
        return state
    if item.loaded == 0 or not combatant.budget.get(MINOR, 0):
        return None
    if not allows(check_ready_up, state, Handle(actor=combatant.id, weapon=item.id)):
        return None
    items = tuple(replace(own, place="held") if own.id == item.id else own for own in combatant.items)
    ready = replace(combatant, items=items)
    return replace(state, combatants={**state.combatants, combatant.id: ready})


def find_throws(state: State, who: str, item: Item, foes: list[Combatant], worth: float) -> Iterator[Throw]:
    """The possible throws worth more than so many points."""
    for foe in foes[:AT]:
        attack = Attack(actor=who, target=foe.id, weapon=item.id)
        try:
            sight = check_attack(state, attack)
        except Refused:
            continue
        if (points := count_points(state, sight)) > worth:
            bonus = add_up(modifiers_for_flight(state, attack, sight))
            yield Throw(("attack", attack), count_chance(bonus) * points)
    for one, other in itertools.combinations(foes[:BETWEEN], 2):
        lob = Lob(actor=who, weapon=item.id, to=f"between:{one.id}:{other.id}")
        try:
            sight = check_lob(state, lob)
        except Refused:
            continue
        if (points := count_points(state, sight)) > worth:
            yield Throw(("lob", lob), count_chance(add_up(find_terms(state, lob, sight))) * points)


def count_points(state: State, sight: Sight) -> float:
    """The expected points of a throw that lands where it should; 0 for smoke and near the own side."""
    rings, at, own = find_rings(find_payload(sight) or sight.arm), sight.target.at, sight.combatant
    if not rings or is_near_own(state, own, at, rings):
        return 0.0
    points = 0.0
    for caught in find_caught(state, at, rings):
        other = state[caught.who]
        if not is_concealed_from(state, own, other):
            points += weigh_sure(other, rings[caught.ring][1])
    return points


def is_near_own(state: State, own: Combatant, at: Point, rings: Rings) -> bool:
    """Whether someone of the own side is so near that a small scatter would catch them."""
    safe = rings[-1][0] + MARGIN
    for friend in state.combatants.values():
        if friend.side == own.side and not friend.gone and measure(state, at, friend.at) < safe:
            return True
    return False
