"""The sheet of a person, an animal, a robot or a vehicle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import Meta

from combat.rules.core.sheets.sheets import Lasting, SheetBase
from combat.rules.core.state.state import Combatant, Condition

from ..book.tables import Mounted, NaturalAttack
from .conditions import KINDS
from .machinery import HIT_KINDS, LIMB, WEAPON, find_limbs, find_mounts

MAX_LIMBS = 12
Points = Annotated[int, Meta(ge=0, le=999)]
Word = Annotated[str, Meta(min_length=1, max_length=60)]
Words = Annotated[tuple[Word, ...], Meta(max_length=60)]

PARTS_OF = {kind: part for part, kind in HIT_KINDS.items()}
OF_MACHINES, OF_BODIES = KINDS.tagged("lasting_machine"), KINDS.tagged("lasting_body")
LASTING = tuple(dict.fromkeys((*OF_BODIES, *OF_MACHINES, *PARTS_OF)))


class Sheet(SheetBase, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person, an animal, a robot or a vehicle.

    `attributes` are the undamaged scores: characteristics, or for machines hull, structure and armor. Stat
    blocks name `weapons`, `armor` and `gear` by their ids; characters have `items`. Vehicles have mounts, a
    crew and a driving skill; speed is in km/h, money in Cr. `lacks` are the systems a machine is built
    without, `limbs` is the number of a robot's limbs.
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
    lacks: Annotated[tuple[Literal["sensors", "computer"], ...], Meta(max_length=2)] = ()
    limbs: Annotated[int, Meta(ge=0, le=MAX_LIMBS)] = 4
    size_dm: Annotated[int, Meta(ge=-6, le=6)] = 0
    mounts: Annotated[tuple[Mounted, ...], Meta(max_length=20)] = ()


# The conditions that a sheet keeps after a fight, including damage to the parts of a machine.


def fits_sheet(sheet: dict[str, Any], kind: str) -> bool:
    """Whether a condition can be added to a sheet directly: parts break on machines, limbs on robots."""
    if kind == HIT_KINDS[LIMB]:
        return bool(sheet["kind"] == "robot" and not sheet.get("drone"))
    return kind in (OF_MACHINES if sheet["kind"] in ("vehicle", "robot") else OF_BODIES)


def make_conditions(combatant: Combatant, held: Iterable[Lasting]) -> tuple[Condition, ...]:
    """The conditions a combatant joins with: those of the sheet, and prone for the unconscious."""
    held = tuple(held)
    if any(lasting.kind == "unconscious" for lasting in held):
        held = (*held, Lasting(kind="prone"))
    taken: set[str] = set()
    return tuple(_condition(combatant, n, lasting, taken) for n, lasting in enumerate(held, 1))


def _condition(combatant: Combatant, number: int, lasting: Lasting, taken: set[str]) -> Condition:
    known = KINDS[lasting.kind]
    part = find_part(combatant, lasting, taken)
    taken.add(part)
    return Condition(
        f"{combatant.id}-c{number}",
        known.kind,
        lasting.note or f"condition.{known.kind}",
        rule=known.rule,
        level=lasting.level,
        marks={"part": part} if part else {},
    )


def find_part(combatant: Combatant, lasting: Lasting, taken: set[str]) -> str:
    """The damaged part of a machine; empty if the condition is no damage to a part.

    For weapons and limbs the one that the note names, else the first undamaged one.
    """
    kind = PARTS_OF.get(lasting.kind, "")
    if kind not in (WEAPON, LIMB):
        return kind
    if kind == LIMB:
        places = {key: key.replace("_", " ").capitalize() for key in find_limbs(combatant)}
    else:
        places = {item.id: item.name for item in find_mounts(combatant)}
    free = [key for key in places if key not in taken]
    named = [key for key in free if places[key] and lasting.note.startswith(f"{places[key]} ")]
    return next(iter((*named, *free)), "")
