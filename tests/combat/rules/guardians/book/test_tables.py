"""The tables: they load, refer to what exists, and every option is declared and read."""

from __future__ import annotations

from typing import Any

from combat.rules.guardians import SYSTEM
from combat.rules.guardians.body.harm import BEGINS
from combat.rules.guardians.book import tables
from combat.rules.guardians.people.conditions import KINDS, RANKS
from tests.combat.rules.tables import check_tables

ACCESSORS: dict[str, tuple[Any, int]] = {
    "location": (tables.locations, 6),
    "attribute": (tables.attributes, 7),
    "aspect": (tables.aspects, 6),
    "skill": (tables.skills, 13),
    "weapon": (tables.weapons, 19),
    "armor": (tables.armors, 7),
    "shield": (tables.shields, 2),
    "item": (tables.things, 2),
    "npc": (tables.npcs, 11),
}
NUMBERS = {  # figures of our own that a table may enter
    "crawl_yards", "mortality_head", "mortality_torso", "mortality_arm", "mortality_leg", "painkiller_rounds",
    "healing_per_day", "fear_ranks", "fear_rounds", "called_torso", "called_limb", "called_head",
}  # fmt: skip


def test_every_table_of_the_files_loads_by_id() -> None:
    """Archetypes are read where characters are made."""
    check_tables(tables.DATA, ACCESSORS, "archetype")


def test_every_option_is_declared_with_its_reason_and_words() -> None:
    assert len(SYSTEM.book.options) == 35 + len(NUMBERS)
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
        assert bool(weapon.range_yards) is (weapon.kind in ("thrown", "missile"))
