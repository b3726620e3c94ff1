"""Sheets of people, animals, robots and vehicles, the library of opponents, and combatants made of them."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.declaration.book import StatBlock
from combat.rules.core.declaration.characters import Health
from combat.rules.core.state.state import Combatant, Scalar, find_condition, has_condition, replace

from ..book import tables
from ..book.tables import PHYSICAL, Npc, Robot, Vehicle
from . import goods
from .conditions import LIFELESS, OUT, is_lifeless
from .one_line_npc import read_profile
from .sheet_record import Sheet, make_conditions
from .values import BODY, FULL_DMS, count_lost, find_full, find_score, is_machine, is_out

TRACKS = ("end", "str", "dex", "int", "edu", "soc", *BODY)
HEALTH_OF_MACHINES = ("hull", "structure")
MAX_HULL_HITS = 3  # RULING R66
SERIES = {"core": "Vehicles", "design": "Vehicles, design appendix", "own": "Vehicles"}


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, goods.find_problems)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """A combatant as its sheet has it: every track at its full score unless the sheet says otherwise.

    Every combatant has all tracks; those of other kinds are 0. RULING R1: a mark shows that wounds lower no
    DMs at this table.
    """
    sheet = check_sheet(data)
    combatant = Combatant(
        id=who,
        name=name,
        side=side,
        sheet=as_plain(sheet),
        tracks={key: sheet.tracks.get(key, sheet.attributes.get(key, 0)) for key in TRACKS},
        items=goods.make_items(who, sheet),
        marks={FULL_DMS: True} if options.get("wounds_lower_dms") is False else {},
    )
    return replace(combatant, conditions=make_conditions(combatant, sheet.conditions))


# ---------------------------------------------------------------- health


def find_health(combatant: Combatant) -> Health:
    """The health of a combatant: points of the physical characteristics, or of Hull and Structure."""
    now, most, label = _count_points(combatant)
    word, level = _describe(combatant)
    dead = is_lifeless(combatant)
    return Health(
        now,
        most,
        word,
        share=min(1.0, now / most),
        level=level,
        is_out=is_out(combatant),
        dead=dead,
        label=label,
    )


def _count_points(combatant: Combatant) -> tuple[int, int, str]:
    """The points left, the full points, and their name; for a Hull that the third hit destroys, the hits it
    can still take.  RULING R66"""
    if hits := _count_hull_hits(combatant):
        return max(0, MAX_HULL_HITS - hits), MAX_HULL_HITS, "hits on the hull"
    keys, label = (HEALTH_OF_MACHINES, "hull and structure") if is_machine(combatant) else (PHYSICAL, "body")
    now = sum(max(0, find_score(combatant, key)) for key in keys)
    return now, max(1, sum(find_full(combatant, key) for key in keys)), label


def _count_hull_hits(combatant: Combatant) -> int:
    held = find_condition(combatant, "hull_hit")
    return held.level if held else 0


def _describe(combatant: Combatant) -> tuple[str, int]:
    """The book's word for it, and its severity from 0 to 4. [CE-DMG-10] [CE-DMG-11]"""
    for kind in (*LIFELESS[::-1], *OUT):
        if has_condition(combatant, kind):
            return f"condition.{kind}", 4
    if combatant.gone:
        return "health.gone", 4
    if is_machine(combatant):
        return _describe_machine(combatant)
    lost = [count_lost(combatant, key) for key in PHYSICAL]
    if not any(lost):
        return "health.unhurt", 0
    if all(lost):
        return "health.seriously_wounded", 3
    return "health.wounded", 1 if find_score(combatant, "end") > 0 else 2


def _describe_machine(combatant: Combatant) -> tuple[str, int]:
    hits = _count_hull_hits(combatant)
    if count_lost(combatant, "structure") or hits > 1:
        return "health.breached", 3
    if hits:
        return "health.damaged", 1
    if count_lost(combatant, "hull"):
        return "health.damaged", 1 if find_score(combatant, "hull") > 0 else 2
    return "health.intact", 0


# The library of opponents: people, animals, robots and vehicles as sheets.


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
