"""Somebody from one line: `Guard 868774 Gun Combat-1 Melee-0 rifle, cloth`.

A name, a profile, skills each with its level, then things: weapons, armor, grenades, gear,
`2 frag grenades`, `Cr500`, with commas between them or without where their names tell them apart. A cascade
stands for the skills of it that the weapons in hand need, its first one if they need none.  RULING R55
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.catalogue import Entry, new_thing
from combat.rules.core.sheets.lines import Lines, Written

from ..book import tables
from .catalogue import CATALOGUE, UNARMED
from .inventory import HANDS, SPARES
from .profile import is_profile, read_profile
from .values import read_skill

EXAMPLE = "Guard 868774 Gun Combat-1 Melee-0 rifle, cloth"
DASHES = str.maketrans(
    dict.fromkeys("\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}", "-")
)
SKILL = re.compile(r"\s*([^\W\d][^\d,]*?)[-\s]+(\d+)(?=[\s,]|$)")
LISTED = re.compile(r"\(([^()]*[^\W\d][^()]*[-\s]\d+)\)")  # skills in brackets
INNER = re.compile(r"(.+?)\s*\((.+)\)")
PLACED = re.compile(r"\s*\((?:held|worn|carried|stowed)\)$", re.IGNORECASE)
COUNT = re.compile(r"(\d{1,3})\s*[x\N{MULTIPLICATION SIGN}]?\s+(.+)")
CREDITS = re.compile(r"cr\.?\s*(\d[\d,]*)", re.IGNORECASE)
FEW_FIGURES = 4  # a word with so many was meant as a profile
MAX_LEVEL, MAX_NAME, MAX_CREDITS, MAX_COUNT = 9, 60, 1_000_000_000, 99
SHORT_CASCADES = {"melee": "melee_combat", "guns": "gun_combat", "gun": "gun_combat", "gunnery": "gunnery"}
OTHER_NAMES = {
    "smg": "submachinegun",
    "acr": "advanced combat rifle",
    "grenade": "frag grenade",
    "medikit": "medical kit",
    "medkit": "medical kit",
}
JOINTS = ("and", "with", "&", "+")  # words between things


def read_line(line: str) -> Written:
    """Whoever a line says; Refused("bad_line") says what of it cannot be read, and what could be."""
    words = line.translate(DASHES).split()
    place = _find_profile(words)
    if place is None:
        raise Refused("bad_line", f"No profile: after the name come six digits, as in “{EXAMPLE}”.")
    named = (
        words[: place - 1] if place > 1 and words[place - 1].strip(":").upper() == "UPP" else words[:place]
    )
    name = " ".join(named).strip("\"“”':,")
    check_name(name)
    scores = read_profile(words[place].strip(",;:[]()"))
    levels, things = _read_rest(" ".join(words[place + 1 :]))
    entries, money = _read_things(things)
    sheet = {
        "name": name,
        "kind": "person",
        "attributes": scores,
        "skills": dict(spread_levels(levels, [entry for entry, _ in entries])),
        "items": make_items(entries),
        "credits": money,
    }
    return Written(name, sheet)


def check_name(name: str) -> None:
    """Refuse a name that is none, or that ends in a skill with its level."""
    if not 1 <= len(name) <= MAX_NAME:
        raise Refused("bad_line", f"A name of 1 to {MAX_NAME} characters comes first, as in “{EXAMPLE}”.")
    words = name.split()
    tails = (SKILL.fullmatch(" ".join(words[n:])) for n in range(1, len(words)))
    for found in filter(None, tails):
        if _find_named(found[1]):
            raise Refused("bad_line", f"“{found[0]}” comes after the profile, as in “{EXAMPLE}”.")


def _find_profile(words: list[str]) -> int | None:
    """Where the profile stands; else the word that was meant as one, so that its fault can be told."""
    meant = (n for n, word in enumerate(words) if len(re.findall(r"\d", word)) >= FEW_FIGURES)
    return next((n for n, word in enumerate(words) if looks_like_profile(word)), next(meant, None))


def looks_like_profile(word: str) -> bool:
    """A word of pseudo-hexadecimal digits with a figure among them: “Facade” is a name."""
    bare = word.strip(",;:[]()")
    return is_profile(bare) and any(digit.isdigit() for digit in bare)


# ---------------------------------------------------------------- skills


def _read_rest(text: str) -> tuple[dict[str, int], list[str]]:
    """The skills with their levels, and the words for things."""
    levels: dict[str, int] = {}
    things = []
    for part in re.split("[,;]", re.sub(r"(?<=\d),(?=\d{3}\b)", "", LISTED.sub(r", \1, ", text))):
        rest = part
        while (found := SKILL.match(rest)) and not CREDITS.fullmatch(rest.strip()):
            key, level = _find_skill(found[1]), int(found[2])
            if level > MAX_LEVEL:
                raise Refused("bad_line", f"{found[1].strip()} {level}: a level is 0 to {MAX_LEVEL}.")
            levels[key] = level
            rest = rest[found.end() :]
        things += [rest.strip()] if rest.strip() else []
    return levels, things


def _find_skill(words: str) -> str:
    """The id of a skill or cascade; Refused with the nearest names."""
    inner = INNER.fullmatch(words.strip())
    for part in (words, *((inner[2], inner[1]) if inner else ())):
        if key := _find_named(part):
            return key
    names = {
        row.name.casefold(): row.name
        for rows in (tables.skills(), tables.cascades())
        for row in rows.values()
    }
    raise Refused("bad_line", f"There is no skill “{words.strip()}”{suggest(words, names)}.")


def _find_named(words: str) -> str:
    """The id of the skill or cascade of this very name; nothing if there is none."""
    key = read_skill(words)
    key = SHORT_CASCADES.get(key, key)
    return key if key in tables.skills() or key in tables.cascades() else ""


def _hint_at_level(words: str) -> str:
    """What to write if words begin with a skill whose level cannot be read."""
    said = re.findall(r"[^\W\d_]+", words)
    meant = (_find_named(" ".join(said[:n])) for n in range(len(said), 0, -1))
    key = next(filter(None, meant), "")
    if not key:
        return ""
    name = (tables.skills().get(key) or tables.cascades()[key]).name
    return f" If the skill is meant, write its level after it: {name}-1."


def suggest(words: str, names: Mapping[str, str]) -> str:
    """The nearest of some names, as the end of a sentence."""
    near = get_close_matches(words.strip().casefold(), names, n=3)
    return f": perhaps {' or '.join(names[name] for name in near)}" if near else ""


def spread_levels(levels: Mapping[str, int], entries: Iterable[Entry]) -> Iterator[tuple[str, int]]:
    """Levels skill by skill; a cascade becomes the skills of it that the weapons need."""
    weapons = [entry.record for entry in entries if entry.kind in ("weapon", "grenade")]
    needed = [skill for record in weapons for skill in record.get("skills", ())[:1]]
    needed.append(tables.weapons()[UNARMED].skills[0])
    for key, level in levels.items():
        if key in tables.skills():
            yield key, level
            continue
        own = list(flatten(key))
        for skill in [skill for skill in own if skill in needed] or own[:1]:
            if skill not in levels:
                yield skill, level


def flatten(cascade: str) -> Iterator[str]:
    """The skills of a cascade, through the cascades inside it."""
    for name in tables.cascades()[cascade].specialities:
        yield from flatten(name) if name in tables.cascades() else (name,)


# ---------------------------------------------------------------- things


def _read_things(words: Iterable[str]) -> tuple[list[tuple[Entry, int]], int]:
    """The things by entry and number, and the money."""
    found, money = [], 0
    for word in (thing for one in words for thing in _part_things(one)):
        paid = CREDITS.fullmatch(word)
        if paid:
            money += int(paid[1].replace(",", ""))
            continue
        counted = COUNT.fullmatch(word)
        number, name = (int(counted[1]), counted[2]) if counted else (1, word)
        if not 1 <= number <= MAX_COUNT:
            raise Refused("bad_line", f"{word}: of one item 1 to {MAX_COUNT}.")
        found.append((find_thing(name), number))
    if money > MAX_CREDITS:
        raise Refused("bad_line", f"At most Cr{MAX_CREDITS:,}.")
    return found, money


def _part_things(words: str) -> list[str]:
    """Things with no comma between them, each by its longest name; the very words if one is unknown."""
    words = PLACED.sub("", words.strip().rstrip("."))
    if _is_thing(words):
        return [words]
    found, rest = [], words.split()
    while rest:
        length = next((n for n in range(len(rest), 0, -1) if _is_thing(" ".join(rest[:n]))), 0)
        if length:
            found.append(" ".join(rest[:length]))
        elif rest[0].casefold() not in JOINTS:
            return [words]
        rest = rest[max(length, 1) :]
    return found


def _is_thing(words: str) -> bool:
    """Whether words are money, or name something of the catalogue, with or without a number before it."""
    counted = COUNT.fullmatch(words)
    return bool(CREDITS.fullmatch(words)) or find_known(counted[2] if counted else words) is not None


@cache
def _names() -> dict[str, Entry]:
    """The things of the catalogue by their names; of two with one name the first counts."""
    known: dict[str, Entry] = {}
    for entry in CATALOGUE.find_entries():
        if entry.kind not in ("mount", "ammo"):
            known.setdefault(entry.name.casefold().replace("-", " "), entry)
    return known


def find_known(words: str) -> Entry | None:
    """The entry of a thing as people write it, if the catalogue has it."""
    said = " ".join(words.casefold().replace("-", " ").replace("armour", "armor").split())
    said = OTHER_NAMES.get(said, said)
    forms = (said, said.removesuffix("s"), said.removesuffix(" armor"), said.removesuffix(" suit"))
    return next((_names()[form] for form in forms if form in _names()), None)


def find_thing(words: str) -> Entry:
    """The entry of a thing as people write it; Refused with the nearest names."""
    found = find_known(words)
    if found is None:
        names = {name: entry.name for name, entry in _names().items()}
        known = f"There is no “{words}” in the catalogue{suggest(words, names)}."
        raise Refused("bad_line", f"{known}{_hint_at_level(words)}")
    return found


def make_items(entries: Iterable[tuple[Entry, int]]) -> list[dict[str, Any]]:
    """The things as a sheet has them: weapons in hand while hands are free, armor and sights on."""
    items: list[dict[str, Any]] = []
    free, dressed = HANDS, False
    for entry, number in entries:
        thing = new_thing(CATALOGUE, entry, {item["id"] for item in items})
        place, record = "carried", entry.record
        if entry.kind == "weapon" and (hands := 2 if record.get("two_handed") else 1) <= free:
            place, free = "held", free - hands
        elif entry.kind == "mount":
            place = "held"
        elif entry.kind == "accessory":
            place = "worn"
        elif entry.kind == "armor" and (record.get("over_other") or not dressed):
            place, dressed = "worn", dressed or not record.get("over_other")
        spares = SPARES if thing.loaded else 0
        made = msgspec.structs.replace(thing, place=place, spares=spares, count=number)
        items.append(msgspec.to_builtins(made))
    return items


LINES = Lines(
    read=read_line,
    example=EXAMPLE,
    help="A name, a profile, skills with levels, then weapons, armor and gear with commas between them.",
)
