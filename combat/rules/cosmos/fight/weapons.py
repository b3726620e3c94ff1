"""Weapons in hand: readiness, ammunition, modifiers, ranges and their display."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import Ring
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, replace, with_loaded

from ..book.options import find_option
from ..book.tables import RANGE_STEPS, ROUND_SECONDS
from ..book.traits import count_rounds_between, find_demands, find_traits, has_tag
from ..characters.catalogue import check_hands
from ..characters.conditions import KINDS
from ..characters.sheet import attribute
from ..environment import find_wet_weapon
from ..world.scene import find_reach, is_melee
from ..world.sight_lines import fallen_choices


def check_attacks(state: State, actor: str) -> None:
    """Refuse attacks under Total Defense, to gray out an action."""
    check_may_attack(state.combatants[actor])


def check_may_attack(combatant: Combatant) -> None:
    """Total Defense forbids every kind of attack until the next turn. [COS-COMBO-13]"""
    KINDS.check(combatant, "attack")


def check_weapon(state: State, combatant: Combatant, weapon: Item) -> None:
    """Refuse a weapon that is not ready: stowed, jammed, too heavy, slow, or for two hands.

    [COS-COND-24] The grappled use only small weapons.
    """
    if weapon.place != "held" and not is_at_hand(state, weapon):
        raise Refused("not_allowed", f"{weapon.name} is not in hand: draw it first (Move Action).")
    if not has_tag(weapon.data, "small"):
        KINDS.check(combatant, "large_weapon", weapon=weapon.name)
    might, hands = find_demands(weapon.data)
    if might and attribute(combatant, "MIG") < might:
        raise Refused("not_allowed", f"{weapon.name} needs Might {might}.")
    if hands > 1:
        check_hands(combatant, weapon)
    if weapon.marks.get("jammed"):
        raise Refused("not_allowed", f"{weapon.name} has jammed: clear it with a Move Action.")
    if wet := find_wet_weapon(state, combatant, weapon):
        raise Refused("not_allowed", wet)
    left = (int(weapon.marks.get("ready_at", 0)) - state.clock) // ROUND_SECONDS
    if left > 0:
        when = "next round" if left == 1 else f"in {left} rounds"
        raise Refused("not_allowed", f"{weapon.name} is slow: it is ready again {when}.")


def is_at_hand(state: State, weapon: Item) -> bool:
    """Whether a carried grenade can be thrown from the belt at this table. [COS-ACT-10]  RULING R58"""
    is_grenade = weapon.data["mode"] == "thrown" and has_tag(weapon.data, "area")
    return is_grenade and weapon.place == "carried" and bool(find_option(state, "grenades_at_hand"))


def check_rounds(state: State, weapon: Item, needed: int) -> None:
    """Refuse an attack without ammunition. [COS-ATK-11]"""
    if weapon.loaded is None or not find_option(state, "track_ammunition"):
        return
    if weapon.loaded < 1:
        raise Refused("no_budget", f"{weapon.name} is empty: reload it (Move Action).")
    if weapon.loaded < needed:
        rounds = "round" if weapon.loaded == 1 else "rounds"
        raise Refused("no_budget", f"{weapon.name} holds {weapon.loaded} {rounds}, this needs {needed}.")


def equipment_bonus(weapon: Item) -> int:
    """The bonus of a weapon in points, less the points lost to criticals.  [COS-CRIT-06]"""
    return max(0, int(weapon.data["equipment"]) - int(weapon.marks.get("damaged", 0)))


def weapon_terms(weapon: Item) -> list[Modifier]:
    """The equipment bonus and what the weapon's traits add. [COS-ATK-03]"""
    bonus = equipment_bonus(weapon)
    terms = [Modifier(weapon.name, bonus, "COS-ATK-03")] if bonus else []
    rows = find_traits(weapon.data)
    return terms + [Modifier(row.name, row.attack, row.rule) for row in rows if row.attack] if rows else terms


def use_ammunition(
    context: RuleContext, who: str, weapon: Item, rounds: int, at: Point | None = None
) -> None:
    """Use rounds from the magazine; a thrown weapon falls `at` its target point. [COS-ATK-11]"""
    counts = find_option(context.state, "track_ammunition")
    if weapon.data["mode"] == "thrown":
        if weapon.loaded is not None and counts:
            thrown = replace(weapon, place="ground" if at else "spent", at=at)
            context.emit(e.ItemLost(who, thrown, "how.throws"), "COS-ATK-11")
        return
    after = weapon
    if weapon.loaded is not None and counts:
        after = with_loaded(weapon, weapon.loaded - rounds)
    rows = find_traits(weapon.data)
    if rows and (between := count_rounds_between(rows)) > 1:
        ready_at = context.state.clock + between * ROUND_SECONDS
        after = replace(after, marks={**weapon.marks, "ready_at": ready_at})
    if after is not weapon:
        context.emit(e.ItemChanged(who, after, ""), "COS-ATK-11")


def weapon_choices(state: State, combatant: Combatant, melee: bool | None = None) -> tuple[Choice, ...]:
    """The combatant's weapons for a form, those of the body last; the reason refuses those not ready."""
    found = []
    for item in sorted(combatant.items, key=lambda item: has_tag(item.data, "built in")):
        if item.kind != "weapon" or has_tag(item.data, "area"):
            continue
        if melee is not None and is_melee(item) != melee:
            continue
        found.append(Choice(item.id, item.name, describe_weapon(item), _refusal(state, combatant, item)))
    fallen = fallen_choices(state, combatant.id, lambda item: melee in (None, is_melee(item)))
    return (*sorted(found, key=lambda choice: bool(choice.refused)), *fallen)


def _refusal(state: State, combatant: Combatant, item: Item) -> str:
    return why_refused(check_weapon, state, combatant, item) or why_refused(check_rounds, state, item, 1)


def describe_weapon(item: Item) -> str:
    """A line about a weapon: damage, reach or range, rounds."""
    data = item.data
    far = f"reach {data.get('reach_m') or 1} m" if is_melee(item) else f"{data.get('range_m')} m"
    rounds = "" if item.loaded is None else f", {item.loaded}/{data['magazine']}"
    return f"{data['damage']} {data['type']}, {far}{rounds}"


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """Reach, listed range and what is beyond, in meters; ready weapons first. [COS-ATK-05] [COS-ATK-09]"""
    known = {item.id: item for item in combatant.items}
    weapons = [known[choice.value] for choice in weapon_choices(state, combatant) if choice.value in known]
    return tuple(ring for item in weapons for ring in _find_rings(state, combatant, item))


def _find_rings(state: State, combatant: Combatant, item: Item) -> Iterator[Ring]:
    if is_melee(item):
        reach = find_reach(combatant, item)
        yield Ring(item.id, reach, f"{item.name}: reach {reach} m")
        return
    listed = int(item.data.get("range_m") or 0)
    short = item.data["mode"] == "thrown" or not find_option(state, "range_bands")
    for step in RANGE_STEPS[:1] if short else RANGE_STEPS:
        meters = step.times * listed
        cost = f": {step.modifier}".replace("-", "\N{MINUS SIGN}") if step.modifier else ""
        yield Ring(item.id, meters, f"{item.name}: {meters} m" if not cost else f"{meters} m{cost}")
