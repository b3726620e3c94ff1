"""Items: the catalogue of the game for lists and forms, and what a combatant has of it on a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.words import Label, say
from combat.rules.core.sheets.catalogue import (
    MELEE,
    RANGED,
    SPENDS,
    THROWN,
    Catalogue,
    Column,
    Kind,
    Wear,
    choice_column,
    choices_of,
    dice_column,
    many_column,
    melee_use,
    number_column,
    ranged_use,
    thrown_use,
    used,
)
from combat.rules.core.sheets.kit import Kit
from combat.rules.core.sheets.sheets import Lasting
from combat.rules.core.state.state import Condition, Scalar

from ..book import tables
from ..book.tables import HANDS, LIMBS, PLACES, UNARMED, Armor, Shield, Thing, Weapon
from .conditions import KINDS
from .values import BROKEN

TRAITS = {key: row.name.format_map(as_plain(row)) for key, row in tables.traits().items()}
ATTACK_KINDS = {"melee": "Melee", "unarmed": "Unarmed", "thrown": "Thrown", "missile": "Missile"}
DAMAGE_ATTRIBUTES = {"body": "Body", "coordination": "Coordination"}
MAX_ARMOR = 99

SKILLS = tuple(Choice(key, row.name) for key, row in tables.skills().items())
WEAPON = (
    dice_column("damage", "Damage", "dice such as 2d6"),
    choice_column("damage_attribute", "Adds ranks of", choices_of(DAMAGE_ATTRIBUTES)),
    Column(
        key="skill", label="Skill", options=SKILLS, required=True, help="such as blades, or one of your own"
    ),
    choice_column("kind", "Use", choices_of(ATTACK_KINDS)),
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    used(number_column("range_yards", "Range step", 0, high=2000, unit="yd"), RANGED, THROWN),
    many_column("tags", "Properties", choices_of(TRAITS), mends=True),
)
BODY, EYE = {"damage_attribute": "body", "hands": 1}, {"damage_attribute": "coordination", "hands": 1}
WEAPON_USES = (
    melee_use(sets={"kind": "melee"}, begins=BODY),
    ranged_use(sets={"kind": "missile"}, begins=EYE, needs=("range_yards",)),
    thrown_use(sets={"kind": "thrown"}, begins=EYE, needs=("range_yards",)),
)
ARMOR = tuple(number_column(place, tables.locations()[place].name, 0, MAX_ARMOR) for place in PLACES)
SHIELD = (
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("block_bonus_ranks", "Ranks added to blocking", -20, 20),
)
THING = (
    Column(key="text", label="What it does", plain=""),
    number_column("first_aid_bonus_ranks", "Ranks added to First Aid", -20, 20),
    number_column(
        "torso_penalty_becomes", "Torso penalty becomes", -5, high=0, unit="ranks", hint="0: no painkiller"
    ),
)
# Conditions that last beyond a fight. Those of the body follow from its Mortality Points.
LASTING = KINDS.tagged("lasting")
MP_TRACKS = tuple(f"mp.{place}" for place in PLACES)
NEEDED = ("body", "coordination", "health", "toughness", "spirit", "perception")


def find_use(record: Mapping[str, Any]) -> str:
    """How a weapon is used: a limb strikes in melee."""
    return {"missile": RANGED, "thrown": THROWN}.get(record.get("kind", ""), MELEE)


def find_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """The parts where armor may be broken. [CG-SPEC-03]"""
    covered = (place for place in PLACES if record.get(place))
    return tuple(
        Wear(BROKEN + place, f"No armor left: {tables.locations()[place].name}", 1) for place in covered
    )


def _weapon_words(weapon: Weapon) -> list[str]:
    skill = tables.skills().get(weapon.skill)
    return [
        f"{weapon.damage} + {weapon.damage_attribute.capitalize()}",
        skill.name if skill else weapon.skill,
        f"{weapon.range_yards} yd a step" if weapon.range_yards else "",
        "both hands" if weapon.hands > 1 else "",
        *(TRAITS.get(tag, tag) for tag in weapon.tags),
    ]


def _armor_words(armor: Armor) -> list[str]:
    """Each part that armor protects; parts with the same armor together."""
    rows: dict[int, list[str]] = {}
    for place in PLACES:
        points = int(getattr(armor, place))
        if points:
            rows.setdefault(points, []).append(tables.locations()[place].name.lower())
    return [f"{points} {' and '.join(names)}" for points, names in rows.items()]


def _shield_words(shield: Shield) -> list[str]:
    bonus = shield.block_bonus_ranks
    return ["to block with", f"{bonus:+} rank{'s' if abs(bonus) > 1 else ''}" if bonus else ""]


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body: a weapon that takes no hand."""
    return kind == "weapon" and not record.get("hands", 1)


ITEM_KINDS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=UNARMED, sum_up=_weapon_words, ready="held", uses=WEAPON_USES,
         find_use=find_use),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         sum_up=_armor_words, ready="worn", find_wear=find_wear),
    Kind(key="shield", label="Shield", plural="Shields", record=Shield, columns=SHIELD,
         find_rows=tables.shields, sum_up=_shield_words, ready="held", only=True),
    Kind(key="item", label="Other gear", plural="Other gear", record=Thing, columns=(*THING, SPENDS),
         find_rows=tables.things, sum_up=lambda thing: [thing.text.rstrip(".")]),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=ITEM_KINDS,
    traits={choice.value: choice for choice in choices_of(TRAITS)},
    find_facts=lambda row: {"traits": tuple(getattr(row, "tags", ()))},
    is_built_in=is_built_in,
)

# Items and conditions of a sheet as a combatant has them, and their problems.


KIT = Kit(
    catalogue=CATALOGUE,
    lasting=LASTING,
    lists=(
        ("weapons", "weapon", tables.weapons()),
        ("wears", "armor", tables.armors()),
        ("shields", "shield", tables.shields()),
        ("gear", "gear", tables.things()),
    ),
    tracks=(*MP_TRACKS, "toughness", "fatigue"),
    hands=HANDS,
)
make_item = KIT.make_item


def find_problems(sheet: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that a sheet's type does not catch: missing ranks, unknown parts and items."""
    return KIT.find_problems(sheet, _rank_problems(sheet), _part_problems(sheet))


def _rank_problems(sheet: dict[str, Any]) -> Iterator[Problem]:
    """The problems of ranks: missing Attributes that the rules read, and own names that the game has."""
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
    for field in ("mortality", "natural_armor", "computed"):
        for key in sheet[field]:
            if key not in PLACES:
                yield Problem(f"{field}.{key}", f"must be one of: {', '.join(PLACES)}")


# ---------------------------------------------------------------- in a fight


def make_conditions(
    who: str, held: tuple[Lasting, ...], tracks: Mapping[str, int], most: Mapping[str, int]
) -> tuple[Condition, ...]:
    """The conditions a combatant starts with: those of the sheet and of its Mortality Points.

    [CG-LIMB-01] [CG-LIMB-03] Limbs disabled or destroyed, which no longer bleed between fights; [CG-HEAD-01]
    [CG-TORSO-01] half of head or torso lost.  RULING R25
    """
    dead = any(lasting.kind == "dead" for lasting in held)
    wanted: list[tuple[str, str]] = [("dead", "")] if dead else []
    for place in PLACES:
        now, full = tracks[f"mp.{place}"], most[place]
        if 2 * (full - now) >= full:
            wanted += _find_wounds(place, now, dead)
    return tuple(_make(f"{who}-c{n}", kind, place) for n, (kind, place) in enumerate(wanted, 1))


def _find_wounds(place: str, now: int, dead: bool) -> list[tuple[str, str]]:
    """The states of a part that has lost half or more; with nothing left of head or torso, death."""
    row = tables.locations()[place]
    kind = row.half if now else row.zero
    if kind in ("dead", "unconscious"):
        return [] if dead else [(kind, place), ("prone", "")]
    return [(kind, place)]


def _make(condition_id: str, kind: str, place: str) -> Condition:
    known, marks = KINDS[kind], dict[str, Scalar]()
    label: Label = f"condition.{kind}"
    if place in LIMBS:
        marks = {"part": place, "cause": "points"}
        label = say(f"limb.{kind}", part=f"place.{place}")
        if kind == "destroyed":
            marks["how"] = "crushed"
            label = say("limb.lost", part=f"place.{place}", how="how_lost.crushed")
    elif kind == "dead":
        marks = {"cause": place}
    elif place:
        marks = {"cause": "points"}
    return Condition(condition_id, kind, label, known.rule, marks=marks)
