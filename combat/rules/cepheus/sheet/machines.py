"""The size, weapons, limbs and control of a user's own machine, as the form of its sheet asks for them.

A machine from the catalogue brings all of this, and the form does not ask.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.sheets.sheets import Choices, Draft, Option, Selection, Stat

from ..book import tables
from ..book.tables import Robot, Vehicle
from ..characters.machinery import USUAL_LIMBS
from ..characters.sheet_record import MAX_LIMBS

OWN_VEHICLE: Choices = {"kind": ("vehicle",), "model_vehicle": ("",)}
OWN_ROBOT: Choices = {"kind": ("robot",), "model_robot": ("",)}
NONE = ""
COUNT = 2  # mounted weapons in the form; further ones stay as they are
MOUNTS = {
    "turret": "Turret: every direction",
    "front": "To the front",
    "rear": "To the rear",
    "left": "To the left",
    "right": "To the right",
}
SAME_MOUNTS = {"ring": "turret", "fixed": "front"}  # the form's word for the other mounts; they fire alike
OPEN, CLOSED, MILITARY = "open", "closed", "military"
BODIES = {CLOSED: "Closed", MILITARY: "Closed, military", OPEN: "Open"}
WHOLE = "whole"
SYSTEMS = {  # the systems a machine may have, and those it lacks
    WHOLE: ("Sensors and a computer", ()),
    "no_computer": ("Sensors, no computer", ("computer",)),
    "no_sensors": ("A computer, no sensors", ("sensors",)),
    "neither": ("Neither sensors nor a computer", ("sensors", "computer")),
}
ALONE, STEERED = "own", "drone"
CONTROLS = {
    ALONE: ("A robot", "acts by itself"),
    STEERED: ("A drone", "acts while someone steers it"),
}
LIMBS = "Limbs"
MAX_DICE, USUAL_DICE = 20, 1
MAX_SIZE, USUAL_SIZE = 6, 1  # DM on attacks at it; most vehicles have 1, robots none
SOURCE = "Vehicles and robots"


def _size(key: str, what: str, usual: int, only: Choices) -> Stat:
    return Stat(
        key=key,
        label=f"DM to hit the {what}",
        low=-MAX_SIZE,
        high=MAX_SIZE,
        first_low=-MAX_SIZE,
        first_high=MAX_SIZE,
        usual=usual,
        text="for its size",
        rule="CE-VEH-07",
        source=SOURCE,
        only=only,
    )


STATS = (
    _size("size_vehicle", "vehicle", USUAL_SIZE, OWN_VEHICLE),
    _size("size_robot", "robot", 0, OWN_ROBOT),
    Stat(
        key="limbs",
        label="Damage with limbs, D6",
        low=0,
        high=MAX_DICE,
        first_low=0,
        first_high=MAX_DICE,
        usual=USUAL_DICE,
        text="0: it does not strike",
        source=SOURCE,
        only=OWN_ROBOT,
    ),
    Stat(
        key="limb_count",
        label="Number of limbs",
        low=0,
        high=MAX_LIMBS,
        first_low=0,
        first_high=MAX_LIMBS,
        usual=USUAL_LIMBS,
        rule="CE-VLOC-38",
        source=SOURCE,
        only=OWN_ROBOT,
    ),
)


def _weapon(n: int) -> Selection:
    return Selection(
        key=f"weapon_{n}",
        label="Mounted weapon" if n == 1 else "Second mounted weapon",
        options=tuple(
            Option(key=row.id, label=row.name, text=f"TL {row.tl}, {row.damage}")
            for row in tables.vehicle_weapons().values()
        ),
        required=False,
        text="Fired from the controls or the guns.",
        rule="CE-VMOUNT-01",
        only=OWN_VEHICLE,
    )


def _mount(n: int) -> Selection:
    return Selection(
        key=f"mount_{n}",
        label="It fires" if n == 1 else "The second one fires",
        options=tuple(Option(key=key, label=label) for key, label in MOUNTS.items()),
        usual="turret",
        rule="CE-VMOUNT-01",
        only={**OWN_VEHICLE, f"weapon_{n}": tuple(tables.vehicle_weapons())},
    )


def _systems(kind: str, only: Choices) -> Selection:
    return Selection(
        key=f"systems_{kind}",
        label="Built with",
        options=tuple(Option(key=key, label=label) for key, (label, _) in SYSTEMS.items()),
        usual=WHOLE,
        rule="CE-VLOC-33",
        only=only,
        mends=True,
    )


SELECTIONS = (
    _systems("vehicle", OWN_VEHICLE),
    _systems("robot", OWN_ROBOT),
    Selection(
        key="control",
        label="Control",
        options=tuple(Option(key=key, label=label, text=text) for key, (label, text) in CONTROLS.items()),
        usual=ALONE,
        only=OWN_ROBOT,
    ),
    *(make(n) for n in range(1, COUNT + 1) for make in (_weapon, _mount)),
)


def describe_vehicle(row: Vehicle) -> tuple[str, ...]:
    """The properties of a catalogue vehicle besides its numbers, for readers of its sheet."""
    body = BODIES[OPEN if row.open else MILITARY if row.military else CLOSED]
    known, skill = tables.vehicle_weapons(), tables.skills().get(row.skill)
    return (
        body,
        *((f"Driven by {skill.name}",) if skill else ()),
        *(f"{known[one.weapon].name}, {one.mount}" for one in row.weapons),
        *_describe_systems(row),
    )


def _describe_systems(row: Vehicle | Robot) -> tuple[str, ...]:
    """The systems a machine lacks; empty if it has all."""
    return tuple(f"No {part}" for part in row.lacks)


def describe_robot(row: Robot) -> tuple[str, ...]:
    """The same for a robot: its attacks, and whether it needs an operator."""
    found = (f"{LIMBS} {row.damage}" if row.damage else "", "Drone" if row.drone else "")
    return (*(word for word in found if word), *_describe_systems(row))


# ---------------------------------------------------------------- sheets and drafts


def read_robot(sheet: dict[str, Any]) -> Draft:
    """The decisions in a robot's sheet that only robots have."""
    return Draft(
        attributes={
            "size_robot": sheet.get("size_dm", 0),
            "limbs": _read_limbs(sheet),
            "limb_count": sheet.get("limbs", USUAL_LIMBS),
        },
        chosen={
            "control": STEERED if sheet.get("drone") else ALONE,
            "systems_robot": _read_systems(sheet),
        },
    )


def _read_systems(sheet: dict[str, Any]) -> str:
    """The systems a machine has, in the words of the form."""
    lacks = set(sheet.get("lacks", ()))
    return next(key for key, (_, parts) in SYSTEMS.items() if set(parts) == lacks)


def _write_systems(draft: Draft, kind: str) -> list[str]:
    """The systems that the user's own machine lacks."""
    return list(SYSTEMS[draft.chosen.get(f"systems_{kind}", WHOLE)][1])


def _read_limbs(sheet: dict[str, Any]) -> int:
    """The dice of the first attack with limbs; 0 without one."""
    dice = next((a["damage"].removesuffix("d6") for a in sheet.get("natural_attacks", ())), "0")
    return int(dice) if dice.isdecimal() else USUAL_DICE


def write_robot(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """The fields of the sheet of the user's own robot; unchanged attacks stay as they are."""
    known, dice = list(sheet.get("natural_attacks", ())), draft.attributes["limbs"]
    if dice != _read_limbs(sheet) or not known:
        named = known[0]["name"] if known else LIMBS
        known[:1] = [{"name": named, "damage": f"{dice}d6"}] if dice else []
    return {
        "size_dm": draft.attributes["size_robot"],
        "drone": draft.chosen.get("control") == STEERED,
        "natural_attacks": known,
        "limbs": draft.attributes["limb_count"],
        "lacks": _write_systems(draft, "robot"),
    }


def read_mounts(sheet: dict[str, Any]) -> Draft:
    """The size and the mounted weapons in a vehicle's sheet."""
    chosen = {"systems_vehicle": _read_systems(sheet)}
    mounts = sheet.get("mounts", ())
    for n in range(1, COUNT + 1):
        weapon, mount = _read_mount(mounts[n - 1]) if n <= len(mounts) else (NONE, "turret")
        chosen |= {f"weapon_{n}": weapon, f"mount_{n}": mount}
    return Draft(attributes={"size_vehicle": sheet.get("size_dm", 0)}, chosen=chosen)


def _read_mount(mounted: dict[str, Any]) -> tuple[str, str]:
    mount = mounted.get("mount", "front")
    return mounted["weapon"], SAME_MOUNTS.get(mount, mount)


def write_mounts(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """The same fields for the sheet of the user's own vehicle; an unchanged mount stays as it is."""
    known, made = list(sheet.get("mounts", ())), []
    for n in range(1, COUNT + 1):
        weapon, mount = draft.chosen.get(f"weapon_{n}", NONE), draft.chosen.get(f"mount_{n}", "turret")
        before = known[n - 1] if n <= len(known) else None
        if before is not None and _read_mount(before) == (weapon, mount):
            made.append(before)
        elif weapon != NONE:
            made.append({"weapon": weapon, "mount": mount})
    return {
        "size_dm": draft.attributes["size_vehicle"],
        "mounts": [*made, *known[COUNT:]],
        "lacks": _write_systems(draft, "vehicle"),
    }
