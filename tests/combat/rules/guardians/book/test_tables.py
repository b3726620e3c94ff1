"""The tables: they load, refer to what exists, and every option is declared and read."""

from __future__ import annotations

from combat.rules.guardians import SYSTEM
from combat.rules.guardians.body.wounds import BEGINS
from combat.rules.guardians.book import tables
from combat.rules.guardians.characters.conditions import KINDS, RANKS
from tests.combat.rules.tables import Accessors, check_tables

ACCESSORS: Accessors = {
    "location": tables.locations,
    "attribute": tables.attributes,
    "aspect": tables.aspects,
    "skill": tables.skills,
    "weapon": tables.weapons,
    "trait": tables.traits,
    "armor": tables.armors,
    "shield": tables.shields,
    "item": tables.things,
    "npc": tables.npcs,
}


def test_every_table_of_the_files_loads_by_id() -> None:
    """Archetypes are read where characters are made."""
    check_tables(tables.DATA, ACCESSORS, "archetype")


def test_every_option_is_declared_with_its_reason_and_words() -> None:
    for option in SYSTEM.book.options:
        assert option.help, option.key
        assert not option.labels or len(option.labels) == len(option.choices), option.key


def test_every_option_is_read_by_the_rules() -> None:
    code = "\n".join(
        path.read_text("utf-8") for path in SYSTEM.folder.rglob("*.py") if path.name != "options.py"
    )
    reads = {option.key for option in SYSTEM.book.options if f'"{option.key}"' in code}
    built = {"mortality_head", "mortality_torso", "mortality_arm", "mortality_leg"}  # by the part's name
    assert {option.key for option in SYSTEM.book.options} - reads <= built


def test_every_row_of_the_conditions_names_what_exists() -> None:
    whens = {term.when for row in KINDS.values() for term in row.terms.values()} - {""}
    assert whens == RANKS.keys()
    assert {row.begins for row in KINDS.values()} - {""} == set(BEGINS)


def test_weapons_name_skills_and_attributes() -> None:
    for weapon in tables.weapons().values():
        assert weapon.skill in tables.skills()
        assert weapon.damage_attribute in tables.attributes()
        assert {*weapon.tags} <= tables.traits().keys()
        assert bool(weapon.range_yards) is (weapon.kind in ("thrown", "missile"))
