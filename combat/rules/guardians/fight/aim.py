"""An attack before the roll: what it is, its checks and its sums."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, adjusted
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.space import map_of
from combat.rules.core.space.paths import is_open
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..book.options import find_option
from ..book.tables import HEAD, TORSO, Weapon, skills
from ..book.traits import find_reach_yards, find_throw_yards
from ..characters.conditions import check_bars
from ..characters.sheet import read_weapon
from ..characters.values import find_ranks, rank_terms
from ..world.reach import (
    NEAR,
    SLACK,
    check_grip,
    check_open,
    check_seen,
    count_approach,
    count_range_ranks,
    describe_distance,
    find_grid,
    find_thing,
    in_yards,
    obstacle_terms,
)
from ..world.strides import find_place_beside, stride_yards, tell_hindrances

Place = Literal["", "head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
DISTANT = ("thrown", "missile")
CALLED = {HEAD: "called_head", TORSO: "called_torso"}  # the options of parts; all others are limbs


class Attack(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack with one weapon or the bare hands on one target. [CG-ATK-01]

    `called` names a part of the body beforehand [CG-REF-04]; `thrown` throws a weapon that can also be held.
    `seen` means that the table says that nothing on the map is in the way. A melee attacker moves to the
    target automatically, as far as half a move allows.
    """

    target: str
    weapon: str
    called: Place = ""
    thrown: bool = False
    seen: bool = False


class Use(msgspec.Struct, frozen=True):
    """A weapon in its current use: kind, skill, and the Attribute that adds to its damage.

    It is `is_distant` if thrown or shot; else its blow reaches `reach` yards.
    """

    item: Item
    weapon: Weapon
    kind: str
    skill: str
    attribute: str
    is_distant: bool
    reach: float


class Aim(msgspec.Struct, frozen=True):
    """A legal attack: the weapon in its use, and the yards to go before a blow."""

    use: Use
    needed: float = 0.0


def find_use(state: State, command: Attack) -> Use:
    """The weapon with its skill; when thrown, with the skill for that. [CG-ATK-01]  RULING R2"""
    for item in state.combatants[command.actor].items:
        if item.id == command.weapon:
            return read_use(item, command.thrown)
    return read_use(find_thing(state, command.actor, command.weapon), command.thrown)


def read_use(item: Item, thrown: bool) -> Use:
    """An item in its use as a weapon; Refused if it is none, or cannot be thrown. [CG-ATK-01]  RULING R2"""
    if item.kind != "weapon":
        raise Refused("bad_value", f"{item.name} is not a weapon: choose one in hand.")
    weapon = read_weapon(item)
    reach = find_reach_yards(weapon)
    if not thrown or weapon.kind == "thrown":
        is_distant = weapon.kind in DISTANT
        return Use(
            item,
            weapon,
            weapon.kind,
            skill=weapon.skill,
            attribute=weapon.damage_attribute,
            is_distant=is_distant,
            reach=reach,
        )
    yards = find_throw_yards(weapon)
    if not yards:
        raise Refused("bad_value", f"{item.name} cannot be thrown: use it hand to hand.")
    flying = msgspec.structs.replace(weapon, range_yards=weapon.range_yards or yards)
    skill = next(row.id for row in skills().values() if row.attack_kind == "thrown")
    return Use(item, flying, "thrown", skill=skill, attribute="coordination", is_distant=True, reach=reach)


def is_throwable(item: Item) -> bool:
    """Whether an item is a weapon for blows that can also be thrown. [CG-ATK-01]"""
    return item.kind == "weapon" and bool(find_throw_yards(read_weapon(item)))


# ---------------------------------------------------------------- checks


def check_attack(state: State, command: Attack) -> Aim:
    """The attack as aimed; Refused for a bad target, no weapon in hand, out of reach, or prone."""
    combatant, target = state[command.actor], state[command.target]
    if command.called and find_option(state, "called_shots") == "off":
        raise Refused("not_allowed", "House rule: no called shots. Attack without naming a part.")
    use = find_use(state, command)
    return aim(state, combatant, target, use=use, seen=command.seen)


def aim(state: State, combatant: Combatant, target: Combatant, use: Use, seen: bool = False) -> Aim:
    """An attack with a weapon as `check_attack` finds it legal; else Refused."""
    check_target(combatant, target)
    check_ready(combatant, use)
    if not seen:
        check_seen(state, combatant, target)
    return find_way(state, combatant, target, use=use, seen=seen)


def check_target(combatant: Combatant, target: Combatant) -> None:
    """Refuse a target who is the attacker, or whom a condition bars."""
    if combatant.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    check_bars(target, "attack", "bad_target")


def check_ready(combatant: Combatant, use: Use) -> None:
    """Refuse someone prone [CG-PRONE-01], and a weapon that is not in hand or takes more arms."""
    check_bars(combatant, "combat")
    if use.item.place != "held":
        raise Refused("not_allowed", f"{use.item.name} is not in hand: draw it first.")
    check_grip(combatant, use.item)


def find_way(state: State, combatant: Combatant, target: Combatant, use: Use, seen: bool = False) -> Aim:
    """A weapon in hand aimed at a target in sight; Refused if a blow does not reach them."""
    if use.is_distant:
        return Aim(use)
    needed = count_approach(combatant, target, use.reach)
    if needed:
        check_reach(state, combatant, target, use=use, needed=needed)
    elif not seen:
        check_open(state, combatant, target)
    return Aim(use, needed)


def check_standing(state: State, actor: str) -> None:
    """Refuse the prone: they must get up before any other combat action. [CG-PRONE-01]"""
    check_bars(state[actor], "combat")


def check_reach(state: State, combatant: Combatant, target: Combatant, use: Use, needed: float) -> None:
    """Refuse a melee blow with so many yards to go beyond half a move, or no straight way. [CG-MOVE-03]"""
    battle_map, grid, here = map_of(state.scene), find_grid(state), combatant.at
    end = find_place_beside(state, combatant, target, use.reach)
    is_clear = is_open(battle_map, grid, here, target.at)
    if not (is_clear and is_open(battle_map, grid, here, b=end, meters=meters_of(combatant))):
        raise Refused("out_of_range", f"Something is in the way to {target.name}: go round it first.")
    half = stride_yards(state, combatant, melee=True)
    if is_beyond(needed, half):
        away = describe_distance(state, combatant, target)
        text = f"{target.name} is {away} away, half a move is {half:g} yd{tell_hindrances(state, combatant)}"
        raise Refused("out_of_range", f"{text}: move closer, or shoot.")
    rise = abs(end.z - target.at.z)
    if rise > max(use.reach, NEAR):
        text = f"{target.name} stands {in_yards(rise)} higher or lower: go to that ground first."
        raise Refused("out_of_range", text)


def is_beyond(needed: float, half: float) -> bool:
    """Whether so many yards to go are more than half a move. [CG-MOVE-03]"""
    return needed > half + SLACK


# ---------------------------------------------------------------- sums


def count_called_ranks(state: State, place: str) -> int:
    """The cost of naming a part, in ranks. [CG-REF-04]  RULING R34"""
    return int(find_option(state, CALLED.get(place, "called_limb"))) if place else 0


def attack_terms(state: State, command: Attack, use: Use) -> Modifiers:
    """The ranks of an attack, term by term. [CG-ATK-01] [CG-ATK-02]  RULING R2 R35"""
    combatant, target = state[command.actor], state[command.target]
    terms = [*rank_terms(state, combatant, use.skill, "CG-ATK-01")]
    if called := count_called_ranks(state, command.called):
        terms.append(Modifier(say("term.called", part=f"place.{command.called}"), called, "CG-REF-04"))
    terms += between_terms(state, combatant, target, use=use, seen=command.seen)
    return adjusted(command, tuple(terms), "CG-ATK-01")


def between_terms(
    state: State, combatant: Combatant, target: Combatant, use: Use, seen: bool = False
) -> Modifiers:
    """What the range and the obstacles between two combatants cost. [CG-REF-11]  RULING R35"""
    steps = count_range_ranks(state, combatant, target, use.weapon) if use.is_distant else 0
    terms = (Modifier("term.range", steps, "CG-REF-05"),) if steps else ()
    if seen:
        return terms
    return (*terms, *obstacle_terms(state, _go_up(state, combatant, target, use), target))


def _go_up(state: State, combatant: Combatant, target: Combatant, use: Use) -> Combatant:
    """Someone at the place from which they strike: for a blow, after the way to the target. [CG-MOVE-03]"""
    if use.is_distant or not count_approach(combatant, target, use.reach):
        return combatant
    return replace(combatant, at=find_place_beside(state, combatant, target, use.reach))


def damage_ranks(state: State, combatant: Combatant, use: Use) -> int:
    """The points that Body or Coordination add to damage. [CG-REF-05]  RULING R19"""
    share = find_option(state, "attribute_damage")
    ranks = find_ranks(state, combatant, use.attribute, roll=False)
    return {"full_ranks": ranks, "half_ranks": ranks // 2}.get(str(share), 0)
