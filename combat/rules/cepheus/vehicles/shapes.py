"""How vehicles look from above, and the fight as a chase: who drives how fast, and after whom."""

from __future__ import annotations

from combat.rules.core.declaration.look import Band, Body, Chase, Motion
from combat.rules.core.space import map_of
from combat.rules.core.state.state import Combatant, State, present

from ..book.options import find_option
from ..book.tables import RANGE_BANDS
from ..people import machinery
from ..people.values import is_vehicle
from .driving import PURSUES
from .facing import find_facing

# The shape of vehicles by the skill that drives them
SHAPES = {
    "wheeled_vehicle": "car",
    "tracked_vehicle": "tracked",
    "mole": "tracked",
    "grav_vehicle": "flyer",
    "rotor_aircraft": "flyer",
    "winged_aircraft": "flyer",
    "zero_g": "flyer",
    "motorboats": "boat",
    "ocean_ships": "boat",
    "sailing_ships": "boat",
    "submarine": "boat",
}


def draw_vehicle(combatant: Combatant) -> Body | None:
    """A vehicle from above, with its heading; None for anything else. [CE-VEH-02]"""
    if not is_vehicle(combatant):
        return None
    return Body(SHAPES.get(str(combatant.sheet.get("drives_by", "")), "car"), find_facing(combatant))


def find_chase(state: State) -> Chase | None:
    """The fight as a chase: vehicles on the move, in the open or in pursuit; None if none. [CE-VEH-06]"""
    vehicles = [one for one in present(state) if is_vehicle(one)]
    if len(vehicles) < 2 or not find_option(state, "use_chases"):
        return None
    motions = {one.id: _find_motion(state, one) for one in vehicles}
    is_built = bool(map_of(state.scene).walls) and not any(one.quarry for one in motions.values())
    if is_built or not any(one.speed for one in motions.values()):
        return None
    bands = tuple(Band(band.name, band.from_m, band.to_m) for band in RANGE_BANDS.values())
    return Chase(motions, bands, "km/h", machinery.count_round_meters(1))


def _find_motion(state: State, vehicle: Combatant) -> Motion:
    speed, top = machinery.find_speed(state, vehicle), machinery.find_top_speed(state, vehicle)
    return Motion(round(speed), round(top), str(vehicle.marks.get(PURSUES, "")))
