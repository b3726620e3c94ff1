"""The drawing of a vehicle or a robot by its parts, and from above.

And the fight as a chase: who drives how fast, and after whom.
"""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say_number
from combat.rules.core.declaration.parts import BAD, FINE, HURT, LOST, Band, Body, Chase, Figure, Motion, Part
from combat.rules.core.space import map_of
from combat.rules.core.state.state import Combatant, State, present

from ..book.options import find_option
from ..book.tables import RANGE_BANDS, EffectRow, count_most
from ..characters import machinery
from ..characters.values import find_full, find_score, is_robot, is_vehicle
from .driving import PURSUES, find_facing

TITLES = {True: "The robot by its parts", False: "The vehicle by its parts"}
NAMES = {
    "hull": "Hull",
    "structure": "Structure",
    "armor": "Armor",
    "drive": "Drive",
    "power": "Power plant",
    "sensors": "Sensors",
    "computer": "Computer",
}
SHAPES = {  # parts in the drawing of a vehicle, in a box of 100 by 200, nose up
    "hull": "M20 40h60v125h-60z",
    "structure": "M35 70h30v65h-30z",
    "armor": "M10 30h80v8h-80z",
    "drive": "M20 170h60v20h-60z",
    "power": "M38 140h24v20h-24z",
    "sensors": "M42 8h16v18h-16z",
    "computer": "M42 48h16v16h-16z",
}
WEAPON_PLACES = ("M4 60h12v30h-12z", "M84 60h12v30h-12z", "M4 100h12v30h-12z", "M84 100h12v30h-12z")
LIMB_PLACES = ("M4 45h12v55h-12z", "M84 45h12v55h-12z", "M22 168h18v28h-18z", "M60 168h18v28h-18z")
# The shape of vehicles by the skill that drives them
BODIES = {
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


def make_machine_figure(state: State, combatant: Combatant) -> Figure:
    """The parts of a machine."""
    by_hits = machinery.counts_hull_hits(state)
    tracks = ("armor",) if by_hits else ("hull", "structure", "armor")
    points = tuple(_points_part(combatant, track) for track in tracks)
    if by_hits:
        points = (_system_part(state, combatant, "hull", SHAPES["hull"]), *points)
    systems = tuple(
        _system_part(state, combatant, key, SHAPES[key])
        for key in machinery.find_systems(combatant)
        if count_most(key, machinery.is_flat(state))
    )
    return Figure(
        shape="vehicle",
        title=TITLES[is_robot(combatant)],
        parts=(*points, *systems, *_find_mounts(state, combatant), *_find_limbs(state, combatant)),
    )


def _points_part(combatant: Combatant, track: str) -> Part:
    """Hull, Structure and armor: numbers."""
    now, most = max(0, find_score(combatant, track)), find_full(combatant, track)
    level = FINE if now >= most else LOST if now <= 0 else BAD if now * 2 <= most else HURT
    return Part(
        key=track,
        label=NAMES[track],
        now=now,
        most=most,
        level=level,
        word=_word(level),
        rule="CE-VDMG-01",
        points=SHAPES[track],
        track=track,
        actions=_offers(track),
    )


def _offers(track: str) -> tuple[tuple[str, dict[str, str]], ...]:
    """The actions offered on a damaged number."""
    action = {"hull": "repair_hull", "structure": "repair_structure"}.get(track)
    return ((action, {"target": ""}),) if action else ()


def _word(level: int) -> Label:
    return {FINE: "part.whole", HURT: "part.hit", BAD: "part.badly_hit"}.get(level, "part.lost")


def _system_part(state: State, combatant: Combatant, key: str, points: str, label: str = "") -> Part:
    """A system, a weapon or a limb: how many hits it can still take."""
    held = machinery.find_damage(combatant, key)
    kind = held.kind.removesuffix("_hit") if held else key.split("_")[0] if key.startswith("limb") else key
    flat = machinery.is_flat(state)
    kind = kind if count_most(kind, flat) else machinery.WEAPON
    most = count_most(kind, flat)
    hits = held.level if held else 0
    effect = machinery.find_state_of(state, combatant, key)
    level = LOST if effect.lost else BAD if hits >= most - 1 and hits else HURT if hits else FINE
    return Part(
        key=key,
        label=label or NAMES[key],
        now=most - hits,
        most=most,
        level=level,
        word=_word(level),
        text=_describe(effect),
        rule=effect.rule or "CE-VDMG-01",
        points=points,
        actions=tuple((name, {"target": "", "part": key}) for name in ("rig", "repair")) if hits else (),
    )


def _describe(effect: EffectRow) -> str:
    """The effects of hits on a part, in short. [CE-VLOC-49]"""
    found = [f"speed {effect.speed}%"] if effect.speed < 100 else []
    found += [f"control {say_number(effect.control, signed=True)}"] if effect.control else []
    found += [f"checks {say_number(effect.dm, signed=True)}"] if effect.dm else []
    found += ["disabled"] if effect.off else []
    return ", ".join(found)


def _find_mounts(state: State, combatant: Combatant) -> tuple[Part, ...]:
    mounts = machinery.find_mounts(combatant)
    return tuple(
        _system_part(state, combatant, item.id, points=WEAPON_PLACES[n % len(WEAPON_PLACES)], label=item.name)
        for n, item in enumerate(mounts)
    )


def _find_limbs(state: State, combatant: Combatant) -> tuple[Part, ...]:
    keys = machinery.find_limbs(combatant)
    return tuple(
        _system_part(state, combatant, key, points=LIMB_PLACES[n % len(LIMB_PLACES)], label=f"Limb {n + 1}")
        for n, key in enumerate(keys)
    )


def draw_vehicle(combatant: Combatant) -> Body | None:
    """A vehicle from above, with its heading; None for anything else. [CE-VEH-02]"""
    if not is_vehicle(combatant):
        return None
    return Body(BODIES.get(str(combatant.sheet.get("drives_by", "")), "car"), find_facing(combatant))


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
