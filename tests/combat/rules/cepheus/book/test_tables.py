"""The DMs of scores, and records that name each other."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.book import tables
from combat.rules.cepheus.book.tables import RANGE_DM, SHORT_RANGE_DM
from combat.rules.core.basics.dice.dice import parse_dice


def test_range_tables_of_both_games_have_the_same_rows() -> None:
    assert set(RANGE_DM) == set(SHORT_RANGE_DM)


@pytest.mark.parametrize(
    ("score", "dm"),
    [(-2, -2), (0, -2), (2, -2), (3, -1), (5, -1), (6, 0), (8, 0), (9, 1), (12, 2), (15, 3), (33, 9)],
)
def test_dm_goes_up_by_one_for_every_three_points(score: int, dm: int) -> None:
    """RULING R58"""
    assert tables.dm_of(score) == dm


# ---------------------------------------------------------------- records


@pytest.mark.rule("CE-DMG-01", "CE-MINOR-12", "CE-MINOR-13", "CE-MINOR-14")
def test_weapons_have_dice_skills_ranges_and_times() -> None:
    for weapon in tables.weapons().values():
        assert weapon.fires or parse_dice(weapon.damage).sides == 6, weapon.id
        assert weapon.skills, weapon.id
        assert set(weapon.skills) <= set(tables.skills())
        assert set(weapon.range_types) <= set(RANGE_DM), weapon.id
        assert not weapon.magazine or weapon.rate_of_fire, weapon.id
    times = {key: (row.draw_minor, row.reload_minor) for key, row in tables.weapons().items()}
    assert {key: draw for key, (draw, _) in times.items() if draw != 1} == {"unarmed_strike": 0}
    assert {key: load for key, (_, load) in times.items() if load != 1} == {  # R56
        **dict.fromkeys(("crossbow", "revolver", "shotgun"), 6),
        **dict.fromkeys(("submachinegun", "rocket_launcher"), 3),
        "ram_grenade_launcher": 2,
    }


def test_what_refers_to_another_record_finds_it() -> None:
    known = {*tables.weapons(), *tables.accessories()}
    assert {row.weapon for row in tables.ammo().values()} <= known
    assert {row.required_skill for row in tables.armors().values()} - {""} <= set(tables.skills())
    assert {row.skill for row in tables.vehicles().values()} <= set(tables.skills())
    mounted = {mount.weapon for row in tables.vehicles().values() for mount in row.weapons}
    assert mounted <= set(tables.vehicle_weapons())
    parents = {row.parent for row in tables.cascades().values()} - {""}
    assert parents <= set(tables.cascades())
    parts = {name for row in tables.cascades().values() for name in row.specialities}
    assert parts <= set(tables.skills()) | set(tables.cascades())


# ---------------------------------------------------------------- options
