"""The tables of damage to machines, row by row, as the chapter prints them."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.book.tables import (
    TABLES,
    count_most,
    find_damage_rule,
    find_effect,
    find_hits,
    find_location,
)

# Points through armor -> hits by place, with the rule of the row
DAMAGE = (
    ("CE-VDMG-09", (-5, -1, 0), ()),
    ("CE-VDMG-10", (1, 2, 3), (1,)),
    ("CE-VDMG-11", (4, 5, 6), (1, 1)),
    ("CE-VDMG-12", (7, 8, 9), (2,)),
    ("CE-VDMG-13", (10, 11, 12), (1, 1, 1)),
    ("CE-VDMG-14", (13, 14, 15), (1, 1, 2)),
    ("CE-VDMG-15", (16, 17, 18), (2, 2)),
    ("CE-VDMG-16", (19, 20, 21), (3,)),
    ("CE-VDMG-17", (22, 23, 24), (3, 1)),
    ("CE-VDMG-18", (25, 26, 27), (3, 2)),
    ("CE-VDMG-19", (28, 29, 30), (3, 2, 1)),
    ("CE-VDMG-20", (31, 32, 33), (3, 3)),
    ("CE-VDMG-21", (34, 35, 36), (3, 3, 1)),
    ("CE-VDMG-22", (37, 38, 39), (3, 3, 2)),
    ("CE-VDMG-22", (40, 41, 42), (3, 3, 2, 1)),
    ("CE-VDMG-22", (43, 44, 45), (3, 3, 2, 2)),
)
# 2D6 -> external, internal, robot, with the rule of the row
LOCATIONS = (
    ("CE-VLOC-01", 2, "hull", "structure", "hull"),
    ("CE-VLOC-02", 3, "sensors", "power", "power"),
    ("CE-VLOC-03", 4, "drive", "power", "sensors"),
    ("CE-VLOC-04", 5, "weapon", "cargo", "limb"),
    ("CE-VLOC-05", 6, "hull", "structure", "hull"),
    ("CE-VLOC-06", 7, "armor", "passengers", "armor"),
    ("CE-VLOC-07", 8, "hull", "structure", "hull"),
    ("CE-VLOC-08", 9, "weapon", "cargo", "limb"),
    ("CE-VLOC-09", 10, "drive", "computer", "drive"),
    ("CE-VLOC-10", 11, "sensors", "cockpit", "sensors"),
    ("CE-VLOC-11", 12, "hull", "cockpit", "computer"),
)


@pytest.mark.rule("CE-VDMG-06")
@pytest.mark.parametrize(
    ("points", "hits", "cited"),
    [
        pytest.param(points, hits, rule, marks=pytest.mark.rule(rule))
        for rule, row, hits in DAMAGE
        for points in row
    ],
)
def test_points_through_armor_are_so_many_hits(points: int, hits: tuple[int, ...], cited: str) -> None:
    assert find_hits(points) == hits
    assert find_damage_rule(points) == cited


@pytest.mark.parametrize(
    ("roll", "external", "internal", "robot"),
    [pytest.param(*row, marks=pytest.mark.rule(rule)) for rule, *row in LOCATIONS],
)
def test_a_roll_has_a_place_in_each_column(roll: int, external: str, internal: str, robot: str) -> None:
    row = find_location(roll)
    assert (row.external, row.internal, row.robot) == (external, internal, robot)


def test_every_place_but_hull_and_structure_has_a_next_place() -> None:
    places = {p for row in TABLES.location for p in (row.external, row.internal, row.robot)}
    assert places - {"hull", "structure"} == set(TABLES.spill) == set(TABLES.spill_rules)


@pytest.mark.rule("CS-VLOC-10")
@pytest.mark.parametrize("part", ["drive", "weapon", "sensors", "armor", "hull"])
def test_on_the_flat_table_only_the_third_hit_does_anything(part: str) -> None:
    assert [find_effect(part, n, True).lost for n in (1, 2, 3)] == [False, False, True]
    assert [find_effect(part, n, True).speed for n in (1, 2)] == [100, 100]
    assert count_most(part, True) == 3
