"""Items and conditions of a sheet as a combatant has them, and their problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.typed import convert
from combat.rules.core.sheets.catalogue import check_conditions, check_things
from combat.rules.core.sheets.sheets import Carried, Lasting
from combat.rules.core.state.state import Condition, Item

from ..book import tables
from ..book.tables import HANDS
from .catalogue import CATALOGUE
from .conditions import KINDS

# Conditions that last beyond a fight; a fight begins without the rest
LASTING = ("unconscious", "coma", "treated", "dead", "maimed", "stimulant_crash", "adrenaline_crash")
DOWN = ("unconscious", "coma")
TRACKS = ("damage", "luck")


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that a sheet's type does not catch: unknown attributes, skills and items."""
    return (
        *_number_problems(sheet),
        *_word_problems(sheet),
        *_thing_problems(convert(sheet["items"], tuple[Carried, ...])),
        *check_conditions(sheet, LASTING),
    )


def _number_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    known = tables.attributes()
    yield from (Problem(f"attributes.{key}", "is missing") for key in known if key not in sheet["attributes"])
    for key in sheet["attributes"]:
        if key not in known:
            yield Problem(f"attributes.{key}", f"there is no such attribute; known are {', '.join(known)}")
    for key, value in sheet["tracks"].items():
        if key not in TRACKS:
            yield Problem(f"tracks.{key}", f"there are only {' and '.join(TRACKS)}")
        elif value < 0:
            yield Problem(f"tracks.{key}", "must be at least 0")


def _word_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    lists: tuple[tuple[str, str, Any], ...] = (
        ("skills", "skill", tables.skills()),
        ("weapons", "weapon", tables.weapons()),
        ("gear", "gear", tables.consumables() | tables.things()),
        ("features", "feature", tables.features()),
    )
    for field, what, known in lists:
        for number, name in enumerate(sheet[field]):
            if name not in known:
                yield Problem(f"{field}[{number}]", f"there is no {what} “{name}”")
    if len(set(sheet["skills"])) < len(sheet["skills"]):
        yield Problem("skills", "names a skill twice")
    if sheet["wears"] and sheet["wears"] not in tables.armors():
        yield Problem("wears", f"there is no armor “{sheet['wears']}”")
    if sheet["background"] and sheet["background"] not in find_backgrounds():
        yield Problem("background", f"must be one of: {', '.join(find_backgrounds())}")


def find_backgrounds() -> tuple[str, ...]:
    """The backgrounds with features."""
    names = (feature.background for feature in tables.features().values())
    return tuple(dict.fromkeys(name for name in names if name))


def _thing_problems(items: tuple[Carried, ...]) -> Iterator[Problem]:
    problems, sound = check_things(CATALOGUE, items)
    yield from problems
    if len([thing for thing in items if thing.kind == "armor" and thing.place == "worn"]) > 1:
        yield Problem("items", "only one piece of armor can be worn")
    hands = sum(int(make_item(thing).data.get("hands", 1)) for thing in sound if thing.place == "held")
    if hands > HANDS:
        yield Problem("items", f"holds items for {hands} hands; there are {HANDS}")


# ---------------------------------------------------------------- in a fight


def find_gear(name: str) -> tuple[str, Any]:
    """The kind and record of a consumable or other item by its id."""
    if name in tables.consumables():
        return "consumable", tables.consumables()[name]
    return "item", tables.things()[name]


def make_item(thing: Carried) -> Item:
    """The item of a sheet as a combatant's item, with its current record. The sheet must be valid."""
    entry = CATALOGUE.look_up(thing)
    assert entry is not None, thing
    built_in = thing.kind == "weapon" and not entry.record["hands"]
    return Item(
        id="",
        kind=thing.kind,
        name=entry.name,
        data=entry.record,
        place="held" if built_in else thing.place,
        loaded=thing.loaded,
        spares=thing.spares,
        count=thing.count,
    )


def make_conditions(who: str, held: tuple[Lasting, ...]) -> tuple[Condition, ...]:
    """The conditions a combatant starts with: those of the sheet, and prone for anyone who is out."""
    if any(lasting.kind in DOWN for lasting in held):
        held = (*held, Lasting(kind="prone"))
    return tuple(_condition(f"{who}-c{n}", lasting) for n, lasting in enumerate(held, 1))


def _condition(condition_id: str, lasting: Lasting) -> Condition:
    known = KINDS[lasting.kind]
    label = lasting.note or f"condition.{known.kind}"
    return Condition(condition_id, known.kind, label, known.rule, lasting.level)
