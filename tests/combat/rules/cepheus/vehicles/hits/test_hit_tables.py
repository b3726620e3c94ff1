"""The tables of damage to machines, row by row, as the chapter prints them."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.book.hits import (
    count_most,
    find_damage_rule,
    find_effect,
    find_hits,
    find_location,
    hit_tables,
)
from tests.combat.rules.cepheus.vehicles.garage import Garage

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
FLAT = (
    ("CS-VLOC-01", (2, 3), "hull"),
    ("CS-VLOC-02", (4,), "drive"),
    ("CS-VLOC-03", (5,), "weapon"),
    ("CS-VLOC-04", (6,), "armor"),
    ("CS-VLOC-05", (7, 8), "hull"),
    ("CS-VLOC-06", (9,), "weapon"),
    ("CS-VLOC-07", (10,), "drive"),
    ("CS-VLOC-08", (11,), "sensors"),
    ("CS-VLOC-09", (12,), "hull"),
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


@pytest.mark.parametrize(
    ("roll", "place"),
    [
        pytest.param(roll, place, marks=pytest.mark.rule(rule))
        for rule, rolls, place in FLAT
        for roll in rolls
    ],
)
def test_the_flat_table_has_one_column(roll: int, place: str) -> None:
    assert find_location(roll).flat == place


def test_every_row_and_every_effect_is_in_these_tests_and_cites_its_rule() -> None:
    tables = hit_tables()
    assert [row.roll for row in tables.location] == [row[1] for row in LOCATIONS]
    assert [row.rule for row in tables.location] == [row[0] for row in LOCATIONS]
    assert [row.rule for row in tables.damage] == [row[0] for row in DAMAGE[1:12]]
    places = {p for row in tables.location for p in (row.external, row.internal, row.robot)}
    assert places - {"hull", "structure"} == set(tables.spill) == set(tables.spill_rules)


# The effect of each numbered hit on a part: speed in percent, DM on control, DM on use, lost, off
EFFECTS = (
    ("CE-VLOC-22", "drive", 1, (90, -1, 0, False, False)),
    ("CE-VLOC-23", "drive", 2, (75, -2, 0, False, False)),
    ("CE-VLOC-24", "drive", 3, (0, -2, 0, True, False)),
    ("CE-VLOC-27", "weapon", 1, (100, 0, -2, False, False)),
    ("CE-VLOC-28", "weapon", 2, (100, 0, 0, True, False)),
    ("CE-VLOC-30", "sensors", 1, (100, 0, -2, False, False)),
    ("CE-VLOC-32", "sensors", 2, (100, 0, 0, True, False)),
    ("CE-VLOC-34", "power", 1, (100, 0, 0, False, False)),
    ("CE-VLOC-35", "power", 2, (50, 0, 0, False, False)),
    ("CE-VLOC-36", "power", 3, (0, 0, 0, True, False)),
    ("CE-VLOC-39", "limb", 1, (100, 0, -2, False, False)),
    ("CE-VLOC-40", "limb", 2, (100, 0, 0, True, False)),
    ("CE-VLOC-49", "computer", 1, (100, 0, 0, False, True)),
    ("CE-VLOC-51", "computer", 2, (100, 0, 0, True, True)),
)


@pytest.mark.parametrize(
    ("part", "hit", "expected"),
    [pytest.param(*row, marks=pytest.mark.rule(rule)) for rule, *row in EFFECTS],
)
def test_each_hit_on_a_part_does_what_its_row_says(part: str, hit: int, expected: tuple[object, ...]) -> None:
    row = find_effect(part, hit, False)
    assert (row.speed, row.control, row.dm, row.lost, row.off) == expected


def test_there_are_no_other_effects_and_each_number_follows_on_the_one_before() -> None:
    assert len(hit_tables().effect) == len(EFFECTS)
    for part in {row.part for row in hit_tables().effect}:
        numbers = [row.hit for row in hit_tables().effect if row.part == part]
        assert numbers == list(range(1, count_most(part, False) + 1))


@pytest.mark.rule("CS-VLOC-10")
@pytest.mark.parametrize("part", ["drive", "weapon", "sensors", "armor", "hull"])
def test_on_the_flat_table_only_the_third_hit_does_anything(part: str) -> None:
    assert [find_effect(part, n, True).lost for n in (1, 2, 3)] == [False, False, True]
    assert [find_effect(part, n, True).speed for n in (1, 2)] == [100, 100]
    assert count_most(part, True) == 3


@pytest.mark.rule("CE-VDMG-07", "CE-VDMG-08")
def test_each_hit_rolls_a_place_and_a_double_lands_on_one() -> None:
    stage = Garage()
    car = stage.vehicle(hull=9, armor=0)
    stage.strike(car, 4, 4, 3)  # two Single Hits
    assert (stage.hits(car, "drive"), stage.hits(car, "sensors")) == (1, 1)
    stage.strike(car, 8, 10)  # a Double Hit
    assert stage.hits(car, "drive") == 3
