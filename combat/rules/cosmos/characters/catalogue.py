"""Items: the catalogue for lists and forms, wear, and what a combatant has of it on a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from combat.rules.core.basics.checking import Problem, find_shape_problems
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets import kit
from combat.rules.core.sheets.catalogue import (
    BLAST,
    MELEE,
    RANGED,
    SPENDS,
    THROWN,
    Catalogue,
    Column,
    Kind,
    Wear,
    blast_use,
    choice_column,
    dice_column,
    flag_column,
    many_column,
    melee_use,
    number_column,
    ranged_use,
    thrown_use,
    used,
)
from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Combatant, Condition, Item

from ..book import tables
from ..book.tables import (
    Armor,
    DamageType,
    Drug,
    Era,
    Gear,
    MedicalGear,
    Mode,
    Shield,
    SpeciesAbilities,
    Suit,
    Weapon,
)
from ..book.traits import count_hands as count_weapon_hands
from ..book.traits import find_suit, has_tag
from .conditions import KINDS

HAZARDS = {
    "vacuum": "vacuum",
    "temperature": "heat and cold",
    "toxic": "toxic air",
    **{
        row.id: f"{row.level} radiation"
        for row in tables.hazard_levels().values()
        if row.hazard == "radiation"
    },
}
SAVES = (Choice("", ""), *(Choice(row.id, row.name) for row in tables.attributes().values()))
STATES = ("Wounded", "Injured", "Critical")
TREATMENTS = ("first_aid", "stabilize", "field_medicine")
CARE = ("field_medicine", "surgery", "radiation_treatment", "medical_care", "advanced_care")
CRASHES = ("", "Fatigued 1 hour", "Fatigued 2 hours", "Fatigued 8 hours")
CREDITS = "cr"
TRAITS = {trait.id: Choice(trait.id, trait.name, trait.effect) for trait in tables.traits().values()}
COST = number_column("cost", "Price", 0, high=10_000_000, unit=CREDITS)
CONDITIONS = tuple(kind.label for kind in KINDS.values())
WEAPON_USES = (
    melee_use(sets={"mode": "melee"}, needs=("reach_m",)),
    ranged_use(sets={"mode": "ranged"}, needs=("range_m",)),
    thrown_use(sets={"mode": "thrown", "magazine": 1}, needs=("range_m",)),
    blast_use(begins={"mode": "thrown", "magazine": 1}, needs=("range_m", "radius_m")),
)
SUIT = (
    many_column(
        "protects",
        "Keeps out",
        tuple(Choice(key, word.capitalize()) for key, word in HAZARDS.items()),
        mends=True,
    ),
    number_column("hours", "Lasts", 0, high=1000, unit="hours"),
    number_column("minutes", "and", 0, high=59, unit="minutes"),
    number_column("vacuum_minutes", "In vacuum only", 0, high=600, unit="minutes"),
    flag_column("indefinite", "Without limit"),
    number_column("toxin_save", "Saves against toxins", 0, 10),
    number_column("radiation_save", "Saves against radiation", 0, 10),
    COST,
)
GEAR = (
    Column(key="effect", label="Effect", plain=""),
    flag_column("magnetic", "Magnetic"),
    number_column("thrust_m", "Thrust", 0, high=100, unit="m"),
    number_column("charges", "Charges", 0, 999),
    number_column("athletics_climb", "Bonus to climb", 0, 10),
    number_column("tech_repair", "Bonus to repair", 0, 10),
    number_column("survival", "Bonus to Survival", 0, 10),
    number_column("refills", "Magazines it refills", 0, 99),
    COST,
)
# Conditions that do not end with the scene or the next turn; a fight begins without all others
LASTING = KINDS.tagged("lasting")
OUT_AT_ZERO = {*KINDS.tagged("at 0 HP")}
MAX_ABILITY = 999
HANDS = 2  # RULING R59


def _choices(values: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(value, value.replace("_", " ").capitalize()) for value in values)


ERA = choice_column("era", "Era", _choices(get_args(Era)))
WEAPON = (
    ERA,
    used(choice_column("mode", "Use", _choices(get_args(Mode))), BLAST),
    dice_column("damage", "Damage", "such as 1d8+1; 0 for none"),
    choice_column("type", "Damage type", _choices(get_args(DamageType))),
    number_column("equipment", "Bonus to hit", 0, 3, hint="the equipment bonus, at most 3"),
    number_column("ap", "Armor piercing", 0, 20),
    used(number_column("reach_m", "Reach", 0, high=20, unit="m"), MELEE),
    used(number_column("range_m", "Range", 0, high=10_000, unit="m"), RANGED, THROWN, BLAST),
    used(number_column("radius_m", "Blast radius", 0, high=200, unit="m"), BLAST),
    used(
        number_column("magazine", "Magazine", 0, high=1000, unit="rounds", hint="0 needs no ammunition"),
        RANGED,
        BLAST,
    ),
    many_column("traits", "Traits", tuple(TRAITS.values()), mends=True),
    used(choice_column("effect.save", "Save against its effect", SAVES, ""), RANGED, BLAST),
    used(number_column("effect.tn", "Target number of the save", 0, 40), RANGED, BLAST),
    used(
        choice_column("effect.condition", "Condition it brings", _choices(("", *CONDITIONS)), ""),
        RANGED,
        BLAST,
    ),
    used(flag_column("effect.breathed", "Must be breathed"), RANGED, BLAST),
    used(
        choice_column("effect.concealment", "Concealment it lays", _choices(("", "heavy")), ""), RANGED, BLAST
    ),
    used(number_column("effect.rounds", "Lasts", 0, high=100, unit="rounds"), RANGED, BLAST),
    used(number_column("effect.minutes", "or", 0, high=600, unit="minutes"), RANGED, BLAST),
    COST,
)


def find_use(record: Mapping[str, Any]) -> str:
    """How a weapon is used: an area, or as its mode says."""
    return BLAST if record.get("radius_m") else str(record.get("mode", ""))


ARMOR = (
    ERA,
    choice_column("armor_class", "Class", _choices(tuple(tables.ARMOR_CLASSES))),
    number_column("protection", "Protection", 0, 30),
    number_column("defense_penalty", "Defense", -10, 0),
    many_column("traits", "Traits", tuple(TRAITS.values()), mends=True),
    COST,
)
SHIELD = (
    ERA,
    number_column("defense_bonus", "Defense", 0, 10),
    number_column("energy_protection", "Protection against energy", 0, 30),
    Column(key="hands", label="Hands", kind="number", high=2, plain=None, required=True),
    COST,
)
MEDICAL = (
    choice_column("era", "Era", _choices(get_args(Era)), "Any"),
    number_column("medicine_bonus", "Bonus to Medicine", 0, 10),
    many_column("applies_to", "For", _choices(TREATMENTS)),
    many_column("enables", "Makes possible", _choices(CARE)),
    number_column("uses", "Uses", 0, 999),
    number_column("heal_per_hour", "HP healed in an hour", 0, 999),
    flag_column("presses", "Holds back bleeding"),
    flag_column("stabilizes", "Stabilizes the dying"),
    Column(key="effect", label="Effect", plain=""),
    COST,
)


def effect_columns() -> tuple[Column, ...]:
    """The columns of what a drug changes, with the bounds of their rows."""
    rows = tables.drug_effects().values()
    return tuple(number_column(f"effects.{row.id}", row.name, row.low, row.high) for row in rows)


DRUG = (
    *effect_columns(),
    many_column("effects.ignore_state", "Ignores the penalty of", tuple(Choice(s, s) for s in STATES)),
    Column(key="duration", label="Duration in words", required=True),
    number_column("duration_minutes", "Duration", 0, high=10_000, unit="minutes"),
    choice_column("crash", "Afterwards", _choices(CRASHES), ""),
    COST,
)


def find_weapon_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """Lost equipment bonus, and a jam. [COS-CRIT-06]"""
    bonus = (Wear("damaged", "Bonus lost", int(record["equipment"])),) if record["equipment"] else ()
    jams = (Wear("jammed", "Jammed", 1),) if has_tag(record, "jams") else ()
    return (*bonus, *jams)


def find_armor_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """Lost protection, and damage taken in it. [COS-CRIT-06] [COS-ARMOR-10]"""
    damaged = Wear("damaged", "Protection lost", int(record["protection"]))
    return (damaged, Wear("taken", "Damage taken in it", 9999), *_find_air_wear(record))


def _find_air_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """The time of armor that is also a suit; for powered armor it can be set. [COS-PROT-03]"""
    suit = tables.suits().get(find_suit(record))
    return find_suit_wear(as_plain(suit)) if suit else ()


def find_suit_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """The seconds used of its time; its hours if they differ. [COS-PROT-01] [COS-PROT-03]"""
    used = () if record["indefinite"] else (Wear("used", "Seconds used", 99_999_999),)
    hours = (Wear("hours", "Hours it lasts", int(record["hours_max"])),) if record["hours_max"] else ()
    return (*used, *hours)


def find_gear_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """Charges used."""
    return (Wear("used", "Charges used", int(record["charges"])),) if record["charges"] else ()


def find_medical_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """Uses spent; after the last one the item is gone. [COS-DEATH-08] [COS-MED-10]"""
    return (Wear("used", "Uses gone", int(record["uses"]) - 1),) if record["uses"] > 1 else ()


def _weapon_words(data: Weapon) -> list[str]:
    far = f"reach {data.reach_m} m" if data.mode == "melee" else f"{data.range_m} m"
    return [
        f"{data.damage} {data.type}" if data.damage != "0" else "no damage",
        far,
        f"AP {data.ap}" if data.ap else "",
        f"+{data.equipment} to hit" if data.equipment else "",
        f"blast {data.radius_m} m" if data.radius_m else "",
    ]


def _armor_words(data: Armor) -> list[str]:
    penalty = data.defense_penalty
    return [data.armor_class, f"protection {data.protection}", f"Defense {penalty}" if penalty else ""]


def _shield_words(data: Shield) -> list[str]:
    energy = data.energy_protection
    return [
        f"Defense +{data.defense_bonus}" if data.defense_bonus else "",
        f"{energy} against energy" if energy else "",
    ]


def _suit_words(data: Suit) -> list[str]:
    hours = f"{data.hours_min} to {data.hours_max} h" if data.hours_max else f"{data.hours} h"
    span = hours if data.hours or data.hours_max else f"{data.minutes} min" if data.minutes else ""
    return [
        f"keeps out {_listed([HAZARDS[word] for word in data.protects])}" if data.protects else "",
        f"toxin saves +{data.toxin_save}" if data.toxin_save else "",
        f"radiation saves +{data.radiation_save}" if data.radiation_save else "",
        "no limit" if data.indefinite else span,
    ]


def _medical_words(data: MedicalGear) -> list[str]:
    return [
        f"Medicine +{data.medicine_bonus}" if data.medicine_bonus else "",
        _listed([word.replace("_", " ") for word in data.enables]),
        f"{data.heal_per_hour} HP an hour" if data.heal_per_hour else "",
        "heals all" if data.heals == "full" else "",
        data.effect,
        f"{data.uses} uses" if data.uses > 1 else "",
    ]


def _drug_words(data: Drug) -> list[str]:
    effects = data.effects
    figures = as_plain(effects).items()
    words = [f"{key.replace('_', ' ')} {n:+d}" for key, n in figures if isinstance(n, int) and n]
    ignored = _listed(effects.ignore_state)
    return [*words, f"no penalty while {ignored}" if ignored else "", data.duration]


def _gear_words(data: Gear) -> list[str]:
    help_with = {"athletics_climb": "climbing", "tech_repair": "repairs", "survival": "Survival"}
    return [
        data.effect,
        *(f"{what} +{getattr(data, key)}" for key, what in help_with.items() if getattr(data, key)),
        f"{data.charges} charges" if data.charges else "",
    ]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + "".join(words[-1:])


def find_facts(row: Any) -> dict[str, Any]:
    """The age, price and traits of a record's entry."""
    traits = tuple(getattr(row, "traits", ()))
    return {
        "age": getattr(row, "era", "Any"),
        "price": row.cost or None,
        "traits": traits,
        "trait_names": tuple(TRAITS[key].label if key in TRAITS else key for key in traits),
    }


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body, such as teeth."""
    return has_tag(record, "built in")


KINDS_OF_THINGS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=tables.UNARMED, sum_up=_weapon_words, ready="held", load="magazine",
         find_wear=find_weapon_wear, find_hands=count_weapon_hands, uses=WEAPON_USES, find_use=find_use),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         hidden="none", sum_up=_armor_words, ready="worn", only=True, find_wear=find_armor_wear),
    Kind(key="shield", label="Shield", plural="Shields", record=Shield, columns=(*SHIELD, SPENDS),
         find_rows=tables.shields, sum_up=_shield_words, ready="held"),
    Kind(key="suit", label="Suit or mask", plural="Suits and masks", record=Suit, columns=SUIT,
         find_rows=tables.suits, sum_up=_suit_words, ready="worn", find_wear=find_suit_wear),
    Kind(key="medical", label="Medical gear", plural="Medical gear", record=MedicalGear,
         columns=(*MEDICAL, SPENDS), find_rows=tables.medical_gear,
         sum_up=_medical_words, find_wear=find_medical_wear),
    Kind(key="drug", label="Drug", plural="Drugs", record=Drug, columns=(*DRUG, SPENDS),
         find_rows=tables.drugs, sum_up=_drug_words),
    Kind(key="gear", label="Other gear", plural="Other gear", record=Gear, columns=(*GEAR, SPENDS),
         find_rows=tables.gear, sum_up=_gear_words, find_wear=find_gear_wear),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=KINDS_OF_THINGS,
    ages=get_args(Era),
    age_label="Era",
    money=CREDITS,
    traits=TRAITS,
    find_facts=find_facts,
    is_built_in=is_built_in,
)

# A combatant's items, conditions and Hit Points on a sheet, and the problems in them.


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
