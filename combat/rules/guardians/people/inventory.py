"""What a sheet says of things and conditions, as a fighter has them, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets.catalogue import find_thing_problems
from combat.rules.core.sheets.sheets import Carried, Lasting
from combat.rules.core.state.state import Condition, Item, Scalar

from ..book import tables
from ..book.tables import HANDS, LIMBS, PLACES
from .catalogue import CATALOGUE
from .conditions import KINDS

# Conditions that do not end with the fight. Those of the body follow from its Mortality Points.
LASTING = ("dead", "destroyed")
MP_TRACKS = tuple(f"mp.{place}" for place in PLACES)
TRACKS = (*MP_TRACKS, "toughness", "fatigue")
NEEDED = ("body", "coordination", "health", "toughness", "spirit", "perception")


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """What the type of a sheet cannot say: ranks missing, parts and things that do not exist."""
    return (
        *_rank_problems(sheet),
        *_part_problems(sheet),
        *_word_problems(sheet),
        *_thing_problems(msgspec.convert(sheet["items"], tuple[Carried, ...])),
        *_condition_problems(sheet),
    )


def _rank_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    """The Attributes that the rules read must be there; names of one's own say what they are."""
    ranks = sheet["ranks"]
    yield from (Problem(f"ranks.{key}", "is missing") for key in NEEDED if key not in ranks)
    for key in ("health", "toughness"):
        if ranks.get(key, 1) < 1:
            yield Problem(f"ranks.{key}", "must be at least 1")
    known = (*tables.attributes(), *tables.aspects(), *tables.skills())
    for key in sheet["own"]:
        if key in known:
            yield Problem(f"own.{key}", "is a name of the game already")


def _part_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    for field in ("mortality", "natural_armor", "reckoned"):
        for key in sheet[field]:
            if key not in PLACES:
                yield Problem(f"{field}.{key}", f"must be one of: {', '.join(PLACES)}")
    for key, value in sheet["tracks"].items():
        if key not in TRACKS:
            yield Problem(f"tracks.{key}", f"there are only {', '.join(TRACKS)}")
        elif value < 0:
            yield Problem(f"tracks.{key}", "must be at least 0")


def _word_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    lists: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
        ("weapons", "weapon", tables.weapons()),
        ("wears", "armor", tables.armors()),
        ("shields", "shield", tables.shields()),
        ("gear", "gear", tables.things()),
    )
    for field, what, known in lists:
        for number, name in enumerate(sheet[field]):
            if name not in known:
                yield Problem(f"{field}[{number}]", f"there is no {what} “{name}”")


def _thing_problems(items: tuple[Carried, ...]) -> Iterator[Problem]:
    seen: set[str] = set()
    hands = 0
    for number, thing in enumerate(items):
        place = f"items[{number}]"
        if thing.id in seen:
            yield Problem(f"{place}.id", f"“{thing.id}” is taken by another thing")
        seen.add(thing.id)
        problems = find_thing_problems(CATALOGUE, thing, place)
        yield from problems
        if not problems and thing.place == "held":
            hands += int(make_item(thing).data.get("hands", 1))
    if hands > HANDS:
        yield Problem("items", f"holds things for {hands} hands; there are {HANDS}")


def _condition_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    limbs = [tables.locations()[limb].name for limb in LIMBS]
    for number, held in enumerate(sheet["conditions"]):
        place = f"conditions[{number}]"
        if held["kind"] not in LASTING:
            yield Problem(f"{place}.kind", f"must be one of: {', '.join(LASTING)}")
        elif held["kind"] == "destroyed" and held.get("note") and held["note"] not in limbs:
            yield Problem(f"{place}.note", f"must be one of: {', '.join(limbs)}")


# ---------------------------------------------------------------- in a fight


def make_item(thing: Carried) -> Item:
    """A thing on a sheet as an item of a fighter, its record as it is today. The sheet must be sound."""
    entry = CATALOGUE.look_up(thing)
    assert entry is not None, thing
    built_in = thing.kind == "weapon" and not entry.record["hands"]
    marks: dict[str, Scalar] = dict(thing.wear)
    return Item(
        id="",
        kind=thing.kind,
        name=entry.name,
        data=entry.record,
        place="held" if built_in else thing.place,
        count=thing.count,
        marks=marks,
    )


def make_conditions(who: str, held: tuple[Lasting, ...], tracks: Mapping[str, int]) -> tuple[Condition, ...]:
    """The conditions a fighter joins with: those of the sheet, and what its Mortality Points say is lost.

    [CG-LIMB-03] A limb without points is destroyed, and no longer bleeds between fights.
    """
    kinds = [KINDS[lasting.kind] for lasting in held if lasting.kind != "destroyed"]
    found = [Condition(f"{who}-c{n}", k.kind, f"condition.{k.kind}", k.rule) for n, k in enumerate(kinds, 1)]
    for limb in LIMBS:
        if tracks[f"mp.{limb}"] == 0:
            known, number = KINDS["destroyed"], len(found) + 1
            found.append(
                Condition(
                    f"{who}-c{number}", "destroyed", "condition.destroyed", known.rule, marks={"part": limb}
                )
            )
    return tuple(found)
