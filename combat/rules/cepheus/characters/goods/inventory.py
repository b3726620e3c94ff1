"""The items of a sheet as a combatant has them, and the problems of a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.typed import convert
from combat.rules.core.sheets.kit import Kit, hold_items, number_items, stock
from combat.rules.core.state.state import Item

from ...book import tables
from ...book.records import Accessory, Mounted, NaturalAttack, Weapon
from ..lasting import LASTING
from ..sheet_record import Sheet
from .catalogue import CATALOGUE, UNARMED

R = TypeVar("R")
HANDS = 2
HAND_USES = {"close_quarters": "melee", "extended_reach": "melee", "thrown": "thrown"}  # all others are shot
SPARES = 2  # magazines for a stat block's weapon, if it takes any


# ---------------------------------------------------------------- items of a combatant


def make_items(who: str, sheet: Sheet) -> tuple[Item, ...]:
    """All items of a combatant: weapons in its hands first, armor worn, the rest carried.

    Combatants with hands can strike with them; machines have their mounted weapons.
    """
    natural = [stock("weapon", natural_weapon(attack), "held") for attack in sheet.natural_attacks]
    items = [*_make_weapons(sheet), *natural, *_make_mounts(sheet.mounts)]
    items += [stock("armor", tables.armors()[name], "worn") for name in sheet.armor]
    items += [make_gear(name, number) for name, number in Counter(sheet.gear).items()]
    return number_items(who, items)


def _make_weapons(sheet: Sheet) -> list[Item]:
    items = [KIT.make_item(thing) for thing in sheet.items]
    free = HANDS - sum(count_hands(item) for item in items if item.place == "held")
    names = list(sheet.weapons)
    if sheet.kind == "person" and UNARMED not in names:
        names.append(UNARMED)
    return [*items, *hold_items(map(make_weapon, names), free, count_hands)]


def make_weapon(name: str) -> Item:
    """A weapon from the catalogue as an item, loaded, with spare magazines."""
    record = tables.weapons()[name]
    spares = SPARES if record.magazine else 0
    return stock("weapon", record, loaded=record.magazine or None, spares=spares)


def natural_weapon(attack: NaturalAttack) -> Weapon:
    """The record of a natural attack: close quarters, by Natural Weapons."""
    return Weapon(
        id=attack.name.casefold().replace(" ", "_"),
        name=attack.name,
        group="natural",
        range_types=("close_quarters",),
        skills=("natural_weapons",),
        damage=attack.damage,
        draw_minor=0,
    )


def _make_mounts(mounts: tuple[Mounted, ...]) -> list[Item]:
    known = tables.vehicle_weapons()
    return [stock("mount", known[m.weapon], "held", marks={"mount": m.mount}) for m in mounts]


def make_gear(name: str, count: int = 1) -> Item:
    """Other items of a stat block: grenades, charges, weapon accessories, gear."""
    kind, record = find_gear(name)
    return stock(kind, record, "worn" if kind == "accessory" else "carried", count=count)


def find_gear(name: str) -> tuple[str, Any]:
    """The kind and record, by id, of an item that is neither weapon nor armor."""
    for kind, known in _gear_tables().items():
        if name in known:
            return kind, known[name]
    raise LookupError(f"there is no gear {name!r}")


def _gear_tables() -> dict[str, Mapping[str, Any]]:
    return {
        "grenade": tables.grenades(),
        "explosive": tables.explosives(),
        "accessory": tables.accessories(),
        "ammo": tables.ammo(),
        "gear": tables.gear(),
    }


def count_hands(item: Item) -> int:
    """The hands that a held item takes; parts of the body and mounts take none."""
    if item.kind != "weapon":
        return 0 if item.kind == "mount" else 1
    if item.data.get("group") == "natural" or item.data.get("id") == UNARMED:
        return 0
    return 2 if item.data.get("two_handed") else 1


def is_gun(item: Item) -> bool:
    """Whether a weapon is fired."""
    return any(row not in HAND_USES for row in item.data.get("range_types", ()))


# ---------------------------------------------------------------- reading


@remember_each
def as_record(data: dict[str, Any], record: type[R]) -> R:
    """The data of an item as a record, as it was when the fight began."""
    return convert(data, record)


def find_fittings(items: tuple[Item, ...], weapon: str) -> tuple[Accessory, ...]:
    """The accessories of one of someone's weapons: those marked as on it; unmarked ones are on the first
    gun."""
    fitted = [item for item in items if item.kind == "accessory" and item.place == "worn"]
    if not fitted:
        return ()
    first = next((item.id for item in items if item.kind == "weapon" and item.data.get("magazine")), "")
    on_it = [item for item in fitted if item.marks.get("on", first) == weapon]
    return tuple([as_record(item.data, Accessory) for item in on_it])


# ---------------------------------------------------------------- problems


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """Problems beyond the type of a sheet: unknown skills and items."""
    return KIT.find_problems(sheet, _number_problems(sheet), _word_problems(sheet))


def _number_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    known = (*tables.characteristics(), "hull", "structure", "armor")
    needed = {
        "vehicle": ("hull", "structure", "armor"),
        "robot": ("str", "dex", "hull", "structure", "armor"),
    }
    for key in needed.get(sheet["kind"], tables.SCORES):
        if key not in sheet["attributes"]:
            yield Problem(f"attributes.{key}", "is missing")
    for key in sheet["attributes"]:
        if key not in known:
            yield Problem(
                f"attributes.{key}", f"there is no such characteristic; known are {', '.join(known)}"
            )
    for key in sheet["tracks"]:
        if key not in (*tables.SCORES, "hull", "structure", "armor"):
            yield Problem(f"tracks.{key}", "there is no such number")


def _word_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    for name in sheet["skills"]:
        if name not in tables.skills():
            yield Problem(f"skills.{name}", "there is no such skill")
    for number, mount in enumerate(sheet["mounts"]):
        if mount["weapon"] not in tables.vehicle_weapons():
            yield Problem(f"mounts[{number}]", f"there is no vehicle weapon “{mount['weapon']}”")


KIT = Kit(
    catalogue=CATALOGUE,
    lasting=LASTING,
    lists=(
        ("weapons", "weapon", tables.weapons()),
        ("armor", "armor", tables.armors()),
        ("gear", "gear", {name for known in _gear_tables().values() for name in known}),
    ),
    hands=HANDS,
    count_hands=count_hands,
    one_armor="only one suit of armor can be worn, and what is made to go over it",
    grown=False,
)
