"""Items of twodsix, a game system for Foundry VTT, as things of this catalogue or as records of one's own.

A thing whose name and figures the catalogue has is that of the catalogue. Another one becomes a record of its
own, as far as its figures can be read. What it does beyond that is remarked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from combat.rules.core.basics.checking import tidy
from combat.rules.core.sheets.catalogue import OWN, Entry, find_record_problems
from combat.rules.core.sheets.foreign import Source, read_number, say_value, says_something

from ...book import tables
from ..catalogue import CATALOGUE
from ..lines import find_known, flatten
from .skills import find_skill

WEAPON, ARMOR, COMPONENT, SKILLS = "weapon", "armor", "component", "skills"
GEAR = ("equipment", "tool", "consumable", "computer", "junk", "storage")
BARE_HANDS = ("unarmed", "unarmed strike", "unarmed attack", "bare hands", "fist", "brawling")
RANGES = {
    "closequarters": "close_quarters",
    "close": "close_quarters",
    "personal": "close_quarters",
    "extendedreach": "extended_reach",
    "thrown": "thrown",
    "pistol": "pistol",
    "rifle": "rifle",
    "shotgun": "shotgun",
    "assaultweapon": "assault_weapon",
    "rocket": "rocket",
}
NEAR = ("close_quarters", "extended_reach")
PISTOL_REACH = 50  # metres up to which a weapon of unknown range counts as a pistol
ENERGY = ("laser", "energy", "plasma", "fusion")
DAMAGE_TYPES = {"bludgeoning": "B", "piercing": "P", "slashing": "S"}
MELEE_SKILLS = {
    "bludgeoning": "bludgeoning_weapons",
    "piercing": "piercing_weapons",
    "slashing": "slashing_weapons",
}
NAMES_OF_BOOKKEEPING = """
    name type docReference pdfReference skill associatedSkillName equipped target location
    shortdescr weaponType magazineSize ammo useConsumableForAttack nonstackable priorType subtype
    status pricingBasis powerBasis weightIsPct isIllegal fireArc ammunition actorLink shipWeaponType
    ammoLink driveType isRefined isBaseHull isExtended hits consumables isBaseItem buyPriceMod
    sellPriceMod
"""
BOOKKEEPING = frozenset(NAMES_OF_BOOKKEEPING.split())
FIGURES = """
    damage damageBonus range rangeBand rateOfFire recoil damageType features techLevel price weight lawLevel
    description doubleTap traits magazineCost
"""
FIGURE = re.compile(r"(?:Cr|TL)?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:Cr|kg)?", re.IGNORECASE)
DICE = re.compile(r"(\d{1,2})\s*[dD]\s*(6)?\s*(?:([+-])\s*(\d{1,2}))?")


class Thing:
    """An item of an actor while it is read."""

    def __init__(self, data: dict[str, Any], place: str, skills: dict[str, str]) -> None:
        system = data.get("system", data.get("data"))
        self.kind = str(data.get("type", ""))
        self.name = tidy(str(data.get("name") or ""))
        self.place = place
        self.skills = skills  # the names of the actor's skills by id
        named = f"{place} “{self.name[:40]}”".strip()
        self.source = Source(system if isinstance(system, dict) else {}, named)

    def say(self, message: str) -> None:
        """Remark something about it as a whole."""
        self.source.remark("", message)

    @property
    def count(self) -> int:
        """How many there are; 0 is none of them."""
        number = read_number(self.source.take("quantity"))
        return 1 if number is None or number < 1 else min(number, 999)

    @property
    def is_equipped(self) -> bool:
        """Whether it is in hand or worn."""
        return bool(self.source.take("equipped") == "equipped")

    @property
    def damage(self) -> str:
        """Its dice as they are written here, such as 3d6+2; empty where they are none."""
        return read_damage(self.source.take("damage"), self.source.take("damageBonus"))


def read_damage(value: Any, bonus: Any = None) -> str:
    """Dice with what is added; empty for what is no dice of six sides."""
    found = DICE.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    if not found:
        return ""
    plus = int(f"{found[3]}{found[4]}") if found[3] else 0
    plus += read_number(bonus) or 0
    return f"{found[1]}d6" + (f"{plus:+d}" if plus else "") if abs(plus) <= 99 else ""


def is_natural(thing: Thing, grown: bool) -> bool:
    """Whether a weapon is part of the body: if `grown` any that no catalogue has, else what strikes near."""
    if thing.kind != WEAPON or not thing.name:
        return False
    known = find_known(thing.name)
    if known is not None and known.kind == WEAPON:
        return False
    if not grown and _find_range(thing) not in NEAR:
        return False
    _take_weapon_figures(thing)
    return True


def read_goods(things: Iterable[Thing], mounted: bool = False) -> Iterator[tuple[Entry, int, bool]]:
    """Each thing as an entry, how many, and whether it is ready; what is none is remarked."""
    for thing in things:
        entry = read_thing(thing, mounted)
        if entry is not None:
            yield entry, thing.count, thing.is_equipped
        thing.source.taken.add("quantity")  # of what is left out, that is said already
        thing.source.list_rest(BOOKKEEPING)


def read_thing(thing: Thing, mounted: bool = False) -> Entry | None:
    """A thing as an entry of the catalogue, or one of its own; None, with a remark, if it can be neither."""
    if not thing.name:
        thing.source.problem("name", "is missing")
        return None
    if thing.kind in (WEAPON, COMPONENT) and (mounted or thing.kind == COMPONENT):
        return _read_mount(thing)
    if thing.kind == WEAPON:
        return _read_weapon(thing)
    if thing.kind == ARMOR:
        return _read_armor(thing)
    if thing.kind in GEAR:
        return _read_gear(thing)
    thing.say(f"{thing.kind[:30] or 'unknown'}: items of this kind have no place here")
    thing.source.taken.update(thing.source.data)
    return None


# ---------------------------------------------------------------- weapons


def _read_weapon(thing: Thing) -> Entry | None:
    known = find_known(thing.name)
    damage = thing.damage
    if thing.name.casefold() in BARE_HANDS:
        thing.say("everybody can strike with bare hands: left out")
        _take_weapon_figures(thing)
        return None
    if known is not None and known.kind in (WEAPON, "grenade"):
        if known.record.get("damage", "") == damage or not damage:
            _take_weapon_figures(thing)
            return known
        thing.say(
            f"has damage {damage}, in the catalogue {known.record.get('damage')}: kept as an item of its own"
        )
    elif known is not None:
        _take_weapon_figures(thing)
        return known
    if not damage:
        said = say_value(thing.source.take("damage")) or "nothing"
        thing.say(f"damage {said} is no dice such as 3d6: left out")
        _take_weapon_figures(thing)
        return None
    return _make_own(thing, WEAPON, _describe_weapon(thing, damage))


def _take_weapon_figures(thing: Thing) -> None:
    """Say nothing of figures: the catalogue has its own, and what is left out needs none."""
    thing.source.taken.update(FIGURES.split())


def _describe_weapon(thing: Thing, damage: str) -> dict[str, Any]:
    kind, ranges = _find_kind(thing), _find_range(thing)
    record = _describe_arm(thing, damage, kind, ranges)
    magazine = (
        read_number(thing.source.data.get("ammo")) or read_number(thing.source.data.get("magazineSize")) or 0
    )
    near = ranges in NEAR
    two_handed = ranges in ("rifle", "assault_weapon", "shotgun", "rocket")
    return record | {
        "group": "melee" if near else "ranged",
        "damage_type": DAMAGE_TYPES.get(kind, "E" if record["energy"] else ""),
        "magazine": 0 if near or not 0 < magazine <= 9999 else magazine,
        "two_handed": two_handed,
    }


def _describe_arm(thing: Thing, damage: str, kind: str, ranges: str) -> dict[str, Any]:
    """What weapons of persons and of vehicles have alike."""
    source = thing.source
    words = (source.take_text("features"), source.take_text("description"))
    law = read_number(source.take("lawLevel"))
    is_laser = kind == "laser"
    return {
        **_describe_goods(thing),
        "damage": damage,
        "range_types": [ranges],
        "skills": [_find_weapon_skill(thing, kind, ranges)],
        "rate_of_fire": _read_rates(source.take("rateOfFire")),
        "recoil": source.take("recoil") is True,
        "laser": is_laser,
        "energy": is_laser or kind in ENERGY,
        "law_level": law if law is not None and 0 <= law <= 99 else 99,
        "notes": tidy("; ".join(word for word in words if word))[:300],
    }


def _find_kind(thing: Thing) -> str:
    value = thing.source.take("damageType")
    return value.casefold()[:30] if isinstance(value, str) else ""


def _find_range(thing: Thing) -> str:
    """The row of the range table; by its reach in metres where the file names none."""
    band, reach = thing.source.take("rangeBand"), thing.source.take("range")
    known = RANGES.get(str(band).replace("_", "").replace(" ", "").casefold())
    if known:
        return known
    metres = read_number(re.split(r"[/ m]", str(reach).strip()[:20])[0]) or 0
    melee = str(thing.source.data.get("weaponType", "")).casefold() == "melee"
    guess = "close_quarters" if metres <= 2 or melee else "pistol" if metres <= PISTOL_REACH else "rifle"
    thing.say(f"range {say_value(reach) or 'unknown'} is read as {tables.RANGE_TYPES[guess].name}")
    return guess


def _find_weapon_skill(thing: Thing, kind: str, ranges: str) -> str:
    """The skill it is used by, as the file names it, else as its range and damage suggest."""
    data = thing.source.data
    named = str(data.get("associatedSkillName") or thing.skills.get(str(data.get("skill")), ""))
    found = find_skill(named) if named else ""
    if found in tables.skills():
        return found
    likely = _guess_skill(kind, ranges)
    if named and not found:
        thing.say(f"skill {say_value(named)} is unknown here: {tables.skills()[likely].name} is used")
    family = tuple(flatten(found)) if found else ()
    return family[0] if family and likely not in family else likely


def _guess_skill(kind: str, ranges: str) -> str:
    if ranges in NEAR or ranges == "thrown":
        return MELEE_SKILLS.get(kind, "bludgeoning_weapons")
    if ranges in ("rocket",):
        return "heavy_weapons"
    if ranges == "shotgun":
        return "shotgun"
    family = "energy" if kind in ENERGY else "slug"
    return f"{family}_{'pistol' if ranges == 'pistol' else 'rifle'}"


def _read_rates(value: Any) -> list[int]:
    """The numbers of rounds that an attack may fire: 4 of "Auto 4", 1 and 4 of "1/4"."""
    found = {int(word) for word in re.findall(r"\d{1,3}", str(value)[:40])} - {0}
    return sorted({1, *found}) if found else [1]


# ---------------------------------------------------------------- other things


def _read_mount(thing: Thing) -> Entry | None:
    """A weapon that is part of a vehicle; other parts have no place."""
    source = thing.source
    if thing.kind == COMPONENT and source.data.get("subtype") != "armament":
        thing.say("part of the vehicle: only its weapons are imported")
        source.taken.update(source.data)
        return None
    damage = thing.damage
    rows = {row.name.casefold(): row.id for row in tables.vehicle_weapons().values()}
    known = CATALOGUE.find_entry("mount", rows.get(thing.name.casefold(), ""))
    if known is not None and known.record.get("damage") in (damage, ""):
        _take_weapon_figures(thing)
        return known
    if not damage:
        thing.say(f"damage {say_value(source.take('damage')) or 'nothing'} is no dice such as 3d6: left out")
        return None
    return _make_own(thing, "mount", _describe_arm(thing, damage, _find_kind(thing), _find_range(thing)))


def _read_armor(thing: Thing) -> Entry | None:
    source = thing.source
    points = source.take_number("armor", 0, 99, 0)
    second = read_number(source.take("secondaryArmor.value")) or 0
    types = source.take("secondaryArmor.protectionTypes")
    is_laser = isinstance(types, list) and "laser" in [str(word).casefold() for word in types[:20]]
    known = find_known(thing.name)
    if known is not None and known.kind == ARMOR and known.record.get("ar") == points:
        source.taken.update(
            ("secondaryArmor", "description", "techLevel", "price", "weight", "radiationProtection")
        )
        return known
    if second and not is_laser:
        thing.say(f"{second} points against {say_value(types)}: not imported")
    lasers = min(99, points + (second if is_laser else 0))
    notes = tidy(source.take_text("description"))[:300]
    return _make_own(
        thing, ARMOR, {**_describe_goods(thing), "ar": points, "ar_laser": lasers, "notes": notes}
    )


def _read_gear(thing: Thing) -> Entry | None:
    known = find_known(thing.name)
    if known is not None:
        thing.source.taken.update(("description", "techLevel", "price", "weight", "traits"))
        return known
    goods = _describe_goods(thing)
    text = thing.source.take_text("description").replace("\n", " ") or str(
        thing.source.data.get("shortdescr") or ""
    )
    return _make_own(thing, "gear", {**goods, "group": "own", "text": tidy(text)[:300] or thing.name})


def _describe_goods(thing: Thing) -> dict[str, Any]:
    """What everything that can be bought has."""
    return {
        "id": OWN,
        "origin": OWN,
        "name": thing.name[:60],
        "tl": _take_whole(thing, "techLevel", 33),
        "cost": _take_whole(thing, "price", 1_000_000_000),
        "weight_kg": _take_figure(thing, "weight", 1_000_000),
    }


def _take_whole(thing: Thing, path: str, most: int) -> int:
    number = _take_figure(thing, path, most)
    if number != int(number):
        thing.source.remark(path, f"{number:g} is read as {round(number)}")
    return round(number)


def _take_figure(thing: Thing, path: str, most: int) -> float:
    """A figure of 0 or more; a remark if it is none. Programs write “Cr1,500” and “0.5 kg”."""
    value = thing.source.take(path)
    found = FIGURE.fullmatch(str(value).strip()[:40])
    number = float(found[1].replace(",", "")) if found and not isinstance(value, bool) else -1.0
    if 0 <= number <= most:
        return number
    if says_something(value):
        thing.source.remark(path, f"{say_value(value)}: not imported")
    return 0.0


def _make_own(thing: Thing, kind: str, record: dict[str, Any]) -> Entry | None:
    """An entry of a record of one's own; remarked and left out if it is not sound."""
    if len(thing.name) > 60:
        thing.say("has a name of more than 60 characters: cut")
    problems = find_record_problems(CATALOGUE, kind, record)
    if problems:
        thing.say(f"left out: {problems[0]}")
        return None
    return CATALOGUE.describe(kind, record)
