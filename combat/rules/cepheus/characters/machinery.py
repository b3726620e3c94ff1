"""The current parts of vehicles and robots: their damage, their function, their speed."""

from __future__ import annotations

from msgspec import UNSET

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.passengers import find_aboard, find_carrier
from combat.rules.core.state.state import Combatant, Condition, Item, State, has_condition

from ..book.options import find_option
from ..book.tables import NO_EFFECT, EffectRow, find_effect
from .conditions import IMMOBILE, STALLS, UNFIT, is_lifeless
from .values import ROBOT, VEHICLE, find_score, is_machine, is_robot, is_vehicle

DRIVE, WEAPON, SENSORS, POWER = "drive", "weapon", "sensors", "power"
LIMB, COMPUTER, CARGO = "limb", "computer", "cargo"
PARTS = (DRIVE, WEAPON, SENSORS, POWER, LIMB, COMPUTER, "hull", "armor")
HIT_KINDS = {part: f"{part}_hit" for part in PARTS}
SYSTEMS = (DRIVE, SENSORS, POWER, COMPUTER)  # systems that exist once
USUAL_LIMBS = 4
HANDLED = (  # skills that take hands, so a robot's limbs  RULING R47
    "demolitions",
    "electronics",
    "engineering",
    "mechanics",
    "medicine",
    "natural_weapons",
)
DRIVER, GUNNER, PASSENGER, OPERATOR = "driver", "gunner", "passenger", "operator"
STATIONS = (
    (DRIVER, "at the controls"),
    (GUNNER, "at the guns"),
    (PASSENGER, "passenger"),
    (OPERATOR, "at the remote controls"),
)
SPEED, FACING, SECURED = "speed_kph", "facing", "secured"  # marks
CONTROLLED = "controlled"  # mark on a vehicle: the last round in which its driver kept control
KPH_PER_MPS = 3.6
OPERATED = "operated_by"  # mark on a drone: its operator
STARSHIP = "starship"  # tag of a sheet


def is_flat(state: State) -> bool:
    """Whether damage to machines goes by the flat table of the summary.  RULING R66"""
    return bool(find_option(state, "vehicle_damage") == "flat")


def counts_hull_hits(state: State) -> bool:
    """Whether the third hit on the Hull destroys a machine, regardless of its points.  RULING R66"""
    return is_flat(state) and find_option(state, "flat_hull") == "three_hits"


def find_damage(combatant: Combatant, key: str) -> Condition | None:
    """The damage to a part: "drive", a limb by its number such as "limb_2", or a weapon by its id."""
    for held in combatant.conditions:
        if held.marks.get("part") == key:
            return held
    return None


def count_hits(state: State, combatant: Combatant, key: str) -> int:
    """The effective hits on a part; jury-rigged ones have no effect until the rig fails or the part is
    destroyed.

    [CE-REP-02] [CE-REP-03] [CE-REP-13]
    """
    held = find_damage(combatant, key)
    if held is None:
        return 0
    rigged = int(held.marks.get("rigged", 0)) if state.clock < int(held.marks.get("rig_until", 0)) else 0
    return held.level if rigged and is_past_rigging(state, held) else max(0, held.level - rigged)


def is_past_rigging(state: State, held: Condition) -> bool:
    """Whether a part has taken the hit that destroys it, which no rig can undo. [CE-REP-13]  RULING R50"""
    return find_effect(held.kind.removesuffix("_hit"), held.level, is_flat(state)).lost


def find_state_of(state: State, combatant: Combatant, key: str) -> EffectRow:
    """The present effect of the hits on a part."""
    held = find_damage(combatant, key)
    if held is None:
        return NO_EFFECT
    return find_effect(held.kind.removesuffix("_hit"), count_hits(state, combatant, key), is_flat(state))


def is_lost(state: State, combatant: Combatant, key: str) -> bool:
    """Whether a part is destroyed."""
    return find_state_of(state, combatant, key).lost


# ---------------------------------------------------------------- effects


def find_top_speed(state: State, combatant: Combatant) -> float:
    """The current top speed, in km/h.

    [CE-VLOC-22] [CE-VLOC-23] [CE-VLOC-24] Drive hits take 10%, 25%, all of it; [CE-VLOC-35]
    [CE-VLOC-36] the second hit on the power plant half of what is left, the third all.  RULING R47
    """
    if has_condition(combatant, *IMMOBILE):
        return 0.0
    speed = float(combatant.sheet.get("speed_kph", 0))
    for part in (DRIVE, POWER):
        speed *= find_state_of(state, combatant, part).speed / 100
    return speed


def is_immobile(state: State, combatant: Combatant) -> bool:
    """Whether it is scrap or its drive is disabled. [CE-VLOC-24]"""
    if has_condition(combatant, *IMMOBILE):
        return True
    return not find_state_of(state, combatant, DRIVE).speed


def find_speed(state: State, combatant: Combatant) -> float:
    """The current speed, in km/h: never above the top speed."""
    return min(float(combatant.marks.get(SPEED, 0)), find_top_speed(state, combatant))


def count_round_meters(kph: float) -> float:
    """How many meters a speed covers in a round: 60 km/h are 100 m."""
    return kph * 6 / KPH_PER_MPS


def is_stalled(state: State, combatant: Combatant) -> bool:
    """Whether it can do nothing this round: no power, or shut down.  [CE-VLOC-34] [CE-VLOC-50] [CE-VLOC-51]

    RULING R83: a stall counts from the next round on.
    """
    if not is_machine(combatant):
        return False
    for held in combatant.conditions:
        if held.kind == "disabled":
            return True
        if held.kind in STALLS:
            if int(held.marks.get("first", 0)) <= state.round <= int(held.marks.get("last", 0)):
                return True
    return False


def is_blind(state: State, combatant: Combatant) -> bool:
    """Whether its sensors are destroyed. [CE-VLOC-32]"""
    return is_machine(combatant) and is_lost(state, combatant, SENSORS)


def find_mounts(combatant: Combatant) -> tuple[Item, ...]:
    """The weapons that are part of a machine: those mounted on a vehicle, those a robot holds."""
    if is_robot(combatant):
        kinds = ("weapon", "mount")
        held = (item for item in combatant.items if item.kind in kinds and item.place == "held")
        return tuple(item for item in held if item.data.get("group") != "natural")
    return tuple(item for item in combatant.items if item.kind == "mount")


def find_limbs(combatant: Combatant) -> tuple[str, ...]:
    """The limbs of a robot by key, as many as on its sheet; drones and vehicles have none. [CE-VLOC-38]
    RULING R47"""
    if not is_robot(combatant) or combatant.sheet.get("drone"):
        return ()
    return tuple(f"{LIMB}_{n}" for n in range(1, int(combatant.sheet.get("limbs", USUAL_LIMBS)) + 1))


def has_limbs(state: State, combatant: Combatant) -> bool:
    """Whether someone has a limb to work with: false for a robot whose limbs are all destroyed [CE-VLOC-40],
    and for one that was built without any.  RULING R47"""
    return not is_robot(combatant) or any(
        not is_lost(state, combatant, limb) for limb in find_limbs(combatant)
    )


def check_limbs(state: State, combatant: Combatant) -> None:
    """Refuse work by hand to a robot whose limbs are all destroyed. [CE-VLOC-40]  RULING R47"""
    if find_limbs(combatant) and not has_limbs(state, combatant):
        raise Refused("not_allowed", f"{combatant.name} has no limb left: repair one first.")


def limb_terms(state: State, combatant: Combatant) -> Modifiers:
    """-2 on what a robot does with its limbs, if the best one left is damaged. [CE-VLOC-39]  RULING R47"""
    limbs = [find_state_of(state, combatant, limb) for limb in find_limbs(combatant)]
    best = max((limb.dm for limb in limbs if not limb.lost), default=0)
    return (Modifier("term.limb_damaged", best, "CE-VLOC-39"),) if best else ()


def handling_terms(state: State, combatant: Combatant, skill: str) -> Modifiers:
    """The same for a check of a skill; none of one that takes no hands. [CE-VLOC-39]"""
    return limb_terms(state, combatant) if skill in HANDLED else ()


def check_handling(state: State, combatant: Combatant, skill: str) -> None:
    """Refuse checks of what is done by hand to a robot without limbs. [CE-VLOC-40]"""
    if skill in HANDLED:
        check_limbs(state, combatant)


def has_system(combatant: Combatant, part: str) -> bool:
    """Whether a machine is built with a part: it may lack sensors or a computer.  RULING R47"""
    return part not in combatant.sheet.get("lacks", ())


def find_systems(combatant: Combatant) -> tuple[str, ...]:
    """The systems that a machine is built with: drive, sensors, power plant, computer.  RULING R47"""
    return tuple(part for part in SYSTEMS if has_system(combatant, part))


def find_cargo(combatant: Combatant) -> tuple[Item, ...]:
    """The cargo of a vehicle besides people: its items that are neither mounted nor worn."""
    return tuple(item for item in combatant.items if item.place == "carried")


# ---------------------------------------------------------------- those aboard


def find_driver(state: State, vehicle: str) -> Combatant | None:
    """The driver: the first person at the controls."""
    for rider in find_aboard(state, vehicle):
        if rider.station == DRIVER:
            return rider
    return None


def find_driven(state: State, who: str) -> Combatant | None:
    """The vehicle at whose controls someone is; None for all others."""
    vehicle = find_vehicle(state, who) if state.combatants[who].station == DRIVER else None
    driver = find_driver(state, vehicle.id) if vehicle else None
    return vehicle if driver is not None and driver.id == who else None


def is_acting_anew(state: State, who: str) -> bool:
    """Whether someone's next action ends the evasive driving of their last turn. [CE-VACT-07]"""
    vehicle = find_driven(state, who)
    return vehicle is not None and vehicle.marks.get(CONTROLLED) != state.round


def can_fight(state: State, combatant: Combatant) -> bool:
    """Whether a combatant can still fight; for a vehicle, whether it works and someone aboard can act.
    RULING R95

    RULING R36: not the bound and the surrendered.
    """
    if combatant.gone or has_condition(combatant, *UNFIT):
        return False
    return not is_vehicle(combatant) or has_fighters(state, combatant)


def can_harm(state: State, combatant: Combatant) -> bool:
    """Whether someone could ever do anything to others: a drone only if someone steers it, a machine only
    with a weapon, a limb, or someone aboard.  RULING R74"""
    if not is_machine(combatant):
        return True
    if is_vehicle(combatant):
        return has_fighters(state, combatant)
    if is_drone(combatant):
        operator = find_operator(state, combatant)
        if operator is None or not can_fight(state, operator):
            return False
    return bool(find_mounts(combatant)) or has_limbs(state, combatant)


def has_fighters(state: State, vehicle: Combatant) -> bool:
    """Whether someone aboard a vehicle can act, also if it no longer works."""
    return any(can_fight(state, rider) for rider in find_aboard(state, vehicle.id))


def find_riders(state: State, vehicle: str) -> tuple[Combatant, ...]:
    """The people and robots aboard who do not drive and are not dead. [CE-VLOC-42]"""
    driver = find_driver(state, vehicle)
    aboard = (rider for rider in find_aboard(state, vehicle) if not is_lifeless(rider))
    return tuple(r for r in aboard if r.sheet["kind"] != VEHICLE and (driver is None or r.id != driver.id))


def find_vehicle(state: State, who: str) -> Combatant | None:
    """The vehicle someone is in."""
    combatant = state.combatants.get(who)
    if combatant is None or combatant.berth is UNSET:
        return None  # as most
    carrier = find_carrier(state, who)
    return carrier if carrier is not None and is_vehicle(carrier) else None


def find_shell(state: State, combatant: Combatant) -> Combatant | None:
    """The closed vehicle someone is in: it stops hands and blasts.  RULING R97"""
    if combatant.berth is UNSET:
        return None  # as most
    carrier = state.combatants.get(combatant.inside)
    return None if carrier is None or carrier.sheet.get("open", False) else carrier


def find_shared_shell(state: State, one: Combatant, other: Combatant) -> str:
    """The id of the closed vehicle that two combatants share; "" without one."""
    shell = find_shell(state, one)
    return shell.id if shell and other.inside == shell.id else ""


def check_shell(state: State, one: Combatant, other: Combatant) -> None:
    """Refuse actions by hand through the body of a closed vehicle.  RULING R97"""
    for here, there in ((other, one), (one, other)):
        shell = find_shell(state, here)
        if shell and there.id != shell.id and there.inside != shell.id:
            raise Refused(
                "out_of_range", f"{here.name} is inside {shell.name}, which is closed: get in or out."
            )


def is_exposed_inside(state: State, combatant: Combatant) -> bool:
    """Whether all hits use the internal column: by table option, on a vehicle without any Hull. Else only
    those on the Hull do.  RULING R25"""
    if find_score(combatant, "hull") > 0:
        return False
    if combatant.sheet["kind"] == ROBOT or is_flat(state):
        return False
    return bool(find_option(state, "hull_zero") == "whole_column")


def find_vehicle_cover(state: State, attacker: Combatant, target: Combatant) -> str:
    """The kind of cover that a vehicle gives those inside against attacks from outside.

    [CE-VEH-08] [CE-VEH-09] [CE-VEH-10] A closed civilian one is half soft cover, [CE-VEH-11] a closed
    military one full hard cover; [CE-VEH-15] an open one none.
    """
    vehicle = find_vehicle(state, target.id)
    if vehicle is None or vehicle.sheet.get("open") or vehicle.id in (attacker.id, attacker.inside):
        return ""
    return "full" if vehicle.sheet.get("military") else "half_soft"


# ---------------------------------------------------------------- drones


def is_drone(combatant: Combatant) -> bool:
    """Whether a machine acts only while someone steers it.  RULING R74"""
    return combatant.sheet["kind"] == ROBOT and bool(combatant.sheet.get("drone"))


def find_operator(state: State, drone: Combatant) -> Combatant | None:
    """The operator of a drone."""
    found = state.combatants.get(str(drone.marks.get(OPERATED, "")))
    return None if found is None or found.gone else found


def find_skilled(state: State, combatant: Combatant) -> Combatant:
    """The combatant whose skills count: for a drone its operator.  RULING R74"""
    if not combatant.sheet.get("drone"):  # asked for every attack
        return combatant
    return (find_operator(state, combatant) or combatant) if is_drone(combatant) else combatant


# ---------------------------------------------------------------- starships


def is_starship(combatant: Combatant) -> bool:
    """Whether a vehicle is of starship scale, for ground weapons.  [CE-SHIP-01]"""
    return STARSHIP in combatant.sheet.get("tags", ())


# ---------------------------------------------------------------- sensors


def sensor_terms(state: State, who: str, skill: str) -> Modifiers:
    """-2 on Comms checks with hit sensors [CE-VLOC-30], for robots and drones also on Recon. [CE-VLOC-31]"""
    machine = find_sensing(state, who)
    if machine is None or not is_sensing(machine, skill):
        return ()
    hit = find_state_of(state, machine, SENSORS)
    return (Modifier("term.sensors_damaged", hit.dm, hit.rule),) if hit.dm else ()


def find_sensing(state: State, who: str) -> Combatant | None:
    """The machine whose sensors someone uses: themselves, or the vehicle they are in."""
    combatant = state[who]
    return combatant if is_machine(combatant) else find_vehicle(state, who)


def is_sensing(machine: Combatant, skill: str) -> bool:
    """Whether a check of a skill uses the sensors of a machine. [CE-VLOC-30] [CE-VLOC-31]"""
    return skill == "comms" or (skill == "recon" and is_robot(machine))


def check_sensors(state: State, who: str) -> None:
    """Refuse sensing with destroyed sensors. [CE-VLOC-32]"""
    machine = find_sensing(state, who)
    if machine is not None and is_blind(state, machine):
        raise Refused("not_allowed", f"The sensors of {machine.name} are destroyed: repair them first.")


def check_sensing(state: State, who: str, skill: str) -> None:
    """Refuse checks that use destroyed sensors. [CE-VLOC-32]"""
    machine = find_sensing(state, who)
    if machine is not None and is_sensing(machine, skill):
        check_sensors(state, who)
