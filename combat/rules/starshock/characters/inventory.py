"""Items and conditions of a sheet as a combatant has them, and their problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets import kit
from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Condition

from ..book import tables
from ..book.tables import HANDS
from .catalogue import CATALOGUE
from .conditions import KINDS

# Conditions that last beyond a fight; a fight begins without the rest
LASTING = KINDS.tagged("lasting")
KIT = kit.Kit(
    catalogue=CATALOGUE,
    lasting=LASTING,
    lists=(
        ("skills", "skill", tables.skills()),
        ("weapons", "weapon", tables.weapons()),
        ("gear", "gear", tables.consumables() | tables.things()),
        ("features", "feature", tables.features()),
    ),
    tracks=("damage", "luck"),
    between=" and ",
    hands=HANDS,
    one_armor="only one piece of armor can be worn",
)
make_item = KIT.make_item


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that a sheet's type does not catch: unknown attributes, skills and items."""
    return KIT.find_problems(sheet, _attribute_problems(sheet), _word_problems(sheet))


def _attribute_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    known = tables.attributes()
    yield from (Problem(f"attributes.{key}", "is missing") for key in known if key not in sheet["attributes"])
    for key in sheet["attributes"]:
        if key not in known:
            yield Problem(f"attributes.{key}", f"there is no such attribute; known are {', '.join(known)}")


def _word_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
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


# ---------------------------------------------------------------- in a fight


def find_gear(name: str) -> tuple[str, Any]:
    """The kind and record of a consumable or other item by its id."""
    if name in tables.consumables():
        return "consumable", tables.consumables()[name]
    return "item", tables.things()[name]


def make_conditions(who: str, held: tuple[Lasting, ...]) -> tuple[Condition, ...]:
    """The conditions a combatant starts with: those of the sheet, and prone for anyone who is out."""
    if any("lies" in KINDS[lasting.kind].tags for lasting in held):
        held = (*held, Lasting(kind="prone"))
    return kit.make_conditions(who, held, KINDS)
