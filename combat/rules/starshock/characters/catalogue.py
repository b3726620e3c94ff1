"""Items: the catalogue of the game for lists and forms, and what a combatant has of it on a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets import kit
from combat.rules.core.sheets.catalogue import (
    MELEE,
    RANGED,
    SPENDS,
    THROWN,
    Catalogue,
    Column,
    Kind,
    choice_column,
    choices_of,
    dice_column,
    find_figure_problems,
    flag_column,
    many_column,
    melee_use,
    number_column,
    ranged_use,
    thrown_use,
    used,
)
from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Condition

from ..book import tables
from ..book.tables import HANDS, VALUES, Armor, Consumable, Thing, Weapon
from . import conditions
from .conditions import KINDS

MONEY = "TSI"

MANEUVER_OPTIONS = choices_of({row.id: row.name for row in tables.maneuvers().values() if not row.general})
ATTRIBUTE_OPTIONS = choices_of({row.id: row.name for row in tables.attributes().values()})
SKILL_OPTIONS = choices_of({name: name for name in tables.skills()})
LASTING_OPTIONS = choices_of({row.id: row.name for row in tables.lasting().values()})
NONE = Choice("", "none")
MODES = choices_of({"melee": "Melee", "ranged": "Ranged", "thrown": "Thrown"})
VALUE = number_column("value", "Price", 0, high=10_000_000, unit=MONEY)
RESTRICTED = flag_column("restricted", "Restricted")
WEAPON = (
    dice_column("damage", "Damage", "such as 4 or 1d6"),
    choice_column("versus", "Against", choices_of(VALUES)),
    used(many_column("modes", "Use", MODES, required=True), THROWN),
    many_column("attributes", "Attribute", ATTRIBUTE_OPTIONS, required=True),
    many_column("skills", "Skill", SKILL_OPTIONS),
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    used(number_column("magazine", "Shots", 0, high=1000, unit="", hint="0: no ammunition needed"), RANGED),
    used(
        Column(key="zones_per_penalty", label="Zones per −1", kind="number", low=1, high=10, plain=1),
        RANGED,
        THROWN,
    ),
    used(number_column("near_penalty", "Modifier in the same zone", -5, 0), RANGED),
    used(
        number_column("max_zones", "Greatest range", 0, high=20, unit="zones", hint="0: no limit"),
        RANGED,
        THROWN,
    ),
    used(number_column("armor", "Armor while held", 0, 5), MELEE),
    flag_column("ignores_action_penalty", "No Action Penalty"),
    used(flag_column("takes_payload", "Takes a payload"), RANGED),
    many_column("maneuvers", "Maneuvers", MANEUVER_OPTIONS, mends=True),
    VALUE,
)
WEAPON_USES = (
    melee_use(sets={"modes": ("melee",)}, begins={"hands": 1, "attributes": ("str",)}),
    ranged_use(sets={"modes": ("ranged",)}, begins={"hands": 1, "attributes": ("dex",)}),
    thrown_use(begins={"modes": ("thrown",), "hands": 1, "attributes": ("dex",)}),
)
ARMOR = (
    Column(key="armor", label="Armor", kind="number", high=5, required=True),
    Column(key="resistance", label="Resistance", kind="number", high=5, required=True),
    many_column("raises", "Older attributes", ATTRIBUTE_OPTIONS, mends=True),
    flag_column("lost_when_unconscious", "Lost when the wearer passes out"),
    VALUE,
)
CONSUMABLE = (
    flag_column("beneficial", "Beneficial"),
    dice_column("heal", "Heals", plain="0"),
    choice_column("heal_skill", "+1 with", (NONE, *SKILL_OPTIONS), ""),
    dice_column("damage", "Damage", plain="0"),
    choice_column("minus", "Reduced by", (NONE, *ATTRIBUTE_OPTIONS), ""),
    choice_column("gives", "Leaves behind", (NONE, *LASTING_OPTIONS), ""),
    RESTRICTED,
    VALUE,
)
THING = (
    Column(key="text", label="What it does", required=True),
    flag_column("medical", "Counts as a Medical Kit"),
    flag_column("single_use", "One use"),
    number_column("radius_m", "Radius", 0, high=100, unit="m"),
    many_column("bonus_skills", "+1 with", SKILL_OPTIONS),
    RESTRICTED,
    VALUE,
)
# Conditions that last beyond a fight; a fight begins without the rest
LASTING = KINDS.tagged("lasting")


def find_use(record: Mapping[str, Any]) -> str:
    """How a weapon is used; what can be thrown as well is thrown."""
    modes = record.get("modes") or ()
    return next((mode for mode in (RANGED, THROWN, MELEE) if mode in modes), MELEE)


def _weapon_words(weapon: Weapon) -> list[str]:
    return [
        f"{weapon.damage} against {VALUES[weapon.versus]}",
        " or ".join(weapon.modes),
        "both hands" if weapon.hands > 1 else "",
        f"{weapon.magazine} shot{'s' if weapon.magazine > 1 else ''}" if weapon.magazine else "",
        "; ".join(tables.maneuvers()[name].name for name in weapon.maneuvers),
    ]


def _armor_words(armor: Armor) -> list[str]:
    return [
        f"+{armor.armor} Armor" if armor.armor else "",
        f"+{armor.resistance} Resistance" if armor.resistance else "",
        f"Resistance 7 + {armor.rolled_resistance}" if armor.rolled_resistance else "",
    ]


def _dose_words(dose: Consumable) -> list[str]:
    return [
        f"heals {dose.heal}" if dose.heal != "0" else "",
        f"{dose.damage} damage" if dose.damage != "0" else "",
        tables.lasting()[dose.gives].name if dose.gives else "",
        f"{dose.check.attribute.capitalize()} check or {dose.check.fail}" if dose.check else "",
    ]


def find_armor_problems(record: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems of the dice for a resistance that is rolled."""
    rolled = (dice_column("rolled_resistance", "Resistance", plain=""),)
    return find_figure_problems(rolled, {**record, "name": "-"})


def find_check_problems(record: dict[str, Any]) -> Iterator[Problem]:
    """The problems of the check that a dose or device asks for: conditions that do not exist."""
    for outcome in ("fail", "success"):
        kind = (record.get("check") or {}).get(outcome)
        if kind and kind not in conditions.KINDS:
            yield Problem(f"check.{outcome}", f"there is no condition “{kind}”")


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body: a weapon that takes no hand."""
    return kind == "weapon" and not record.get("hands", 1)


def is_limb(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body that strikes, such as claws: the guns of a robot are none."""
    return is_built_in(kind, record) and "ranged" not in record.get("modes", ())


ITEM_KINDS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=tables.UNARMED, sum_up=_weapon_words, ready="held",
         load="magazine", uses=WEAPON_USES, find_use=find_use),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         sum_up=_armor_words, ready="worn", only=True, find_problems=find_armor_problems),
    Kind(key="consumable", label="Consumable", plural="Consumables", record=Consumable,
         columns=(*CONSUMABLE, SPENDS), find_rows=tables.consumables,
         sum_up=_dose_words, find_problems=find_check_problems),
    Kind(key="item", label="Other gear", plural="Other gear", record=Thing, columns=(*THING, SPENDS),
         find_rows=tables.things, sum_up=lambda thing: [thing.text.rstrip(".")],
         find_problems=find_check_problems),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=ITEM_KINDS,
    money=MONEY,
    find_facts=lambda row: {"price": getattr(row, "value", 0) or None},
    is_built_in=is_built_in,
)

# Items and conditions of a sheet as a combatant has them, and their problems.


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
