"""Items of twodsix, a game system for Foundry VTT, as entries of this catalogue or as new records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.sheets.catalogue import OWN, Entry, find_record_problems
from combat.rules.core.sheets.foreign import (
    LEFT_OUT,
    Asker,
    Bookkeeping,
    ForeignItem,
    ItemReader,
    Source,
    limit_remarks,
    read_number,
    say_value,
    says_something,
)

from ...book import tables
from ..goods import CATALOGUE
from ..one_line_npc import find_known
from ..skill_names import find_skills, flatten, label_skills

# Weapons of twodsix as new records: range, skill and figures; gaps in the file become questions.


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
MAX_LISTED = 200
UNPLACED = ("augment", "career", "psiAbility", "ship_position", "skills", "species", "spell", "trait")
COMPONENT, SKILLS = "component", "skills"
GEAR = ("equipment", "tool", "consumable", "computer", "junk", "storage")
KINDS = (WEAPON, ARMOR, COMPONENT, *GEAR, *UNPLACED)
TEXT = (
    "In Foundry, open the menu of an item and choose “Export Data”: weapons, armor, gear and weapons of "
    "vehicles are read, one or a list of them, such as the items of a folder or of a compendium."
)
MAX_COUNT, MAX_NOTES = 999, 300
DICE = re.compile(r"(\d{1,2})\s*[dD]\s*(6)?\s*(?:([+-])\s*(\d{1,2}))?")
AROUND = Bookkeeping(
    "_id id name type img system data sort folder ownership permission flags _stats _key effects"
)
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


def list_items(data: Any) -> list[Any]:
    """The items of a document: its `items` if they belong to no actor, a list, or itself; without folders."""
    if isinstance(data, dict) and isinstance(data.get("items"), list) and _table_of(data) is None:
        data = data["items"]
    return [one for one in data if not is_folder(one)] if isinstance(data, list) else [data]


def is_folder(data: Any) -> bool:
    """Whether a value is a folder of the other program, which stands among the documents of a list."""
    return isinstance(data, dict) and "system" not in data and "data" not in data and "sorting" in data


def recognizes(data: Any) -> bool:
    """Whether a document looks like an item or a list of items."""
    return any(is_item(one) for one in list_items(data)[:MAX_LISTED])


def is_item(data: Any) -> bool:
    """Whether a value looks like an item."""
    is_known = isinstance(data, dict) and data.get("type") in KINDS and _table_of(data) is not None
    return is_known and not is_of_another_system(data)


def is_of_another_system(data: dict[str, Any]) -> bool:
    """Whether a document of Foundry VTT names a game system other than twodsix."""
    stats = data.get("_stats")
    return isinstance(stats, dict) and stats.get("systemId") not in (None, "", "twodsix")


def _table_of(data: dict[str, Any]) -> dict[str, Any] | None:
    found = data.get("system", data.get("data"))
    return found if isinstance(found, dict) else None


def read(data: Any, answers: Mapping[str, str]) -> tuple[ForeignItem, ...]:
    """The items of a document, each with its problems."""
    return read_all(list_items(data), answers, read_item)


def read_all(
    items: list[Any],
    answers: Mapping[str, str],
    read_one: Callable[[Any, str, Mapping[str, str]], ForeignItem],
) -> tuple[ForeignItem, ...]:
    """Each of some items by a function that reads one; a problem if they are too many."""
    places = [f"items[{n}]" for n in range(len(items))] if len(items) > 1 else [""]
    found = tuple(
        read_one(item, place, answers) for item, place in zip(items[:MAX_LISTED], places, strict=False)
    )
    if len(items) <= MAX_LISTED:
        return found
    text = f"has {len(items)} items; at most {MAX_LISTED} are read at once"
    return (*found, ForeignItem(name="", problems=(Problem("the document", text),)))


def read_item(data: Any, place: str, answers: Mapping[str, str]) -> ForeignItem:
    """One item, as an entry of the catalogue or a new record, with its problems."""
    if not is_item(data):
        return ForeignItem(name="", problems=(Problem(place, "must be an item with type and system"),))
    thing, asker = Thing(data, place, {}), Asker(answers)
    entry = read_thing(thing, asker)
    thing.source.pass_over("equipped", "quantity")  # one piece goes into the catalogue, without an owner
    if thing.count > 1:
        thing.source.remark("quantity", f"{thing.count}: not imported")
    thing.list_rest(BOOKKEEPING)
    is_own = entry is not None and entry.record.get("id") == OWN
    return ForeignItem(
        name=entry.name if entry else thing.name,
        kind=entry.kind if entry else "",
        record=entry.record if entry else {},
        known=entry.name if entry and not is_own else "",
        remarks=limit_remarks([*asker.remarks, *thing.source.remarks]),
        problems=tuple(thing.source.problems),
        questions=asker.list_questions(),
    )


ITEMS = ItemReader(
    key="twodsix-items",
    label="Items of twodsix for Foundry VTT (JSON)",
    text=TEXT,
    recognizes=recognizes,
    read=read,
)

# An item of another program during reading.


class Thing:
    """An item of an actor: its fields as a `Source`, its name, and its place in the file."""

    def __init__(self, data: dict[str, Any], place: str, skills: Mapping[str, str]) -> None:
        system = data.get("system", data.get("data"))
        self.kind = str(data.get("type", ""))
        self.name = tidy(str(data.get("name") or ""))
        self.place = place
        self.skills = skills  # the names of the actor's skills, by id
        named = f"{place} “{self.name[:40]}”".strip()
        self.source = Source(system if isinstance(system, dict) else {}, named)
        self.around = Source(data, named)

    def say(self, message: str) -> None:
        """Remark on the item as a whole."""
        self.source.remark("", message)

    @property
    def count(self) -> int:
        """The number of pieces, as far as the file says: at least one."""
        number = read_number(self.source.find("quantity"))
        return 1 if number is None or number < 1 else min(number, MAX_COUNT)

    @property
    def is_used_up(self) -> bool:
        """Whether the file says that none is left."""
        return read_number(self.source.find("quantity")) == 0

    @property
    def damage(self) -> str:
        """Its dice in our notation, such as 3d6+2; empty without any."""
        return read_damage(self.source.take("damage"), self.source.take_whole("damageBonus", -99, 99))

    def take_notes(self, *paths: str) -> str:
        """Take its texts for the notes of a record; remark on those that are too long."""
        words = dict.fromkeys(tidy(self.source.take_text(path)) for path in paths)
        said = "; ".join(word for word in words if word)
        if len(said) > MAX_NOTES:
            self.source.remark(paths[0], f"is cut after {MAX_NOTES} characters")
        return said[:MAX_NOTES]

    def list_rest(self, bookkeeping: Bookkeeping) -> None:
        """Remark on unused parts of it: fields, effects, and other values next to them."""
        number = self.source.find("quantity")
        if says_something(number) and read_number(number) != self.count:
            self.source.remark("quantity", f"{say_value(number)} is read as {self.count}")
        self.source.list_rest(bookkeeping)
        effects = self.around.data.get("effects")
        if says_something(effects):
            self.source.remark("effects", "active effects: not imported")
        if "system" in self.around.data and says_something(self.around.data.get("data")):
            self.source.remark("data", "stands beside system: not imported")
        self.around.list_rest(AROUND)
        self.source.remarks += self.around.remarks


def read_damage(value: Any, bonus: int = 0) -> str:
    """Dice with their bonus; empty for anything but six-sided dice."""
    found = DICE.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    if not found:
        return ""
    plus = bonus + (int(f"{found[3]}{found[4]}") if found[3] else 0)
    return f"{found[1]}d6" + (f"{plus:+d}" if plus else "") if abs(plus) <= 99 else ""


# Items of twodsix, a game system for Foundry VTT, as entries of this catalogue or as new records. An item
# that matches an entry of the catalogue by name and figures becomes that entry. Any other becomes a new
# record, as far as its figures can be read. Unreadable parts get a remark, gaps a question.


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
    nature = find_nature(thing)
    if nature == RANGED or not (grown or nature == MELEE or find_band(thing) in NEAR):
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
    return _make_own(thing, WEAPON, describe_weapon(thing, damage, asker) | _describe_goods(thing))


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
    return _make_own(thing, "mount", describe_mount(thing, damage, asker) | _describe_goods(thing))


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
