"""The library of opponents: people, animals, robots and vehicles as sheets."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.data import as_plain
from combat.rules.core.declaration.book import StatBlock

from ..book import tables
from ..book.records import Npc, Robot, Vehicle
from .profile import read_profile

SERIES = {"core": "Vehicles", "design": "Vehicles, design appendix", "own": "Vehicles"}


def find_blocks() -> dict[str, StatBlock]:
    """Every stat block by its key. Machines without Structure are left out: they are worn or carried.
    RULING R57

    Vehicles of the design appendix appear if the table uses them.
    """
    blocks = [_person_block(row) for row in tables.npcs().values()]
    blocks += [_robot_block(row) for row in tables.robots().values()]
    blocks += [_vehicle_block(row) for row in tables.vehicles().values() if row.structure]
    return {block.id: block for block in blocks}


def _person_block(row: Npc) -> StatBlock:
    names = [tables.weapons()[name].name for name in row.weapons] + [a.name for a in row.natural_attacks]
    summary = f"{row.upp}; {', '.join(names)}"
    return StatBlock(row.id, row.name, row.group.capitalize(), summary=summary, sheet=person_sheet(row))


def person_sheet(row: Npc) -> dict[str, Any]:
    """The sheet of a ready person or animal."""
    return {
        "name": row.name,
        "kind": "animal" if "animal" in row.tags else "person",
        "attributes": read_profile(row.upp),
        "skills": dict(row.skills),
        "weapons": list(row.weapons),
        "armor": list(row.armor),
        "gear": list(row.gear),
        "tags": list(row.tags),
        "natural_attacks": [as_plain(attack) for attack in row.natural_attacks],
        "natural_armor": row.natural_armor,
        "move_m": row.move_m,
        "mass_kg": row.mass_kg,
    }


def _robot_block(row: Robot) -> StatBlock:
    summary = f"Hull {row.hull}, Structure {row.structure}, Armor {row.armor}; {row.notes}"
    group = "Drones" if row.drone else "Robots"
    return StatBlock(row.id, row.name, group, summary=summary, sheet=robot_sheet(row))


def robot_sheet(row: Robot) -> dict[str, Any]:
    """The sheet of a robot or drone.  RULING R74"""
    attack = [{"name": "Limbs", "damage": row.damage}] if row.damage else []
    return {
        "name": row.name,
        "kind": "robot",
        "model": row.id,
        "attributes": {**row.scores, "hull": row.hull, "structure": row.structure, "armor": row.armor},
        "skills": dict(row.skills),
        "natural_attacks": attack,
        "drone": row.drone,
        "lacks": list(row.lacks),
        "limbs": row.limbs,
        "size_dm": row.size_dm,
        "notes": [row.notes] if row.notes else [],
    }


def _vehicle_block(row: Vehicle) -> StatBlock:
    seats = f"crew {row.crew}, {count_passengers(row.passengers)}"
    summary = (
        f"Hull {row.hull}, Structure {row.structure}, Armor {row.armor}; {row.speed_kph:g} km/h; {seats}"
    )
    option = "design_vehicles" if row.series == "design" else ""
    return StatBlock(
        row.id, row.name, SERIES[row.series], summary=summary, sheet=vehicle_sheet(row), option=option
    )


def count_passengers(places: int) -> str:
    """The places for passengers, in words."""
    return f"{places or 'no'} passenger{'' if places == 1 else 's'}"


def vehicle_sheet(row: Vehicle) -> dict[str, Any]:
    """The sheet of a vehicle from the catalogue, or of a user's own."""
    return {
        "name": row.name,
        "kind": "vehicle",
        "model": row.id,
        "attributes": {"hull": row.hull, "structure": row.structure, "armor": row.armor},
        "drives_by": row.skill,
        "agility": row.agility,
        "speed_kph": row.speed_kph,
        "crew": row.crew,
        "passengers": row.passengers,
        "open": row.open,
        "military": row.military,
        "lacks": list(row.lacks),
        "size_dm": row.size_dm,
        "mounts": [as_plain(mount) for mount in row.weapons],
    }
