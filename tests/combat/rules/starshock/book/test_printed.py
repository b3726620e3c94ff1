"""The printed tables of Star Shock agree with the page and the data."""

from __future__ import annotations

from combat.rules.core.book.printed import MINUS, NOTHING, Cell
from combat.rules.starshock.book import tables
from combat.rules.starshock.book.options import DEFAULTS
from combat.rules.starshock.system import SYSTEM

PRINTED = {table.key: table for table in SYSTEM.book.tables()}


def row_of(key: str, name: str) -> dict[str, Cell]:
    """A row of a table by its first cell, with its headings."""
    table = PRINTED[key]
    found = next(row for row in table.rows if row[0] == name)
    return dict(zip(table.columns, found, strict=True))


def test_difficulties_with_the_rule_of_each() -> None:
    table = PRINTED["difficulties"]
    found = dict(zip(table.rules, (row[1] for row in table.rows), strict=True))
    assert found["SS-INIT-03"] == 10
    assert found["SS-OTHER-11"] == 10
    assert found["SS-ZONE-12"] == 8
    assert found["SS-DMG-04"] == "total damage, from 7 on"


def test_rates_are_the_usual_ones_of_the_table_options() -> None:
    assert row_of("rates", "Attack")["Rate"] == DEFAULTS["rate_attack"] == 1
    assert row_of("rates", "Move")["Rate"] == NOTHING
    assert row_of("rates", "Rouse")["Counted for"] == "each patient"


def test_free_actions_are_those_that_cost_nothing() -> None:
    assert {row[1] for row in PRINTED["actions"].rows} == {"Free"}
    assert PRINTED["actions"].rules == ("SS-FREE-05", "SS-FREE-07", "SS-FREE-09", "SS-FREE-11")


def test_maneuvers_cost_what_the_weapons_say() -> None:
    wanted = [
        (weapon.name, row.name, row.cost)
        for weapon in tables.weapons().values()
        for row in (tables.maneuvers()[key] for key in weapon.maneuvers)
    ]
    assert list(PRINTED["maneuvers"].rows) == wanted


def test_values_and_what_raises_them() -> None:
    assert PRINTED["values"].rows == (
        ("Armor", 7, "Strength or Dexterity"),
        ("Resistance", 7, "Intellect or Presence"),
    )
    assert row_of("defensives", "Meditate") == {"Action": "Meditate", "Raises": "Resistance", "By": "+1"}


def test_falls_by_gravity() -> None:
    table = PRINTED["falls"]
    assert [row[1] for row in table.rows] == [2, 5, 10]
    assert table.rules == ("SS-FALL-01", "SS-FALL-02", "SS-FALL-03")


def test_grounds_speak_with_the_words_of_their_rules() -> None:
    table = PRINTED["grounds"]
    assert [row[1] for row in table.rows] == [SYSTEM.rulebook.find(rule).text for rule in table.rules]


def test_skills_cost_a_point_without_them_if_for_specialists() -> None:
    for row, skill in zip(PRINTED["skills"].rows, tables.skills().values(), strict=True):
        assert row[:3] == (skill.name, skill.category, f"{MINUS}1" if skill.specialist else NOTHING)


def test_stat_blocks_follow_the_data() -> None:
    table = PRINTED["blocks"]
    armor = table.columns.index("Armor")
    assert [row[armor] for row in table.rows] == [block.armor for block in tables.npcs().values()]
