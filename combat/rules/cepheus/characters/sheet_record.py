"""The sheet of a person, an animal, a robot or a vehicle."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from combat.rules.core.sheets.sheets import SheetBase

from ..book.records import Mounted, NaturalAttack

MAX_LIMBS = 12
Points = Annotated[int, Meta(ge=0, le=999)]
Word = Annotated[str, Meta(min_length=1, max_length=60)]
Words = Annotated[tuple[Word, ...], Meta(max_length=60)]


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
