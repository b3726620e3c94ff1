"""An attack before the roll: its form, its checks and its sums; the ranges of weapons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, adjusted
from combat.rules.core.declaration.parts import HEXAGON, OCTAGON, SQUARE, Ring
from combat.rules.core.space import Zone
from combat.rules.core.state.state import Combatant, Item, State, is_acting

from ..book.options import find_option
from ..book.tables import ELEVATED_BONUS, HANDS, VALUES, ZONE_METERS, Weapon
from ..characters.conditions import check_target, terms_of
from ..characters.sheet import (
    ATTRIBUTES,
    attribute,
    attribute_terms,
    count_hands,
    features_of,
    read_weapon,
    value_terms,
)
from ..dice import action_penalty, assist_terms, made_up_terms, skill_terms
from ..world.economy import check_weapon_rate, count_attacks
from ..world.place import (
    count_between,
    count_range,
    describe_range_to,
    describe_way_to,
    find_level,
    has_ground,
    has_hexes,
    in_melee,
    is_map,
    melee_reach,
    zone_of,
)
from ..world.sight_lines import check_open, check_seen, fallen_choices, find_thing, is_within, obstacle_terms

PAYLOAD = "payload"
MODES = {"melee": "in melee", "thrown": "thrown", "ranged": "at range"}
MAX_STEPS = 6  # rings of one weapon


class Attack(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An attack with one weapon on one target. [SS-ATK-01] [SS-ATK-02]

    `mode` and `using` (the attribute) are chosen automatically if empty. `seen` means that the table says
    that nothing on the map is in the way.
    """

    target: str
    weapon: str
    mode: Literal["", "melee", "thrown", "ranged"] = ""
    using: Literal["", "str", "dex", "int", "prs"] = ""
    seen: bool = False


class Swing(msgspec.Struct, frozen=True, kw_only=True):
    """An attack in progress. `free` has no Action Penalty; `bonus` counts the attacks that led to it.

    `malus` is the cost of bonus attacks outside the actor's turn. `taken` are the chosen maneuvers by their
    place, `payload` is the dose that the weapon had; `shown` the damage die that may be rolled again;
    `onward` the step to continue with afterwards.
    """

    command: Attack
    free: bool = False
    bonus: int = 0
    malus: int = 0
    taken: tuple[int, ...] = ()
    payload: str = ""
    shown: int = 0
    onward: tuple[Any, ...] = ()


def find_weapon(state: State, command: Attack) -> Item:
    """The weapon of a command, even just after it was thrown; Refused if it is no weapon."""
    for items in (state[command.actor].items, state.ground):
        for item in items:
            if item.id == command.weapon and item.kind == "weapon":
                return item
    raise Refused("bad_value", "Choose one of the weapons in hand.")


def find_mode(state: State, command: Attack) -> str:
    """The use of the weapon: melee where it reaches, else thrown or shot.  RULING R17"""
    combatant, target = state[command.actor], state[command.target]
    weapon = read_weapon(find_weapon(state, command))
    return command.mode or choose_mode(state, combatant, target, weapon=weapon, seen=command.seen)


def choose_mode(state: State, combatant: Combatant, target: Combatant, weapon: Weapon, seen: bool) -> str:
    """The use that a weapon has if none is named.  RULING R17"""
    modes = weapon.modes
    if "melee" in modes and can_strike(state, combatant, target, seen):
        return "melee"
    return "ranged" if "ranged" in modes else "thrown" if "thrown" in modes else "melee"


def can_strike(state: State, one: Combatant, other: Combatant, seen: bool) -> bool:
    """Whether melee reaches; with `seen`, nothing is in the way. [SS-RANGE-01]  RULING R17"""
    return in_melee(state, one, other) if seen else is_within(state, one, other, melee_reach(state))


# ---------------------------------------------------------------- checks


def check_attack(state: State, command: Attack) -> None:
    """Refuse a bad target, an unready weapon, or a target out of reach. [SS-ATK-01] [SS-ATK-02]"""
    combatant, target = state[command.actor], state[command.target]
    if combatant.id == target.id:
        raise Refused("bad_target", "Choose someone else as the target.")
    check_target(target, "attack")
    item = find_thing(state, command.actor, command.weapon)
    if item.kind != "weapon":
        raise Refused("bad_value", f"{item.name} is not a weapon: choose one in hand.")
    check_ready(item)
    check_grip(state, combatant, item)
    weapon = read_weapon(item)
    if command.using and command.using not in weapon.attributes:
        known = " or ".join(ATTRIBUTES[key] for key in weapon.attributes)
        raise Refused("bad_value", f"{item.name} is used with {known}, not {ATTRIBUTES[command.using]}.")
    check_way(state, combatant, target, weapon=weapon, mode=command.mode, seen=command.seen)


def check_way(
    state: State, combatant: Combatant, target: Combatant, weapon: Weapon, mode: str = "", seen: bool = False
) -> None:
    """Refuse a target that a weapon does not reach, in the named use or the one it has."""
    if not seen:
        check_seen(state, combatant, target)
    mode = mode or choose_mode(state, combatant, target, weapon=weapon, seen=seen)
    check_reach(state, combatant, target, weapon=weapon, mode=mode, seen=seen)


def describe_modes(modes: Iterable[str]) -> str:
    """The possible uses of a weapon, in words."""
    return " or ".join(MODES[mode] for mode in modes)


def check_ready(item: Item) -> None:
    """Refuse a weapon that is not held, or not loaded if it needs loading. [SS-ATK-01]  RULING R16 R46"""
    if item.place != "held":
        raise Refused("not_allowed", f"{item.name} is not in hand: draw it (Change items).")
    if item.loaded == 0:
        repair = item.data.get("reload") == "repair"
        raise Refused(
            "no_budget", f"{item.name} is empty: {'it needs repair' if repair else 'reload it (an action)'}."
        )


def check_grip(state: State, combatant: Combatant, item: Item) -> None:
    """Refuse a two-handed weapon while one hand holds another item. [SS-FREE-10]  RULING R13 R16"""
    if count_hands(item) != HANDS or find_option(state, "two_handed") == "ignored":
        return
    others = [i for i in combatant.items if i.place == "held" and i.id != item.id and count_hands(i)]
    if others:
        names = " and ".join(other.name for other in others)
        raise Refused("not_allowed", f"{item.name} takes both hands: put {names} away.")


def check_reach(
    state: State, combatant: Combatant, target: Combatant, weapon: Weapon, mode: str, seen: bool
) -> None:
    """Refuse a target beyond the weapon's reach. [SS-RANGE-01] [SS-RANGE-02]  RULING R17 R18"""
    if mode not in weapon.modes:
        raise Refused(
            "bad_value", f"{weapon.name} is used {describe_modes(weapon.modes)}, not {MODES[mode]}."
        )
    if mode == "melee":
        if not in_melee(state, combatant, target):
            away = describe_way_to(state, combatant, target)
            reach = f"{melee_reach(state)} m" if is_map(state) else "the same zone"
            text = f"Out of reach ({weapon.name} reaches {reach}): {target.name} is {away}."
            raise Refused("out_of_range", text)
        if not seen:
            check_open(state, combatant, target)
        return
    steps = count_range(state, combatant, target)
    limits = [
        n for n in (find_option(state, "max_range_zones"), weapon.max_zones) if isinstance(n, int) and n
    ]
    if limits and steps > min(limits):
        away = describe_range_to(state, combatant, target)
        most = "1 zone" if min(limits) == 1 else f"{min(limits)} zones"
        text = f"Out of range ({weapon.name} reaches {most}): {target.name} is {away}."
        raise Refused("out_of_range", text)


# ---------------------------------------------------------------- sums


def attack_attribute(combatant: Combatant, weapon: Weapon, using: str = "") -> str:
    """The attribute that the weapon names; the better of several. [SS-ATK-04]"""
    if using and using in weapon.attributes:
        return using
    return max(weapon.attributes, key=lambda key: attribute(combatant, key))


def modifiers_for_attack(state: State, swing: Swing, weapon: Weapon, paid: bool = True) -> Modifiers:
    """Every term added to the attack dice. [SS-ATK-03]"""
    command = swing.command
    combatant, target = state[command.actor], state[command.target]
    key = attack_attribute(combatant, weapon, command.using)
    mode = command.mode or choose_mode(state, combatant, target, weapon=weapon, seen=command.seen)
    terms = (
        *attribute_terms(combatant, key, "SS-ATK-04"),
        *skill_terms(combatant, *weapon.skills),
        *(() if mode == "melee" else _range_terms(state, combatant, target, weapon)),
        *_penalty_terms(state, combatant, weapon, swing=swing, paid=paid),
        *_condition_terms(state, combatant, target),
        *_zone_terms(state, combatant, target, mode),
        *(() if command.seen else obstacle_terms(state, combatant, target)),
        *made_up_terms(state, combatant),
        *feature_terms(combatant, weapon, mode),
        *assist_terms(state, combatant, key, *weapon.skills),
    )
    return adjusted(command, terms, "SS-ATK-03")


def _range_terms(state: State, combatant: Combatant, target: Combatant, weapon: Weapon) -> list[Modifier]:
    """-1 for each zone or 5 m; some weapons differ. [SS-RANGE-03] [SS-RANGE-04] [SS-RANGE-05]"""
    far, rule = count_range(state, combatant, target), "SS-RANGE-03"
    steps, near = far // weapon.zones_per_penalty, not far
    if is_map(state):
        meters, each = count_between(state, combatant, target), ZONE_METERS * weapon.zones_per_penalty
        up = find_option(state, "range_rounding") == "up"
        steps, rule = -(-meters // each) if up else meters // each, "SS-RANGE-04"
        near = meters < ZONE_METERS
    if steps:
        label = _describe_range(state, combatant, target)
        return [Modifier(label, -steps, "SS-RANGE-05" if weapon.zones_per_penalty > 1 else rule)]
    return (
        [Modifier("term.too_close", weapon.near_penalty, "SS-RANGE-05")]
        if near and weapon.near_penalty
        else []
    )


def _describe_range(state: State, combatant: Combatant, target: Combatant) -> Label:
    if is_map(state):
        return say("term.range_metres", metres=count_between(state, combatant, target))
    return say("term.range_zones", n=count_range(state, combatant, target))


def _penalty_terms(
    state: State, combatant: Combatant, weapon: Weapon, swing: Swing, paid: bool
) -> list[Modifier]:
    """The Action Penalty, and that of bonus attacks [SS-PEN-01]; none on a free attack. [SS-ZONE-09]

    RULING R46: bonus attacks add a penalty to all later attacks of the turn.
    """
    terms = [] if swing.free else [*action_penalty(state, combatant, paid)]
    if terms and _ignores_penalty(combatant, weapon, swing.bonus, paid):
        terms = []
    malus = swing.malus
    if not swing.free and is_acting(state, combatant.id):
        malus = int(combatant.marks.get("malus", 0))
    if malus:
        terms.append(Modifier("term.bonus_attacks", -malus, "SS-MANV-03"))
    return terms


def _ignores_penalty(combatant: Combatant, weapon: Weapon, bonus: int, paid: bool) -> bool:
    """Whether the weapon has no penalty, or training removes it for the only attack of a turn."""
    if weapon.ignores_action_penalty:
        return True
    skills = {f.ignores_penalty_with for f in features_of(combatant)}
    alone = bonus == 0 and count_attacks(combatant) <= (1 if paid else 0)
    return alone and not skills.isdisjoint(weapon.skills)


def _condition_terms(state: State, combatant: Combatant, target: Combatant) -> list[Modifier]:
    """What conditions of either change; each counts, RULING R38 R39. [SS-PRONE-01] [SS-PRONE-03]

    [SS-BLIND-01] Being blind counts unless heat shows the target.
    """
    terms = [*terms_of(combatant, "attack"), *terms_of(target, "attack_on")]
    unseen = terms_of(combatant, "attack_unseen")
    return terms if not unseen or _sees_heat(state, combatant, target) else [*terms, *unseen]


def _sees_heat(state: State, combatant: Combatant, target: Combatant) -> bool:
    meters = max((f.sees_heat_m for f in features_of(combatant)), default=0)
    if not meters:
        return False
    far = count_between(state, combatant, target) if is_map(state) else None
    return (
        far <= meters if far is not None else count_range(state, combatant, target) <= meters // ZONE_METERS
    )


def _zone_terms(state: State, combatant: Combatant, target: Combatant, mode: str) -> list[Modifier]:
    """Downward shots [SS-ZONE-13]; the GM's own properties of either zone. [SS-ZONE-11]"""
    here, there = zone_of(state, combatant), zone_of(state, target)
    if here == there:
        return []
    terms = []
    scene = state.scene
    down = has_ground(here, "elevated") and find_level(scene, there) < find_level(scene, here)
    if down and mode != "melee":
        terms.append(Modifier("term.elevated", ELEVATED_BONUS, "SS-ZONE-13"))
    terms += [Modifier(p.name, p.into, "SS-ZONE-11") for p in _properties(there) if p.into]
    terms += [Modifier(p.name, p.out, "SS-ZONE-11") for p in _properties(here) if p.out]
    return terms


def _properties(zone: Zone | None) -> tuple[Any, ...]:
    return zone.properties if zone else ()


def feature_terms(combatant: Combatant, weapon: Weapon, mode: str) -> list[Modifier]:
    """What training adds to attacks with a part of the body. [SS-ATK-03]  RULING R48"""
    if weapon.hands or mode != "melee":
        return []
    return [Modifier(f.name, f.unarmed, "SS-ATK-03") for f in features_of(combatant) if f.unarmed]


def value_against(state: State, command: Attack) -> Modifiers:
    """The target's Armor or Resistance, as the weapon says. [SS-ATK-06] [SS-ATK-07]

    [SS-DEF-02] [SS-DEF-04]
    """
    weapon = read_weapon(find_weapon(state, command))
    return value_terms(state, state[command.target], weapon.versus)


# ---------------------------------------------------------------- forms


def weapon_choices(state: State, combatant: Combatant) -> tuple[Choice, ...]:
    """The combatant's weapons for a form; those not ready are refused with the reason."""
    found = [
        Choice(item.id, item.name, describe_weapon(item), _refusal(state, combatant, item))
        for item in combatant.items
        if item.kind == "weapon"
    ]
    return (*sorted(found, key=lambda choice: bool(choice.refused)), *fallen_choices(state, combatant.id))


def _refusal(state: State, combatant: Combatant, item: Item) -> str:
    return (
        why_refused(check_ready, item)
        or why_refused(check_grip, state, combatant, item)
        or why_refused(check_weapon_rate, state, combatant, item.id)
    )


def mean_damage(notation: str) -> float:
    """The average damage of a weapon, in points, by the dice in its record."""
    dice = parse_dice(notation)
    return dice.count * (dice.sides + 1) / 2 + dice.plus


def describe_weapon(item: Item) -> str:
    """A line about a weapon: damage, value, use, rounds."""
    data = item.data
    rounds = "" if item.loaded is None else f", {item.loaded}/{data['magazine']}"
    return f"{data['damage']} vs {VALUES[data['versus']]}, {describe_modes(data['modes'])}{rounds}"


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """Melee reach and each step of range on a map, in meters. [SS-RANGE-01] [SS-RANGE-04]"""
    if not is_map(state):
        return ()
    known = {item.id: item for item in combatant.items}
    weapons = [known[choice.value] for choice in weapon_choices(state, combatant) if choice.value in known]
    return tuple(ring for item in weapons for ring in _find_rings(state, item))


def _find_rings(state: State, item: Item) -> Iterator[Ring]:
    weapon, shape = read_weapon(item), find_shape(state)
    if "melee" in weapon.modes:
        reach = melee_reach(state)
        yield Ring(item.id, reach, f"{item.name}: reach {reach} m", shape)
    if not {"ranged", "thrown"} & set(weapon.modes):
        return
    each, up = ZONE_METERS * weapon.zones_per_penalty, find_option(state, "range_rounding") == "up"
    limits = [
        n for n in (find_option(state, "max_range_zones"), weapon.max_zones) if isinstance(n, int) and n
    ]
    most = min([(limit + 1 - up) * ZONE_METERS - (not up) for limit in limits], default=MAX_STEPS * each)
    for step in range(MAX_STEPS):
        meters = (step + 1) * each - (not up)
        cost = step + up
        words = f"{meters} m: \N{MINUS SIGN}{cost}" if cost else f"{item.name}: {meters} m"
        if meters <= most:
            yield Ring(item.id, meters, words, shape)


def find_shape(state: State) -> str:
    """The shape of all places within a distance. [SS-MAP-04] [SS-MAP-05]"""
    if has_hexes(state):
        return HEXAGON
    return OCTAGON if find_option(state, "diagonal") == "five_ten_alternate" else SQUARE
