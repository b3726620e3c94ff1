"""Weapons of twodsix as new records: range, skill and figures; gaps in the file become questions."""

from __future__ import annotations

import re
from typing import Any

from combat.rules.core.basics.checking import tidy
from combat.rules.core.sheets.asking import Asker
from combat.rules.core.sheets.catalogue import OWN
from combat.rules.core.sheets.foreign import read_number, say_value, says_something

from ...book import tables
from ..skill_names import find_skills, flatten, label_skills
from .thing import Thing

WEAPON, ARMOR = "weapon", "armor"
MELEE, RANGED = "melee", "ranged"
RANGES = {
    "closequarters": "close_quarters",
    "extendedreach": "extended_reach",
    "reach": "extended_reach",
    "thrown": "thrown",
    "pistol": "pistol",
    "rifle": "rifle",
    "shotgun": "shotgun",
    "assaultweapon": "assault_weapon",
    "rocket": "rocket",
}
VAGUE = ("close", "personal", "hands", "claws", "teeth", "horns", "hooves", "stinger", "thrasher", "club")
NEAR = ("close_quarters", "extended_reach")
NO_RANGE = ("", "none")
METERS = {"": 1.0, "m": 1.0, "meters": 1.0, "metres": 1.0, "km": 1000.0, "ft": 0.3, "feet": 0.3}
REACH = re.compile(r"(\d[\d,]{0,9}(?:\.\d{1,3})?)\s*([a-z]*)")
TOUCH, PISTOL_REACH = 3, 60  # meters within which a weapon is a melee weapon, or counts as a pistol
ENERGY = ("laser", "energy", "plasma", "fusion")
SHOTS = ("ballistic", "laser", "plasma", "fusion")  # kinds of damage that only guns do
GUN_TYPES = ("ranged", "range", "gun", "pistol", "rifle", "shotgun", "heavy", "launcher", "slug", "energy")
MELEE_TYPES = ("melee", "natural", "unarmed", "blade", "bludgeon")
NAMED = (  # words in the names of weapons, and the range each suggests
    (("pistol", "revolver", "handgun"), "pistol"),
    (("shotgun", "scattergun"), "shotgun"),
    (("rocket", "missile", "bazooka"), "rocket"),
    (("submachine", "smg", "machine pistol"), "assault_weapon"),
    (("rifle", "carbine", "musket", "sniper", "cannon", "machine gun"), "rifle"),
)
DAMAGE_TYPES = {"bludgeoning": "B", "piercing": "P", "slashing": "S"}
MELEE_SKILLS = {
    "bludgeoning": "bludgeoning_weapons",
    "piercing": "piercing_weapons",
    "slashing": "slashing_weapons",
}
BOTH_HANDS = ("rifle", "assault_weapon", "shotgun", "rocket")
MAX_SHOTS = 9999


def describe_weapon(thing: Thing, damage: str, asker: Asker) -> dict[str, Any]:
    """The record of a personal weapon."""
    record = describe_mount(thing, damage, asker)
    kind, (ranges,), (skill,) = _find_kind(thing), record["range_types"], record["skills"]
    near = ranges in NEAR
    return record | {
        "group": "melee" if near else "ranged",
        "damage_type": DAMAGE_TYPES.get(kind, "E" if record["energy"] else ""),
        "magazine": _read_magazine(thing, near),
        "two_handed": ranges in BOTH_HANDS and not skill.endswith("_pistol"),
    }


def describe_mount(thing: Thing, damage: str, asker: Asker) -> dict[str, Any]:
    """The common fields of personal and vehicle weapons."""
    source = thing.source
    kind = _find_kind(thing)
    ranges = find_range(thing, asker)
    is_laser = kind == "laser"
    source.take_word("weaponType")
    return {
        "id": OWN,
        "origin": OWN,
        "damage": damage,
        "range_types": [ranges],
        "skills": [_find_weapon_skill(thing, kind, ranges, asker)],
        "rate_of_fire": _read_rates(thing),
        "recoil": source.take_flag("recoil"),
        "laser": is_laser,
        "energy": is_laser or kind in ENERGY,
        "law_level": source.take_whole("lawLevel", 0, 99, 99),
        "notes": thing.take_notes("features", "description", "shortdescr"),
    }


def _find_kind(thing: Thing) -> str:
    """The kind of damage in a word; an unknown one gets a remark."""
    kind = thing.source.take_word("damageType")
    if kind not in (*NO_RANGE, *DAMAGE_TYPES, *ENERGY, *SHOTS):
        thing.source.leave("damageType", kind)
    return kind


def _read_magazine(thing: Thing, near: bool) -> int:
    """The shots of a full magazine; melee weapons have none."""
    size = thing.source.take_whole("magazineSize", 0, MAX_SHOTS)
    shots = thing.source.take_whole("ammo", 0, MAX_SHOTS)
    if near:
        thing.source.leave("magazineSize", size)
        thing.source.leave("ammo", shots)
        return 0
    if not size and not shots:
        thing.say("the file says no magazine: it needs no reloading here")
    elif size and shots and size != shots:
        thing.source.remark("ammo", f"{shots} of {size} shots: imported as full")
    return size or shots


# ---------------------------------------------------------------- melee or ranged


def find_nature(thing: Thing) -> str:
    """Whether a weapon is for melee or shoots, if its figures agree; empty if they do not."""
    data = thing.source.data
    votes = {
        _vote(str(data.get("weaponType") or "").casefold(), GUN_TYPES, MELEE_TYPES),
        _vote(str(data.get("damageType") or "").casefold(), SHOTS, ()),
        RANGED if any(read_number(data.get(key)) for key in ("magazineSize", "ammo")) else "",
        _vote_by_skill(_name_skill(thing)),
    }
    votes -= {""}
    return votes.pop() if len(votes) == 1 else ""


def _vote(word: str, guns: tuple[str, ...], melee: tuple[str, ...]) -> str:
    return RANGED if word in guns else MELEE if word in melee else ""


def _vote_by_skill(words: str) -> str:
    found = frozenset(find_skills(words)) if words else frozenset()
    if not found:
        return ""
    melee, guns = (frozenset(skills) for skills in _families())
    return MELEE if found <= melee else RANGED if found <= guns else ""


def _families() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The skills for melee, and those for guns."""
    return tuple(flatten("melee_combat")), (*flatten("gun_combat"), *flatten("gunnery"))


def _name_skill(thing: Thing) -> str:
    """The name of the weapon's skill; empty if the file names none."""
    data = thing.source.data
    return str(data.get("associatedSkillName") or thing.skills.get(str(data.get("skill")), ""))[:80]


# ---------------------------------------------------------------- ranges


def find_band(thing: Thing) -> str:
    """The row of the range table that a file names; empty without one."""
    word = re.sub(r"[^a-z]", "", str(thing.source.find("rangeBand") or "").casefold()[:80])
    if word in VAGUE and find_nature(thing) == MELEE:
        return "close_quarters"
    return RANGES.get(word) or _weapon_ranges().get(word, "")


def _weapon_ranges() -> dict[str, str]:
    """The ranges of the catalogue's weapons by name, as one word: some files use the names as ranges."""
    rows = tables.weapons().values()
    return {row.id.replace("_", ""): row.range_types[0] for row in rows if row.range_types}


def find_range(thing: Thing, asker: Asker) -> str:
    """The row of the range table: as the file says if nothing contradicts it, else as answered."""
    source = thing.source
    band, reach = source.take("rangeBand"), source.take("range")
    for path, value in (("rangeBand", band), ("range", reach)):
        if not isinstance(value, str | int | float):
            source.leave(path, value)
    found, nature = find_band(thing), find_nature(thing)
    if found and nature != (RANGED if found in NEAR else MELEE if found != "thrown" else found):
        if says_something(reach) and str(reach).casefold() != str(band).casefold():
            source.remark("range", f"{say_value(reach)}: {tables.RANGE_TYPES[found].name} counts")
        return found
    said = [say_value(value) for value in (band, reach) if str(value or "").casefold() not in NO_RANGE]
    rows = tables.RANGE_TYPES.items()
    options = [(key, row.name) for key, row in sorted(rows, key=lambda row: _is_far_off(row[0], nature))]
    words = f"range {' / '.join(dict.fromkeys(said))[:60] or 'not said'}: which range?"
    likely = _guess_range(thing, nature, reach)
    text = f"{thing.name[:60]}, {words}"
    return asker.ask(f"{thing.place}.range", text, options, likely, source.place) or options[0][0]


def _is_far_off(ranges: str, nature: str) -> bool:
    """Whether a row does not fit weapons of this nature."""
    return nature == RANGED and ranges in (*NEAR, "thrown")


def _guess_range(thing: Thing, nature: str, reach: Any) -> str:
    """The likely row; empty without a hint."""
    meters = _read_reach(reach)
    if nature == MELEE or (not nature and 0 < meters <= TOUCH):
        return "close_quarters"
    name = thing.name.casefold()
    named = next((row for words, row in NAMED if any(word in name for word in words)), "")
    return named or ("" if not meters else "pistol" if meters <= PISTOL_REACH else "rifle")


def _read_reach(reach: Any) -> float:
    """The first number of meters in words such as “20/100”, “1.5 km” or “30 ft”; 0 without one."""
    found = REACH.match(str(reach or "").strip().casefold()[:40])
    if not found or found[2] not in METERS:
        return 0.0
    return float(found[1].replace(",", "")) * METERS[found[2]]


# ---------------------------------------------------------------- skills and rates


def _find_weapon_skill(thing: Thing, kind: str, ranges: str, asker: Asker) -> str:
    """The skill of the weapon: as the file names it, else by its range and damage, else as answered."""
    source = thing.source
    named = _name_skill(thing)
    for path in ("associatedSkillName", "skill"):
        if not isinstance(source.take(path), str):
            source.leave(path, source.find(path))
    family = find_skills(named) if named else ()
    if len(family) == 1:
        return family[0]
    likely = _guess_skill(kind, ranges)
    if likely in family and (kind in (*SHOTS, *ENERGY, *MELEE_SKILLS) or likely == "shotgun"):
        return likely
    if named and not family:
        thing.say(f"skill {say_value(named)} is unknown here")
    choices = label_skills(family or [skill for skills in _families() for skill in skills])
    words = f"{thing.name[:60]}, {tidy(named)[:40] or 'no skill named'}: which skill?"
    return asker.ask(f"{thing.place}.skill", words, choices, likely, source.place) or choices[0][0]


def _guess_skill(kind: str, ranges: str) -> str:
    """The likely skill; empty without a hint."""
    if ranges in NEAR or ranges == "thrown":
        return MELEE_SKILLS.get(kind, "")
    if ranges == "rocket":
        return "heavy_weapons"
    if ranges == "shotgun":
        return "shotgun"
    family = "energy" if kind in ENERGY else "slug"
    return f"{family}_{'pistol' if ranges == 'pistol' else 'rifle'}"


def _read_rates(thing: Thing) -> list[int]:
    """The numbers of rounds per attack: 4 of "Auto 4", 1 and 4 of "1/4"."""
    value = thing.source.take("rateOfFire")
    found = {int(word) for word in re.findall(r"\d{1,3}", str(value)[:40])} - {0}
    if not found or not isinstance(value, str | int):
        thing.source.leave("rateOfFire", value)
        return [1]
    return sorted({1, *found})
