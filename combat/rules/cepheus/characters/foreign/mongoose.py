"""Actors of mgt2e, another game system for Foundry VTT: travellers and other people onto sheets.

Their fields have other names than those of twodsix, but mean the same. So each actor is put into the fields
of twodsix and read like those; what has no place there gets a remark here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.sheets.foreign import (
    Asker,
    Bookkeeping,
    Foreign,
    Reader,
    Source,
    limit_remarks,
    read_number,
    says_something,
)

from . import actors
from .items import ARMOR, SKILLS, WEAPON

SYSTEMS, UNNAMED = ("mgt2e", "mgt2"), (None, "")
PEOPLE, OTHERS = ("traveller", "npc"), ("creature", "spacecraft", "vehicle", "package", "swarm", "world")
SCORES = {
    "STR": "strength",
    "DEX": "dexterity",
    "END": "endurance",
    "INT": "intelligence",
    "EDU": "education",
    "SOC": "socialStanding",
    "PSI": "psionicStrength",
}
NAMES = {  # of skills whose words are written as one
    "guncombat": "Gun Combat",
    "heavyweapons": "Heavy Weapons",
    "jackofalltrades": "Jack of all Trades",
    "vaccsuit": "Vacc Suit",
}
KINDS = {"weapon": WEAPON, "armour": ARMOR, "item": "equipment"}
CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
AUTO = re.compile(r"\bauto\s*(\d{1,2})", re.IGNORECASE)
READY = ("equipped", "active", "worn")
MAX_TRAITS = 300
SYSTEM = Bookkeeping(
    """
    settings modifiers initiative size weightCarried heavyLoad maxLoad speed.base characteristics.*.current
    characteristics.*.show characteristics.*.default characteristics.*.dm characteristics.*.max
    hits protection otherProtection otherTypes rad tl archaic ablat powered armour player terms startAge
    termLength entryYear entryAge currentYear birthYear totalSkills maxSkills sophont.weight sophont.height
    description
    """
)
ITEM = Bookkeeping(
    """
    name description templates augments item status active weapon.scale=traveller weapon.characteristic
    weapon.damageType=standard weapon.sfx weapon.ammo armour.form=standard armour.skill armour.archaic
    """
)
TEXT = (
    "In Foundry, open the menu of an actor and choose “Export Data”: travellers and NPCs are read, with "
    "skills, weapons, armor and gear. A list of actors is read as well."
)


def recognizes(data: Any) -> bool:
    """Whether a document looks like an actor of mgt2e or a list of them."""
    listed = actors.list_actors(data)[: actors.MAX_ACTORS]
    return any(_is_actor(one) or is_item(one) for one in listed)


def _is_actor(data: Any) -> bool:
    if not isinstance(data, dict) or data.get("type") not in (*PEOPLE, *OTHERS):
        return False
    named, system = _find_origin(data)
    scores = system.get("characteristics") if system is not None else None
    return system is not None and (
        named in SYSTEMS or (named in UNNAMED and isinstance(scores, dict) and "STR" in scores)
    )


def is_item(data: Any) -> bool:
    """Whether a value looks like an item of mgt2e: one that names no system has fields that only it has."""
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind in (*PEOPLE, *OTHERS):
        return False
    named, system = _find_origin(data)
    if system is None:
        return False
    is_own = kind in ("armour", "item") or isinstance(system.get("weapon"), dict)
    return named in SYSTEMS or (named in UNNAMED and kind in KINDS and is_own)


def _find_origin(data: dict[str, Any]) -> tuple[str | None, dict[str, Any] | None]:
    """The game system that a document of Foundry VTT names, and its table of values; None without one."""
    system, stats = data.get("system", data.get("data")), data.get("_stats")
    named = stats.get("systemId") if isinstance(stats, dict) else None
    return named if isinstance(named, str | None) else "?", system if isinstance(system, dict) else None


def read(data: Any, answers: Mapping[str, str]) -> tuple[Foreign, ...]:
    """The actors of a document as sheets, each with its problems."""
    return actors.read_all(actors.list_actors(data), answers, _read_one)


def _read_one(data: Any, number: int, asker: Asker) -> Foreign:
    if is_item(data):
        name, kind = tidy(str(data.get("name")))[: actors.MAX_NAME], data["type"]
        where = Problem(f"actor {number}", actors.refuse(kind, name))
        return Foreign(name=name, sheet={}, problems=(where,))
    if not _is_actor(data):
        where = Problem(f"actor {number}", "must be an actor of mgt2e with type and system")
        return Foreign(name="", sheet={}, problems=(where,))
    if data["type"] not in PEOPLE:
        name = tidy(str(data.get("name")))[: actors.MAX_NAME]
        said = f"“{name[:40]}” is a {data['type']}: of mgt2e, only travellers and NPCs are read"
        return Foreign(name=name, sheet={}, problems=(Problem(f"actor {number}", said),))
    source = Source(data.get("system", data.get("data")), "system")
    items, left = _convert_items(data.get("items", []))
    skills = [_make_skill(name, level) for name, level in _list_skills(source)]
    system = _convert(source, data["type"])
    source.list_rest(SYSTEM)
    listed = [*items, *skills] if isinstance(items, list) else items
    around = {key: value for key, value in data.items() if key not in ("data", "_stats")}
    actor = {**around, "type": "traveller", "system": system, "items": listed}
    found = actors.read_actor(actor, number, asker)
    return structs.replace(found, remarks=limit_remarks([*found.remarks, *source.remarks, *left]))


def _convert(source: Source, kind: str) -> dict[str, Any]:
    """The values of a person in the fields of twodsix."""
    scores = {}
    for short, name in SCORES.items():
        path = f"characteristics.{short}"
        hurt = [read_number(source.take(f"damage.{short}.{key}")) or 0 for key in ("value", "tmp")]
        scores[name] = {"value": source.take(f"{path}.value"), "damage": max(0, sum(hurt))}
    others = source.find("characteristics")
    for short in others if isinstance(others, dict) else ():
        if short not in SCORES and source.find(f"characteristics.{short}.show") is not True:
            source.pass_over(f"characteristics.{short}", f"damage.{short}")
    told = {key: source.take(f"sophont.{key}") for key in ("species", "gender", "homeworld", "speciesTraits")}
    job = source.take_text("sophont.profession")
    return {
        "characteristics": scores,
        "hits": source.find("hits") if kind == "npc" and isinstance(source.find("hits"), dict) else {},
        "finances": {"cash": source.take("finance.cash")},
        "movement": {"walk": source.take("speed.value") or source.find("speed.base"), "units": "m"},
        "age": {"value": source.take("sophont.age")},
        "species": told["species"],
        "gender": told["gender"],
        "homeWorld": told["homeworld"],
        "traits": told["speciesTraits"],
        "description": source.find("description"),
        "notes": f"Profession: {job}" if job else "",
    }


# ---- Skills ----


def _list_skills(source: Source) -> Iterator[tuple[str, Any]]:
    """The skills someone is trained in, with their levels: specialities stand for their skill.

    The file lists every skill there is; those that are neither trained nor above 0 say nothing.
    """
    skills = source.take("skills")
    for key, skill in skills.items() if isinstance(skills, dict) else ():
        if not isinstance(skill, dict):
            source.leave(f"skills.{key}", skill)
            continue
        name, inner = _name_skill(str(key), skill), skill.get("specialities")
        known = [(key, one) for key, one in inner.items()] if isinstance(inner, dict) else []
        special = [
            (f"{name} ({_name_skill(str(key), one)})", one["value"])
            for key, one in known
            if isinstance(one, dict) and says_something(one.get("value"))
        ]
        yield from special
        if not special and (skill.get("trained") is True or says_something(skill.get("value"))):
            yield name, skill.get("value", 0)


def _make_skill(name: str, level: Any) -> dict[str, Any]:
    """A skill as twodsix has it: an item."""
    return {"name": name, "type": SKILLS, "system": {"value": level}}


def _name_skill(key: str, skill: dict[str, Any]) -> str:
    """The name of a skill: its own label, else the words of its key."""
    label = skill.get("label")
    said = tidy(label) if isinstance(label, str) else ""
    return (said or NAMES.get(key) or CAPITAL.sub(" ", key).title())[:80]


def _say_skill(path: Any) -> str:
    """The name of a weapon's skill, such as Gun Combat (Slug) for guncombat.slug."""
    family, _, inner = str(path or "")[:80].partition(".")
    name = _name_skill(family, {}) if family else ""
    return f"{name} ({_name_skill(inner, {})})" if inner else name


# ---- Items ----


def _convert_items(items: Any) -> tuple[Any, list[Problem]]:
    """The items in the fields of twodsix, and remarks on what has no place there."""
    if not isinstance(items, list):
        return items, []
    made, remarks = [], []
    for number, item in enumerate(items):
        system = item.get("system", item.get("data")) if isinstance(item, dict) else None
        if not isinstance(system, dict) or item.get("type") not in list(KINDS):
            made.append(item)
            continue
        converted, left = convert_item(item, f"items[{number}] ")
        made.append(converted)
        remarks += left
    return made, remarks


def convert_item(item: dict[str, Any], place: str) -> tuple[dict[str, Any], list[Problem]]:
    """An item in the fields of twodsix, and remarks on what has no place there."""
    _, system = _find_origin(item)
    source = Source(system or {}, f"{place}“{tidy(str(item.get('name')))[:40]}”")
    made = _convert_item(item, source)
    source.list_rest(ITEM)
    return made, source.remarks


def _convert_item(item: dict[str, Any], source: Source) -> dict[str, Any]:
    kind = KINDS[item["type"]]
    usual = source.find("item") if isinstance(source.find("item"), dict) else {}
    system = {
        "quantity": source.take("quantity"),
        "techLevel": source.take("tl") or usual.get("tl"),
        "price": source.take("cost") or usual.get("cost"),
        "weight": source.take("weight") or usual.get("weight"),
        "description": source.take("notes"),
    }
    status = source.find("status")
    is_worn = says_something(source.take("armour.worn"))
    if source.find("active") is True or is_worn or (isinstance(status, str) and status in READY):
        system["equipped"] = "equipped"
    elif isinstance(status, str) and status == "carried":
        system["equipped"] = "backpack"
    if kind == WEAPON:
        system |= _convert_weapon(source)
    elif kind == ARMOR:
        system |= {"armor": source.take("armour.protection")}
    around = {key: value for key, value in item.items() if key not in ("data", "_stats")}
    return {**around, "type": kind, "system": system}


def _convert_weapon(source: Source) -> dict[str, Any]:
    """The figures of a weapon: one without a range is for melee."""
    reach, traits = read_number(source.take("weapon.range")), source.take_text("weapon.traits")[:MAX_TRAITS]
    kind, rate = source.find("weapon.damageType"), AUTO.search(traits)
    source.pass_over("weapon.damageType", *(("weapon.magazineCost",) if not reach else ()))
    size = source.take("weapon.magazine")
    return {
        "damage": source.take("weapon.damage"),
        "damageBonus": source.take("weapon.damageBonus") or 0,
        "range": f"{reach} m" if reach else "",
        "rangeBand": "" if reach else "closequarters",
        "weaponType": "ranged" if reach else "melee",
        "magazineSize": size if reach else 0,
        "damageType": "" if kind == "standard" else kind or "",
        "associatedSkillName": _say_skill(source.take("weapon.skill")),
        "rateOfFire": f"Auto {rate[1]}" if rate else "",
        "features": traits,
    }


MONGOOSE = Reader(
    key="mgt2e",
    label="Actors of mgt2e for Foundry VTT (JSON)",
    text=TEXT,
    stays=actors.STAYS,
    recognizes=recognizes,
    read=read,
)
