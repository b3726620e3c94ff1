"""Sheets of people, animals, robots and vehicles, and the combatants made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from combat.rules.core.basics.checking import read_checked
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.typed import convert
from combat.rules.core.sheets.sheets import SheetBase
from combat.rules.core.state.state import Combatant, Scalar, has_condition
from combat.rules.core.system import Health

from ..book.records import Mounted, NaturalAttack
from ..book.tables import HIGHEST_SCORE, PHYSICAL, SCORES
from . import inventory
from .conditions import OUT
from .values import FULL_DMS, count_lost, find_full, find_score, is_machine

Score = Annotated[int, Meta(ge=0, le=HIGHEST_SCORE)]
Points = Annotated[int, Meta(ge=0, le=999)]
Word = Annotated[str, Meta(min_length=1, max_length=60)]
Words = Annotated[tuple[Word, ...], Meta(max_length=60)]
BODY = ("hull", "structure", "armor")  # of machines
TRACKS = ("end", "str", "dex", "int", "edu", "soc", *BODY)
HEALTH_OF_MACHINES = ("hull", "structure")


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person, an animal, a robot or a vehicle.

    `attributes` are the undamaged scores: characteristics, and of machines hull, structure and
    armor. Stat blocks name `weapons`, `armor` and `gear` by their ids; characters have `items`.
    Vehicles have mounts, a crew and a skill to drive them by; speed is in km/h, money in Cr.
    """

    kind: Literal["person", "animal", "robot", "vehicle"] = "person"
    attributes: dict[str, Points]
    skills: dict[Word, Annotated[int, Meta(ge=0, le=9)]] = {}
    weapons: Words = ()
    armor: Words = ()
    gear: Words = ()
    tags: Words = ()
    notes: Annotated[tuple[Annotated[str, Meta(max_length=300)], ...], Meta(max_length=50)] = ()
    credits: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    natural_attacks: tuple[NaturalAttack, ...] = ()
    natural_armor: Annotated[int, Meta(ge=0, le=99)] = 0
    move_m: Annotated[int, Meta(ge=0, le=999)] = 6
    mass_kg: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    model: Annotated[str, Meta(max_length=60)] = ""
    drives_by: Annotated[str, Meta(max_length=60)] = ""
    agility: Annotated[int, Meta(ge=-9, le=9)] = 0
    speed_kph: Annotated[float, Meta(ge=0, le=100_000)] = 0
    crew: Annotated[int, Meta(ge=0, le=9999)] = 0
    passengers: Annotated[int, Meta(ge=0, le=9999)] = 0
    open: bool = False
    military: bool = False
    drone: bool = False
    size_dm: Annotated[int, Meta(ge=-6, le=6)] = 0
    mounts: Annotated[tuple[Mounted, ...], Meta(max_length=20)] = ()


def check_sheet(data: dict[str, Any]) -> Sheet:
    """Read and validate a sheet; raises msgspec.ValidationError naming the field."""
    return read_checked(data, Sheet, inventory.find_problems)


def make_combatant(
    who: str, name: str, side: str, data: dict[str, Any], options: dict[str, Scalar]
) -> Combatant:
    """A fighter as its sheet has it: every track at its full score unless the sheet says otherwise.

    Everybody has all tracks; those that are not theirs stand at 0. RULING R1: who fights at a table
    where wounds lower no DMs is marked so.
    """
    sheet = check_sheet(data)
    return Combatant(
        id=who,
        name=name,
        side=side,
        sheet=as_plain(sheet),
        tracks={key: sheet.tracks.get(key, sheet.attributes.get(key, 0)) for key in TRACKS},
        items=inventory.make_items(who, sheet),
        conditions=inventory.make_conditions(who, sheet.conditions),
        marks={FULL_DMS: True} if options.get("wounds_lower_dms") is False else {},
    )


# ---------------------------------------------------------------- health


def find_health(fighter: Combatant) -> Health:
    """How a fighter is: points of the physical characteristics, or of Hull and Structure."""
    keys, label = (HEALTH_OF_MACHINES, "hull and structure") if is_machine(fighter) else (PHYSICAL, "body")
    now = sum(max(0, find_score(fighter, key)) for key in keys)
    most = max(1, sum(find_full(fighter, key) for key in keys))
    word, level = _describe(fighter)
    out = fighter.gone or has_condition(fighter, *OUT)
    dead = has_condition(fighter, "dead", "wreck", "destroyed")
    return Health(now, most, word, min(1.0, now / most), level, out, dead, label)


def _describe(fighter: Combatant) -> tuple[str, int]:
    """[CE-DMG-10] [CE-DMG-11] The book's word, and how bad that is from 0 to 4."""
    for kind in reversed(OUT):
        if has_condition(fighter, kind):
            return f"condition.{kind}", 4
    if fighter.gone:
        return "health.gone", 4
    if is_machine(fighter):
        return _describe_machine(fighter)
    lost = [count_lost(fighter, key) for key in PHYSICAL]
    if not any(lost):
        return "health.unhurt", 0
    if all(lost):
        return "health.seriously_wounded", 3
    return "health.wounded", 1 if find_score(fighter, "end") > 0 else 2


def _describe_machine(fighter: Combatant) -> tuple[str, int]:
    if count_lost(fighter, "structure"):
        return "health.breached", 3
    if count_lost(fighter, "hull"):
        return "health.damaged", 1 if find_score(fighter, "hull") > 0 else 2
    return "health.intact", 0


def profile_of(data: dict[str, Any]) -> dict[str, int]:
    """The characteristics of a sheet, as a profile shows them."""
    known = (*SCORES, "psi")
    return {key: int(score) for key, score in data["attributes"].items() if key in known}


def read_sheet(fighter: Combatant) -> Sheet:
    """The sheet inside a fighter as a typed record."""
    return convert(fighter.sheet, Sheet)
