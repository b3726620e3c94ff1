"""Items: the catalogue for lists and forms, launchers under rifles, and what a combatant has on a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.data import as_plain, convert
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.sheets.catalogue import (
    MELEE,
    RANGED,
    SPENDS,
    THROWN,
    Catalogue,
    Column,
    Kind,
    Wear,
    choice_column,
    choices_of,
    dice_column,
    flag_column,
    many_column,
    melee_use,
    number_column,
    ranged_use,
    thrown_use,
    used,
)
from combat.rules.core.sheets.kit import Kit, hold_items, number_items, stock
from combat.rules.core.state.state import Combatant, Item, replace

from ..book import tables
from ..book.tables import (
    Accessory,
    Ammunition,
    Armor,
    Explosive,
    Gear,
    Goods,
    Grenade,
    Mounted,
    NaturalAttack,
    VehicleWeapon,
    Weapon,
    weapons,
)
from .sheet_record import LASTING, Sheet

ON = "on"  # mark: the rifle that carries it
RIFLE_SKILLS = frozenset({"slug_rifle", "energy_rifle"})
MONEY, FLECHETTE = "Cr", "flechette"
HIGHEST_TL = 16
UNARMED = "unarmed_strike"
DAMAGE_TYPES = {
    "": "none",
    "B": "bludgeoning",
    "P": "piercing",
    "S": "slashing",
    "P/S": "either",
    "E": "energy",
}
GROUPS = {"melee": "Melee", "ranged": "Ranged", "heavy": "Heavy", "natural": "Natural"}
SKILLS = {row.id: row.name for row in tables.skills().values()}
RANGES = {row.id: row.name for row in tables.RANGE_TYPES.values()}
LAUNCHERS = {row.id: row.name for row in tables.accessories().values() if row.grenades}
GUNS = {"": "none", **{row.id: row.name for row in tables.weapons().values() if row.magazine}, **LAUNCHERS}
DRUGS = {
    "": "no drug",
    **{row.id: row.name for row in tables.medicines().values()},
    **{row.id: row.name for row in tables.doses().values()},
    "told": "Drug, as its words say",
}
TL = number_column("tl", "TL", 0, 33)
COST = number_column("cost", "Price", 0, high=1_000_000_000, unit=MONEY)
LAW = number_column("law_level", "Forbidden from Law Level", 0, 99, plain=99)
ENERGY = flag_column("energy", "Energy weapon")
ELECTRIC = flag_column("electric", "High-power electrics")
TEXT = Column(key="text", label="What it does", required=True)
NOTES = Column(key="notes", label="Notes", plain="")
ARM = (
    many_column("range_types", "Range", choices_of(RANGES), required=True),
    many_column("skills", "Skill", choices_of(SKILLS), required=True),
)
WEAPON = (
    used(choice_column("group", "Group", choices_of(GROUPS)), RANGED),
    dice_column("damage", "Damage", "such as 3d6", plain=""),
    choice_column("damage_type", "Type", choices_of(DAMAGE_TYPES), ""),
    *ARM,
    used(number_column("magazine", "Magazine", 0, high=9999, unit="rounds"), RANGED),
    number_column("draw_minor", "Ready", 0, high=20, unit="minor actions", plain=1),
    used(number_column("reload_minor", "Reload", 0, high=20, unit="minor actions", plain=1), RANGED),
    number_column("min_strength", "Least Strength", 0, 33),
    used(flag_column("recoil", "Recoil"), RANGED),
    used(flag_column("laser", "Laser"), RANGED),
    ENERGY,
    ELECTRIC,
    flag_column("two_handed", "Both hands"),
    TL,
    COST,
    LAW,
    NOTES,
)
WEAPON_USES = (
    melee_use(sets={"group": "melee"}, begins={"range_types": ("close_quarters",)}),
    ranged_use(begins={"group": "ranged"}),
    thrown_use(sets={"group": "melee"}, begins={"range_types": ("thrown",)}),
)
GRENADE = (
    dice_column("damage", "Damage", plain=""),
    *ARM,
    Column(
        key="radius_m", label="Radius", kind="number", low=1, high=999, unit="m", required=True, plain=None
    ),
    flag_column("stuns", "Stuns"),
    number_column("attack_dm", "DM inside", -9, 0),
    dice_column("rounds_dice", "Cloud lasts", "rounds, such as 1d6", plain=""),
    number_column("rounds_times", "Rounds times", 1, 99, plain=1),
    TL,
    COST,
    LAW,
    NOTES,
)
EXPLOSIVE = (
    dice_column("damage", "Damage", plain="", required=True),
    dice_column("radius", "Radius in m", plain="", required=True),
    number_column("times", "Times", 1, 99, plain=1),
    TL,
    COST,
    LAW,
    NOTES,
)
AMMO = (
    choice_column("weapon", "For", choices_of(GUNS)),
    number_column("rounds", "Rounds", 1, 9999, plain=None),
    dice_column("damage_beyond_short", "Damage beyond Short", plain=""),
    TL,
    COST,
)
ACCESSORY = (
    TEXT,
    number_column("aimed_dm", "DM on aimed attacks", 0, 6),
    number_column("recoil_dm", "Recoil DM", -6, 0),
    flag_column("laser_sight", "Laser-assisted"),
    TL,
    COST,
)
VEHICLE_WEAPON = (
    dice_column("damage", "Damage", plain="", required=True),
    *ARM,
    flag_column("laser", "Laser"),
    ENERGY,
    flag_column("recoil", "Recoil"),
    TL,
    COST,
    NOTES,
)
ARMOR = (
    number_column("ar", "Armor", 0, 99, plain=None),
    number_column("ar_laser", "Armor against lasers", 0, 99, plain=None),
    choice_column("required_skill", "Needs", choices_of({"": "none", **SKILLS}), ""),
    flag_column("over_other", "Over other armor"),
    flag_column("ablates", "Wears off by lasers"),
    number_column("str_bonus", "Strength", 0, 20),
    number_column("dex_bonus", "Dexterity", 0, 20),
    number_column("sealed_hours", "Sealed", 0, high=999, unit="h"),
    flag_column("unshaken", "Never suppressed"),
    TL,
    COST,
    NOTES,
)
GEAR = (
    TEXT,
    choice_column("works", "As a drug", choices_of(DRUGS), ""),
    ELECTRIC,
    number_column("reach_m", "Reach", 0, high=10_000_000, unit="m"),
    TL,
    COST,
)
WORN_OFF = "ablated"  # mark of armor: laser points it has lost
R = TypeVar("R")
HANDS = 2
HAND_USES = {"close_quarters": "melee", "extended_reach": "melee", "thrown": "thrown"}  # all others are shot
SPARES = 2  # magazines for a stat block's weapon, if it takes any


def is_rifle(item: Item) -> bool:
    """Whether a gun uses the skill and the ranges of a rifle."""
    rows, skills = item.data.get("range_types", ()), item.data.get("skills", ())
    return item.kind == "weapon" and "rifle" in rows and not RIFLE_SKILLS.isdisjoint(skills)


def find_launchers(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The launchers among someone's items, as weapons: each is in hand if its rifle is.

    Without a rifle there are none. A launcher with unstated contents is full.
    """
    fitted = [i for i in items if i.kind == "accessory" and i.place == "worn" and i.data.get("fired_like")]
    rifles = {item.id: item for item in items if is_rifle(item)} if fitted else {}
    first = next(iter(rifles), "")
    return tuple(_as_weapon(i, rifle) for i in fitted if (rifle := rifles.get(str(i.marks.get(ON, first)))))


def _as_weapon(item: Item, rifle: Item) -> Item:
    data = _make_record(item.data)
    loaded = data["magazine"] if item.loaded is None else item.loaded
    marks = {**item.marks, ON: rifle.id}
    return replace(item, kind="weapon", data=data, place=rifle.place, loaded=loaded, marks=marks)


def _make_record(data: dict[str, Any]) -> dict[str, Any]:
    """The record of the weapon like which it is fired; it holds n grenades, fires one at a time, and needs
    the hands on the rifle."""
    own: dict[str, Any] = {key: data[key] for key in ("id", "name", "reload_minor") if key in data}
    like: dict[str, Any] = as_plain(weapons()[data["fired_like"]])
    return {**like, **own, "magazine": data["grenades"], "rate_of_fire": (1,), "two_handed": False}


def as_weapon(combatant: Combatant, item: Item) -> Item:
    """An item as it is used: a fitted launcher as a weapon, anything else unchanged."""
    if item.kind != "accessory":
        return item
    return next((launcher for launcher in find_launchers(combatant.items) if launcher.id == item.id), item)


def find_held(combatant: Combatant, item: Item) -> Item:
    """The item to hold for using a weapon: a launcher's rifle, else the weapon."""
    rifle = item.marks.get(ON)
    return next((i for i in combatant.items if i.id == rifle), item) if rifle else item


# The catalogue of the game for lists and forms: kinds, columns, entries.


def find_use(record: Mapping[str, Any]) -> str:
    """How a weapon is used; what can be thrown as well is thrown."""
    if record.get("group") in ("ranged", "heavy"):
        return RANGED
    return THROWN if "thrown" in (record.get("range_types") or ()) else MELEE


def find_armor_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """RULING R75: the laser points that ablative armor has lost."""
    most = int(record.get("ar_laser", 0))
    return (Wear(WORN_OFF, "Points lost against lasers", most),) if record.get("ablates") else ()


def find_facts(row: Any) -> dict[str, Any]:
    """The Tech Level and price of a record's entry, and the weapon that ammunition feeds."""
    price = getattr(row, "cost", 0) or None
    return {"age": f"TL {getattr(row, 'tl', 0)}", "price": price, "spare_for": _find_fed(row)}


def _find_fed(record: object) -> tuple[str, str] | None:
    """The weapon or launcher that ammunition belongs to as a spare; loose shells are carried as they are."""
    if not isinstance(record, Ammunition) or record.kind == FLECHETTE:
        return None
    return ("accessory" if record.weapon in LAUNCHERS else "weapon", record.weapon)


def _weigh(row: Goods) -> str:
    return f"{row.weight_kg:g} kg" if row.weight_kg else ""


def _weapon_words(weapon: Weapon) -> list[str]:
    rounds = max(weapon.rate_of_fire, default=1)
    return [
        weapon.damage or ("by grenade" if weapon.fires else ""),
        " or ".join(RANGES[name].casefold() for name in weapon.range_types),
        " or ".join(SKILLS[name] for name in weapon.skills),
        f"{weapon.magazine} rounds" if weapon.magazine > 1 else "",
        f"up to {rounds} an attack" if rounds > 1 else "",
        "both hands" if weapon.two_handed else "",
        _weigh(weapon),
    ]


def _blast_words(row: Grenade) -> list[str]:
    return [
        row.damage and f"{row.damage}{' stun' if row.stuns else ''}",
        f"{row.radius_m:g} m" if row.radius_m else "",
        _weigh(row),
    ]


def _charge_words(row: Explosive) -> list[str]:
    return [f"{row.damage} × {row.times}" if row.times > 1 else row.damage, f"within {row.radius} m"]


def _ammo_words(row: Ammunition) -> list[str]:
    return [
        GUNS.get(row.weapon, ""),
        f"{row.rounds} rounds",
        _weigh(row),
    ]


def _armor_words(armor: Armor) -> list[str]:
    skill = SKILLS.get(armor.required_skill, "")
    lasers = f"{armor.ar_laser} against lasers" if armor.ar_laser != armor.ar else ""
    return [f"Armor {armor.ar}", lasers, f"needs {skill}" if skill else "", _weigh(armor)]


def _text_words(row: Accessory | Gear) -> list[str]:
    return [row.text.rstrip("."), _weigh(row)]


def _mount_words(row: VehicleWeapon) -> list[str]:
    return [row.damage, " or ".join(SKILLS[name] for name in row.skills), row.notes]


def find_rate_problems(record: dict[str, Any]) -> list[Problem]:
    """The problems of a weapon's rate of fire."""
    return [Problem("rate_of_fire", "must be 1 or more") for n in record.get("rate_of_fire", ()) if n < 1]


def find_weapon_problems(record: dict[str, Any]) -> list[Problem]:
    """The problems of a weapon's rate of fire, and of a launcher of grenades that nobody knows."""
    unknown = record.get("fires") and record["fires"] not in tables.grenades()
    found = [Problem("fires", "must be a grenade of the catalogue")] if unknown else []
    return found + find_rate_problems(record)


def find_accessory_problems(record: dict[str, Any]) -> list[Problem]:
    """The problem of a launcher that is fired like a weapon that is none."""
    like = record.get("fired_like")
    if not like or (like in tables.weapons() and tables.weapons()[like].fires and record.get("grenades")):
        return []
    return [Problem("fired_like", "must be a grenade launcher of the catalogue, with its number of grenades")]


def find_grenade_problems(record: dict[str, Any]) -> list[Problem]:
    """The problems of a grenade that reaches nobody, or would neither hurt nor leave a cloud."""
    found = find_rate_problems(record)
    if not record.get("rings") and not record.get("radius_m"):
        found.append(Problem("radius_m", "must be 1 or more"))
    if not record.get("damage") and not record.get("rounds_dice"):
        found.append(Problem("damage", "is missing: give damage, or the rounds of a cloud"))
    return found


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body, or a gun in its mount."""
    return kind == "mount" or record.get("group") == "natural" or record.get("id") == UNARMED


def weigh(record: Mapping[str, Any]) -> float:
    """What an item weighs, in kg."""
    return float(record.get("weight_kg", 0))


KINDS_OF_THINGS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=UNARMED, sum_up=_weapon_words, ready="held", load="magazine",
         find_problems=find_weapon_problems, uses=WEAPON_USES, find_use=find_use),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         sum_up=_armor_words, ready="worn", find_wear=find_armor_wear),
    Kind(key="grenade", label="Grenade", plural="Grenades", record=Grenade, columns=(*GRENADE, SPENDS),
         find_rows=tables.grenades, sum_up=_blast_words, find_problems=find_grenade_problems),
    Kind(key="explosive", label="Explosive", plural="Explosives", record=Explosive,
         columns=(*EXPLOSIVE, SPENDS), find_rows=tables.explosives, sum_up=_charge_words),
    Kind(key="ammo", label="Ammunition", plural="Ammunition", record=Ammunition, columns=AMMO,
         find_rows=tables.ammo, sum_up=_ammo_words),
    Kind(key="accessory", label="Accessory", plural="Accessories", record=Accessory, columns=ACCESSORY,
         find_rows=tables.accessories, sum_up=_text_words, ready="worn", comes_full=True, load="grenades",
         find_problems=find_accessory_problems),
    Kind(key="gear", label="Other gear", plural="Other gear", record=Gear, columns=(*GEAR, SPENDS),
         find_rows=tables.gear, sum_up=_text_words),
    Kind(key="mount", label="Vehicle weapon", plural="Vehicle weapons", record=VehicleWeapon,
         columns=VEHICLE_WEAPON, find_rows=tables.vehicle_weapons, sum_up=_mount_words, ready="held",
         find_problems=find_rate_problems),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=KINDS_OF_THINGS,
    ages=tuple(f"TL {level}" for level in range(HIGHEST_TL)),
    age_label="Tech Level",
    money=MONEY,
    find_facts=find_facts,
    is_built_in=is_built_in,
    weigh=weigh,
)

# The items of a sheet as a combatant has them, and the problems of a sheet.


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
