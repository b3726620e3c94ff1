"""Cosmos Engine's tables: they load, refer to what exists, and their figures follow the rules."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combat.rules.core.basics.data import DataError, load_table
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.book.rulebook import load_rulebook
from combat.rules.cosmos.book import tables
from combat.rules.cosmos.book.options import OPTIONS
from combat.rules.cosmos.book.tables import Armor, DrugEffects, NpcBlock, SpeciesAbilities, Weapon
from tests.combat.rules.tables import Accessors, check_tables

ACCESSORS: Accessors = {
    "weapon": tables.weapons,
    "trait": tables.traits,
    "armor": tables.armors,
    "shield": tables.shields,
    "medical_gear": tables.medical_gear,
    "drug": tables.drugs,
    "drug_effect": tables.drug_effects,
    "environment_suit": tables.suits,
    "gear": tables.gear,
    "attribute": tables.attributes,
    "skill": tables.skills,
    "species": tables.species,
    "creature": tables.creatures,
    "ability": tables.abilities,
    "attribute_array": tables.attribute_arrays,
    "skill_package": tables.skill_packages,
    "npc_tier": tables.npc_tiers,
    "npc": tables.npcs,
    "hazard_level": tables.hazard_levels,
}
# No rule of the book says what they do: the sheet tells them, and the table judges
TOLD = {"incorporeal_rounds_per_scene", "carry_multiplier"}
UNNAMED = {"natural_healing", "heal_other_hours"}  # said with another, or with nothing
NPCS = list(tables.npcs().values())
by_name = pytest.mark.parametrize("npc", NPCS, ids=[npc.id for npc in NPCS])


def test_every_table_of_the_files_loads_by_id() -> None:
    """Archetypes are read where characters are made."""
    check_tables(tables.DATA, ACCESSORS, "limits", "creation", "archetype")


# ---------------------------------------------------------------- references


def test_traits_of_weapons_and_armor_are_known() -> None:
    records: list[Weapon | Armor] = [*tables.weapons().values(), *tables.armors().values()]
    for record in records:
        assert set(record.traits) <= set(tables.traits()), record.id


def test_damage_can_be_rolled() -> None:
    for weapon in tables.weapons().values():
        assert parse_dice(weapon.damage).most >= 0, weapon.id


def test_natural_armor_has_a_name() -> None:
    for species in tables.species().values():
        assert bool(species.hide) == bool(species.abilities.natural_armor), species.id


def test_abilities_and_effects_of_drugs_are_fields() -> None:
    assert set(tables.abilities()) == set(SpeciesAbilities.__struct_fields__) - UNNAMED
    assert set(tables.drug_effects()) == set(DrugEffects.__struct_fields__) - {"ignore_state"}
    assert {row.skill for row in tables.abilities().values()} - {""} <= set(tables.skills())


def test_a_rule_asks_for_each_ability_that_helps_no_skill() -> None:
    records = tables.DATA.parent / "book/tables.py"
    code = [path.read_text("utf-8") for path in tables.DATA.parent.rglob("*.py") if path != records]
    known = {row.id for row in tables.abilities().values() if row.skill}
    unasked = {
        name
        for name in SpeciesAbilities.__struct_fields__
        if name not in known and not any(f'"{name}"' in text for text in code)
    }
    assert unasked == TOLD


def test_skills_and_packages_name_what_exists() -> None:
    for package in tables.skill_packages().values():
        assert set(package.skills) <= set(tables.skills()), package.id


@by_name
def test_npc_carries_what_exists(npc: NpcBlock) -> None:
    carried: list[dict[str, Any]] = [
        tables.weapons(),
        tables.drugs(),
        tables.medical_gear(),
        tables.suits(),
        tables.gear(),
    ]
    assert set(npc.weapons) <= set(tables.weapons())
    assert set(npc.gear) <= {gear for table in carried for gear in table}
    assert npc.armor in tables.armors()
    assert not npc.shield or npc.shield in tables.shields()
    assert npc.species in tables.species() or npc.species in tables.creatures()
    assert npc.tier in tables.npc_tiers()
    assert set(npc.skills) <= set(tables.skills())
    assert set(npc.attributes) == set(tables.attributes())


# ---------------------------------------------------------------- figures that follow from rules


def find_abilities(npc: NpcBlock) -> SpeciesAbilities:
    species = tables.species().get(npc.species)
    return species.abilities if species else SpeciesAbilities()


@by_name
def test_npc_hit_points(npc: NpcBlock) -> None:
    might, resolve = npc.attributes["MIG"], npc.attributes["RES"]
    assert npc.hp == 40 + 8 * might + 4 * resolve + find_abilities(npc).hp


@by_name
def test_npc_speed(npc: NpcBlock) -> None:
    assert npc.speed == find_abilities(npc).speed_base + npc.attributes["COO"]


@by_name
def test_npc_defense(npc: NpcBlock) -> None:
    training = npc.skills["Combat"] // 2 if "Combat" in npc.skills else 0
    shield = tables.shields()[npc.shield].defense_bonus if npc.shield else 0
    worn = tables.armors()[npc.armor].defense_penalty + shield + find_abilities(npc).defense
    assert npc.defense == 10 + npc.attributes["COO"] + worn + training


@by_name
def test_npc_protection_is_the_higher_of_worn_and_natural(npc: NpcBlock) -> None:
    worn = tables.armors()[npc.armor].protection
    if npc.species in tables.species():
        assert npc.protection == max(worn, find_abilities(npc).natural_armor)
    else:  # beasts and machines have natural armor
        assert npc.protection >= worn


@by_name
def test_npc_attributes_and_skills_are_within_limits(npc: NpcBlock) -> None:
    limits = tables.limits()
    known = tables.attributes()
    assert all(known[key].min <= n <= known[key].max for key, n in npc.attributes.items())
    assert all(limits.skill_min <= n <= limits.skill_absolute_max for n in npc.skills.values())


# ---------------------------------------------------------------- the printed tables


def test_named_armor_has_the_figures_of_its_class() -> None:
    for armor in tables.armors().values():
        row = tables.ARMOR_CLASSES.get(armor.armor_class)
        if row and armor.id != "leather":  # the weakest light armor keeps the 1 of its origin
            assert (armor.protection, armor.defense_penalty) == (row.protection, row.defense_penalty)


def test_health_state_agrees_with_exact_shares_everywhere() -> None:
    bounds = [(s.lower_bound, s.name) for s in tables.HEALTH_STATES if s.lower_bound is not None]
    for maximum in range(1, 140):
        for hp in range(1, maximum + 1):
            expected = next(name for bound, name in bounds if Fraction(100 * hp, maximum) >= bound)
            assert tables.find_health_state(hp, maximum).name == expected


def test_hints_name_levels_that_exist() -> None:
    assert {hint.level for hint in tables.COVER_OBJECTS.values()} <= set(tables.COVER)
    lights = [*tables.LIGHT_LEVELS.values(), *tables.CONCEALING_THINGS.values()]
    assert {hint.level for hint in lights} <= set(tables.CONCEALMENT)
    assert tables.COVER_OBJECTS["table"].level == "light"
    assert tables.COVER_OBJECTS["blast door"].level == "heavy"
    assert tables.LIGHT_LEVELS["dim"].level == "light"
    assert tables.LIGHT_LEVELS["dark"].level == "heavy"


def test_situations_agree_with_cover_and_concealment() -> None:
    values = {key: row.value for key, row in tables.SITUATIONS.items()}
    for level in ("light", "heavy"):
        assert values[f"{level}_cover"] == -tables.COVER[level].value
        assert values[f"{level}_concealment"] == tables.CONCEALMENT[level].value
    assert (values["flanking"], values["higher_ground"], values["aimed_shot"]) == (2, 1, 3)


def test_rule_ids_in_the_tables_exist() -> None:
    rules = load_rulebook(tables.DATA.parent).rules
    rows: list[Any] = [*tables.SITUATIONS.values(), *tables.CRITICAL_EFFECTS, *tables.RANGE_STEPS]
    rows += [*tables.COVER.values(), *tables.CONCEALMENT.values(), *tables.TERRAIN.values()]
    cited = {row.rule for row in rows} | {hint.rule for hint in tables.COVER_OBJECTS.values()}
    cited |= {s.penalty_rule for s in tables.HEALTH_STATES} | {s.rule for s in tables.HEALTH_STATES}
    assert cited - {""} <= set(rules)


# ---------------------------------------------------------------- limits of weapons

WEAPON = """
[[weapon]]
id = "thing"
name = "Thing"
era = "Any"
mode = "melee"
damage = "1d6"
type = "kinetic"
equipment = 0
ap = 0
traits = []
cost = 1
reach_m = 1
origin = "house"
"""


def read_thing(tmp_path: Path, old: str, new: str) -> Weapon:
    file = tmp_path / "weapons.toml"
    file.write_text(WEAPON.replace(old, new), encoding="utf-8")
    return load_table(file, Weapon)["thing"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("reach_m = 1", "", "reach_m belongs to melee weapons"),
        ("reach_m = 1", "reach_m = 1\nrange_m = 10", "range_m belongs to ranged"),
        ('"melee"', '"ranged"', "reach_m belongs to melee weapons"),
        ('"1d6"', '"d6 or so"', "matching regex"),
        ('"kinetic"', '"acid"', "weapon 'thing': Invalid enum value 'acid'"),
        ("equipment = 0", "equipment = 4", "<= 3"),
        ("cost = 1", "cost = 1\nprice = 1", "unknown field `price`"),
    ],
)
def test_a_wrong_weapon_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_thing(tmp_path, old, new)


def test_a_campaign_has_the_eras_of_the_tables() -> None:
    assert next(option.choices for option in OPTIONS if option.key == "era") == tables.ERAS
