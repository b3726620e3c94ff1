"""Items of twodsix, a game system for Foundry VTT, as entries of this catalogue or as new records.

An item that matches an entry of the catalogue by name and figures becomes that entry. Any other becomes a new
record, as far as its figures can be read. Unreadable parts get a remark, gaps a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from combat.rules.core.sheets.asking import LEFT_OUT, Asker
from combat.rules.core.sheets.catalogue import OWN, Entry, find_record_problems
from combat.rules.core.sheets.foreign import Bookkeeping, Source, say_value, says_something

from ...book import tables
from ..goods.catalogue import CATALOGUE
from ..one_line_npc import find_known
from . import arms
from .arms import ARMOR, WEAPON
from .thing import Thing

COMPONENT, SKILLS = "component", "skills"
GEAR = ("equipment", "tool", "consumable", "computer", "junk", "storage")
BARE_HANDS = ("unarmed", "unarmed strike", "unarmed attack", "bare hands", "fist", "brawling")
BOOKKEEPING = Bookkeeping(
    """
    name type docReference pdfReference skill location priorType pricingBasis powerBasis
    consumables useConsumableForAttack actorLink ammoLink buyPriceMod sellPriceMod fireArc shipWeaponType
    driveType isBaseItem isBaseHull isRefined target.units ammunition.min ammunition.label
    subtype=other subtype=otherInternal status=operational armorType=nothing auglocation=None
    softwareActive=True currentCount=1
    """
)
FIGURES = """
    range rangeBand rateOfFire recoil damageType techLevel price weight lawLevel description shortdescr
    doubleTap magazineCost magazineSize ammo weaponType associatedSkillName secondaryArmor
    radiationProtection
"""
FIGURE = re.compile(r"(?:Cr|TL)?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:Cr|kg)?", re.IGNORECASE)
PLACES = {"equipped": "ready", "backpack": "carried", "ship": "ship", "vehicle": "vehicle", "base": "base"}
AWAY = {"ship": "on the ship", "vehicle": "in the vehicle", "base": "at the base"}
READY, CARRIED = "ready", "carried"

Goods = tuple[Thing, Entry]


def is_natural(thing: Thing, grown: bool) -> bool:
    """Whether a weapon is part of the body: a melee weapon that is in no catalogue.

    For an animal (`grown`), any weapon but a gun counts as melee.
    """
    if thing.kind != WEAPON or not thing.name:
        return False
    known = find_known(thing.name)
    if known is not None and known.kind == WEAPON:
        return False
    nature = arms.find_nature(thing)
    if nature == arms.RANGED or not (grown or nature == arms.MELEE or arms.find_band(thing) in arms.NEAR):
        return False
    _use_figures(thing, "is part of the body: its dice alone are imported")
    return True


def read_goods(things: Iterable[Thing], asker: Asker, mounted: bool = False) -> Iterator[Goods]:
    """The entry of each item; items without one get a remark."""
    for thing in things:
        if thing.is_used_up:
            _leave_out(thing, "quantity 0: left out")
            continue
        entry = read_thing(thing, asker, mounted)
        if entry is not None:
            yield thing, entry


def list_left(things: Iterable[Thing]) -> None:
    """Remark on unused fields of items that were read."""
    for thing in things:
        thing.source.pass_over("quantity")  # of skipped items, where the remark already covers it
        thing.list_rest(BOOKKEEPING)


def read_thing(thing: Thing, asker: Asker, mounted: bool = False) -> Entry | None:
    """An item as an entry of the catalogue or a new one; None, with a remark, if it can be neither."""
    if not thing.name:
        thing.source.problem("name", "is missing")
        return None
    if thing.kind in (WEAPON, COMPONENT) and (mounted or thing.kind == COMPONENT):
        return _read_mount(thing, asker)
    if thing.kind == WEAPON:
        return _read_weapon(thing, asker)
    if thing.kind == ARMOR:
        return _read_armor(thing)
    if thing.kind in GEAR:
        return _read_gear(thing)
    _leave_out(thing, f"{thing.kind[:30] or 'unknown'}: items of this kind have no place here")
    return None


def _leave_out(thing: Thing, why: str) -> None:
    """Remark that an item is skipped, and mark all its fields as used."""
    thing.say(why)
    thing.source.pass_over_all()


def _use_figures(thing: Thing, said: str) -> None:
    """Remark whose figures and words replace those of an item, if it has any."""
    thing.source.pass_over("damage", "armor")
    if any(_has_content(thing.source, name) for name in FIGURES.split()):
        thing.say(said)
    thing.source.pass_over(*FIGURES.split())


def _has_content(source: Source, name: str) -> bool:
    value = source.find(name)
    return any(map(says_something, value.values())) if isinstance(value, dict) else says_something(value)


def _use_known(thing: Thing, known: Entry) -> Entry:
    _use_figures(thing, f"is {known.name} of the catalogue, with the figures and words there")
    return known


# ---------------------------------------------------------------- places


def sort_places(found: list[Goods], asker: Asker) -> tuple[list[Goods], list[Goods], list[str]]:
    """The items in hand or worn, those carried, and notes on those left somewhere else."""
    at: dict[str, list[Goods]] = {}
    for thing, entry in found:
        at.setdefault(_find_place(thing), []).append((thing, entry))
    ready, carried, notes = at.pop(READY, []), at.pop(CARRIED, []), []
    for place, goods in at.items():
        chosen = _ask_place(place, goods, asker)
        if chosen == READY:
            ready += goods
        elif chosen == CARRIED:
            carried += goods
        else:
            notes.append(f"Left {AWAY.get(place, 'out')}: {_count(goods)}")
    return ready, carried, notes


def _find_place(thing: Thing) -> str:
    """The place of an item; empty if the file does not say."""
    value = thing.source.take("equipped")
    if isinstance(value, bool):
        return READY if value else CARRIED
    place = PLACES.get(value, "") if isinstance(value, str) else ""
    if not place:
        thing.source.leave("equipped", value)
    return place or (CARRIED if thing.kind in GEAR else "")


def _ask_place(place: str, goods: list[Goods], asker: Asker) -> str:
    carried = (CARRIED, "Carried in the bag")
    options: tuple[tuple[str, str], ...]
    names = _count(goods)
    names = names if len(names) <= 100 else f"{names[:99]}…"
    if place in AWAY:
        options = ((LEFT_OUT, f"Stay {AWAY[place]}: listed in the notes"), carried)
        return asker.ask(f"place-{place}", f"{names} ({AWAY[place]}): where to?", options, LEFT_OUT)
    options = ((READY, "Ready: armor worn, weapons in hand"), carried, (LEFT_OUT, "Left out"))
    return asker.ask("place", f"{names}: the file says no place. Where to?", options, CARRIED)


def _count(goods: list[Goods]) -> str:
    return ", ".join(
        f"{thing.count} x {entry.name}" if thing.count > 1 else entry.name for thing, entry in goods
    )


# ---------------------------------------------------------------- weapons


def _read_weapon(thing: Thing, asker: Asker) -> Entry | None:
    known = find_known(thing.name)
    damage = thing.damage
    if thing.name.casefold() in BARE_HANDS:
        _leave_out(thing, "everybody can strike with bare hands: left out")
        return None
    if known is not None:
        same = known.kind not in (WEAPON, "grenade") or known.record.get("damage", "") == damage
        if same or not damage:
            return _use_known(thing, known)
        said = known.record.get("damage")
        thing.say(f"has damage {damage}, in the catalogue {said}: kept as an item of its own")
    if not damage:
        _leave_out(thing, _say_no_dice(thing))
        return None
    return _make_own(thing, WEAPON, arms.describe_weapon(thing, damage, asker) | _describe_goods(thing))


def _say_no_dice(thing: Thing) -> str:
    return f"damage {say_value(thing.source.take('damage')) or 'nothing'} is no dice such as 3d6: left out"


# ---------------------------------------------------------------- other gear


def _read_mount(thing: Thing, asker: Asker) -> Entry | None:
    """A weapon that is part of a vehicle; other parts have no place on a sheet."""
    source = thing.source
    if thing.kind == COMPONENT and source.data.get("subtype") != "armament":
        _leave_out(thing, "part of the vehicle: only its weapons are imported")
        return None
    source.pass_over("subtype", "equipped")
    damage = thing.damage
    rows = {row.name.casefold(): row.id for row in tables.vehicle_weapons().values()}
    known = CATALOGUE.find_entry("mount", rows.get(thing.name.casefold(), ""))
    if known is not None and known.record.get("damage") in (damage, ""):
        return _use_known(thing, known)
    if not damage:
        _leave_out(thing, _say_no_dice(thing))
        return None
    return _make_own(thing, "mount", arms.describe_mount(thing, damage, asker) | _describe_goods(thing))


def _read_armor(thing: Thing) -> Entry | None:
    source = thing.source
    points = source.take_number("armor", 0, 99, 0)
    known = find_known(thing.name)
    if known is not None and known.kind == ARMOR and known.record.get("ar") == points:
        return _use_known(thing, known)
    second = source.take_whole("secondaryArmor.value", 0, 99)
    types = source.take("secondaryArmor.protectionTypes")
    is_laser = isinstance(types, list) and "laser" in [str(word).casefold() for word in types[:20]]
    if not is_laser and (second or says_something(types)):
        thing.say(f"{second} points against {say_value(types) or 'nothing'}: not imported")
    elif is_laser and len(types) > 1:
        thing.say(f"{second} points against {say_value(types)}: those against lasers are imported")
    lasers = min(99, points + (second if is_laser else 0))
    more = {"ar": points, "ar_laser": lasers, "notes": thing.take_notes("description", "shortdescr")}
    return _make_own(thing, ARMOR, {**_describe_goods(thing), **more})


def _read_gear(thing: Thing) -> Entry | None:
    known = find_known(thing.name)
    if known is not None:
        return _use_known(thing, known)
    text = thing.take_notes("description", "shortdescr")
    return _make_own(thing, "gear", {**_describe_goods(thing), "text": text or thing.name})


def _describe_goods(thing: Thing) -> dict[str, Any]:
    """The common fields of everything for sale."""
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
    """A figure of 0 or more; anything else gets a remark. Programs write “Cr1,500” and “0.5 kg”."""
    value = thing.source.take(path)
    found = FIGURE.fullmatch(str(value).strip()[:40])
    number = float(found[1].replace(",", "")) if found and not isinstance(value, bool) else -1.0
    if 0 <= number <= most:
        return number
    if says_something(value):
        thing.source.remark(path, f"{say_value(value)}: not imported")
    return 0.0


def _make_own(thing: Thing, kind: str, record: dict[str, Any]) -> Entry | None:
    """An entry for a new record; an unsound one is skipped with a remark."""
    if len(thing.name) > 60:
        thing.say("has a name of more than 60 characters: cut")
    problems = find_record_problems(CATALOGUE, kind, record)
    if problems:
        _leave_out(thing, f"left out: {problems[0]}")
        return None
    return CATALOGUE.describe(kind, record)
