"""The printed tables of Cosmos Engine agree with the chapter and the data."""

from __future__ import annotations

import pytest

from combat.rules.core.book.printed import MINUS, NOTHING, BookTable, Cell
from combat.rules.cosmos.book import tables
from combat.rules.cosmos.system import SYSTEM

PRINTED = {table.key: table for table in SYSTEM.book.tables()}


def row_of(key: str, name: str) -> dict[str, Cell]:
    """A row of a table by its first cell, with its headings."""
    table = PRINTED[key]
    found = next(row for row in table.rows if row[0] == name)
    return dict(zip(table.columns, found, strict=True))


def column_of(table: BookTable, head: str) -> list[Cell]:
    """One column from top to bottom."""
    return [row[table.columns.index(head)] for row in table.rows]


def test_terrain_is_difficult_or_hazardous_as_the_rules_have_it() -> None:
    assert row_of("terrain", "Rubble") == {"Ground": "Rubble", "Difficult": "yes", "Hazardous": NOTHING}
    assert row_of("terrain", "Fire")["Hazardous"] == "yes"
    assert "Floor" not in column_of(PRINTED["terrain"], "Ground")


def test_obstacles_ask_for_what_a_climb_asks_for() -> None:
    assert row_of("obstacles", "Low")["Athletics, target number"] == NOTHING
    assert "2 m of a move" in str(row_of("obstacles", "Low")["Crossing it takes"])
    assert row_of("obstacles", "Medium") == {
        "Obstacle": "Medium",
        "Height, m": "2",
        "Crossing it takes": "Move Action",
        "Athletics, target number": 11,
    }
    assert row_of("obstacles", "High")["Athletics, target number"] == 14
    assert PRINTED["obstacles"].note.startswith("High: 14 up to 4 m, +3 for each further 2 m")


def test_cover_and_concealment_name_what_gives_them() -> None:
    assert row_of("cover", "Light") == {
        "Cover": "Light",
        "Defense": "+2",
        "Given by": "Table, thin wall, foliage",
    }
    assert row_of("cover", "Total")["Defense"] == "no direct attack"
    heavy = row_of("concealment", "Heavy")
    assert heavy["Attack roll"] == f"{MINUS}4"
    assert heavy["Given by"] == "Dark zones, thick smoke, dense foliage"
    assert row_of("concealment", "Total")["Place must be guessed"] == "yes"


def test_weapons_are_those_of_the_data_without_fists() -> None:
    table = PRINTED["things-weapon"]
    assert column_of(table, "Name") == [w.name for w in tables.weapons().values() if w.id != "unarmed"]
    pistol = row_of("things-weapon", tables.weapons()["pistol"].name)
    assert pistol["Damage"] == tables.weapons()["pistol"].damage
    assert pistol["Range, m"] == tables.weapons()["pistol"].range_m
    assert pistol["Reach, m"] == NOTHING


def test_situations_say_where_they_are_counted() -> None:
    assert row_of("situations", "Flanking") == {
        "Situation": "Flanking",
        "Attack roll": "+2",
        "Counted in": "Attack",
    }
    assert row_of("situations", "Target behind heavy cover")["Counted in"] == "Defense"


def test_critical_effects_go_by_the_face() -> None:
    assert column_of(PRINTED["critical-effects"], "1d10") == ["1–2", "3–4", "5–6", "7–8", "9–10"]


def test_bands_and_injuries_are_listed() -> None:
    assert {row[0]: row[1] for row in PRINTED["bands"].rows} == tables.RANGE_BANDS_M
    assert column_of(PRINTED["injuries"], "Injury") == ["Injured arm", "Injured leg", "Head wound", "Death"]


def test_health_states_from_best_to_worst() -> None:
    assert [row[:3] for row in PRINTED["health-states"].rows] == [
        ("Healthy", "75 or more", NOTHING),
        ("Wounded", "50 or more", f"{MINUS}1"),
        ("Injured", "25 or more", f"{MINUS}2"),
        ("Critical", "more than 0", f"{MINUS}3"),
        ("Dying", "0 HP or less", NOTHING),
    ]
    assert column_of(PRINTED["health-states"], "Movement") == [
        NOTHING,
        NOTHING,
        f"{MINUS}2 m",
        "halved",
        NOTHING,
    ]


def test_classes_of_armor_as_printed() -> None:
    assert PRINTED["armor-classes"].rows == (
        ("Light", 2, NOTHING),
        ("Medium", 4, f"{MINUS}1"),
        ("Heavy", 6, f"{MINUS}2"),
        ("Powered", 8, NOTHING),
    )


def test_rest_and_treatments_with_what_they_take() -> None:
    assert column_of(PRINTED["rest"], "HP a day") == [0, 1, 2, 3, 5]
    treatments = PRINTED["treatments"]
    assert column_of(treatments, "Medicine, target number") == [11, 14, 17, 14]
    assert column_of(treatments, "HP restored") == ["1d6", "2d6", "3d6", NOTHING]
    assert row_of("treatments", "Field medicine")["With one of"] == "Medical kit"


@pytest.mark.parametrize(
    ("where", "changes"),
    [
        ("Gravity: zero", {"Melee attacks": f"{MINUS}2", "Ranged attacks": f"{MINUS}2"}),
        ("Gravity: low", {"Melee attacks": f"{MINUS}1", "Ranged attacks": f"{MINUS}1", "Speed, m": "+2"}),
        ("Gravity: high", {"Physical actions": f"{MINUS}2", "Movement": "halved"}),
        ("Weather: strong wind", {"Ranged attacks": f"{MINUS}2", "Movement": "halved"}),
        ("Weather: rain", {"Concealment": "light"}),
        (
            "Water: all under water",
            {"Melee attacks": f"{MINUS}4", "Ranged attacks": f"{MINUS}4", "Movement": "halved"},
        ),
    ],
)
def test_surroundings_say_what_the_rules_do(where: str, changes: dict[str, str]) -> None:
    said = {head: cell for head, cell in row_of("surroundings", where).items() if cell != NOTHING}
    assert said == {"Surroundings": where, **changes}


def test_hazard_levels_by_severity() -> None:
    assert column_of(PRINTED["levels-radiation"], "Target number") == [11, 14, 17, 20, 23]
    assert row_of("levels-toxic", "Moderate")["Condition"] == "Blinded or Fatigued"


def test_species_with_their_figures() -> None:
    brutari = row_of("species", "Brutari")
    assert brutari["Size"] == "Large"
    assert str(brutari["Attributes"]).startswith("Might +2")
    assert "Natural armor 1" in str(brutari["Abilities"])


def test_prices_and_stat_blocks_follow_the_data() -> None:
    assert column_of(PRINTED["prices"], "As an attribute, points") == [-4, -2, 0, 2, 4, 7, 11, 16]
    assert column_of(PRINTED["blocks"], "HP") == [block.hp for block in tables.npcs().values()]
    assert row_of("tiers", "Boss")["Defense"] == "18–20"
