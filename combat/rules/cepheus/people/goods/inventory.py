"""The items of a sheet as a combatant has them, and the problems of a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.memory import remember, remember_each
from combat.rules.core.basics.typed import convert
from combat.rules.core.sheets.catalogue import check_conditions, check_things
from combat.rules.core.sheets.sheets import Carried
from combat.rules.core.state.state import Item, replace

from ...book import tables
from ...book.records import Accessory, Grenade, Mounted, NaturalAttack, VehicleWeapon, Weapon
from ..lasting import LASTING
from ..sheet_record import Sheet
from .catalogue import CATALOGUE, UNARMED

HANDS = 2
SPARES = 2  # magazines for a stat block's weapon, if it takes any


# ---------------------------------------------------------------- items of a combatant


def make_items(who: str, sheet: Sheet) -> tuple[Item, ...]:
    """All items of a combatant: weapons in its hands first, armor worn, the rest carried.

    Combatants with hands can strike with them; machines have their mounted weapons.
    """
    items = [*_make_weapons(sheet), *_make_natural(sheet), *_make_mounts(sheet.mounts)]
    items += [_make_armor(name) for name in sheet.armor]
    items += [make_gear(name, number) for name, number in Counter(sheet.gear).items()]
    return tuple(replace(item, id=f"{who}-{n}") for n, item in enumerate(items, 1))


def _make_weapons(sheet: Sheet) -> list[Item]:
    items = [make_item(thing) for thing in sheet.items]
    free = HANDS - sum(count_hands(item) for item in items if item.place == "held")
    names = list(sheet.weapons)
    if sheet.kind == "person" and UNARMED not in names:
        names.append(UNARMED)
    for name in names:
        item = make_weapon(name)
        hands = count_hands(item)
        if hands <= free:
            item, free = replace(item, place="held"), free - hands
        items.append(item)
    return items


def make_item(thing: Carried) -> Item:
    """An item of a sound sheet, with its record as it is today."""
    entry = CATALOGUE.look_up(thing)
    assert entry is not None, thing
    return Item(
        id="",
        kind=thing.kind,
        name=entry.name,
        data=entry.record,
        place=thing.place,
        loaded=thing.loaded,
        spares=thing.spares,
        count=thing.count,
        marks={key: value for key, value in thing.wear.items() if value},
    )


def _make_armor(name: str) -> Item:
    record = tables.armors()[name]
    return Item("", "armor", record.name, as_plain(record), "worn")


def make_weapon(name: str) -> Item:
    """A weapon from the catalogue as an item, loaded, with spare magazines."""
    record = tables.weapons()[name]
    spares = SPARES if record.magazine else 0
    return Item("", "weapon", record.name, as_plain(record), loaded=record.magazine or None, spares=spares)


def _make_natural(sheet: Sheet) -> list[Item]:
    """Teeth and claws as weapons that are always ready."""
    return [
        Item("", "weapon", attack.name, as_plain(natural_weapon(attack)), "held")
        for attack in sheet.natural_attacks
    ]


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
    return [
        Item("", "mount", known[m.weapon].name, as_plain(known[m.weapon]), "held", marks={"mount": m.mount})
        for m in mounts
    ]


def make_gear(name: str, count: int = 1) -> Item:
    """Other items of a stat block: grenades, charges, weapon accessories, gear."""
    kind, record = find_gear(name)
    place = "worn" if kind == "accessory" else "carried"
    return Item("", kind, record.name, as_plain(record), place, count=count)


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


# ---------------------------------------------------------------- reading


def read_weapon(item: Item) -> Weapon:
    """The record of a weapon, as it was when the fight began."""
    return _read_weapon(item.data)


def read_mount(item: Item) -> VehicleWeapon:
    """The record of a mounted weapon."""
    return _read_mount(item.data)


def read_grenade(item: Item) -> Grenade:
    """The record of a grenade."""
    return _read_grenade(item.data)


@remember
def _read_weapon(data: dict[str, Any]) -> Weapon:
    return convert(data, Weapon)


@remember
def _read_mount(data: dict[str, Any]) -> VehicleWeapon:
    return convert(data, VehicleWeapon)


@remember
def _read_grenade(data: dict[str, Any]) -> Grenade:
    return convert(data, Grenade)


@remember_each
def find_fittings(items: tuple[Item, ...], weapon: str) -> tuple[Accessory, ...]:
    """The accessories of one of someone's weapons: those marked as on it; unmarked ones are on the first
    gun."""
    fitted, first = [], ""
    for item in items:  # items change with every shot: few calls
        if item.kind == "accessory" and item.place == "worn":
            fitted.append(item)
        elif not first and item.kind == "weapon" and item.data.get("magazine"):
            first = item.id
    if not fitted:
        return ()
    return tuple([_read_fitting(item.data) for item in fitted if item.marks.get("on", first) == weapon])


@remember
def _read_fitting(data: dict[str, Any]) -> Accessory:
    return convert(data, Accessory)


# ---------------------------------------------------------------- problems


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """Problems beyond the type of a sheet: unknown skills and items."""
    return (
        *_number_problems(sheet),
        *_word_problems(sheet),
        *_thing_problems(convert(sheet["items"], tuple[Carried, ...])),
        *check_conditions(sheet, LASTING),
    )


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
    gear = {name: row for known in _gear_tables().values() for name, row in known.items()}
    lists: tuple[tuple[str, str, Any], ...] = (
        ("weapons", "weapon", tables.weapons()),
        ("armor", "armor", tables.armors()),
        ("gear", "gear", gear),
    )
    for field, what, known in lists:
        for number, name in enumerate(sheet[field]):
            if name not in known:
                yield Problem(f"{field}[{number}]", f"there is no {what} “{name}”")
    for name in sheet["skills"]:
        if name not in tables.skills():
            yield Problem(f"skills.{name}", "there is no such skill")
    for number, mount in enumerate(sheet["mounts"]):
        if mount["weapon"] not in tables.vehicle_weapons():
            yield Problem(f"mounts[{number}]", f"there is no vehicle weapon “{mount['weapon']}”")


def _thing_problems(items: tuple[Carried, ...]) -> Iterator[Problem]:
    """Problems of the items: unknown ones, more than two hands full, more armor than one layer plus armor
    worn over it."""
    problems, sound = check_things(CATALOGUE, items)
    yield from problems
    made = [make_item(thing) for thing in sound]
    worn = [item for item in made if item.kind == "armor" and item.place == "worn"]
    if len([item for item in worn if not item.data.get("over_other")]) > 1:
        yield Problem("items", "only one suit of armor can be worn, and what is made to go over it")
    hands = sum(count_hands(item) for item in made if item.place == "held")
    if hands > HANDS:
        yield Problem("items", f"holds items for {hands} hands; there are {HANDS}")
