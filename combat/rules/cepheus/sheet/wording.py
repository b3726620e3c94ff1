"""The important numbers of a combatant now, each with its sum, for rows and cards."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up
from combat.rules.core.state.state import Combatant, State

from ..body.armor import find_layers
from ..book.tables import PHYSICAL
from ..characters.machinery import DRIVER, counts_hull_hits, find_speed, find_top_speed, find_vehicle
from ..characters.values import find_dm, find_full, find_score, is_machine, is_vehicle
from ..dice.rolls import hindrances
from ..vehicles.driving import MUST_WEAVE, control_terms
from ..vehicles.facing import NAMES as FACING_NAMES
from ..vehicles.facing import find_facing
from ..world.order import BASE


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Armor, Initiative, characteristics and the penalties of this round; for machines their points.
    [CE-ARMOR-01] [CE-ROUND-03] [CE-REACT-03]"""
    if is_machine(combatant):
        return (*describe_machine(state, combatant), *describe_initiative(combatant))
    return (
        describe_armor(combatant),
        *describe_initiative(combatant),
        *(describe_score(combatant, key) for key in PHYSICAL),
        *describe_hindrances(state, combatant),
        *describe_ride(state, combatant),
    )


def describe_armor(combatant: Combatant) -> Derived:
    """The points that armor takes off a hit other than a laser's. [CE-ARMOR-01]  RULING R75"""
    layers = find_layers(combatant, "")
    terms = tuple(Modifier(label, points, "CE-ARMOR-01") for label, points in layers)
    return Derived("Armor", add_up(terms), terms, "CE-ARMOR-01")


def describe_initiative(combatant: Combatant) -> tuple[Derived, ...]:
    """Initiative of this round: the score, and its changes. [CE-INIT-02] [CE-ROUND-11]  RULING R4"""
    if combatant.initiative is None:
        return ()
    base = int(combatant.marks.get(BASE, combatant.initiative))
    changed = int(combatant.initiative) - base
    terms: Modifiers = (Modifier("term.base_initiative", base, "CE-INIT-02"),)
    if changed:
        terms = (*terms, Modifier("term.changed_initiative", changed, "CE-ROUND-11"))
    return (Derived("Initiative", base + changed, terms, "CE-ROUND-03"),)


def describe_dm(combatant: Combatant, key: str) -> Derived:
    """The DM of the current score of a characteristic.  RULING R1"""
    dm = find_dm(combatant, key)
    terms = (Modifier(f"term.{key}", dm, "CE-DMG-01"),)
    return Derived(f"{key.capitalize()} DM", dm, terms, "CE-DMG-01", signed=True)


def describe_score(combatant: Combatant, key: str) -> Derived:
    """The current score of a characteristic: undamaged, lost to wounds, and the resulting DM.  RULING R1"""
    full, now, dm = find_full(combatant, key), find_score(combatant, key), find_dm(combatant, key)
    terms: Modifiers = (Modifier("term.undamaged", full, "CE-DMG-09"),)
    if now != full:
        terms = (*terms, Modifier("term.wounds", now - full, "CE-DMG-09"))
    sign = "+" if dm >= 0 else "\N{MINUS SIGN}"
    return Derived(key.capitalize(), now, terms, rule="CE-DMG-09", unit=f" (DM {sign}{abs(dm)})")


def describe_hindrances(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The penalty on every skill check now, if any. [CE-REACT-06]"""
    terms = tuple(hindrances(state, combatant, "athletics"))
    return (Derived("On skill checks", add_up(terms), terms, "CE-REACT-03", signed=True),) if terms else ()


def describe_ride(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The state of the vehicle for someone inside; at the controls its movement as well.  [CE-VEH-01]"""
    vehicle = find_vehicle(state, combatant.id)
    if vehicle is None or not is_vehicle(vehicle):
        return ()
    points = describe_body(state, vehicle, "Vehicle armor")
    return (*points, *(describe_driving(state, vehicle) if combatant.station == DRIVER else ()))


def describe_facing(vehicle: Combatant) -> Derived:
    """The direction of a vehicle's nose on the map. [CE-VEH-02]"""
    degrees = round(find_facing(vehicle)) % 360
    word = FACING_NAMES.get(degrees, "")
    return Derived("Facing", degrees, rule="CE-VEH-02", unit=f"° ({word})" if word else "°")


def describe_machine(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The current Hull, Structure and armor, in points, and the numbers of driving. [CE-VDMG-01]
    [CE-VDMG-05]"""
    return (*describe_body(state, combatant, "Armor"), *describe_driving(state, combatant))


def describe_body(state: State, machine: Combatant, armor: str) -> tuple[Derived, ...]:
    """The points of a machine; without Hull and Structure if hits on the Hull are counted instead.

    RULING R66
    """
    points = (("Hull", "hull", "CE-VDMG-01"), ("Structure", "structure", "CE-VDMG-03"))
    counted = () if counts_hull_hits(state) else points
    return tuple(describe_points(machine, *part) for part in (*counted, (armor, "armor", "CE-VDMG-05")))


def describe_driving(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """The current and top speed of a vehicle [CE-VEH-04]; its DM on its driver's checks. [CE-VACT-04]"""
    if not is_vehicle(combatant):
        return ()
    speeds: tuple[Derived, ...] = (
        Derived("Speed, km/h", round(find_speed(state, combatant)), rule="CE-VEH-04"),
        Derived("Top speed", round(find_top_speed(state, combatant)), rule="CE-VEH-04"),
        describe_facing(combatant),
    )
    if must := int(combatant.marks.get(MUST_WEAVE, 0)):
        speeds = (Derived("Weave to match", must, rule="CE-VACT-24"), *speeds)
    terms = control_terms(state, combatant)
    return (*speeds, Derived("Control", add_up(terms), terms, "CE-VACT-04", signed=True)) if terms else speeds


def describe_points(combatant: Combatant, label: str, key: str, rule: str) -> Derived:
    """Current points of a machine."""
    points = find_score(combatant, key)
    return Derived(label, points, (Modifier(f"track.{key}", points, rule),), rule)
