"""A combatant's items, conditions and Hit Points on a sheet, and the problems in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combat.rules.core.basics.checking import Problem, find_shape_problems
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets import kit
from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Combatant, Condition, Item

from ..book import tables
from ..book.records import SpeciesAbilities
from ..book.traits import count_hands as count_weapon_hands
from .catalogue import CATALOGUE
from .conditions import KINDS

# Conditions that do not end with the scene or the next turn; a fight begins without all others
LASTING = KINDS.tagged("lasting")
OUT_AT_ZERO = {*KINDS.tagged("at 0 HP")}
MAX_ABILITY = 999
HANDS = 2  # RULING R59


def count_hands(item: Item) -> int:
    """The hands that a held item takes; parts of the body and worn shields take none.  RULING R59"""
    if item.kind == "shield":
        return int(item.data["hands"])
    return count_weapon_hands(item.data) if item.kind == "weapon" else 1


def find_in_hands(combatant: Combatant, besides: str = "") -> list[Item]:
    """The items that take someone's hands, without the one with the id `besides`."""
    return [i for i in combatant.items if i.place == "held" and i.id != besides and count_hands(i)]


def check_hands(combatant: Combatant, item: Item) -> None:
    """Refuse an item that takes more hands than are free; says what to put away.  RULING R59"""
    held, needed = find_in_hands(combatant, item.id), count_hands(item)
    if needed + sum(map(count_hands, held)) > HANDS:
        names, hands = " and ".join(one.name for one in held), "both hands" if needed == HANDS else "a hand"
        text = f"{item.name} takes {hands}: put {names} away first (Move Action)."
        raise Refused("not_allowed", text)


KIT = kit.Kit(
    catalogue=CATALOGUE,
    lasting=LASTING,
    lists=(("weapons", "weapon", tables.weapons()),),
    hands=HANDS,
    count_hands=count_hands,
    one_armor="only one suit of armor can be worn",
    flags=("jammed",),
)
make_item = KIT.make_item


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that the type of a sheet cannot express: unknown attributes, skills, words or items."""
    found = (_number_problems(sheet), _word_problems(sheet), _ability_problems(sheet["abilities"]))
    return KIT.find_problems(sheet, *found)


def _number_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    known = tables.attributes()
    yield from (Problem(f"attributes.{key}", "is missing") for key in known if key not in sheet["attributes"])
    for what, names in (("attributes", known), ("skills", tables.skills())):
        for key in sheet[what]:
            if key not in names:
                text = f"there is no such {what[:-1]}; known are {', '.join(names)}"
                yield Problem(f"{what}.{key}", text)
    yield from (Problem(f"tracks.{key}", "there is only hp") for key in sheet["tracks"] if key != "hp")


def _word_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    if sheet["size"] not in tables.SIZES:
        yield Problem("size", f"must be one of: {', '.join(tables.SIZES)}")
    if sheet["armor"] and sheet["armor"] not in tables.armors():
        yield Problem("armor", f"there is no armor “{sheet['armor']}”")
    if sheet["shield"] and sheet["shield"] not in tables.shields():
        yield Problem("shield", f"there is no shield “{sheet['shield']}”")
    if sheet["career"] and sheet["career"] not in tables.skill_packages():
        yield Problem("career", f"must be one of: {', '.join(tables.skill_packages())}")
    for number, gear in enumerate(sheet["gear"]):
        try:
            find_gear(gear)
        except Refused as refused:
            yield Problem(f"gear[{number}]", refused.message)


def _ability_problems(abilities: dict[str, Any]) -> Iterator[Problem]:
    yield from find_shape_problems(abilities, SpeciesAbilities, "abilities")
    for key, value in abilities.items():
        if isinstance(value, int) and abs(value) > MAX_ABILITY:
            yield Problem(f"abilities.{key}", f"must be {-MAX_ABILITY} to {MAX_ABILITY}")


# ---------------------------------------------------------------- in a fight


def find_gear(gear: str) -> tuple[str, Any]:
    """The kind and record of a piece of gear by its id; Refused("unknown") if there is none."""
    shelves: tuple[tuple[str, dict[str, Any]], ...] = (
        ("weapon", tables.weapons()),
        ("medical", tables.medical_gear()),
        ("drug", tables.drugs()),
        ("suit", tables.suits()),
        ("gear", tables.gear()),
    )
    for kind, shelf in shelves:
        if gear in shelf:
            return kind, shelf[gear]
    raise Refused("unknown", f"there is no gear “{gear}”")


def make_conditions(who: str, hp: int, might: int, held: tuple[Lasting, ...]) -> tuple[Condition, ...]:
    """The conditions a combatant joins with: those of the sheet, and those of its Hit Points.

    [COS-STATE-19] [COS-STATE-20] [COS-DEATH-11] At 0 HP or less dying, below minus Might dead.
    """
    kinds = [lasting.kind for lasting in held]
    if hp <= 0 and not OUT_AT_ZERO & set(kinds):
        held = (*held, Lasting(kind="dead" if hp < -might else "dying"))
    kinds = [lasting.kind for lasting in held]
    if OUT_AT_ZERO & set(kinds) and "unconscious" not in kinds:
        held = (*held, Lasting(kind="unconscious"))
    return kit.make_conditions(who, held, KINDS)
