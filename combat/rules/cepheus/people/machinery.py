"""The parts of vehicles and robots as they are now: what is hit, what still works, how fast it goes."""

from __future__ import annotations

from combat.rules.core.aboard import find_aboard, find_at_station, find_carrier
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.state.state import Combatant, Condition, Item, State, has_condition

from ..book.hits import NO_EFFECT, EffectRow, find_effect
from ..book.options import find_option
from .conditions import GIVEN_UP
from .values import find_full, find_score, is_machine, is_out, is_person, is_robot, is_vehicle

DRIVE, WEAPON, SENSORS, POWER = "drive", "weapon", "sensors", "power"
LIMB, COMPUTER, CARGO = "limb", "computer", "cargo"
PARTS = (DRIVE, WEAPON, SENSORS, POWER, LIMB, COMPUTER, "hull", "armor")
HIT_KINDS = {part: f"{part}_hit" for part in PARTS}
SYSTEMS = (DRIVE, SENSORS, POWER, COMPUTER)  # those that there is one of
USUAL_LIMBS = 4
DRIVER, GUNNER, PASSENGER, OPERATOR = "driver", "gunner", "passenger", "operator"
STATIONS = (
    (DRIVER, "at the controls"),
    (GUNNER, "at the guns"),
    (PASSENGER, "passenger"),
    (OPERATOR, "at the remote controls"),
)
SPEED, FACING, SECURED = "speed_kph", "facing", "secured"  # marks
KPH_PER_MPS = 3.6


def is_flat(state: State) -> bool:
    """Whether damage to machines goes by the flat table of the summary.  RULING R66"""
    return bool(find_option(state, "vehicle_damage") == "flat")


def counts_hull_hits(state: State) -> bool:
    """Whether the third hit on the Hull destroys a machine, whatever points it has.  RULING R66"""
    return is_flat(state) and find_option(state, "flat_hull") == "three_hits"


def find_damage(fighter: Combatant, key: str) -> Condition | None:
    """What has hit a part: "drive", a limb by its number such as "limb_2", or a weapon by its id."""
    for held in fighter.conditions:  # asked for every attack: a generator takes twice as long
        if held.marks.get("part") == key:
            return held
    return None


def count_hits(state: State, fighter: Combatant, key: str) -> int:
    """The hits that a part suffers from; those that are jury-rigged do nothing until the rig fails, or the
    part is destroyed.

    [CE-REP-02] [CE-REP-03] [CE-REP-13]
    """
    held = find_damage(fighter, key)
    if held is None:
        return 0
    rigged = int(held.marks.get("rigged", 0)) if state.clock < int(held.marks.get("rig_until", 0)) else 0
    return held.level if rigged and is_past_rigging(state, held) else max(0, held.level - rigged)


def is_past_rigging(state: State, held: Condition) -> bool:
    """[CE-REP-13] Whether a part has had the hit that destroys it, which no rig undoes.  RULING R50"""
    return find_effect(held.kind.removesuffix("_hit"), held.level, is_flat(state)).lost


def find_state_of(state: State, fighter: Combatant, key: str) -> EffectRow:
    """What the hits on a part do to it now."""
    held = find_damage(fighter, key)
    if held is None:
        return NO_EFFECT
    return find_effect(held.kind.removesuffix("_hit"), count_hits(state, fighter, key), is_flat(state))


def is_lost(state: State, fighter: Combatant, key: str) -> bool:
    """Whether a part is destroyed."""
    return find_state_of(state, fighter, key).lost


# ---------------------------------------------------------------- what that means


def find_top_speed(state: State, fighter: Combatant) -> float:
    """The fastest it can go now, in km/h.

    [CE-VLOC-22] [CE-VLOC-23] [CE-VLOC-24] Drive hits take 10%, 25%, all of it; [CE-VLOC-35]
    [CE-VLOC-36] the second hit on the power plant half of what is left, the third all.  RULING R47
    """
    if has_condition(fighter, "wreck", "destroyed", "disabled"):
        return 0.0
    speed = float(fighter.sheet.get("speed_kph", 0))
    for part in (DRIVE, POWER):
        speed *= find_state_of(state, fighter, part).speed / 100
    return speed


def find_speed(state: State, fighter: Combatant) -> float:
    """How fast it goes now, in km/h: never faster than it can."""
    return min(float(fighter.marks.get(SPEED, 0)), find_top_speed(state, fighter))


def count_round_metres(kph: float) -> float:
    """How far a speed takes one in a round, in metres: 60 km/h are 100 m."""
    return kph * 6 / KPH_PER_MPS


def is_stalled(state: State, fighter: Combatant) -> bool:
    """Whether it can do nothing this round: no power, or shut down.  [CE-VLOC-34] [CE-VLOC-50] [CE-VLOC-51]

    RULING R83: what stalls it counts from the next round on.
    """
    if not is_machine(fighter):
        return False
    held = (c for c in fighter.conditions if c.kind in ("powerless", "shut_down"))
    spans = ((int(c.marks.get("first", 0)), int(c.marks.get("last", 0))) for c in held)
    return any(first <= state.round <= last for first, last in spans) or has_condition(fighter, "disabled")


def is_blind(state: State, fighter: Combatant) -> bool:
    """[CE-VLOC-32] Whether its sensors are destroyed."""
    return is_machine(fighter) and is_lost(state, fighter, SENSORS)


def find_mounts(fighter: Combatant) -> tuple[Item, ...]:
    """The weapons that are part of a machine: what is mounted on a vehicle, what a robot holds."""
    if is_robot(fighter):
        kinds = ("weapon", "mount")
        held = (item for item in fighter.items if item.kind in kinds and item.place == "held")
        return tuple(item for item in held if item.data.get("group") != "natural")
    return tuple(item for item in fighter.items if item.kind == "mount")


def find_limbs(fighter: Combatant) -> tuple[str, ...]:
    """[CE-VLOC-38] The limbs of a robot by their keys, as many as its sheet says; drones and vehicles have
    none.  RULING R47"""
    if not is_robot(fighter) or fighter.sheet.get("drone"):
        return ()
    return tuple(f"{LIMB}_{n}" for n in range(1, int(fighter.sheet.get("limbs", USUAL_LIMBS)) + 1))


def has_system(fighter: Combatant, part: str) -> bool:
    """Whether a machine is built with a part: it may lack sensors or a computer.  RULING R47"""
    return part not in fighter.sheet.get("lacks", ())


def find_systems(fighter: Combatant) -> tuple[str, ...]:
    """The systems that a machine is built with: drive, sensors, power plant, computer.  RULING R47"""
    return tuple(part for part in SYSTEMS if has_system(fighter, part))


def find_cargo(fighter: Combatant) -> tuple[Item, ...]:
    """What a vehicle carries besides people: its items that are neither mounted nor worn."""
    return tuple(item for item in fighter.items if item.place == "carried")


# ---------------------------------------------------------------- those aboard


def find_driver(state: State, vehicle: str) -> Combatant | None:
    """Who drives: the first at the controls."""
    return next(iter(find_at_station(state, vehicle, DRIVER)), None)


def can_fight(state: State, fighter: Combatant) -> bool:
    """Whether somebody counts for who still stands: a vehicle by those aboard who can act.  RULING R95

    RULING R36: who is bound or has surrendered does not.
    """
    if is_vehicle(fighter):
        return any(not is_out(rider) and can_fight(state, rider) for rider in find_aboard(state, fighter.id))
    return not has_condition(fighter, *GIVEN_UP)


def find_riders(state: State, vehicle: str) -> tuple[Combatant, ...]:
    """[CE-VLOC-42] The people and robots aboard who do not drive and are not dead."""
    driver = find_driver(state, vehicle)
    aboard = (rider for rider in find_aboard(state, vehicle) if not has_condition(rider, "dead"))
    return tuple(rider for rider in aboard if is_person(rider) and (driver is None or rider.id != driver.id))


def find_vehicle(state: State, who: str) -> Combatant | None:
    """The vehicle somebody sits in."""
    carrier = find_carrier(state, who)
    return carrier if carrier and is_vehicle(carrier) else None


def find_shell(state: State, fighter: Combatant) -> Combatant | None:
    """The closed vehicle that somebody sits in: no hand and no blast gets through it.  RULING R97"""
    carrier = state.combatants.get(fighter.inside) if fighter.inside else None
    return None if carrier is None or carrier.sheet.get("open", False) else carrier


def find_shared_shell(state: State, one: Combatant, other: Combatant) -> str:
    """The id of the closed vehicle that two sit in together; "" if they do not."""
    shell = find_shell(state, one)
    return shell.id if shell and other.inside == shell.id else ""


def check_shell(state: State, one: Combatant, other: Combatant) -> None:
    """Refuse what is done by hand through the bodywork of a closed vehicle.  RULING R97"""
    for here, there in ((other, one), (one, other)):
        shell = find_shell(state, here)
        if shell and there.id != shell.id and there.inside != shell.id:
            raise Refused(
                "out_of_range", f"{here.name} is inside {shell.name}, which is closed: get in or out."
            )


def is_exposed_inside(state: State, fighter: Combatant) -> bool:
    """Whether hits land in the internal column at once: a vehicle that never had a Hull, or by the table's
    rule one that has none left.  RULING R25"""
    if is_flat(state) or is_robot(fighter):
        return False
    whole = find_option(state, "hull_zero") == "whole_column" and find_score(fighter, "hull") <= 0
    return whole or find_full(fighter, "hull") == 0


def find_vehicle_cover(state: State, attacker: Combatant, target: Combatant) -> str:
    """The kind of cover that a vehicle gives to who sits in it, against an attack from outside.

    [CE-VEH-08] [CE-VEH-09] [CE-VEH-10] A closed civilian one is half soft cover, [CE-VEH-11] a closed
    military one full hard cover; [CE-VEH-15] an open one none.
    """
    vehicle = find_vehicle(state, target.id) if target.inside else None
    if vehicle is None or vehicle.sheet.get("open") or vehicle.id in (attacker.id, attacker.inside):
        return ""
    return "full" if vehicle.sheet.get("military") else "half_soft"


# ---------------------------------------------------------------- drones

OPERATED = "operated_by"  # mark on a drone: who steers it


def is_drone(fighter: Combatant) -> bool:
    """Whether a machine acts only while somebody steers it.  RULING R74"""
    return is_robot(fighter) and bool(fighter.sheet.get("drone"))


def find_operator(state: State, drone: Combatant) -> Combatant | None:
    """Who steers a drone."""
    found = state.combatants.get(str(drone.marks.get(OPERATED, "")))
    return None if found is None or found.gone else found


def find_skilled(state: State, fighter: Combatant) -> Combatant:
    """Whose skills count: a drone moves and fires with those of its operator.  RULING R74"""
    return (find_operator(state, fighter) or fighter) if is_drone(fighter) else fighter


def is_idle_drone(fighter: Combatant) -> bool:
    """Whether a drone has been given no action.  RULING R74"""
    return is_drone(fighter) and not has_condition(fighter, "steered")


# ---------------------------------------------------------------- starships

STARSHIP = "starship"  # the tag of a sheet


def is_starship(fighter: Combatant) -> bool:
    """Whether a vehicle is of starship scale, for ground weapons.  [CE-SHIP-01]"""
    return STARSHIP in fighter.sheet.get("tags", ())


# ---------------------------------------------------------------- sensors


def sensor_terms(state: State, who: str, skill: str) -> Modifiers:
    """[CE-VLOC-30] -2 on Comms checks with hit sensors, [CE-VLOC-31] for robots and drones on Recon too."""
    fighter = state[who]
    machine = fighter if is_machine(fighter) else find_vehicle(state, who)
    if machine is None or not (skill == "comms" or (skill == "recon" and is_robot(machine))):
        return ()
    hit = find_state_of(state, machine, SENSORS)
    return (Modifier("term.sensors_damaged", hit.dm, hit.rule),) if hit.dm else ()


def check_sensors(state: State, who: str) -> None:
    """[CE-VLOC-32] Without sensors nothing is sensed."""
    fighter = state[who]
    machine = fighter if is_machine(fighter) else find_vehicle(state, who)
    if machine is not None and is_blind(state, machine):
        raise Refused("not_allowed", f"The sensors of {machine.name} are destroyed: repair them first.")
