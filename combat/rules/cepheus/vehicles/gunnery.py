"""Shots from and at vehicles: who may fire what in which direction, and the DMs that vehicles bring."""

from __future__ import annotations

from combat.rules.core.aboard import find_carrier
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_condition

from ..book.options import find_option
from ..people import machinery
from ..people.values import is_person, is_robot
from .facing import describe_arcs, find_arcs_of, find_mount_arcs

SHIP_DM = 4
SIZE_RULE = "CE-VEH-07"
PORTS = {False: 2, True: 1}  # shooters in each arc of a closed vehicle, by whether it is military
PORTS_TAG = "ports:"  # a tag of the sheet that says otherwise, such as ports:4
FIRES = (machinery.DRIVER, machinery.GUNNER)  # who fires what is mounted
FIRED = "fired:"  # mark on a vehicle, with the name of an arc: who has fired into it this round


def check_fire(state: State, fighter: Combatant, item: Item, target: Combatant) -> None:
    """Refuse a shot that the vehicle or the machine does not allow.

    [CE-VEH-03] Mounted weapons, and who sits inside, fire into their arcs only.
    """
    check_works(state, fighter, item)
    vehicle = machinery.find_vehicle(state, fighter.id) if fighter.inside else None
    if vehicle is None:
        return
    if item.kind == "mount":
        check_mount(state, fighter, vehicle, item, target.id)
    elif not is_sharing(state, fighter, target):
        check_port(state, fighter, vehicle, target.id)


def check_works(state: State, fighter: Combatant, item: Item) -> None:
    """[CE-VLOC-28] [CE-VLOC-40] A destroyed weapon does not fire, a robot without limbs does not strike."""
    owner = machinery.find_vehicle(state, fighter.id) if item.kind == "mount" else None
    owner = owner or fighter
    if is_person(owner):
        return
    if machinery.is_lost(state, owner, item.id):
        raise Refused("not_allowed", f"{item.name} is destroyed: choose another weapon.")
    if machinery.is_stalled(state, owner):
        raise Refused("not_allowed", f"{owner.name} has no power now: wait until it works again.")
    limbs = machinery.find_limbs(fighter) if item.data.get("group") == "natural" else ()
    if limbs and all(machinery.is_lost(state, fighter, limb) for limb in limbs):
        raise Refused("not_allowed", f"{fighter.name} has no limb left: repair one first.")


def check_hands(state: State, who: str, item: Item) -> None:
    """[CE-VMOUNT-01] Whoever is at the controls or the guns fires what is mounted, if it works."""
    check_works(state, state[who], item)
    if item.kind == "mount" and state[who].inside and state[who].station not in FIRES:
        raise Refused("not_allowed", f"{state[who].name} is not at the guns: change places first.")


def find_guns(state: State, fighter: Combatant) -> tuple[Item, ...]:
    """[CE-VMOUNT-01] What is mounted on the vehicle that somebody is at the controls or the guns of."""
    vehicle = machinery.find_vehicle(state, fighter.id) if fighter.station in FIRES else None
    return machinery.find_mounts(vehicle) if vehicle else ()


def check_mount(state: State, fighter: Combatant, vehicle: Combatant, item: Item, target: str) -> None:
    """[CE-VMOUNT-01] Whoever is at the controls or the guns fires what is mounted, into its arcs."""
    check_hands(state, fighter.id, item)
    arcs, seen = find_mount_arcs(item), find_arcs_of(state, vehicle, state[target])
    if not set(arcs) & set(seen):
        raise Refused(
            "not_allowed",
            f"{item.name} fires to the {describe_arcs(arcs)}; {state[target].name} is to the "
            f"{describe_arcs(seen)}: turn the vehicle first.",
        )


def check_port(state: State, fighter: Combatant, vehicle: Combatant, target: str) -> None:
    """[CE-VEH-12] [CE-VEH-13] [CE-VEH-14] From a closed vehicle two can shoot into each arc, from a military
    one one, unless its entry says otherwise; [CE-VEH-16] from an open one all, any way they like."""
    if vehicle.sheet.get("open"):
        return
    most = count_ports(vehicle)
    arcs = find_arcs_of(state, vehicle, state[target])
    if all(len(find_shooters(state, vehicle, arc) - {fighter.id}) >= most for arc in arcs):
        raise Refused(
            "not_allowed",
            f"{vehicle.name}: {most} can fire to the {describe_arcs(arcs)} each round; "
            "choose a target in another direction, or wait.",
        )


def count_ports(vehicle: Combatant) -> int:
    """How many can fire into each arc."""
    told = [str(tag) for tag in vehicle.sheet.get("tags", ()) if str(tag).startswith(PORTS_TAG)]
    number = told[0].removeprefix(PORTS_TAG) if told else ""
    return int(number) if number.isdigit() else PORTS[bool(vehicle.sheet.get("military"))]


def find_shooters(state: State, vehicle: Combatant, arc: str) -> set[str]:
    """Who has fired into an arc from inside this round."""
    number, _, people = str(vehicle.marks.get(FIRED + arc, "")).partition(":")
    return set(people.split(",")) - {""} if number == str(state.round) else set()


def note_shot(context: RuleContext, who: str, item: Item, target: Combatant) -> None:
    """Remember into which arc somebody inside a closed vehicle has fired."""
    state = context.state
    fighter, vehicle = state[who], machinery.find_vehicle(state, who)
    is_open = vehicle is None or vehicle.sheet.get("open")
    if vehicle is None or is_open or item.kind == "mount" or is_sharing(state, fighter, target):
        return
    free = [
        arc
        for arc in find_arcs_of(state, vehicle, target)
        if len(find_shooters(state, vehicle, arc) - {who}) < count_ports(vehicle)
    ]
    if free:
        people = ",".join(sorted({*find_shooters(state, vehicle, free[0]), who}))
        told = e.Marked(vehicle.id, FIRED + free[0], f"{state.round}:{people}")
        context.emit(told, "CE-VEH-12", e.GM_ONLY)


def is_sharing(state: State, one: Combatant, other: Combatant) -> bool:
    """Whether two are in the same vehicle, so that none of it is between them."""
    return bool(one.inside) and one.inside == other.inside


# ---------------------------------------------------------------- sums


def modifiers_for_fire(state: State, fighter: Combatant, item: Item, target: Combatant) -> Modifiers:
    """What vehicles and damage to machines add to an attack."""
    return (
        *size_terms(state, target),
        *evasion_terms(state, fighter, target),
        *damage_terms(state, fighter, item),
    )


def modifiers_for_firing(state: State, fighter: Combatant, item: Item, target: Combatant) -> Modifiers:
    """The same without what is the target's own: for those who fire blindly.  RULING R18"""
    return (*own_evasion_terms(state, fighter, target), *damage_terms(state, fighter, item))


def size_terms(state: State, target: Combatant) -> Modifiers:
    """[CE-VEH-07] +1 to hit most vehicles for their size, if the table has it.  RULING R46 R74 R86

    [CE-SHIP-01] +4 to hit starships.  RULING R28
    """
    if machinery.is_starship(target):
        return (Modifier("term.starship", SHIP_DM, "CE-SHIP-01"),)
    points = int(target.sheet.get("size_dm", 0))
    if not points or not find_option(state, "vehicle_size_dm"):
        return ()
    return (Modifier("term.vehicle_size", points, SIZE_RULE),)


def evasion_terms(state: State, fighter: Combatant, target: Combatant) -> Modifiers:
    """[CE-VACT-05] The Effect of evasive action is on attacks at the vehicle and those inside, [CE-VACT-06]
    and on attacks from it. Nothing between two in the same vehicle."""
    if is_sharing(state, fighter, target):
        return ()
    level = find_evasion(state, target)
    own = own_evasion_terms(state, fighter, target)
    return (Modifier("term.target_evades", -level, "CE-VACT-05"), *own) if level else own


def own_evasion_terms(state: State, fighter: Combatant, target: Combatant) -> Modifiers:
    """[CE-VACT-06] What the evasive action of the firer's own vehicle takes off."""
    level = 0 if is_sharing(state, fighter, target) else find_evasion(state, fighter)
    if not level or not find_option(state, "evasive_hampers_own_fire"):
        return ()
    return (Modifier("term.own_evasion", -level, "CE-VACT-06"),)


def find_evasion(state: State, fighter: Combatant) -> int:
    """The Effect of the evasive action of a vehicle, for it and for all inside."""
    if not fighter.inside:
        own = find_condition(fighter, "evading") if fighter.conditions else None
        return own.level if own else 0
    places = [fighter, find_carrier(state, fighter.id)]
    held = [find_condition(place, "evading") for place in places if place]
    return max((condition.level for condition in held if condition), default=0)


def damage_terms(state: State, fighter: Combatant, item: Item) -> Modifiers:
    """[CE-VLOC-27] A weapon that is hit has -2; [CE-VLOC-39] so has a limb.

    [CE-VLOC-40] A robot strikes with the best limb that is left."""
    owner = machinery.find_vehicle(state, fighter.id) if item.kind == "mount" else None
    if owner is None and is_person(fighter):
        return ()
    hit = machinery.find_state_of(state, owner or fighter, item.id)
    if hit.dm:
        return (Modifier("term.weapon_damaged", hit.dm, hit.rule),)
    if not is_robot(fighter) or item.data.get("group") != "natural":
        return ()
    limbs = [machinery.find_state_of(state, fighter, limb) for limb in machinery.find_limbs(fighter)]
    usable = [limb for limb in limbs if not limb.lost]
    best = max((limb.dm for limb in usable), default=0)
    return (Modifier("term.limb_damaged", best, "CE-VLOC-39"),) if best else ()
