"""The catalogue of the game for lists and forms: kinds, columns, entries, wear of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.catalogue import (
    SPENDS,
    Catalogue,
    Column,
    Kind,
    Wear,
    choice_column,
    dice_column,
    flag_column,
    many_column,
    number_column,
)

from ..book import tables
from ..book.records import Armor, DamageType, Drug, Era, Gear, MedicalGear, Mode, Shield, Suit, Weapon
from ..book.traits import count_hands, find_suit, has_tag
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


def _choices(values: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(value, value.replace("_", " ").capitalize()) for value in values)


TRAITS = {trait.id: Choice(trait.id, trait.name, trait.effect) for trait in tables.traits().values()}


ERA = choice_column("era", "Era", _choices(get_args(Era)))
COST = number_column("cost", "Price", 0, high=10_000_000, unit=CREDITS)
CONDITIONS = tuple(kind.label for kind in KINDS.values())
WEAPON = (
    ERA,
    choice_column("mode", "Use", _choices(get_args(Mode))),
    dice_column("damage", "Damage", "such as 1d8+1; 0 for none"),
    choice_column("type", "Damage type", _choices(get_args(DamageType))),
    number_column("equipment", "Bonus to hit", 0, 3, hint="the equipment bonus, at most 3"),
    number_column("ap", "Armor piercing", 0, 20),
    number_column("reach_m", "Reach", 0, high=20, unit="m", hint="melee only"),
    number_column("range_m", "Range", 0, high=10_000, unit="m", hint="ranged and thrown only"),
    number_column("radius_m", "Blast radius", 0, high=200, unit="m"),
    number_column("magazine", "Magazine", 0, high=1000, unit="rounds", hint="0 needs no ammunition"),
    many_column("traits", "Traits", tuple(TRAITS.values())),
    choice_column("effect.save", "Save against its effect", SAVES, ""),
    number_column("effect.tn", "Target number of the save", 0, 40),
    choice_column("effect.condition", "Condition it brings", _choices(("", *CONDITIONS)), ""),
    flag_column("effect.breathed", "Must be breathed"),
    choice_column("effect.concealment", "Concealment it lays", _choices(("", "heavy")), ""),
    number_column("effect.rounds", "Lasts", 0, high=100, unit="rounds"),
    number_column("effect.minutes", "or", 0, high=600, unit="minutes"),
    COST,
)
ARMOR = (
    ERA,
    choice_column("armor_class", "Class", _choices(tuple(tables.ARMOR_CLASSES))),
    number_column("protection", "Protection", 0, 30),
    number_column("defense_penalty", "Defense", -10, 0),
    many_column("traits", "Traits", tuple(TRAITS.values())),
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
SUIT = (
    many_column(
        "protects", "Keeps out", tuple(Choice(key, word.capitalize()) for key, word in HAZARDS.items())
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
         find_wear=find_weapon_wear, find_hands=count_hands),
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
