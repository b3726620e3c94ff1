"""The numbers of a fighter that matter now, each with its sum, for rows and cards."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up
from combat.rules.core.state.state import Combatant, State

from ..body.armor import find_layers
from ..book.tables import PHYSICAL
from ..dice.rolls import hindrances
from ..people.machinery import DRIVER, counts_hull_hits, find_speed, find_top_speed, find_vehicle
from ..people.values import find_dm, find_full, find_score, is_machine, is_vehicle
from ..vehicles.driving import MUST_WEAVE, control_terms
from ..vehicles.facing import NAMES as FACING_NAMES
from ..vehicles.facing import find_facing
from ..world.order import BASE


def describe_fighter(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    """Armor, Initiative, the body's characteristics and what a round takes off checks; of machines their
    points.  [CE-ARMOR-01] [CE-ROUND-03] [CE-REACT-03]"""
    if is_machine(fighter):
        return (*describe_machine(state, fighter), *describe_initiative(fighter))
    return (
        describe_armor(fighter),
        *describe_initiative(fighter),
        *(describe_score(fighter, key) for key in PHYSICAL),
        *describe_hindrances(state, fighter),
        *describe_ride(state, fighter),
    )


def describe_armor(fighter: Combatant) -> Derived:
    """[CE-ARMOR-01] What armor takes off a hit that is not a laser's, in points.  RULING R75"""
    layers = find_layers(fighter, "")
    terms = tuple(Modifier(label, points, "CE-ARMOR-01") for label, points in layers)
    return Derived("Armor", add_up(terms), terms, "CE-ARMOR-01")


def describe_initiative(fighter: Combatant) -> tuple[Derived, ...]:
    """[CE-INIT-02] [CE-ROUND-11] Initiative of this round: the score, and what changed it.  RULING R4"""
    if fighter.initiative is None:
        return ()
    base = int(fighter.marks.get(BASE, fighter.initiative))
    changed = int(fighter.initiative) - base
    terms: Modifiers = (Modifier("term.base_initiative", base, "CE-INIT-02"),)
    if changed:
        terms = (*terms, Modifier("term.changed_initiative", changed, "CE-ROUND-11"))
    return (Derived("Initiative", base + changed, terms, "CE-ROUND-03"),)


def describe_dm(fighter: Combatant, key: str) -> Derived:
    """The DM of a characteristic as it is now.  RULING R1"""
    dm = find_dm(fighter, key)
    return Derived(f"{key.capitalize()} DM", dm, (Modifier(f"term.{key}", dm, "CE-DMG-01"),), "CE-DMG-01")


def describe_score(fighter: Combatant, key: str) -> Derived:
    """A characteristic as it is now: undamaged, what wounds took, and the DM that is left.  RULING R1"""
    full, now, dm = find_full(fighter, key), find_score(fighter, key), find_dm(fighter, key)
    terms: Modifiers = (Modifier("term.undamaged", full, "CE-DMG-09"),)
    if now != full:
        terms = (*terms, Modifier("term.wounds", now - full, "CE-DMG-09"))
    sign = "+" if dm >= 0 else "\N{MINUS SIGN}"
    return Derived(key.capitalize(), now, terms, "CE-DMG-09", f" (DM {sign}{abs(dm)})")


def describe_hindrances(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    """[CE-REACT-06] What comes off every skill check now, if anything."""
    terms = tuple(hindrances(state, fighter, "athletics"))
    return (Derived("On skill checks", add_up(terms), terms, "CE-REACT-03"),) if terms else ()


def describe_ride(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    """What somebody inside a vehicle has to know of it; at the controls how it goes as well.  [CE-VEH-01]"""
    vehicle = find_vehicle(state, fighter.id)
    if vehicle is None or not is_vehicle(vehicle):
        return ()
    points = describe_body(state, vehicle, "Vehicle armor")
    return (*points, *(describe_driving(state, vehicle) if fighter.station == DRIVER else ()))


def describe_facing(vehicle: Combatant) -> Derived:
    """[CE-VEH-02] Which way the nose of a vehicle points on the map."""
    degrees = round(find_facing(vehicle)) % 360
    word = FACING_NAMES.get(degrees, "")
    return Derived("Facing", degrees, rule="CE-VEH-02", unit=f"° ({word})" if word else "°")


def describe_machine(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    """[CE-VDMG-01] [CE-VDMG-05] Hull, Structure and armor as they are now, in points, and how it drives."""
    return (*describe_body(state, fighter, "Armor"), *describe_driving(state, fighter))


def describe_body(state: State, machine: Combatant, armor: str) -> tuple[Derived, ...]:
    """The points of a machine; those of Hull and Structure not where hits on the Hull are counted instead.

    RULING R66
    """
    points = (("Hull", "hull", "CE-VDMG-01"), ("Structure", "structure", "CE-VDMG-03"))
    counted = () if counts_hull_hits(state) else points
    return tuple(describe_points(machine, *part) for part in (*counted, (armor, "armor", "CE-VDMG-05")))


def describe_driving(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    """[CE-VEH-04] How fast a vehicle goes and can go now; [CE-VACT-04] what its driver's checks have from
    it."""
    if not is_vehicle(fighter):
        return ()
    speeds: tuple[Derived, ...] = (
        Derived("Speed, km/h", round(find_speed(state, fighter)), rule="CE-VEH-04"),
        Derived("Top speed", round(find_top_speed(state, fighter)), rule="CE-VEH-04"),
        describe_facing(fighter),
    )
    if must := int(fighter.marks.get(MUST_WEAVE, 0)):
        speeds = (Derived("Weave to match", must, rule="CE-VACT-24"), *speeds)
    terms = control_terms(state, fighter)
    return (*speeds, Derived("Control", add_up(terms), terms, "CE-VACT-04")) if terms else speeds


def describe_points(fighter: Combatant, label: str, key: str, rule: str) -> Derived:
    """Points of a machine as they are now."""
    points = find_score(fighter, key)
    return Derived(label, points, (Modifier(f"track.{key}", points, rule),), rule)
