"""Shots from and at vehicles: who may fire which weapon where, and the DMs of vehicles."""

from __future__ import annotations

from msgspec import UNSET

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State

from ..book.options import find_option
from ..characters import machinery
from ..characters.goods import is_gun
from ..characters.values import is_person
from .driving import describe_arcs, find_arcs_of, find_mount_arcs

SHIP_DM = 4
SIZE_RULE = "CE-VEH-07"
PORTS = {False: 2, True: 1}  # shooters per arc of a closed vehicle, by whether it is military
PORTS_TAG = "ports:"  # a tag of the sheet that overrides that, such as ports:4
FIRES = (machinery.DRIVER, machinery.GUNNER)  # the stations that fire mounted weapons
FIRED = "fired:"  # mark on a vehicle, with the name of an arc: those who have fired into it this round


def check_fire(state: State, combatant: Combatant, item: Item, target: Combatant) -> None:
    """Refuse a shot that the vehicle or the machine does not allow.

    [CE-VEH-03] Mounted weapons and people inside fire only into their arcs.
    """
    check_works(state, combatant, item)
    vehicle = machinery.find_vehicle(state, combatant.id)
    if vehicle is None:
        return
    if item.kind == "mount":
        check_mount(state, combatant, vehicle, item=item, target=target.id)
    elif not is_sharing(combatant, target):
        check_port(state, combatant, vehicle, target.id)


def check_works(state: State, combatant: Combatant, item: Item) -> None:
    """Refuse a destroyed weapon, and a blow or throw by a robot without limbs. [CE-VLOC-28] [CE-VLOC-40]"""
    owner = machinery.find_vehicle(state, combatant.id) if item.kind == "mount" else None
    owner = owner or combatant
    if is_person(owner):
        return
    if machinery.is_lost(state, owner, item.id):
        raise Refused("not_allowed", f"{item.name} is destroyed: choose another weapon.")
    if machinery.is_stalled(state, owner):
        raise Refused("not_allowed", f"{owner.name} has no power now: wait until it works again.")
    if not is_gun(item):
        machinery.check_limbs(state, combatant)


def check_hands(state: State, who: str, item: Item) -> None:
    """Refuse a broken weapon, or a mounted one away from the controls and the guns. [CE-VMOUNT-01]"""
    check_works(state, state[who], item)
    if item.kind == "mount" and state[who].inside and state[who].station not in FIRES:
        raise Refused("not_allowed", f"{state[who].name} is not at the guns: change places first.")


def find_guns(state: State, combatant: Combatant) -> tuple[Item, ...]:
    """The mounted weapons of the vehicle at whose controls or guns someone is. [CE-VMOUNT-01]"""
    vehicle = machinery.find_vehicle(state, combatant.id) if combatant.station in FIRES else None
    return machinery.find_mounts(vehicle) if vehicle else ()


def check_mount(state: State, combatant: Combatant, vehicle: Combatant, item: Item, target: str) -> None:
    """Refuse a mounted weapon outside its arcs, or away from the controls and the guns. [CE-VMOUNT-01]"""
    check_hands(state, combatant.id, item)
    arcs, seen = find_mount_arcs(item), find_arcs_of(state, vehicle, state[target])
    if not set(arcs) & set(seen):
        raise Refused(
            "not_allowed",
            f"{item.name} fires to the {describe_arcs(arcs)}; {state[target].name} is to the "
            f"{describe_arcs(seen)}: turn the vehicle first.",
        )


def check_port(state: State, combatant: Combatant, vehicle: Combatant, target: str) -> None:
    """Refuse more than two shooters per arc of a closed vehicle, or one of a military one, unless its entry
    says otherwise [CE-VEH-12] [CE-VEH-13] [CE-VEH-14]; all may shoot in any direction from an open one.
    [CE-VEH-16]"""
    if vehicle.sheet.get("open"):
        return
    most = count_ports(vehicle)
    arcs = find_arcs_of(state, vehicle, state[target])
    if any(len(find_shooters(state, vehicle, arc) - {combatant.id}) < most for arc in arcs):
        return
    raise Refused(
        "not_allowed",
        f"{vehicle.name}: {most} can fire to the {describe_arcs(arcs)} each round; "
        "choose a target in another direction, or wait.",
    )


def count_ports(vehicle: Combatant) -> int:
    """How many people can fire into each arc."""
    sheet = vehicle.sheet
    told = [str(tag) for tag in sheet.get("tags", ()) if str(tag).startswith(PORTS_TAG)]
    number = told[0].removeprefix(PORTS_TAG) if told else ""
    return int(number) if number.isdecimal() else PORTS[bool(sheet.get("military"))]


def find_shooters(state: State, vehicle: Combatant, arc: str) -> set[str]:
    """Those who have fired into an arc from inside this round."""
    number, _, people = str(vehicle.marks.get(FIRED + arc, "")).partition(":")
    return set(people.split(",")) - {""} if number == str(state.round) else set()


def note_shot(context: RuleContext, who: str, item: Item, target: Combatant) -> None:
    """Remember the arc into which someone inside a closed vehicle has fired."""
    state = context.state
    combatant = state.combatants[who]
    vehicle = machinery.find_vehicle(state, who)
    is_open = vehicle is None or vehicle.sheet.get("open")
    if vehicle is None or is_open or item.kind == "mount" or is_sharing(combatant, target):
        return
    most = count_ports(vehicle)
    for arc in find_arcs_of(state, vehicle, target):
        people = find_shooters(state, vehicle, arc) | {who}
        if len(people) <= most:
            told = e.Marked(vehicle.id, FIRED + arc, f"{state.round}:{','.join(sorted(people))}")
            context.emit(told, "CE-VEH-12", e.GM_ONLY)
            return


def is_sharing(one: Combatant, other: Combatant) -> bool:
    """Whether two are in the same vehicle, so that its body is not between them."""
    return one.berth is not UNSET and one.inside == other.inside


# ---------------------------------------------------------------- sums


def size_terms(state: State, target: Combatant) -> Modifiers:
    """+1 to hit most vehicles for their size, by table option. [CE-VEH-07]  RULING R46 R74 R86

    +4 to hit starships. [CE-SHIP-01]  RULING R28
    """
    if machinery.is_starship(target):
        return (Modifier("term.starship", SHIP_DM, "CE-SHIP-01"),)
    points = int(target.sheet.get("size_dm", 0))
    if not points or not find_option(state, "vehicle_size_dm"):
        return ()
    return (Modifier("term.vehicle_size", points, SIZE_RULE),)


def evasion_terms(state: State, combatant: Combatant, target: Combatant) -> Modifiers:
    """The Effect of evasive action on attacks at the vehicle and those inside. [CE-VACT-05] None between two
    in the same vehicle."""
    level = evasion_dm(state, target)
    if not level or is_sharing(combatant, target):
        return ()
    return (Modifier("term.target_evades", -level, "CE-VACT-05"),)


def own_evasion_terms(state: State, combatant: Combatant, target: Combatant) -> Modifiers:
    """The penalty of the evasive action of the firer's own vehicle [CE-VACT-06]; none for the driver in their
    next turn: their action ends the evasive one. [CE-VACT-07] None between two in the same vehicle."""
    level = evasion_dm(state, combatant)
    if not level or not find_option(state, "evasive_hampers_own_fire"):
        return ()
    if is_sharing(combatant, target) or machinery.is_acting_anew(state, combatant.id):
        return ()
    return (Modifier("term.own_evasion", -level, "CE-VACT-06"),)


def evasion_dm(state: State, combatant: Combatant) -> int:
    """The Effect of a vehicle's evasive action, for it and all inside."""
    held = combatant.conditions
    if combatant.berth is not UNSET and (carrier := state.combatants.get(combatant.berth.inside)):
        held += carrier.conditions
    if not held:
        return 0
    return max([each.level for each in held if each.kind == "evading"], default=0)


def damage_terms(state: State, combatant: Combatant, item: Item) -> Modifiers:
    """-2 for a damaged weapon [CE-VLOC-27], and for a damaged limb that strikes or throws. [CE-VLOC-39]

    A robot does so with the best limb left. [CE-VLOC-40]
    """
    owner = machinery.find_vehicle(state, combatant.id) if item.kind == "mount" else None
    if owner is None and is_person(combatant):
        return ()
    hit = machinery.find_state_of(state, owner or combatant, item.id)
    weapon = (Modifier("term.weapon_damaged", hit.dm, hit.rule),) if hit.dm else ()
    return (*weapon, *(() if is_gun(item) else machinery.limb_terms(state, combatant)))
