"""The worth of an attack: how much of the way to put its target out of the fight it is likely to go."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state.state import Combatant, Item, State

from ..book.options import find_option
from ..book.tables import ARMOR_ROW, FALL_ROW, HEAD, PLACES, ROWS, SPECIAL_ROWS, TORSO
from ..dice import count_highest
from ..fight.aim import (
    Attack,
    Use,
    between_terms,
    check_ready,
    check_target,
    count_called_ranks,
    damage_ranks,
    find_way,
    is_beyond,
    read_use,
)
from ..fight.damage import count_soak, count_toughness
from ..fight.defense import find_defenses
from ..people.values import find_armor, find_mp, find_mp_most, sum_ranks
from ..world.place import count_approach
from ..world.sight_lines import check_seen
from ..world.strides import stride_yards

HARMED = 0.2  # of the way out of the fight: a lost limb, a fall, a lost weapon
MIN_NAMED = 0.3  # the least chance to hit at which someone names a part of the body
TINY = 0.001  # the worth of a hit that does nothing
FACES = 12  # of the die for the location: its 9 knocks out, and its 1 may hit the head
# Someone's share of the way out of the fight by the rows that hit no part, [CG-LOC-08] to [CG-LOC-11]
EVENTS = (1 + HARMED * len((ARMOR_ROW, FALL_ROW, *SPECIAL_ROWS))) / FACES
HITS = {place: [*ROWS.values(), HEAD].count(place) / FACES for place in PLACES}


class Plan(msgspec.Struct, frozen=True):
    """An attack and its worth, from 0 to 1."""

    command: Attack
    worth: float


class Frailty(msgspec.Struct, frozen=True):
    """The soak of a part of the body, the points until it gives way, and what that does: 1 ends the fight."""

    soak: int
    left: int
    share: float


class Arm(msgspec.Struct, frozen=True):
    """A ready weapon, with its ranks and the points of an average hit, against any target."""

    use: Use
    ranks: int
    dealt: float


def find_best(
    state: State, combatant: Combatant, foes: Iterable[Combatant], weapons: tuple[Item, ...] = ()
) -> Plan | None:
    """The best legal attack on one of the enemies, with one of the weapons or with those in hand."""
    held = [item for item in combatant.items if item.kind == "weapon" and item.place == "held"]
    uses = [read_use(item, False) for item in weapons or held]
    arms = [_make_arm(state, combatant, use) for use in uses if allows(check_ready, combatant, use)]
    half = stride_yards(state, combatant, melee=True)
    plans = [plan for foe in foes for plan in _make_plans(state, combatant, foe, arms, half)] if arms else []
    best = max(plans, key=lambda plan: plan.worth, default=None)
    return best if best and best.worth else None


def _make_arm(state: State, combatant: Combatant, use: Use) -> Arm:
    dice, ranks = parse_dice(use.weapon.damage), sum_ranks(state, combatant, use.skill)
    return Arm(use, ranks, dice.count * (dice.sides + 1) / 2 + damage_ranks(state, combatant, use))


def _make_plans(
    state: State, combatant: Combatant, foe: Combatant, arms: list[Arm], half: float
) -> list[Plan]:
    """The best attack on an enemy with each weapon that reaches them, at most half a move away."""
    near = [
        arm
        for arm in arms
        if arm.use.is_distant or not is_beyond(count_approach(combatant, foe, arm.use.reach), half)
    ]
    if not near or not allows(check_target, combatant, foe) or not allows(check_seen, state, combatant, foe):
        return []
    legal = [arm for arm in near if allows(find_way, state, combatant, foe, arm.use)]
    if not legal:
        return []
    frailties = find_frailties(state, foe)
    passing = {distant: _find_passing(state, foe, distant) for distant in {a.use.is_distant for a in legal}}
    return [_make_plan(state, combatant, foe, arm, passing[arm.use.is_distant], frailties) for arm in legal]


def _find_passing(state: State, foe: Combatant, distant: bool) -> float:
    """The chance that a successful attack gets past the best defense."""
    defenses = find_defenses(state, foe, distant)
    return 1 - defenses[0].chance / 100 if defenses else 1.0


def _make_plan(
    state: State,
    combatant: Combatant,
    foe: Combatant,
    arm: Arm,
    passing: float,
    frailties: dict[str, Frailty],
) -> Plan:
    """The best attack with a weapon that reaches an enemy, with or without naming a part."""
    ranks = arm.ranks + add_up(between_terms(state, combatant, foe, arm.use))
    shares = find_shares(state, arm.dealt, frailties)
    worths = {}
    for called, share in shares.items():
        if called and share <= shares[""]:
            continue
        chance = count_highest(state, ranks + count_called_ranks(state, called)) / 100
        if not called or chance >= MIN_NAMED:
            worths[called] = chance * (passing * share + TINY)
    best = max(worths, key=worths.__getitem__)
    attack = Attack(actor=combatant.id, target=foe.id, weapon=arm.use.item.id, called=best)  # type: ignore[arg-type]  # of find_shares
    return Plan(attack, worths[best])


def find_shares(state: State, dealt: float, frailties: dict[str, Frailty]) -> dict[str, float]:
    """How far a hit puts someone out of the fight, 0 to 1, by the part that is named; "" names none.

    It deals so many points. [CG-LOC-01] Without a name all rows of the d12 count, [CG-LOC-10] also the one
    that knocks out.
    """
    shares, rolled = {HEAD: 1.0, TORSO: 1.0}, 0.0
    for place, part in frailties.items():
        points = dealt - part.soak
        shares[place] = part.share * min(1.0, points / part.left) if points > 0 else 0.0
        rolled += HITS[place] * shares[place]
    named = {} if find_option(state, "called_shots") == "off" else {HEAD: shares[HEAD], TORSO: shares[TORSO]}
    return {"": rolled + EVENTS, **named}


def find_frailties(state: State, target: Combatant) -> dict[str, Frailty]:
    """How well each part of the body that still counts resists.

    [CG-HEAD-01] [CG-LIMB-01] A head or a limb gives way at half of its points, [CG-TORSO-04] the torso at 0.
    """
    found, tough, how = {}, count_toughness(state, target), find_option(state, "soak")
    for place in PLACES:
        now = find_mp(target, place)
        left = now if place == TORSO else now - find_mp_most(target, place) // 2
        if left > 0:
            soak = sum(count_soak(how, find_armor(target, place), tough))
            found[place] = Frailty(soak, left, 1.0 if place in (HEAD, TORSO) else HARMED)
    return found
